//go:build !goexperiment.simd || !amd64

// Package archsimd writes dense kernels with Go's experimental simd/archsimd
// package (GOEXPERIMENT=simd), as a peer. Its functions are nil where the
// experiment is off or the CPU has no AVX-512.
package archsimd

// Dot and Axpy are the kernels.
var (
	Dot  func(x, y []float64) float64
	Axpy func(a float64, x, y []float64)
)
