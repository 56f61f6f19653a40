package loss

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// logLink is what the losses of targets with a mean exp(z) have in common. Their second derivative has
// no bound, and its logarithm is Lipschitz with 1. The first element of their Bends is the sum of the
// second derivatives, and the second one what that may be too low. They have no parameter unless they say so.
type logLink struct{}

func (logLink) Labels() bool { return false }

func (logLink) Odds() bool { return false }

func (logLink) Parameter() float64 { return 0 }

func (logLink) Valid() error { return nil }

func (logLink) Quadratic() bool { return false }

// Start is the best intercept without offsets. Where all y are 0, they count as half a row of 1. It
// is 0 where the mean of exp(o) is beyond float64.
func (logLink) Start(mean, offset float64, n int) float64 {
	if mean == 0 {
		mean = 0.5 / float64(n)
	}
	rate := mean / offset
	if !(rate > 0) || math.IsInf(rate, 1) {
		return 0
	}
	return kernels.LogOf(rate)
}

// Mean is the inverse of the link.
func (logLink) Mean(z float64) float64 { return kernels.ExpOf(z) }

func (logLink) Means(means, z []float64) { direct.Exp(means, z) }

// Peak: the second derivative has no bound; see Levels.
func (logLink) Peak() float64 { return math.Inf(1) }

func (logLink) Rate() float64 { return 1 }

// Even: exp changes so, and phi” is made of exp(z) and exp(-z) by factors that change no quicker.
func (logLink) Even() bool { return true }

func (logLink) Centre(float64) float64 { return 0 }

// SlopeError: the logarithm of phi” is Lipschitz with 1.
func (logLink) SlopeError(_, dz, _, size, c, h float64) float64 {
	if !(dz < 1) {
		return math.Inf(1)
	}
	steepest := float64(float64(math.Abs(h)*(1+float64(2*dz)))*Slack) + direct.Tiny
	return slopeError(steepest, dz, size, c) + float64(4*direct.Unit*math.Abs(h))
}

// Reach is the logistic loss's: second derivatives fall by exp(-reach) at most.
func (logLink) Reach(z, dz, y, size, h float64) (reach, least float64) {
	return Logistic{}.Reach(z, dz, y, size, h)
}

// Shift: the logarithm of phi” is Lipschitz with 1, for the true margins too.
func (logLink) Shift(t Bends, rows Rows, slope float64) float64 {
	if !(rows.Moved < 1) {
		return math.Inf(1)
	}
	return lipschitzShift(slope, float64((t[0]/(Slack*rows.N)-rows.Lost)*(1-rows.Moved)))
}

// Most: exp(x) <= 1+2x for x up to 1.
func (logLink) Most(t Bends, rows Rows, far float64) float64 {
	t[0] += t[1]
	if far += rows.Moved; !(far <= 1) {
		return math.Inf(1)
	}
	return float64((float64(Slack*t[0]/rows.N) + rows.Lost) * (1 + float64(2*far)))
}

func (logLink) ExactWork() int { return 512 }

// ExactSlopeError: the terms of the slope err by a unit of themselves or of the slope, and exp(d) <=
// 1+2d for d up to 1.
func (logLink) ExactSlopeError(second, size, unit *big.Float) {
	moved := new(big.Float).Mul(size, unit)
	if moved.Cmp(big.NewFloat(1)) > 0 {
		second.SetInf(false)
		return
	}
	second.Mul(second, new(big.Float).Add(size, big.NewFloat(1)))
	moved.Mul(moved, big.NewFloat(2))
	second.Mul(second, moved.Add(moved, big.NewFloat(1+0x1p-20)))
}

// deviance is a loss whose values and slopes are computed for many rows at a time.
type deviance interface {
	Recurring
	// rows sets values[i] to phi and slopes[i] to its slope, given Parts. The latter are neither of them.
	rows(values, slopes, z, y, parts []float64)
}

// rowBlock is the number of rows whose values, slopes, margins, targets and weights go to the nearest
// cache together.
const rowBlock = 512

// deviances sets c[i] to s_i times the slope of row i, if c is not nil, and returns the sum of s_i phi. c may
// be z. Nil parts are computed.
func deviances[L deviance](l L, c, z, y, parts, s []float64) float64 {
	sum := 0.0
	eachBlock(l, z, y, parts, func(first, end int, values, slopes []float64) {
		if c == nil {
			sum += weigh(nil, slopes, values, direct.Weights(s, first, end))
		} else {
			sum += weigh(c[first:end], slopes, values, direct.Weights(s, first, end))
		}
	})
	return sum
}

// eachBlock calls use for the values and slopes of blocks of rows, which are its to overwrite.
func eachBlock[L deviance](l L, z, y, parts []float64, use func(first, end int, values, slopes []float64)) {
	most := min(rowBlock, len(z))
	work := direct.Borrow(3 * most)
	defer direct.Return(work)
	for first := 0; first < len(z); first += rowBlock {
		end := min(first+rowBlock, len(z))
		n := end - first
		values, slopes, known := work[:n], work[most:most+n], work[2*most:2*most+n]
		if parts != nil {
			known = parts[first:end]
		} else {
			l.Parts(known, y[first:end])
		}
		l.rows(values, slopes, z[first:end], y[first:end], known)
		use(first, end, values, slopes)
	}
}

// valuesOf is Values for a deviance.
func valuesOf[L deviance](l L, values, z, y, parts []float64) {
	eachBlock(l, z, y, parts, func(first, _ int, own, _ []float64) { copy(values[first:], own) })
}

// weigh sets c[i] to s_i slopes[i], if c is not nil, and returns the sum of s_i values[i]. A row of
// weight 0 adds 0, even if its numbers are not finite. It overwrites slopes and values.
func weigh(c, slopes, values, s []float64) float64 {
	for i, weight := range s {
		if weight == 0 {
			slopes[i], values[i] = 0, 0
		}
	}
	switch {
	case c == nil:
	case s == nil:
		copy(c, slopes)
	default:
		direct.Mul(c, slopes, s)
	}
	if s == nil {
		return kernels.Sum(values)
	}
	return direct.Dot(values, s)
}

// weighCurvature multiplies derivatives by s_i, 0 where s_i is 0.
func weighCurvature(h, third, s []float64) {
	weighAll(h, s)
	weighAll(third, s)
}

// aboveZero has all bits set for y above 0, and none for 0: a choice without a branch, as counts of 0 come
// in no order that a processor foresees.
func aboveZero(y float64) uint64 {
	bits := int64(math.Float64bits(y) << 1)
	return uint64((bits | -bits) >> 63)
}

// where returns x if the mask of aboveZero is set, else 0.
func where(mask uint64, x float64) float64 { return math.Float64frombits(math.Float64bits(x) & mask) }

// logsOf sets logs[i] to log y_i, and to 0 where y_i is 0.
func logsOf(logs, y []float64) {
	logs = logs[:len(y)]
	one := math.Float64bits(1)
	for i, v := range y {
		logs[i] = math.Float64frombits(math.Float64bits(v)&aboveZero(v) | one&^aboveZero(v))
	}
	direct.Log(logs, logs)
}

// taylor returns value with a bound of its error, where the margin errs by dz up to 1. slope bounds
// |phi'|, and bend phi”, whose logarithm is Lipschitz with 1: exp(dz) - 1 - dz <= dz^2.
func taylor(value, slope, bend, dz float64) (v, err float64) {
	return value, float64((slope+float64(4*direct.Unit*bend)+float64(bend*dz))*dz) + float64(32*direct.Unit*value)
}

// farthestLog returns the largest |log y| of rows with y above 0 and a weight that is not 0.
func farthestLog(y, s []float64) float64 {
	// The bits of numbers grow as the numbers do. Those of 0, less 1, are above all others.
	least, most := uint64(math.MaxUint64), uint64(0)
	for i, v := range y {
		if s != nil && s[i] == 0 {
			continue
		}
		bits := math.Float64bits(v) &^ (1 << 63)
		least, most = min(least, bits-1), max(most, bits)
	}
	if most == 0 {
		return 0
	}
	far := func(bits uint64) float64 { return math.Abs(kernels.LogOf(math.Float64frombits(bits))) }
	return max(far(least+1), far(most))
}

// distance returns t = z - log y, log y, and the error of a margin with that of t in it.
func distance(z, dz, y float64) (t, log, err float64) {
	log = kernels.LogOf(y)
	return z - log, log, dz + float64(4*direct.Unit*(math.Abs(z)+math.Abs(log)))
}

// exponentialRest returns exp(t) - 1 - t with a relative error below 2^-49: by its series near 0,
// where the difference would lose digits.
func exponentialRest(t float64) float64 {
	if math.Abs(t) > 0.5 {
		return (kernels.ExpOf(t) - 1) - t
	}
	sum := 1.0
	for k := 18; k > 2; k-- {
		sum = 1 + float64(t/float64(k)*sum)
	}
	return float64(float64(0.5*t)*t) * sum
}

// farthest is where exp(z) stands for larger ones: both are beyond float64 by far.
const farthest = 0x1p15

func clamped(z *big.Float) *big.Float {
	if most := bigmath.Of(z.Prec(), farthest); z.Cmp(most) > 0 {
		return most
	}
	return z
}

// wide returns x in three times a precision: near t = 0 the difference exp(t) - 1 - t loses as many
// digits as t^2 has zeros.
func wide(precision uint, x *big.Float) *big.Float {
	return new(big.Float).SetPrec(3*precision + 64).Set(x)
}

// exactDistance returns z - log y in the precision of wide.
func exactDistance(z, y *big.Float) *big.Float {
	t := wide(z.Prec(), z)
	return t.Sub(t, bigmath.Log(wide(z.Prec(), y)))
}

// exactRest returns exp(t) - 1 - t to about a third of the digits of t.
func exactRest(t *big.Float) *big.Float {
	t = clamped(t)
	rest := new(big.Float).SetPrec(t.Prec()).Set(t)
	if t.MantExp(nil) < -int(t.Prec()-64)/3 {
		rest.Mul(rest, t)
		return rest.Mul(rest, bigmath.Of(t.Prec(), 0.5))
	}
	rest.Sub(bigmath.Exp(t), bigmath.Of(t.Prec(), 1))
	return rest.Sub(rest, t)
}

// reachOfLog adds y + |log y| to v, which bounds |z - log y|.
func reachOfLog(v, y *big.Float) {
	v.Add(v, y)
	v.Add(v, new(big.Float).Abs(bigmath.Log(y)))
}
