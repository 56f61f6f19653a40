package erm

import (
	"context"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestNewtonOnFullRows: rows that are written out give a minimum that the original rows certify.
// The bits are the same on every CPU and for any number of workers.
func TestNewtonOnFullRows(t *testing.T) {
	const n, d = 300, 12
	random := random.New(4)
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	p := &Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1. / n}}
	for range n {
		sum := random.Float64() - 0.5
		for j := range d {
			if random.Below(3) == 0 {
				continue
			}
			v := float64(2*random.Float64()) - 1
			index, values = append(index, uint32(j)), append(values, v)
			sum += v
		}
		begins = append(begins, int64(len(index)))
		p.Y = append(p.Y, math.Copysign(1, sum))
	}
	var err error
	if p.X, err = sparse.NewCSR(d, begins, index, values); err != nil {
		t.Fatal(err)
	}
	for workers := range 3 {
		r, err := Solve(context.Background(), p, Newton{}, solvers.Settings{GapTolerance: 1e-12, Workers: workers + 1})
		if err != nil || r.Status != solvers.Converged {
			t.Fatalf("%+v, %v", r, err)
		}
		if e := newObjective(p, nil, nil).evaluate(r.Weights); e.Gap > 1.1e-12 || e.Gap > r.Gap*1.1 {
			t.Errorf("a gap of %v, where the rows give %v", r.Gap, e.Gap)
		}
		if got, want := checkpoint.Checksum(r.Weights), "898f02931eaef97f"; got != want {
			t.Errorf("%d workers: weights of the checksum %s, not %s", workers+1, got, want)
		}
	}
	full := newObjective(p, nil, nil)
	if full.write(); !full.x.Full() {
		t.Error("the rows are not written out")
	}
}
