package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

var losses = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}}

// elsewhere makes rows in memory look like rows in a file: in blocks of two pieces, loaded ahead,
// with or without a cached number a row.
type elsewhere struct {
	shards.Memory
	broken func(shard, block int) error
}

func (r *elsewhere) Slow() bool { return true }

func (r *elsewhere) Blocks(shard int) int {
	rows := shards.Cut(r.Rows(), r.Shards, shard+1) - shards.Cut(r.Rows(), r.Shards, shard)
	return max(1, (rows+2*shards.Piece-1)/(2*shards.Piece))
}

func (r *elsewhere) Span(shard, block int) (first, end int) {
	first = shards.Cut(r.Rows(), r.Shards, shard) + 2*shards.Piece*block
	return first, min(first+2*shards.Piece, shards.Cut(r.Rows(), r.Shards, shard+1))
}

func (r *elsewhere) Load(b *shards.Block, shard, block int) error {
	if r.broken != nil {
		if err := r.broken(shard, block); err != nil {
			return err
		}
	}
	if err := r.Memory.Load(b, shard, 0); err != nil {
		return err
	}
	from := 2 * shards.Piece * block
	to := min(from+2*shards.Piece, len(b.Y))
	b.First, b.Row, b.Y, b.Weight = b.First+from, b.Row+from, b.Y[from:to], b.Weights(from, to)
	if b.Kept != nil {
		b.Kept = b.Kept[from:to]
	}
	return nil
}

// solveElsewhere is Solve with rows that seem to be in a file.
func solveElsewhere(ctx context.Context, p *Problem, kept bool, broken func(shard, block int) error, s solvers.Settings) (*solvers.Result, error) {
	rows := &elsewhere{shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: s.Shards}, broken}
	if kept {
		rows.Kept = make([]float64, p.X.Rows())
	}
	return solveRows(ctx, rows, p, Newton{}, s, shards.Options{})
}

// The gradient and the product with the Hessian have the bits of their definition: in a
// shard a row after the other, pieces of rows for the loss and the bias column, then the
// halves of the shards.
func TestShardedSums(t *testing.T) {
	for _, count := range []int{1, 2, 8} {
		p := randomProblem(t, loss.Logistic{}, 1500, 30, 4, 0.01, true)
		s := &run.Session{Settings: solvers.Settings{Shards: count}, Ending: func() bool { return false }}
		rows := &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: count}
		f, err := newSharded(rows, p, s, shards.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, d := p.X.Rows(), p.X.Cols()
		w, v := make([]float64, d), make([]float64, d)
		for j := range w {
			w[j], v[j] = math.Sin(float64(3*j)), math.Cos(float64(j*j))
		}
		z, m := make([]float64, n), make([]float64, n)
		if err := errors.Join(p.X.MulVec(nil, z, w), p.X.MulVec(nil, m, v)); err != nil {
			t.Fatal(err)
		}
		c, hm := slices.Clone(z), make([]float64, n)
		for i := range c {
			p.Loss.Gradient(c[i:i+1], z[i:i+1], p.Y[i:i+1], p.SampleWeight[i:i+1])
			h, rest := []float64{0}, []float64{0}
			p.Loss.Curvature(h, rest, z[i:i+1], p.Y[i:i+1], p.SampleWeight[i:i+1])
			hm[i] = h[0] * (1 / float64(n)) * m[i]
		}
		// sum is X'c over shards first to end-1, and the sum of the losses.
		var sum func(c []float64, first, end int) []float64
		sum = func(c []float64, first, end int) []float64 {
			if end-first > 1 {
				left, right := sum(c, first, (first+end)/2), sum(c, (first+end)/2, end)
				for j := range left {
					left[j] += right[j]
				}
				return left
			}
			g := make([]float64, d+1)
			begin, end := shards.Cut(n, count, first), shards.Cut(n, count, end)
			for from := begin; from < end; from += shards.Piece {
				to := min(from+shards.Piece, end)
				for i := from; i < to; i++ {
					for j, x := range p.X.Row(i) {
						if j < d-1 {
							g[j] = math.FMA(c[i], x, g[j])
						}
					}
				}
				g[d-1] += float64(p.X.Bias() * kernels.Sum(c[from:to]))
				g[d] += p.Loss.Sum(z[from:to], p.Y[from:to], p.SampleWeight[from:to])
			}
			return g
		}
		want := sum(c, 0, count)
		phi := want[d] / float64(n)
		g, product := make([]float64, d), make([]float64, d)
		for j := range g {
			want[j] = math.FMA(1/float64(n), want[j], float64(p.Ridge()*w[j]))
		}
		e, err := f.gradient(g, w, false)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "gradient", g, want[:d], 0)
		near(t, "objective", []float64{e.Objective}, []float64{phi + p.Ridge()/2*kernels.SquaredNorm(w)}, 1e-15)
		near(t, "P(0)", []float64{f.zero}, []float64{newObjective(p, nil, nil).atZero()}, 1e-14)

		// Sums over shards are shorter, and err less: by no more than that.
		whole := newObjective(p, nil, nil).evaluate(w)
		if share := e.GradientError / whole.GradientError; !(share <= 1.2 && share >= 0.9/float64(count)) {
			t.Errorf("%d shards: the gradient errs by %v, that of all rows by %v", count, e.GradientError, whole.GradientError)
		}
		if share := e.ObjectiveError / whole.ObjectiveError; !(share <= 1.2 && share >= 0.9/float64(count)) {
			t.Errorf("%d shards: the objective errs by %v, that of all rows by %v", count, e.ObjectiveError, whole.ObjectiveError)
		}

		got, _ := f.bounds.Rounding(0, 1e6, 0, 0) // what the rows' lengths and weights make of weights
		lengths, _ := newObjective(p, nil, nil).bounds.Rounding(0, 1e6, 0, 0)
		near(t, "error by the margins", []float64{got}, []float64{lengths}, 1e-12)

		want = sum(hm, 0, count)[:d]
		for j := range want {
			want[j] = math.FMA(p.Ridge(), v[j], want[j])
		}
		f.curve(w, false)
		if err := f.product(product, v); err != nil {
			t.Fatal(err)
		}
		near(t, "product with the Hessian", product, want, 0)
		testShardedHessian(t, f, p, w, z)
	}
}

// testShardedHessian compares the diagonal, the triangle and the losses along a step with
// their formulas.
func testShardedHessian(t *testing.T, f *sharded, p *Problem, w, z []float64) {
	t.Helper()
	n, d := p.X.Rows(), p.X.Cols()
	want, triangle := make([]float64, d*d), make([]float64, d*d)
	diagonal, got := make([]float64, d), make([]float64, d)
	for i := range n {
		sigma := 1 / (1 + math.Exp(-z[i]))
		h := p.SampleWeight[i] * sigma * (1 - sigma) / float64(n)
		row := make([]float64, d)
		for j, x := range p.X.Row(i) {
			row[j] = x
		}
		for a := range d {
			diagonal[a] += h * row[a] * row[a]
			for b := range a + 1 {
				want[a*d+b] += h * row[a] * row[b]
			}
		}
	}
	if err := errors.Join(f.diagonal(got, nil), f.gram(triangle)); err != nil {
		t.Fatal(err)
	}
	near(t, "diagonal", got, diagonal, 1e-12)
	near(t, "triangle", triangle, want, 1e-12)
	var list, mean [alphas]float64
	at := make([]float64, d)
	for k := range list {
		list[k] = math.Ldexp(3, -k)
		for j := range at {
			at[j] = w[j] + list[k]*got[j]
		}
		mean[k] = newObjective(p, nil, nil).evaluate(at).Objective - p.Ridge()/2*kernels.SquaredNorm(at)
	}
	losses, err := f.losses(3, got)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "losses along a step", losses[:], mean[:], 1e-13)
}

// near compares to a share of the largest; 0 is for equal bits.
func near(t *testing.T, what string, got, want []float64, share float64) {
	t.Helper()
	largest := 0.0
	for _, v := range want {
		largest = max(largest, math.Abs(v))
	}
	for k := range want {
		if !(math.Abs(got[k]-want[k]) <= share*largest) {
			t.Fatalf("%s: element %d of %d is %v, not %v", what, k, len(want), got[k], want[k])
		}
	}
}

// Runs by shards end at the optimum, for all losses, with sample weights and without a
// regulariser, with the diagonal and with the factor. The gap that they report holds.
func TestShardedNewtonReachesTheOptimum(t *testing.T) {
	for _, phi := range losses {
		for _, weighted := range []bool{false, true} {
			p := randomProblem(t, phi, 900, 60, 6, 1e-4, weighted)
			s := solvers.Settings{MaxEpochs: 3000, GapTolerance: 1e-12}
			want := mustSolve(t, p, Newton{}, s)
			s.Shards = 8
			got := mustSolve(t, p, Newton{}, s)
			if got.Status != solvers.Converged || math.Abs(got.Objective-want.Objective) > 2e-12 {
				t.Errorf("%v, weighted %t: %v at %v with a gap of %v, not at %v", phi, weighted, got.Status, got.Objective, got.Gap, want.Objective)
			}
			again := newObjective(p, nil, nil).evaluate(got.Weights)
			if again.Gap > 1e-17 && !(got.Gap >= again.Gap*(1-1e-3)) { // below it, sums of other lengths err less
				t.Errorf("%v: a gap of %v is claimed, the gradient allows %v", phi, got.Gap, again.Gap)
			}
		}
	}
	for _, shape := range []string{"dense:n=700,d=12", "text:n=300,d=900"} {
		p := newtonProblem(t, shape, loss.Logistic{}, 0)
		if strings.HasPrefix(shape, "text") {
			p.Penalty = penalty.Ridge{Lambda: 1e-6}
		}
		r := mustSolve(t, p, Newton{}, solvers.Settings{MaxEpochs: 5000, GradientTolerance: 1e-9, Shards: 4})
		if r.Status != solvers.Converged {
			t.Errorf("%s: %v, gradient norm %v", shape, r.Status, r.GradientNorm)
		}
	}
}

// A start from which the full step overshoots takes shorter ones.
func TestShardedNewtonSearches(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 600, 20, 5, 1e-3, false)
	s := solvers.Settings{MaxEpochs: 500, GapTolerance: 1e-10, Shards: 4, Initial: slices.Repeat([]float64{40}, p.X.Cols())}
	var trace solvers.Trace
	s.Recorder = &trace
	r := mustSolve(t, p, Newton{}, s)
	if r.Status != solvers.Converged {
		t.Errorf("%v with a gap of %v", r.Status, r.Gap)
	}
	sweeps := 0.0
	for k := 1; k < len(trace); k++ {
		if trace[k].Objective > trace[k-1].Objective*(1+1e-9) {
			t.Errorf("the objective rises from %v to %v", trace[k-1].Objective, trace[k].Objective)
		}
		sweeps = max(sweeps, trace[k].Epochs-trace[k-1].Epochs)
	}
	plain := solvers.Trace{}
	s.Recorder, s.Initial = &plain, nil
	mustSolve(t, p, Newton{}, s)
	if first, usual := trace[1].Epochs-trace[0].Epochs, plain[1].Epochs-plain[0].Epochs; first < 3 {
		t.Errorf("the first step takes %v passes, from 0 it takes %v: nothing was searched", first, usual)
	}
}

// Where rows are, how many workers and ranks there are, what there is room for, and the
// CPU path change no bit; the number of shards does.
func TestShardedSameBits(t *testing.T) {
	ctx := context.Background()
	p := randomProblem(t, loss.Logistic{}, 2100, 40, 4, 1e-4, true)
	s := solvers.Settings{MaxEpochs: 400, GapTolerance: 1e-9, Shards: 8, Workers: 1}
	want := mustSolve(t, p, Newton{}, s)
	other := s
	other.Shards = 4
	if solvers.HashWeights(mustSolve(t, p, Newton{}, other).Weights) == solvers.HashWeights(want.Weights) {
		t.Error("4 shards have the bits of 8")
	}
	for path := range pathtest.Paths(t) {
		for workers := 1; workers <= 3; workers++ {
			s.Workers = workers
			solvetest.SameBits(t, fmt.Sprintf("%s, %d workers", path, workers), mustSolve(t, p, Newton{}, s), want)
		}
	}
	for _, kept := range []bool{false, true} {
		for _, workers := range []int{1, 2} {
			s.Workers = workers
			r, err := solveElsewhere(ctx, p, kept, nil, s)
			if err != nil {
				t.Fatal(err)
			}
			solvetest.SameBits(t, fmt.Sprintf("elsewhere, kept %t, %d workers", kept, workers), r, want)
		}
	}
	for _, size := range []int{2, 3, 11} {
		errs := shardstest.Run(size, func(ranks solvers.Ranks) error {
			s := s
			s.Ranks, s.Workers = ranks, 1+ranks.Rank()%2
			r, err := solveElsewhere(ctx, p, ranks.Rank() == 1, nil, s)
			if err == nil {
				solvetest.SameBits(t, fmt.Sprintf("rank %d of %d", ranks.Rank(), size), r, want)
			}
			return err
		})
		if err := errors.Join(errs...); err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

func TestShardsRefused(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 60, 10, 4, 0.1, false)
	for _, c := range []struct {
		m    Method
		s    solvers.Settings
		want string
	}{
		{Newton{}, solvers.Settings{Shards: 3}, "power of two"},
		{Newton{}, solvers.Settings{Shards: -2}, "power of two"},
		{Newton{}, solvers.Settings{Shards: 1 << 21}, "at most"},
		{Newton{}, solvers.Settings{Ranks: shards.Alone{}}, "set Shards"},
		{SVRG{}, solvers.Settings{Shards: 4}, "svrg needs all rows in memory"},
	} {
		if r, err := Solve(context.Background(), p, c.m, c.s); err == nil || r != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.s, err, c.want)
		}
	}
	// More shards than rows leave some empty.
	r := mustSolve(t, p, Newton{}, solvers.Settings{Shards: 128, GapTolerance: 1e-10})
	if r.Status != solvers.Converged {
		t.Errorf("128 shards of 60 rows: %v", r.Status)
	}
	var none *sparse.Matrix
	if _, err := Solve(context.Background(), &Problem{Loss: loss.Logistic{}, X: none}, Newton{}, solvers.Settings{Shards: 4}); err == nil {
		t.Error("no matrix was taken")
	}
}
