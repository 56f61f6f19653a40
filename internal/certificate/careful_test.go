package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// cancelling is a row of two entries whose margins at w are differences of numbers of the
// given size, and the margin is left.
func cancelling(size, left float64) (x, w []float64) {
	return []float64{1, 1, 1}, []float64{size, -size, left}
}

// squaredShare is 4 (count u)^2: what a compensated sum may lose of its absolute terms.
func squaredShare(count int) ct.Real { return ct.Unit.Scale(float64(count)).Square().Scale(4) }

// TestCarefulMargins compares the bounds of compensated margins, and of the slopes there, with
// their formulas: for margins that cancel, rows of weights from 1e-6 to 1e6, and all losses. A
// slope holds for every margin within its error.
func TestCarefulMargins(t *testing.T) {
	t.Parallel()
	var margins ct.Pins
	slopes := ct.Pins{Slack: 0.05}
	for _, phi := range losses {
		for _, size := range []float64{0, 1, 1e10, 1e15, 1e16, 3e17, 1e29} {
			for _, left := range []float64{0.125, 3, -1e-3, 1e4, 1e-318} {
				for _, s := range []float64{1, 1e6, 1e-6, -3} {
					for _, y := range []float64{1, -1} {
						row, w := cancelling(size, left)
						x, err := sparse.NewCSR(3, []int64{0, 3}, []uint32{0, 1, 2}, row)
						if err != nil {
							t.Fatal(err)
						}
						p := certificate.Problem{Problem: risk.Problem{X: x, Y: []float64{y}, SampleWeight: []float64{s}, Loss: phi, Penalty: penalty.Ridge{Lambda: 1}}}
						z, dz, c, dc := certificate.New(p).Slopes(w)
						of := fmt.Sprintf("%v, size %g, margin %g, weight %g, label %g", phi, size, left, s, y)
						absolute := ct.R(2 * size).Plus(ct.R(left).Abs())
						margins.Check(t, of, dz[0], func(on ct.On) ct.Real {
							return on("last rounding", ct.Unit.Scale(2).Times(ct.R(z[0]).Abs())).Plus(
								on("compensated sum", squaredShare(3+4).Times(absolute)), on("underflow", ct.Tiny.Scale(2*(3+4))))
						})
						if z[0] != left { // the sum is exact
							t.Errorf("%s: margin %v", of, z[0])
						}
						for _, at := range []float64{left, left - dz[0], left + dz[0]} {
							exact := ct.SlopeOf(p, 0, at)
							if off := ct.R(c[0]).Minus(exact).Abs(); off.Cmp(ct.R(dc[0])) > 0 {
								t.Errorf("%s: slope %v +- %v, exactly %v at %v", of, c[0], dc[0], exact.Float(), at)
							}
						}
						if dc[0] == 0 {
							continue // linear: see TestStraight
						}
						slopes.Check(t, of, dc[0], func(on ct.On) ct.Real {
							steepest := ct.R(math.Abs(s))
							if phi == (loss.Logistic{}) {
								steepest = steepest.Scale(0.25)
								if dz[0] < 1 {
									steepest = steepest.Min(ct.CurvatureOf(p, 0, left).Abs().Times(ct.R(1).Plus(ct.R(3 * dz[0]))))
								}
							}
							return on("margin", steepest.Times(ct.R(dz[0]))).Plus(on("slope", ct.Unit.Scale(4).Times(ct.R(c[0]).Abs())),
								on("underflow", ct.Tiny.Scale(4*(1+math.Abs(s)))))
						})
					}
				}
			}
		}
	}
	margins.Done(t)
	slopes.Done(t)
}

// TestStraight: straight calls the slope of a row exact only if the loss is linear for every
// margin within its error. There the slope is exact.
func TestStraight(t *testing.T) {
	t.Parallel()
	x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, phi := range []loss.Loss{loss.Huber{Delta: 0.75}, loss.SquaredHinge{}} {
		for _, y := range []float64{1, -1} {
			for _, dz := range []float64{1e-12, 0.01, 1} {
				p := certificate.Problem{Problem: risk.Problem{X: x, Y: []float64{y}, SampleWeight: []float64{3}, Loss: phi, Penalty: penalty.Ridge{Lambda: 1}}}
				b := certificate.New(p)
				for k := range 40 {
					// Near a kink, and far from it: 1.01 and 1.03 are on both sides of what is sure.
					kink := []float64{y - 0.75, y + 0.75, y, 0}[k%4]
					z := kink + dz*[]float64{-30, -1.03, -0.99, -0.5, 0, 0.5, 0.99, 1.03, 30, 1.2}[k/4]
					b.AtMargins([]float64{z}, []float64{dz}, []float64{0})
					at := func(z float64) float64 { return ct.SlopeOf(p, 0, z).Float() }
					low, high := at(z-dz), at(z+dz)
					flat := low == high && (low == 0 || phi.String() == "huber")
					wide := at(z-dz*1.02-1e-11) == at(z+dz*1.02+1e-11)
					switch straight := b.Straight(0, at(z)); {
					case straight && !flat:
						t.Fatalf("%v, label %v, margin %v +- %v: said to be straight, slopes %v and %v", phi, y, z, dz, low, high)
					case !straight && flat && wide:
						t.Fatalf("%v, label %v, margin %v +- %v: not said to be straight", phi, y, z, dz)
					}
					if phi.String() == "huber" && b.Straight(0, at(z)*(1+1e-15)) {
						t.Fatalf("margin %v: a slope that is off is said to be exact", z)
					}
				}
			}
		}
	}
}

// TestCarefulSums compares the bounds of compensated sums over rows, of slopes of the objective
// and of the gradient's norm with their formulas.
func TestCarefulSums(t *testing.T) {
	t.Parallel()
	var carries, slopes, norms ct.Pins
	r := rand.New(rand.NewPCG(9, 9))
	any := func() float64 { return math.Pow(10, 40*r.Float64()-30) }
	for k, s := range shapes()[:8] {
		p := s.p
		c, dc := make([]float64, p.X.Rows()), make([]float64, p.X.Rows())
		for i := range c {
			c[i], dc[i] = r.NormFloat64(), any()
		}
		high, low, absolute, carry := certificate.New(p).Transposed(c, dc)
		exact, sizes, errs := ct.Transposed(p.X, ct.Rs(c)), ct.TransposedSizes(p.X, ct.Rs(c)), ct.TransposedSizes(p.X, ct.Rs(dc))
		for j := range exact {
			off := exact[j].Minus(ct.R(high[j]).Plus(ct.R(low[j]))).Abs()
			if off.Cmp(squaredShare(p.X.Rows()).Times(sizes[j]).Plus(ct.Tiny.Scale(1e3))) > 0 {
				t.Errorf("problem %d, column %d: the sum is off by %v", k, j, off.Float())
			}
			if v := sizes[j].Float(); math.Abs(absolute[j]-v) > 1e-12*v {
				t.Errorf("problem %d, column %d: absolute terms %v, not %v", k, j, absolute[j], v)
			}
			carries.Check(t, fmt.Sprintf("problem %d, column %d", k, j), carry[j], func(ct.On) ct.Real { return errs[j] })
		}
	}
	for k := range 300 {
		high, absolute, pull, carry := any(), any(), any(), any()*float64(k%2)
		if k%3 == 0 {
			high = -high
		}
		n := []int{1, 7, 600, 100000}[k%4]
		absolute += math.Abs(high)
		slope, own := certificate.SlopeOf(high, 0, absolute, n, pull, carry)
		slopes.Check(t, fmt.Sprintf("sum %g of %g, %d rows, pull %g, carry %g", high, absolute, n, pull, carry), own, func(on ct.On) ct.Real {
			mean := ct.R(high).Over(ct.R(float64(n)))
			return on("sum", ct.Unit.Scale(2).Times(mean.Abs())).Plus(
				on("compensated sum", squaredShare(n+4).Times(ct.R(absolute)).Over(ct.R(float64(n)))),
				on("carry", ct.R(carry).Over(ct.R(float64(n)))),
				ct.Unit.Times(on("mean", mean.Abs()).Plus(on("pull", ct.R(pull).Abs()), on("slope", mean.Plus(ct.R(pull)).Abs()))),
				ct.Tiny.Scale(4))
		})
		if want := high/float64(n) + pull; slope != want {
			t.Errorf("slope %v, not %v", slope, want)
		}
		g, errs := make([]float64, 1+k%60), make([]float64, 1+k%60)
		for j := range g {
			g[j], errs[j] = any(), any()*1e-15
			if k < 60 {
				g[j], errs[j] = 0, 0
			}
		}
		norm, rounding := certificate.NormOf(g, errs)
		norms.Check(t, fmt.Sprintf("norm of %d, %g", len(g), norm), rounding, func(on ct.On) ct.Real {
			return on("errors", ct.Norm(ct.Rs(errs))).Plus(on("underflow", ct.LostSquares(4*len(g))),
				on("norm", ct.Unit.Scale(float64(len(g)+8)).Times(ct.Norm(ct.Rs(g)))))
		})
	}
	carries.Done(t)
	slopes.Done(t)
	norms.Done(t)
	for _, bad := range []float64{math.Inf(1), math.NaN()} {
		if _, rounding := certificate.NormOf([]float64{bad, 1}, []float64{0, 0}); !math.IsInf(rounding, 1) {
			t.Errorf("an error of %v where the gradient has %v", rounding, bad)
		}
		if _, rounding := certificate.NormOf([]float64{1, 1}, []float64{bad, 0}); !math.IsInf(rounding, 1) {
			t.Errorf("an error of %v where an error is %v", rounding, bad)
		}
	}
}

// TestCarefulGradient compares Careful's norm and bound with the whole computed from the rows,
// and with the exact gradient.
func TestCarefulGradient(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	pins := ct.Pins{Slack: 0.06}
	for k, s := range ct.Shapes()[:20] {
		p, err := s.Problem(uint64(k + 50))
		if err != nil {
			t.Fatal(err)
		}
		if p.X.Cols() > 50 || p.X.NNZ() > 4000 {
			continue
		}
		r := rand.New(rand.NewPCG(uint64(k), 3))
		w := make([]float64, p.X.Cols())
		for j := range w {
			w[j] = r.NormFloat64()
		}
		b := certificate.New(p)
		_, _, c, dc := b.Slopes(w)
		c, dc = append([]float64(nil), c...), append([]float64(nil), dc...)
		norm, rounding, _ := b.Careful(w, 0)
		sums, errs, n := ct.Transposed(p.X, ct.Rs(c)), ct.TransposedSizes(p.X, ct.Rs(dc)), ct.R(float64(p.X.Rows()))
		pins.Check(t, s.String(), rounding, func(on ct.On) ct.Real {
			square, size := ct.R(0), ct.R(0)
			for j, v := range sums {
				mean, pull := v.Over(n), ct.R(p.Ridge()).Scale(w[j])
				g := mean.Plus(pull)
				square = square.Plus(on("slopes", errs[j].Over(n)).Plus(ct.Unit.Times(mean.Abs().Scale(3).Plus(pull.Abs(), g.Abs()))).Square())
				size = size.Plus(g.Square())
			}
			return square.Root().Plus(on("norm", ct.Unit.Scale(float64(len(w)+8)).Times(size.Root())))
		})
		_, g := ct.At(p, w)
		if exact := ct.Norm(g); exact.Minus(ct.R(norm)).Abs().Cmp(ct.R(rounding)) > 0 {
			t.Errorf("%s: norm %v +- %v, exactly %v", s, norm, rounding, exact.Float())
		}
	}
	pins.Done(t)
}
