package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// scaledColumns is a random problem whose columns have scales from 1e-6 to 1e6.
func scaledColumns(t *testing.T, phi loss.Loss, weighted bool) *Problem {
	t.Helper()
	p := randomProblem(t, phi, 300, 12, 6, 1e-6, weighted)
	scale := []float64{1e6, 1, 1e-6, 1e3, 1e-3, 1e5, 1, 1e-5, 10, 0.1, 1e4, 1e-4, 1}
	ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range p.X.Rows() {
		for j, v := range p.X.Row(i) {
			columns, values = append(columns, uint32(j)), append(values, v*scale[j])
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(len(scale), ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x
	return p
}

// TestShardedScaledColumns: runs by shards on columns of very different scales converge, also
// with rows in other processes, to the same bits. The errors of their gradients are within the
// bound by columns. The bound by the norms of rows and weights proves no gap here.
func TestShardedScaledColumns(t *testing.T) {
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}} {
		for _, weighted := range []bool{false, true} {
			p := scaledColumns(t, phi, weighted)
			settings := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000, Shards: 4}
			r := mustSolve(t, p, Newton{}, settings)
			plain := mustSolve(t, p, Newton{}, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000})
			if above := r.Objective - plain.Objective; r.Status != solvers.Converged || above > r.Gap+1e-12*plain.Objective {
				t.Errorf("%v, weighted %t: %v with a gap of %v, %v above the minimum", phi, weighted, r.Status, r.Gap, above)
			}
			other, err := solveElsewhere(context.Background(), p, false, nil, settings)
			if err != nil {
				t.Fatal(err)
			}
			solvetest.SameBits(t, "elsewhere", other, r)
			stalled := settings
			stalled.GapTolerance = 1e-25
			alone := mustSolve(t, p, Newton{}, stalled)
			errs := shardstest.Run(2, func(ranks solvers.Ranks) error {
				s := stalled
				s.Ranks = ranks
				r, err := solveElsewhere(context.Background(), p, true, nil, s)
				if err == nil && (r.Status != alone.Status || r.Gap != alone.Gap || solvers.HashWeights(r.Weights) != solvers.HashWeights(alone.Weights)) {
					err = fmt.Errorf("%v with a gap of %v; alone %v with %v", r.Status, r.Gap, alone.Status, alone.Gap)
				}
				return err
			})
			if err := errors.Join(errs...); err != nil || alone.Gap > 1e-7 {
				t.Errorf("%v, weighted %t, on 2 ranks: %v", phi, weighted, err)
			}

			f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: 4}, p,
				&run.Session{Settings: settings, Ending: func() bool { return false }}, shards.Options{})
			if err != nil {
				t.Fatal(err)
			}
			careful := certificate.New(certificate.Problem{Problem: risk.Problem{X: p.X, Y: p.Y, SampleWeight: p.SampleWeight, Loss: phi, Penalty: p.Penalty}})
			g := make([]float64, p.X.Cols())
			for _, away := range []float64{0, 1e-9, 0.1, 10} {
				w := append([]float64(nil), plain.Weights...)
				for j := range w {
					w[j] *= 1 + away*math.Sin(float64(j+1))
				}
				e, err := f.gradient(g, w, false)
				if err != nil {
					t.Fatal(err)
				}
				coarse := e
				if e, err = f.sharpen(e, w); err != nil {
					t.Fatal(err)
				}
				norm, rest, _ := careful.Careful(w, 0)
				if off := math.Abs(e.GradientNorm - norm); !(off <= e.GradientError+rest) || e.Gap < (norm-rest)*(norm-rest)/(2*p.Ridge()) || !(e.GradientError <= coarse.GradientError) {
					t.Errorf("%v, weighted %t, %v away: norm %v, with care %v; bound %v, by norms %v", phi, weighted, away, e.GradientNorm, norm, e.GradientError, coarse.GradientError)
				}
			}
		}
	}
}
