package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// AISARAHImportance is algorithm 3: theoretical AI-SARAH, sampling in proportion
// to the local smoothness L_i of each sample, which equation (4) defines. It
// serves to study the theory: an inner iteration looks at one sample, yet costs a
// product with the matrix and n solutions of (4). Passes count samples only. The
// batch size is not used.
type AISARAHImportance struct {
	// Inner is the number m of iterations of an inner loop; 0 means n.
	Inner int
}

// AISARAHUniform is algorithm 4: theoretical AI-SARAH with uniform sampling and
// the largest L_i in place of the mean. It costs what AISARAHImportance does.
type AISARAHUniform struct {
	// Inner is the number m of iterations of an inner loop; 0 means n.
	Inner int
}

// Name returns ai-sarah-importance.
func (AISARAHImportance) Name() string { return "ai-sarah-importance" }

// Name returns ai-sarah-uniform.
func (AISARAHUniform) Name() string { return "ai-sarah-uniform" }

func (AISARAHImportance) reports() bool { return true }
func (AISARAHUniform) reports() bool    { return true }

func (m AISARAHImportance) begin(t *task) (run.Loop, any, error) {
	return newTheoreticalLoop(t, m.Inner, true), m, nil
}

func (m AISARAHUniform) begin(t *task) (run.Loop, any, error) {
	return newTheoreticalLoop(t, m.Inner, false), m, nil
}

// theoreticalLoop is algorithm 1 in its two forms.
type theoreticalLoop struct {
	*implicit
	importance bool
	length     int // m
	full       *objective
	random     *random.Source

	w, v, chosen []float64
	row          []uint32
	c            []float64

	t         int // 0 before an outer loop, then the iteration done next
	sum       float64
	lipschitz float64 // L^t: the mean of L_i, or the largest
	eta       float64
	etas      float64 // sum of eta_0 to eta_t
}

func newTheoreticalLoop(t *task, inner int, importance bool) *theoreticalLoop {
	l := &theoreticalLoop{
		implicit: newImplicit(t), importance: importance, length: inner, full: t.full, random: t.random,
		row: make([]uint32, 1), c: make([]float64, 1),
	}
	if inner == 0 {
		l.length = t.p.X.Rows()
	}
	for _, v := range []*[]float64{&l.w, &l.v, &l.chosen} {
		*v = make([]float64, t.p.X.Cols())
	}
	t.initial(l.w)
	return l
}

// Next does lines 4 to 9 or lines 11 to 18.
func (l *theoreticalLoop) Next(c *run.Control) {
	if l.t == 0 {
		e := l.full.gradient(l.v, l.w) // line 5
		c.Gradients(l.p.X.Rows())
		c.Reached(l.w, e)
		l.x.MulVec(l.z, l.w)
		l.eta, l.etas = 0, 0
		l.local(c)
		l.t = 1
		return
	}
	// Line 11, the margins with it.
	before := l.eta
	direct.Axpy(-before, l.v, l.w)
	i, weight := l.sample() // line 12, with the margin before the step
	old := l.slope(i)
	direct.Axpy(-before, l.q, l.z)
	// Line 13: the gradient of f_i differs in its loss and in lambda w.
	l.row[0], l.c[0] = i, float64((l.slope(i)-old)*weight)
	by := math.FMA(-float64(weight*l.p.Ridge()), before, 1)
	held := risk.Held(l.p, l.v)
	direct.Scale(held, by, held)
	l.x.AddRows(l.v, l.row, l.c)
	l.local(c)
	c.Iterations(1, 1, 2)
	if l.t++; l.t > l.length { // line 20
		copy(l.w, l.chosen)
		l.t = 0
	}
}

// local is lines 6 to 9 and 14 to 18: it solves (4) for every sample at w along v
// and takes the step from the result. For line 20 it keeps w_t with probability
// eta_t / (eta_0 + ... + eta_t), so that in the end each is chosen with
// probability q_t.
func (l *theoreticalLoop) local(c *run.Control) {
	l.x.MulVec(l.q, l.v)
	former := l.lipschitz
	sum, largest := l.solve()
	l.sum, l.lipschitz = sum, largest
	if l.importance {
		l.lipschitz = sum / float64(len(l.l))
	}
	switch {
	case !(l.lipschitz > 0) || math.IsInf(l.lipschitz, 0):
		// A loss without curvature here, or numbers that are not finite.
		if math.IsNaN(l.lipschitz) || l.lipschitz > 0 {
			c.End(solvers.Diverged)
		}
		l.eta = 0
	case l.eta == 0:
		l.eta = 1 / l.lipschitz
	default:
		l.eta = min(1/l.lipschitz, float64(former/l.lipschitz)*l.eta)
	}
	if l.etas += l.eta; l.eta > 0 && float64(l.random.Float64()*l.etas) < l.eta || l.t == 0 {
		copy(l.chosen, l.w)
	}
}

// sample draws i and returns 1/(n p_i).
func (l *theoreticalLoop) sample() (i uint32, weight float64) {
	n := len(l.l)
	if !l.importance || !(l.sum > 0) {
		return uint32(l.random.Below(uint64(n))), 1
	}
	at := float64(l.random.Float64() * l.sum)
	block := 0
	for ; block < len(l.sums)-1 && at >= l.sums[block]; block++ {
		at -= l.sums[block]
	}
	k, end := risk.Span(block, n)
	for ; k < end-1 && at >= l.l[k]; k++ {
		at -= l.l[k]
	}
	return uint32(k), float64(l.lipschitz / l.l[k])
}

// slope is s_i phi'(z_i).
func (l *theoreticalLoop) slope(i uint32) float64 {
	l.p.Loss.Gradient(l.c, l.z[i:i+1], l.p.Y[i:i+1], direct.Weights(l.p.SampleWeight, int(i), int(i)+1))
	return l.c[0]
}

// Current writes the iterate.
func (l *theoreticalLoop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *theoreticalLoop) State(c *checkpoint.Coder) {
	for _, v := range [][]float64{l.w, l.v, l.chosen, l.z, l.q, l.l, l.sums} {
		c.Floats(v)
	}
	c.Count(&l.t, l.length)
	for _, v := range []*float64{&l.sum, &l.lipschitz, &l.eta, &l.etas} {
		c.Float64(v)
	}
	c.Random(l.random)
}
