package loss

import (
	"math"
	"math/big"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Logistic is log(1 + exp(-y z)), for labels -1 and +1.
type Logistic struct{}

// logisticReach is how far margins may move for Reach. Second derivatives fall by exp(-reach) at
// most.
const logisticReach = 0.125

func (Logistic) String() string { return "logistic" }

func (Logistic) Labels() bool { return true }

func (l Logistic) Check(y []float64) (bad int, err error) { return checkLabels(l, y) }

func (Logistic) Finite(above, others bool) bool { return above && others }

func (Logistic) Odds() bool { return true }

func (Logistic) Parameter() float64 { return 0 }

func (Logistic) Valid() error { return nil }

func (Logistic) Gradient(c, z, y, s []float64) float64 {
	return direct.Value(kernels.LossGradient(kernels.Logistic, c, z, y, s, 0))
}

func (Logistic) Sum(z, y, s []float64) float64 {
	return direct.Value(kernels.LossSum(kernels.Logistic, z, y, s, 0))
}

func (Logistic) Curvature(h, third, z, y, s []float64) {
	direct.Must(kernels.LossCurvature(kernels.Logistic, h, third, z, y, s, 0))
}

func (Logistic) Quadratic() bool { return false }

func (Logistic) Attained() bool { return false }

// Side is the label.
func (Logistic) Side(y float64) int { return int(y) }

// Start is the best intercept. A class without rows counts as half a row.
func (Logistic) Start(mean, offset float64, n int) float64 {
	least := 1 / float64(n)
	return kernels.LogOf(max(1+mean, least)/max(1-mean, least)) - offset
}

func (Logistic) Slope(z, y float64) float64 {
	return -float64(y * kernels.SigmoidOf(-float64(y*z)))
}

func (Logistic) Peak() float64 { return 0.25 }

func (Logistic) Centre(float64) float64 { return 0 }

// Value: |phi'| <= min(1, phi), and phi' changes by the factor exp(dz) at most.
func (Logistic) Value(z, dz, y float64) (value, err float64) {
	m := float64(y * z)
	value = max(-m, 0) + kernels.Log1pOf(kernels.ExpOf(-math.Abs(m)))
	steepest := 1.0
	if dz < 1 {
		steepest = min(steepest, float64(value*(1+float64(2*dz))))
	}
	return value, float64(steepest*dz) + float64(8*direct.Unit*value)
}

// SlopeError: |phi”'| <= phi”, so the logarithm of phi” is Lipschitz with 1.
func (Logistic) SlopeError(_, dz, _, size, c, h float64) float64 {
	steepest := float64(0.25 * size)
	if dz < 1 {
		steepest = min(steepest, float64(float64(math.Abs(h)*(1+float64(3*dz)))*Slack)+direct.Tiny)
	}
	return slopeError(steepest, dz, size, c)
}

// Reach: exp(-x) >= 1-x. The last factor covers a few units of h's own rounding.
func (Logistic) Reach(_, dz, _, _, h float64) (reach, least float64) {
	if dz > logisticReach || !(h > 1e-290) {
		return 0, 0
	}
	return logisticReach, float64(float64(h*(1-logisticReach))*(1-dz)) * (1 - 1e-9)
}

// Bend adds the sum of |c_i| (s_i - |c_i|) / s_i to the first element, where |c_i| = -y_i c_i.
func (Logistic) Bend(t Bends, y, c, s []float64) Bends {
	if s == nil {
		t[0] += -direct.Dot(y, c) - kernels.SquaredNorm(c)
		return t
	}
	sum := 0.0
	for i, v := range c {
		if weight := s[i]; weight > 0 {
			q := math.Abs(v)
			sum += float64(q * ((weight - q) / weight))
		}
	}
	t[0] += sum
	return t
}

// Shift: the logarithm of phi” is Lipschitz with 1, and |phi”'| < 0.1.
func (Logistic) Shift(t Bends, rows Rows, slope float64) float64 {
	return lipschitzShift(slope, t[0]/(Slack*rows.N)-rows.Lost-float64(0.1*rows.Moved))
}

// lipschitzShift is Shift where the mean second derivative is at least h at the intercept, and its
// logarithm is Lipschitz with 1.
func lipschitzShift(slope, h float64) float64 {
	if share := slope / h; h > 0 && share < 1 {
		return share / (1 - share) // at least -log(1-share)
	}
	return math.Inf(1)
}

// Most: exp(x) <= 1+2x for x up to 1.
func (l Logistic) Most(t Bends, rows Rows, far float64) float64 {
	most := mostPeak(l, rows)
	if far <= 1 {
		here := float64(Slack*t[0]/rows.N) + rows.Lost + float64(0.1*rows.Moved)
		most = min(most, float64(here*(1+float64(2*far))))
	}
	return most
}

func (Logistic) ExactWork() int { return 512 }

func (Logistic) ExactValue(z, y *big.Float) *big.Float {
	m := bigmath.Of(z.Prec(), 0)
	m.Mul(y, z)
	return bigmath.Softplus(m.Neg(m))
}

func (Logistic) ExactSlope(first, second, z, y *big.Float) {
	margin, one := new(big.Float).Mul(y, z), bigmath.Of(z.Prec(), 1)
	negative := margin.Sign() < 0
	small := bigmath.Exp(margin.Neg(margin.Abs(margin)))
	second.Quo(one, first.Add(one, small)) // the larger one of sigmoid(+-yz)
	small.Mul(small, second)
	first.Neg(y)
	if negative {
		first.Mul(first, second)
	} else {
		first.Mul(first, small)
	}
	second.Mul(second, small)
}

func (Logistic) ExactSlopeError(second, size, _ *big.Float) { second.Set(size) }

// ExactReach: phi >= -y z.
func (Logistic) ExactReach(_, _ *big.Float) {}

// Part is the divergence of Kullback and Leibler between a and sigma.
func (Logistic) Part(alpha, z, y, s, slope float64) float64 {
	beta := alpha / s
	a, m := float64(y*beta), float64(y*z)
	if !(a >= 0 && a <= 1) {
		return math.Inf(1)
	}
	one := -float64(y*slope) / s
	zero := 1 - one
	if one > 0.5 {
		zero = kernels.SigmoidOf(m)
	}
	d := a - one
	if a > 0.5 {
		d = zero - (1 - a)
	}
	if r := d / one; math.Abs(r) < 1e-2 {
		if t := d / zero; math.Abs(t) < 1e-2 {
			// The logarithms by their series: to some 1e-7 of the sum.
			left := float64(r * math.FMA(float64(r*math.FMA(-0.5, r, 1)), -1./3, 1))
			right := float64(t * math.FMA(float64(t*math.FMA(0.5, t, 1)), 1./3, 1))
			return float64(0.5*float64(s*d)) * (left + right)
		}
	}
	sum := 0.0
	if a > 0 {
		sum = float64(a * logRatio(a, one, d))
	}
	if a < 1 {
		sum += float64((1 - a) * logRatio(1-a, zero, -d))
	}
	return s * max(sum, 0)
}

// logRatio returns log(x/y), d being x-y to all its bits. Where x is much less than y, d/y
// is -1, which knows nothing of x.
func logRatio(x, y, d float64) float64 {
	if r := d / y; r > -0.999 {
		return kernels.Log1pOf(r)
	}
	return kernels.LogOf(x / y)
}

func (Logistic) Ascend(d *DualRow, z, share float64) (part float64) {
	if d.C < 0 {
		z = -z
	}
	part = d.Before(z)
	d.Solve(z, share)
	return part
}

// Warm: -phi* is an entropy, 0 or more.
func (Logistic) Warm(d *DualRow, z, y float64) (above float64) {
	d.U = -float64(y * z)
	d.A = kernels.SigmoidOf(d.U)
	return 0
}

func (Logistic) Logit() bool { return true }

// Conjugates sums s_i (q log q + (1-q) log(1-q)) for q = |a_i|.
func (Logistic) Conjugates(a, rest, c, _, s []float64) (sum, absolute float64) {
	const least = 0x1p-1000 // q log q is below 1e-298 there
	for i, v := range a {
		a[i] = max(min(math.Abs(v), 1), least)
		rest[i] = max(1-a[i], least)
	}
	logs := make([]float64, min(logBlock, len(a)))
	for first := 0; first < len(a); first += logBlock {
		end := min(first+logBlock, len(a))
		block := logs[:end-first]
		direct.Log(block, a[first:end])
		for i := first; i < end; i++ {
			a[i] *= block[i-first]
		}
		direct.Log(block, rest[first:end])
		for i := first; i < end; i++ {
			a[i] = math.FMA(rest[i], block[i-first], a[i])
		}
	}
	for i, v := range a {
		s := direct.Weight(s, i)
		if c[i] == 0 {
			continue // a weight of 0, or a slope below all numbers
		}
		sum += float64(s * v)
		absolute += float64(s * (1 - v)) // an error of q moves a term by its logarithm
	}
	return sum, absolute
}

// logBlock is the number of logarithms that Conjugates takes at a time.
const logBlock = 4096

// Parabolas: Jaakkola and Jordan 2000, "Bayesian parameter estimation via variational methods".
func (Logistic) Parabolas(h, z, y, c, s []float64) {
	for i, v := range z {
		h[i] = 0.25
		if u, weight := float64(v*y[i]), direct.Weight(s, i); weight > 0 && math.Abs(u) > 0x1p-10 {
			h[i] = (0.5 - math.Abs(c[i])/weight) / u
		}
	}
}

func (Logistic) Straight() bool { return false }

func (Logistic) PassesPeak(a, b, _ float64) bool { return a < 0 != (b < 0) }

// Information: the second derivative does not depend on the label.
func (l Logistic) Information(h, z, s []float64) { l.Curvature(h, make([]float64, len(z)), z, z, s) }

func (Logistic) Dispersed() bool { return false }

// LogLikelihood: the loss is that of a Bernoulli variable.
func (l Logistic) LogLikelihood(z, y, s []float64, _ Totals) float64 { return -l.Sum(z, y, s) }
