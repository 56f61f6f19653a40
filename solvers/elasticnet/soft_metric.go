package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
)

// clusters is a preconditioner of X'hX and a diagonal. A column's highest row is the row i with the
// largest h_i x_ij^2. The columns of a cluster have the same highest row. The preconditioner is the
// diagonal, and within a cluster all products of that row. Columns of categories nearly depend on one
// another where all rows but one have next to no curvature: a category of one row, and one of this row
// and others. The diagonal alone then leaves eigenvalues next to 0, one for each such pair. Heavy columns
// are in no cluster.
type clusters struct {
	heavy   *heavy    // nil without
	alone   []bool    // columns without a cluster
	inverse []float64 // of the diagonal for these, 0 for others

	heights []float64 // the curvatures of the highest rows
	factor  []float64 // h / (1 + h sum x^2/rest)
	end     []int     // of the columns of a cluster in the lists below
	columns []uint32
	values  []float64 // in the highest row
	rest    []float64 // of the diagonal, without the highest row
	own     []float64 // 1/rest, 0 for columns that are held
	ratio   []float64 // x/rest, 0 for columns that are held
}

// leastRest is the least share of the diagonal that other rows have, for the preconditioner. With less, a
// step along columns that depend on one another goes far beyond what the model holds for.
const leastRest = 1e-6

// newClusters finds the clusters of a matrix, outside of its heavy columns, if it has any. The diagonal is above 0.
func newClusters(x *matrix.Matrix, h, diagonal []float64, heavy *heavy) *clusters {
	size := len(diagonal)
	top, value, row := make([]float64, size), make([]float64, size), make([]uint32, size)
	stored := size
	if x.Bias() != 0 {
		stored--
	}
	direct.Must(matrix.Peaks(x, h, top[:stored], value[:stored], row[:stored]))
	if heavy != nil {
		for _, j := range heavy.list {
			top[j] = 0
		}
	}
	at := make([]int, len(h)) // how many columns a row is the highest of, then the place of the next, from 1 on
	for j, v := range top {
		if v > 0 {
			at[row[j]]++
		}
	}
	p := &clusters{heavy: heavy, alone: make([]bool, size), inverse: make([]float64, size)}
	total := 0
	for i, count := range at {
		if at[i] = 0; count > 1 {
			at[i] = total + 1
			total += count
			p.heights, p.end = append(p.heights, h[i]), append(p.end, total)
		}
	}
	p.factor, p.columns = make([]float64, len(p.heights)), make([]uint32, total)
	for _, v := range []*[]float64{&p.values, &p.rest, &p.own, &p.ratio} {
		*v = make([]float64, total)
	}
	for j, v := range top {
		if p.alone[j] = v == 0 || at[row[j]] == 0; p.alone[j] {
			continue
		}
		k := at[row[j]] - 1
		at[row[j]]++
		p.columns[k], p.values[k] = uint32(j), value[j]
		p.rest[k] = max(diagonal[j]-v, float64(leastRest*diagonal[j]))
	}
	return p
}

// hold prepares solve for the columns that are not held.
func (p *clusters) hold(diagonal []float64, held []bool) {
	for j, v := range diagonal {
		if p.inverse[j] = 0; p.alone[j] && !held[j] {
			p.inverse[j] = 1 / v
		}
	}
	if p.heavy != nil {
		p.heavy.hold(held)
	}
	b := 0
	for k, h := range p.heights {
		sum := 0.0
		for ; b < p.end[k]; b++ {
			if p.own[b], p.ratio[b] = 0, 0; !held[p.columns[b]] {
				p.own[b], p.ratio[b] = 1/p.rest[b], p.values[b]/p.rest[b]
				sum = math.FMA(p.ratio[b], p.values[b], sum)
			}
		}
		p.factor[k] = h / (1 + float64(h*sum))
	}
}

// solve divides r by the preconditioner. Columns that are held get 0.
func (p *clusters) solve(to, r []float64) {
	direct.Mul(to, p.inverse, r)
	begin := 0
	for k, factor := range p.factor {
		end := p.end[k]
		columns, ratio, own := p.columns[begin:end], p.ratio[begin:end], p.own[begin:end]
		sum := 0.0
		for b, j := range columns {
			sum = math.FMA(ratio[b], r[j], sum)
		}
		sum = float64(-factor * sum) // by the formula of Sherman and Morrison
		for b, j := range columns {
			to[j] = math.FMA(ratio[b], sum, float64(own[b]*r[j]))
		}
		begin = end
	}
	if p.heavy != nil {
		p.heavy.solve(to, r)
	}
}
