package erm

import (
	"cmp"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/truncated"
)

// Rows and sample weights of very different scales make a Hessian whose small part is
// lost in the rounding of its large one; no conjugate gradients find it again, and no
// Cholesky factor. The step is a least squares problem too, however:
//
//	minimise (1/2) sum_i h_i (x_i's + f_i'/h_i)^2 + (lambda/2) ||w + s||^2
//
// Householder's method takes the rows of this problem in descending order of size and exchanges
// columns. It is as exact for the small rows as for the large ones. Source: Cox and Higham 1998,
// "Stability of Householder QR factorization for weighted least squares problems".

// mostOrthogonal is the largest number of elements of the rows above.
const mostOrthogonal = 1 << 18

// orthogonal tells whether steps are to be found so.
func (l *newtonLoop) orthogonal() bool {
	return !l.sampled() && l.work > l.budget() && l.fitsOrthogonal()
}

// budget is the largest number of conjugate-gradient iterations without such steps.
func (l *newtonLoop) budget() int { return truncated.Patience(len(l.w)) }

func (l *newtonLoop) fitsOrthogonal() bool {
	n, d := l.all.size()
	return l.p.Ridge() > 0 && fitsOrthogonal(n, d)
}

func fitsOrthogonal(n, d int) bool { return d <= mostOrthogonal && (n+d) <= mostOrthogonal/d }

// row is one of the rows of the least squares problem, with its right-hand side.
type row struct {
	a    []float64
	b    float64
	size float64
}

// orthogonalStep writes the minimum of the quadratic model at w to step, and returns twice the
// decrease that the model promises. Without a minimum both are 0.
func (m *inMemory) orthogonalStep(w, step []float64) (square float64) {
	clear(step)
	m.slopesAt(m.z)
	n, d := m.size()
	rows := make([]row, 0, n+d)
	linear := make([]float64, d) // what the rows without curvature add to the gradient
	for i, h := range m.h {
		slope := m.coef[i] / float64(n)
		switch {
		case h > 0:
			root := math.Sqrt(h)
			r := row{a: make([]float64, d), b: -slope / root}
			for j, v := range m.p.X.Row(i) {
				r.a[j] = root * v
			}
			rows = append(rows, r)
		case slope != 0:
			for j, v := range m.p.X.Row(i) {
				linear[j] = math.FMA(slope, v, linear[j])
			}
		}
	}
	root := math.Sqrt(m.p.Ridge())
	for j, w := range risk.Held(m.p, w) {
		r := row{a: make([]float64, d), b: -root * w}
		r.a[j] = root
		rows = append(rows, r)
	}
	square = leastSquares(rows, linear, step)
	if !(square >= 0) || math.IsInf(square, 0) {
		clear(step)
		square = 0
	}
	m.x.MulVec(m.stepMargin, step)
	m.rowsUsed += n
	return square
}

// leastSquares minimises (1/2) ||As - b||^2 + linear's over s, overwrites the rows, and returns
// ||As||^2. It returns NaN if A lacks full rank, for example without curvature along an
// intercept.
func leastSquares(rows []row, linear, s []float64) float64 {
	d := len(s)
	unit := make([]float64, d) // columns of length 1 or so
	for j := range unit {
		for _, r := range rows {
			unit[j] = max(unit[j], math.Abs(r.a[j]))
		}
		if !(unit[j] > 0) {
			return math.NaN()
		}
	}
	for i := range rows {
		r := &rows[i]
		for j, u := range unit {
			r.a[j] /= u
			r.size = max(r.size, math.Abs(r.a[j]))
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.size, a.size) })
	order := make([]int, d)
	for j := range order {
		order[j] = j
	}
	v := make([]float64, len(rows))
	for k := range d {
		exchange(rows, order, k)
		norm := 0.0
		for i := k; i < len(rows); i++ {
			v[i] = rows[i].a[k]
			norm = math.FMA(v[i], v[i], norm)
		}
		norm = math.Copysign(math.Sqrt(norm), v[k])
		if v[k] += norm; norm == 0 {
			return math.NaN()
		}
		scale := 1 / float64(norm*v[k]) // 2/||v||^2
		for j := k; j <= d; j++ {
			at := func(i int) *float64 {
				if j == d {
					return &rows[i].b
				}
				return &rows[i].a[j]
			}
			sum := 0.0
			for i := k; i < len(rows); i++ {
				sum = math.FMA(v[i], *at(i), sum)
			}
			sum *= scale
			for i := k; i < len(rows); i++ {
				x := at(i)
				*x = math.FMA(-sum, v[i], *x)
			}
		}
	}
	// R's = Q'b - R^-T linear, in the scaled and exchanged columns.
	right := make([]float64, d)
	for k := range d {
		sum := linear[order[k]] / unit[order[k]]
		for a := range k {
			sum = math.FMA(-rows[a].a[k], right[a], sum)
		}
		right[k] = sum / rows[k].a[k]
	}
	square := 0.0
	for k := range d {
		right[k] = rows[k].b - right[k]
		square = math.FMA(right[k], right[k], square)
	}
	for k := d - 1; k >= 0; k-- {
		sum := right[k]
		for j := k + 1; j < d; j++ {
			sum = math.FMA(-rows[k].a[j], right[j], sum)
		}
		right[k] = sum / rows[k].a[k]
	}
	for k, j := range order {
		s[j] = right[k] / unit[j]
	}
	return square
}

// exchange brings the longest column that is left to place k.
func exchange(rows []row, order []int, k int) {
	best, longest := k, -1.0
	for j := k; j < len(order); j++ {
		norm := 0.0
		for i := k; i < len(rows); i++ {
			norm = math.FMA(rows[i].a[j], rows[i].a[j], norm)
		}
		if norm > longest {
			best, longest = j, norm
		}
	}
	for i := range rows {
		rows[i].a[k], rows[i].a[best] = rows[i].a[best], rows[i].a[k]
	}
	order[k], order[best] = order[best], order[k]
}
