package checkpoint_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// A solver of the catalog on a problem, and how long it takes there.
type solved struct {
	solve func(ctx context.Context, s solvers.Settings) (*solvers.Result, error)
	// iterations is the budget of a run, none where it is 0.
	iterations int64
	// optimum is where nothing is left to improve; nil where runs do not stay there.
	optimum func(t *testing.T) []float64
	// fewer has every several-th iteration serve, because one is long.
	fewer int
}

// cutContext is cancelled after Err was called left times: solvers look at it between
// any two iterations.
type cutContext struct {
	context.Context
	left *int
}

func (c cutContext) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// slowContext is asked for a millisecond: it has runs out of their time where they look.
type slowContext struct{ context.Context }

func (slowContext) Err() error {
	time.Sleep(time.Millisecond)
	return nil
}

// killedContext copies a file, which may not be there, where a run would be cut: what a run
// that is killed leaves.
type killedContext struct {
	cutContext
	from, to string
}

func (c killedContext) Err() error {
	if *c.left == 0 {
		if data, err := os.ReadFile(c.from); err == nil {
			os.WriteFile(c.to, data, 0o600)
		}
	}
	c.Context.Err()
	return c.cutContext.Err()
}

// The ways in which interrupted ends a run.
const (
	cancelled = iota
	outOfTime
	killed
	ways
)

// interrupted starts a run, cuts it at the cut-th time that it checks whether to end, and returns
// the name of its checkpoint, "" without one. A run that is killed saves after every duration
// every; each check takes a millisecond.
func interrupted(t *testing.T, way, cut int, every time.Duration, s solvers.Settings, run func(ctx context.Context, s solvers.Settings)) string {
	s.Checkpoint, s.Overwrite, s.CheckpointEvery = filepath.Join(scratch(t), "run"), true, time.Hour
	left := cut
	ctx := cutContext{context.Background(), &left}
	switch way {
	case cancelled:
		run(ctx, s)
	case outOfTime: // by the clock of a bubble, which goes on where a run sleeps
		s.MaxTime = time.Duration(cut)*time.Millisecond + 1
		synctest.Test(t, func(*testing.T) { run(slowContext{context.Background()}, s) })
	case killed: // by the same clock
		s.CheckpointEvery = every
		copied := s.Checkpoint + ".killed"
		synctest.Test(t, func(*testing.T) {
			run(killedContext{cutContext{slowContext{context.Background()}, &left}, s.Checkpoint, copied}, s)
		})
		s.Checkpoint = copied
	}
	if _, err := os.Stat(s.Checkpoint); err != nil {
		return ""
	}
	return s.Checkpoint
}

// bitMetric measures a number made of all bits of the weights: early stopping by it
// is as erratic as can be, and points of other weights have other metrics.
type bitMetric struct{ higher bool }

func (bitMetric) Name() string           { return "bits" }
func (m bitMetric) HigherIsBetter() bool { return m.higher }

func (bitMetric) Measure(w []float64) (float64, error) {
	return float64(checksum(w)>>11) * 0x1p-53, nil
}

func checksum(w []float64) uint64 {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	binary.Write(sum, binary.LittleEndian, w)
	return sum.Sum64()
}

// describe is all of a point but its time.
func describe(p solvers.Point) string {
	bits := math.Float64bits
	return fmt.Sprintf("%x passes, %d gradients, %d iterations, %d not 0: %x %x %x %x", bits(p.Epochs), p.GradientEvaluations, p.Iterations, p.NonZeros,
		bits(p.Objective), bits(p.GradientNorm), bits(p.Gap), bits(p.Metric))
}

func describeResult(r *solvers.Result) string {
	return fmt.Sprintf("%v at %s, weights %x; in all %x passes, %d gradients, %d iterations", r.Status, describe(r.Point), checksum(r.Weights),
		math.Float64bits(r.Total.Epochs), r.Total.GradientEvaluations, r.Total.Iterations)
}

// recorded runs a solver and lists its points and its result, the weights of every
// point among them by their metric where there is one.
func (c *solved) recorded(ctx context.Context, s solvers.Settings) (*solvers.Result, []string, error) {
	var trace solvers.Trace
	s.Recorder = &trace
	r, err := c.solve(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	var list []string
	for _, p := range trace {
		list = append(list, describe(p))
	}
	return r, list, nil
}

// everyCut compares an uninterrupted run with runs that were cut and continued. Cuts come when
// the run asks for the 0th, stride-th, 2 stride-th ... time whether to end. The cause is a
// cancelled context, the end of the time, a kill or a budget of iterations. New loops continue
// from the file, with other workers.
func (c *solved) everyCut(t *testing.T, s solvers.Settings, stride int) {
	t.Helper()
	want, points, err := c.recorded(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	stride *= max(c.fewer, 1)
	if testing.Short() {
		stride *= 25
	}
	cuts := 0
	for cut := 0; ; cut += stride {
		const budget = ways
		way, own := (cut/stride)%(ways+1), s
		if way == budget {
			way, own.MaxIterations = cancelled, max(int64(cut), 1)
		}
		budgeted := own.MaxIterations != s.MaxIterations
		var first *solvers.Result
		var before []string
		file := interrupted(t, way, cut, 4*time.Millisecond, own, func(ctx context.Context, s solvers.Settings) {
			if budgeted {
				ctx = context.Background()
			}
			first, before, err = c.recorded(ctx, s)
		})
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		if first.Status != solvers.Cancelled && first.Status != solvers.TimeReached && !(budgeted && first.Total.Iterations < want.Total.Iterations) {
			if budgeted {
				continue
			}
			if describeResult(first) != describeResult(want) {
				t.Errorf("saving changed the run:\n%s, not\n%s", describeResult(first), describeResult(want))
			}
			break
		}
		if file == "" && way == killed {
			continue
		}
		cuts++
		second := s
		second.Workers, second.Resume, second.Initial = 1+cuts%2, file, nil
		got, after, err := c.recorded(context.Background(), second)
		if err != nil {
			t.Fatalf("cut %d: %v", cut, err)
		}
		if describeResult(got) != describeResult(want) {
			t.Fatalf("cut %d, %v iterations: ended with\n%s, not\n%s", cut, first.Total.Iterations, describeResult(got), describeResult(want))
		}
		// A run that is cut evaluates where it stands, which an uncut one need not.
		place := len(points) - len(after)
		if place < 0 || !slices.Equal(after, points[place:]) || len(before) < place || len(before) > place+1 && way != killed || !slices.Equal(before[:place], points[:place]) {
			t.Fatalf("cut %d: points\n%s\nand then\n%s\nwhere there should be\n%s", cut, strings.Join(before, "\n"), strings.Join(after, "\n"), strings.Join(points, "\n"))
		}
	}
	t.Logf("%v, %d points, %d cuts", want.Status, len(points), cuts)
	if cuts == 0 {
		t.Error("the run was never cut")
	}
}

// scratch is a directory in memory where there is one: every run syncs its file.
func scratch(t *testing.T) string {
	if dir, err := os.MkdirTemp("/dev/shm", "lanes"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	return t.TempDir()
}

// everyIterate is the mode that records and measures every point.
const everyIterate = "every iterate"

// modes are the ways in which a run can go and end.
func (c *solved) modes(t *testing.T) map[string]solvers.Settings {
	base := solvers.Settings{MaxIterations: c.iterations, MaxEpochs: 60, BatchSize: 8, Seed: 5, Workers: 1}
	modes := make(map[string]solvers.Settings)
	often := base
	often.RecordEvery = 0.05
	modes["recorded often"] = often
	often.Validation, often.Patience = bitMetric{}, 1000
	modes[everyIterate] = often
	for _, higher := range []bool{false, true} {
		early := base
		early.Validation, early.Patience = bitMetric{higher}, 4
		modes[fmt.Sprintf("early stopping, higher %t", higher)] = early
	}
	// A gradient between the least and the largest is a target on the way.
	var trace solvers.Trace
	plain := base
	plain.Recorder = &trace
	if _, err := c.solve(context.Background(), plain); err != nil {
		t.Fatal(err)
	}
	var norms []float64
	for _, p := range trace {
		norms = append(norms, p.GradientNorm)
	}
	slices.Sort(norms)
	target := base
	target.GradientTolerance = norms[len(norms)/3]
	modes["target"] = target
	if c.optimum != nil {
		stall := base
		stall.Initial = c.optimum(t)
		modes["from the optimum"] = stall
	}
	return modes
}

// randomRows are rows whose lengths spread over the given power of ten.
func randomRows(n, d int, spread float64, seed uint64) *sparse.Matrix {
	random := random.New(seed)
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	for range n {
		length := math.Pow(10, spread*(random.Float64()-0.5))
		for j := range d {
			if random.Below(3) == 0 {
				columns, values = append(columns, uint32(j)), append(values, length*(2*random.Float64()-1)*math.Pow(3, float64(j%4)))
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		panic(err)
	}
	return x
}

// randomProblem has labels that a linear score explains in part.
func randomProblem(n, d int, spread, lambda float64, seed uint64) *erm.Problem {
	p := &erm.Problem{X: randomRows(n, d, spread, seed), Y: make([]float64, n), SampleWeight: make([]float64, n), Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: lambda}}
	random := random.New(seed + 1)
	w, z := make([]float64, d), make([]float64, n)
	for j := range w {
		w[j] = 2*random.Float64() - 1
	}
	if err := p.X.MulVec(nil, z, w); err != nil {
		panic(err)
	}
	for i := range p.Y {
		p.Y[i], p.SampleWeight[i] = 1, 0.5+random.Float64()
		if z[i]+1.5*(2*random.Float64()-1) < 0.5 {
			p.Y[i] = -1
		}
	}
	return p
}

// shortened sets those parameters of a solver that make its schedule long.
func shortened(d solvers.Description) map[string]string {
	set := make(map[string]string)
	for _, p := range d.Parameters {
		if value, is := map[string]string{"iterations": "25", "outer": "3", "stages": "3", "length": "7", "epochs": "4", "positives": "5", "negatives": "9", "max-inner": "3", "forcing": "1e-9", "decay": "0.1"}[p.Name]; is {
			set[p.Name] = value
		}
	}
	return set
}

// taskOf is a problem as solvers that are found by their names take it.
func taskOf(p *erm.Problem) *solvers.Task {
	return &solvers.Task{Problem: *p}
}

// only is a solver with short runs, which is not asked for parts that it lacks.
func only(t testing.TB, s solvers.Solver) solvers.Ready {
	ready, err := s.New(shortened(s.Description))
	if err != nil {
		t.Fatal(err)
	}
	solve := ready.Solve
	ready.Solve = func(ctx context.Context, t *solvers.Task, settings solvers.Settings) (*solvers.Result, error) {
		solvetest.Only(s.Accepts, t, &settings)
		return solve(ctx, t, settings)
	}
	return ready
}

// catalogued lists every solver of the catalog on problems of its kind.
func catalogued(t testing.TB) map[string]*solved {
	t.Helper()
	list := make(map[string]*solved)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	even, uneven := randomProblem(45, 9, 0, 0.02, 3), randomProblem(45, 9, 2, 1e-4, 1)
	optimum := func(p *erm.Problem) func(t *testing.T) []float64 {
		return func(t *testing.T) []float64 {
			r, err := erm.Solve(context.Background(), p, erm.Newton{}, solvers.Settings{MaxEpochs: 1e4, Workers: 1})
			must(err)
			return r.Weights
		}
	}
	ranked := randomProblem(60, 7, 0, 0.01, 6)
	network := score.Network{Features: 7, Hidden: []int{3}}
	market, err := returns.Market{Periods: 40, Assets: 6, Seed: 2}.Generate()
	must(err)
	portfolio, err := compositional.NewPortfolio(market.Values, market.Periods, len(market.Assets), 1)
	must(err)
	policy, err := compositional.Chain{States: 5, Samples: 12, Successors: 3, Seed: 3}.Generate()
	must(err)
	for _, s := range registry.All() {
		if s.Objective == solvers.Composition {
			m, err := compositional.ByName(s.Name, shortened(s.Description))
			must(err)
			for name, p := range map[string]*compositional.Problem{
				"portfolio": {F: portfolio, R: penalty.L1Box{Lambda: 0.01, Low: -1, High: 1}}, "policy": {F: policy},
			} {
				list[s.Name+", "+name] = &solved{iterations: 60, solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
					s.BatchSize = 0
					return compositional.Solve(ctx, p, m, s)
				}}
			}
			continue
		}
		ready := only(t, s)
		if s.Objective == solvers.MeanLoss {
			for name, p := range map[string]*erm.Problem{"even": even, "uneven": uneven} {
				c := &solved{iterations: 60, optimum: optimum(p), solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
					return ready.Solve(ctx, taskOf(p), s)
				}}
				if s.Accepts.Has(solvers.Shards) {
					list[s.Name+" by shards, "+name+" rows"] = &solved{iterations: 20, optimum: optimum(p), solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
						s.Shards = 4
						return ready.Solve(ctx, taskOf(p), s)
					}}
				}
				if s.Accepts.Has(solvers.Offsets) {
					for _, count := range []int{0, 4} {
						if count > 0 && !s.Accepts.Has(solvers.Shards) {
							break
						}
						list[fmt.Sprintf("%s beside an intercept, %d shards, %s rows", s.Name, count, name)] = &solved{iterations: 20, solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
							s.Shards = count
							task := taskOf(p)
							task.X, task.Intercept = task.X.WithBias(1), true
							for i := range task.Y {
								task.Offset = append(task.Offset, float64(i%5)/2)
							}
							return ready.Solve(ctx, task, s)
						}}
					}
				}
				if s.Name == (erm.AISARAH{}).Name() { // the first loop that is taken back is long
					c.iterations, c.fewer = 160, 3
				}
				list[s.Name+", "+name+" rows"] = c
			}
			continue
		}
		if s.Objective == solvers.SparseLoss {
			for _, intercept := range []bool{false, true} {
				list[fmt.Sprintf("%s, intercept %t", s.Name, intercept)] = &solved{iterations: 12, solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
					task := taskOf(uneven)
					task.Penalty, task.Intercept = penalty.ElasticNet{L1: 0.02, L2: task.Ridge()}, intercept
					if intercept {
						task.X = task.X.WithBias(1)
						task.Loss = loss.Huber{Delta: 0.3} // whose model changes with the steps
					}
					return ready.Solve(ctx, task, s)
				}}
			}
			continue
		}
		for _, hidden := range []bool{false, true} {
			if hidden && !s.Accepts.Has(solvers.Hidden) {
				continue
			}
			list[fmt.Sprintf("%s, hidden units %t", s.Name, hidden)] = &solved{solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
				task := &solvers.Task{Problem: solvers.Problem{Loss: loss.Logistic{}, X: ranked.X, Y: ranked.Y, Penalty: penalty.Ridge{Lambda: 0.01}}, Low: 0.05, High: 0.6, M: 3, N: 40}
				if hidden {
					model, err := score.NewPerceptron(ranked.X, network)
					if err != nil {
						return nil, err
					}
					task.Model = model
				}
				return ready.Solve(ctx, task, s)
			}}
		}
	}
	// Newton's method begins on a sample of the rows where there are many.
	many := randomProblem(16400, 6, 0, 1e-3, 7)
	list["newton, many rows"] = &solved{iterations: 8, solve: func(ctx context.Context, s solvers.Settings) (*solvers.Result, error) {
		s.BatchSize = 0
		return erm.Solve(ctx, many, erm.Newton{}, s)
	}}
	return list
}

// TestEveryCut saves every solver of the catalog after every iteration, in every way
// that a run can go, and compares what becomes of it.
func TestEveryCut(t *testing.T) {
	repeat.Skip(t)
	list := catalogued(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			modes := list[name].modes(t)
			for _, mode := range slices.Sorted(maps.Keys(modes)) {
				// Every point of this mode has its weights compared; of the others only what
				// the control of a run keeps is not seen here.
				stride := 5
				if mode == everyIterate {
					stride = 1
				}
				t.Run(mode, func(t *testing.T) { list[name].everyCut(t, modes[mode], stride) })
			}
		})
	}
}

const processEnv = "LANES_TEST_RESUME"

// TestResumingProcess is the process that TestEveryFamilyInAnotherProcess starts.
func TestResumingProcess(t *testing.T) {
	name, file, found := strings.Cut(os.Getenv(processEnv), "|")
	if !found {
		t.Skip("only a child runs this")
	}
	c := catalogued(t)[name]
	s := c.modes(t)[everyIterate]
	s.Resume = file
	r, _, err := c.recorded(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("result: %s\n", describeResult(r))
}

// TestEveryFamilyInAnotherProcess continues one run of each family elsewhere.
func TestEveryFamilyInAnotherProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	list := catalogued(t)
	families := make(map[string]bool)
	for _, s := range registry.All() {
		d := s.Description
		if families[d.Family] {
			continue
		}
		families[d.Family] = true
		for name, c := range list {
			if !strings.HasPrefix(name, d.Name+", ") {
				continue
			}
			s := c.modes(t)[everyIterate]
			want, _, err := c.recorded(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			left := 9
			s.Checkpoint = filepath.Join(t.TempDir(), "run")
			if r, _, err := c.recorded(cutContext{context.Background(), &left}, s); err != nil || r.Status != solvers.Cancelled {
				t.Fatalf("%s: %v", name, err)
			}
			child := exec.Command(os.Args[0], "-test.run=^TestResumingProcess$")
			child.Env = append(os.Environ(), processEnv+"="+name+"|"+s.Checkpoint)
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "result: "+describeResult(want)+"\n") {
				t.Errorf("%s: %v: %s\nwhere there should be\n%s", name, err, out, describeResult(want))
			}
		}
	}
}
