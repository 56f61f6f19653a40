package erm

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestKeptCurvatures: a product uses kept curvatures if they have the point, the rows and the kind
// of curvature that are asked for. Other curvatures are computed.
func TestKeptCurvatures(t *testing.T) {
	p := randomProblem(t, loss.Huber{Delta: 0.7}, 4200, 10, 4, 1e-4, true)
	n, d := p.X.Rows(), p.X.Cols()
	begin := func(kept []float64) *sharded {
		rows := &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: 8, Kept: kept}
		f, err := newSharded(rows, p, &run.Session{Settings: solvers.Settings{Shards: 8}, Ending: func() bool { return false }}, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	v, here, there := make([]float64, d), make([]float64, d), make([]float64, d)
	for j := range v {
		v[j], here[j], there[j] = math.Sin(float64(j)), 0.3*math.Cos(float64(j)), -math.Cos(float64(j))
	}
	product := func(f *sharded) []float64 {
		dst := make([]float64, d)
		if err := f.product(dst, v); err != nil {
			t.Fatal(err)
		}
		return dst
	}
	visit := func(f *sharded, w []float64) {
		if _, err := f.visit(make([]float64, d), w); err != nil {
			t.Fatal(err)
		}
	}
	kept := make([]float64, n)
	f, plain := begin(kept), begin(nil)
	part := f.only(newShardedSample(n, d, 1e-4, nil))
	plain.curve(here, false)
	want := product(plain)

	visit(f, here)
	f.curve(here, false)
	near(t, "kept", product(f), want, 0)
	direct.Scale(kept, 2, kept)
	if slices.Equal(product(f), want) {
		t.Error("kept curvatures are not used")
	}
	visit(f, here)
	visit(f, there) // and the run stays where it was
	near(t, "of another point", product(f), want, 0)
	visit(part, here)
	near(t, "of other rows", product(f), want, 0)
	visit(f, here)
	f.curve(here, true)
	plain.curve(here, true)
	near(t, "of another kind", product(f), product(plain), 0)
}
