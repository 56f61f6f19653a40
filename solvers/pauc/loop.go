package pauc

import (
	"errors"
	"math"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// loop keeps an inner iterate as v = w + a u, so that the closed form of step (14),
// v-w = q (v_t-w) - s G with q = mu/(mu+eta) and s = eta q, costs the non-zeros of
// the batch. The sum of the v-w is total + mass u - late.
type loop struct {
	p                    *Problem
	pool                 *sparse.Pool
	method               Method
	positives, negatives []uint32
	places, others       *solvers.Batches
	share                [2]float64 // m/N, n/N

	begun        bool
	warmPasses   int
	outer, phase int
	inner        int
	w, u         []float64
	total, late  []float64
	first        []float64 // v_m - w
	a, mass      float64
	lambda       [2][]float64

	// Scratch.
	rows               []uint32
	sw, su, c          []float64
	bound, z, all, sum []float64
}

// smallest is what a may shrink to before u is written anew: total takes a difference
// of numbers that are larger than itself by 1/a.
const smallest = 1e-4

// Next looks at the starting point, then does one inner iteration after another.
func (l *loop) Next(c *solvers.Control) {
	if !l.begun {
		l.begun = true
		for range l.warmPasses {
			c.Pass()
		}
		c.Reached(l.w, l.evaluate(l.w))
		return
	}
	if l.outer >= l.method.Outer {
		c.Finish()
		return
	}
	length := l.method.Length * (l.outer + 1) * (l.outer + 1)
	// f^0 = 0: its proximal point is w itself.
	if l.phase == 0 && l.share[0] == 0 {
		clear(l.first)
		l.phase = 1
	}
	if l.step() != nil {
		c.Diverge()
		return
	}
	c.Iteration(len(l.rows), len(l.rows))
	if l.inner++; l.inner < length {
		return
	}
	if l.close(length) != nil {
		c.Diverge()
		return
	}
	if l.phase == 0 {
		c.Reached(l.w, l.evaluate(l.w))
	}
}

var errNotFinite = errors.New("not finite")

// step is one inner iteration of algorithm 2.
func (l *loop) step() error {
	chosen := l.places.Next()
	np := len(chosen)
	for k, place := range chosen {
		l.rows[k] = l.positives[place]
	}
	for k, place := range l.others.Next() {
		l.rows[np+k] = l.negatives[place]
	}
	if err := l.p.X.MulRows2(l.sw, l.su, l.rows, l.w, l.u); err != nil {
		return err
	}
	if err := kernels.Axpy(l.a, l.su, l.sw); err != nil {
		return err
	}
	lambda := l.lambda[l.phase]
	for k, place := range chosen {
		l.bound[k] = -lambda[place]
	}
	if err := kernels.Exp(l.bound, l.bound); err != nil {
		return err
	}
	clear(l.c)
	theta := l.method.Inner / float64(l.outer+1)
	pairs := 1 / (float64(np) * float64(len(l.rows)-np))
	negatives := l.sw[np:]
	for k, place := range chosen {
		// s_ij > lambda_i where the difference of scores exceeds this.
		least := math.Inf(-1)
		if lambda[place] > 0 {
			least = lambda[place] + kernels.LogOf(1-l.bound[k])
		}
		z := l.z[:0]
		for _, s := range negatives {
			if d := s - l.sw[k]; d > least {
				z = append(z, d)
			}
		}
		above := float64(len(z)) / float64(len(negatives))
		lambda[place] -= float64(theta * (l.share[l.phase] - above))
		if err := kernels.Sigmoid(z, z); err != nil {
			return err
		}
		at, sum := 0, 0.0
		for j, s := range negatives {
			if s-l.sw[k] > least {
				l.c[np+j] += z[at]
				sum += z[at]
				at++
			}
		}
		l.c[k] = -sum
	}
	q := l.method.Mu / (l.method.Mu + theta)
	if l.a *= q; l.a < smallest {
		if err := l.fold(l.a); err != nil {
			return err
		}
	}
	factor := -float64(float64(theta*q)*pairs) / l.a
	for k := range l.c {
		if l.c[k] = float64(l.c[k] * factor); l.c[k]-l.c[k] != 0 {
			return errNotFinite
		}
	}
	if err := l.p.X.AddRows(l.u, l.rows, l.c); err != nil {
		return err
	}
	for k := range l.c {
		l.c[k] = float64(l.c[k] * l.mass)
	}
	err := l.p.X.AddRows(l.late, l.rows, l.c)
	l.mass += l.a
	return err
}

// fold moves the sum into total and writes u with the factor a in it.
func (l *loop) fold(a float64) error {
	err := errors.Join(kernels.Axpy(l.mass, l.u, l.total), kernels.Axpy(-1, l.late, l.total), kernels.Scale(l.u, a, l.u))
	clear(l.late)
	l.a, l.mass = 1, 0
	return err
}

// close ends an inner loop, and after the second one takes the outer step.
func (l *loop) close(length int) error {
	if err := l.fold(1); err != nil {
		return err
	}
	if err := kernels.Scale(l.total, 1/float64(length), l.total); err != nil {
		return err
	}
	var err error
	if l.phase == 0 {
		copy(l.first, l.total)
		l.phase = 1
	} else {
		// w - (gamma/mu)(v_m - v_n)
		err = errors.Join(kernels.Axpy(l.method.Step, l.total, l.w), kernels.Axpy(-l.method.Step, l.first, l.w))
		l.phase = 0
		l.outer++
	}
	l.inner = 0
	clear(l.u)
	clear(l.total)
	return err
}

// Current writes the outer iterate.
func (l *loop) Current(w []float64) { copy(w, l.w) }

// State visits the loop's state.
func (l *loop) State(c *solvers.Coder) {
	c.Bool(&l.begun)
	for _, v := range []*int{&l.warmPasses, &l.outer, &l.phase, &l.inner} {
		c.Int(v)
	}
	if c.Restoring() && c.Err() == nil && (l.outer < 0 || l.phase < 0 || l.phase > 1 || l.inner < 0 || l.warmPasses < 0) {
		c.Fail(errors.New("an impossible place in the loop"))
		return
	}
	for _, v := range [][]float64{l.w, l.u, l.total, l.late, l.first, l.lambda[0], l.lambda[1]} {
		c.Floats(v)
	}
	c.Float64(&l.a)
	c.Float64(&l.mass)
	l.places.State(c)
	l.others.State(c)
}

// evaluate computes 1 minus the normalised partial AUC of the training rows, and
// the norm of a sampled gradient of F.
func (l *loop) evaluate(w []float64) solvers.Evaluation {
	bad := solvers.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	if l.p.X.MulVec(l.pool, l.all, w) != nil {
		return bad
	}
	_, area, err := metrics.PartialAUC(l.all, l.p.Y, nil, l.p.Low, l.p.High)
	if err != nil {
		return bad
	}
	norm, err := l.gradientNorm()
	if err != nil {
		return bad
	}
	return solvers.Evaluation{Objective: 1 - area, GradientNorm: norm, Gap: math.NaN()}
}

// rankedNegatives returns the negatives by decreasing score in l.all.
func (l *loop) rankedNegatives() []uint32 {
	order := slices.Clone(l.negatives)
	slices.SortStableFunc(order, func(a, b uint32) int {
		switch {
		case l.all[a] > l.all[b]:
			return -1
		case l.all[a] < l.all[b]:
			return 1
		}
		return 0
	})
	return order
}

// sampled is how many positives and ranked negatives gradientNorm looks at.
const sampled = 256

// gradientNorm is of F at the scores in l.all, over an even sample of the positives
// and of the negatives in the range.
func (l *loop) gradientNorm() (float64, error) {
	m, n := ranks(l.p.Low, l.p.High, len(l.negatives))
	order := l.rankedNegatives()[m:n]
	np, nn := min(sampled, len(l.positives)), min(sampled, len(order))
	rows := make([]uint32, 0, np+nn)
	for k := range np {
		rows = append(rows, l.positives[k*len(l.positives)/np])
	}
	for k := range nn {
		rows = append(rows, order[k*len(order)/nn])
	}
	c, z := make([]float64, len(rows)), make([]float64, nn)
	scale := float64(n-m) / float64(len(l.negatives)) / (float64(np) * float64(nn))
	for i := range np {
		for j := range nn {
			z[j] = l.all[rows[np+j]] - l.all[rows[i]]
		}
		if err := kernels.Sigmoid(z, z); err != nil {
			return 0, err
		}
		for j, v := range z {
			c[np+j] += float64(scale * v)
			c[i] -= float64(scale * v)
		}
	}
	clear(l.sum)
	err := l.p.X.AddRows(l.sum, rows, c)
	return math.Sqrt(kernels.SquaredNorm(l.sum)), err
}
