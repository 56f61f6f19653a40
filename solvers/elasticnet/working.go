package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/sparse"
)

const (
	// leastWorking is the smallest working set where more columns are in question.
	leastWorking = 512
	// mostGram is the largest working set whose quadratic model is kept as a matrix.
	mostGram = 2048
	// gramSweeps is the number of sweeps over the columns that forming that matrix may
	// cost.
	gramSweeps = 40
)

// choose lists the columns of the next working set: all with a weight, and of those whose
// slope is beyond l1 the furthest, as many at most as there are weights, twice, or
// leastWorking.
func (l *loop) choose() []uint32 {
	var list, beyond []uint32
	for j, g := range l.g[:l.d] {
		switch v := violation(g, l.w[j], l.p.L1); {
		case l.w[j] != 0:
			list = append(list, uint32(j))
		case v != 0:
			beyond = append(beyond, uint32(j))
		}
	}
	if most := max(2*len(list), leastWorking); len(beyond) > most {
		slices.SortFunc(beyond, func(a, b uint32) int {
			va, vb := math.Abs(l.g[a]), math.Abs(l.g[b])
			switch {
			case va > vb:
				return -1
			case va < vb:
				return 1
			}
			return int(a) - int(b)
		})
		beyond = beyond[:most]
	}
	list = append(list, beyond...)
	slices.Sort(list)
	return list
}

// part is the problem on the columns of a working set, and the quadratic model of its
// smooth part at a point, with the intercept as the last column where there is one.
type part struct {
	list  []uint32
	x     direct.Matrix // rows by columns of the set, and the ones of the intercept
	k     int           // regularised columns
	dense bool          // the model is kept as a matrix
	gram  []float64     // that matrix
	// Otherwise columns of the rows are, scaled by the roots of their curvatures; the one
	// that x does not store is last, and has one value a row.
	steps *sparse.Steps
	last  []float64
	moved []float64 // the sum of these columns, each times how far its weight has moved

	slope, diagonal, to []float64 // of the model: slopes, curvatures, weights
}

func (l *loop) newPart(list []uint32) *part {
	x := direct.Have(l.p.X.WithBias(0).PickColumns(l.x.Pool, stored(list, l.p.X)))
	if bias := l.p.X.Bias(); bias != 0 && len(list) > x.Cols() {
		x = x.WithBias(bias)
	}
	s := &part{list: list, k: len(list)}
	if l.p.Intercept {
		x = x.WithBias(1)
	}
	s.x = direct.Matrix{Matrix: x, Pool: l.x.Pool}
	size := int64(x.Cols())
	s.dense = size <= mostGram && x.GramCost()+3*size*size <= gramSweeps*(x.NNZ()+int64(l.n))
	for _, v := range []*[]float64{&s.slope, &s.diagonal, &s.to} {
		*v = make([]float64, size)
	}
	if s.dense {
		s.gram = make([]float64, size*size)
	} else {
		s.moved, s.last = make([]float64, l.n), make([]float64, l.n)
	}
	return s
}

// stored is a list without the bias column.
func stored(list []uint32, x *sparse.Matrix) []uint32 {
	if last := len(list) - 1; x.Bias() != 0 && last >= 0 && int(list[last]) == x.Cols()-1 {
		return list[:last]
	}
	return list
}

// begin forms the model for the curvatures h of the rows, divided by n. slope holds the
// slopes at the weights, which begin at w.
func (s *part) begin(h, root, w []float64, lambda float64) {
	for a := range s.k {
		s.to[a] = w[s.list[a]]
	}
	clear(s.diagonal)
	if !s.dense {
		s.x.AddSquares(s.diagonal, h)
		for a := range s.k {
			s.diagonal[a] += lambda
		}
		for i, v := range h {
			root[i] = math.Sqrt(v)
		}
		rows := direct.Have(s.x.ScaleRows(root))
		clear(s.moved)
		s.steps = direct.Have(rows.ByColumns(s.x.Pool).Steps(s.moved))
		if bias := s.x.Bias(); bias != 0 {
			direct.Scale(s.last, bias, root)
		}
		return
	}
	s.x.Gram(s.gram, h)
	size := len(s.slope)
	for a := range size {
		if a < s.k {
			s.gram[a*size+a] += lambda
		}
		s.diagonal[a] = s.gram[a*size+a]
		for b := range a {
			s.gram[b*size+a] = s.gram[a*size+b]
		}
	}
}

// at returns the model's slope in the direction of a weight.
func (s *part) at(a int, moved, lambda float64) float64 {
	if s.dense {
		return s.slope[a]
	}
	g := s.slope[a]
	if a < s.k {
		g = math.FMA(lambda, moved, g)
	}
	if s.stored(a) {
		return g + s.steps.Dot(uint32(a))
	}
	return g + direct.Dot(s.last, s.moved)
}

// move moves a weight.
func (s *part) move(a int, by float64) {
	switch {
	case s.dense:
		size := len(s.slope)
		direct.Axpy(by, s.gram[a*size:(a+1)*size], s.slope)
	case s.stored(a):
		s.steps.Add(uint32(a), by)
	default:
		direct.Axpy(by, s.last, s.moved)
	}
}

// stored tells whether x stores a column, and does not have it as its bias.
func (s *part) stored(a int) bool { return s.x.Bias() == 0 || a < len(s.slope)-1 }
