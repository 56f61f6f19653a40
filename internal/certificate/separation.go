package certificate

import (
	"cmp"
	"iter"
	"math"
	"math/big"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// Separation looks for a direction v that separates the rows. For every row of positive weight
// x_i'v has the sign of the loss's Side, or is 0. For at least one of them it is not 0. Along v no
// loss of a row grows, so the mean loss without a penalty has no minimum. Exact arithmetic proves
// such a direction. nil means that Separation found no direction, or that the loss is not Receding.
// Where the penalty bounds weights, no v_j leads to a bound: the weights may move along v for ever.
//
// Separation begins with single columns, then tries each of the targets. It forces rows on the
// wrong side of a target onto the plane x_i'v = 0. Rows of the largest loss at the margins z come
// first. The direction is rounded to float64. A pass over the entries costs as much as a product. A
// target takes one pass for each row that was forced, and a limited number of exact operations.
func Separation(p *risk.Problem, z []float64, targets ...[]float64) []float64 {
	receding, is := p.Loss.(loss.Receding)
	if !is {
		return nil
	}
	s := &separator{p: p, lengths: make([]float64, p.X.Cols()), sides: make([]int8, len(p.Y))}
	for i, y := range p.Y {
		s.sides[i] = int8(receding.Side(y))
	}
	s.limit()
	if v := s.singleColumn(); v != nil {
		return v
	}
	for k := range s.limits { // at once, as their planes are the simplest
		s.order = append(s.order, uint32(len(p.Y)+k))
	}
	first := len(s.order)
	wrong := make([]float64, len(z)) // how far margins are on the wrong side
	for i := range z {
		if s.counts(i) {
			s.order, wrong[i] = append(s.order, uint32(i)), -float64(float64(s.sides[i])*z[i])
		}
	}
	slices.SortStableFunc(s.order[first:], func(a, b uint32) int { return cmp.Compare(wrong[b], wrong[a]) })
	for _, target := range targets {
		if v := s.from(target); v != nil {
			return v
		}
	}
	return nil
}

// separator is a search for a direction.
type separator struct {
	p       *risk.Problem
	sides   []int8    // of the rows, then of the limits
	limits  []int     // columns whose v_j has a side, as rows behind those of X: of 1 in the column
	order   []uint32  // rows that count, and the limits
	lengths []float64 // of the columns

	rounded []float64 // the target
	planes  []plane
	work    int64

	v       []float64          // the direction, rounded
	inexact map[int]*big.Float // its elements that rounding changed, times scale
	scale   *big.Float
}

// plane is a row of a reduced echelon form: v_pivot is minus the sum of v_j entries_j.
type plane struct {
	pivot   int
	entries map[int]*big.Rat
}

// Limits of a target: on rows that are forced, and on exact operations times their size in words.
const mostPlanes, mostWork = 256, 1 << 25

func (s *separator) counts(i int) bool { return direct.Weight(s.p.SampleWeight, i) > 0 }

// limit finds the sides of v_j that bounds of weights leave: beside both bounds v_j is 0.
func (s *separator) limit() {
	confined, is := s.p.Penalty.(penalty.Confined)
	if !is {
		return
	}
	columns := len(s.lengths)
	if s.p.Intercept {
		columns--
	}
	for j := range columns {
		lower, upper := confined.Interval(j)
		if !math.IsInf(lower, 0) {
			s.limits, s.sides = append(s.limits, j), append(s.sides, 1)
		}
		if !math.IsInf(upper, 0) {
			s.limits, s.sides = append(s.limits, j), append(s.sides, -1)
		}
	}
}

// row returns the entries of a row of X, or of a limit.
func (s *separator) row(i int) iter.Seq2[int, float64] {
	if i < len(s.p.Y) {
		return s.p.X.Row(i)
	}
	return func(yield func(int, float64) bool) { yield(s.limits[i-len(s.p.Y)], 1) }
}

// singleColumn finds a column whose entries all have the sign of their sides, or all the other
// sign. It computes the lengths of the columns.
func (s *separator) singleColumn() []float64 {
	const plus, minus = 1, 2
	seen := make([]uint8, len(s.lengths))
	for i, side := range s.sides[:len(s.p.Y)] {
		if !s.counts(i) {
			continue
		}
		for j, x := range s.p.X.Row(i) {
			switch {
			case x == 0:
			case side == 0:
				seen[j] |= plus | minus
			case (x > 0) == (side > 0):
				seen[j] |= plus
			default:
				seen[j] |= minus
			}
			s.lengths[j] = math.FMA(x, x, s.lengths[j])
		}
	}
	for j, v := range s.lengths {
		s.lengths[j] = math.Sqrt(v)
	}
	barred := make([]uint8, len(seen)) // by bounds
	for k, j := range s.limits {
		if s.sides[len(s.p.Y)+k] > 0 {
			barred[j] |= minus
		} else {
			barred[j] |= plus
		}
	}
	for j, sides := range seen {
		if (sides == plus || sides == minus) && sides&barred[j] == 0 {
			v := make([]float64, len(seen))
			if v[j] = 1; sides == minus {
				v[j] = -1
			}
			return v
		}
	}
	return nil
}

// from looks for a direction near a target.
func (s *separator) from(target []float64) []float64 {
	s.round(target)
	s.planes, s.work = s.planes[:0], 0
	for s.direction() {
		wrong, right := s.wrongRow()
		switch {
		case wrong < 0 && right:
			return s.v
		case wrong < 0 || len(s.planes) == mostPlanes || !s.force(wrong):
			return nil
		}
	}
	return nil
}

// round rounds the target to 2^-20 of its largest part of a margin. Values that are nearly 0 become
// 0, and exact numbers stay short.
func (s *separator) round(target []float64) {
	largest := 0.0
	for j, v := range target {
		largest = max(largest, math.Abs(v)*s.lengths[j])
	}
	s.rounded = make([]float64, len(target))
	for j, v := range target {
		if length := s.lengths[j]; length > 0 && largest-largest == 0 {
			_, e := math.Frexp(largest / length)
			unit := math.Ldexp(1, e-20)
			if r := math.Round(v / unit); r-r == 0 {
				s.rounded[j] = r * unit
			}
		}
	}
}

// direction computes v: the target, with the pivots that keep it on all planes. It returns false
// where v is 0.
func (s *separator) direction() bool {
	s.v = slices.Clone(s.rounded)
	for _, l := range s.planes {
		s.v[l.pivot] = 0
	}
	common := big.NewInt(1)
	values := make([]*big.Rat, len(s.planes))
	for k, l := range s.planes {
		sum := new(big.Rat)
		for j, x := range l.entries {
			if v := s.v[j]; v != 0 {
				sum.Sub(sum, new(big.Rat).Mul(x, new(big.Rat).SetFloat64(v)))
			}
		}
		values[k] = sum
	}
	exact := true
	for _, v := range values {
		if _, is := v.Float64(); !is {
			exact = false
			g := new(big.Int).GCD(nil, nil, common, v.Denom())
			common.Mul(common, new(big.Int).Quo(v.Denom(), g))
		}
	}
	s.inexact, s.scale = nil, nil
	if !exact {
		s.inexact, s.scale = map[int]*big.Float{}, new(big.Float).SetInt(common)
	}
	for k, l := range s.planes {
		f, is := values[k].Float64()
		if s.v[l.pivot] = f; !is {
			n := new(big.Int).Mul(values[k].Num(), new(big.Int).Quo(common, values[k].Denom()))
			s.inexact[l.pivot] = new(big.Float).SetInt(n)
		}
	}
	return slices.ContainsFunc(s.v, func(v float64) bool { return v != 0 })
}

// wrongRow returns the first row that v moves away from its side, -1 for none, and whether v moves a
// row to its side.
func (s *separator) wrongRow() (wrong int, right bool) {
	for _, i := range s.order {
		switch sign := s.sign(int(i)); sign {
		case 0:
		case int(s.sides[i]):
			right = right || int(i) < len(s.p.Y)
		default:
			return int(i), right
		}
	}
	return -1, right
}

// sign returns the sign of x_i'v.
func (s *separator) sign(i int) int {
	z, size, terms, exact := 0.0, 0.0, 0, true
	for j, x := range s.row(i) {
		v := s.v[j]
		if v == 0 || x == 0 {
			continue
		}
		product := float64(x * v)
		sum := z + product
		back := sum - z
		if math.FMA(x, v, -product) != 0 || (z-(sum-back))+(product-back) != 0 || math.Abs(product) < 0x1p-900 || s.inexact[j] != nil {
			exact = false
		}
		z, size, terms = sum, size+math.Abs(product), terms+1
	}
	if size-size != 0 {
		return s.exactSign(i)
	}
	// Each product errs by 2u with the rounding of v, each sum by u.
	if exact || math.Abs(z) > float64(slack*float64(float64(terms+4)*direct.Unit)*size)+float64(float64(terms)*0x1p-1000) {
		return cmp.Compare(z, 0)
	}
	return s.exactSign(i)
}

// exactSign is sign without rounding.
func (s *separator) exactSign(i int) int {
	prec := uint(4400) // of a product of two float64, whatever their exponents
	if s.scale != nil {
		prec += s.scale.MinPrec()
		for _, v := range s.inexact {
			prec = max(prec, 4400+v.MinPrec())
		}
	}
	free, forced := new(big.Float).SetPrec(prec), new(big.Float).SetPrec(prec)
	product := new(big.Float).SetPrec(prec)
	for j, x := range s.row(i) {
		if v := s.inexact[j]; v != nil {
			forced.Add(forced, product.Mul(new(big.Float).SetFloat64(x), v))
		} else if s.v[j] != 0 && x != 0 {
			free.Add(free, product.Mul(new(big.Float).SetFloat64(x), new(big.Float).SetFloat64(s.v[j])))
		}
	}
	if s.scale != nil {
		free.Mul(free, s.scale)
	}
	return free.Add(free, forced).Sign()
}

// force adds the plane of a row. It returns false if that takes too much work.
func (s *separator) force(i int) bool {
	row := map[int]*big.Rat{}
	for j, x := range s.row(i) {
		if x != 0 {
			row[j] = new(big.Rat).SetFloat64(x)
		}
	}
	for _, l := range s.planes {
		s.eliminate(row, l)
	}
	pivot, largest := -1, -1.0
	for j, x := range row {
		f, _ := x.Float64()
		if size := math.Abs(f) / s.lengths[j]; size > largest || size == largest && j < pivot {
			pivot, largest = j, size
		}
	}
	if pivot < 0 || s.work > mostWork {
		return false
	}
	by := row[pivot]
	delete(row, pivot)
	for _, x := range row {
		x.Quo(x, by)
	}
	next := plane{pivot, row}
	for _, l := range s.planes {
		s.eliminate(l.entries, next)
	}
	s.planes = append(s.planes, next)
	return s.work <= mostWork
}

// eliminate takes the pivot of a plane out of a row.
func (s *separator) eliminate(row map[int]*big.Rat, l plane) {
	by := row[l.pivot]
	if by == nil || s.work > mostWork {
		return
	}
	delete(row, l.pivot)
	for j, x := range l.entries {
		product := new(big.Rat).Mul(by, x)
		words := int64(product.Num().BitLen()+product.Denom().BitLen())/64 + 1
		s.work += 4 + words*words
		if old := row[j]; old != nil {
			product.Sub(old, product)
		} else {
			product.Neg(product)
		}
		if row[j] = product; product.Sign() == 0 {
			delete(row, j)
		}
	}
}
