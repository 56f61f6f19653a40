package softmax

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// objective computes P, its gradient and products with its Hessian. Matrices are stored
// row after row, with the classes of a row or of a column of X side by side.
type objective struct {
	p        *Problem
	x        direct.Matrix
	n, d, k  int
	held     int // weights that the regulariser holds, which come before the intercepts
	perBlock int // rows, a function of k alone

	z    []float64 // n by k: margins
	prob []float64 // n by k: probabilities
	work []float64 // n by k
	g    []float64 // d by k
	sums []float64 // of blocks of rows
	at   []float64 // the margins of a sweep

	// Of the rows: sum s_i, sum s_i ||x_i||, sum s_i ||x_i||^2, and the largest ||x_i||.
	weights, first, second, longest float64
	learned                         bool

	beside *beside // what the gap has to know of intercepts; nil without

	swept *sweeps // rows in shards, wherever they are; nil for rows in memory without
}

func newObjective(p *Problem, pool *matrix.Pool) *objective {
	o := &objective{p: p, x: direct.Matrix{Matrix: p.X, Pool: pool}, n: p.X.Rows(), d: p.X.Cols(), k: p.Count}
	o.perBlock = max(1, 8192/o.k)
	o.sums = make([]float64, (o.n+o.perBlock-1)/o.perBlock)
	for _, v := range []*[]float64{&o.z, &o.prob, &o.work} {
		*v = make([]float64, o.n*o.k)
	}
	o.g = make([]float64, o.d*o.k)
	if o.held = (*risk.Classes)(p).Held(); p.Intercept {
		o.beside = newBeside(o)
	}
	return o
}

func (o *objective) row(m []float64, i int) []float64 { return m[i*o.k : (i+1)*o.k] }

func (o *objective) rows(b int) (first, end int) {
	return b * o.perBlock, min((b+1)*o.perBlock, o.n)
}

// Sweeps over blocks of rows.
type (
	probabilities objective // from margins: prob, the sums of the losses, and s (prob - label) in work
	losses        objective // from margins: the sums of the losses
	bend          objective // from a step's margins in work: s prob (margin - mean margin)
)

func (t *probabilities) Block(b int) {
	o, k := (*objective)(t), asm.Active()
	first, end := o.rows(b)
	sum := 0.0
	for i := first; i < end; i++ {
		sum += slopeRow(k, o.row(o.prob, i), o.row(o.work, i), o.row(o.at, i), o.p.Class[i], direct.Weight(o.p.SampleWeight, i))
	}
	o.sums[b] = sum
}

// slopeRow makes the probabilities and the slopes of a row of weight s at margins z, and returns its loss.
func slopeRow(k *asm.Table, prob, slopes, z []float64, own uint32, s float64) (loss float64) {
	most := k.Element.Extreme.Max(z)
	total := k.Element.ExpSum(prob, z, most)
	k.Dense.Scale(prob, 1/total, prob)
	k.Dense.Scale(slopes, s, prob)
	if slopes[own] -= s; sure(z[own], most, total) {
		others := others(slopes, z, own)
		k.Dense.Scale(slopes, s, prob)
		slopes[own] = -float64(s * (others / total))
		return float64(s * kernels.Log1pOf(others))
	}
	return float64(s * (float64(most-z[own]) + kernels.LogOf(total)))
}

func (t *losses) Block(b int) {
	o, k := (*objective)(t), asm.Active()
	first, end := o.rows(b)
	sum := 0.0
	for i := first; i < end; i++ {
		z, c := o.row(o.at, i), o.p.Class[i]
		most := k.Element.Extreme.Max(z)
		total := k.Element.ExpSum(nil, z, most)
		loss := float64(most-z[c]) + kernels.LogOf(total)
		if sure(z[c], most, total) {
			loss = kernels.Log1pOf(others(o.row(o.work, i), z, c))
		}
		sum += float64(direct.Weight(o.p.SampleWeight, i) * loss)
	}
	o.sums[b] = sum
}

func (t *bend) Block(b int) {
	o, k := (*objective)(t), asm.Active()
	first, end := o.rows(b)
	for i := first; i < end; i++ {
		bendRow(k, o.row(o.work, i), o.row(o.prob, i), o.p.Class[i], direct.Weight(o.p.SampleWeight, i))
	}
}

// bendRow makes the margins v of a row, of probabilities prob, its weight s times (diag(p) - pp') v.
func bendRow(k *asm.Table, v, prob []float64, own uint32, s float64) {
	k.Dense.AddScalar(v, -k.Dense.Dot(prob, v), v)
	k.Dense.Mul(v, prob, v)
	if prob[own] > 1-0x1p-10 {
		// As for the slope of a sure row. The classes' parts add up to 0.
		v[own] = 0
		v[own] = -k.Dense.Sum(v)
	}
	if s != 1 {
		k.Dense.Scale(v, s, v)
	}
}

// sure tells whether a row's own class, of margin z, has nearly all of its probability: the
// loss, and what the probability lacks to 1, are lost in a sum that has the own class in it.
func sure(z, most, total float64) bool { return z == most && total < 1+0x1p-10 }

// others sums the exponentials of the margins of all classes but c, whose is the largest. It
// overwrites room.
func others(room, z []float64, c uint32) float64 {
	k := asm.Active()
	k.Element.ExpSum(room, z, z[c])
	room[c] = 0
	return k.Dense.Sum(room)
}

func (o *objective) mean() float64 {
	sum := 0.0
	for _, v := range o.sums {
		sum += v
	}
	return sum / float64(o.n)
}

func (o *objective) lossAt(z []float64) float64 {
	o.at = z
	matrix.Run(o.x.Pool, len(o.sums), (*losses)(o))
	return o.mean()
}

// gradient evaluates w, whose margins are z, and computes g and the probabilities.
func (o *objective) gradient(g, w, z []float64) run.Evaluation {
	o.slopes(z)
	return o.gather(g, w)
}

// slopes computes the probabilities, the losses and the slopes of the rows at margins z.
func (o *objective) slopes(z []float64) {
	o.at = z
	matrix.Run(o.x.Pool, len(o.sums), (*probabilities)(o))
}

// gather evaluates w by the last slopes.
func (o *objective) gather(g, w []float64) run.Evaluation {
	clear(g)
	direct.Must(matrix.AddTransDense(o.x.Matrix, o.x.Pool, g, o.work, o.k))
	if o.beside != nil {
		matrix.Run(o.x.Pool, o.k, o.beside)
	}
	return o.evaluation(g, w, o.mean())
}

// evaluation evaluates w by the mean loss and the sums of the slopes in g, of which it makes the gradient.
func (o *objective) evaluation(g, w []float64, mean float64) run.Evaluation {
	o.regularise(g, w)
	e := run.Evaluation{Objective: math.FMA(0.5*o.p.Lambda, kernels.SquaredNorm(w[:o.held]), mean), GradientNorm: direct.Norm(g)}
	size := direct.Norm(w)
	e.GradientError, e.ObjectiveError = o.rounding(size, e)
	if o.beside != nil {
		e.Gap = min(o.beside.gap(g, size, e), e.Objective+e.ObjectiveError) // P is not below 0
		return e
	}
	e.Gap = certificate.FromNorm(e.GradientNorm+e.GradientError, o.p.Lambda, len(g))
	return e
}

// regularise makes a gradient, or a product with the Hessian, of a sum over rows at dst: the
// regulariser holds all weights v but the intercepts.
func (o *objective) regularise(dst, v []float64) {
	each := 1 / float64(o.n)
	direct.ScaleAdd(dst[:o.held], each, dst[:o.held], o.p.Lambda, v[:o.held])
	direct.Scale(dst[o.held:], each, dst[o.held:])
}

// product computes dst = H v + lambda v with the Hessian of the mean loss at the last evaluated
// point. It writes the margins of v to margins.
//
//	(H V)_jk = (1/n) sum_i s_i x_ij p_ik (a_ik - sum_l p_il a_il),  a_i = V'x_i
func (o *objective) product(dst, margins, v []float64) {
	direct.Must(matrix.MulDense(o.x.Matrix, o.x.Pool, margins, v, o.k))
	copy(o.work, margins)
	matrix.Run(o.x.Pool, len(o.sums), (*bend)(o))
	clear(dst)
	direct.Must(matrix.AddTransDense(o.x.Matrix, o.x.Pool, dst, o.work, o.k))
	o.regularise(dst, v)
}

// rounding bounds by how much the norm of the gradient and the objective, as computed, differ
// from their exact values at weights of a norm. With gamma the share that a sum of one entry
// after the other may lose, derived in docs/certificates.md,
//
//	||dG|| <= (1/n) (gamma ||W|| sum s_i ||x_i||^2 + (10u k^(1/2) + 1.5 (n+96)u) sum s_i ||x_i||)
//	          + 4u lambda ||W|| + (dk+8)u ||G||;
//	|dP|   <= (1/n) (2 gamma ||W|| sum s_i ||x_i|| + (k+16)u sum s_i) + (n+dk+64)u P
//
// and what underflow takes.
func (o *objective) rounding(weights float64, e run.Evaluation) (gradient, value float64) {
	const slack = 1.01
	if !o.learned {
		o.learned = true
		for i, v := range matrix.Norms(o.p.X) {
			s := direct.Weight(o.p.SampleWeight, i)
			o.weights += s
			o.first += float64(s * v)
			o.second = math.FMA(float64(s*v), v, o.second)
			if s > 0 {
				o.longest = max(o.longest, v)
			}
		}
	}
	size := float64(len(o.g))
	weights += certificate.Underflow(len(o.g))
	n, classes := float64(o.n), math.Sqrt(float64(o.k))
	gamma := float64(o.d+16) * direct.Unit
	moved := float64(gamma*weights) / n
	gradient = float64(moved*o.second) + float64((float64(10*direct.Unit*classes)+float64(float64(1.5*(n+96))*direct.Unit))*(o.first/n)) +
		float64(4*direct.Unit*o.p.Lambda*weights) + float64(float64((size+8)*direct.Unit)*e.GradientNorm)
	value = float64(2*moved*o.first) + float64((n+size+64)*direct.Unit*math.Abs(e.Objective)) +
		float64(float64(float64(o.k+16)*direct.Unit)*(o.weights/n)) + float64(float64(direct.Tiny*size)*(1+o.p.Lambda))
	return float64(slack*gradient) + certificate.Underflow(len(o.g)), slack * value
}

// sharpen puts a gap into the evaluation of w, stored column after column, whose rounding is
// bounded entry by entry, where that is better.
func (o *objective) sharpen(e *run.Evaluation, w []float64) {
	if norm, rounding, gap := (*certificate.Classes)(o.p).Careful(w); gap < e.Gap {
		e.GradientNorm, e.GradientError, e.Gap = norm, rounding, gap
	}
}

// certify is run.Run.Certify: w is stored class after class. Beside intercepts more than rounding
// may make the gap larger than the norm of the gradient says.
func (o *objective) certify(w []float64, e run.Evaluation, target float64, _ bool) run.Evaluation {
	if e.Gap > 2*certificate.FromNorm(e.GradientNorm, o.p.Lambda, len(w)) && (o.beside == nil || e.Gap > target) {
		columns := make([]float64, len(w))
		o.byColumn(columns, w)
		o.sharpen(&e, columns)
	}
	return e
}

// settle is run.Run.Settle: w is stored class after class.
func (o *objective) settle(w []float64, e run.Evaluation) run.Evaluation {
	columns := make([]float64, len(w))
	o.byColumn(columns, w)
	(*certificate.Classes)(o.p).Objective(&e, columns)
	return e
}

// tile is a number of columns: a cache line of weights class after class.
const tile = 8

// byClass writes weights, stored column after column of X, class after class.
func (o *objective) byClass(dst, w []float64) {
	for first := 0; first < o.d; first += tile {
		end := min(first+tile, o.d)
		for c := range o.k {
			for j := first; j < end; j++ {
				dst[c*o.d+j] = w[j*o.k+c]
			}
		}
	}
}

// byColumn is the inverse of byClass.
func (o *objective) byColumn(dst, w []float64) {
	for first := 0; first < o.d; first += tile {
		end := min(first+tile, o.d)
		for c := range o.k {
			for j := first; j < end; j++ {
				dst[j*o.k+c] = w[c*o.d+j]
			}
		}
	}
}

// evaluate is run.Run.Evaluate: w is stored class after class.
func (o *objective) evaluate(w []float64) run.Evaluation {
	columns := make([]float64, len(w))
	o.byColumn(columns, w)
	direct.Must(matrix.MulDense(o.x.Matrix, o.x.Pool, o.z, columns, o.k))
	return o.gradient(o.g, columns, o.z)
}

// atZero is the objective at W = 0, where all classes have equal probabilities.
func (o *objective) atZero() float64 {
	if o.swept != nil {
		return float64(o.weights*kernels.LogOf(float64(o.k))) / float64(o.n)
	}
	total := 0.0
	for i := range o.n {
		total += direct.Weight(o.p.SampleWeight, i)
	}
	return float64(total*kernels.LogOf(float64(o.k))) / float64(o.n)
}
