package related

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/solvers"
)

const (
	// coarse and fine are the ratios of lambdas that follow one another, first and then
	// around the best.
	coarse = 10
	fine   = 3
	// deepest is how far below 1/n lambdas may go.
	deepest = 1e-4
	// hopeless is how many standard errors worse a kind of fits may be that is followed.
	hopeless = 2
	// idle is by how much lambdas begin below the one that decides the solution.
	idle = 30
	// mostLambdas bounds the first list of lambdas, for rows of huge numbers.
	mostLambdas = 20
)

// search tries the candidates and fills in what was chosen.
func (s *search) search() error {
	lambdas, least, err := s.lambdas()
	if err != nil {
		return err
	}
	rankers := s.rankers()
	group := s.v.Folds * (least + 2)
	s.ahead = group
	s.ahead += s.v.Folds * len(rankers)
	plain, err := s.logistic(false, lambdas, least, -1)
	if err != nil {
		return err
	}
	s.ahead -= group
	balanced := -1
	if plain >= 0 {
		near := 1
		for near < len(lambdas) && lambdas[near] >= s.Tried[plain].Lambda/(fine*coarse) {
			near++
		}
		balanced, err = s.logistic(true, lambdas[:near], near, plain)
	}
	if err != nil {
		return err
	}
	if s.Logistic = s.bestOf(0); s.Logistic >= 0 && !s.over() && rankers != nil {
		err = s.rank(rankers, plain, balanced)
	}
	s.Best = s.simplest()
	return err
}

// lambdas returns the lambdas of the first logistic fits; the first least of them are always tried.
func (s *search) lambdas() (list []float64, least int, err error) {
	high, err := LargestLambda(s.whole)
	if err != nil {
		return nil, 0, err
	}
	one := 1 / float64(s.p.X.Rows())
	v := one
	for v*coarse <= high/idle {
		v *= coarse
	}
	for ; ; v /= coarse {
		list = append(list, v)
		if least == 0 && (v <= one || len(list) == mostLambdas) {
			least = len(list)
		}
		if least > 0 && (v <= deepest*one || len(list) == mostLambdas) {
			return list, least, checkLambdas(list)
		}
	}
}

// logistic tries logistic fits and returns the index of the best, -1 if no fit was measured. It
// stops at fits that are clearly worse, beyond noise, than rival, the best of another kind (-1: no
// rival).
func (s *search) logistic(balanced bool, lambdas []float64, least, rival int) (int, error) {
	c := Candidate{Solver: Logistic, Balanced: balanced}
	from := len(s.Tried)
	if err := s.try(c, lambdas, least); err != nil {
		return -1, err
	}
	best := s.bestOf(from)
	promising := func() bool { return best >= 0 && !s.over() && s.promising(best, rival) }
	highest, lowest := lambdas[0]*idle, deepest/float64(s.p.X.Rows())
	for top := lambdas[0]; promising() && s.Tried[best].Lambda == top && top < highest; {
		top *= coarse // a better one may lie above
		if err := s.try(c, []float64{top}, 0); err != nil {
			return -1, err
		}
		best = s.bestOf(from)
	}
	for bottom := s.lowest(from); promising() && s.Tried[best].Lambda == bottom && bottom > lowest; {
		bottom /= coarse
		if err := s.try(c, []float64{bottom}, 0); err != nil {
			return -1, err
		}
		best = s.bestOf(from)
	}
	if !promising() {
		return best, nil
	}
	for _, v := range []float64{s.Tried[best].Lambda * fine, s.Tried[best].Lambda / fine} {
		if err := s.try(c, []float64{v}, 0); err != nil {
			return -1, err
		}
	}
	return s.bestOf(from), nil
}

// promising tells whether a candidate is not worse than a rival, if there is one, beyond all
// noise.
func (s *search) promising(k, rival int) bool {
	mean, wrong := s.Gain(k, rival)
	return rival < 0 || mean >= -hopeless*wrong
}

// lowest is the least lambda of the candidates that were tried from some number on.
func (s *search) lowest(from int) float64 {
	low := math.Inf(1)
	for _, t := range s.Tried[from:] {
		low = min(low, t.Lambda)
	}
	return low
}

// rank tries ranking solvers from the best logistic fit. If the best of them improves on the fit,
// it tries other settings of that solver.
func (s *search) rank(list []Candidate, plain, balanced int) error {
	from := len(s.Tried)
	start := s.Tried[s.Logistic]
	s.ahead = s.v.Folds * len(list)
	for _, c := range list {
		s.ahead -= s.v.Folds
		c.Balanced = start.Balanced
		if err := s.try(c, []float64{start.Lambda}, 0); err != nil {
			return err
		}
	}
	best := s.bestOf(from)
	if best < 0 || s.over() || !s.Metric.Direction.Better(s.Tried[best].Mean, start.Mean) {
		return nil
	}
	if other := s.other(plain, balanced); other >= 0 && s.promising(other, s.Logistic) {
		c := s.Tried[best].Candidate
		c.Balanced = s.Tried[other].Balanced
		if err := s.try(c, []float64{s.Tried[other].Lambda}, 0); err != nil {
			return err
		}
		best = s.bestOf(from)
	}
	for _, k := range knobs[s.Tried[best].Solver] {
		before := best
		for _, factor := range k.factors {
			for best == before || !k.once {
				last := best
				if c, can := turned(s.Tried[best].Candidate, k.name, factor); can {
					if err := s.try(c, []float64{c.Lambda}, 0); err != nil {
						return err
					}
					best = s.bestOf(from)
				}
				if best == last || s.over() {
					break
				}
			}
			if best != before {
				break // the other direction is where it came from
			}
		}
	}
	return nil
}

// other is the best logistic fit of the other weights of classes, -1 for none.
func (s *search) other(plain, balanced int) int {
	if s.Logistic == plain {
		return balanced
	}
	return plain
}

// over tells whether nothing more is to be tried.
func (s *search) over() bool { return s.Status != solvers.Converged }

// bestOf returns the best candidate among those from index from on: the best mean; ties go to the
// larger lambda, then to the earlier one. It returns -1 if there is no candidate.
func (s *search) bestOf(from int) int {
	best := -1
	for k := from; k < len(s.Tried); k++ {
		t := &s.Tried[k]
		switch {
		case math.IsNaN(t.Mean):
		case best < 0, s.Metric.Direction.Better(t.Mean, s.Tried[best].Mean),
			t.Mean == s.Tried[best].Mean && t.Lambda > s.Tried[best].Lambda:
			best = k
		}
	}
	return best
}

// simplest returns the simplest candidate within one standard error of the best, -1 if none was
// measured. Plain logistic fits are the simplest, fits with class weights follow, and then solvers
// that rank. Among candidates of one kind a larger lambda is simpler, then the earlier candidate.
func (s *search) simplest() int {
	means, errors, order := make([]float64, len(s.Tried)), make([]float64, len(s.Tried)), make([]int, len(s.Tried))
	for k, t := range s.Tried {
		means[k], errors[k], order[k] = t.Mean, t.Error, k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &s.Tried[a].Candidate, &s.Tried[b].Candidate
		return cmp.Or(cmp.Compare(x.kind(), y.kind()), cmp.Compare(y.Lambda, x.Lambda))
	})
	return withinOneError(means, errors, s.bestOf(0), s.Metric.Direction, order)
}

// stage is a candidate on the folds, for one lambda or several, as a checkpoint keeps it.
type stage struct {
	name    string // of the candidate
	lambdas []float64
	whole   bool // all is measured
	values  [][]float64
	costs   [][]cost
	folds   []foldState
}

// mostStages bounds the stages of a search.
const mostStages = 1000

// try measures a candidate for a falling list of lambdas, the first least of them in any
// case.
func (s *search) try(c Candidate, lambdas []float64, least int) error {
	seen := func(t Trial) bool { return t.Candidate.String() == c.String() && t.Lambda == lambdas[0] }
	if s.over() || slices.ContainsFunc(s.Tried, seen) {
		return nil
	}
	if s.w.Epochs > 0 && s.Epochs() >= s.w.Epochs && len(s.stages) > 0 {
		s.Status = solvers.BudgetReached
		return nil
	}
	run := s.run(c)
	run.Least = least
	k, err := newCrossing(s.p, lambdas, s.fold, s.v, run, nil)
	if err != nil {
		return err
	}
	now := &stage{name: c.String(), lambdas: lambdas, values: k.Values, costs: k.costs, folds: k.folds}
	if n := len(s.stages); n < len(s.saved) {
		if now, err = s.restored(k, now, s.saved[n]); err != nil {
			return err
		}
	}
	s.stages = append(s.stages, now)
	points := len(lambdas)
	if least > 0 {
		points = least
	}
	s.mu.Lock()
	s.told.Trying, s.told.Expected = now.name, s.told.Fits+points*s.v.Folds+s.ahead
	s.mu.Unlock()
	if !now.whole {
		limit := s.limit
		number := len(s.stages) - 1
		whole, err := k.fit(checkpoint.InSubrun(s.ctx, number), &limit, s.keep)
		if err != nil {
			return err
		}
		if !whole {
			s.Status = k.Status
		}
		s.keep.finished(func() {
			now.whole = whole
			if whole {
				checkpoint.DropSubrun(s.ctx, number)
				for f := range now.folds {
					now.folds[f].weights = nil // which nothing needs any more
				}
			}
		})
	}
	measured := len(lambdas)
	for f := range now.folds {
		if c.Solver == Logistic {
			s.Missed += now.folds[f].missed
			s.Fits += now.folds[f].done
		}
		measured = min(measured, now.folds[f].done)
	}
	for p := range measured {
		s.add(c, lambdas[p], now.values[p], now.costs[p])
	}
	return nil
}

// add takes note of a candidate that was measured on all folds.
func (s *search) add(c Candidate, lambda float64, values []float64, costs []cost) {
	c.Lambda = lambda
	t := Trial{Candidate: c, Values: slices.Clone(values)}
	t.Mean, t.Error = moments(t.Values)
	for _, v := range costs {
		t.Epochs += v.passes
		t.Seconds += v.seconds
	}
	s.Tried = append(s.Tried, t)
	s.mu.Lock()
	defer s.mu.Unlock()
	if best := s.bestOf(0); best == len(s.Tried)-1 {
		s.told.Best = &s.Tried[best]
	}
}

// restored returns a stage that continues from its saved state.
func (s *search) restored(k *crossing, now, from *stage) (*stage, error) {
	if from.name != now.name || !slices.Equal(from.lambdas, now.lambdas) {
		return nil, fmt.Errorf("related: %w: its searches took another way: %s where there should be %s", solvers.ErrResume, from.name, now.name)
	}
	k.Values, k.costs, k.folds = from.values, from.costs, from.folds
	return from, nil
}

// state visits all that was measured.
func (s *search) state(c *checkpoint.Coder) {
	count := len(s.stages)
	c.Count(&count, mostStages)
	for k := 0; k < count && c.Err() == nil; k++ {
		if c.Restoring() {
			s.saved = append(s.saved, &stage{})
			s.saved[k].state(c, s.v.Folds, s.p.X.Cols())
			continue
		}
		s.stages[k].state(c, s.v.Folds, s.p.X.Cols())
	}
}

func (s *stage) state(c *checkpoint.Coder, folds, columns int) {
	c.Text(&s.name)
	count := len(s.lambdas)
	c.Count(&count, mostLambdas)
	c.Bool(&s.whole)
	if c.Err() != nil {
		return
	}
	if c.Restoring() {
		s.lambdas, s.folds = make([]float64, count), make([]foldState, folds)
		for range count {
			s.values, s.costs = append(s.values, make([]float64, folds)), append(s.costs, make([]cost, folds))
		}
	}
	c.Floats(s.lambdas)
	for k := range s.values {
		c.Floats(s.values[k])
		for f := range s.costs[k] {
			c.Float64(&s.costs[k][f].passes)
			c.Float64(&s.costs[k][f].seconds)
		}
	}
	for f := range s.folds {
		if c.Restoring() {
			s.folds[f].chain = chain{0, count}
		}
		if c.Restoring() && !s.whole && c.Err() == nil {
			s.folds[f].weights = make([]float64, columns)
		}
		s.folds[f].state(c, count)
	}
}
