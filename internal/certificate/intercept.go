package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
)

// Intercept is what bounds have to know of a point of a problem with an unpenalised intercept b,
// beside norms.
type Intercept struct {
	Slope float64 // of P along b, as computed
	Curvature
}

// Curvature holds sums over rows of second derivatives of the losses, by Add. Sums of disjoint
// rows may be added element by element. For the logistic loss the first element has the whole
// sum. For the squared hinge and Huber's loss, element k has the weights of rows by the distance
// of their margins inside the quadratic part: above 2 reach(k), and at most 2 reach(k-1). For the
// squared loss the weights of all rows suffice.
type Curvature [curvatureLevels]float64

// curvatureLevels is the number of levels of the distance from a kink.
const curvatureLevels = 6

// reach is how far margins may move at level k.
func reach(p *risk.Problem, k int) float64 {
	if p.Loss == kernels.Huber {
		return math.Ldexp(p.Threshold(), -3-5*k)
	}
	return math.Ldexp(1, -3-5*k)
}

// Add adds rows with labels y, slopes c and weights s, which may be nil for ones.
func (t *Curvature) Add(p *risk.Problem, y, c, s []float64) {
	switch p.Loss {
	case kernels.Squared:
	case kernels.Logistic:
		t[0] += logisticCurvature(y, c, s)
	default:
		t.addQuadratic(p, c, s)
	}
}

// addQuadratic is Add for losses with a quadratic and a linear part.
func (t *Curvature) addQuadratic(p *risk.Problem, c, s []float64) {
	var least Curvature
	for k := range least {
		least[k] = 2 * reach(p, k)
	}
	for i, v := range c {
		weight := direct.Weight(s, i)
		inside := math.Abs(v) / weight
		if p.Loss == kernels.Huber {
			inside = p.Threshold() - inside
		}
		for k, far := range least {
			if inside > far {
				t[k] += weight
				break
			}
		}
	}
}

// logisticCurvature returns the sum of |c_i| (s_i - |c_i|) / s_i, where |c_i| = -y_i c_i.
func logisticCurvature(y, c, s []float64) float64 {
	if s == nil {
		return -direct.Dot(y, c) - kernels.SquaredNorm(c)
	}
	sum := 0.0
	for i, v := range c {
		if weight := s[i]; weight > 0 {
			q := math.Abs(v)
			sum += float64(q * ((weight - q) / weight))
		}
	}
	return sum
}

// Total returns about the sum of the second derivatives of a problem's rows.
func (t *Curvature) Total(p *risk.Problem) float64 {
	if p.Loss != kernels.Squared {
		return kernels.Sum(t[:])
	}
	if p.SampleWeight != nil {
		return kernels.Sum(p.SampleWeight)
	}
	return float64(len(p.Y))
}

// blurred bounds the mean of what slopes and sums lose of the logistic loss's second derivatives.
func (b *Bounds) blurred() float64 { return float64(2 * b.column * b.mass / float64(b.n)) }

// shift bounds the distance of b from the best intercept for the same weights. slope bounds the
// slope along b, and moved the weighted mean of the errors of margins. It is +Inf if the
// curvature is too small to tell. Derived in docs/certificates.md.
func (b *Bounds) shift(at *Intercept, slope, moved float64) float64 {
	n, best := float64(b.n), math.Inf(1)
	switch p := &b.p.Problem; p.Loss {
	case kernels.Squared:
		best = slope / (b.mass / n)
	case kernels.Logistic:
		// The logarithm of phi” is Lipschitz with 1, and |phi”'| < 0.1.
		h := at.Curvature[0]/(slack*n) - b.blurred() - float64(0.1*moved)
		if share := slope / h; h > 0 && share < 1 {
			best = share / (1 - share) // at least -log(1-share)
		}
	default:
		sum := 0.0
		for k := range at.Curvature {
			sum += at.Curvature[k]
			far := reach(p, k)
			if h := sum/(slack*n) - moved/far; h > 0 && slope <= float64(h*far) {
				best = min(best, slope/h)
			}
		}
	}
	if b.negative > 0 || best-best != 0 {
		return math.Inf(1)
	}
	return slack * best
}

// swing bounds how fast the gradient changes along b, within so far of it:
// ||(1/n) sum s_i phi” x_i|| <= ((1/n) sum s_i phi” (L/n) sum s_i ||x_i||^2)^(1/2).
func (b *Bounds) swing(at *Intercept, far, moved float64) float64 {
	n, peak := float64(b.n), risk.Peak(b.p.Loss)
	curvature := float64(peak * b.mass / n)
	if b.p.Loss == kernels.Logistic && far <= 1 {
		here := float64(slack*at.Curvature[0]/n) + b.blurred() + float64(0.1*moved)
		curvature = min(curvature, float64(here*(1+float64(2*far)))) // exp(x) <= 1+2x
	}
	return slack * math.Sqrt(float64(curvature*float64(peak*b.weighted/n)))
}

// GapAt is Gap at a point where at is what is known of the intercept, nil without one; slopes and
// weights are as for Rounding.
func (b *Bounds) GapAt(norm, rounding, slopes, weights float64, at *Intercept) float64 {
	if at == nil {
		return b.Gap(norm, rounding)
	}
	slope := math.Abs(at.Slope)
	err, moved := b.interceptRounding(slope, slopes, weights)
	return b.gapBeside(at, norm, rounding, slope+err, moved)
}

// gapBeside is the gap beside an intercept. norm plus rounding bounds the norm of the gradient,
// and slope the slope along b; moved is as for shift.
func (b *Bounds) gapBeside(at *Intercept, norm, rounding, slope, moved float64) float64 {
	if !(b.p.Lambda > 0) {
		return math.NaN()
	}
	far := b.shift(at, slope, moved)
	if math.IsInf(far, 1) {
		return far
	}
	return FromNorm(norm+(rounding+float64(b.swing(at, far, moved)*far)), b.p.Lambda, b.d) + float64(slope*far)
}

// interceptRounding bounds the error of the computed slope along b, by the terms of Rounding for
// a column of ones. It also bounds the weighted mean of the errors of margins.
func (b *Bounds) interceptRounding(slope, slopes, weights float64) (err, moved float64) {
	b.learn()
	slopes += Underflow(b.n)
	weights = b.size(weights)
	n := float64(b.n)
	moved = float64(slack * float64(b.margin*weights) * (math.Sqrt(float64(b.mass*b.weighted)) / n))
	err = float64(risk.Peak(b.p.Loss)*moved) + float64((b.column+8*direct.Unit)*float64(slopes/math.Sqrt(n))) +
		float64(4*direct.Unit*math.Abs(slope)) + b.products
	return float64(slack * err), moved + b.products
}
