package risk

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// Labels holds sums over rows, by Add, from which Constant follows: the weights, and the weighted
// sums of labels and offsets, or of what a linked loss makes of offsets. Sums of disjoint rows may
// be added element by element.
type Labels [3]float64

// Add adds rows with labels y, weights s, nil for ones, and offsets o, nil for zeros.
func (t *Labels) Add(l loss.Loss, y, s, o []float64) {
	if linked, is := l.(loss.Linked); is {
		means := direct.Borrow(min(len(y), Block))
		defer direct.Return(means)
		for first := 0; first < len(y); first += Block {
			end := min(first+Block, len(y))
			loss.MeansOf(linked, means[:end-first], direct.Weights(o, first, end))
			for i, v := range y[first:end] {
				weight := direct.Weight(s, first+i)
				if weight == 0 {
					continue // a mean may be +Inf
				}
				t[0] += weight
				t[1] += float64(weight * v)
				t[2] += float64(weight * means[i])
			}
		}
		return
	}
	if s == nil {
		t[0] += float64(len(y))
		t[1] += kernels.Sum(y)
		t[2] += kernels.Sum(o)
		return
	}
	t[0] += kernels.Sum(s)
	t[1] += direct.Dot(s, y)
	if o != nil {
		t[2] += direct.Dot(s, o)
	}
}

// Constant returns the intercept that a run of n rows begins with, beside weights of 0.
func (t *Labels) Constant(l loss.Loss, n int) float64 {
	total := t[0]
	if !(total > 0) {
		return 0
	}
	return l.Start(t[1]/total, t[2]/total, n)
}

// Constant returns Labels.Constant of the rows of a problem.
func Constant(p *Problem) float64 {
	var t Labels
	t.Add(p.Loss, p.Y, p.SampleWeight, p.Offset)
	return t.Constant(p.Loss, len(p.Y))
}

const (
	// mostConstants bounds the constants that Null tries; sameConstant is the share of a constant by which
	// the next one differs at the end.
	mostConstants, sameConstant = 200, 1e-13
)

// Null returns the margins of the best model of an intercept alone: the offsets and the constant for which
// the loss of the rows is least. It takes Newton's method within the interval where the slope changes its
// sign, and the middle of the interval where Newton's step leaves it, as beside a loss with kinks. It is
// false where no constant is known to be best. X and the penalty do not count.
func Null(p *Problem) (z []float64, found bool) {
	n := len(p.Y)
	z, slopes, bends, third := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	_, found = Least(Constant(p), func(b float64) (slope, bend float64) {
		for i := range z {
			z[i] = b + direct.Offset(p.Offset, i)
		}
		p.Loss.Gradient(slopes, z, p.Y, p.SampleWeight)
		p.Loss.Curvature(bends, third, z, p.Y, p.SampleWeight)
		return kernels.Sum(slopes), kernels.Sum(bends)
	})
	return z, found
}

// Least returns the number for which a convex function is least, as Null finds it from b on, by its first two
// derivatives. Where it is found, it is the last number that at is asked for.
func Least(b float64, at func(b float64) (slope, bend float64)) (least float64, found bool) {
	low, high, reach := math.Inf(-1), math.Inf(1), 1.0
	for range mostConstants {
		slope, bend := at(b)
		switch {
		case slope > 0:
			high = b
		case slope < 0:
			low = b
		default:
			return b, slope == 0
		}
		next := b - slope/bend
		bracketed := !math.IsInf(low, -1) && !math.IsInf(high, 1)
		switch inside := next > low && next < high; {
		case inside && (bracketed || math.Abs(next-b) <= reach):
		case bracketed:
			next = low + float64((high-low)/2)
		default:
			next, reach = b-math.Copysign(reach, slope), 2*reach
		}
		if math.Abs(next-b) <= float64(sameConstant*(math.Abs(next)+math.Abs(b))) {
			return b, true
		}
		b = next
	}
	return b, b-b == 0
}

// Width returns the mean loss for weights of rows of 1, where all weights but an intercept are 0 and the
// intercept is Constant: a scale of margins for a loss without second derivatives. It is 1 where all
// losses are 0.
func Width(p *Problem) float64 {
	z, b, mass := make([]float64, len(p.Y)), 0.0, 0.0
	if p.Intercept {
		b = Constant(p)
	}
	for i := range z {
		z[i] = b + direct.Offset(p.Offset, i)
		mass += direct.Weight(p.SampleWeight, i)
	}
	if width := p.Loss.Sum(z, p.Y, p.SampleWeight) / mass; width > 0 && width <= math.MaxFloat64 {
		return width
	}
	return 1
}
