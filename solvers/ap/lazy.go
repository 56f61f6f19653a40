package ap

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// column is what a lazy run remembers of a column, as of the iteration last: half a
// cache line.
type column struct {
	m, v float64 // as in vectors
	move float64 // what the last step moved the weight by
	last uint32
}

// lazy defers the steps of a column until a row of a batch has an entry in it. In the
// iterations between, the column's gradient is the regulariser's alone, which is then
// applied once for all missed iterations. The moments shrink as in the dense step.
// What is left of the momentum moves the weight on,
//
//	w += move ((1-b) + (1-b)^2 + ... + (1-b)^k) = move (1-b) (1 - (1-b)^k)/b
//
// after k iterations missed with momentum b. This is the dense step with the rate and the
// denominator of the last step. The average counts the weight that a column ends at for all
// iterations missed. Adaptive steps divide the regulariser's accumulated gradient by the moment
// of the gradients. So the regulariser acts less on rare columns than in dense steps.
type lazy struct {
	x        *sparse.Matrix
	columns  []column
	top      []float64 // as in vectors
	sum      []float64 // of the iterates up to last-1 that entered the average
	plan     *plan
	lambda   float64
	constant int // the place of a weight that takes no steps, -1 if every weight does

	powers1, powers2 powers
	touched          []uint32
	row              []uint32
	compact          vectors // of the touched columns
	extra            []float64
	seen             float64
}

// powers holds x^k in two tables, so that k may be large.
type powers struct{ low, high []float64 }

const lowPowers = 1 << 10

func newPowers(x float64, most int) powers {
	p := powers{make([]float64, lowPowers), make([]float64, most/lowPowers+1)}
	fill := func(to []float64, x float64) float64 {
		v := 1.0
		for k := range to {
			to[k] = v
			v = float64(v * x)
		}
		return v
	}
	fill(p.high, fill(p.low, x))
	return p
}

func (p *powers) of(k int) float64 { return float64(p.low[k%lowPowers] * p.high[k/lowPowers]) }

// lazyFrom is how many columns a matrix needs for each entry of a batch for lazy
// steps to pay: they miss the caches where dense ones run through memory.
const lazyFrom = 50

// newLazy returns nil where dense steps on the used columns are quicker: it depends on
// the method and the sizes of the matrix alone.
func newLazy(x *sparse.Matrix, used int, p *plan, batch int) *lazy {
	entries := float64(x.NNZ()) / float64(x.Rows()) * float64(batch)
	if p.Dense || p.Paper || float64(lazyFrom*entries) > float64(used) {
		return nil
	}
	longest := 0
	var row []uint32
	for i := range x.Rows() {
		row = matrix.AppendColumns(x, row[:0], i)
		longest = max(longest, len(row))
	}
	d := min(x.Cols(), batch*longest)
	z := &lazy{
		x: x, plan: p, constant: -1, columns: make([]column, x.Cols()), sum: make([]float64, x.Cols()),
		powers1: newPowers(1-p.momentum, p.Iterations), powers2: newPowers(1-p.second, p.Iterations),
		touched: make([]uint32, 0, d), row: row, extra: make([]float64, d), compact: newMoments(p, d),
	}
	z.compact.w, z.compact.g = make([]float64, d), make([]float64, d)
	if z.compact.top != nil {
		z.top = make([]float64, x.Cols())
	}
	return z
}

// shrink returns what the moments of a column shrink to in k iterations after
// iteration last, and how far its last move goes on.
func (z *lazy) shrink(last, k int) (m, v, move float64) {
	m = z.powers1.of(k)
	switch z.plan.rule.(type) {
	case plain:
		return m, 1, 0
	case adaGrad:
		v = float64(last+1) / float64(last+k+1)
	default:
		v = z.powers2.of(k)
	}
	return m, v, float64((1-z.plan.momentum)*(1-m)) / z.plan.momentum
}

// open brings the columns of some rows up to date for iteration t, weights included, and
// lists them.
func (z *lazy) open(rows []uint32, w, _ []float64, t int) {
	z.touched = z.touched[:0]
	averages := z.plan.averaged(t-1) > 0
	for _, i := range rows {
		z.row = matrix.AppendColumns(z.x, z.row[:0], int(i))
		// Without branches to wait for, the caches fetch many columns at a time.
		var seen float64
		for _, j := range z.row {
			seen += z.columns[j].m + w[j]
		}
		z.seen = seen
		for _, j := range z.row {
			c := &z.columns[j]
			if int(c.last) == t || int(j) == z.constant {
				continue
			}
			n := len(z.touched)
			z.touched = append(z.touched, j)
			last := int(c.last)
			missed := t - 1 - last
			if missed > 0 && last > 0 {
				m, v, move := z.shrink(last, missed)
				c.m, c.v = float64(c.m*m), float64(c.v*v)
				w[j] = math.FMA(c.move, move, w[j])
			}
			if averages {
				count := z.plan.averaged(t-1) - z.plan.averaged(max(last-1, 0))
				z.sum[j] = math.FMA(float64(count), w[j], z.sum[j])
			}
			c.last = uint32(t)
			z.compact.w[n], z.compact.m[n], z.compact.v[n] = w[j], c.m, c.v
			if z.top != nil {
				z.compact.top[n] = z.top[j]
			}
			z.extra[n] = float64(float64(float64(missed)*z.lambda) * w[j])
		}
	}
}

// vectors returns the weights, moments and gradients of the columns of the batch. It moves
// the gradients out of g and leaves zeros there.
func (z *lazy) vectors(_, g []float64) vectors {
	c, n := z.compact, len(z.touched)
	for k, j := range z.touched {
		c.g[k] = g[j] + z.extra[k]
		g[j] = 0
	}
	for _, v := range []*[]float64{&c.w, &c.m, &c.v, &c.g} {
		*v = (*v)[:n]
	}
	return c
}

// close writes the touched columns back after a step.
func (z *lazy) close(w []float64, _ int) {
	for k, j := range z.touched {
		c := &z.columns[j]
		v := z.compact.w[k]
		c.move = v - w[j]
		c.m, c.v = z.compact.m[k], z.compact.v[k]
		if z.top != nil {
			z.top[j] = z.compact.top[k]
		}
		w[j] = v
	}
}

// current writes the average of the iterates up to iteration t to dst, before there
// is one the last iterate.
func (z *lazy) current(dst, w []float64, t int) {
	count := z.plan.averaged(t)
	inverse := 1 / float64(max(count, 1))
	for j := range z.columns {
		c := &z.columns[j]
		v, last := w[j], int(c.last)
		if last > 0 && t > last {
			_, _, move := z.shrink(last, t-last)
			v = math.FMA(c.move, move, v)
		}
		if count > 0 {
			rest := count - z.plan.averaged(max(last-1, 0))
			v = float64(math.FMA(float64(rest), v, z.sum[j]) * inverse)
		}
		dst[j] = v
	}
}

func (z *lazy) state(c *checkpoint.Coder, t int) {
	c.Floats(z.top)
	c.Floats(z.sum)
	for j := range z.columns {
		r := &z.columns[j]
		for _, v := range []*float64{&r.m, &r.v, &r.move} {
			c.Float64(v)
		}
		last := int(r.last)
		c.Int(&last)
		if c.Restoring() && c.Err() == nil && (last < 0 || last > t) {
			c.Fail(fmt.Errorf("column %d is ahead of the run", j))
			return
		}
		r.last = uint32(last)
	}
}
