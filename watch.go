package lanes

import (
	"context"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
)

// Watch receives the progress of a training, for programs that show it. Begin and End are called
// in turn, the other methods by several goroutines between them.
type Watch interface {
	// Begin says which fits come next.
	Begin(Stage)
	// Fit says that the fit of a number, from 0 on, begins, and takes the recorder of its points,
	// or nil.
	Fit(number int) solvers.Recorder
	// Running says that one more fit runs (1), or one less (-1).
	Running(change int)
	// Trying says how far a search for a way to train is; see For.
	Trying(related.Progress)
	// Sweep says how many rows and bytes have been read of rows that stay in their file.
	Sweep(rows, bytes int64)
	// End says that the fits of the stage are done.
	End()
}

// Stage is a number of fits that are made at the same time or in turn.
type Stage struct {
	// What are the fits: classes, lambdas, fits of folds, candidates; or the name of a solver,
	// for a single fit, which Alone says.
	What  string
	Alone bool
	// Fits is their number. Least are made in any case, 0 for all. Group follow one another.
	Fits, Least, Group int
	// Limits are the settings of each.
	Limits solvers.Settings
	// Rows is the number of rows of a sweep over a file, or of a search; 0 elsewhere.
	Rows int
}

// stage begins a stage; the function that it returns ends it.
func (p *Problem) stage(s Stage) (end func()) {
	w := p.o.Watch
	if w == nil {
		return func() {}
	}
	w.Begin(s)
	done := false
	return func() {
		if !done {
			done = true
			w.End()
		}
	}
}

// watched has a run of several fits tell of them.
func (p *Problem) watched(by related.Run) related.Run {
	w := p.o.Watch
	if w == nil {
		return by
	}
	by.Watch, by.Solve = w.Fit, p.counted(by.Solve)
	if begin := by.Begin; begin != nil {
		by.Begin = func(q *erm.Problem) (related.Series, error) {
			series, err := begin(q)
			return countedSeries{series, w}, err
		}
	}
	return by
}

// counted is a solver whose fits are counted while they run.
func (p *Problem) counted(solve related.Solve) related.Solve {
	w := p.o.Watch
	if w == nil || solve == nil {
		return solve
	}
	return func(ctx context.Context, q *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		w.Running(1)
		defer w.Running(-1)
		return solve(ctx, q, s)
	}
}

// countedSeries tells a watch of its fits.
type countedSeries struct {
	related.Series
	watch Watch
}

// Expect passes on what a series gains by.
func (s countedSeries) Expect(list []penalty.Penalty) {
	if expecting, is := s.Series.(related.Expecting); is {
		expecting.Expect(list)
	}
}

func (s countedSeries) Solve(ctx context.Context, q penalty.Penalty, settings solvers.Settings) (*solvers.Result, error) {
	s.watch.Running(1)
	defer s.watch.Running(-1)
	return s.Series.Solve(ctx, q, settings)
}
