package erm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// farTargets is a regression whose targets are far beyond delta, where no row has curvature
// at 0.
func farTargets(t *testing.T, n, d int, size, lambda float64, weighted bool) *Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 5))
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	p := &Problem{Loss: loss.Huber{}, Penalty: penalty.Ridge{Lambda: lambda}}
	for range n {
		y := 3.0
		for j := range d {
			v := random.Float64() - 0.5
			index, values = append(index, uint32(j)), append(values, v)
			y += float64(v) * float64(d-j)
		}
		begins = append(begins, int64(len(index)))
		p.Y = append(p.Y, size*(y+random.Float64()))
		if weighted {
			p.SampleWeight = append(p.SampleWeight, random.Float64()*2)
		}
	}
	x, err := sparse.NewCSR(d, begins, index, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	return p
}

// TestFarTargets: Newton minimises Huber's loss, computed by its definition, if all rows are in
// its linear part at first. lambda is 0 or small.
func TestFarTargets(t *testing.T) {
	for k, size := range []float64{1, 100, 1e4} {
		for _, lambda := range []float64{0, 1e-30, 1e-8} {
			for _, count := range []int{0, 4} {
				p := farTargets(t, 60+k, 4, size, lambda, k == 1)
				s := solvers.Settings{GradientTolerance: 1e-7, MaxEpochs: 500, Shards: count, Workers: 2}
				r := mustSolve(t, p, Newton{}, s)
				what := fmt.Sprintf("targets of %v, lambda %v, %d shards", size, lambda, count)
				if r.Status != solvers.Converged {
					t.Errorf("%s: %v at %v after %v passes", what, r.Status, r.Objective, r.Total.Epochs)
				}
				g := make([]float64, p.X.Cols())
				for i, y := range p.Y {
					z := 0.0
					for j, v := range p.X.Row(i) {
						z += v * r.Weights[j]
					}
					slope := max(-1, min(1, z-y)) / float64(len(p.Y))
					if p.SampleWeight != nil {
						slope *= p.SampleWeight[i]
					}
					for j, v := range p.X.Row(i) {
						g[j] += slope * v
					}
				}
				for j, w := range r.Weights {
					if v := g[j] + lambda*w; math.Abs(v) > 1e-6 {
						t.Errorf("%s: the slope of weight %d is %v", what, j, v)
					}
				}
			}
		}
	}
}

// TestFarTargetsResume: a run that is cut where a step was too long resumes to the same bits.
func TestFarTargetsResume(t *testing.T) {
	for _, count := range []int{0, 4} {
		p := farTargets(t, 70, 4, 1e3, 0, true)
		s := solvers.Settings{GradientTolerance: 1e-7, MaxEpochs: 500, Shards: count, Workers: 1}
		want := mustSolve(t, p, Newton{}, s)
		for part := 3.0; part < want.Total.Epochs; part += 5 {
			first, second := s, s
			first.MaxEpochs, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
			if r, err := Solve(context.Background(), p, Newton{}, first); err != nil || r.Status != solvers.BudgetReached {
				t.Fatalf("%v passes: %v, error %v", part, r, err)
			}
			second.Resume = first.Checkpoint
			solvetest.SameBits(t, fmt.Sprintf("%d shards, resumed after %v passes", count, part), mustSolve(t, p, Newton{}, second), want)
		}
	}
}
