package element

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// PairBlockKernels compare the scores s of a sample with the scores of many positives in one call.
// There are p positives, a multiple of 8 above 0, and every slice over them has that length. A sum
// over the sample belongs to one positive and runs in increasing j from +0. A sum over the
// positives belongs to one element of the sample: positive i goes to lane i mod 8, in increasing i
// from +0, and the lanes are summed as rows.Kernels.Dot sums them. No slice that is written
// overlaps another one.
type PairBlockKernels struct {
	// Hinge: t = s[j]+shift[i], or +0 where t < 0; part[j*p+i] = t;
	// value[i] = fma(t, t, value[i]); slope[i] = slope[i] + t.
	Hinge func(part, value, slope, s, shift []float64)
	// Logistic: q = sigmoid(scale*(s[j]-center[i])); v = q*(1-q);
	// part[j*p+i] = v; value[i] = value[i] + q; slope[i] = slope[i] + v.
	Logistic func(part, value, slope, s, center []float64, scale float64)
	// Exponents: dst[i] = exp(scale*(x[i]-middle)). dst may be x.
	Exponents func(dst, x []float64, middle, scale float64)
	// Odds is Logistic with q = 1/fma(e[j], o[i], 1), the sigmoid's value where
	// e[j] o[i] is the odds against it.
	Odds func(part, value, slope, e, o []float64)
	// Add: c[j] = c[j] + the sum over i by acc = fma(part[j*p+i], a[i], acc).
	Add func(c, part, a []float64)

	// SigmoidAbove: d = s[j]-center[i]; where d > least[i], v = sigmoid(d),
	// count[i] goes up by 1, sum[i] = sum[i] + v and acc = acc + v. The pairs that
	// are not above add nothing. Then c[j] = c[j] + the sum of acc over i.
	SigmoidAbove func(count []int, sum, c, s, center, least []float64)
	// SoftplusAbove is SigmoidAbove with v = softplus(d) and without c.
	SoftplusAbove func(count []int, sum, s, center, least []float64)

	// SigmoidOne is SigmoidAbove for one positive. It takes the elements with d = s[j]-center >
	// least. It returns the sum of their v, element j going to lane j mod 8, and their number,
	// and sets c[j] = c[j]+v.
	SigmoidOne func(c, s []float64, center, least float64) (sum float64, count int)
	// SoftplusOne is SigmoidOne with v = softplus(d) and without c.
	SoftplusOne func(s []float64, center, least float64) (sum float64, count int)

	// SlopeAbove is SigmoidAbove with v = u/(1+u)^2 for u = exp(-|scale*d|): q*(1-q)
	// of q = sigmoid(scale*d).
	SlopeAbove func(count []int, sum, c, s, center, least []float64, scale float64)
	// SlopeOdds is SlopeAbove with u = e[j]*o[i], the odds either way.
	SlopeOdds func(count []int, sum, c, s, center, least, e, o []float64)
}

var pairBlockGeneric = PairBlockKernels{
	Hinge: func(part, value, slope, s, shift []float64) {
		clear(value)
		clear(slope)
		p := len(shift)
		for j, v := range s {
			row := part[j*p:][:p]
			for i, d := range shift {
				t := v + d
				if t < 0 {
					t = 0
				}
				row[i] = t
				value[i] = math.FMA(t, t, value[i])
				slope[i] += t
			}
		}
	},
	Logistic: func(part, value, slope, s, center []float64, scale float64) {
		clear(value)
		clear(slope)
		p := len(center)
		for j, v := range s {
			row := part[j*p:][:p]
			for i, d := range center {
				q := sigmoid(float64(scale * (v - d)))
				spread := float64(q * (1 - q))
				row[i] = spread
				value[i] += q
				slope[i] += spread
			}
		}
	},
	Exponents: pairExponentsFrom(mapElements(exp)),
	Odds:      pairOddsGeneric,
	Add: func(c, part, a []float64) {
		for j := range c {
			c[j] += dot8(part[j*len(a):][:len(a)], a)
		}
	},
	SigmoidAbove: func(count []int, sum, c, s, center, least []float64) {
		clear(count)
		clear(sum)
		for j, v := range s {
			var l [8]float64
			for i, t := range least {
				if d := v - center[i]; d > t {
					q := sigmoid(d)
					count[i]++
					sum[i] += q
					l[i&7] += q
				}
			}
			c[j] += lanes.Sum8(&l)
		}
	},
	SoftplusAbove: func(count []int, sum, s, center, least []float64) {
		clear(count)
		clear(sum)
		for _, v := range s {
			for i, t := range least {
				if d := v - center[i]; d > t {
					count[i]++
					sum[i] += softplus(d)
				}
			}
		}
	},
	SigmoidOne:  pairSigmoidOne,
	SoftplusOne: pairSoftplusOne,
	SlopeAbove:  pairSlopeAbove,
	SlopeOdds:   pairSlopeOdds,
}

// pairExponentsFrom makes a kernel of the exponential of a path.
func pairExponentsFrom(exp func(dst, x []float64)) func(dst, x []float64, middle, scale float64) {
	return func(dst, x []float64, middle, scale float64) {
		for i, v := range x {
			dst[i] = float64(scale * (v - middle))
		}
		exp(dst, dst)
	}
}

// dot8 is the sum of x[i] y[i] in eight lanes.
func dot8(x, y []float64) float64 {
	var l [8]float64
	for i, v := range x {
		l[i&7] = math.FMA(v, y[i], l[i&7])
	}
	return lanes.Sum8(&l)
}

// pairSigmoidOne and pairSoftplusOne define the kernels of that name.

func pairSigmoidOne(c, s []float64, center, least float64) (sum float64, count int) {
	var l [8]float64
	for j, v := range s {
		if d := v - center; d > least {
			q := sigmoid(d)
			l[j&7] += q
			c[j] += q
			count++
		}
	}
	return lanes.Sum8(&l), count
}

func pairSoftplusOne(s []float64, center, least float64) (sum float64, count int) {
	var l [8]float64
	for j, v := range s {
		if d := v - center; d > least {
			l[j&7] += softplus(d)
			count++
		}
	}
	return lanes.Sum8(&l), count
}

// pairOddsGeneric defines PairBlockKernels.Odds.
func pairOddsGeneric(part, value, slope, e, o []float64) {
	clear(value)
	clear(slope)
	p := len(o)
	for j, v := range e {
		row := part[j*p:][:p]
		for i, w := range o {
			q := 1 / math.FMA(v, w, 1)
			spread := float64(q * (1 - q))
			row[i] = spread
			value[i] += q
			slope[i] += spread
		}
	}
}

// pairSlopeAbove and pairSlopeOdds define the kernels of that name. A slope is
// sigmoid(x) (1-sigmoid(x)) = u/(1+u)^2 for u = exp(x) as for u = exp(-x): neither
// tail cancels.

func pairSlopeAbove(count []int, sum, c, s, center, least []float64, scale float64) {
	clear(count)
	clear(sum)
	for j, v := range s {
		var l [8]float64
		for i, t := range least {
			if d := v - center[i]; d > t {
				u, _ := expNegative(math.Abs(float64(scale * d)))
				g := slopeOf(u)
				count[i]++
				sum[i] += g
				l[i&7] += g
			}
		}
		c[j] += lanes.Sum8(&l)
	}
}

func pairSlopeOdds(count []int, sum, c, s, center, least, e, o []float64) {
	clear(count)
	clear(sum)
	for j, v := range s {
		var l [8]float64
		odds := e[j]
		for i, t := range least {
			if d := v - center[i]; d > t {
				g := slopeOf(float64(odds * o[i]))
				count[i]++
				sum[i] += g
				l[i&7] += g
			}
		}
		c[j] += lanes.Sum8(&l)
	}
}

func slopeOf(u float64) float64 {
	t := 1 / (1 + u)
	return float64(float64(u*t) * t)
}
