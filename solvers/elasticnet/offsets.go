package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/sparse"
)

// offsets are the means that were subtracted from columns of a problem with an intercept:
//
//	x_i'w + b = (x_i - m)'w + b',  b' = b + m'w
//
// The penalties do not see b, so the problem stays what it is. The solver works on (w, b');
// users know (w, b). A nil *offsets moves nothing.
type offsets struct {
	x       *sparse.Matrix // with them
	columns []uint32
	means   []float64 // of the listed columns
}

// farColumn is the number of standard deviations from 0 from which a mean is subtracted: such
// a column has entries in more than 1024 of 1025 rows, so that no sparse one is filled.
const farColumn = 32

// centred returns problems on the same rows, which differ in labels and weights, with the
// means of far columns subtracted. All get the same matrix, by the sum of their weights.
// Without such columns the problems are returned as they are, at the cost of reading
// about a thousand rows.
//
// A difference x_ij - m_j errs by one rounding at most, and is exact where x_ij is between
// m_j/2 and 2 m_j. The bounds of rounding count a sum's terms with some to spare, of which
// this is one.
func centred(list []*Problem) ([]*Problem, *offsets) {
	if len(list) == 0 || !list[0].Intercept {
		return list, nil
	}
	o := offsetsOf(list)
	if o == nil {
		return list, nil
	}
	x := o.subtract().WithBias(1)
	moved := make([]*Problem, len(list))
	for k, p := range list {
		q := *p
		q.X, moved[k] = x, &q
	}
	return moved, o
}

// Centres tells whether fits with an intercept work on a copy of the rows. They do if a column's
// mean is far from 0 beside its standard deviation. It reads about a thousand rows.
func Centres(x *sparse.Matrix) bool {
	p := new(Problem)
	p.X = x
	return x != nil && offsetsOf([]*Problem{p}) != nil
}

// offsetsOf finds the far columns, nil without any. Candidates are the columns of one row: a
// far column is in all rows but a few. It reads a candidate until it is known to be near.
func offsetsOf(list []*Problem) *offsets {
	x := features(list[0])
	o := &offsets{x: x}
	rows, total := weighed(list, x.Rows())
	// By the rows' weights, of differences from the first row, so that a constant column has
	// no deviation.
	var first, sums, squares []float64
	seen := 0.0
	for k, row := range rows {
		weight := row.weight
		if seen += weight; first == nil {
			for j, v := range x.Row(row.number) {
				o.columns, first = append(o.columns, uint32(j)), append(first, v)
			}
			sums, squares = make([]float64, len(first)), make([]float64, len(first))
		}
		o.beside(row.number, func(a int, v float64) {
			v -= first[a]
			sums[a] = math.FMA(weight, v, sums[a])
			squares[a] = math.FMA(float64(weight*v), v, squares[a])
		}, nil)
		if count := k + 1; count >= leastNear && count&(count-1) == 0 && count < len(rows) {
			if o.screen(seen, seen/total, &first, &sums, &squares); len(o.columns) == 0 {
				return nil
			}
		}
	}
	far := o.columns[:0]
	for a, j := range o.columns {
		shift := sums[a] / total
		mean, variance := first[a]+shift, squares[a]/total-float64(shift*shift)
		if size := math.Abs(mean); size > float64(farColumn*math.Sqrt(max(variance, 0))) && !math.IsInf(size, 0) {
			far, o.means = append(far, j), append(o.means, mean)
		}
	}
	if o.columns = far; len(far) == 0 {
		return nil
	}
	return o
}

// weighedRow is a row that offsetsOf reads.
type weighedRow struct {
	number int
	weight float64
}

// weighed lists about a thousand of n rows with the sums of their weights, and all weights' sum.
func weighed(list []*Problem, n int) (rows []weighedRow, total float64) {
	for i := range n {
		if n > leastSample && random.HashRow(i) > math.MaxUint64/uint64(n)*leastSample {
			continue
		}
		weight := 0.0
		for _, p := range list {
			weight += direct.Weight(p.SampleWeight, i)
		}
		if weight != 0 {
			rows, total = append(rows, weighedRow{i, weight}), total+weight
		}
	}
	return rows, total
}

// leastNear is the least number of rows that tell of a column that it is near 0.
const leastNear = 8

// screen leaves out columns that some rows show to be near 0, whatever the other rows hold. Their
// mean is m and their variance v, and they have the share f of all weight. If the mean of all rows
// is M, the variance of all rows is at least f (v + (m - M)^2). For k = farColumn^2 f above 1,
// farColumn^2 times it is at least M^2 for every M if v (k - 1) >= m^2. The factor 2 is for rounding.
func (o *offsets) screen(total, f float64, first, sums, squares *[]float64) {
	kept, from := o.columns[:0], [3][]float64{*first, *sums, *squares}
	*first, *sums, *squares = from[0][:0], from[1][:0], from[2][:0]
	for a, j := range o.columns {
		shift, square := from[1][a]/total, from[2][a]/total
		mean, variance := from[0][a]+shift, square-float64(shift*shift)
		if variance > float64(0x1p-20*square) && float64(variance*(float64(farColumn*farColumn*f)-1)) >= float64(2*mean*mean) {
			continue
		}
		kept = append(kept, j)
		*first, *sums, *squares = append(*first, from[0][a]), append(*sums, from[1][a]), append(*squares, from[2][a])
	}
	o.columns = kept
}

// beside visits the entries of row i. A listed column is named by its place in the list, with 0
// if the row has no entry. Another column is named by its number, if the caller wants to know.
func (o *offsets) beside(i int, listed, other func(k int, v float64)) {
	a := 0
	for j, v := range o.x.Row(i) {
		for ; a < len(o.columns) && int(o.columns[a]) < j; a++ {
			listed(a, 0)
		}
		switch {
		case a < len(o.columns) && int(o.columns[a]) == j:
			listed(a, v)
			a++
		case other != nil:
			other(j, v)
		}
	}
	for ; a < len(o.columns); a++ {
		listed(a, 0)
	}
}

// subtract returns the rows without the means.
func (o *offsets) subtract() *sparse.Matrix {
	x := o.x
	ends := make([]int64, 1, x.Rows()+1)
	columns, values := make([]uint32, 0, x.NNZ()), make([]float64, 0, x.NNZ())
	add := func(j int, v float64) { columns, values = append(columns, uint32(j)), append(values, v) }
	for i := range x.Rows() {
		o.beside(i, func(a int, v float64) { add(int(o.columns[a]), v-o.means[a]) }, add)
		ends = append(ends, int64(len(columns)))
	}
	return direct.Value(sparse.NewCSR(x.Cols(), ends, columns, values))
}

// given is the problem as users pose it.
func (o *offsets) given(p *Problem) *Problem {
	if o == nil {
		return p
	}
	q := *p
	q.X = o.x.WithBias(1)
	return &q
}

// outward returns the weights for the columns as they are, inward the solver's.
func (o *offsets) outward(w []float64) []float64 { return o.move(w, -1) }

func (o *offsets) inward(w []float64) []float64 { return o.move(w, 1) }

// offsetBits is enough for sums of the means' products that only the result's rounding counts.
const offsetBits = 512

// move adds sign m'w to the intercept.
func (o *offsets) move(w []float64, sign float64) []float64 {
	if o == nil || w == nil {
		return w
	}
	moved := append([]float64(nil), w...)
	last := len(w) - 1
	sum, product := bigmath.Of(offsetBits, w[last]), bigmath.Of(offsetBits, 0)
	for a, j := range o.columns {
		if v := float64(sign * w[j]); v != 0 && v-v == 0 {
			sum.Add(sum, product.Mul(bigmath.Of(offsetBits, v), bigmath.Of(offsetBits, o.means[a])))
		}
	}
	moved[last], _ = sum.Float64()
	return moved
}

// rounding bounds by how much the intercept of (w, b') differs from what users get, exactly.
func (o *offsets) rounding(w []float64) float64 {
	if o == nil {
		return 0
	}
	last := len(w) - 1
	return float64(2 * direct.Unit * (math.Abs(w[last]) + math.Abs(o.outward(w)[last])))
}
