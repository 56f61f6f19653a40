package softmax

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// beside computes what the gap has to know of intercepts.
type beside struct {
	*objective
	rows  []uint32 // sorted by class
	begin []int    // the first row of each class in rows, and their number
	ties  []float64
	wrong []float64 // of each class: the sum of s_i (1 - p_i) over its rows, p_i of the class
	errs  []float64
}

func newBeside(o *objective) *beside {
	b := &beside{
		objective: o, rows: make([]uint32, o.n), begin: make([]int, o.k+1),
		ties: make([]float64, o.k*o.k), wrong: make([]float64, o.k), errs: make([]float64, o.k),
	}
	for _, c := range o.p.Class {
		b.begin[c+1]++
	}
	for c := range o.k {
		b.begin[c+1] += b.begin[c]
	}
	next := make([]int, o.k)
	copy(next, b.begin)
	for i, c := range o.p.Class {
		b.rows[next[c]] = uint32(i)
		next[c]++
	}
	return b
}

// Block sums over the rows of a class c at the last probabilities and slopes: s_i p_ic p_i in its
// row of ties, and what the probabilities of c lack to 1.
func (b *beside) Block(c int) {
	ties, axpy := b.row(b.ties, c), asm.Active().Dense.Axpy
	clear(ties)
	wrong := 0.0
	for _, i := range b.rows[b.begin[c]:b.begin[c+1]] {
		prob := b.row(b.prob, int(i))
		axpy(float64(direct.Weight(b.p.SampleWeight, int(i))*prob[c]), prob, ties)
		wrong -= b.work[int(i)*b.k+c]
	}
	b.wrong[c] = wrong
}

// gap bounds the distance from the minimum at weights of a norm. It uses the gradient g there, and
// the sums of Block. docs/certificates.md derives it. Let t be the range
// of the errors of a row's margins, and M_a the sum of a class's absolute slopes over n. Then an
// intercept's slope errs by at most
//
//	M_a (t (1 + 2t) + (n+96)u + (2048(k+5) + 800)u) + 4u |h_a|,  t = 2^(1/2) gamma ||W|| max ||x_i||
//
// and a tie by the share 2t + (n + 2k + 1600)u.
func (b *beside) gap(g []float64, norm float64, e run.Evaluation) float64 {
	const slack = 1.01
	n, k := float64(b.n), float64(b.k)
	gamma := float64(b.d+16) * direct.Unit
	off := float64(slack * float64(math.Sqrt2*gamma) * float64((norm+certificate.Underflow(len(g)))*b.longest))
	share := float64(off*(1+float64(2*off))) + float64((n+96+float64(2048*(k+5))+800)*direct.Unit)
	slopes := g[b.held:]
	for a, h := range slopes {
		sum := h + float64(2*float64(b.wrong[a]/n)) // the slopes of a class's own rows are negative, all others positive
		b.errs[a] = float64(slack*(float64(share*sum)+float64(4*direct.Unit*math.Abs(h)))) + float64(direct.Tiny*(n+16))
	}
	certificate.Tie(b.ties, b.k, b.n, float64(2*off)+float64((n+2*k+1600)*direct.Unit))
	at := certificate.Intercepts{Slopes: slopes, Errors: b.errs, Ties: b.ties, Longest: slack * (b.second / (2 * n))}
	return at.Gap(e.GradientNorm+e.GradientError, b.p.Lambda, len(g))
}

// startIntercepts makes the start of a run: intercepts of a sum of 0, by the shares of the classes
// where the run was given no point.
func (l *loop) startIntercepts() {
	b := l.w[l.held:]
	if l.initial == nil {
		for c, mass := range l.masses() {
			b[c] = kernels.LogOf(mass)
		}
	}
	centre(b)
}

// masses are the total weights of the rows of each class.
func (o *objective) masses() []float64 {
	if o.swept != nil {
		return o.swept.masses
	}
	return (*risk.Classes)(o.p).Masses()
}

// centre subtracts the mean of numbers from them. There may be none.
func centre(v []float64) {
	if len(v) > 0 {
		direct.AddScalar(v, -kernels.Sum(v)/float64(len(v)), v)
	}
}
