//go:build goexperiment.simd && amd64

// Package archsimd writes dense kernels with Go's experimental simd/archsimd
// package (GOEXPERIMENT=simd), as a peer. Its functions are nil where the
// experiment is off or the CPU has no AVX-512.
package archsimd

import (
	"simd/archsimd"

	"golang.org/x/sys/cpu"
)

// Dot and Axpy are the kernels.
var (
	Dot  func(x, y []float64) float64
	Axpy func(a float64, x, y []float64)
)

func init() {
	if cpu.X86.HasAVX512F {
		Dot, Axpy = dot, axpy
	}
}

func dot(x, y []float64) float64 {
	var a, b, c, d archsimd.Float64x8
	for len(x) >= 32 && len(y) >= 32 {
		a = archsimd.LoadFloat64x8Slice(x).MulAdd(archsimd.LoadFloat64x8Slice(y), a)
		b = archsimd.LoadFloat64x8Slice(x[8:]).MulAdd(archsimd.LoadFloat64x8Slice(y[8:]), b)
		c = archsimd.LoadFloat64x8Slice(x[16:]).MulAdd(archsimd.LoadFloat64x8Slice(y[16:]), c)
		d = archsimd.LoadFloat64x8Slice(x[24:]).MulAdd(archsimd.LoadFloat64x8Slice(y[24:]), d)
		x, y = x[32:], y[32:]
	}
	var l [8]float64
	a.Add(b).Add(c.Add(d)).Store(&l)
	archsimd.ClearAVXUpperBits() // else SSE code, of whoever runs next, waits at every switch to AVX
	s := 0.0
	for _, v := range l {
		s += v
	}
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func axpy(a float64, x, y []float64) {
	av := archsimd.BroadcastFloat64x8(a)
	for len(x) >= 8 && len(y) >= 8 {
		av.MulAdd(archsimd.LoadFloat64x8Slice(x), archsimd.LoadFloat64x8Slice(y)).StoreSlice(y)
		x, y = x[8:], y[8:]
	}
	archsimd.ClearAVXUpperBits()
	for i, v := range x {
		y[i] += a * v
	}
}
