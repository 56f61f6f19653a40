//go:build !cgo || !sleef

// Package sleef calls SLEEF's vector functions (Debian: libsleef-dev; build tag
// sleef). Without the tag its functions are nil.
package sleef

// Exp, Log, Log1p and Tanh are nil in a build without SLEEF.
var Exp, Log, Log1p, Tanh func(dst, x []float64)
