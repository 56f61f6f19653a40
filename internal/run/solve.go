package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Plan is a run of a family's solver before its settings are checked. The problem and
// the method are.
type Plan struct {
	Family, Solver string
	// Columns is the number of weights.
	Columns int
	// Objective is what the run makes small; the zero value is the mean of losses.
	Objective solvers.Objective
	// Scheduled says that the method has a schedule, which is its budget where MaxEpochs is 0.
	Scheduled bool
	// Alone says that one goroutine does all the work.
	Alone bool
	// Accepts are the parts that the solver takes, Asked are the parts that the problem asks for.
	Accepts, Asked solvers.Parts
	// Problem has the loss and the penalty that ask, nil for problems of other types.
	Problem *solvers.Problem
	// Batch says that the solvers of the family look at Settings.BatchSize.
	Batch bool
	// NoGap says why a run has no gap to reach, "" if it has one.
	NoGap string
	// Begin prepares the loop, and returns all of the run but what stands here.
	Begin func(s *Session) (Run, error)
}

// Session holds what Begin needs to prepare a run.
type Session struct {
	Settings solvers.Settings // with defaults, and the number of workers
	Context  context.Context  // of the run, for others that it begins with
	Pool     *matrix.Pool
	// Workspace lends vectors until the run has its result, which has none of them.
	Workspace *direct.Workspace
	Random    *random.Source
	// Ending tells whether the run is to end before its first iteration: what takes long
	// asks, and may leave anything that the loop can be made of. The run makes no use of
	// that, and one that resumes it prepares anew.
	Ending func() bool

	numbering *Numbering
	begun     time.Time
}

// TimeLeft returns the settings with the rest of MaxTime, 1 ns at least. A MaxTime of 0 means
// none.
func (s *Session) TimeLeft() solvers.Settings {
	settings := s.Settings
	if settings.MaxTime > 0 {
		settings.MaxTime = max(settings.MaxTime-time.Since(s.begun), 1)
	}
	return settings
}

// Renumber returns x with its columns numbered by frequency where that pays, and x and nil
// otherwise: pays is matrix.RenumberingPays for lazy steps, and ProductsGain.
// Settings follow, and so does the result of the run.
func (s *Session) Renumber(x *sparse.Matrix, pays func(*sparse.Matrix) bool) (*sparse.Matrix, *Numbering) {
	if !pays(x) {
		return x, nil
	}
	x, s.numbering = Renumber(x, s.Pool)
	s.Settings = s.numbering.Settings(s.Settings)
	return x, s.numbering
}

// Compact returns x without the columns that have no entry where that pays, and x otherwise:
// where most columns have some, their copy costs more memory than it saves. Settings and the
// result follow. A run with a starting point keeps all columns: its points have weights there.
// So does one that is resumed, whose starting point need not be given again.
func (s *Session) Compact(x *sparse.Matrix) *sparse.Matrix {
	if s.Settings.Initial != nil || !matrix.CompactingPays(x) || checkpoint.StartSaved(s.Settings.Resume) {
		return x
	}
	inner, numbers := matrix.Compact(x, s.Pool)
	if inner.Cols() > x.Cols()/2 {
		return x
	}
	s.numbering = &Numbering{numbers, x.Cols(), inner.Cols()}
	s.Settings = s.numbering.Settings(s.Settings)
	return inner
}

// Solve is what the Solve of every family does once its problem and its method are
// checked. Here and in all functions of this module a nil ctx is the background: never
// done.
func Solve(ctx context.Context, settings solvers.Settings, p Plan) (*solvers.Result, error) {
	begun := time.Now()
	if ctx == nil {
		ctx = context.Background()
	}
	part := checkpoint.NextSubrun(ctx)
	ctx = (*checkpoint.Running)(nil).Context(ctx) // for runs that the loop makes, which it saves itself
	if p.Scheduled && settings.MaxEpochs == 0 {
		settings.MaxEpochs = math.Inf(1)
	}
	asked := p.Asked | settings.Asks()
	settings, err := Check(settings, p.Columns)
	if err == nil {
		err = risk.Refuse(p.Family, p.Solver, p.Accepts, asked, p.Problem)
	}
	if err := shards.Agree(settings.Ranks, err); err != nil {
		return nil, err
	}
	if p.NoGap != "" && settings.GapTolerance > 0 {
		return nil, fmt.Errorf("%s: %s; set a gradient tolerance", p.Family, p.NoGap)
	}
	if p.Alone {
		settings.Workers = 1
	}
	s := &Session{Context: ctx, begun: begun, Pool: matrix.NewPool(settings.Workers), Workspace: new(direct.Workspace), Random: random.New(settings.Seed)}
	s.Ending = func() bool { return over(ctx, begun, &settings) }
	defer s.Pool.Close()
	defer s.Workspace.Release()
	settings.Workers = s.Pool.Workers()
	s.Settings = settings
	start := settings.Initial // in the caller's numbers of columns
	run, err := p.Begin(s)
	if errors.Is(err, shards.ErrStopped) {
		return nil, ErrNotBegun
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", p.Family, p.Solver, err)
	}
	run.Solver, run.Columns, run.Begun = p.Solver, p.Columns, begun
	run.Nonconvex = p.Problem != nil && !loss.IsConvex(p.Problem.Loss)
	if s.numbering != nil {
		run.Columns = s.numbering.inner
	}
	identify := func() (checkpoint.Identity, error) {
		data, err := run.Data(s.Pool)
		if err != nil {
			return nil, err
		}
		identity := checkpoint.RunIdentity(&s.Settings, p.Solver, run.Parameters)
		if p.Batch {
			identity = identity.With("batch", s.Settings.BatchSize)
		}
		return append(identity.StartingAt(start), data...), nil
	}
	switch {
	case s.Settings.Saves():
		run.Identity, err = identify()
		if errors.Is(err, shards.ErrStopped) {
			return nil, ErrNotBegun
		}
		if err != nil {
			return nil, err
		}
	case run.Data != nil && s.Settings.Ranks == nil:
		run.within, run.identify = part, sync.OnceValues(identify)
	}
	result, err := Drive(ctx, run, s.Settings)
	if result != nil {
		result.Minimised = p.Objective
	}
	s.numbering.Restore(result)
	return result, err
}

// Evaluations is the number of evaluations of a run with a schedule of its own.
const Evaluations = 8
