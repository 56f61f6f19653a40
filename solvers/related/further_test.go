package related

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
)

// TestUsualLambdas: the points that are always fitted have the ratio of 20 points over 1e4. The
// last one is at most 1/n and at most 1e-4 of the largest lambda, and no point is superfluous.
func TestUsualLambdas(t *testing.T) {
	for _, shift := range []float64{1, 1e6} { // the second asks for more than 20 points
		p := binary(t, "text:n=400,d=200")
		p.SampleWeight = make([]float64, len(p.Y))
		for i := range p.SampleWeight {
			p.SampleWeight[i] = shift
		}
		list, least, err := UsualLambdas(p)
		if err != nil {
			t.Fatal(err)
		}
		high, _ := LargestLambda(p)
		ends := min(1/float64(p.X.Rows()), high/1e4) * (1 + 1e-9)
		if list[0] != high || list[least-1] > ends || list[least-2] <= ends || (least > 20) != (shift > 1) {
			t.Errorf("%d points of %v", least, list)
		}
		for k := 1; k < len(list); k++ {
			if ratio := list[k-1] / list[k]; !(math.Abs(ratio-math.Pow(1e4, 1./19)) <= 1e-9) {
				t.Errorf("ratio %v", ratio)
			}
		}
		if further := list[least-1] / list[len(list)-1]; further < 5e5 || further > 1e6*(1+1e-9) {
			t.Errorf("the path reaches %v further", further)
		}
	}
}

// turns is a metric that is best at the given measurement.
type turns struct {
	at    int
	calls *int
}

func (turns) Name() string         { return "turns" }
func (turns) HigherIsBetter() bool { return false }
func (m turns) Measure([]float64) (float64, error) {
	*m.calls++
	return math.Abs(float64(*m.calls - 1 - m.at)), nil
}

// A path goes one point beyond the best, and no further than its list; it does so
// through an interruption, and without a metric not at all.
func TestPathGoesOn(t *testing.T) {
	repeat.Once(t)
	one := binary(t, "text:n=200,d=100")
	lambdas, _ := Lambdas(1, 1e-4, 9)
	all := mustFits(Path(context.Background(), one, lambdas, Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-6}}))
	for _, c := range []struct{ at, want int }{{0, 3}, {1, 3}, {2, 4}, {3, 5}, {7, 9}, {20, 9}, {-1, 3}} {
		run := Run{Solve: auto.Solve, Least: 3, Settings: solvers.Settings{GapTolerance: 1e-6}}
		measure := func() {
			if c.at >= 0 {
				run.Settings.Validation = turns{c.at, new(int)}
			}
		}
		measure()
		fits := mustFits(Path(context.Background(), one, lambdas, run))
		if len(fits) != c.want || hashes(fits) != hashes(all[:c.want]) {
			t.Errorf("a metric that turns at %d: %d points, want %d", c.at, len(fits), c.want)
		}
		for cut := range c.want {
			ctx, cancel := context.WithCancel(context.Background())
			run.Settings.Checkpoint, run.Settings.Resume = filepath.Join(t.TempDir(), "saved"), ""
			run.Watch = interrupt{cut, cancel}.watch
			measure()
			if _, err := Path(ctx, one, lambdas, run); err != nil {
				t.Fatal(err)
			}
			run.Settings.Resume, run.Watch = run.Settings.Checkpoint, nil
			measure()
			if got := mustFits(Path(context.Background(), one, lambdas, run)); hashes(got) != hashes(fits) {
				t.Errorf("a metric that turns at %d, cut at %d: %d points", c.at, cut, len(got))
			}
		}
	}
	if _, err := Path(context.Background(), one, lambdas, Run{Solve: auto.Solve, Least: 10}); err == nil {
		t.Error("more points asked for than there are")
	}
}

// TestGoesOnByStatus: a path continues if its last fit came as near to its tolerance as float64
// allows. It ends if the fit ended before that.
func TestGoesOnByStatus(t *testing.T) {
	t.Parallel()
	for status := solvers.Running; status <= solvers.Failed; status++ {
		want := status == solvers.Converged || status == solvers.Stalled
		if goesOn([]float64{1, 2}, metrics.HigherIsBetter, status) != want || goesOn([]float64{2, 1}, metrics.HigherIsBetter, status) {
			t.Errorf("after a fit of status %v", status)
		}
	}
}

// A cross-validation ends after the first point, from the least number on, that is not the best so
// far. Its values equal the values of the whole path.
func TestCrossValidationGoesOn(t *testing.T) {
	repeat.Once(t)
	one := binary(t, "text:n=200,d=100")
	one.Loss = loss.Logistic{}
	lambdas, _ := Lambdas(1, 1e-6, 14)
	metric, _ := metrics.Find("logloss")
	v := Validation{Folds: 3, Metric: metric}
	settings := solvers.Settings{GapTolerance: 1e-6, Workers: 2}
	whole, err := CrossValidate(context.Background(), one, lambdas, v, Run{Solve: auto.Solve, Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	if AtEdge(whole.Best, len(lambdas)) {
		t.Fatalf("nothing turns: %v", whole.Mean)
	}
	for least := 1; least <= len(lambdas); least++ {
		want := least
		for want < len(lambdas) && slices.Index(whole.Mean, slices.Min(whole.Mean[:want])) == want-1 {
			want++
		}
		run := Run{Solve: auto.Solve, Least: least, Settings: settings}
		run.Settings.Checkpoint = filepath.Join(t.TempDir(), "saved")
		ctx, cancel := context.WithCancel(context.Background())
		run.Watch = interrupt{2*len(lambdas) + want - 1, cancel}.watch // a last point of the last fold
		if _, err := CrossValidate(ctx, one, lambdas, v, run); err != nil {
			t.Fatal(err)
		}
		for _, run.Settings.Resume = range []string{"", run.Settings.Checkpoint} {
			if run.Watch = nil; run.Settings.Resume == "" {
				run.Settings.Checkpoint = ""
			}
			got, err := CrossValidate(context.Background(), one, lambdas, v, run)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Lambdas) != want || len(got.Values) != want || !slices.Equal(got.Mean, whole.Mean[:want]) {
				t.Errorf("at least %d points: %d, want %d", least, len(got.Lambdas), want)
			}
			if least <= whole.Best+1 && got.Best != whole.Best {
				t.Errorf("at least %d points: the best is %d, not %d", least, got.Best, whole.Best)
			}
		}
	}
}
