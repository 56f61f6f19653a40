package compositional

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/penalty"
)

// listing is algorithm 1 (SCVRG), VRSC-PG, SCGD, ASC-PG and accelerated gradient descent on
// explicit functions and Jacobians, line by line. It is written from the papers and shares
// with the solvers the random numbers that the samples are made of, and nothing else.
type listing struct {
	n, m, k, d int
	inner      func(j int, x []float64) []float64   // g_j(x)
	jacobian   func(j int, x []float64) [][]float64 // of g_j, k by d
	outer      func(i int, y []float64) []float64   // grad f_i(y)
	prox       func(x []float64, step float64) []float64
	random     *random.Source
	x          []float64
}

// explicit writes a composition and its regulariser out.
func explicit(p *Problem, start []float64, seed uint64) *listing {
	s := p.F.Shape()
	l := &listing{n: s.Outer, m: s.Inner, k: s.Between, d: s.Columns, random: random.New(seed)}
	matrix := func(f func(row, column int) float64) [][]float64 {
		z := make([][]float64, l.k)
		for r := range z {
			z[r] = make([]float64, l.d)
			for q := range z[r] {
				z[r][q] = f(r, q)
			}
		}
		return z
	}
	kronecker := func(r, q int) float64 {
		if r == q {
			return 1
		}
		return 0
	}
	switch f := p.F.(type) {
	case *Portfolio: // f_i(z, y) = (r_i'z + y)^2 - r_i'z, g_j(x) = (x, -r_j'x)
		r := func(i int) []float64 { return f.rewards[i*l.d : (i+1)*l.d] }
		l.inner = func(j int, x []float64) []float64 { return append(slices.Clone(x), -plain(r(j), x)) }
		l.jacobian = func(j int, _ []float64) [][]float64 {
			return matrix(func(row, q int) float64 {
				if row == l.d {
					return -r(j)[q]
				}
				return kronecker(row, q)
			})
		}
		l.outer = func(i int, y []float64) []float64 {
			e := plain(r(i), y[:l.d]) + y[l.d]
			g := make([]float64, l.k)
			for q, v := range r(i) {
				g[q] = 2*e*v - v
			}
			g[l.d] = 2 * e
			return g
		}
	case *Policy: // f_s(y) = y_s^2/2, g_j(x) = (I - discount P_j) x - r_j
		l.jacobian = func(j int, _ []float64) [][]float64 {
			return matrix(func(s, q int) float64 {
				v := kronecker(s, q)
				if int(f.next[j*l.d+s]) == q {
					v -= f.discount
				}
				return v
			})
		}
		l.inner = func(j int, x []float64) []float64 {
			y := times(l.jacobian(j, nil), x)
			for s := range y {
				y[s] -= f.reward[j*l.d+s]
			}
			return y
		}
		l.outer = func(s int, y []float64) []float64 {
			g := make([]float64, l.k)
			g[s] = y[s]
			return g
		}
	case *curved: // f_i(y) = (b_i'y - t_i)^2/2, g_j(x) = A_j x + squared (c_j'x)^2 e
		c := func(j int) []float64 { return f.c[j*l.d : (j+1)*l.d] }
		l.inner = func(j int, x []float64) []float64 {
			y := make([]float64, l.k)
			for r := range y {
				y[r] = plain(f.a[(j*l.k+r)*l.d:][:l.d], x) + f.squared*math.Pow(plain(c(j), x), 2)
			}
			return y
		}
		l.jacobian = func(j int, x []float64) [][]float64 {
			return matrix(func(r, q int) float64 { return f.a[(j*l.k+r)*l.d+q] + 2*f.squared*plain(c(j), x)*c(j)[q] })
		}
		l.outer = func(i int, y []float64) []float64 {
			b := f.b[i*l.k:][:l.k]
			return scaled(plain(b, y)-f.t[i], b)
		}
	}
	switch r := p.R.(type) {
	case nil:
		l.prox = func(x []float64, _ float64) []float64 { return x }
	case penalty.Box:
		l.prox = func(x []float64, _ float64) []float64 {
			return mapped(x, func(v float64) float64 { return math.Max(r.Low, math.Min(r.High, v)) })
		}
	case penalty.L1Box: // the minimum over [Low, High] of Lambda |y| + (y-v)^2/(2 step), by its ends and flat points
		l.prox = func(x []float64, step float64) []float64 {
			return mapped(x, func(v float64) float64 {
				best, least := 0.0, math.Inf(1)
				for _, y := range []float64{r.Low, r.High, 0, v - step*r.Lambda, v + step*r.Lambda} {
					if value := step*r.Lambda*math.Abs(y) + (y-v)*(y-v)/2; y >= r.Low && y <= r.High && value < least {
						best, least = y, value
					}
				}
				return best
			})
		}
	case penalty.Ball:
		l.prox = func(x []float64, _ float64) []float64 {
			return scaled(math.Min(1, r.Radius/math.Sqrt(plain(x, x))), x)
		}
	case *penalty.Simplex: // x - t, cut at 0, with the t that makes the sum right
		l.prox = func(x []float64, _ float64) []float64 {
			cut := func(t float64) []float64 {
				return mapped(x, func(v float64) float64 { return math.Max(0, v-t) })
			}
			low, high := slices.Min(x)-r.Total, slices.Max(x)
			for range 200 {
				t, sum := (low+high)/2, 0.0
				for _, v := range cut(t) {
					sum += v
				}
				if sum > r.Total {
					low = t
				} else {
					high = t
				}
			}
			return cut(low)
		}
	}
	if l.x = make([]float64, l.d); start != nil {
		copy(l.x, start)
	}
	l.x = l.prox(l.x, 0)
	return l
}

func plain(x, y []float64) float64 {
	s := 0.0
	for j, v := range x {
		s += v * y[j]
	}
	return s
}

func scaled(a float64, x []float64) []float64 {
	return mapped(x, func(v float64) float64 { return a * v })
}

func mapped(x []float64, f func(float64) float64) []float64 {
	y := make([]float64, len(x))
	for j, v := range x {
		y[j] = f(v)
	}
	return y
}

// plus returns x + a y.
func plus(x []float64, a float64, y []float64) []float64 {
	z := slices.Clone(x)
	for j, v := range y {
		z[j] += a * v
	}
	return z
}

func times(z [][]float64, x []float64) []float64 {
	y := make([]float64, len(z))
	for r, row := range z {
		y[r] = plain(row, x)
	}
	return y
}

// transposed returns z'u.
func transposed(z [][]float64, u []float64) []float64 {
	v := make([]float64, len(z[0]))
	for r, row := range z {
		for q := range row {
			v[q] += row[q] * u[r]
		}
	}
	return v
}

func (l *listing) sample(size, of int) []int {
	s := make([]int, size)
	for k := range s {
		s[k] = int(l.random.Below(uint64(of)))
	}
	return s
}

func all(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// g, dg and df are means over samples.
func (l *listing) g(sample []int, x []float64) []float64 {
	mean := make([]float64, l.k)
	for _, j := range sample {
		mean = plus(mean, 1/float64(len(sample)), l.inner(j, x))
	}
	return mean
}

func (l *listing) dg(sample []int, x []float64) [][]float64 {
	mean := make([][]float64, l.k)
	for r := range mean {
		mean[r] = make([]float64, l.d)
		for _, j := range sample {
			mean[r] = plus(mean[r], 1/float64(len(sample)), l.jacobian(j, x)[r])
		}
	}
	return mean
}

func (l *listing) df(sample []int, y []float64) []float64 {
	mean := make([]float64, l.k)
	for _, i := range sample {
		mean = plus(mean, 1/float64(len(sample)), l.outer(i, y))
	}
	return mean
}

// move is (5).
func (l *listing) move(v []float64, step float64) { l.x = l.prox(plus(l.x, -step, v), step) }

// anchor is what is computed at a reference point.
type anchor struct {
	x, g []float64
	z    [][]float64
	v    []float64
}

func (l *listing) anchorAt(x []float64) anchor {
	a := anchor{x: slices.Clone(x), g: l.g(all(l.m), x), z: l.dg(all(l.m), x)}
	a.v = transposed(a.z, l.df(all(l.n), a.g))
	return a
}

// estimate is (2), (3) and (4), with the samples of g, of its Jacobian and of f.
func (l *listing) estimate(a anchor, ofG, ofJacobian, ofF []int) []float64 {
	g := plus(plus(a.g, 1, l.g(ofG, l.x)), -1, l.g(ofG, a.x))
	z := make([][]float64, l.k)
	here, there := l.dg(ofJacobian, l.x), l.dg(ofJacobian, a.x)
	for r := range z {
		z[r] = plus(plus(a.z[r], 1, here[r]), -1, there[r])
	}
	v := slices.Clone(a.v)
	for _, i := range ofF {
		v = plus(v, 1/float64(len(ofF)), transposed(z, l.outer(i, g)))
		v = plus(v, -1/float64(len(ofF)), transposed(a.z, l.outer(i, a.g)))
	}
	return v
}

// scvrg is algorithm 1 with epochs of k_0 2^s, s = 0 .. S-1, which its proof has. after is called
// with the point that stands for the run after every line that moves it. It ends after the given
// number of epochs.
func (l *listing) scvrg(eta float64, first, epochs, most, a, b int, after func(x []float64)) {
	total, done := float64(first)*(math.Pow(2, float64(epochs))-1), 0.0
	reference := l.x
	for s := range most {
		at := l.anchorAt(reference)
		after(l.x)
		length := first << s
		mean := make([]float64, l.d)
		for t := range length {
			mean = plus(mean, 1/float64(length), l.x)
			inner, outer := l.sample(a, l.m), l.sample(b, l.n)
			v := l.estimate(at, inner, inner, outer)
			done++
			l.move(v, eta*math.Sqrt(total)/math.Sqrt(2*total-done))
			if t < length-1 {
				after(l.x)
			}
		}
		reference = mean
		after(reference)
	}
}

// vrsc is VRSC-PG (Huo, Gu, Liu and Huang 2018, algorithm 2).
func (l *listing) vrsc(eta float64, length, a, b, rounds int, after func(x []float64)) {
	for range rounds {
		at := l.anchorAt(l.x)
		after(l.x)
		for range length {
			ofG, ofJacobian, ofF := l.sample(a, l.m), l.sample(a, l.m), l.sample(b, l.n)
			l.move(l.estimate(at, ofG, ofJacobian, ofF), eta)
			after(l.x)
		}
	}
}

// scgd is SCGD (Wang, Fang and Liu 2017, algorithm 1).
func (l *listing) scgd(eta float64, a, b, iterations int, after func(x []float64)) {
	y := make([]float64, l.k)
	for k := 1.0; k <= float64(iterations); k++ {
		alpha, beta := math.Pow(k, -3./4), math.Pow(k, -1./2)
		inner, outer := l.sample(a, l.m), l.sample(b, l.n)
		y = plus(scaled(1-beta, y), beta, l.g(inner, l.x))
		l.move(transposed(l.dg(inner, l.x), l.df(outer, y)), eta*alpha)
		after(l.x)
	}
}

// ascpg is ASC-PG (Wang, Liu and Fang 2017, algorithm 1); the powers are 5/7 and 4/7 there.
func (l *listing) ascpg(eta, a1, b1 float64, a, b, iterations int, after func(x []float64)) {
	inner, outer := l.sample(a, l.m), l.sample(b, l.n)
	y := l.g(inner, l.x)
	for k := 1.0; k <= float64(iterations); k++ {
		alpha, beta := math.Pow(k, -a1), math.Pow(k, -b1)
		before := l.x
		l.move(transposed(l.dg(inner, l.x), l.df(outer, y)), eta*alpha)
		after(l.x)
		z := plus(scaled(1-1/beta, before), 1/beta, l.x)
		inner, outer = l.sample(a, l.m), l.sample(b, l.n)
		y = plus(scaled(1-beta, y), beta, l.g(inner, z))
	}
}

// agd is Nesterov's method with a proximal step (Beck and Teboulle 2009, FISTA). With restart it
// restarts by the gradient (O'Donoghue and Candes 2015).
func (l *listing) agd(eta float64, restart bool, iterations int, after func(x []float64)) {
	y, t := slices.Clone(l.x), 1.0
	for range iterations {
		before := l.x
		l.x = l.prox(plus(y, -eta, l.anchorAt(y).v), eta)
		next := (1 + math.Sqrt(1+4*t*t)) / 2
		if restart && plain(plus(y, -1, l.x), plus(l.x, -1, before)) > 0 {
			next, t = 1, 1
		}
		y = plus(l.x, (t-1)/next, plus(l.x, -1, before))
		t = next
		after(l.x)
	}
}
