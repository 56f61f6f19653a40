package erm

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/looks"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// logCosh is log(cosh(z-y)), whose second derivatives are next to 0 far from y.
type logCosh struct{}

func (logCosh) String() string { return "log cosh" }
func (logCosh) Labels() bool   { return false }
func (logCosh) At(z, y float64) (value, slope, curvature float64) {
	size := math.Abs(z - y)
	e := math.Exp(-2 * size)
	return size + math.Log1p(e) - math.Ln2, math.Copysign((1-e)/(1+e), z-y), 4 * e / (1 + e) / (1 + e)
}
func (logCosh) Between(z, dz, y float64) (least, most float64) {
	far := min(math.Abs(z-y)+dz, 300)
	return 0.99 / math.Cosh(far) / math.Cosh(far), 1
}

// TestResumeFar: a run whose steps are longer than any number, and so are not taken, goes on from
// its checkpoints to the same bits.
func TestResumeFar(t *testing.T) {
	l, err := loss.Own(logCosh{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := sparse.NewCSR(1, []int64{0, 1, 2, 3}, []uint32{0, 0, 0}, []float64{0.3, -0.7, 1.9})
	if err != nil {
		t.Fatal(err)
	}
	for _, lambda := range []float64{0, 1e-300, 1. / 3} {
		p := &Problem{X: x.WithBias(1), Y: []float64{0, 3000, 9000}, Loss: l, Penalty: penalty.Ridge{Lambda: lambda}, Intercept: true}
		s := solvers.Settings{GapTolerance: 1e-9, GradientTolerance: 1e-12, MaxIterations: 20, Initial: []float64{0.1, 0.7}}
		if lambda == 0 {
			s.GapTolerance = 0
		}
		want, err := Solve(context.Background(), p, Newton{}, s)
		if err != nil {
			t.Fatal(err)
		}
		for cut := 0; ; cut++ {
			first, second, ctx := s, s, looks.Until(cut)
			first.Checkpoint = filepath.Join(t.TempDir(), "run")
			if _, err := Solve(ctx, p, Newton{}, first); err != nil {
				t.Fatal(err)
			}
			if ctx.Left >= 0 {
				break
			}
			second.Resume = first.Checkpoint
			got, err := Solve(context.Background(), p, Newton{}, second)
			if err != nil {
				t.Fatalf("lambda %v, cut at look %d: %v", lambda, cut, err)
			}
			solvetest.SameBits(t, fmt.Sprintf("lambda %v, cut at look %d", lambda, cut), got, want)
		}
	}
}
