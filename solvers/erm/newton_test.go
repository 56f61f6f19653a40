package erm

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func newtonProblem(t testing.TB, spec string, phi loss.Loss, lambda float64) *Problem {
	t.Helper()
	shape, err := synthetic.ParseShape(spec, 3)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: data.X.WithBias(1), Y: data.Y, Loss: phi, Penalty: penalty.Ridge{Lambda: lambda}}
}

func TestNewtonReachesTheOptimum(t *testing.T) {
	for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}} {
		p := newtonProblem(t, "text:n=800,d=2000", phi, 1./800)
		result, err := Solve(context.Background(), p, Newton{}, solvers.Settings{MaxEpochs: 2000, GapTolerance: 1e-14})
		if err != nil {
			t.Fatal(err)
		}
		if result.Status != solvers.Converged {
			t.Errorf("%v: %v with a gap of %v after %v passes", phi, result.Status, result.Gap, result.Total.Epochs)
		}
		want := newObjective(p, nil, nil).evaluate(result.Weights)
		if !(result.Gap > 0 && result.Gap <= want.Gap*1.2) { // it includes the rounding of cached margins
			t.Errorf("%v: the result claims a gap of %v, its gradient allows %v", phi, result.Gap, want.Gap)
		}
	}
}

// A quadratic is its own model: with inner loops to the end, one step solves it.
func TestNewtonSolvesAQuadraticInOneStep(t *testing.T) {
	p := newtonProblem(t, "dense:n=300,d=20", loss.Squared{}, 0.1)
	result, err := Solve(context.Background(), p, Newton{Forcing: 1e-12}, solvers.Settings{MaxEpochs: 500, GapTolerance: 1e-20})
	if err != nil {
		t.Fatal(err)
	}
	if result.Status != solvers.Converged || result.Total.Iterations > 2 {
		t.Errorf("%v after %d steps, gap %v", result.Status, result.Total.Iterations, result.Gap)
	}
}

func TestNewtonWithoutRegulariser(t *testing.T) {
	p := newtonProblem(t, "dense:n=500,d=10", loss.Logistic{}, 0)
	result, err := Solve(context.Background(), p, Newton{}, solvers.Settings{MaxEpochs: 500, GradientTolerance: 1e-10})
	if err != nil {
		t.Fatal(err)
	}
	if result.Status != solvers.Converged || !math.IsNaN(result.Gap) {
		t.Errorf("%v, gradient norm %v, gap %v", result.Status, result.GradientNorm, result.Gap)
	}
}

// A run may be cut on its sample or within the conjugate gradients. It resumes from its
// checkpoint with another number of workers and ends in the same bits.
func TestNewtonResumesToTheSameBits(t *testing.T) {
	repeat.Once(t)
	p := newtonProblem(t, "onehot:n=20000", loss.Logistic{}, 1./20000)
	if sampleStep(&task{p: p}) == 1 {
		t.Fatal("the run does not begin on a sample")
	}
	solve := func(s solvers.Settings) *solvers.Result {
		t.Helper()
		result, err := Solve(context.Background(), p, Newton{}, s)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	want := solve(solvers.Settings{MaxEpochs: 16, Workers: 1})
	factor := 2.
	if testing.Short() {
		factor = 16
	}
	for cut := 0.6; cut < 16; cut *= factor {
		path := filepath.Join(t.TempDir(), "checkpoint")
		solve(solvers.Settings{MaxEpochs: cut, Workers: 2, Checkpoint: path})
		got := solve(solvers.Settings{MaxEpochs: 16, Workers: 3, Resume: path})
		if !slices.Equal(got.Weights, want.Weights) {
			t.Errorf("cut after %v passes, the run ends elsewhere", cut)
		}
	}
}

func TestNewtonSampleSameBits(t *testing.T) {
	p := newtonProblem(t, "onehot:n=20000", loss.Logistic{}, 1./20000)
	s := solvers.Settings{MaxEpochs: 8, Workers: 1}
	want := mustSolve(t, p, Newton{}, s)
	for path := range pathtest.Paths(t) {
		s.Workers = 2
		solvetest.SameBits(t, path, mustSolve(t, p, Newton{}, s), want)
	}
}

// The sample must not lead astray: here it is all of one class.
func TestNewtonLeavesABadSample(t *testing.T) {
	p := newtonProblem(t, "onehot:n=20000", loss.Logistic{}, 1e-4)
	step := sampleStep(&task{p: p})
	random := random.New(1)
	y := make([]float64, len(p.Y))
	for i := range y {
		y[i] = -1
	}
	for k := range len(y) / step {
		y[k*step+int(random.Below(uint64(step)))] = 1
	}
	p.Y = y
	var trace solvers.Trace
	result, err := Solve(context.Background(), p, Newton{}, solvers.Settings{GapTolerance: 1e-8, Recorder: &trace})
	if err != nil || result.Status != solvers.Converged {
		t.Fatal(result.Status, err)
	}
	if math.Abs(trace[0].Objective-math.Ln2) > 1e-12 {
		t.Errorf("the run on all rows begins at %v, not at 0", trace[0].Objective)
	}
}

func TestNewtonAllocatesNothing(t *testing.T) {
	p := newtonProblem(t, "onehot:n=5000", loss.Logistic{}, 1./5000)
	pool := matrix.NewPool(2)
	defer pool.Close()
	settings, err := run.Check(solvers.Settings{}, p.X.Cols())
	if err != nil {
		t.Fatal(err)
	}
	loop, _, err := Newton{}.begin(&task{p: p, pool: pool, full: newObjective(p, pool, nil), settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	run.Drive(context.Background(), run.Run{
		Samples: p.X.Rows(), Columns: p.X.Cols(), Reports: true, Loop: &countedLoop{Loop: loop, t: t},
		Evaluate: newObjective(p, pool, nil).evaluate,
	}, settings)
}

// countedLoop counts the allocations of every iteration but the first ones.
type countedLoop struct {
	run.Loop
	t    testing.TB
	done int
}

func (l *countedLoop) Next(c *run.Control) {
	if l.done++; l.done != 20 {
		l.Loop.Next(c)
		return
	}
	if n := allocations.Count(10, func() { l.Loop.Next(c) }); n != 0 {
		l.t.Errorf("%v allocations an iteration", n)
	}
}

// TestNewtonCertifiesItsWeights: what a converged run reports belongs to the weights that it
// returns, up to rounding, although margins were cached from step to step; and the rounding is in
// the gap.
func TestNewtonCertifiesItsWeights(t *testing.T) {
	for _, spec := range []string{"text:n=300,d=700", "onehot:n=400"} {
		for _, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}} {
			p := newtonProblem(t, spec, phi, 1./800)
			r, err := Solve(context.Background(), p, Newton{}, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000})
			if err != nil || r.Status != solvers.Converged {
				t.Fatalf("%s, %v: %v, %v", spec, phi, r, err)
			}
			want := newObjective(p, nil, nil).evaluate(r.Weights)
			if math.Abs(r.Objective-want.Objective) > 1e-14 || math.Abs(r.GradientNorm-want.GradientNorm) > 1e-14 {
				t.Errorf("%s, %v: objective %v and gradient %v, of the weights %v and %v", spec, phi, r.Objective, r.GradientNorm, want.Objective, want.GradientNorm)
			}
			if least := want.GradientNorm * want.GradientNorm / (2 * p.Ridge()); !(r.Gap >= least) {
				t.Errorf("%s, %v: a gap of %v, where the gradient allows %v", spec, phi, r.Gap, least)
			}
		}
	}
}

// marginsWatched compares the cached margins of a Newton loop with margins computed from its
// weights, row by row, before every iteration.
type marginsWatched struct {
	*newtonLoop
	t        *testing.T
	steps    int
	furthest float64 // of the way that is allowed
	last     []float64
	path     float64 // of the weights since margins were computed from them
}

func (l *marginsWatched) Next(c *run.Control) {
	if n := l.newtonLoop; n.started && n.steps > l.steps {
		l.steps = n.steps
		rows := n.all.rows()
		z := make([]float64, len(rows.z))
		rows.x.MulVec(z, n.w)
		size := math.Sqrt(kernels.SquaredNorm(n.w))
		if slices.Equal(z, rows.z) || l.last == nil { // they were computed anew
			l.path = 0
		} else {
			for j, v := range n.w {
				l.last[j] -= v
			}
			l.path += math.Sqrt(kernels.SquaredNorm(l.last))
		}
		l.last = slices.Clone(n.w)
		if !(rows.cached.norm() >= l.path) {
			l.t.Fatalf("step %d: margins of steps that are %v long count as %v", n.steps, l.path, rows.cached.norm())
		}
		for i := range z {
			way := math.Abs(z[i] - rows.z[i])
			allowed := rows.bounds.Margin(i, rows.cached.norm()) + rows.bounds.Margin(i, size)
			if !(way <= allowed) {
				l.t.Fatalf("step %d: margin %d is %v, that of the weights is %v: %v times as far as is allowed", n.steps, i, rows.z[i], z[i], way/allowed)
			}
			l.furthest = max(l.furthest, way/allowed)
		}
	}
	l.newtonLoop.Next(c)
}

// TestNewtonCachesMargins: cached margins stay as close to the margins of the weights as the
// certificates assume, on columns of all scales.
func TestNewtonCachesMargins(t *testing.T) {
	for _, power := range []float64{0, 4, 8} {
		p := newtonProblem(t, "onehot:n=400", loss.Logistic{}, 1e-6)
		begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
		for i := range p.X.Rows() {
			for j, v := range p.X.Row(i) {
				index, values = append(index, uint32(j)), append(values, v*math.Pow(10, power*float64(j%3-1)))
			}
			begins = append(begins, int64(len(index)))
		}
		var err error
		if p.X, err = sparse.NewCSR(p.X.Cols(), begins, index, values); err != nil {
			t.Fatal(err)
		}
		settings := solvers.Settings{MaxEpochs: 300, GapTolerance: 1e-12}
		full := newObjective(p, nil, nil)
		full.settings = settings
		loop, _, err := Newton{}.begin(&task{p: p, full: full, settings: settings})
		if err != nil {
			t.Fatal(err)
		}
		watched := &marginsWatched{newtonLoop: loop.(*newtonLoop), t: t}
		run.Drive(context.Background(), run.Run{
			Samples: p.X.Rows(), Columns: p.X.Cols(), Reports: true, Loop: watched, Evaluate: newObjective(p, nil, nil).evaluate,
		}, settings)
		if watched.steps < 5 || watched.furthest == 0 {
			t.Errorf("scales of 10^%v: %d steps, margins of %v of the way", power, watched.steps, watched.furthest)
		}
	}
}

// TestNewtonRefusesOtherMargins: a loop refuses a state whose margins do not belong to its
// weights or to its step. It takes a state as it was saved, wherever the run is.
func TestNewtonRefusesOtherMargins(t *testing.T) {
	p := newtonProblem(t, "onehot:n=400", loss.Logistic{}, 1e-4)
	settings := solvers.Settings{MaxEpochs: 300, GapTolerance: 1e-10}
	begin := func() *newtonLoop {
		full := newObjective(p, nil, nil)
		full.settings = settings
		loop, _, err := Newton{}.begin(&task{p: p, full: full, settings: settings})
		if err != nil {
			t.Fatal(err)
		}
		return loop.(*newtonLoop)
	}
	l, within, before := begin(), 0, 0
	check := func() {
		refused := func(change func(m *inMemory)) bool {
			other := begin()
			if err := checkpoint.Decode(checkpoint.Encode(l.State), other.State); err != nil {
				t.Fatalf("step %d, iteration %d: %v", l.steps, l.Iterations, err)
			}
			if got, want := other.all.rows().cached, l.all.rows().cached; got != want {
				t.Errorf("step %d, iteration %d: of the margins %+v is restored, not %+v", l.steps, l.Iterations, got, want)
			}
			change(other.all.rows())
			return checkpoint.Decode(checkpoint.Encode(other.State), begin().State) != nil
		}
		if !refused(func(m *inMemory) { m.z[3] += 1e-9 }) || !refused(func(m *inMemory) { m.cached.length = -1 }) || !refused(func(m *inMemory) { m.cached.step = -1 }) {
			t.Errorf("step %d, iteration %d: margins of other weights are taken", l.steps, l.Iterations)
		}
		other := refused(func(m *inMemory) { m.stepMargin[3] += 1e-9 })
		if l.Iterations > 0 {
			within++
		} else {
			before++
		}
		if other != (l.Iterations > 0) {
			t.Errorf("step %d, iteration %d: margins of another step refused: %v", l.steps, l.Iterations, other)
		}
	}
	run.Drive(context.Background(), run.Run{
		Samples: p.X.Rows(), Columns: p.X.Cols(), Reports: true, Loop: &stateWatched{l, check}, Evaluate: newObjective(p, nil, nil).evaluate,
	}, settings)
	if within < 5 || before < 3 {
		t.Errorf("%d states within steps, %d before", within, before)
	}
}

// stateWatched looks at the state of a loop that is under way, before every iteration.
type stateWatched struct {
	*newtonLoop
	check func()
}

func (l *stateWatched) Next(c *run.Control) {
	if l.started {
		l.check()
	}
	l.newtonLoop.Next(c)
}
