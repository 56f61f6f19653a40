package main

import (
	"fmt"
	"os"

	"github.com/viterin/vek/vek32"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/bench/contest"
)

func plainDot32(x, y []float32) float64 {
	s := 0.0
	for i, v := range x {
		s += float64(v) * float64(y[i])
	}
	return s
}

func plainSum32(x []float32) float64 {
	s := 0.0
	for _, v := range x {
		s += float64(v)
	}
	return s
}

// singleTables: the peers accumulate in float32, twice as many lanes to a register.
func singleTables() {
	k := asm.Active()
	names := []string{"lanes", "plain Go", "gonum (float32)", "vek (float32)"}
	sizes := []int{128, 1024, 32768, 1 << 22}
	vectors := func(n int) (x, y []float32) {
		x, y = make([]float32, n), make([]float32, n)
		for i, v := range randomVector(n) {
			x[i], y[n-1-i] = float32(v), float32(v)
		}
		return x, y
	}
	vector := func(x []float32) blas32.Vector { return blas32.Vector{N: len(x), Inc: 1, Data: x} }
	dot := contest.NewTable(os.Stdout, "Dot of float32 vectors, accumulated in float64", "an element", names...)
	for _, n := range sizes {
		x, y := vectors(n)
		dot.Row(fmt.Sprintf("%d elements", n), n, contest.Run(
			contest.Contender{Name: "lanes", Run: func() { sink = k.Single.Dot(x, y) }},
			contest.Contender{Name: "plain Go", Run: func() { sink = plainDot32(x, y) }},
			contest.Contender{Name: "gonum (float32)", Run: func() { sink = float64(blas32.Dot(vector(x), vector(y))) }},
			contest.Contender{Name: "vek (float32)", Run: func() { sink = float64(vek32.Dot(x, y)) }},
		))
	}
	sum := contest.NewTable(os.Stdout, "Sum of a float32 vector, accumulated in float64", "an element", names...)
	for _, n := range sizes {
		x, _ := vectors(n)
		sum.Row(fmt.Sprintf("%d elements", n), n, contest.Run(
			contest.Contender{Name: "lanes", Run: func() { sink = k.Single.Sum(x) }},
			contest.Contender{Name: "plain Go", Run: func() { sink = plainSum32(x) }},
			contest.Contender{Name: "vek (float32)", Run: func() { sink = float64(vek32.Sum(x)) }},
		))
	}
}
