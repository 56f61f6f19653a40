package loss

import (
	"fmt"
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Tweedie is the loss of targets of 0 or more, many of them 0, with a logarithmic link: half the
// deviance of a Tweedie variable y whose mean is exp(z), and whose variance is a power of the mean:
//
//	exp(r z)/r + y exp(-q z)/q - y^r/(q r) with q = Power - 1 and r = 2 - Power
//
// It is 0 at z = log y. Power is above 1, which is Poisson, and below 2, which is Gamma; 0 means 1.5.
type Tweedie struct {
	logLink
	Power float64
}

func (Tweedie) String() string { return "tweedie" }

// Parameter returns Power, 1.5 for 0.
func (l Tweedie) Parameter() float64 {
	if l.Power == 0 {
		return 1.5
	}
	return l.Power
}

// Valid refuses a Power that is not between 1 and 2.
func (l Tweedie) Valid() error {
	if p := l.Parameter(); !(p > 1 && p < 2) {
		return fmt.Errorf("want a power above 1 and below 2 for the Tweedie loss, not %v; 1 is the poisson loss, and 2 the gamma loss", p)
	}
	return nil
}

func (Tweedie) with(power float64) Loss { return Tweedie{Power: power} }

// shares returns q and r, which are exact.
func (l Tweedie) shares() (q, r float64) { return l.Parameter() - 1, 2 - l.Parameter() }

func (l Tweedie) Check(y []float64) (bad int, err error) {
	return checkTargets(l, y, 0, "of 0 or more")
}

// Finite: the best constant is log(mean y).
func (Tweedie) Finite(above, _ bool) bool { return above }

// Attained: rows of y = 0 alone push their columns to minus infinity.
func (Tweedie) Attained() bool { return false }

// Side is -1 for targets of 0.
func (Tweedie) Side(y float64) int { return sideOfZero(y) }

func (l Tweedie) Gradient(c, z, y, s []float64) float64 {
	sameLengths(len(c), len(z), len(y), s)
	return deviances(l, c, z, y, nil, s)
}

func (l Tweedie) Sum(z, y, s []float64) float64 {
	sameLengths(len(z), len(z), len(y), s)
	return deviances(l, nil, z, y, nil, s)
}

// Parts: y^r, 0 for y of 0.
func (l Tweedie) Parts(parts, y []float64) { l.powers(parts, y) }

func (l Tweedie) Weigh(c, z, y, parts, s []float64) float64 {
	sameLengths(len(parts), len(z), len(y), s)
	return deviances(l, c, z, y, parts, s)
}

func (l Tweedie) values(values, z, y, parts []float64) { valuesOf(l, values, z, y, parts) }

// rows: phi is (q b + r a - y^r)/(q r), not below 0, with the slope b - a.
func (l Tweedie) rows(values, slopes, z, y, parts []float64) {
	q, r := l.shares()
	l.terms(slopes, values, z, y)
	for i, b := range values {
		a := slopes[i]
		slopes[i] = b - a
		values[i] = max((float64(q*b)+float64(r*a))-parts[i], 0) / float64(q*r)
	}
}

// terms sets a[i] to y_i exp(-q z_i), and b[i] to exp(r z_i). Each has an error of 4 units: the rounding
// of an exponent is taken off again.
func (l Tweedie) terms(a, b, z, y []float64) {
	q, r := l.shares()
	if q == r {
		for i, v := range z {
			b[i] = math.Abs(float64(0.5 * v))
		}
		direct.Exp(b, b)
		for i, v := range b {
			a[i], b[i] = halves(v, z[i], y[i])
		}
		return
	}
	for i, v := range z {
		a[i], b[i] = -float64(q*v), float64(r*v)
	}
	direct.Exp(a, a)
	direct.Exp(b, b)
	for i, v := range z {
		a[i], b[i] = sharpened(a[i], -q, v), sharpened(b[i], r, v)
		a[i] = where(aboveZero(y[i]), float64(a[i]*y[i]))
	}
}

// halves returns a and b of a row for q = r = 1/2, where one of the exponentials is the inverse of the
// other. large is exp(|z|/2), whose exponent has no rounding.
func halves(large, z, y float64) (a, b float64) {
	up, down := math.Float64bits(large), math.Float64bits(1/large)
	turned := (up ^ down) & uint64(int64(math.Float64bits(z))>>63)
	up, down = up^turned, down^turned // for z below 0
	return where(aboveZero(y), float64(y*math.Float64frombits(down))), math.Float64frombits(up)
}

// sharpened returns e = exp(p z) without the rounding of p z.
func sharpened(e, p, z float64) float64 {
	if e > math.MaxFloat64 {
		return e
	}
	return math.FMA(e, math.FMA(p, z, -float64(p*z)), e)
}

// Curvature: phi” is q a + r b, and phi”' is r^2 b - q^2 a.
func (l Tweedie) Curvature(h, third, z, y, s []float64) {
	sameLengths(len(h), len(z), len(y), s)
	q, r := l.shares()
	l.terms(h, third, z, y)
	for i, a := range h {
		a, b := float64(q*a), float64(r*third[i])
		h[i], third[i] = a+b, float64(r*b)-float64(q*a)
	}
	weighCurvature(h, third, s)
}

// at returns a and b of a row.
func (l Tweedie) at(z, y float64) (a, b float64) {
	q, r := l.shares()
	if q == r {
		return halves(kernels.ExpOf(math.Abs(float64(0.5*z))), z, y)
	}
	if y > 0 {
		a = y * sharpened(kernels.ExpOf(-float64(q*z)), -q, z)
	}
	return a, sharpened(kernels.ExpOf(float64(r*z)), r, z)
}

func (l Tweedie) Slope(z, y float64) float64 {
	a, b := l.at(z, y)
	return b - a
}

// Levels: of a and b the smaller one is at most y^r, and phi” <= |phi'| + that. Values are sums of parts
// that are up to 1/(q r) times as large.
func (l Tweedie) Levels(levels, y, s []float64) (far float64) {
	q, r := l.shares()
	far = farthestLog(y, s)
	l.powers(levels, y)
	for i, v := range levels {
		levels[i] = v * (1 + 1e-12)
	}
	return (2 + far) / float64(q*r)
}

// powers sets p[i] to y_i^r, 0 for y_i = 0.
func (l Tweedie) powers(p, y []float64) {
	q, r := l.shares()
	if q == r {
		for i, v := range y {
			p[i] = math.Sqrt(v)
		}
		return
	}
	direct.Log(p, y)
	for i, v := range p {
		p[i] = r * v // of y = 0 it is -Inf, whose power is 0
	}
	direct.Exp(p, p)
}

// Value is y^r (R(r t)/r + R(-q t)/q) with R(x) = exp(x) - 1 - x and t = z - log y.
func (l Tweedie) Value(z, dz, y float64) (value, err float64) {
	q, r := l.shares()
	a, b := l.at(z, y)
	if !(dz <= 1) {
		return a + b, math.Inf(1)
	}
	slope, bend := math.Abs(b-a)+float64(8*direct.Unit*(a+b)), float64(q*a)+float64(r*b)
	if y == 0 {
		return taylor(b/r, slope, bend, dz)
	}
	t, log, dz := distance(z, dz, y)
	value = kernels.ExpOf(float64(r*log)) * (exponentialRest(float64(r*t))/r + exponentialRest(-float64(q*t))/q)
	value, err = taylor(value, slope, bend, dz)
	return value, err + float64(float64(4*direct.Unit*math.Abs(log))*value) // of y^r
}

// SlopeError: a + b is |phi'| and twice the smaller one, which is at most phi”.
func (l Tweedie) SlopeError(z, dz, y, size, c, h float64) float64 {
	return l.logLink.SlopeError(z, dz, y, size, c, h) + float64(4*direct.Unit*(math.Abs(c)+math.Abs(h)))
}

// Bend adds the sum of the second derivatives, which follow from the slopes: for a positive slope d,
// b = a + d and phi” = a + r d; for a negative one a = b + |d| and phi” = b + q |d|.
func (l Tweedie) Bend(t Bends, y, c, s []float64) Bends {
	q, r := l.shares()
	work := direct.Borrow(3 * min(rowBlock, len(c)))
	defer direct.Return(work)
	for first := 0; first < len(c); first += rowBlock {
		n := min(rowBlock, len(c)-first)
		powers, shares, lesser := work[:n], work[n:2*n], work[2*n:3*n]
		l.powers(powers, y[first:first+n])
		for i, v := range c[first : first+n] {
			shares[i] = r
			if v < 0 {
				shares[i] = q
			}
			lesser[i] = math.Abs(v) / direct.Weight(s, first+i) / powers[i]
		}
		lesserOf(lesser, shares)
		for i, v := range c[first : first+n] {
			weight := direct.Weight(s, first+i)
			if weight == 0 {
				continue
			}
			power := 0.0
			if y[first+i] > 0 {
				power = float64(powers[i] * lesser[i])
			}
			t[0] += float64(weight * (power + float64(shares[i]*(math.Abs(v)/weight))))
		}
	}
	return t
}

// BendSum: with v = q r phi + y^r = q b + r a and the slope d = b - a, phi” = q a + r b is v + (r - q) d. The
// second element of t is what the first one may be too low: sums of n numbers err by n units of their sizes,
// and a + b is at most |d| + 2 y^r, of which a power errs by up to 745 units.
func (l Tweedie) BendSum(t Bends, sum float64, parts, c, s []float64) Bends {
	q, r := l.shares()
	powers, n := 0.0, float64(len(c))
	if s == nil {
		powers = kernels.Sum(parts)
	} else {
		powers = direct.Dot(parts, s)
	}
	sum = float64(sum * float64(q*r))
	size := sum + float64(3*powers) + float64(2*float64(math.Sqrt(n)*direct.Norm(c)))
	doubt := float64(float64((n+2048)*direct.Unit) * size)
	t[0] += max((sum+powers)+float64((r-q)*kernels.Sum(c))-doubt, 0)
	t[1] += float64(2 * doubt)
	return t
}

// lesserOf turns d into exp(-q t) for the t of apart, where shares holds r. A d beyond float64 counts as 0:
// its row has no target above 0, no weight, or a slope beside which the power is nothing.
func lesserOf(d, shares []float64) {
	n := len(d)
	work := direct.Borrow(3 * n)
	defer direct.Return(work)
	t, e, logs := work[:n], work[n:2*n], work[2*n:]
	for i, v := range d {
		if !(v <= math.MaxFloat64) {
			d[i] = 0
		}
	}
	direct.Log1p(t, d)
	for i, r := range shares {
		t[i] /= r + (1-r)/(1+d[i])
	}
	for range mostApart {
		for i, r := range shares {
			e[i] = -float64((1 - r) * t[i])
		}
		direct.Exp(e, e)
		for i, v := range e {
			logs[i] = d[i] + v
		}
		direct.Log(logs, logs)
		there := true
		for i, r := range shares {
			sum := d[i] + e[i]
			step := (float64(r*t[i]) - logs[i]) / (r + float64((1-r)*(e[i]/sum)))
			t[i] -= step
			there = there && math.Abs(step) <= 1e-9*(1+t[i])
		}
		if there {
			for i, r := range shares {
				d[i] = -float64((1 - r) * t[i])
			}
			direct.Exp(d, d)
			return
		}
	}
	for i := range d {
		d[i] = math.NaN()
	}
}

// mostApart bounds the steps of apart.
const mostApart = 200

// apart returns t where exp(r t) - exp(-q t) = d, for d of 0 or more and q + r = 1, by Newton's
// method for r t = log(d + exp(-q t)). The difference of the sides is concave and grows, so that steps
// lead to the root from below. It is NaN if they do not, which bounds nothing.
func apart(d, q, r float64) float64 {
	t := kernels.Log1pOf(d) / (r + q/(1+d))
	for range mostApart {
		e := kernels.ExpOf(-float64(q * t))
		sum := d + e
		step := (float64(r*t) - kernels.LogOf(sum)) / (r + float64(q*(e/sum)))
		if t -= step; math.Abs(step) <= 1e-9*(1+t) {
			return t
		}
	}
	return math.NaN()
}

func (l Tweedie) ExactValue(z, y *big.Float) *big.Float {
	if y.Sign() == 0 {
		_, b := l.exactTerms(z, y)
		return b.Quo(b, bigmath.Of(z.Prec(), 2-l.Parameter()))
	}
	q, r := l.shares()
	t := exactDistance(z, y)
	of := func(x float64) *big.Float { return bigmath.Of(t.Prec(), x) }
	part := func(share, over float64) *big.Float {
		v := exactRest(new(big.Float).Mul(t, of(share)))
		return v.Quo(v, of(over))
	}
	sum := part(r, r)
	sum.Add(sum, part(-q, q))
	power := new(big.Float).Mul(of(r), bigmath.Log(wide(z.Prec(), y)))
	return new(big.Float).SetPrec(z.Prec()).Mul(sum, bigmath.Exp(power))
}

// exactTerms returns a and b.
func (l Tweedie) exactTerms(z, y *big.Float) (a, b *big.Float) {
	q, r := l.shares()
	of := func(share float64) *big.Float {
		return bigmath.Exp(clamped(new(big.Float).Mul(bigmath.Of(z.Prec(), share), z)))
	}
	return new(big.Float).Mul(y, of(-q)), of(r)
}

func (l Tweedie) ExactSlope(first, second, z, y *big.Float) {
	q, r := l.shares()
	a, b := l.exactTerms(z, y)
	first.Sub(b, a)
	second.Add(a.Mul(a, bigmath.Of(z.Prec(), q)), b.Mul(b, bigmath.Of(z.Prec(), r)))
}

// ExactReach: |phi'| is at least y^r (1 - exp(-|t|)) for t = z - log y, so that |t| <= phi/y^r + 1.
// Where y is 0, z <= exp(r z)/r = phi.
func (l Tweedie) ExactReach(v, y *big.Float) {
	if y.Sign() == 0 {
		return
	}
	power := bigmath.Log(y)
	power.Mul(power, bigmath.Of(v.Prec(), 2-l.Parameter()))
	v.Quo(v, bigmath.Exp(power))
	reachOfLog(v, y)
}

// Information is exp(r z), a power of the mean.
func (l Tweedie) Information(h, z, s []float64) {
	_, r := l.shares()
	for i, v := range z {
		h[i] = float64(r * v)
	}
	direct.Exp(h, h)
	weighAll(h, s)
}

func (Tweedie) Dispersed() bool { return true }

// LogLikelihood: there is no formula of the density.
func (Tweedie) LogLikelihood(_, _, _ []float64, _ Totals) float64 { return math.NaN() }
