package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/run"
)

// A loss whose second derivative is the same everywhere equals its quadratic model: the matrix
// X'SX of the model, and slopes at one point, are sufficient statistics. Steps then need no rows.
// They aim at the tolerance of the run, and rows certify where they end. Where rows say that the
// matrix was of little use, the run goes on as for other losses.
const (
	// wholeSweeps is the number of epochs that X'SX of all columns may cost to be formed at once.
	wholeSweeps = 4
	// aimShare is the share of the tolerance that steps by statistics aim at.
	aimShare = 0.01
)

// comprises tells whether all columns are the first working set, by their statistics.
func (l *loop) comprises() bool {
	if !l.exact || l.whole.x.Cols() > cost.Columns {
		return false
	}
	x := l.whole.x.Matrix
	if l.whole.smooth {
		return factorPays(x)
	}
	return gramCost(x) <= wholeSweeps*(x.NNZ()+int64(16*x.Cols()))
}

// statistics forms the matrix of curvatures h, once.
func (s *part) statistics(h []float64, lambda float64) {
	if s.tall != nil {
		s.begins(h, lambda)
		return
	}
	if s.gram != nil {
		return
	}
	size := len(s.slope)
	s.gram = make([]float64, size*size)
	if s.rows.Gram(s.gram, h); s.k < size {
		s.means = withoutLast(s.gram, size, 0, nil)
	}
	for a := range s.k {
		s.gram[a*size+a] += s.square(a, lambda)
	}
	s.complete()
}

// withoutLast takes the last column, of an intercept, out of the rows of a lower triangle from one
// on. It returns the weighted means of the others, of which it is given those before that row. The
// matrix is then of columns less their means, which have products of 0 with the last one.
func withoutLast(gram []float64, size, from int, means []float64) []float64 {
	last := size - 1
	sums, total := gram[last*size:][:last], gram[last*size+last]
	for a := from; a < last; a++ {
		mean := 0.0
		if total > 0 {
			mean = sums[a] / total
		}
		means = append(means, mean)
		to := gram[a*size:][:a+1]
		for b, sum := range sums[:a+1] {
			to[b] -= float64(mean * sum)
		}
	}
	clear(sums)
	return means
}

// minimise takes the weights of the model to its minimum: until the largest violation is target,
// or with an exact model until its gap is within the tolerance. It returns the number of epochs,
// or 0 if the run ends first.
func (l *loop) minimise(c *run.Control, target float64) (epochs int) {
	s := l.part
	if !s.exact {
		return l.descend(c, target)
	}
	last := len(s.slope) - 1
	b, slope := s.to[last], s.slope[last] // of an intercept, if there is one
	if l.p.Intercept {
		for a, mean := range s.means {
			s.slope[a] -= float64(mean * slope)
		}
		s.slope[last] = 0
	}
	if !s.dense {
		if epochs = l.descend(c, target); epochs == 0 {
			return 0
		}
		if l.swept(s, epochs) {
			epochs = 0
		}
	}
	for aim := float64(aimShare * c.Settings().GapTolerance); s.dense; target *= innerShare {
		more := l.descend(c, target)
		if more == 0 {
			return 0
		}
		if epochs += more; aim == 0 || l.level > 0 || epochs >= l.sweeps || l.expected(s) <= aim {
			break
		}
	}
	if curvature := s.diagonal[last]; l.p.Intercept && curvature > 0 {
		b -= slope / curvature
		for a, mean := range s.means {
			b -= float64(mean * (s.to[a] - l.w[s.list[a]]))
		}
		s.to[last] = b
	}
	return epochs
}

// expected returns the gap that a dual point of the model's slopes has, without rounding. For
// slopes c, a dual point share times as large, u = -X'c/n and a curvature k it is
//
//	R(w) - share u'w + R*(share u) + (1 - share)^2 sum c_i^2/(2 k n)
//
// where the last sum is at most the mean loss above its minimum.
func (l *loop) expected(s *part) float64 {
	w, u, most := s.whole(l.d), make([]float64, l.d), make([]float64, l.d)
	inner := 0.0
	for a, j := range s.list {
		u[j] = -(s.slope[a] - l.pull(int(j), s.to[a]))
		most[j] = math.Abs(u[j])
		inner += float64(u[j] * w[j])
	}
	value, share, shared := l.support(u, most)
	penalty, rest := l.rules.Value(w), 1-share
	return min(penalty-inner+value, penalty-float64(share*inner)+float64(rest*rest*l.mean)+shared)
}

// doubt ends steps by statistics.
func (l *loop) doubt() { l.exact, l.part, l.stuck, l.tall, l.places = false, nil, 0, nil, nil }
