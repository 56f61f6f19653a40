package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
)

// mostPoints bounds the points that are kept of a run for its outputs: the recorded
// points of --trace, and what a plot or a page can show.
const (
	mostTraced  = 1 << 16
	mostPlotted = 1 << 12
)

// progress records a run and shows where it stands.
type progress struct {
	*display
	trace  *solvers.Thinned // nil where nothing needs the points
	limits solvers.Settings
	label  string

	mu    sync.Mutex
	start time.Time
	last  solvers.Point
	some  bool
	seen  time.Time // when last came
}

// tracer returns a recorder for one of several fits, nil where no output asks for
// their points.
func (a *app) tracer(fits int, by solvers.Metric) *solvers.Thinned {
	if a.points == 0 {
		return nil
	}
	t := &solvers.Thinned{Most: max(a.points/fits, 64)}
	if by != nil {
		t.Better = func(p, q solvers.Point) bool {
			if by.HigherIsBetter() {
				return p.Metric > q.Metric
			}
			return p.Metric < q.Metric
		}
	}
	return t
}

// newProgress starts to watch a run; quiet shows nothing.
func (a *app) newProgress(label string, limits solvers.Settings) *progress {
	p := &progress{trace: a.tracer(1, limits.Validation), limits: limits, label: label, start: time.Now()}
	p.display = a.show(p.line)
	return p
}

// Record takes note of a point.
func (p *progress) Record(point solvers.Point) error {
	if p.trace != nil {
		p.trace.Record(point)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.some, p.seen = point, true, time.Now()
	return nil
}

// points are those that were kept.
func (p *progress) points() []solvers.Point {
	if p.trace == nil {
		return nil
	}
	return p.trace.Points()
}

func (p *progress) line(width int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	elapsed := time.Since(p.start)
	if !p.some {
		return fitted(width, []part{{0, p.label + ": starting"}, {1, short(elapsed)}})
	}
	parts := describe(&p.last, &p.limits, 0)
	if p.last.Seconds > 0 {
		parts = append(parts, part{7, fmt.Sprintf("%.3g passes/s", p.last.Passes/p.last.Seconds)})
	}
	parts = append(parts, part{3, short(elapsed)}, remaining(2, p.left(elapsed)))
	parts[0].text = p.label + ": " + parts[0].text
	return fitted(width, parts)
}

// describe are the parts that tell of a point, from a rank on.
func describe(point *solvers.Point, limits *solvers.Settings, rank int) []part {
	parts := []part{{rank, fmt.Sprintf("%.4g passes", point.Passes)}, {rank + 6, fmt.Sprintf("loss %.6g", point.Objective)}}
	if point.Gap-point.Gap == 0 {
		parts = append(parts, part{rank + 1, fmt.Sprintf("gap %.2e", point.Gap)})
	} else if point.GradientNorm-point.GradientNorm == 0 {
		parts = append(parts, part{rank + 1, fmt.Sprintf("gradient %.2e", point.GradientNorm)})
	}
	if point.Metric-point.Metric == 0 && limits.Validation != nil {
		parts = append(parts, part{rank + 4, fmt.Sprintf("%s %.5g", limits.Validation.Name(), point.Metric)})
	}
	return parts
}

// left is the most time to the nearer of the two budgets, in nanoseconds.
func (p *progress) left(elapsed time.Duration) float64 {
	left := math.Inf(1)
	if p.limits.MaxTime > 0 {
		left = float64(p.limits.MaxTime - elapsed)
	}
	if p.last.Passes > 0 && p.last.Seconds > 0 {
		perPass := p.last.Seconds / p.last.Passes * float64(time.Second)
		left = min(left, (p.limits.MaxPasses-p.last.Passes)*perPass-float64(time.Since(p.seen)))
	}
	return left
}

// fitWatch keeps the traces of several fits and shows how many are done.
type fitWatch struct {
	*display
	what   string // that are fitted, as in "classes"
	group  int    // fits that follow one another
	least  int    // fits there will be in any case, 0 for all
	limits solvers.Settings
	start  time.Time
	traces []*solvers.Thinned

	mu     sync.Mutex
	begun  []int // of each group
	active int
	last   solvers.Point
	some   bool
}

// watchFits starts to watch count fits of a kind; those of a group follow one another.
func (a *app) watchFits(what string, count, group int, limits solvers.Settings) *fitWatch {
	w := &fitWatch{what: what, group: group, limits: limits, start: time.Now(), traces: make([]*solvers.Thinned, count)}
	w.begun = make([]int, (count+group-1)/group)
	w.display = a.show(w.line)
	return w
}

// of is the recorder of a fit.
func (w *fitWatch) of(k int) solvers.Recorder {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Those before it in its group are done, be it in an earlier run.
	w.begun[k/w.group] = k%w.group + 1
	w.traces[k] = w.app.tracer(len(w.traces), nil)
	if w.traces[k] == nil && w.app.quiet {
		return nil
	}
	return &fitRecorder{w, w.traces[k]}
}

// points are those that were kept of a fit.
func (w *fitWatch) points(k int) []solvers.Point {
	if w.traces[k] == nil {
		return nil
	}
	return w.traces[k].Points()
}

type fitRecorder struct {
	watch *fitWatch
	trace *solvers.Thinned // nil where nothing needs the points
}

func (r *fitRecorder) Record(point solvers.Point) error {
	if r.trace != nil {
		r.trace.Record(point)
	}
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	r.watch.last, r.watch.some = point, true
	return nil
}

// counted is a solver whose fits are counted while they run.
func (w *fitWatch) counted(solve related.Solve) related.Solve {
	add := func(v int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.active += v
	}
	return func(ctx context.Context, p *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		add(1)
		defer add(-1)
		return solve(ctx, p, s)
	}
}

func (w *fitWatch) line(width int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	elapsed := time.Since(w.start)
	done := -w.active
	for _, v := range w.begun {
		done += v
	}
	done = max(done, 0)
	count := len(w.traces)
	if w.least > 0 {
		count = min(count, max(w.least, done+w.active))
	}
	left := math.Inf(1)
	if done > 0 {
		left = float64(elapsed) * float64(count-done) / float64(done)
	}
	if w.limits.MaxTime > 0 {
		left = min(left, float64(w.limits.MaxTime-elapsed))
	}
	parts := []part{{0, fmt.Sprintf("%d of %d %s done", done, count, w.what)}, {2, short(elapsed)}, remaining(1, left)}
	if w.some && w.active > 0 {
		parts = append(parts, describe(&w.last, &w.limits, 3)...)
	}
	return fitted(width, parts)
}

// writeTrace writes the recorded points as CSV; a number that is not there is an
// empty field.
func writeTrace(w io.Writer, points []solvers.Point) error {
	out := bufio.NewWriter(w)
	out.WriteString("passes,gradient_evaluations,seconds,objective,gradient_norm,duality_gap,metric\n")
	number := func(v float64) string {
		if v-v != 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, p := range points {
		fmt.Fprintf(out, "%s,%d,%s,%s,%s,%s,%s\n", number(p.Passes), p.GradientEvaluations, number(p.Seconds),
			number(p.Objective), number(p.GradientNorm), number(p.Gap), number(p.Metric))
	}
	return out.Flush()
}
