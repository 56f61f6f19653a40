package elasticnet

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// worded is a problem of more columns than a first working set has, in rows of a few entries that are 1, 0.5 and
// -2. Without values all of them are 1. Labels depend on the columns of a third.
func worded(t *testing.T, of loss.Loss, n, d int, values, beside bool) *Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(d), 5))
	ptr, columns, all := []int64{0}, []uint32(nil), []float64(nil)
	p := &Problem{Loss: of, Penalty: penalty.L1{Lambda: 2e-4}}
	for i := range n {
		var row []uint32
		margin := 0.3 * normal(r)
		for range 12 {
			j := uint32(float64(d) * r.Float64() * r.Float64())
			if row = append(row, j); j%3 == 0 {
				margin += float64(j%7) - 3
			}
		}
		slices.Sort(row)
		for _, j := range slices.Compact(row) {
			v := 1.0
			if values {
				v = []float64{1, 0.5, -2}[r.IntN(3)]
			}
			columns, all = append(columns, j), append(all, v)
		}
		ptr = append(ptr, int64(len(columns)))
		if p.Y = append(p.Y, margin); of.Labels() {
			p.Y[i] = math.Copysign(1, margin)
		}
		if beside {
			p.SampleWeight, p.Offset = append(p.SampleWeight, float64(i%4)/2), append(p.Offset, float64(i%7)/4-1)
		}
	}
	var err error
	if p.X, err = sparse.NewCSR(d, ptr, columns, all); err != nil {
		t.Fatal(err)
	}
	setIntercept(p, beside)
	return p
}

// both solves a problem by shards, and without, and compares the minima and the weights that are clear.
func both(t *testing.T, name string, p *Problem, settings solvers.Settings) *solvers.Result {
	t.Helper()
	want := solve(t, p, settings)
	settings.Shards = 4
	got := solve(t, p, settings)
	if want.Status != solvers.Converged || got.Status != solvers.Converged {
		t.Fatalf("%s: %v with a gap of %v by shards, %v with %v", name, got.Status, got.Gap, want.Status, want.Gap)
	}
	if off := got.Objective - want.Objective; !(off <= got.Gap+1e-15) || !(-off <= want.Gap+1e-15) {
		t.Errorf("%s: objective %v by shards with a gap of %v, %v with %v", name, got.Objective, got.Gap, want.Objective, want.Gap)
	}
	for j, v := range want.Weights {
		if other := got.Weights[j]; math.Abs(v-other) > 0.02 || (v == 0) != (other == 0) && math.Abs(v)+math.Abs(other) > 2e-3 {
			t.Errorf("%s: weight %d is %v by shards, not %v", name, j, other, v)
		}
	}
	return got
}

// TestGatheredMinimum: a run by shards has the minimum of a run without, for all losses and penalties.
func TestGatheredMinimum(t *testing.T) {
	t.Parallel()
	variants(t, func(t *testing.T, p *Problem) {
		r := both(t, "", p, solvers.Settings{GapTolerance: 1e-9, Workers: 1})
		if at := value(p, r.Weights); math.Abs(at-r.Objective) > 1e-13 {
			t.Errorf("objective %v, by its definition %v", r.Objective, at)
		}
	})
	for _, of := range linkLosses {
		both(t, of.String(), steepProblem(t, of, 90, 8, 1), solvers.Settings{GapTolerance: 1e-9})
	}
	for k := range repeat.Size(len(confinedTo), 4) {
		p := unevenProblem(t, losses[k%len(losses)], k%2 > 0, uint64(k))
		r := confinedTo[(7*k)%len(confinedTo)]
		p.Penalty = r
		got := both(t, r.String(), p, solvers.Settings{GapTolerance: 1e-9})
		for j, v := range got.Weights[:8] {
			if v < r.Lower[j] || v > r.Upper[j] {
				t.Errorf("%v: weight %d is %v, beyond its bounds %v and %v", r, j, v, r.Lower[j], r.Upper[j])
			}
		}
	}
	for k, r := range uneven {
		p := unevenProblem(t, losses[k%len(losses)], k%2 > 0, uint64(k))
		p.Penalty = r
		both(t, r.String(), p, solvers.Settings{GapTolerance: 1e-9})
	}
	for k, r := range unevenGroups() {
		if k%4 == 0 {
			p := unevenProblem(t, losses[k%len(losses)], k%8 > 0, uint64(k))
			p.Penalty = r
			both(t, r.String(), p, solvers.Settings{GapTolerance: 1e-9})
		}
	}
	p := draw(3, 300, true, true).posed(t)
	groups := []int(nil)
	for j := range penalised(p) {
		groups = append(groups, j)
	}
	p.Penalty = &penalty.GroupLasso{Weight: 0.02, Groups: [][]int{groups[:3], groups[3:4], groups[4:]}, Factors: []float64{1, 2, 1.5}, Lambda: 0.01}
	both(t, "groups", p, solvers.Settings{GapTolerance: 1e-9})
	for _, of := range []loss.Loss{loss.Logistic{}, loss.Squared{}} {
		p := worded(t, of, repeat.Size(1500, 800), 3000, true, true)
		p.Penalty = penalty.ElasticNet{L1: 2e-4, L2: 1e-3}
		both(t, "wide", p, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000})
	}
}

// TestGatheredGap: gaps on the way are bounds. The last gap is what a dense dual point of the slopes has, by its definition.
func TestGatheredGap(t *testing.T) {
	t.Parallel()
	for _, of := range repeat.Size([]loss.Loss{loss.Logistic{}, loss.Squared{}}, []loss.Loss{loss.Logistic{}}) {
		p := worded(t, of, 500, 3000, true, false)
		best := solve(t, p, solvers.Settings{GapTolerance: 1e-7, MaxEpochs: 1000})
		var trace solvers.Trace
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-3, Shards: 4, Recorder: &trace})
		if len(trace) < 3 {
			t.Errorf("%v: %d points", of, len(trace))
		}
		for _, q := range trace {
			if above := q.Objective - best.Objective; !(q.Gap >= above-1e-14) {
				t.Errorf("%v: %v above the minimum, gap %v", of, above, q.Gap)
			}
		}
		n, l1, u := float64(len(p.Y)), penalty.WeightOf(p.Penalty), make([]float64, 3000)
		c := make([]float64, len(p.Y))
		for i, y := range p.Y {
			z := 0.0
			for j, x := range p.X.Row(i) {
				z += x * r.Weights[j]
			}
			c[i] = slope(of, z, y, 0)
			for j, x := range p.X.Row(i) {
				u[j] += c[i] * x / n
			}
		}
		most := 0.0
		for _, v := range u {
			most = max(most, math.Abs(v))
		}
		share, dual := min(1, l1/most), 0.0
		for i, y := range p.Y { // phi*(-a) of a = -share c
			a := -share * c[i]
			if of.Labels() {
				if q := y * a; q > 0 && q < 1 {
					dual -= (q*math.Log(q) + (1-q)*math.Log1p(-q)) / n
				}
			} else {
				dual -= (a*a/2 - a*y) / n
			}
		}
		if want := value(p, r.Weights) - dual; !(math.Abs(r.Gap-want) <= 1e-9*math.Abs(want)+1e-11) {
			t.Errorf("%v: gap %v, by its definition %v", of, r.Gap, want)
		}
	}
}

// TestGatheredPlaces: a run by shards has the same bits in memory and in a file, with any memory and number of workers.
// A limit that is too small is an error, before the columns are copied.
func TestGatheredPlaces(t *testing.T) {
	t.Parallel()
	for k, of := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}} {
		p := worded(t, of, repeat.Size(5000, 3000), 4000, k != 1, k > 0)
		settings := solvers.Settings{GapTolerance: 1e-6, Shards: 8, Seed: 3, MaxEpochs: 1000}
		want := solve(t, p, settings)
		if want.Status != solvers.Converged {
			t.Fatalf("%v: %v with a gap of %v", of, want.Status, want.Gap)
		}
		need, columns, refusals := int64(1), 0, 0
		for ; ; refusals++ {
			settings.Workers = 3 // whose blocks take memory, too
			_, err := solveTask(context.Background(), shardstest.InFile(t, p, need), nil, settings)
			var short *erm.MemoryError
			if !errors.As(err, &short) {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if short.Limit != need || short.Need <= need || short.Columns < columns {
				t.Fatalf("%v: %d bytes: %v", of, need, short)
			}
			need, columns = short.Need, short.Columns
		}
		if refusals < 2 || columns < leastGathered {
			t.Errorf("%v: %d refusals, the last for %d columns", of, refusals, columns)
		}
		if _, err := solveTask(context.Background(), shardstest.InFile(t, p, need-1), nil, settings); err == nil {
			t.Errorf("%v: %d bytes are enough", of, need-1)
		}
		for k, memory := range []int64{need, need + need/8, 0} {
			settings.Workers = 1 + k
			got, err := solveTask(context.Background(), shardstest.InFile(t, p, memory), nil, settings)
			if err != nil {
				t.Fatal(err)
			}
			a, b := append(slices.Clone(got.Weights), got.Gap, got.Objective, got.GradientNorm, got.Epochs), append(slices.Clone(want.Weights), want.Gap, want.Objective, want.GradientNorm, want.Epochs)
			if !slices.Equal(a, b) {
				t.Errorf("%v: other bits with %d bytes and %d workers: gap %v, not %v", of, memory, settings.Workers, got.Gap, want.Gap)
			}
		}
	}
}

// TestGatheredResumed: a run that is cut after any step, or cancelled in a fit, goes on in a file to the same bits.
func TestGatheredResumed(t *testing.T) {
	t.Parallel()
	p := worded(t, loss.Logistic{}, 800, 2500, true, true)
	settings := solvers.Settings{GapTolerance: 1e-7, Shards: 4, MaxEpochs: 1000}
	want := solve(t, p, settings)
	for cut := int64(1); cut < want.Total.Iterations; cut += max(want.Total.Iterations/5, 1) {
		for _, cancelled := range []bool{false, true} {
			own, ctx := settings, context.Background()
			own.Checkpoint = filepath.Join(t.TempDir(), "run")
			if own.MaxIterations = cut; cancelled {
				own.MaxIterations = 0
				inner, cancel := context.WithCancel(ctx)
				ctx, own.Recorder = inner, &ending{at: cut, cancel: cancel}
			}
			task := shardstest.InFile(t, p, 0)
			if _, err := solveTask(ctx, task, nil, own); err != nil {
				t.Fatal(err)
			}
			again := settings
			again.Resume, again.Workers = own.Checkpoint, 1
			got, err := solveTask(context.Background(), task, nil, again)
			if errors.Is(err, solvers.ErrResume) || err != nil && !cancelled {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			if cancelled && got == nil {
				continue // it had converged
			}
			// A cut in a fit ends the fit nearer to where it began, from where the run goes on.
			if same := slices.Equal(got.Weights, want.Weights); cancelled && !same || !(math.Abs(got.Objective-want.Objective) <= got.Gap+want.Gap) {
				t.Errorf("cut at %d, cancelled %v: gap %v and objective %v, not %v and %v", cut, cancelled, got.Gap, got.Objective, want.Gap, want.Objective)
			}
		}
	}
}

// TestGatheredStopped: a run that is cancelled anywhere, in the middle of a fit too, goes on to the same bits.
func TestGatheredStopped(t *testing.T) {
	t.Parallel()
	p := worded(t, loss.Logistic{}, 400, 1500, true, true)
	settings := solvers.Settings{GapTolerance: 1e-7, Shards: 4, Workers: 1}
	looks := lookedAt(math.MaxInt64)
	want, err := solveTask(looks, shardstest.InFile(t, p, 0), nil, settings)
	if err != nil {
		t.Fatal(err)
	}
	all, cuts := math.MaxInt64-looks.left.Load(), 0
	for at := int64(1); at < all; at += max(all/int64(repeat.Size(40, 12)), 1) {
		own := settings
		own.Checkpoint = filepath.Join(t.TempDir(), "run")
		task := shardstest.InFile(t, p, 0)
		r, err := solveTask(lookedAt(at), task, nil, own)
		if err != nil || r.Status != solvers.Cancelled {
			continue // before the first checkpoint, or after the last look
		}
		cuts++
		again := settings
		again.Resume = own.Checkpoint
		if got, err := solveTask(context.Background(), task, nil, again); err != nil || !slices.Equal(got.Weights, want.Weights) {
			t.Errorf("cancelled at look %d of %d: other weights, error %v", at, all, err)
		}
	}
	if cuts < 5 {
		t.Errorf("only %d runs were cut", cuts)
	}
}

// counted is a context that is cancelled once its error was asked for some times.
type counted struct {
	context.Context
	left atomic.Int64
}

func lookedAt(times int64) *counted {
	c := &counted{Context: context.Background()}
	c.left.Store(times)
	return c
}

func (c *counted) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// ending cancels a run at its first record after some iterations.
type ending struct {
	at     int64
	cancel func()
}

func (e *ending) Record(p solvers.Point) error {
	if p.Iterations >= e.at {
		e.cancel()
	}
	return nil
}

// TestGatheredEdges: no column at all, a start at a point, a gradient as the target, and no target.
func TestGatheredEdges(t *testing.T) {
	t.Parallel()
	p := worded(t, loss.Logistic{}, 500, 3000, false, true)
	p.Penalty = penalty.L1{Lambda: 10}
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-6, Shards: 2})
	if r.Status != solvers.Converged || nonZeros(p, r.Weights) != 0 {
		t.Errorf("a strong penalty: %v, %d weights", r.Status, nonZeros(p, r.Weights))
	}
	p.Penalty = penalty.ElasticNet{L1: 1e-3, L2: 1e-3}
	r = solve(t, p, solvers.Settings{GapTolerance: 1e-9, Shards: 2})
	again := solve(t, p, solvers.Settings{GapTolerance: 1e-9, Shards: 2, Initial: r.Weights})
	if again.Total.Iterations != 1 || math.Abs(again.Objective-r.Objective) > 1e-13 {
		t.Errorf("from the minimum: %d iterations, %v, not %v", again.Total.Iterations, again.Objective, r.Objective)
	}
	r = solve(t, p, solvers.Settings{GradientTolerance: 1e-7, Shards: 2, MaxEpochs: 1000})
	if r.Status != solvers.Converged || !(r.GradientNorm <= 1e-7) {
		t.Errorf("a gradient: %v, %v", r.Status, r.GradientNorm)
	}
	r = solve(t, p, solvers.Settings{Shards: 2, MaxEpochs: 1000})
	if !(r.Gap <= 1e-12) {
		t.Errorf("no target: %v with a gap of %v", r.Status, r.Gap)
	}
	if got := direct.Norm(r.Weights); got == 0 {
		t.Error("no weights")
	}
	task := shardstest.InFile(t, p, 0)
	if _, err := solveTask(context.Background(), task, nil, solvers.Settings{Ranks: lonely{}, Shards: 2}); err == nil {
		t.Error("ranks are taken")
	}
}

// lonely is a single rank.
type lonely struct{ solvers.Ranks }
