package softmax

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// ascent maximises the dual, one row after the other:
//
//	D(V) = -(1/n) sum_i s_i sum_k v_ik log v_ik - (lambda/2) ||W(V)||_F^2,
//	W(V) = 1/(lambda n) sum_i s_i x_i (e_{c_i} - v_i)',
//
// with a distribution v_i over the classes for each row. A step costs what the row costs in
// a product with the Hessian, and touches nothing else of W; and rows of whatever length
// are fitted by themselves, where one step for all of them is too long for the long ones.
// Rows whose parts of the gap are small are left out of two passes in three.
type ascent struct {
	*objective
	rowStep
	w               []float64 // d by k
	logs            []float64 // n by k: logarithms of v; all 0, which is no distribution, before a row's first step
	q               []float64 // s ||x||^2/(lambda n)
	margins, change []float64 // of a row: its margins, and what its step adds to W
	one             [1]uint32
	order           passes.Order
	random          *random.Source

	target  float64 // of the gap; 0 for none
	met     float64 // parts of the gap met in this pass
	low     float64 // below that rows are left out
	full    float64 // met in the last pass over all rows
	mark    float64 // met when the work was marked
	passes  int
	work    int // steps in all
	marked  int // steps then
	certify bool
	over    bool
}

const (
	// mostAscent is the most work in passes, and halveWithin the work in which the gap must
	// halve. Newton's method needs far fewer passes from a well-solved dual than from a third of
	// the work.
	mostAscent, halveWithin = 48, 18
	// ascentBlock is the most elements of margins of the rows of a Next.
	ascentBlock = 1 << 14
)

// newAscent returns nil where rows are too long for it: ||x||^2/(lambda n) overflows.
func newAscent(o *objective, w []float64, target float64, random *random.Source) *ascent {
	a := &ascent{
		objective: o, rowStep: newRowStep(o.k), w: w, logs: make([]float64, o.n*o.k), q: matrix.SquaredNorms(o.p.X),
		margins: make([]float64, o.k), change: make([]float64, o.k), order: passes.NewOrder(o.n), random: random, target: target,
	}
	for i, v := range a.q {
		if a.q[i] = float64(v * a.unit(i)); math.IsInf(a.q[i], 0) || math.IsNaN(a.q[i]) {
			return nil
		}
	}
	return a
}

// unit is s_i/(lambda n).
func (a *ascent) unit(i int) float64 {
	return direct.Weight(a.p.SampleWeight, i) / (a.p.Lambda * float64(a.n))
}

// next takes some rows, or, at the end of a pass, decides how to go on: over says that the
// ascent is, certify that the gap at w is to be asked for.
func (a *ascent) next(c *run.Control) {
	if a.order.Ended() {
		if a.passes%passes.AllEvery == 0 {
			a.order.All()
		}
		a.met = 0
		a.order.Begin(a.random)
	}
	rows := 0
	for most := c.IterationsLeft(max(1, ascentBlock/a.k)); rows < most && !a.order.Ended(); rows++ {
		part := a.step(int(a.order.Row()))
		a.met += part
		a.order.Next(!(part < a.low))
	}
	a.work += rows
	if !a.order.Ended() {
		c.Gradients(rows)
		return
	}
	c.Iterations(1, rows, rows)
	a.judge()
}

// judge looks at a pass that has ended.
func (a *ascent) judge() {
	a.met /= float64(a.n)
	a.low = passes.LeaveShare * a.met
	all := a.passes%passes.AllEvery == 0
	a.passes++
	if a.met-a.met != 0 || a.work >= mostAscent*a.n {
		a.over = true
	}
	if a.over || !all {
		return
	}
	// Of the gap met, about so much is left at the end of the pass.
	left := a.met
	if a.full > 0 {
		left = float64(a.met * math.Sqrt(min(1, a.met/a.full)))
	}
	a.full = a.met
	a.certify = float64(2*left) <= a.target || a.met == 0
	switch {
	case a.mark == 0 || a.met <= 0.5*a.mark:
		a.mark, a.marked = a.met, a.work
	case a.work-a.marked >= halveWithin*a.n:
		a.over = true
	}
}

// step moves the variables of a row to their maximum, and returns its part of the gap
// before.
func (a *ascent) step(i int) (part float64) {
	s := a.unit(i)
	if s == 0 {
		return 0
	}
	clear(a.margins)
	a.one[0] = uint32(i)
	direct.Must(matrix.AddMulMatrix(a.p.X, a.margins, a.one[:], a.w, a.k))
	logs := a.row(a.logs, i)
	fresh := logs[0] == 0 && logs[1] == 0
	part = a.maximise(logs, a.margins, a.p.Class[i], a.q[i], fresh)
	direct.ScaleAdd(a.change, s, a.before, -s, a.v)
	direct.Must(matrix.AddOuter(a.p.X, a.w, a.one[:], a.change, a.k))
	return float64(part * direct.Weight(a.p.SampleWeight, i))
}

// from begins at the probabilities of weights w, whose evaluation is the objective's last
// one, with gradient g: W(V) is w - g/lambda then.
func (a *ascent) from(w, g []float64) {
	direct.ScaleAdd(a.w, -1/a.p.Lambda, g, 1, w)
	for i := range a.n {
		z, logs := a.row(a.at, i), a.row(a.logs, i)
		direct.AddScalar(logs, -kernels.LogSumExp(z), z)
	}
}

func (a *ascent) state(c *checkpoint.Coder) {
	c.Floats(a.w)
	c.Floats(a.logs)
	a.order.State(c)
	c.Random(a.random)
	for _, v := range []*float64{&a.met, &a.low, &a.full, &a.mark} {
		c.Float64(v)
	}
	for _, v := range []*int{&a.passes, &a.work, &a.marked} {
		c.Count(v, checkpoint.MostCount)
	}
}
