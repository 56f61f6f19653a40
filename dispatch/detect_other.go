//go:build !amd64

package dispatch

import "golang.org/x/sys/cpu"

// missingFeature names the feature that the path needs and the machine lacks, or returns "". NEON
// with double precision is part of every arm64 CPU that Go supports, and the portable path needs
// nothing.
func missingFeature(path string) string {
	if path == "neon-dot" && !cpu.ARM64.HasASIMDDP {
		return "SDOT"
	}
	return ""
}
