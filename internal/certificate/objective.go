package certificate

import (
	"iter"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// Rows gives the entries of a row: columns and values.
type Rows interface {
	Row(i int) iter.Seq2[int, float64]
}

// Sums holds sums over rows, as Losses computes them: the losses in double length, their
// absolute values, and bounds of the errors of the single losses. Sums of disjoint rows may be
// added element by element.
type Sums [4]float64

// The elements of Sums.
const (
	sumHigh = iota
	sumLow
	sumAbsolute
	sumErrors
)

// Losses adds s_i phi(x_i'w + o_i, y_i) of len(y) rows, from row first of x on, to t; nil s means
// ones, nil o means zeros. Of p it reads Loss and Delta. Margins are compensated sums, in
// portable code.
func (p *Problem) Losses(t *Sums, x Rows, first int, y, s, o, w []float64) {
	l := p.Loss
	for k, label := range y {
		if weight := direct.Weight(s, k); weight != 0 {
			value, err := lossOf(l, x.Row(first+k), label, direct.Offset(o, k), w)
			t.add(weight, value, err)
		}
	}
}

// add adds a multiple of a loss. err bounds the loss's error.
func (t *Sums) add(weight, loss, err float64) {
	product := float64(weight * loss)
	t[sumHigh], t[sumLow] = direct.Plus(t[sumHigh], t[sumLow], product, math.FMA(weight, loss, -product))
	t[sumAbsolute] += math.Abs(product)
	t[sumErrors] += float64(math.Abs(weight)*err) + direct.Tiny
}

// lossOf returns phi(x'w + o, y) of a loss l and a bound of its error. The margin less the centre
// is one compensated sum, so that large targets cost no digits.
func lossOf(l loss.Loss, row iter.Seq2[int, float64], y, o float64, w []float64) (value, err float64) {
	r, dr := margin(row, w, -l.Centre(y), o)
	value, err = l.Value(r, dr, y)
	return value, float64(slack*err) + 4*direct.Tiny
}

// margin computes x'w and some more terms by a compensated sum, and a bound of its error.
func margin(row iter.Seq2[int, float64], w []float64, more ...float64) (z, dz float64) {
	high, low, absolute, terms := 0.0, 0.0, 0.0, 0
	for _, v := range more {
		if v != 0 {
			high, low = direct.Plus(high, low, v, 0)
			absolute += math.Abs(v)
			terms++
		}
	}
	for j, x := range row {
		product := float64(x * w[j])
		high, low = direct.Plus(high, low, product, math.FMA(x, w[j], -product))
		absolute += math.Abs(product)
		terms++
	}
	z = high + low
	return z, float64(2*direct.Unit*math.Abs(z)) + direct.Lost(terms, absolute)
}

// objective returns the mean of the losses of n rows plus the penalty of w, and a bound of its
// error. The sums were added up in levels additions one after the other.
func (t *Sums) objective(n, levels int, w []float64, p penalty.Compensated) (value, err float64) {
	count := float64(n)
	sum := t[sumHigh] + t[sumLow]
	mean := sum / count
	added, more := p.Compensated(w)
	value = mean + added
	err = (t[sumErrors]+direct.Lost(n, t[sumAbsolute])+float64(float64(levels)*direct.Unit*t[sumAbsolute]))/count +
		more + float64(8*direct.Unit*(math.Abs(mean)+math.Abs(added))) + 8*direct.Tiny
	return value, float64(slack * err)
}

// Settle puts P(w) by compensated sums into an evaluation of w, where that errs by less than
// the objective that stands there. p is the penalty of the weights in held, nil for none; without
// Compensated the evaluation stays. A gap that was computed from the objective, as fromValue
// says, follows.
func (t *Sums) Settle(e *run.Evaluation, n, levels int, held []float64, p penalty.Penalty, fromValue bool) {
	if p == nil {
		p = penalty.Ridge{}
	}
	sum, is := p.(penalty.Compensated)
	if !is {
		return
	}
	value, err := t.objective(n, levels, held, sum)
	if value-value != 0 || err-err != 0 || err >= e.ObjectiveError {
		return
	}
	if fromValue {
		// The gap is Objective + ObjectiveError - lower, whose three roundings are added back.
		before, after := e.Objective+e.ObjectiveError, value+err
		rounding := float64(4 * direct.Unit * (math.Abs(before) + math.Abs(after) + math.Abs(e.Gap)))
		if gap := max(e.Gap-(before-after)+rounding, 0); gap < e.Gap {
			e.Gap = gap
		}
	}
	e.Objective, e.ObjectiveError = value, err
}

// objectiveBlock is the number of rows of a block of Objective.
const objectiveBlock = 1 << 10

// objectiveTask sums up blocks of rows.
type objectiveTask struct {
	p    *Problem
	w    []float64
	sums []Sums
}

func (t *objectiveTask) Block(k int) {
	first, end := k*objectiveBlock, min((k+1)*objectiveBlock, len(t.p.Y))
	var sum Sums // of one worker alone, until it is done
	t.p.Losses(&sum, t.p.X, first, t.p.Y[first:end], direct.Weights(t.p.SampleWeight, first, end), direct.Weights(t.p.Offset, first, end), t.w)
	t.sums[k] = sum
}

// Objective is Settle for a problem whose rows are at hand, at the cost of a sweep of
// portable code.
func (p *Problem) Objective(e *run.Evaluation, w []float64, fromValue bool) {
	blocks := (len(p.Y) + objectiveBlock - 1) / objectiveBlock
	t := objectiveTask{p, w, make([]Sums, blocks)}
	matrix.Run(p.Pool, blocks, &t)
	joined(t.sums).Settle(e, len(p.Y), 0, risk.Held(&p.Problem, w), p.Penalty, fromValue)
}

// joined adds up the sums of blocks, their losses in double length.
func joined(blocks []Sums) *Sums {
	total := new(Sums)
	for _, b := range blocks {
		total[sumHigh], total[sumLow] = direct.Plus(total[sumHigh], total[sumLow], b[sumHigh], b[sumLow])
		total[sumAbsolute] += b[sumAbsolute]
		total[sumErrors] += b[sumErrors]
	}
	return total
}

// Settle is run.Run.Settle for mean losses with a squared norm.
func (b *Bounds) Settle(w []float64, e run.Evaluation) run.Evaluation {
	b.p.Objective(&e, w, false)
	return e
}
