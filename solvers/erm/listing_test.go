package erm

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/passes"
)

// The listings take batches of testBatch rows by testSeed, begin at w, and do a number of steps; a
// full gradient counts as one. They return the final weights.

func (r *reference) batches(tail passes.Tail, random *random.Source) *passes.Batches {
	return passes.NewBatches(len(r.x), testBatch, tail, random)
}

// aisarah is algorithm 2. It returns nil if a batch is flat; the paper does not treat this case.
func (r *reference) aisarah(w []float64, gamma, beta float64, steps int) []float64 {
	batches, delta := r.batches(passes.FoldTail, random.New(testSeed)), 0.0
	for step := 0; step < steps; {
		v := r.gradient(r.all(), w)
		first := dot(v, v)
		for step++; step < steps; {
			rows := batches.Next()
			alpha := r.newton(rows, w, v)
			if math.IsNaN(alpha) {
				return nil
			}
			if delta == 0 {
				delta = 1 / alpha
			} else {
				delta = beta*delta + (1-beta)/alpha
			}
			r.recursiveStep(rows, w, v, min(alpha, 1/delta))
			if step++; dot(v, v) < gamma*first {
				break
			}
		}
	}
	return w
}

// intervals are the parameters of algorithm 5, and of SARAH and SARAH+, whose steps are all
// the same. Inner loops are of a random length up to inner, where that is random.
type intervals struct {
	least, most, gamma float64
	inner              int
	random             bool
}

func (r *reference) intervals(w []float64, m intervals, steps int) []float64 {
	random := random.New(testSeed)
	batches := r.batches(passes.FoldTail, random)
	for step := 0; step < steps; {
		v := r.gradient(r.all(), w)
		first, left := dot(v, v), m.inner
		if m.random {
			left = 1 + int(random.Below(uint64(m.inner)))
		}
		for step++; left > 0 && step < steps; left-- {
			rows, alpha := batches.Next(), m.least
			if m.least < m.most {
				if alpha = r.newton(rows, w, v); math.IsNaN(alpha) {
					alpha = m.least
				}
				alpha = min(max(alpha, m.least), m.most)
			}
			r.recursiveStep(rows, w, v, alpha)
			if step++; dot(v, v) < m.gamma*first {
				break
			}
		}
	}
	return w
}

// svrg is SVRG of Johnson and Zhang, option I.
func (r *reference) svrg(w []float64, size float64, inner, steps int) []float64 {
	batches := r.batches(passes.FoldTail, random.New(testSeed))
	for step := 0; step < steps; {
		anchor, full := slices.Clone(w), r.gradient(r.all(), w)
		step++
		for left := inner; left > 0 && step < steps; left-- {
			rows := batches.Next()
			g, h := r.gradient(rows, w), r.gradient(rows, anchor)
			for j := range w {
				w[j] -= size * (g[j] - h[j] + full[j])
			}
			step++
		}
	}
	return w
}

// sgd has heavy-ball momentum.
func (r *reference) sgd(w []float64, size, momentum, decay float64, steps int) []float64 {
	batches, u := r.batches(passes.DropTail, random.New(testSeed)), make([]float64, len(w))
	for k := range steps {
		g := r.gradient(batches.Next(), w)
		for j := range w {
			u[j] = momentum*u[j] + g[j]
			w[j] -= size * u[j]
		}
		if (k+1)%batches.PerPass() == 0 {
			size *= 1 - decay
		}
	}
	return w
}

// adam is Adam of Kingma and Ba.
func (r *reference) adam(w []float64, size, beta1, beta2, epsilon, decay float64, steps int) []float64 {
	batches, m, v := r.batches(passes.DropTail, random.New(testSeed)), make([]float64, len(w)), make([]float64, len(w))
	for k := range steps {
		g := r.gradient(batches.Next(), w)
		for j := range w {
			m[j] = beta1*m[j] + (1-beta1)*g[j]
			v[j] = beta2*v[j] + (1-beta2)*g[j]*g[j]
			mean := m[j] / (1 - math.Pow(beta1, float64(k+1)))
			square := v[j] / (1 - math.Pow(beta2, float64(k+1)))
			w[j] -= size * mean / (math.Sqrt(square) + epsilon)
		}
		if (k+1)%batches.PerPass() == 0 {
			size *= 1 - decay
		}
	}
	return w
}

// theoretical is algorithm 3 where importance is set, else algorithm 4.
func (r *reference) theoretical(w []float64, importance bool, inner, outer int) []float64 {
	random, n := random.New(testSeed), float64(len(r.x))
	mean := func(l []float64) float64 {
		s, most := 0.0, 0.0
		for _, v := range l {
			s, most = s+v, max(most, v)
		}
		if importance {
			return s / n
		}
		return most
	}
	for range outer {
		v := r.gradient(r.all(), w)
		chosen, now := slices.Clone(w), implicitOf(r.Problem, w, v)
		lt := mean(now.l)
		eta := 1 / lt
		total := eta
		random.Float64()
		for range inner {
			before := slices.Clone(w)
			axpy(-eta, v, w)
			i, weight := 0, 1.0
			if importance {
				at := random.Float64() * lt * n
				for ; i < len(r.x)-1 && at >= now.l[i]; i++ {
					at -= now.l[i]
				}
				weight = lt / now.l[i] // 1/(n p_i)
			} else {
				i = int(random.Below(uint64(len(r.x))))
			}
			row := []uint32{uint32(i)}
			g, h := r.gradient(row, w), r.gradient(row, before)
			for j := range v {
				v[j] += weight * (g[j] - h[j])
			}
			now = implicitOf(r.Problem, w, v)
			next := mean(now.l)
			eta = min(1/next, lt/next*eta)
			lt = next
			total += eta
			if random.Float64()*total < eta {
				copy(chosen, w)
			}
		}
		w = chosen
	}
	return w
}

// newtonStep is one step of truncated Newton from w on a quadratic, by conjugate gradients
// preconditioned by the diagonal of the Hessian. The iterations end once one gains less than
// forcing times the mean gain so far, or after most iterations. They also end once the residual,
// in the preconditioner's metric, is below a fifth of forcing times the first residual.
func (r *reference) newtonStep(w []float64, forcing float64, most int) []float64 {
	rows, d := r.all(), len(w)
	n := float64(len(rows))
	hessian := make([][]float64, d)
	for j := range hessian {
		hessian[j] = make([]float64, d)
		hessian[j][j] = r.Ridge()
	}
	for i, x := range r.x {
		_, _, h, _ := r.phi(i, dot(x, w))
		for j, v := range x {
			axpy(h*v/n, x, hessian[j])
		}
	}
	residual, step := r.gradient(rows, w), make([]float64, d)
	axpy(-2, slices.Clone(residual), residual) // minus the gradient
	scaled := make([]float64, d)
	precondition := func() float64 {
		for j, v := range residual {
			scaled[j] = v / hessian[j][j]
		}
		return dot(scaled, residual)
	}
	square := precondition()
	first, direction, gained := square, slices.Clone(scaled), 0.0
	for k := 1; ; k++ {
		product := make([]float64, d)
		for j, row := range hessian {
			product[j] = dot(row, direction)
		}
		alpha := square / dot(direction, product)
		axpy(alpha, direction, step)
		axpy(-alpha, product, residual)
		gain := alpha * square / 2
		gained += gain
		next := precondition()
		if k >= most || gain <= forcing*gained/float64(k) || math.Sqrt(next) <= forcing/5*math.Sqrt(first) {
			break
		}
		old := slices.Clone(direction)
		copy(direction, scaled)
		axpy(next/square, old, direction)
		square = next
	}
	axpy(1, step, w)
	return w
}
