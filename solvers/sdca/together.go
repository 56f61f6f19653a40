package sdca

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Together is Prox-SDCA on several classes against the rest at once, with the logistic
// loss: a step takes one row for all classes. The weights of a column stand beside one
// another, so that a row is read once for all, and each of its entries meets a few
// cache lines that are used in full. Rows are left out as in Prox, where their parts of
// the gap are small for all classes.
type Together struct {
	X *sparse.Matrix
	// Class is the class of each row; the problems are those of the classes from First
	// to First+Count-1.
	Class        []uint32
	First, Count int
	Lambda       float64
}

// togetherShare is the share of the gaps in sum that may be left after fullEvery
// passes, mostTogether the most passes. A pass of a class costs a third of one by
// itself, so that Together may go on for longer than Hybrid: 0.75 in place of 0.27
// takes 0.75 of the time on news20.multi.
const (
	togetherShare = 0.75
	mostTogether  = 48
)

// doneEvery is after how many rows the context is asked.
const doneEvery = 1024

type together struct {
	Together
	a, u     []float64 // the dual variables and their logits, row by row
	q        []float64 // ||x||^2/(lambda n)
	w        []float64 // the weights, column by column
	z, c     []float64 // of one row
	sum, low []float64 // by class: the parts of the gap met in this pass; below that rows are left out
	last     []float64 // the sums of the pass before
	one      [1]uint32
	to       accuracy
	passes   int
	steps    int64 // on rows
}

// Solve runs passes until every class should have a gap of at most
// settings.GapTolerance, or until the passes become slow. It returns a result for each class, of status Converged where
// the certified gap or gradient is within its target and BudgetReached elsewhere: go on
// from its weights. It uses GapTolerance, GradientTolerance, MaxPasses and Seed of the
// settings alone, and one goroutine. A done context ends it early.
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
	case !(t.Lambda > 0) || math.IsInf(t.Lambda, 0):
		return nil, fmt.Errorf("sdca: lambda is %v; dual methods need it positive", t.Lambda)
	}
	settings, err := engine.Check(settings, t.X.Cols())
	if err != nil {
		return nil, err
	}
	n, k := t.X.Rows(), t.Count
	s := &together{
		Together: t, a: make([]float64, n*k), u: make([]float64, n*k), q: t.X.SquaredNorms(), w: make([]float64, t.X.Cols()*k),
		z: make([]float64, k), c: make([]float64, k), sum: make([]float64, k), low: make([]float64, k), last: make([]float64, k),
	}
	unit := 1 / (t.Lambda * float64(n))
	mean := 0.0
	for i := range s.q {
		if s.q[i] = float64(s.q[i] * unit); math.IsInf(s.q[i], 0) {
			return nil, fmt.Errorf("sdca: %w", tooLong(i))
		}
		mean += s.q[i] / float64(n)
	}
	s.to = accuracyFor(mean)
	s.run(ctx, settings, unit)
	return s.certify(settings), nil
}

func (s *together) run(ctx context.Context, settings solvers.Settings, unit float64) {
	random, order := engine.NewRandom(settings.Seed), engine.NewOrder(len(s.q))
	before, near := math.Inf(1), false
	most := int(min(mostTogether, settings.MaxPasses))
	for s.passes < most && ctx.Err() == nil {
		full := near || s.passes%fullEvery == 0
		if full {
			order.All()
		}
		if !s.pass(ctx, &order, random, unit) {
			return
		}
		total, worst := s.expect()
		if math.IsNaN(total) || math.IsInf(total, 0) {
			return // certify says so
		}
		near = worst <= settings.GapTolerance
		if full {
			if near || total > togetherShare*before {
				return
			}
			before = total
		}
	}
}

// pass takes the rows of a pass, and tells whether the context let it.
func (s *together) pass(ctx context.Context, order *engine.Order, random *engine.Random, unit float64) bool {
	s.sum, s.last = s.last, s.sum
	clear(s.sum)
	order.Begin(random)
	for taken := 0; !order.Ended(); taken++ {
		if taken%doneEvery == doneEvery-1 && ctx.Err() != nil {
			return false
		}
		order.Next(s.step(order.Row(), unit))
		s.steps++
	}
	s.passes++
	return true
}

// expect returns the gaps in sum that a pass met, and the largest that its end lets expect.
// It sets how small a row's part has to be for the row to leave.
func (s *together) expect() (total, worst float64) {
	for k, v := range s.sum {
		s.low[k] = leaveShare * v / float64(len(s.q))
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
func (s *together) step(i uint32, unit float64) (stays bool) {
	k := s.Count
	clear(s.z)
	s.one[0] = i
	direct.Must(s.X.AddMulMatrix(s.z, s.one[:], s.w, k))
	own := int(s.Class[i]) - s.First
	a, u := s.a[int(i)*k:][:k], s.u[int(i)*k:][:k]
	moved := false
	for j, z := range s.z {
		y := -1.0
		if j == own {
			y = 1
		}
		d := dualRow{a: a[j], u: u[j], q: s.q[i]}
		part := float64(d.logistic(float64(y*z), s.to) * unit)
		s.sum[j] += part
		stays = stays || part >= s.low[j]
		step := d.a - a[j]
		a[j], u[j] = d.a, d.u
		s.c[j] = float64(float64(y*unit) * step)
		moved = moved || step != 0
	}
	if moved {
		direct.Must(s.X.AddOuter(s.w, s.one[:], s.c, k))
	}
	return stays
}
