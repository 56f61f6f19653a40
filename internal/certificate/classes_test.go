package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/sparse"
)

// probabilities returns the exact ones of a row, less 1 for its own class.
func probabilities(x *sparse.Matrix, i int, w []float64, k, own int) []ct.Real {
	z, p, total := make([]ct.Real, k), make([]ct.Real, k), ct.R(0)
	for a := range z {
		z[a] = ct.R(0)
		for j, v := range x.Row(i) {
			z[a] = z[a].Plus(ct.R(v).Scale(w[j*k+a]))
		}
	}
	for a := range z {
		p[a] = z[a].Minus(z[own]).Exp()
		total = total.Plus(p[a])
	}
	others := ct.R(0)
	for a := range p {
		if p[a] = p[a].Over(total); a != own {
			others = others.Plus(p[a])
		}
	}
	p[own] = ct.R(0).Minus(others)
	return p
}

// TestClassesRow compares the bounds of a row's slopes with their formula and with the exact
// slopes: for margins that are differences of large numbers, and for classes of next to no
// probability. The error of the own class is the sum of the others' errors.
func TestClassesRow(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.1} // 1.1 and 1.01 are in the terms of the second order
	for _, k := range []int{2, 3, 20} {
		for _, size := range []float64{0, 1, 1e16} {
			for _, spread := range []float64{0, 1, 12, 800} {
				for own := range min(k, 3) {
					row, _ := cancelling(0, 0)
					x, err := sparse.NewCSR(3, []int64{0, 3}, []uint32{0, 1, 2}, row)
					if err != nil {
						t.Fatal(err)
					}
					w, v := make([]float64, 3*k), make([]ct.Real, k)
					top := 0.0
					for a := range k {
						w[a], w[k+a], w[2*k+a] = size, -size, -spread*float64(a)/float64(k)
						v[a] = ct.R(w[2*k+a] - top)
					}
					p, dp, known := certificate.RowOf(x, 0, w, k, own)
					of := fmt.Sprintf("%d classes, size %g, spread %g, own %d", k, size, spread, own)
					if !known {
						t.Fatalf("%s: nothing is known", of)
					}
					for a, exact := range probabilities(x, 0, w, k, own) {
						if off := exact.Minus(ct.R(p[a])).Abs(); off.Cmp(ct.R(dp[a])) > 0 {
							t.Errorf("%s: class %d has %v +- %v, exactly %v", of, a, p[a], dp[a], exact.Float())
						}
					}
					// Relative errors of the exponentials, then of their sum.
					off := func(a int) ct.Real {
						return ct.Unit.Scale(4).Times(v[a].Abs()).Plus(squaredShare(3 + 4).Times(ct.R(4*size - w[2*k+a])))
					}
					total, drift := ct.R(0), ct.R(0)
					for a := range v {
						total = total.Plus(v[a].Exp())
						drift = drift.Plus(v[a].Exp().Times(off(a).Plus(ct.Unit.Scale(8))))
					}
					class := func(on ct.On, a int) ct.Real {
						share := v[a].Exp().Over(total)
						return share.Times(on("margin", off(a)).Plus(on("exponential", ct.Unit.Scale(8)), on("sum", drift.Over(total)), on("division", ct.Unit.Scale(float64(k+4)))))
					}
					for a := range dp {
						if v[a].Float() < -700 {
							continue // below the least exponential: the exact slope has been compared
						}
						pins.Check(t, fmt.Sprintf("%s, class %d", of, a), dp[a], func(on ct.On) ct.Real {
							if a != own {
								return class(on, a)
							}
							sum := ct.R(0)
							for b := range dp {
								if b != own {
									sum = sum.Plus(on("the others' errors", class(func(_ string, v ct.Real) ct.Real { return v }, b)),
										on("the others' sum", v[b].Exp().Over(total).Times(ct.Unit.Scale(float64(k+2)))))
								}
							}
							return sum
						})
					}
				}
			}
		}
	}
	pins.Done(t)
	x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, known := certificate.RowOf(x, 0, []float64{0, -1e16}, 2, 0); known {
		t.Error("something is known of a margin that errs by a unit")
	}
}

// TestClassesGradient compares the norm and the bound of Classes.Careful with the whole computed
// from the rows: 300 rows of weights from 0 to 1000, and columns that differ by 1e12.
func TestClassesGradient(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	pins.Slack = 0.06
	for seed, s := range []ct.Shape{
		{Rows: 300, Cols: 3, Weights: "some", Values: "columns", Lambda: 1e-9},
		{Rows: 30, Cols: 4, Weights: "above", Bias: 1}, {Rows: 1, Cols: 2, Lambda: 10}, {Rows: 20, Cols: 5, Weights: "below", Values: "rows"},
	} {
		problem, err := s.Problem(uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		const k = 3
		r := rand.New(rand.NewPCG(uint64(seed), 8))
		n, d := problem.X.Rows(), problem.X.Cols()
		c := &certificate.Classes{X: problem.X, Class: make([]uint32, n), Count: k, SampleWeight: problem.SampleWeight, Lambda: problem.Ridge()}
		w, facts := make([]float64, k*d), ct.FactsOf(problem)
		for i := range n {
			c.Class[i] = uint32(r.IntN(k))
		}
		for j := range w {
			w[j] = r.NormFloat64() / math.Sqrt(facts.Columns[j/k].Float()/float64(n)+1e-300)
		}
		norm, rounding, _ := c.Careful(w)
		sum, errs, rest := ct.Rs(make([]float64, k*d)), ct.Rs(make([]float64, k*d)), ct.Rs(make([]float64, k*d))
		for i := range n {
			s := ct.R(1)
			if c.SampleWeight != nil {
				s = ct.R(c.SampleWeight[i])
			}
			_, dp, _ := certificate.RowOf(c.X, i, w, k, int(c.Class[i]))
			for a, p := range probabilities(c.X, i, w, k, int(c.Class[i])) {
				for j, x := range c.X.Row(i) {
					v := ct.R(x).Times(s)
					sum[j*k+a] = sum[j*k+a].Plus(v.Times(p))
					errs[j*k+a] = errs[j*k+a].Plus(v.Abs().Scale(dp[a]))
					rest[j*k+a] = rest[j*k+a].Plus(v.Times(p).Abs().Times(ct.Unit))
				}
			}
		}
		size := ct.R(0)
		pins.Check(t, s.String(), rounding, func(on ct.On) ct.Real {
			square, m := ct.R(0), ct.R(float64(n))
			size = ct.R(0)
			for j := range sum {
				mean, pull := sum[j].Over(m), ct.R(c.Lambda).Scale(w[j])
				g := mean.Plus(pull)
				size = size.Plus(g.Square())
				square = square.Plus(on("slopes", errs[j].Over(m)).Plus(rest[j].Over(m),
					on("sum", ct.Unit.Times(mean.Abs().Scale(3).Plus(pull.Abs(), g.Abs())))).Square())
			}
			return square.Root().Plus(on("norm", ct.Unit.Scale(float64(len(w)+8)).Times(size.Root())))
		})
		if off := size.Root().Minus(ct.R(norm)).Abs(); off.Cmp(ct.R(rounding)) > 0 {
			t.Errorf("%s: norm %v +- %v, exactly %v", s, norm, rounding, size.Root().Float())
		}
	}
	pins.Done(t)
}

// TestClassesLoss compares the bound of a row's loss with its formula and with the exact loss:
// for margins that are differences of large numbers, own classes likely and not.
func TestClassesLoss(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.06}
	for _, k := range []int{2, 20} {
		for _, size := range []float64{0, 1, 1e16, 1e17} {
			for _, spread := range []float64{0.1, 12, 800} {
				for own := range 2 {
					row, _ := cancelling(0, 0)
					x, err := sparse.NewCSR(3, []int64{0, 3}, []uint32{0, 1, 2}, row)
					if err != nil {
						t.Fatal(err)
					}
					w, v := make([]float64, 3*k), make([]ct.Real, k)
					for a := range k {
						w[a], w[k+a], w[2*k+a] = size, -size, -spread*float64(a)/float64(k)
						v[a] = ct.R(w[2*k+a])
					}
					of := fmt.Sprintf("%d classes, size %g, spread %g, own %d", k, size, spread, own)
					loss, bound := certificate.RowLoss(x, 0, w, k, own)
					others := ct.R(0)
					for _, z := range v[1:] {
						others = others.Plus(z.Exp())
					}
					log := others.Plus(ct.R(1)).Log()
					if others.Cmp(ct.R(1e-60)) < 0 {
						log = others.Minus(others.Square().Scale(0.5)) // 400 bits do not hold the sum
					}
					exact := log.Minus(v[own])
					if off := exact.Minus(ct.R(loss)).Abs(); off.Cmp(ct.R(bound)) > 0 {
						t.Errorf("%s: loss %v +- %v, exactly %v", of, loss, bound, exact.Float())
					}
					off := func(a int) ct.Real {
						return ct.Unit.Scale(4).Times(v[a].Abs()).Plus(squaredShare(3 + 4).Times(ct.R(4*size - w[2*k+a])))
					}
					pins.Check(t, of, bound, func(on ct.On) ct.Real {
						sum := on("own margin", off(own))
						for a := 1; a < k; a++ {
							sum = sum.Plus(on("other margins", off(a).Times(v[a].Exp())))
						}
						return sum.Plus(on("logarithm", ct.Unit.Scale(float64(k+8)).Times(log)), on("loss", ct.Unit.Scale(2).Times(exact)))
					})
				}
			}
		}
	}
	pins.Done(t)
}
