package sdca

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Together is Prox-SDCA on several one-vs-rest problems at once, with the logistic loss: a step
// takes one row for all classes. The classes' weights of a column are stored next to each other.
// So a row is read once for all classes, and each entry uses a few cache lines in full. Rows are
// left out as in Prox, if their parts of the gap are small for all classes. Several runs may
// share it.
type Together struct {
	X *sparse.Matrix
	// Class is the class of each row. There is one problem for each class from First to
	// First+Count-1.
	Class        []uint32
	First, Count int
	Lambda       float64
	// Intercept is as in erm.Problem, for every class.
	Intercept bool
}

// togetherShare is the share of the gaps in sum that may be left after passes.AllEvery passes.
const togetherShare = 0.75

// blockRows is the number of rows of a pass after which the run may end and be saved. A
// certificate computes as many margins at once, and the sample of equalStart has as many rows.
const blockRows = 256

type together struct {
	Together
	a, u     []float64 // the dual variables and their logits, row by row
	q        []float64 // ||x||^2/(lambda n)
	w        []float64 // the weights, column by column
	z, c     []float64 // of one row
	sum, low []float64 // by class: the parts of the gap met in this pass; below that rows are left out
	last     []float64 // the sums of the pass before
	one      [1]uint32
	features *matrix.Matrix // without the column of an intercept
	held     []float64      // the weights of the features
	b        []float64      // the intercepts, of w, nil without
	ratio    float64        // as intercept.ratio
	unit     float64        // 1/(lambda n)
	passes   int
	steps    int64 // on rows
	order    passes.Order
	random   *random.Source
	before   float64 // the gaps in sum in the full pass before
	near     bool    // every class seems to be within its target
	full     bool    // the pass is over all rows
	within   bool    // the pass has begun and has not ended
}

// Solve runs passes until every class should have a gap of at most settings.GapTolerance, or
// until the passes become slow. It returns a result for each class. Its status is Converged if
// the certified gap or gradient is within its tolerance. Otherwise it is BudgetReached: continue
// from its weights. It uses GapTolerance, GradientTolerance, MaxEpochs and Seed of the settings
// alone, and one goroutine. A done context ends it early.
//
// Memory beside the data: 8 bytes a column and 16 a row, times Count, twice for the
// columns while the gaps are certified.
func (t Together) Solve(ctx context.Context, settings solvers.Settings) ([]*solvers.Result, error) {
	if ctx == nil {
		ctx = context.Background()
	}
	switch {
	case t.X == nil || len(t.Class) != t.X.Rows() || t.X.Rows() == 0:
		return nil, errors.New("sdca: the classes do not fit the rows")
	case t.Count < 1 || t.Count > len(t.Class) || t.First < 0:
		return nil, fmt.Errorf("sdca: %d classes from %d on of %d rows; there must be 1 or more, and no more than rows", t.Count, t.First, len(t.Class))
	case t.Intercept && t.X.Bias() != 1:
		return nil, fmt.Errorf("sdca: the bias of X is %v; an intercept is the weight of a bias column of ones", t.X.Bias())
	case !(t.Lambda > 0) || math.IsInf(t.Lambda, 0):
		return nil, fmt.Errorf("sdca: lambda is %v; dual methods need it positive", t.Lambda)
	}
	settings, err := run.Check(settings, t.X.Cols())
	if err != nil {
		return nil, err
	}
	part := checkpoint.NextSubrun(ctx)
	s, err := newTogether(t, settings.Seed)
	if err != nil {
		return nil, err
	}
	file, err := checkpoint.OpenSubrun(part, func() (checkpoint.Identity, error) { return s.identity(settings) }, s.state)
	if err != nil {
		return nil, fmt.Errorf("sdca: %w", err)
	}
	whole, err := s.run(ctx, settings, file)
	results := s.certify(settings)
	if !whole {
		for _, r := range results {
			r.Status = solvers.Cancelled
		}
	}
	return results, err
}

// newTogether returns a run at its beginning.
func newTogether(t Together, seed uint64) (*together, error) {
	n, k := t.X.Rows(), t.Count
	s := &together{
		Together: t, a: make([]float64, n*k), u: make([]float64, n*k), features: t.X, w: make([]float64, t.X.Cols()*k),
		z: make([]float64, k), c: make([]float64, k), sum: make([]float64, k), low: make([]float64, k), last: make([]float64, k),
		order: passes.NewOrder(n), random: random.New(seed), before: math.Inf(1), unit: 1 / (t.Lambda * float64(n)),
	}
	if s.held = s.w; t.Intercept {
		s.held, s.b, s.features = s.w[:len(s.w)-k], s.w[len(s.w)-k:], s.features.WithBias(0)
	}
	s.q = matrix.SquaredNorms(s.features)
	for i := range s.q {
		if s.q[i] = float64(s.q[i] * s.unit); math.IsInf(s.q[i], 0) {
			return nil, fmt.Errorf("sdca: %w", tooLong(i))
		}
	}
	if t.Intercept {
		if err := s.begin(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// run takes passes, and tells whether it came to its end before the context did.
func (s *together) run(ctx context.Context, settings solvers.Settings, file *checkpoint.File) (whole bool, err error) {
	for s.within || float64(s.passes) < settings.MaxEpochs {
		if ctx.Err() != nil {
			return false, file.Save()
		}
		if file.Due() {
			file.Try()
		}
		if s.rows(); !s.within && s.enough(settings.GapTolerance) {
			break
		}
	}
	return true, nil
}

// rows begins a pass where none has begun, and takes the next rows of it.
func (s *together) rows() {
	if !s.within {
		if s.full = s.near || s.passes%passes.AllEvery == 0; s.full {
			s.order.All()
		}
		s.sum, s.last = s.last, s.sum
		clear(s.sum)
		s.recentre()
		s.order.Begin(s.random)
	}
	for taken := 0; taken < blockRows && !s.order.Ended(); taken++ {
		s.order.Next(s.step(s.order.Row()))
		s.steps++
	}
	if s.within = !s.order.Ended(); !s.within {
		s.passes++
	}
}

// enough tells whether the pass that has ended is the last.
func (s *together) enough(target float64) bool {
	total, worst := s.expect()
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return true // certify says so
	}
	s.near = worst <= target
	if !s.full {
		return false
	}
	slow := total > togetherShare*s.before
	s.before = total
	return s.near || slow
}

// identity tells the run from others.
func (s *together) identity(settings solvers.Settings) (checkpoint.Identity, error) {
	class := make([]float64, len(s.Class))
	for i, k := range s.Class {
		class[i] = float64(k)
	}
	data, err := checkpoint.IdentityOf(nil, s.X, class, nil)
	id := checkpoint.RunIdentity(&settings, "together", s.Lambda).With("first class", s.First).With("classes", s.Count).
		With("passes", settings.MaxEpochs).With("gap", settings.GapTolerance)
	if s.Intercept {
		id = id.With("the intercept", true)
	}
	return append(id, data...), err
}

// state visits the state.
func (s *together) state(c *checkpoint.Coder) {
	for _, v := range [][]float64{s.a, s.u, s.w, s.sum, s.low, s.last} {
		c.Floats(v)
	}
	s.order.State(c)
	c.Random(s.random)
	c.Count(&s.passes, checkpoint.MostCount)
	c.Count64(&s.steps)
	c.Float64(&s.before)
	for _, v := range []*bool{&s.near, &s.full, &s.within} {
		c.Bool(v)
	}
}

// expect returns the gaps in sum that a pass met, and the largest that its end lets expect.
// It sets how small a row's part has to be for the row to leave.
func (s *together) expect() (total, worst float64) {
	for k, v := range s.sum {
		s.low[k] = passes.LeaveShare * v / float64(len(s.q))
		total += float64(v * s.Lambda)
		if s.passes > 1 && s.last[k] > 0 { // the gap after this pass is about what the next one would meet
			v *= min(1, v/s.last[k])
		}
		worst = max(worst, float64(v*s.Lambda))
	}
	return total, worst
}

// step moves the dual variables of a row to their maxima, and tells whether the row
// stays.
func (s *together) step(i uint32) (stays bool) {
	k := s.Count
	clear(s.z)
	s.one[0] = i
	direct.Must(matrix.AddMulMatrix(s.features, s.z, s.one[:], s.held, k))
	for j, b := range s.b {
		s.z[j] += b
	}
	own := int(s.Class[i]) - s.First
	a, u := s.a[int(i)*k:][:k], s.u[int(i)*k:][:k]
	moved := false
	for j, z := range s.z {
		y := -1.0
		if j == own {
			y = 1
		}
		d := loss.DualRow{A: a[j], U: u[j], Q: s.q[i]}
		part := float64(d.Before(float64(y*z)) * s.unit)
		d.Solve(float64(y*z), loss.StepShare)
		s.sum[j] += part
		stays = stays || part >= s.low[j]
		step := d.A - a[j]
		a[j], u[j] = d.A, d.U
		s.c[j] = float64(float64(y*s.unit) * step)
		moved = moved || step != 0
	}
	if moved {
		direct.Must(matrix.AddOuter(s.features, s.held, s.one[:], s.c, k))
		for j := range s.b {
			s.b[j] += float64(s.c[j] * s.ratio)
		}
	}
	return stays
}
