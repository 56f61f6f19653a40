package main

import (
	"math"

	"github.com/viterin/vek"
	"gonum.org/v1/gonum/mat"

	"github.com/lanes-go/lanes/kernels"
)

// matrixTasks multiply square matrices, whose side is the length.
func matrixTasks() []task {
	const longest = 256
	return []task{
		{"AddMatMul, square", longest, func(n int) []way {
			c, a, b := vector(n*n), vector(n*n), vector(n*n)
			C, A, B := mat.NewDense(n, n, vector(n*n)), mat.NewDense(n, n, a), mat.NewDense(n, n, b)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.AddMatMul(c, a, b, n, n)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainAddMatMul(c, a, b, n, n) }) }},
				{fused, func(times int) { repeat(times, func(int) { fusedAddMatMul(c, a, b, n, n) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { C.Mul(A, B) }) }},               // without the addition
				{"vek", func(times int) { repeat(times, func(int) { vek.MatMul_Into(c, a, b, n) }) }}, // without the addition
			}
		}},
		{"AddMatTransMul, square", longest, func(n int) []way {
			w, a, c := vector(n*n), vector(n*n), vector(n*n)
			W, A, C := mat.NewDense(n, n, vector(n*n)), mat.NewDense(n, n, a), mat.NewDense(n, n, c)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.AddMatTransMul(w, a, c, n, n)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainAddMatTransMul(w, a, c, n, n) }) }},
				{fused, func(times int) { repeat(times, func(int) { fusedAddMatTransMul(w, a, c, n, n) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { W.Mul(A.T(), C) }) }}, // without the addition
			}
		}},
		{"AddGram, square", longest, func(n int) []way {
			w, x, c := vector(n*n), vector(n*n), vector(n)
			W, X := mat.NewSymDense(n, vector(n*n)), mat.NewDense(n, n, x)
			return []way{
				{"lanes", func(times int) { repeat(times, func(int) { check(kernels.AddGram(w, x, c, n)) }) }},
				{"plain", func(times int) { repeat(times, func(int) { plainAddGram(w, x, c, n) }) }},
				{"gonum", func(times int) { repeat(times, func(int) { W.SymRankK(W, 1, X.T()) }) }}, // without factors
			}
		}},
	}
}

//go:noinline
func plainAddGram(dst, x, c []float64, d int) {
	for _, by := range c {
		for a, v := range x[:d] {
			row := dst[a*d:][:a+1]
			for b, u := range x[:a+1] {
				row[b] += by * v * u
			}
		}
		x = x[d:]
	}
}

//go:noinline
func plainAddMatMul(dst, a, w []float64, inner, width int) {
	for len(dst) > 0 {
		row := dst[:width]
		for i, v := range a[:inner] {
			for j, u := range w[i*width:][:width] {
				row[j] += v * u
			}
		}
		dst, a = dst[width:], a[inner:]
	}
}

//go:noinline
func plainAddMatTransMul(w, a, c []float64, inner, width int) {
	for len(c) > 0 {
		row := c[:width]
		for i, v := range a[:inner] {
			into := w[i*width:][:width]
			for j, u := range row {
				into[j] += v * u
			}
		}
		c, a = c[width:], a[inner:]
	}
}

//go:noinline
func fusedAddMatMul(dst, a, w []float64, inner, width int) {
	for len(dst) > 0 {
		row := dst[:width]
		for i, v := range a[:inner] {
			for j, u := range w[i*width:][:width] {
				row[j] = math.FMA(v, u, row[j])
			}
		}
		dst, a = dst[width:], a[inner:]
	}
}

//go:noinline
func fusedAddMatTransMul(w, a, c []float64, inner, width int) {
	for len(c) > 0 {
		row := c[:width]
		for i, v := range a[:inner] {
			into := w[i*width:][:width]
			for j, u := range row {
				into[j] = math.FMA(v, u, into[j])
			}
		}
		c, a = c[width:], a[inner:]
	}
}
