package fitting

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
)

// silent shows nothing, so that a test asks for the lines itself.
func silent() *console.App { return &console.App{Quiet: true, Err: new(bytes.Buffer)} }

// TestProgressFits asks for lines of all widths and of points of all sizes.
func TestProgressFits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	number := func() float64 {
		switch random.IntN(8) {
		case 0:
			return math.NaN()
		case 1:
			return math.Inf(1)
		}
		return math.Ldexp(random.NormFloat64(), random.IntN(400)-200)
	}
	validation := &model.Validation{Metric: metrics.Metric{Name: "pauc:0.125,0.25"}}
	for range 3000 {
		limits := solvers.Settings{MaxEpochs: number(), Validation: validation}
		if random.IntN(2) == 0 {
			limits.MaxTime = time.Duration(random.Int64N(1 << 55))
		}
		p := NewProgress(silent(), "adfsdca-minibatch, risk 0.12345"[:random.IntN(32)], limits)
		w := watchFits(silent(), "fits of 10 folds", 1+random.IntN(2000), 1+random.IntN(20), limits)
		p.start = p.start.Add(-time.Duration(random.Int64N(1 << 55)))
		w.start = p.start
		if random.IntN(10) > 0 {
			point := solvers.Point{Epochs: number(), Seconds: number(), Objective: number(), GradientNorm: number(), Gap: number(), Metric: number()}
			p.Record(point)
			w.of(random.IntN(len(w.traces)))
			w.last, w.some = point, true
			w.active = random.IntN(2)
		}
		width := random.IntN(100)
		for _, line := range []string{p.line(width), w.line(width)} {
			if len(line) > width || strings.ContainsAny(line, "\r\n") {
				t.Fatalf("%d columns for %d: %q", len(line), width, line)
			}
		}
		p.Stop()
		w.Stop()
	}
}

// TestProgressTells looks for what may not be left out on 79 columns.
func TestProgressTells(t *testing.T) {
	limits := solvers.Settings{MaxEpochs: 1000, Validation: &model.Validation{Metric: metrics.Metric{Name: "logloss"}}}
	p := NewProgress(silent(), "adfsdca-minibatch", limits)
	defer p.Stop()
	p.start = time.Now().Add(-100 * time.Second)
	p.Record(solvers.Point{Epochs: 123.4, Seconds: 100, Objective: 0.123456, Gap: 1.25e-7, Metric: 0.54321})
	line := p.line(79)
	for _, want := range []string{"adfsdca-minibatch: 123.4 epochs", "gap 1.25e-07", "1m40s", "at most 11m50s left"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
}

// TestFitsCounted runs 3 folds of 4 fits. The first two fits of one fold are already done.
func TestFitsCounted(t *testing.T) {
	w := watchFits(silent(), "fits", 12, 4, solvers.Settings{})
	defer w.Stop()
	want := func(text string) {
		t.Helper()
		if line := w.line(79); !strings.HasPrefix(line, text) {
			t.Errorf("%q does not begin with %q", line, text)
		}
	}
	during := ""
	solve := func() {
		w.add(1)
		during = w.line(79)
		w.add(-1)
	}
	want("0 of 12 fits done")
	for _, step := range []struct {
		fit           int
		during, after string
	}{{2, "2 of 12", "3 of 12"}, {3, "3 of 12", "4 of 12"}, {4, "4 of 12", "5 of 12"}, {8, "5 of 12", "6 of 12"}} {
		w.of(step.fit)
		solve()
		if !strings.HasPrefix(during, step.during) {
			t.Errorf("%q does not begin with %q", during, step.during)
		}
		want(step.after)
	}
	w.start = time.Now().Add(-30 * time.Second)
	if line := w.line(79); !strings.Contains(line, "30s left") {
		t.Errorf("half is done after 30 s: %q", line)
	}
}

// TestPointsAreKeptOnDemand: if nobody asked for a run's points, memory does not grow with the
// run. Otherwise it is bounded.
func TestPointsAreKeptOnDemand(t *testing.T) {
	a := &console.App{Quiet: true}
	for _, most := range []int{0, 100} {
		a.Points = most
		p, w := NewProgress(a, "run", solvers.Settings{}), watchFits(a, "fits", 1, 1, solvers.Settings{})
		fit := w.of(0)
		if (fit != nil) != (most > 0) {
			t.Fatalf("a recorder for a fit: %v", fit)
		}
		for k := range 1000 {
			point := solvers.Point{Iterations: int64(k)}
			if err := p.Record(point); err != nil {
				t.Fatal(err)
			}
			if fit != nil {
				fit.Record(point)
			}
		}
		if got := len(p.Points()); got > most+2 || most > 0 && got < most/2 {
			t.Errorf("%d points of at most %d", got, most)
		}
		if got := len(w.points(0)); got > most+2 || most > 0 && got < most/2 {
			t.Errorf("%d points of a fit, of at most %d", got, most)
		}
	}
}

// TestSpeedOfTheLastSeconds: a pause before a sweep does not count.
func TestSpeedOfTheLastSeconds(t *testing.T) {
	p := &progress{rows: 1000}
	start := time.Now()
	at := func(seconds float64, rows, bytes int64) (float64, float64) {
		p.used.Store(rows)
		p.bytes.Store(bytes)
		return p.speed(start.Add(time.Duration(seconds * float64(time.Second))))
	}
	if rows, bytes := at(0, 0, 0); rows != 0 || bytes != 0 {
		t.Errorf("at once: %v rows, %v bytes a second", rows, bytes)
	}
	at(100, 0, 0)
	for k := range 20 {
		at(101+float64(k), int64(100*(k+1)), int64(5000*(k+1)))
	}
	if rows, bytes := at(121, 2100, 105000); rows != 100 || bytes != 5000 {
		t.Errorf("%v rows, %v bytes a second, want 100 and 5000", rows, bytes)
	}
	if len(p.lately) > 8 {
		t.Errorf("%d readings are kept", len(p.lately))
	}
}
