package certificate

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// Intercept is what bounds have to know of a point of a problem with an unpenalised intercept b,
// beside norms.
type Intercept struct {
	Slope float64 // of P along b, as computed
	Curvature
}

// Curvature holds sums over rows of second derivatives of the losses, by Add. Sums of disjoint
// rows may be added element by element. It stays 0 for a loss without bounds beside an intercept.
type Curvature loss.Bends

// Add adds rows with labels y, slopes c and weights s, which may be nil for ones.
func (t *Curvature) Add(l loss.Loss, y, c, s []float64) {
	if bent, is := l.(loss.Beside); is {
		*t = Curvature(bent.Bend(loss.Bends(*t), y, c, s))
	}
}

// Total returns about the sum of the second derivatives.
func (t *Curvature) Total() float64 { return kernels.Sum(t[:]) }

// rows returns what a loss has to know of the rows. moved bounds the weighted mean of the errors of
// margins, of a Steep loss the largest error.
func (b *Bounds) rows(moved float64) loss.Rows {
	sum := b.mass
	if b.steep != nil {
		sum = b.steep.levels
	}
	return loss.Rows{N: float64(b.n), Mass: b.mass, Lost: float64(2 * b.column * sum / float64(b.n)), Moved: moved}
}

// shift bounds the distance of b from the best intercept for the same weights. slope bounds the
// slope along b, and moved the weighted mean of the errors of margins. It is +Inf if the
// curvature is too small to tell, or the loss has no bounds beside an intercept. Derived in
// docs/certificates.md.
func (b *Bounds) shift(at *Intercept, slope, moved float64) float64 {
	bent, is := b.p.Loss.(loss.Beside)
	if !is || b.negative > 0 {
		return math.Inf(1)
	}
	best := bent.Shift(loss.Bends(at.Curvature), b.rows(moved), slope)
	if best-best != 0 {
		return math.Inf(1)
	}
	return slack * best
}

// swing bounds how fast the gradient changes along b, within so far of it, for a loss whose shift
// is finite: ||(1/n) sum s_i phi” x_i|| <= ((1/n) sum s_i phi” (L/n) sum s_i ||x_i||^2)^(1/2). Without
// L, it is at most (1/n) sum s_i phi” times the length of the longest row.
func (b *Bounds) swing(at *Intercept, far, moved float64) float64 {
	most := b.p.Loss.(loss.Beside).Most(loss.Bends(at.Curvature), b.rows(moved), far)
	if b.steep != nil {
		return float64(slack*most) * b.steep.longest
	}
	return slack * math.Sqrt(float64(most*float64(b.p.Loss.Peak()*b.weighted/float64(b.n))))
}

// GapAt is Gap at a point where at is what is known of the intercept, nil without one; slopes and
// weights are as for Rounding.
func (b *Bounds) GapAt(norm, rounding, slopes, weights float64, at *Intercept) float64 {
	if at == nil {
		return b.Gap(norm, rounding)
	}
	if b.learn(); b.jump > 0 {
		return math.Inf(1) // nothing bends
	}
	slope := math.Abs(at.Slope)
	err, moved := b.interceptRounding(slope, slopes, weights)
	return b.gapBeside(at, norm, rounding, slope+err, moved)
}

// gapBeside is the gap beside an intercept. norm plus rounding bounds the norm of the gradient,
// and slope the slope along b; moved is as for shift.
func (b *Bounds) gapBeside(at *Intercept, norm, rounding, slope, moved float64) float64 {
	if !b.hasGap() {
		return math.NaN()
	}
	far := b.shift(at, slope, moved)
	if math.IsInf(far, 1) {
		return far
	}
	return FromNorm(norm+(rounding+float64(b.swing(at, far, moved)*far)), b.p.Ridge(), b.d) + float64(slope*far)
}

// interceptRounding bounds the error of the computed slope along b, by the terms of Rounding for
// a column of ones. moved is as for rows.
func (b *Bounds) interceptRounding(slope, slopes, weights float64) (err, moved float64) {
	b.learn()
	slopes += Underflow(b.n)
	weights = b.size(weights)
	n := float64(b.n)
	if b.steep != nil {
		moved = float64(float64(b.margin*weights) * b.steep.longest)
		total := b.steep.total(b.n, slopes, moved)
		err = float64((moved+8*direct.Unit)*total)/n + float64((b.column+8*direct.Unit)*float64(slopes/math.Sqrt(n))) +
			float64(4*direct.Unit*math.Abs(slope)) + b.products
		return float64(slack * err), float64(slack*moved) + b.products
	}
	moved = float64(slack * float64(b.margin*weights) * (math.Sqrt(float64(b.mass*b.weighted)) / n))
	err = float64(b.p.Loss.Peak()*moved) + float64((b.column+8*direct.Unit)*float64(slopes/math.Sqrt(n))) +
		float64(4*direct.Unit*math.Abs(slope)) + b.products
	return float64(slack * err), moved + b.products
}
