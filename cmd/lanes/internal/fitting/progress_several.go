package fitting

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
)

// fitWatch keeps the traces of several fits and shows how many are done.
type fitWatch struct {
	*console.Display
	app    *console.App
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

// watchFits starts to watch count fits of a kind; the fits of a group run one after another.
func watchFits(a *console.App, what string, count, group int, limits solvers.Settings) *fitWatch {
	w := &fitWatch{app: a, what: what, group: group, limits: limits, start: time.Now(), traces: make([]*solvers.Thinned, count)}
	w.begun = make([]int, (count+group-1)/group)
	w.Display = a.Show(w.line)
	return w
}

// of is the recorder of a fit.
func (w *fitWatch) of(k int) solvers.Recorder {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Those before it in its group are done, be it in an earlier run.
	w.begun[k/w.group] = k%w.group + 1
	w.traces[k] = tracer(w.app, len(w.traces), nil)
	if w.traces[k] == nil && w.app.Quiet {
		return nil
	}
	return &fitRecorder{w, w.traces[k]}
}

// points returns the recorded points of fit k, nil without a trace.
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

// add counts the fits that run.
func (w *fitWatch) add(active int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active += active
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
	parts := []console.Phrase{
		console.NewPhrase(0, fmt.Sprintf("%d of %d %s done", done, count, w.what)), console.NewPhrase(2, console.Short(elapsed)),
		console.Remaining(1, timeLeft(done, count, elapsed, w.limits.MaxTime)),
	}
	if w.some && w.active > 0 {
		parts = append(parts, describe(&w.last, &w.limits, 3)...)
	}
	return console.Fitted(width, parts)
}

// leastDone is the share of the work below which its remaining time is not estimated.
const leastDone = 0.03

// timeLeft estimates the time of the remaining fits, in nanoseconds, from the time of the
// finished ones; limit is the limit of all fits, 0 for none.
func timeLeft(done, count int, elapsed, limit time.Duration) float64 {
	left := math.Inf(1)
	if float64(done) >= leastDone*float64(count) && done > 0 {
		left = float64(elapsed) * float64(count-done) / float64(done)
	}
	if limit > 0 {
		left = min(left, float64(limit-elapsed))
	}
	return left
}
