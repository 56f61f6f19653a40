package erm_test

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// pseudoHuber is sqrt(1 + r^2) - 1, r = z-y: a loss that lanes does not have.
type pseudoHuber struct{}

func (pseudoHuber) String() string { return "pseudo-huber" }
func (pseudoHuber) Labels() bool   { return false }
func (pseudoHuber) At(z, y float64) (value, slope, curvature float64) {
	r, s := z-y, math.Hypot(1, z-y)
	return float64(r*r) / (1 + s), r / s, 1 / float64(s*s*s)
}

// Between: the second derivative falls with |r|.
func (f pseudoHuber) Between(z, dz, y float64) (least, most float64) {
	_, _, least = f.At(math.Abs(z-y)+dz, 0)
	_, _, most = f.At(max(math.Abs(z-y)-dz, 0), 0)
	return least * (1 - 1e-14), min(1, most*(1+1e-14))
}

// barzilaiBorwein takes gradient steps of the length (s's)/(s'q), for the last step s and the change
// q of the gradient over it.
type barzilaiBorwein struct{}

func (barzilaiBorwein) String() string { return "barzilai-borwein" }
func (barzilaiBorwein) Begin(p *erm.Problem, w []float64) (erm.Steps, error) {
	return &steps{w, make([]float64, len(w)), make([]float64, len(w)), make([]float64, 1)}, nil
}

type steps struct{ w, s, q, size []float64 } // q is minus the last gradient, size the last length

func (l *steps) State() [][]float64 { return [][]float64{l.s, l.q, l.size} }
func (l *steps) Next(r *erm.Run) {
	g, ss, sq := make([]float64, len(l.w)), 0.0, 0.0
	r.Gradient(g, l.w)
	for j, v := range g {
		ss += float64(l.s[j] * l.s[j])
		sq += float64(l.s[j] * (v + l.q[j]))
	}
	if l.size[0] = 1; ss > 0 && sq > 0 {
		l.size[0] = ss / sq
	}
	for j, v := range g {
		l.s[j], l.q[j] = -l.size[0]*v, -v
		l.w[j] += l.s[j]
	}
}

// A program brings a solver and a loss that lanes does not have. The run has budgets, records and
// checkpoints, and is certified: the gap bounds how far its objective is above the minimum.
func ExampleOwn() {
	phi, err := loss.Own(pseudoHuber{})
	if err != nil {
		panic(err)
	}
	method, err := erm.Own(barzilaiBorwein{})
	if err != nil {
		panic(err)
	}
	data, err := synthetic.Shape{Name: "dense", N: 500, D: 8, Seed: 1}.Generate(nil)
	if err != nil {
		panic(err)
	}
	p := &erm.Problem{X: data.X, Y: data.Y, Loss: phi, Penalty: penalty.Ridge{Lambda: 0.01}}
	r, err := erm.Solve(context.Background(), p, method, solvers.Settings{GapTolerance: 1e-9})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s %v, gap below 1e-9: %t\n", r.Solver, r.Status, r.Gap <= 1e-9)
	// Output: barzilai-borwein converged, gap below 1e-9: true
}
