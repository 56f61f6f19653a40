package compositional

import (
	"cmp"
	"context"
	"errors"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// Method is a solver with its parameters: SCVRG, VRSCPG, SCGD, ASCPG or AGD. The zero
// value of each is ready for use and needs no tuning. Solvers are values
// that goroutines may share.
type Method interface {
	// Name is the solver's name, as in scvrg.
	Name() string
	// begin returns the loop, and its parameters as a checkpoint tells them apart.
	begin(t *task) (loop run.Loop, parameters any, err error)
	// reports tells whether the loop evaluates its points itself.
	reports() bool
}

// task is what a loop is made of.
type task struct {
	p        *Problem
	settings solvers.Settings
	shape    Shape
	full     *objective
	random   *random.Source
	start    []float64 // the starting point, in X
}

// Solve minimises p by a method, from Settings.Initial or 0, moved into X. If a recorder, the
// validation metric or a checkpoint fails in the middle of the run, it returns the best point
// together with the error. If nothing was computed, it returns no result.
//
// A pass of Settings.MaxEpochs is m+n samples. Settings.BatchSize is refused: the methods have
// two sample sizes of their own. All work is done by the goroutine that calls. The gap of a point
// is known if X is bounded and F is convex: the maximum over X of the linearised decrease (Frank
// and Wolfe). It includes the rounding errors of its sums, but not the rounding errors of the
// gradient of F. The gradient norm is ||x - prox(x - grad F(x))||.
//
// Memory beside the data: a few vectors of lengths k and d; for solvers with reference
// points k d numbers, unless the composition is an Anchor.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if method == nil {
		return nil, errors.New("compositional: no method")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := family.Check(method); err != nil {
		return nil, err
	}
	shape, full := p.F.Shape(), newObjective(p)
	none := ""
	if _, bounded := full.r.(penalty.Compact); !bounded {
		none = "without a bounded set there is no gap to reach"
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "compositional", Solver: method.Name(), Columns: shape.Columns, Accepts: accepts, Objective: solvers.Composition, Alone: true, NoGap: none,
		Begin: func(s *run.Session) (run.Run, error) {
			t := &task{p: p, settings: s.Settings, shape: shape, full: full, random: s.Random, start: make([]float64, shape.Columns)}
			copy(t.start, s.Settings.Initial)
			t.full.r.Prox(t.start, 0)
			loop, parameters, err := method.begin(t)
			return run.Run{
				Samples: shape.samples(), Loop: loop, Smooth: true, Reports: method.reports(),
				Evaluate: t.full.evaluate, Parameters: parameters,
				Data: func(*matrix.Pool) (checkpoint.Identity, error) {
					return checkpoint.Identity{}.With("unit threshold", p.UnitThreshold).With("regulariser", t.full.r.String()).With("composition", p.F.Identity()), nil
				},
			}, err
		},
	})
}

// stepper takes proximal gradient steps, (5).
type stepper struct {
	r    penalty.Penalty
	unit bool
}

func (t *task) stepper() stepper { return stepper{t.full.r, t.p.UnitThreshold} }

// step moves x along -v and applies the proximal operator. It tells whether x is
// still finite.
func (s stepper) step(x, v []float64, step float64) bool {
	direct.Axpy(-step, v, x)
	if !finite(x) {
		return false
	}
	threshold := step
	if s.unit {
		threshold = 1
	}
	s.r.Prox(x, threshold)
	return true
}

// draw fills a sample with numbers below n, with replacement.
func draw(sample []uint32, n int, random *random.Source) {
	for k := range sample {
		sample[k] = uint32(random.Below(uint64(n)))
	}
}

// maxSize is the largest sample, and the longest first epoch.
const maxSize = 1 << 20

// sampleOr returns the size of a sample: by default 5, as in the paper's experiments.
func sampleOr(size int) int { return cmp.Or(size, 5) }
