package softmax

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// wild draws a problem whose columns have scales from 1e-10 to 1e10, with a lambda from 1e-25 on.
// In one of three cases its numbers are far from 0.
func wild(t *testing.T, seed uint64) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 99))
	n, d, k := 4+r.IntN(40), 1+r.IntN(5), 2+r.IntN(3)
	p := &Problem{Count: k, Lambda: math.Pow(10, -25+25*r.Float64())}
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = math.Pow(10, 20*r.Float64()-10)
	}
	off := 0.0
	if r.IntN(3) == 0 {
		off = math.Pow(10, 3+4*r.Float64())
	}
	begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range n {
		for j := range d {
			columns, values = append(columns, uint32(j)), append(values, (off+r.NormFloat64())*scale[j])
		}
		begins = append(begins, int64(len(values)))
		p.Class = append(p.Class, uint32((i+r.IntN(2))%k))
		if seed%3 == 0 {
			p.SampleWeight = append(p.SampleWeight, math.Pow(10, 12*r.Float64()-6))
		}
	}
	var err error
	if p.X, err = sparse.NewCSR(d, begins, columns, values); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBeyondFloat64: small problems that float64 brings to a halt, or that its steps wander in,
// converge. The first four did neither.
func TestBeyondFloat64(t *testing.T) {
	t.Parallel()
	for _, seed := range repeat.Size([]uint64{477, 338, 389, 399, 1, 2, 3, 4, 5, 6}, []uint64{477, 338, 1}) {
		p := wild(t, seed)
		target := 1e-6 * newObjective(p, nil).atZero()
		r, err := Solve(context.Background(), p, Newton{}, solvers.Settings{GapTolerance: target, MaxEpochs: 3000})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged {
			t.Errorf("seed %d: %v after %v passes, gap %v, target %v", seed, r.Status, r.Total.Epochs, r.Gap, target)
		}
	}
}

// TestFinishInterrupted: an interruption in numbers of more bits changes nothing of what the run
// comes to when it is resumed.
func TestFinishInterrupted(t *testing.T) {
	t.Parallel()
	p := wild(t, 477)
	s := solvers.Settings{GapTolerance: 1e-6 * newObjective(p, nil).atZero(), MaxEpochs: 3000, Workers: 1}
	solvetest.SameWhereverCut(t, 400, func(look int) int { return 1 + look/20 }, s, func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
		return Solve(ctx, p, Newton{}, s)
	})
}
