package softmax

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/shards"
)

// metric is an approximation of the Hessian that is cheap to invert. Before there is a factor, it
// is diagonal: the product of the column's and the class's share of the Hessian's trace. Long
// rows of raw counts are certain and have almost no curvature. There this diagonal saves
// iterations against the columns' mean squares, and against the Hessian's diagonal, which costs k
// times as much.
type metric struct {
	*objective
	columns []float64 // of the trace, all classes together
	classes []float64 // shares
	h       []float64 // of a row: s_i/n times the trace of its Hessian in the classes
	means   []float64 // of the columns, weighed by h; nil without intercepts
	work    []float64 // d by k

	inverses []float64 // of a column's diagonal

	factor []float64 // U of X'hX + lambda = U'U, by rows
	dense  bool      // there is one
	cost   float64   // of forming it, in products with the Hessian; +Inf where there are too many columns
	age    int       // conjugate-gradient iterations since the run began or it was formed

	sample *sample // of the rows; nil for all
}

// newMetric returns a metric that writes to work whenever it solves.
func newMetric(o *objective, work []float64) *metric {
	m := &metric{objective: o, work: work, cost: math.Inf(1)}
	m.columns, m.classes, m.inverses = make([]float64, o.d), make([]float64, o.k), make([]float64, o.k)
	if o.beside != nil {
		m.means = make([]float64, o.d)
	}
	if o.swept != nil {
		if o.d <= shards.MostDense {
			m.cost = float64(cost.Gram(o.swept.products, o.n, o.d)+cost.Factor(o.d)) / float64(int64(o.k)*cost.Pass(o.swept.from.NNZ(), o.n))
		}
		return m
	}
	m.h = make([]float64, o.n)
	if o.d <= cost.Columns {
		gram := cost.Gram(matrix.GramCost(o.p.X), o.n, o.d) + cost.Factor(o.d)
		m.cost = float64(gram) / float64(int64(o.k)*cost.Pass(o.p.X.NNZ(), o.n))
	}
	if rows := sampleRows(o.p); rows > 0 {
		m.sample = newSample(o, rows)
		if o.d <= cost.Columns {
			gram := cost.Gram(matrix.GramCost(o.p.X), o.n, o.d) + cost.Factor(o.d)*int64(o.n/rows)
			m.cost = float64(gram) / float64(cost.Wide(o.p.X.NNZ(), o.n, o.k))
		}
	}
	return m
}

// refresh sets the metric at the present probabilities, or at weights w of rows in shards.
func (m *metric) refresh(w []float64) error {
	if m.sample != nil {
		m.sample.turn++
		m.bends()
		m.sample.draw(m.h)
	}
	switch {
	case float64(m.age) >= m.cost:
		return m.form(w)
	case !m.dense:
		return m.measure(w)
	}
	return nil
}

// widen makes the samples larger. Half of the rows and more give way to all rows.
func (m *metric) widen() {
	if m.sample.rows *= 2; 2*m.sample.rows > m.n {
		m.sample = nil
	}
}

// bends computes the curvatures of the rows and of the classes.
func (m *metric) bends() {
	clear(m.classes)
	for i := range m.h {
		s, sum := direct.Weight(m.p.SampleWeight, i)/float64(m.n), 0.0
		for c, p := range m.row(m.prob, i) {
			v := float64(s * float64(p*(1-p)))
			m.classes[c] += v
			sum += v
		}
		m.h[i] = sum
	}
}

// measure computes the diagonal.
func (m *metric) measure(w []float64) error {
	if m.swept != nil {
		if err := m.swept.traces(m, w); err != nil {
			return err
		}
	} else {
		m.bends()
		clear(m.columns)
		m.x.AddSquares(m.columns, m.h)
		if m.means != nil {
			clear(m.means)
			m.x.AddTrans(m.means, m.h)
		}
	}
	if m.means != nil {
		m.eliminate()
	}
	total := 0.0
	for _, v := range m.classes {
		total += v
	}
	if total > 0 {
		direct.Scale(m.classes, 1/total, m.classes)
	}
	return nil
}

// form sums X'hX and factors it. The Hessian of a row is diag(p) - pp' in the classes. It has
// k-1 eigenvalues beside the 0 of equal changes of all, which no gradient has in it: h is
// their mean.
func (m *metric) form(w []float64) error {
	if m.factor == nil {
		m.factor = make([]float64, m.d*m.d)
	}
	each := 1 / float64(m.k-1)
	if m.swept != nil {
		if err := m.swept.gram(m.factor, w, each); err != nil {
			return err
		}
	} else if m.sample != nil {
		m.sample.x.Gram(m.factor, m.sample.h)
		direct.Scale(m.factor, each, m.factor)
		for j, v := range m.sample.left {
			m.factor[j*m.d+j] += float64(each * v)
		}
	} else {
		m.bends()
		direct.Scale(m.h, each, m.h)
		m.x.Gram(m.factor, m.h)
	}
	for j := range m.held / m.k {
		m.factor[j*m.d+j] += m.p.Lambda
	}
	cholesky.FactorBy(m.x.Pool, m.factor, m.d)
	m.age, m.dense = 0, true
	return nil
}

// Solve computes dst = M^-1 r among changes of a column that have a sum of 0 over the classes, as the
// best weights have. Equal changes of all classes do not change the loss. A step with such a part
// would be too short for it, as lambda alone draws it back.
func (m *metric) Solve(_ *direct.Vectors, dst, r []float64) {
	switch {
	case m.dense:
		m.solveFactor(dst, r)
	case m.means != nil:
		m.solveBeside(dst, r)
	default:
		for j := range m.columns {
			m.solveColumn(m.row(dst, j), m.row(r, j), j)
		}
	}
}

// solveFactor is Solve of the factor.
func (m *metric) solveFactor(dst, r []float64) {
	m.byClass(m.work, r)
	for c := range m.k {
		v := m.work[c*m.d : (c+1)*m.d]
		cholesky.Solve(v, m.factor, v)
	}
	m.byColumn(dst, m.work)
	for j := range m.d {
		centre(m.row(dst, j))
	}
}

// solveColumn is Solve of the diagonal for a column that the regulariser holds. dst may be r. Among
// changes of a sum of 0, v'Dv/2 - r'v is least at v = (r - t)/D, with the t that makes the sum 0.
func (m *metric) solveColumn(dst, r []float64, j int) {
	sum, inverses := 0.0, 0.0
	for c, p := range m.classes {
		inverse := 1 / math.FMA(p, m.columns[j], m.p.Lambda)
		v := float64(r[c] * inverse)
		dst[c], m.inverses[c] = v, inverse
		sum += v
		inverses += inverse
	}
	if !(inverses > 0) {
		return // all underflow
	}
	over := sum / inverses
	for c, inverse := range m.inverses {
		dst[c] -= float64(over * inverse)
	}
}

func (m *metric) state(c *checkpoint.Coder) {
	sampled, rows, turn := m.sample != nil, 0, 0
	if c.Bool(&sampled); sampled {
		if m.sample != nil {
			rows, turn = m.sample.rows, m.sample.turn
		}
		c.Count(&rows, checkpoint.MostCount)
		c.Count(&turn, checkpoint.MostCount)
	}
	if c.Restoring() && c.Err() == nil {
		if sampled && (rows < 1 || rows > m.n) {
			c.Fail(fmt.Errorf("a sample of %d rows of %d", rows, m.n))
			return
		}
		if m.sample = nil; sampled {
			m.sample = newSample(m.objective, rows)
			m.sample.turn = turn
		}
	}
	c.Bool(&m.dense)
	c.Count(&m.age, checkpoint.MostCount)
	if !m.dense {
		if m.swept != nil { // a sweep would compute them again
			c.Floats(m.columns)
			c.Floats(m.classes)
			c.Floats(m.means)
		}
		return
	}
	if m.d > cost.Columns {
		c.Fail(fmt.Errorf("a factor for %d columns", m.d))
		return
	}
	if m.factor == nil {
		m.factor = make([]float64, m.d*m.d)
	}
	c.Floats(m.factor)
}

// eliminate computes the means, and takes the part of the intercepts out of the columns' squares. At
// least leastShare of them remains, whatever the rounding.
func (m *metric) eliminate() {
	const leastShare = 0x1p-40
	last := m.d - 1
	total := m.means[last]
	for j, sum := range m.means[:last] {
		if m.means[j] = 0; total > 0 {
			m.means[j] = sum / total
			m.columns[j] = max(m.columns[j]-float64(m.means[j]*sum), leastShare*m.columns[j])
		}
	}
}

// solveBeside is Solve of the diagonal beside intercepts: the columns less their means have a
// diagonal, and so have the intercepts at those means.
func (m *metric) solveBeside(dst, r []float64) {
	intercepts, slopes := dst[m.held:], r[m.held:]
	for c, p := range m.classes {
		intercepts[c] = slopes[c]
		if bend := float64(p * m.columns[m.d-1]); bend > 0 {
			intercepts[c] = slopes[c] / bend
		}
	}
	for j := range m.d - 1 {
		mean, to := m.means[j], m.row(dst, j)
		direct.ScaleAdd(to, -mean, slopes, 1, m.row(r, j))
		m.solveColumn(to, to, j)
		direct.Axpy(-mean, to, intercepts)
	}
	centre(intercepts)
}

// restore computes anew what a checkpoint leaves out of rows in memory.
func (m *metric) restore() {
	if m.sample != nil {
		m.bends()
		m.sample.draw(m.h)
	}
	if !m.dense {
		direct.Must(m.measure(nil))
	}
}
