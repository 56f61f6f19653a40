package erm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func generated(t testing.TB, shape synthetic.Shape) *Problem {
	t.Helper()
	g, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: g.X.WithBias(1), Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(shape.N)}}
}

func pinnedIterations(m Method) int64 {
	switch m.(type) {
	case AISARAHImportance, AISARAHUniform:
		return 3
	case Newton:
		return 1
	}
	return 175
}

// TestPinned holds what every architecture and CPU path must compute.
func TestPinned(t *testing.T) {
	want := map[string]string{
		"ai-sarah":            "ac163a281d027c6d",
		"ai-sarah-importance": "a3ab12aec11cec9d",
		"ai-sarah-uniform":    "b666ee7d1e1f970d",
		"ai-sarah-interval":   "42ea9a5a07a07716",
		"sarah":               "2fba7f75e5989fbd",
		"sarah+":              "27cdb812928126d4",
		"svrg":                "14592f0e951a39c0",
		"adam":                "cc32b6714b8f0f1d",
		"newton":              "a3e2007a3760a8e4",
		"sgd":                 "610a547bcf37041f",
	}
	p := generated(t, synthetic.Shape{Name: "onehot", N: 5000, D: 123, Seed: 7})
	for _, m := range methods(t) {
		r := mustSolve(t, p, m, solvers.Settings{MaxIterations: pinnedIterations(m), Seed: 11})
		sum := sha256.New()
		for _, w := range r.Weights {
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(w)))
		}
		if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want[m.Name()] {
			t.Errorf("%q: %q,", m.Name(), got)
		}
	}
}

// TestNoAllocations: iterations allocate nothing, outer ones included.
func TestNoAllocations(t *testing.T) {
	p := generated(t, synthetic.Shape{Name: "onehot", N: 6000, D: 123, Seed: 7})
	for _, m := range methods(t) {
		loop := loopOf(t, p, m, solvers.Settings{})
		var c run.Control
		loop.Next(&c)
		loop.Next(&c)
		runs := 250
		if enough(m) < 100 {
			runs = 3
		}
		if n := allocations.Count(runs, func() { loop.Next(&c) }); n != 0 {
			t.Errorf("%s: %v allocations an iteration", m.Name(), n)
		}
	}
}

// BenchmarkIteration times an inner iteration over 64 rows.
func BenchmarkIteration(b *testing.B) {
	for _, shape := range []synthetic.Shape{
		{Name: "onehot", N: 20000, D: 123, Seed: 1},
		{Name: "text", N: 20000, D: 47236, Seed: 1},
	} {
		p := generated(b, shape)
		for _, m := range methods(b) {
			if enough(m) < 100 {
				continue
			}
			b.Run(shape.Name+"/"+m.Name(), func(b *testing.B) {
				loop := loopOf(b, p, m, solvers.Settings{})
				var c run.Control
				loop.Next(&c)
				b.ReportAllocs()
				for b.Loop() {
					loop.Next(&c)
				}
			})
		}
	}
}

// BenchmarkPass compares an effective pass of AI-SARAH with one product Xw, on very wide rows
// with one worker. The pass is spent on inner iterations or on the full gradient of an outer
// iteration. The columns are renumbered, as Solve does for such rows.
func BenchmarkPass(b *testing.B) {
	p := generated(b, synthetic.Shape{Name: "wide", N: 20000, D: 1355191, Seed: 1})
	x, _ := matrix.Renumber(p.X, nil)
	p.X = x
	b.Run("product", func(b *testing.B) {
		z, w := make([]float64, p.X.Rows()), start(p.X.Cols())
		for b.Loop() {
			if err := p.X.MulVec(nil, z, w); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("inner", func(b *testing.B) {
		loop := loopOf(b, p, AISARAH{Gamma: 1e-300, Unguarded: true}, solvers.Settings{}).(*aisarahLoop)
		var c run.Control
		loop.Next(&c)
		for b.Loop() {
			for range loop.batches.PerPass() {
				loop.Next(&c)
			}
		}
	})
	b.Run("outer", func(b *testing.B) {
		loop := loopOf(b, p, AISARAH{}, solvers.Settings{}).(*aisarahLoop)
		var c run.Control
		for b.Loop() {
			loop.inner = false
			loop.Next(&c)
		}
	})
}
