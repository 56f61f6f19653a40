package main

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// silent shows nothing, so that a test asks for the lines itself.
func silent() *app { return &app{quiet: true, err: new(bytes.Buffer)} }

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
		limits := solvers.Settings{MaxPasses: number(), Validation: validation}
		if random.IntN(2) == 0 {
			limits.MaxTime = time.Duration(random.Int64N(1 << 55))
		}
		p := silent().newProgress("adfsdca-minibatch, risk 0.12345"[:random.IntN(32)], limits)
		w := silent().watchFits("fits of 10 folds", 1+random.IntN(2000), 1+random.IntN(20), limits)
		l := newLoading(strings.Repeat("a long näme\n", random.IntN(4)) + "x")
		p.start = p.start.Add(-time.Duration(random.Int64N(1 << 55)))
		w.start, l.start = p.start, p.start
		if random.IntN(10) > 0 {
			point := solvers.Point{Passes: number(), Seconds: number(), Objective: number(), GradientNorm: number(), Gap: number(), Metric: number()}
			p.Record(point)
			w.of(random.IntN(len(w.traces)))
			w.last, w.some = point, true
			w.active = random.IntN(2)
			l.total = random.Int64()
			l.record(random.Int64(), random.Int64())
		}
		width := random.IntN(100)
		for _, line := range []string{p.line(width), w.line(width), l.line(width)} {
			if len(line) > width || strings.ContainsAny(line, "\r\n") {
				t.Fatalf("%d columns for %d: %q", len(line), width, line)
			}
		}
		p.stop()
		w.stop()
	}
}

// TestProgressTells looks for what may not be left out on 79 columns.
func TestProgressTells(t *testing.T) {
	limits := solvers.Settings{MaxPasses: 1000, Validation: &model.Validation{Metric: metrics.Metric{Name: "logloss"}}}
	p := silent().newProgress("adfsdca-minibatch", limits)
	defer p.stop()
	p.start = time.Now().Add(-100 * time.Second)
	p.Record(solvers.Point{Passes: 123.4, Seconds: 100, Objective: 0.123456, Gap: 1.25e-7, Metric: 0.54321})
	line := p.line(narrow)
	for _, want := range []string{"adfsdca-minibatch: 123.4 passes", "gap 1.25e-07", "1m40s", "11m50s left"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
	l := newLoading("-")
	l.start, l.total = time.Now().Add(-20*time.Second), 90e6
	l.record(30e6, 12345)
	line = l.line(narrow)
	for _, want := range []string{"reading standard input", "30.0 MB of 90.0 MB", "12345 rows", "1.5 MB/s", "20s", "40s left"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
}

// TestFitsCounted runs 3 folds of 4 fits, of which the first two of one fold are done
// before.
func TestFitsCounted(t *testing.T) {
	w := silent().watchFits("fits", 12, 4, solvers.Settings{})
	defer w.stop()
	want := func(text string) {
		t.Helper()
		if line := w.line(narrow); !strings.HasPrefix(line, text) {
			t.Errorf("%q does not begin with %q", line, text)
		}
	}
	during := ""
	solve := w.counted(func(context.Context, *erm.Problem, solvers.Settings) (*solvers.Result, error) {
		during = w.line(narrow)
		return nil, nil
	})
	want("0 of 12 fits done")
	for _, step := range []struct {
		fit           int
		during, after string
	}{{2, "2 of 12", "3 of 12"}, {3, "3 of 12", "4 of 12"}, {4, "4 of 12", "5 of 12"}, {8, "5 of 12", "6 of 12"}} {
		w.of(step.fit)
		solve(context.Background(), nil, solvers.Settings{})
		if !strings.HasPrefix(during, step.during) {
			t.Errorf("%q does not begin with %q", during, step.during)
		}
		want(step.after)
	}
	w.start = time.Now().Add(-30 * time.Second)
	if line := w.line(narrow); !strings.Contains(line, "30s left") {
		t.Errorf("half is done after 30 s: %q", line)
	}
}

// TestRewritten checks that nothing of a longer line is left on a terminal.
func TestRewritten(t *testing.T) {
	var out bytes.Buffer
	a := &app{err: &out}
	a.rewrite("a long line")
	a.rewrite("short")
	a.tell("lanes: a note")
	a.rewrite("more")
	a.rewrite("")
	screen, at := []byte(nil), 0
	for _, c := range out.Bytes() {
		switch {
		case c == '\r':
			at = 0
		case c == '\n':
			if got := strings.TrimRight(string(screen), " "); got != "lanes: a note" {
				t.Errorf("the line is %q", got)
			}
			screen, at = nil, 0
		case at < len(screen):
			screen[at] = c
			at++
		default:
			screen, at = append(screen, c), at+1
		}
	}
	if strings.TrimSpace(string(screen)) != "" || at != 0 {
		t.Errorf("%q is left, the cursor at %d", screen, at)
	}
}
