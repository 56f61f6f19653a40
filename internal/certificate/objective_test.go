package certificate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// TestCompensatedLosses compares the bound of a loss by compensated sums with its formula, and
// the loss with its exact value: margins that cancel, large targets, and residuals of 0, whose
// loss errs by the square of the margin's error.
func TestCompensatedLosses(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.04}
	for _, phi := range losses {
		for _, size := range []float64{0, 1e13, 1e16, 1e17} {
			for _, left := range []float64{0.125, 1, 3, -40, -0.9, 1e16} {
				for _, y := range []float64{1, -1, 1e9, 1e16} {
					if max(left, y) > 3 && (phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{})) {
						continue
					}
					row, w := cancelling(size, left)
					x, err := sparse.NewCSR(3, []int64{0, 3}, []uint32{0, 1, 2}, row)
					if err != nil {
						t.Fatal(err)
					}
					p := certificate.Problem{Problem: risk.Problem{X: x, Y: []float64{y}, Loss: phi}}
					of := fmt.Sprintf("%v, size %g, margin %g, target %g", phi, size, left, y)
					got, bound := p.LossOf(0, w)
					exact := ct.LossAt(p, 0, ct.R(left))
					if off := exact.Minus(ct.R(got)).Abs(); off.Cmp(ct.R(bound)) > 0 {
						t.Errorf("%s: loss %v +- %v, exactly %v", of, got, bound, exact.Float())
					}
					pins.Check(t, of, bound, func(on ct.On) ct.Real {
						terms, absolute, z, units := 3, ct.R(2*size).Plus(ct.R(left).Abs()), ct.R(left), 8.0
						if phi != (loss.Logistic{}) {
							terms, absolute, z, units = 4, absolute.Plus(ct.R(y).Abs()), z.Minus(ct.R(y)), 4
						}
						dz := on("last rounding", ct.Unit.Scale(2).Times(z.Abs())).Plus(on("compensated sum", squaredShare(terms+4).Times(absolute)))
						slope := z.Abs().Plus(dz)
						switch phi.String() {
						case "logistic":
							slope = exact.Times(ct.R(1).Plus(dz.Scale(2))).Min(ct.R(1))
						case "squared-hinge":
							slope = ct.R(1).Minus(ct.R(left * y)).Plus(dz).Max(ct.R(0))
						case "huber":
							slope = slope.Min(ct.R(0.7))
						}
						return slope.Times(dz).Plus(on("loss", ct.Unit.Scale(units).Times(exact)))
					})
				}
			}
		}
	}
	for _, term := range []string{"last rounding", "compensated sum", "loss"} {
		if !pins.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}

// TestCompensatedSums compares the bound of an objective by compensated sums with its formula:
// losses and their errors of all sizes, both norms, and a free intercept.
func TestCompensatedSums(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	r := rand.New(rand.NewPCG(5, 5))
	any := func(span float64) float64 { return math.Pow(10, span*(2*r.Float64()-1)) * float64(min(r.IntN(4), 1)) }
	for k := range 400 {
		n, levels := []int{1, 600, 1 << 20}[k%3], []int{0, 0, 40}[k/3%3]
		high, absolute, errs := any(8), any(25), any(12)*1e-15
		absolute += math.Abs(high)
		norms, free := penalty.ElasticNet{L1: any(6), L2: any(6)}, k%2
		w := make([]float64, 1+k%7+free)
		size := any(6)
		for j := range w {
			w[j] = size * r.NormFloat64()
		}
		sums := certificate.Sums{high, 0, absolute, errs}
		got, bound := sums.Objective(n, levels, w[:len(w)-free], norms)
		mean, count := ct.R(high).Over(ct.R(float64(n))), ct.R(float64(n))
		squares, sizes := ct.R(0), ct.R(0)
		v := w[:len(w)-free]
		for _, x := range ct.Rs(v) {
			squares, sizes = squares.Plus(x.Square()), sizes.Plus(x.Abs())
		}
		ridge, lasso := squares.Scale(norms.L2/2), sizes.Scale(norms.L1)
		if off := mean.Plus(ridge, lasso).Minus(ct.R(got)).Abs(); off.Cmp(ct.R(bound)) > 0 {
			t.Errorf("round %d: %v is off by %v, bound %v", k, got, off.Float(), bound)
		}
		pins.Check(t, fmt.Sprintf("round %d", k), bound, func(on ct.On) ct.Real {
			return on("losses", ct.R(errs).Over(count)).Plus(
				on("compensated sum", squaredShare(n+4).Times(ct.R(absolute)).Over(count)),
				on("levels", ct.Unit.Scale(float64(levels)).Times(ct.R(absolute)).Over(count)),
				on("mean", ct.Unit.Scale(8).Times(mean.Abs())), on("ridge", ct.Unit.Scale(8).Times(ridge)), on("lasso", ct.Unit.Scale(8).Times(lasso)),
				ct.Tiny.Scale(8+float64(2*(n+4))/float64(n)).Plus(ct.Tiny.Scale(float64(2*(len(v)+4))).Times(ct.R(norms.L2+norms.L1))))
		})
	}
	pins.Done(t)
}

// TestSettled: the settled error of an evaluation is the sum of the rows' weights times their
// losses' errors, in more than one block of rows. A gap computed from the objective follows it.
func TestSettled(t *testing.T) {
	t.Parallel()
	for seed, s := range []ct.Shape{
		{Loss: loss.Squared{}, Rows: 1500, Cols: 2, Weights: "some"}, {Loss: loss.Logistic{}, Rows: 60, Cols: 3, Weights: "above", Values: "rows"},
	} {
		p, err := s.Problem(uint64(seed))
		if err != nil {
			t.Fatal(err)
		}
		w := []float64{1, -2, 0.5}[:p.X.Cols()]
		errs, value := ct.R(0), ct.R(0)
		for i := range p.Y {
			weight := 1.0
			if p.SampleWeight != nil {
				weight = p.SampleWeight[i]
			}
			phi, err := p.LossOf(i, w)
			errs, value = errs.Plus(ct.R(weight).Scale(err)), value.Plus(ct.R(weight).Scale(phi))
		}
		n := ct.R(float64(len(p.Y)))
		exact, _ := ct.At(p, w)
		e := run.Evaluation{Objective: 2 * exact.Float(), ObjectiveError: 1.5 * exact.Float(), Gap: 4 * exact.Float()}
		before := e
		p.Objective(&e, w, seed == 0)
		ridge := ct.Dot(ct.Rs(w), ct.Rs(w)).Scale(p.Ridge() / 2)
		pins := ct.Pins{Slack: 0.05}
		pins.Check(t, s.String(), e.ObjectiveError, func(ct.On) ct.Real {
			return errs.Over(n).Plus(ct.Unit.Scale(8).Times(value.Over(n).Plus(ridge)))
		})
		if off := exact.Minus(ct.R(e.Objective)).Abs(); off.Cmp(ct.R(e.ObjectiveError)) > 0 {
			t.Errorf("%s: %v +- %v, exactly %v", s, e.Objective, e.ObjectiveError, exact.Float())
		}
		want := before.Gap
		if seed == 0 { // it was Objective + ObjectiveError less some number
			want -= before.Objective + before.ObjectiveError - e.Objective - e.ObjectiveError
		}
		if math.Abs(e.Gap-want) > 1e-14*before.Gap || e.Gap < want*(1-1e-16) {
			t.Errorf("%s: a gap of %v, not %v", s, e.Gap, want)
		}
	}
}
