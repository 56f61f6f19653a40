package fitting

import (
	"time"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
)

// watch shows the stages of a training, and keeps the points of the last one. Its methods
// but Begin, End and points are called by several goroutines.
type watch struct {
	app    *console.App
	metric string // of a search
	one    *progress
	fits   *fitWatch
	search *searchWatch
	trace  *solvers.Thinned // of the fit that a search ends with
}

func newWatch(a *console.App, metric string) *watch { return &watch{app: a, metric: metric} }

// Begin begins to show a stage.
func (w *watch) Begin(s lanes.Stage) {
	w.one, w.fits, w.search = nil, nil, nil
	switch {
	case s.Alone:
		w.one = NewProgress(w.app, s.What, s.Limits)
		w.one.rows = s.Rows
	case s.Fits > 0:
		w.fits = watchFits(w.app, s.What, s.Fits, s.Group, s.Limits)
		w.fits.least = s.Least
	default:
		w.search = &searchWatch{rows: s.Rows, metric: w.metric, limit: s.Limits.MaxTime, start: time.Now()}
		w.search.Display = w.app.Show(w.search.line)
		w.trace = tracer(w.app, 1, nil)
	}
}

// Fit gives the recorder of a fit.
func (w *watch) Fit(number int) solvers.Recorder {
	switch {
	case w.one != nil:
		return w.one
	case w.fits != nil:
		return w.fits.of(number)
	case w.trace != nil:
		return w.trace
	}
	return nil
}

// Running counts the fits that run.
func (w *watch) Running(change int) {
	if w.fits != nil {
		w.fits.add(change)
	}
}

// Trying tells of a search.
func (w *watch) Trying(p related.Progress) { w.search.take(p) }

// Sweep tells of a sweep over a file. Of several fits, their number tells how far they are.
func (w *watch) Sweep(rows, bytes int64) {
	if w.one != nil {
		w.one.used.Store(rows)
		w.one.bytes.Store(bytes)
	}
}

// End ends the stage.
func (w *watch) End() {
	switch {
	case w.one != nil:
		w.one.Stop()
	case w.fits != nil:
		w.fits.Stop()
	default:
		w.search.Stop()
	}
}

// points are the points that were kept of a fit of the last stage.
func (w *watch) points(number int) []solvers.Point {
	switch {
	case w.one != nil:
		return w.one.Points()
	case w.fits != nil:
		return w.fits.points(number)
	case w.trace != nil:
		return w.trace.Points()
	}
	return nil
}
