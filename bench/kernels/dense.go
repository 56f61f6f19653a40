package main

import (
	"fmt"
	"os"

	"github.com/viterin/vek"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/bench/archsimd"
	"github.com/lanes-go/lanes/bench/contest"
)

func plainDenseDot(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}

func plainDenseAxpy(a float64, x, y []float64) {
	for i, v := range x {
		y[i] += a * v
	}
}

// sink takes results, so that the compiler does not leave their computation out.
//
//lint:ignore U1000 nothing reads it
var sink float64

func denseTables() {
	k := asm.Active()
	sizes := []int{128, 1024, 32768, 1 << 22}
	dot := contest.NewTable(os.Stdout, "Dense dot (same bits on every CPU)", "an element", "lanes", "plain Go", "gonum", "vek", "simd/archsimd")
	for _, n := range sizes {
		x, y := randomVector(n), randomVector(n)
		contenders := []contest.Contender{
			{Name: "lanes", Run: func() { sink = k.Dense.Dot(x, y) }},
			{Name: "plain Go", Run: func() { sink = plainDenseDot(x, y) }},
			{Name: "gonum", Run: func() { sink = floats.Dot(x, y) }},
			{Name: "vek", Run: func() { sink = vek.Dot(x, y) }},
		}
		if archsimd.Dot != nil {
			contenders = append(contenders, contest.Contender{Name: "simd/archsimd", Run: func() { sink = archsimd.Dot(x, y) }})
		}
		dot.Row(fmt.Sprintf("%d elements", n), n, contest.Run(contenders...))
	}
	axpy := contest.NewTable(os.Stdout, "Dense axpy", "an element", "lanes", "plain Go", "gonum", "vek", "simd/archsimd")
	for _, n := range sizes {
		x, y, work := randomVector(n), randomVector(n), make([]float64, n)
		const a = 1e-9
		contenders := []contest.Contender{
			{Name: "lanes", Run: func() { k.Dense.Axpy(a, x, y) }},
			{Name: "plain Go", Run: func() { plainDenseAxpy(a, x, y) }},
			{Name: "gonum", Run: func() {
				blas64.Axpy(a, blas64.Vector{N: n, Inc: 1, Data: x}, blas64.Vector{N: n, Inc: 1, Data: y})
			}},
			{Name: "vek", Run: func() { vek.MulNumber_Into(work, x, a); vek.Add_Inplace(y, work) }},
		}
		if archsimd.Axpy != nil {
			contenders = append(contenders, contest.Contender{Name: "simd/archsimd", Run: func() { archsimd.Axpy(a, x, y) }})
		}
		axpy.Row(fmt.Sprintf("%d elements", n), n, contest.Run(contenders...))
	}
}
