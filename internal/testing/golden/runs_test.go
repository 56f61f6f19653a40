package golden

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

var background = context.Background()

// lister collects runs.
type lister struct {
	t       *testing.T
	layouts []stored
	broad   stored // with enough columns for lazy steps
	runs    []run
}

func list(t *testing.T) []run {
	l := &lister{t: t, layouts: layouts(t), broad: stored{"broad", generate(t, "imbalanced:n=150,d=15000")}}
	for _, s := range registry.All() {
		switch s.Objective {
		case solvers.MeanLoss, solvers.SparseLoss:
			l.risk(s)
		case solvers.Composition:
			l.composition(s.Description)
		default:
			l.order(s)
		}
	}
	l.choice()
	l.renumbered()
	l.full()
	l.related()
	return l.runs
}

// add appends the run of a solver.
func (l *lister) add(name string, solve func() (*solvers.Result, error)) {
	l.addAll(name, func() ([]*solvers.Result, error) {
		r, err := solve()
		return []*solvers.Result{r}, err
	})
}

// addAll appends a run that ends with several results: their weights one after the other.
func (l *lister) addAll(name string, solve func() ([]*solvers.Result, error)) {
	l.runs = append(l.runs, run{name, func(t *testing.T) (w []float64) {
		results, err := solve()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return nil
		}
		if len(results) == 1 {
			return results[0].Weights // no copy: later runs must leave it alone
		}
		for _, r := range results {
			w = append(w, r.Weights...)
		}
		return w
	}})
}

// variants calls use with the defaults, and with each switch of a solver turned on;
// fixed are parameters that all of them have.
func variants[M any](d solvers.Description, fixed map[string]string, build func(map[string]string) (M, error), use func(name string, m M)) {
	if m, err := build(fixed); err == nil {
		use(d.Name, m)
	}
	for _, p := range d.Parameters {
		parameters := map[string]string{p.Name: "true"}
		maps.Copy(parameters, fixed)
		if m, err := build(parameters); err == nil && parameters[p.Name] == "true" {
			use(d.Name+" "+p.Name, m)
		}
	}
}

// latest is a validation metric that prefers every point to the points before it. A run then ends
// with its last point, not with its best, which may be the first.
type latest struct{ points float64 }

func (*latest) Name() string         { return "latest" }
func (*latest) HigherIsBetter() bool { return true }

func (m *latest) Measure([]float64) (float64, error) {
	m.points++
	return m.points, nil
}

// solve runs a solver with its defaults on a task.
func solve(name string, task solvers.Task, settings solvers.Settings) (*solvers.Result, error) {
	s, err := registry.Find(name)
	if err != nil {
		return nil, err
	}
	ready, err := s.New(nil)
	if err != nil {
		return nil, err
	}
	settings.Validation = &latest{}
	return ready.Solve(background, &task, settings)
}

// risk has each layout, and each loss, weights and each switch that a solver has.
func (l *lister) risk(s solvers.Solver) {
	// As many passes as show all parts of a method, and not its end alone.
	settings := solvers.Settings{MaxEpochs: 5, BatchSize: 4, Seed: 11, Workers: 2}
	switch {
	case strings.HasPrefix(s.Name, "ai-sarah-"):
		settings.MaxIterations = 15 // of a pass over the data each
	case s.Name == "sdca-newton":
		settings.MaxEpochs = 8 // Newton's method among them
	}
	count, beside := 0, false // shards; with an intercept and offsets
	add := func(name string, ready solvers.Ready, set stored, phi loss.Loss, weight []float64) {
		settings := settings
		settings.Shards = count
		task := solvers.Task{Problem: solvers.Problem{X: set.x, Y: set.y, Loss: phi, Penalty: penalty.Ridge{Lambda: 0.02}, SampleWeight: weight}}
		if s.Accepts.Has(solvers.L1) {
			task.Penalty, task.Intercept = penalty.ElasticNet{L1: 0.01, L2: 0.02}, set.x.Bias() == 0
			if task.Intercept {
				task.X = task.X.WithBias(1)
			}
		}
		if beside {
			task.X, task.Intercept = task.X.WithBias(1), true
			for i := range task.Y {
				task.Offset = append(task.Offset, float64(i%7)/4-1)
			}
		}
		if !phi.Labels() {
			task.Y = set.targets()
		}
		for i, y := range task.Y {
			if phi == (loss.Poisson{}) {
				y = math.Floor(math.Abs(y))
			}
			task.Y[i] = certificatetest.Valid(phi, y)
		}
		l.add(name, func() (*solvers.Result, error) {
			settings := settings
			settings.Validation = &latest{}
			solvetest.Only(s.Accepts, &task, &settings)
			return ready.Solve(background, &task, settings)
		})
	}
	set := l.layouts[len(l.layouts)-1]
	variants(s.Description, nil, s.New, func(name string, ready solvers.Ready) {
		if name != s.Name {
			add(name, ready, set, loss.Logistic{}, nil)
			return
		}
		for _, set := range l.layouts {
			add(name+" on "+set.name, ready, set, loss.Logistic{}, nil)
			if s.Accepts.Has(solvers.Shards) {
				count = 4
				add(name+" by shards on "+set.name, ready, set, loss.Logistic{}, nil)
				count = 0
			}
			if beside = s.Accepts.Has(solvers.Offsets) && set.x.Bias() == 0; beside {
				add(name+" beside an intercept on "+set.name, ready, set, loss.Logistic{}, nil)
			}
			beside = false
		}
		if s.Accepts.Has(solvers.Losses) {
			losses := []loss.Loss{loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}}
			if s.Accepts.Has(solvers.SteepLosses) {
				losses = append(losses, loss.Poisson{})
			}
			for _, phi := range certificatetest.Defined() {
				_, steep := phi.(loss.Steep)
				_, conjugate := phi.(loss.Conjugate)
				_, dual := phi.(loss.Dual)
				if (!steep || s.Accepts.Has(solvers.SteepLosses)) && (conjugate || s.Accepts.Has(solvers.PlainLosses)) && (dual || s.Accepts.Has(solvers.PrimalLosses)) {
					losses = append(losses, phi)
				}
			}
			if s.Accepts.Has(solvers.NonconvexLosses) {
				losses = append(losses, loss.InverseGaussian{})
			}
			if s.Accepts.Has(solvers.KinkedLosses) {
				losses = append(losses, certificatetest.Kinked()...)
			}
			for _, phi := range losses {
				add(fmt.Sprintf("%s %v", name, phi), ready, set, phi, nil)
				if beside = s.Accepts.Has(solvers.Offsets); beside {
					add(fmt.Sprintf("%s %v beside an intercept", name, phi), ready, set, phi, nil)
					if s.Accepts.Has(solvers.Shards) {
						count = 4
						add(fmt.Sprintf("%s %v by shards beside an intercept", name, phi), ready, set, phi, nil)
						count = 0
					}
				}
				beside = false
			}
		}
		if s.Accepts.Has(solvers.Weights) {
			weight := make([]float64, len(set.y))
			for i := range weight {
				weight[i] = float64(i%3+1) / 2
			}
			add(name+" weighted", ready, set, loss.Logistic{}, weight)
		}
	})
}

// schedule has those parameters of a solver that make its runs short.
func schedule(s solvers.Solver) map[string]string {
	set := map[string]string{"iterations": "25", "outer": "2", "stages": "2", "length": "4", "positives": "8", "negatives": "16", "rows": "16"}
	if s.Objective == solvers.AveragePrecision {
		set["positives"] = "4"
	}
	maps.DeleteFunc(set, func(name, _ string) bool {
		return !slices.ContainsFunc(s.Parameters, func(p solvers.Parameter) bool { return p.Name == name })
	})
	return set
}

// order has each switch and layout, over a range of false-positive rates or of ranks. One run is
// above a true-positive rate. If a solver takes perceptrons, all activations have runs.
func (l *lister) order(s solvers.Solver) {
	minTPR := 0.0
	variants(s.Description, schedule(s), s.New, func(name string, ready solvers.Ready) {
		solve := func(set stored, model score.Model, initial []float64) func() (*solvers.Result, error) {
			task := solvers.Task{Problem: solvers.Problem{Loss: loss.Logistic{}, X: set.x, Y: set.y, Penalty: penalty.Ridge{Lambda: 0.01}}, Low: 0.05, High: 0.6, MinTPR: minTPR, Model: model}
			task.M, task.N = pauc.Ranks(task.Low, task.High, len(set.y))
			settings := solvers.Settings{Seed: 11, Initial: initial, Workers: 2, Validation: &latest{}}
			solvetest.Only(s.Accepts, &task, &settings)
			return func() (*solvers.Result, error) {
				return ready.Solve(background, &task, settings)
			}
		}
		l.ranking(name, s.Name, !s.Accepts.Has(solvers.Hidden), solve)
		if s.Accepts.Has(solvers.MinTPR) && name == s.Name {
			minTPR = 0.4
			l.add(name+" two-way", solve(l.broad, nil, start(l.broad.x.Cols())))
			minTPR = 0
		}
	})
}

// ranking adds the runs that solve has: where name is the solver's own, on each layout
// and with perceptrons, else on one set.
func (l *lister) ranking(name, solver string, linear bool, solve func(stored, score.Model, []float64) func() (*solvers.Result, error)) {
	if name != solver {
		initial := start(l.broad.x.Cols())
		if name == solver+" paper" {
			initial = nil
		}
		l.add(name, solve(l.broad, nil, initial))
		return
	}
	last := l.layouts[len(l.layouts)-1]
	l.add(name+" on broad", solve(l.broad, nil, start(l.broad.x.Cols())))
	for _, set := range l.layouts {
		l.add(name+" on "+set.name, solve(set, nil, start(set.x.Cols())))
	}
	if linear {
		return // and begins at 0
	}
	l.add(name+" from its own start", solve(last, nil, nil))
	for _, activation := range []score.Activation{score.Tanh, score.ReLU, score.Softplus} {
		hidden := []int{5}
		if activation == score.Tanh {
			hidden = []int{6, 3}
		}
		net := score.Network{Features: last.x.WithBias(0).Cols(), Hidden: hidden, Activation: activation}
		model, err := score.NewPerceptron(last.x, net)
		if err != nil {
			l.t.Fatal(err)
		}
		l.add(fmt.Sprintf("%s %v", name, net), solve(last, model, model.Initial(3)))
	}
}

// composition has each switch, on both compositions that the package has, with every
// regulariser.
func (l *lister) composition(d solvers.Description) {
	table, err := returns.Market{Periods: 60, Assets: 12, Seed: 1}.Generate()
	if err != nil {
		l.t.Fatal(err)
	}
	portfolio, err := compositional.NewPortfolio(table.Values, table.Periods, len(table.Assets), 1)
	if err != nil {
		l.t.Fatal(err)
	}
	policy, err := compositional.Chain{States: 20, Samples: 50, Seed: 1}.Generate()
	if err != nil {
		l.t.Fatal(err)
	}
	byName := func(parameters map[string]string) (compositional.Method, error) {
		return compositional.ByName(d.Name, parameters)
	}
	variants(d, nil, byName, func(name string, m compositional.Method) {
		solve := func(name string, p *compositional.Problem) {
			l.add(name, func() (*solvers.Result, error) {
				return compositional.Solve(background, p, m, solvers.Settings{MaxEpochs: 40, Seed: 11, Initial: start(p.F.Shape().Columns), Validation: &latest{}})
			})
		}
		solve(name, &compositional.Problem{F: portfolio, R: penalty.L1Box{Lambda: 0.02, Low: -0.01, High: 0.2}})
		if name != d.Name {
			return
		}
		solve(name+" l1", &compositional.Problem{F: portfolio, R: penalty.L1{Lambda: 0.02}})
		solve(name+" box", &compositional.Problem{F: portfolio, R: penalty.Box{Low: -0.02, High: 0.3}})
		solve(name+" ball", &compositional.Problem{F: portfolio, R: penalty.Ball{Radius: 0.5}})
		solve(name+" simplex", &compositional.Problem{F: portfolio, R: &penalty.Simplex{Total: 1}})
		solve(name+" policy", &compositional.Problem{F: policy})
	})
}

// choice has both solvers that auto chooses from.
func (l *lister) choice() {
	for _, set := range l.layouts {
		if set.name == "f64" || set.name == "none" {
			p := &erm.Problem{Loss: loss.Logistic{}, X: set.x, Y: set.y, Penalty: penalty.Ridge{Lambda: 0.05}}
			l.add("auto: "+auto.Choose(p), func() (*solvers.Result, error) {
				return auto.Solve(background, p, solvers.Settings{MaxEpochs: 5, Seed: 11, Workers: 2})
			})
		}
	}
}

// renumbered runs on matrices with enough columns that solvers number them by frequency.
func (l *lister) renumbered() {
	set := generate(l.t, "wide:n=640,d=262144")
	if !matrix.RenumberingPays(set.x) {
		l.t.Fatal("these rows are not renumbered")
	}
	settings := solvers.Settings{MaxIterations: 40, Seed: 11, Workers: 2}
	for _, name := range []string{"ai-sarah", "svrg"} {
		l.add(name+" renumbered by itself", func() (*solvers.Result, error) {
			return solve(name, solvers.Task{Problem: solvers.Problem{Loss: loss.Logistic{}, X: set.x, Y: set.y, Penalty: penalty.Ridge{Lambda: 1e-3}}}, settings)
		})
	}
	l.add("adap renumbered by itself", func() (*solvers.Result, error) {
		p := &ap.Problem{X: set.x, Y: set.y, Lambda: 1e-3}
		return ap.Solve(background, p, ap.ADAP{Common: ap.Common{Iterations: 5}}, solvers.Settings{Seed: 11, Workers: 2, Initial: start(set.x.Cols()), Validation: &latest{}})
	})
}

// full runs on rows with an entry in every column, of more columns than a matrix of all pays for.
func (l *lister) full() {
	const n, d = 400, 200
	random := random.New(9)
	ptr, columns, values, y := []int64{0}, []uint32(nil), []float64(nil), make([]float64, n)
	for i := range n {
		for j := range d {
			v := 0.5 + random.Float64()
			columns, values = append(columns, uint32(j)), append(values, v)
			y[i] += float64(v * float64(max(0, j%9-5)))
		}
		ptr = append(ptr, int64(len(columns)))
		y[i] += 8 * random.Float64()
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		l.t.Fatal(err)
	}
	for k, p := range []solvers.Problem{
		{X: x, Penalty: penalty.ElasticNet{L1: 0.1, L2: 0.1}},
		{X: x.WithBias(1), Intercept: true, Penalty: penalty.L1{Lambda: 0.1}},
	} {
		p.Loss, p.Y = loss.Squared{}, y
		l.add([]string{"proximal-newton on full rows", "proximal-newton beside an intercept on full rows"}[k], func() (*solvers.Result, error) {
			return solve("proximal-newton", solvers.Task{Problem: p}, solvers.Settings{MaxEpochs: 12, Workers: 2})
		})
	}
}

// related has several classes, a path and folds.
func (l *lister) related() {
	set := generate(l.t, "text:n=120,d=80")
	class := make([]uint32, len(set.y))
	for i, y := range set.y {
		class[i] = uint32(i % 2)
		if y > 0 {
			class[i] = 2
		}
	}
	run := related.Run{Settings: solvers.Settings{MaxEpochs: 6, Seed: 11, Workers: 2}}
	run.Solve = func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return sdca.Solve(ctx, p, sdca.Prox{}, s)
	}
	each := erm.Problem{Loss: loss.Logistic{}, X: set.x, Penalty: penalty.Ridge{Lambda: 0.01}}
	l.addAll("classes", func() ([]*solvers.Result, error) {
		return related.OneVsRest(background, &related.Classes{Problem: each, Class: class, Count: 3}, run)
	})
	l.addAll("classes weighted", func() ([]*solvers.Result, error) {
		return related.OneVsRest(background, &related.Classes{Problem: each, Class: class, Count: 3, Weight: erm.BalancedWeights}, run)
	})
	l.addAll("classes together", func() ([]*solvers.Result, error) {
		p := &related.Classes{Problem: each, Class: class, Count: 3, Together: true, Finish: auto.Solve}
		return related.OneVsRest(background, p, run)
	})
	lambdas := []float64{0.5, 0.1, 0.02}
	p := &erm.Problem{Loss: loss.Logistic{}, X: set.x, Y: set.y}
	l.addAll("path", func() ([]*solvers.Result, error) { return related.Path(background, p, lambdas, run) })
	l.addAll("folds", func() ([]*solvers.Result, error) {
		metric, err := metrics.Find("logloss")
		if err != nil {
			return nil, err
		}
		v := related.Validation{Folds: 3, Seed: 1, Metric: metric}
		found, err := related.CrossValidate(background, p, lambdas, v, run)
		if err != nil {
			return nil, err
		}
		r := &solvers.Result{}
		for _, values := range found.Values {
			r.Weights = append(r.Weights, values...)
		}
		return []*solvers.Result{r}, nil
	})
}
