//go:build !amd64

package dispatch

// missingFeature returns "": NEON with double precision is part of every arm64
// CPU that Go supports, and the portable path needs nothing.
func missingFeature(string) string { return "" }
