package elasticnet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Path solves one problem for one penalty after the other: of a descending path, of folds. Each solution begins at the previous one, with what is known of the rows:
// margins, slopes, the copy of the columns and the quadratic model. The model is computed anew
// only after steps with the old one have cost as much as a new one. For the squared loss it never
// is. Columns come in by the sequential strong rule. The certificate of a point reads all
// columns, and finds the columns that the rule missed. Tibshirani and others 2012, "Strong rules
// for discarding predictors in lasso-type problems".
//
// Beside what Solve takes, memory for a matrix of up to 2048 columns, 32 MiB. A Path serves
// one goroutine.
type Path struct {
	p           Problem // without its offsets, which users' columns have
	from        *offsets
	method      ProximalNewton
	o           *objective
	other       *objective // for evaluations that leave the run as it is
	model       cachedModel
	w           []float64 // where it stands, nil for nowhere
	known       bool      // margins, slopes and gradient of o belong to w
	had         bool      // they did when the state was saved: to compute them again costs no pass
	lambda      float64   // of that gradient
	before      float64   // the weight of the norm of the solution before, 0 for none
	zero        float64   // the mean loss at 0
	saved       []byte
	expects     []penalty.Penalty // that may be asked for, in this order
	ahead       []ahead           // points of these that are solved
	origin      origin
	mostColumns int       // of the cached matrix
	copies      *copyOnce // of the columns, which several paths share
}

// copyOnce is a copy of a matrix by columns that is made when it is needed.
type copyOnce struct {
	once sync.Once
	x    *matrix.ByColumns
}

// NewPath prepares a path for a problem, whose penalty is not used. A nil method is the
// zero value of ProximalNewton.
func NewPath(p *Problem, method Method) (*Path, error) {
	list, err := NewPaths([]*Problem{p}, method)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// mostMemory is the most memory for the matrices of several paths together, in bytes.
const mostMemory = 512 << 20

// NewPaths prepares paths for problems on the same rows, which differ in their labels and
// weights, as in one-vs-rest. The paths share a copy of the columns, and 512 MiB for their
// matrices, and may solve at the same time.
func NewPaths(list []*Problem, method Method) ([]*Path, error) {
	newton, err := newtonOf(method)
	if err != nil {
		return nil, err
	}
	for k, p := range list {
		switch err := check(p); {
		case err != nil && len(list) > 1:
			return nil, fmt.Errorf("%w (problem %d of %d)", err, k+1, len(list))
		case err != nil:
			return nil, err
		case p.X != list[0].X || p.Intercept != list[0].Intercept:
			return nil, fmt.Errorf("elasticnet: problem %d of %d has a matrix or an intercept of its own", k+1, len(list))
		}
	}
	inner, from := centred(list)
	copies, columns := new(copyOnce), cost.Columns
	if len(list) > 1 {
		columns = min(cost.Columns, int(math.Sqrt(float64(mostMemory/8/len(list)))))
	}
	var all []*Path
	for _, p := range inner {
		path := &Path{p: *p, from: from, method: newton, mostColumns: columns, copies: copies}
		path.model.exact = p.Loss.Quadratic()
		all = append(all, path)
	}
	return all, nil
}

// Solve minimises the problem with another penalty, with the certificate of the function Solve.
// Settings.Initial is where it begins, nil for where the solution before ended. The bits of the result
// depend on the solutions before, of which Save keeps what counts. Settings.Checkpoint and Resume are
// refused: see package related.
func (s *Path) Solve(ctx context.Context, p penalty.Penalty, settings solvers.Settings) (*solvers.Result, error) {
	next := s.p
	next.Penalty = p
	if err := check(&next); err != nil {
		return nil, err
	}
	_, lambda := penalty.Multiples(p)
	if settings.Checkpoint != "" || settings.Resume != "" {
		return nil, errors.New("elasticnet: points of a path are not saved one by one; related.Path saves whole paths")
	}
	start, here := s.w, s.from.outward(s.w)
	if settings.Initial == nil {
		settings.Initial = here
	}
	if !slices.Equal(settings.Initial, here) {
		start = nil
	}
	if start == nil || s.lambda != lambda {
		s.known, s.had = false, false
	}
	s.p = next
	var l *pathLoop
	r, err := run.Solve(ctx, settings, run.Plan{
		Family: "elasticnet", Solver: s.method.Name(), Columns: s.p.X.Cols(), Accepts: accepts, Objective: solvers.SparseLoss, NoGap: noGap(&s.p),
		Begin: func(session *run.Session) (run.Run, error) {
			s.prepare(session)
			if start == nil { // checked by now
				start = s.from.inward(session.Settings.Initial)
			}
			l = s.newLoop(start)
			return run.Run{
				Samples: s.p.X.Rows(), Loop: l, Smooth: true, Reports: true,
				Evaluate: func(w []float64) run.Evaluation { return s.evaluate(session, w) },
				AtZero:   func() float64 { return s.o.ceiling(s.zero) },
				Settle:   settle(s.from.given(&next)),
				NonZeros: func(w []float64) int { return nonZeros(&s.p, w) },
			}, nil
		},
	})
	if l == nil {
		return r, err
	}
	s.w, s.known, s.lambda = l.w, !l.plain && l.known == sloped, lambda
	if r != nil && r.Status != solvers.Cancelled && r.Status != solvers.TimeReached && r.Status != solvers.Failed {
		s.before = penalty.WeightOf(p)
		if !slices.Equal(r.Weights, s.from.outward(s.w)) {
			s.w, s.known = s.from.inward(r.Weights), false
		}
		s.saved = checkpoint.Encode(s.state)
	}
	return r, err
}

// Shares tells whether a Path of p takes its points from one matrix X'SX of all columns: the loss
// has the same curvature everywhere, and the matrix costs less than 24 epochs. It looks at sizes.
func Shares(p *Problem) bool {
	return p != nil && p.X != nil && p.Loss != nil && p.Loss.Quadratic() && shares(p.X, cost.Columns)
}

// shares tells whether the matrix of all columns, of which there are most at most, pays.
func shares(x *sparse.Matrix, most int) bool {
	return x.WithBias(0).Cols() <= most && gramCost(x) <= gramSweeps*x.NNZ()
}

// prepare makes what all solutions share, and has it use the workers of this one.
func (s *Path) prepare(session *run.Session) {
	if s.o == nil {
		s.o = s.from.objective(&s.p, session.Pool)
		s.o.copies = s.copies
		s.zero = s.o.atZero()
		stored := s.p.X.WithBias(0).Cols()
		s.model.in, s.model.h = make([]bool, stored), make([]float64, s.o.n)
		for _, j := range s.model.order {
			s.model.in[j] = true
		}
		if shares(s.o.x.Matrix, s.mostColumns) {
			s.model.whole = true
			if len(s.expects) > 0 && s.p.Loss.Quadratic() { // margins are sums over columns, one after the other
				s.o.bounds = s.o.newBounds(true)
			}
		} else {
			// Margins are sums over columns, one after the other, where few count.
			s.o.bounds = s.o.newBounds(true)
			s.o.entries = s.o.byColumns().Lengths()
		}
		s.o.bounds.Rounding(0, 0, 0, 0) // with the workers of today
	}
	s.o.penalise()
	s.o.x.Pool, s.model.rows.Pool = session.Pool, session.Pool
}

func (s *Path) evaluate(session *run.Session, w []float64) run.Evaluation {
	if s.other == nil {
		s.other = s.from.objective(&s.p, session.Pool)
	}
	s.other.penalise()
	s.other.x.Pool = session.Pool
	return s.other.evaluate(w)
}

// Save returns what the next Solve depends on beside its arguments, for a Path of the same
// problem to Restore: nothing where no solution was found. A solution that was broken off
// does not count.
func (s *Path) Save() []byte { return s.saved }

// Restore takes over what Save returned. It is an error if that cannot be of this problem.
func (s *Path) Restore(saved []byte) error {
	if s.p.X == nil {
		return errors.New("elasticnet: a path that has no problem; NewPath makes one")
	}
	next := &Path{p: s.p, from: s.from, method: s.method, mostColumns: s.mostColumns, copies: s.copies, saved: slices.Clone(saved), expects: s.expects}
	next.model.exact = s.p.Loss.Quadratic()
	if len(saved) > 0 {
		if err := checkpoint.Decode(saved, next.state); err != nil {
			return fmt.Errorf("elasticnet: the saved state of a path is not of this problem: %w", err)
		}
	}
	*s = *next
	return nil
}

// state visits the solution, the weight of the norm before, and of the model its columns
// and the weights that it belongs to. Most weights are 0.
func (s *Path) state(c *checkpoint.Coder) {
	k := &s.model
	if c.Restoring() {
		s.w = make([]float64, s.p.X.Cols())
	}
	weights(c, s.w)
	known := s.known
	c.Bool(&known)
	s.had = known && c.Restoring()
	c.Float64(&s.lambda)
	c.Float64(&s.before)
	c.Float64(&k.spent)
	if c.Restoring() && (!(s.before >= 0) || math.IsInf(s.before, 0) || math.IsNaN(k.spent)) {
		c.Fail(errors.New("numbers that are none"))
	}
	share(c, &k.caution)
	c.Bool(&k.fresh)
	c.Bool(&k.exact)
	k.order = columns(c, k.order, s.p.X.WithBias(0).Cols())
	exact := k.at != nil
	if c.Bool(&exact); !exact || c.Err() != nil {
		return
	}
	if k.at == nil {
		k.at = make([]float64, s.p.X.Cols())
	}
	weights(c, k.at)
}

// weights visits the weights that are not 0.
func weights(c *checkpoint.Coder, w []float64) {
	var used []uint32
	for j, v := range w {
		if v != 0 {
			used = append(used, uint32(j))
		}
	}
	for _, j := range columns(c, used, len(w)) {
		if c.Float64(&w[j]); c.Restoring() && w[j]-w[j] != 0 {
			c.Fail(fmt.Errorf("a weight that is %v", w[j]))
		}
	}
}

// columns visits a list of distinct column numbers.
func columns(c *checkpoint.Coder, list []uint32, most int) []uint32 {
	count := len(list)
	if c.Count(&count, most); c.Err() != nil {
		return nil
	}
	if !c.Restoring() {
		c.Uint32s(list)
		return list
	}
	list = make([]uint32, count)
	c.Uint32s(list)
	seen := make([]bool, most)
	for _, j := range list {
		if int64(j) >= int64(most) || seen[j] {
			c.Fail(fmt.Errorf("column %d of %d, or twice", j, most))
			return nil
		}
		seen[j] = true
	}
	return list
}

// newtonOf checks a method, nil for the usual one.
func newtonOf(method Method) (ProximalNewton, error) {
	if method == nil {
		method = ProximalNewton{}
	}
	newton := method.newton()
	return newton, family.Check(newton)
}

// noGap says why there is no gap, "" where there is one.
func noGap(p *Problem) string {
	r, err := penalty.RulesOf(p.Penalty)
	if err != nil || r.Bounded() {
		return ""
	}
	if _, alone := r.Squared(); alone {
		return "without a regulariser there is no duality gap to reach"
	}
	return fmt.Sprintf("the penalty %v has no conjugate, so there is no duality gap to reach", p.Penalty)
}
