package loss

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/definition"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// promised has what a loss promises: its definition in numbers of any precision, and the units of
// rounding that its bounds have.
type promised struct {
	l Loss
	// at returns phi and its first two derivatives in z, for the sharpest side of a kink.
	at func(z *big.Float, y float64) (value, slope, curvature *big.Float)
	// conjugate returns phi*(-a); nil without a Dual.
	conjugate func(a *big.Float, y float64) *big.Float
	units     float64 // of the error of a value whose margin is exact, over the value
	steep     float64 // the largest slope that Value takes, over the slope
	kinks     func(y float64) []float64
}

// defined is a loss that package definition defines. Its values err by so many units where margins are
// exact.
func defined(l Loss, units float64, kinks func(y float64) []float64) promised {
	at := definition.Of(l.String(), l.Parameter())
	return promised{l, func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		return at(new(big.Float).SetPrec(450).Set(z), y)
	}, nil, units, 1, kinks}
}

// dual is a loss of residuals that package definition defines, with kinks that far from y.
func dual(l Loss, conjugate func(a *big.Float, y float64) *big.Float, far float64) promised {
	p := defined(l, 4, func(y float64) []float64 { return []float64{y - far, y, y + far} })
	p.conjugate = conjugate
	return p
}

// kinked is a loss of straight lines, with the conjugate far |a| - a y.
func kinked(l Loss, far float64) promised {
	return dual(l, func(a *big.Float, y float64) *big.Float {
		return plus(times(exactly(far), new(big.Float).Abs(a)), negative(times(a, exactly(y))))
	}, far)
}

// expectileConjugate is phi*(-a) of the expectile loss: a^2/(4 w) - a y, w = t for a above 0, else 1-t.
func expectileConjugate(t float64, a *big.Float, y float64) *big.Float {
	if a.Sign() <= 0 {
		t = 1 - t
	}
	quarter := new(big.Float).SetPrec(rowPrecision).Quo(times(a, a), exactly(4*t))
	return plus(quarter, negative(times(a, exactly(y))))
}

// logOf is where a loss with a logarithmic link is 0, or a place far from there.
func logOf(y float64) []float64 { return []float64{math.Log(max(y, 1e-3))} }

// ofMean tells whether a loss is one of targets with a mean exp(z).
func ofMean(l Loss) bool { _, is := l.(Steep); return is && !l.Labels() }

// valid is a label or target that a loss takes: y, its size, or 1.
func valid(l Loss, y float64) float64 {
	for _, v := range []float64{y, math.Abs(y)} {
		if _, err := l.Check([]float64{v}); err == nil {
			return v
		}
	}
	return 1
}

func big0() *big.Float { return exactly(0) }

func negative(x *big.Float) *big.Float { return new(big.Float).Neg(x) }

func float(x *big.Float) float64 { f, _ := x.Float64(); return f }

// huberAt is the definition of Huber's loss.
func huberAt(delta float64) func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
	return func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		r := plus(z, exactly(-y))
		size := new(big.Float).Abs(r)
		if size.Cmp(exactly(delta)) <= 0 {
			return times(exactly(0.5), times(r, r)), r, exactly(1)
		}
		return times(exactly(delta), plus(size, exactly(-delta/2))), exactly(math.Copysign(delta, float64(r.Sign()))), big0()
	}
}

func halfSquareLess(a *big.Float, y float64) *big.Float {
	return plus(times(exactly(0.5), times(a, a)), negative(times(a, exactly(y))))
}

// promises lists all losses, and some parameters. A loss of all that is not here fails TestPromises.
var promises = []promised{
	{Logistic{}, func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		m := new(big.Float).SetPrec(2200).Set(z)
		if y < 0 {
			m.Neg(m)
		}
		p := bigmath.Sigmoid(clipped(negative(m)))
		return bigmath.Softplus(clipped(negative(m))), times(exactly(-y), p), times(p, bigmath.Sigmoid(clipped(m)))
	}, func(a *big.Float, y float64) *big.Float {
		q, sum := times(a, exactly(y)), big0()
		for _, v := range []*big.Float{q, plus(exactly(1), negative(q))} {
			if v.Sign() > 0 {
				sum = plus(sum, times(v, bigmath.Log(new(big.Float).SetPrec(400).Set(v))))
			}
		}
		return sum
	}, 8, 1.6, func(float64) []float64 { return []float64{0} }},
	{Squared{}, func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		r := plus(z, exactly(-y))
		return times(exactly(0.5), times(r, r)), r, exactly(1)
	}, halfSquareLess, 4, 1, func(y float64) []float64 { return []float64{y} }},
	{SquaredHinge{}, func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		m := plus(exactly(1), negative(times(z, exactly(y))))
		if m.Sign() < 0 {
			return big0(), big0(), big0()
		}
		return times(exactly(0.5), times(m, m)), times(m, exactly(-y)), exactly(1)
	}, halfSquareLess, 4, 1, func(y float64) []float64 { return []float64{y} }},
	{Huber{1}, huberAt(1), halfSquareLess, 4, 1, func(y float64) []float64 { return []float64{y - 1, y, y + 1} }},
	{Huber{0.3}, huberAt(0.3), halfSquareLess, 4, 1, func(y float64) []float64 { return []float64{y - 0.3, y, y + 0.3} }},
	{Huber{50}, huberAt(50), halfSquareLess, 4, 1, func(y float64) []float64 { return []float64{y - 50, y, y + 50} }},
	{Poisson{}, func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		return exactPoisson(new(big.Float).SetPrec(900).Set(z), y)
	}, nil, 32, 1, logOf},
	defined(Gamma{}, 32, logOf), defined(Tweedie{}, 32, logOf), defined(Tweedie{Power: 1.03}, 32, logOf), defined(Tweedie{Power: 1.9}, 32, logOf),
	dual(Expectile{}, func(a *big.Float, y float64) *big.Float { return expectileConjugate(0.9, a, y) }, 0),
	dual(Expectile{0.2}, func(a *big.Float, y float64) *big.Float { return expectileConjugate(0.2, a, y) }, 0),
	dual(SquaredInsensitive{}, func(a *big.Float, y float64) *big.Float {
		return plus(halfSquareLess(a, y), times(exactly(0.1), new(big.Float).Abs(a)))
	}, 0.1),
	dual(SquaredInsensitive{4}, func(a *big.Float, y float64) *big.Float {
		return plus(halfSquareLess(a, y), times(exactly(4), new(big.Float).Abs(a)))
	}, 4),
	kinked(Hinge{}, 0), kinked(Insensitive{}, 0.1), kinked(Insensitive{4}, 4), kinked(Quantile{}, 0), kinked(Quantile{0.9}, 0), kinked(Quantile{0.03}, 0),
	defined(NegativeBinomial{}, 160, logOf), defined(NegativeBinomial{Theta: 0.05}, 160, logOf), defined(NegativeBinomial{Theta: 40}, 160, logOf),
	linked(Probit{}), linked(Cloglog{}),
}

// linked is a loss of labels with a link of its own.
func linked(l Loss) promised {
	p := defined(l, 8, middleOf)
	at := definition.Of(l.String(), 0)
	p.at = func(z *big.Float, y float64) (value, slope, curvature *big.Float) {
		return at(new(big.Float).SetPrec(160).Set(z), y) // enough, and quicker
	}
	return p
}

// middleOf is where a label is as likely as the other one, or nearly so.
func middleOf(float64) []float64 { return []float64{0} }

// rowOf draws a margin, its error and a label or target that are hostile to a loss: at a kink, next to
// it, within the error of it, at 0, far out, and where the loss is next to 0.
func (p promised) rowOf(r *rand.Rand) (z, dz, y float64) {
	switch {
	case p.l.Labels():
		y = float64(2*r.IntN(2) - 1)
	default:
		y = []float64{0, 1, 3, 0.25, 1e6, 7 * r.Float64()}[r.IntN(6)]
		if _, err := p.l.Check([]float64{-1}); err == nil && r.IntN(2) == 0 {
			y = -y
		}
		y = valid(p.l, y)
	}
	dz = []float64{0, 0, 1e-16, 1e-12, 1e-6, 0.01, 0.1, 0.5, 0.99, 1, 3}[r.IntN(11)]
	kinks := p.kinks(y)
	kink := kinks[r.IntN(len(kinks))]
	switch r.IntN(6) {
	case 0:
		z = kink
	case 1:
		z = kink + dz*(4*r.Float64()-2)
	case 2:
		z = kink + math.Copysign(math.Pow(10, -12*r.Float64()), r.Float64()-0.5)
	case 3:
		z = []float64{-700, 700, -30, 30, -1, 1, 0}[r.IntN(7)]
	default:
		z = kink + 10*r.NormFloat64()
	}
	return min(z, 705), dz, y
}

// TestPromises compares the bounds of each loss with its definition, for margins that err by as much as
// they may. A bound is not above a small multiple of the largest error either.
func TestPromises(t *testing.T) {
	t.Parallel()
	for _, l := range all {
		if !IsConvex(l) {
			continue // see TestNonconvex
		}
		if !func() bool {
			for _, p := range promises {
				if p.l.String() == l.String() {
					return true
				}
			}
			return false
		}() {
			t.Errorf("%v has no definition in this test", l)
		}
	}
	count := repeat.Size(200, 50)
	for _, p := range promises {
		r, count := rand.New(rand.NewPCG(77, 1)), count
		if definition.Of(p.l.String(), p.l.Parameter()) != nil {
			count /= 2 // in many more bits
		}
		for range count {
			z, dz, y := p.rowOf(r)
			p.row(t, z, dz, y, []float64{1, 0.25, 3, 1e-3, 1e5}[r.IntN(5)])
		}
	}
}

func (p promised) row(t *testing.T, z, dz, y, size float64) {
	t.Helper()
	l := p.l
	c, h, third := []float64{z}, []float64{0}, []float64{0}
	l.Gradient(c, c, []float64{y}, []float64{size})
	l.Curvature(h, third, []float64{z}, []float64{y}, []float64{size})
	if c[0]-c[0] != 0 {
		return // beyond float64, where there is no bound
	}
	what := func(format string, a ...any) {
		t.Helper()
		t.Fatalf("%v %v at %v +- %v, y %v, weight %v: "+format, append([]any{l, l.Parameter(), z, dz, y, size}, a...)...)
	}
	// The residual is what is exact: the margin is residual + centre.
	residual := z - l.Centre(y)
	margin := func(by float64) *big.Float {
		return plus(plus(exactly(residual), exactly(l.Centre(y))), exactly(by))
	}
	value, bound := l.Value(residual, dz, y)
	here, _, _ := p.at(margin(0), y)
	moved, slope := 0.0, 0.0
	slopes := l.SlopeError(z, dz, y, size, c[0], h[0])
	reach, least := l.Reach(z, dz, y, size, h[0])
	turned := 0.0 // what the slope changes at most
	for _, share := range []float64{-1, -0.5, 0, 0.5, 1} {
		there, first, _ := p.at(margin(share*dz), y)
		slope = max(slope, math.Abs(float(first)))
		moved = max(moved, math.Abs(float(plus(there, negative(here)))))
		if off := math.Abs(float(plus(there, exactly(-value)))); !(off <= Slack*bound+4*direct.Tiny) {
			what("a value of %v is off by %v, with a bound of %v", value, off, bound)
		}
		at := plus(exactly(z), exactly(share*dz))
		_, first, _ = p.at(at, y)
		_, same, _ := p.at(exactly(z), y)
		turned = max(turned, size*math.Abs(float(plus(first, negative(same)))))
		if off := math.Abs(float(plus(times(exactly(size), first), exactly(-c[0])))); !(off <= slopes) {
			what("a slope of %v is off by %v, with a bound of %v", c[0], off, slopes)
		}
		if far := math.Min(reach, 1e9) + dz; reach > 0 {
			if _, _, second := p.at(plus(exactly(z), exactly(share*far)), y); times(exactly(size), second).Cmp(exactly(least)) < 0 {
				what("a curvature of %v within %v, with a bound of %v", float(second), reach, least)
			}
		}
	}
	if dz < 1 {
		size0 := math.Abs(float(here))
		if most := 1.05*p.steep*slope*(1+3*dz)*dz + 1.6*p.l.Peak()*dz*dz; bound > most+100*direct.Unit*(size0+dz+math.Abs(z)*slope)+1e-300 && !math.IsInf(p.l.Peak(), 1) {
			what("a bound of %v for a value of %v that changes by %v", bound, value, moved)
		}
		_, kinked := l.(SquaredHinge)
		_, uneven := l.(Binomial) // whose second derivatives may change by more than the factor exp(dz)
		if !kinked && !uneven && l.Parameter() == 0 && KinkedOf(l) == nil {
			if most := 1.03*Slack*size*(math.Abs(float(exactly(h[0]/size)))*(1+3*dz))*dz + 40*direct.Unit*math.Abs(c[0]); slopes > most+9*direct.Unit*h[0]+8*direct.Tiny*(1+size) {
				what("a bound of %v for a slope of %v that changes by %v", slopes, c[0], turned)
			}
		}
	}
}

// TestUnitsOfPromises: where margins are exact, the bounds are the units of rounding that the kernels'
// errors ask for. Where they are not, bounds are the slope's and the curvature's share of the error.
func TestUnitsOfPromises(t *testing.T) {
	t.Parallel()
	const u = direct.Unit
	near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-9*math.Abs(want) }
	for _, p := range promises {
		for _, y := range []float64{-1, 1} {
			if _, err := p.l.Check([]float64{y}); err != nil {
				continue
			}
			for _, z := range []float64{-0.5 * y, 0.75 * y, 40, -40} {
				residual := z - p.l.Centre(y)
				value, bound := p.l.Value(residual, 0, y)
				c, h := []float64{z}, []float64{0}
				p.l.Gradient(c, c, []float64{y}, []float64{2.5})
				p.l.Curvature(h, []float64{0}, []float64{z}, []float64{y}, []float64{2.5})
				got, want := p.l.SlopeError(z, 0, y, 2.5, c[0], h[0]), Slack*4*u*math.Abs(c[0])+4*direct.Tiny*3.5
				unit := p.units * u * value
				switch l := p.l.(type) {
				case Binomial:
					unit += 4 * u * math.Abs(l.Slope(z, y))
					if _, steep := p.l.(Steep); steep {
						want += 4 * u * h[0]
					}
				case Steep:
					if want += 4 * u * h[0]; l.String() == (Tweedie{}).String() {
						want += 4 * u * (math.Abs(c[0]) + h[0])
					}
					dz, h := 4*u*math.Abs(z), h[0]/2.5
					unit = (math.Abs(l.Slope(z, y))+4*u*h+h*dz)*dz + p.units*u*value
				case SquaredInsensitive:
					if math.Abs(z-y) < l.Parameter() {
						want = 0
					}
				case SquaredHinge:
					if y*z > 1 {
						want = 0
					}
				case Huber:
					if math.Abs(z-y) > l.Delta && l.Delta != 0.3 { // 2.5*0.3 is rounded
						want = 0
					}
				}
				if !near(bound, unit) || !near(got, want) || !(value >= 0) {
					t.Errorf("%v %v at %v, %v: bounds %v and %v, not %v and %v", p.l, p.l.Parameter(), z, y, bound, got, unit, want)
				}
			}
		}
	}
	for _, c := range []struct{ got, want float64 }{
		{doubt(0, 0, 0, 0), 8 * u}, {doubt(0, 2, 0, 0), 2*Slack + 8*u}, {doubt(-1e6, 0, 0, 0), 8 * u * (1 + 1e6)},
		{doubt(0, 0, -1e6, 0), 8 * u * (1 + 1e6)}, {doubt(0, 0, 0, 1e6), 8 * u * (1 + 1e6)},
		{slopeError(3, 2, 0, 0), 6*Slack + 4*direct.Tiny}, {slopeError(0, 2, 0, -5), 20 * Slack * u},
		{slopeError(0, 0, 0, 0), 4 * direct.Tiny}, {slopeError(0, 0, 1e6, 0), 4000004 * direct.Tiny},
	} {
		if !near(c.got, c.want) {
			t.Errorf("%v, not %v", c.got, c.want)
		}
	}
	for _, c := range []struct {
		l        Loss
		r, dr, y float64
		want     float64
	}{
		{Squared{}, 2, 0.5, 0, 2.5 * 0.5}, {Squared{}, -2, 0.5, 0, 2.5 * 0.5}, {Squared{}, 0, 0.5, 0, 0.25},
		{SquaredHinge{}, -2, 0.5, 1, 2.5 * 0.5}, {SquaredHinge{}, 2, 0.5, -1, 2.5 * 0.5}, {SquaredHinge{}, 0.25, 0.5, 1, 0.25 * 0.5}, {SquaredHinge{}, 2, 0.5, 1, 0},
		{Huber{0.5}, 0.25, 0.125, 0, 0.375 * 0.125}, {Huber{0.5}, -0.25, 1, 0, 0.5}, {Huber{0.5}, 4, 0.5, 0, 0.25}, {Huber{3}, -4, 0.5, 0, 1.5},
		{Logistic{}, 0, 0.5, 1, 0.5 * min(1, math.Ln2*2)}, {Logistic{}, 1, 0.25, 1, 0.25 * math.Log1p(math.Exp(-1)) * 1.5}, {Logistic{}, 3, 2, 1, 2}, {Logistic{}, 3, 1, 1, 1}, {Logistic{}, 3, 0.75, 1, math.Log1p(math.Exp(-3)) * 2.5 * 0.75}, {Logistic{}, -3, 0.25, 1, 0.25},
		{Gamma{}, 0, 0.5, 3, (2 + 3*0.5) * 0.5}, {Gamma{}, 0, 1, 1, 1},
		{Poisson{}, 0, 0.5, 3, (2 + 0.5) * 0.5}, {Poisson{}, 0, 0.5, 0, (1 + 0.5) * 0.5}, {Poisson{}, 0, 1, 1, 1},
	} {
		if _, got := c.l.Value(c.r, c.dr, c.y); math.Abs(got-c.want) > 1e-13 {
			t.Errorf("%v %v: a residual of %v +- %v, y %v: a bound of %v, not %v", c.l, c.l.Parameter(), c.r, c.dr, c.y, got, c.want)
		}
	}
	for _, c := range []struct {
		l                 Loss
		z, dz, y, size, h float64
		slope             float64
		reach, least      float64
	}{
		{Logistic{}, 0, 0.0625, 1, 4, 0.5, 0.5 * 1.1875 * Slack * 0.0625, 0.125, 0.5 * 0.875 * 0.9375},
		{Logistic{}, 0, 0.2, 1, 4, 1, 0.2, 0, 0}, {Logistic{}, 0, 2, 1, 4, 0.5, 2, 0, 0},
		{Logistic{}, 9, 1, 1, 4, 1e-3, 1, 0, 0}, {Logistic{}, 9, 0.75, 1, 4, 1e-3, 3.25e-3 * Slack * 0.75, 0, 0},
		{Logistic{}, 9, 0.125, 1, 4, 1e-3, 1.375e-3 * Slack * 0.125, 0.125, 0.875e-3 * 0.875},
		{Poisson{}, 0, 0.0625, 1, 4, 4, 4 * 1.125 * Slack * 0.0625, 0.125, 4 * 0.875 * 0.9375},
		{Squared{}, 0, 0.5, 1, 4, 4, 2, math.Inf(1), 4},
		{SquaredHinge{}, -1, 0.5, 1, 4, 4, 2, 2 - 0.5*Slack, 4}, {SquaredHinge{}, 1.25, 0.5, 1, 4, 0, 2, 0, 0}, {SquaredHinge{}, 1.25, 0.125, 1, 4, 0, 0, 0, 0},
		{SquaredHinge{}, -0.75, 0.5, -1, 4, 4, 2, 0, 0}, {SquaredHinge{}, -0.25, 0.5, -1, 4, 4, 2, 0.75 - 0.5*Slack, 4},
		{Huber{2}, 1, 0.5, 0, 4, 4, 2, 1 - 0.5*Slack, 4}, {Huber{2}, -1.75, 0.5, 0, 4, 4, 2, 0, 0}, {Huber{2}, 2.25, 0.5, 0, 4, 0, 2, 0, 0}, {Huber{2}, 2.75, 0.5, 0, 4, 0, 0, 0, 0},
		{Huber{0.25}, 3, 0.5, 1, 4, 0, 0, 0, 0}, {Huber{0.25}, 1.125, 0.0625, 1, 4, 4, 0.25, 0.125 - 0.0625*Slack, 4},
	} {
		slope := []float64{c.z}
		c.l.Gradient(slope, slope, []float64{c.y}, []float64{c.size})
		got := c.l.SlopeError(c.z, c.dz, c.y, c.size, slope[0], c.h)
		reach, least := c.l.Reach(c.z, c.dz, c.y, c.size, c.h)
		if got < c.slope || got > c.slope*Slack+1e-13 || math.Abs(reach-c.reach) > 1e-13 || least > c.least || least < c.least*(1-1e-8) || math.IsInf(c.reach, 1) != math.IsInf(reach, 1) {
			t.Errorf("%v %v at %v +- %v, y %v: slope %v, reach %v, curvature %v, not %v, %v, %v", c.l, c.l.Parameter(), c.z, c.dz, c.y, got, reach, least, c.slope, c.reach, c.least)
		}
	}
	for h, want := range map[float64]float64{1e-290: 0, 1.1e-290: 0.125, 0: 0, math.NaN(): 0} {
		if reach, _ := (Logistic{}).Reach(0, 0, 1, 1, h); reach != want {
			t.Errorf("a curvature of %v: a reach of %v", h, reach)
		}
	}
	for _, t1 := range []float64{1e-9, -1e-9, 0.1, -0.3, 0.5, -0.5, 0.51, 3, -40, 0} {
		t0 := exactly(t1)
		want := plus(plus(bigmath.Exp(new(big.Float).SetPrec(600).Set(t0)), exactly(-1)), negative(t0))
		if got := exponentialRest(t1); math.Abs(float(plus(want, exactly(-got)))) > 16*u*math.Abs(got) {
			t.Errorf("exp(%v) - 1 - %v is %v, not %v", t1, t1, got, float(want))
		}
	}
}
