package pauc

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/solvers"
)

// What is proven of the dual is never above its value at the same weights of the planes,
// computed from their coefficients by exact numbers; nor at weights for which the large
// column cancels but for rounding.
func TestProvenIsBelowTheDual(t *testing.T) {
	const rows, columns = 6, 14 // wide: the planes are kept as coefficients
	random := rand.New(rand.NewPCG(2, 9))
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	for round := range repeat.Size(40, 12) {
		scale := []float64{1, 1e4, 1e8, 1e12}[round%4]
		dense := make([]float64, rows*columns)
		for k := range dense {
			if dense[k] = random.NormFloat64(); k%columns == 1 {
				dense[k] *= scale
			}
		}
		p := &Problem{X: denseMatrix(t, dense, columns), Y: []float64{1, -1, -1, 1, -1, -1}, Low: 0, High: 0.6, Lambda: 0.01}
		l := newTestCutting(t, p)
		if !l.byRows {
			t.Fatal("the planes are not kept by rows")
		}
		for step := range 40 {
			if step < 12 {
				l.iterate(t)
				l.dual.solve(0)
			} else {
				pair := random.Perm(len(l.planes))[:2]
				var along [2]float64
				for k, u := range pair {
					for i, c := range l.planes[u].weights {
						along[k] += c * dense[i*columns+1]
					}
				}
				if !(along[0]*along[1] < 0) {
					continue
				}
				share := along[1] / (along[1] - along[0])
				l.dual.used = pair
				clear(l.dual.a)
				l.dual.a[pair[0]], l.dual.a[pair[1]] = share, 1-share
			}
			l.proven = negativeInfinity
			l.prove()
			total, value := number(0), number(0)
			for _, u := range l.dual.used {
				total.Add(total, number(l.dual.a[u]))
				value.Add(value, number(0).Mul(number(l.dual.a[u]), number(l.dual.b[u])))
			}
			value.Quo(value, total)
			square := number(0)
			for j := range columns {
				v := number(0)
				for i := range rows {
					for _, u := range l.dual.used {
						c := number(0).Mul(number(l.dual.a[u]), number(l.planes[u].weights[i]))
						v.Add(v, c.Mul(c, number(dense[i*columns+j])))
					}
				}
				v.Quo(v, total)
				square.Add(square, v.Mul(v, v))
			}
			square.Quo(square, number(2*p.Lambda))
			if want, _ := value.Sub(value, square).Float64(); !(l.proven <= want) {
				t.Fatalf("column %g: %v is said to be proven, the dual is %v", scale, l.proven, want)
			}
		}
	}
}

// J less the gap is never above J at another point, whatever the scale of a column or of all
// rows. A run converged only with its gap within the tolerance. The other points are 0 and the
// minima of the problems in which the column has its usual scale and scale 0.
func TestCuttingGapIsTrue(t *testing.T) {
	const rows, columns = 6, 3
	const target = 1e-6
	random := rand.New(rand.NewPCG(11, 3))
	converged, cases := 0, 0
	for round := range repeat.Size(6, 2) {
		dense := make([]float64, rows*columns)
		for k := range dense {
			dense[k] = random.NormFloat64()
		}
		scaled := func(column, all float64) []float64 {
			x := slices.Clone(dense)
			for k := range x {
				if x[k] *= all; k%columns == 1 {
					x[k] *= column
				}
			}
			return x
		}
		y := []float64{1, -1, -1, 1, -1, -1}
		low, high := []float64{0, 0.3}[round%2], []float64{0.6, 0.9}[round%2]
		fittedFrom := func(x []float64) *solvers.Result {
			p := &Problem{X: denseMatrix(t, x, columns), Y: y, Low: low, High: high, Lambda: 0.01}
			return solve(t, p, SVMTight{}, solvers.Settings{GapTolerance: target, MaxEpochs: 3000})
		}
		usual, without := fittedFrom(scaled(1, 1)).Weights, fittedFrom(scaled(0, 1)).Weights
		for _, scale := range []float64{1e-12, 1e-6, 1e-3, 1, 1e3, 1e4, 1e5, 1e6, 1e8, 1e10, 1e12} {
			for what := range 2 {
				column, all := scale, 1.0
				if what == 1 {
					column, all = 1, scale
				}
				x := scaled(column, all)
				objective := func(w []float64) float64 {
					z, square := make([]float64, rows), 0.0
					for _, v := range w {
						square += v * v
					}
					for i := range z {
						sum := new(big.Float).SetPrec(300)
						for j, v := range w {
							sum.Add(sum, new(big.Float).SetPrec(300).Mul(big.NewFloat(v), big.NewFloat(x[i*columns+j])))
						}
						z[i], _ = sum.Float64()
					}
					most := 0.0
					violations(z, y, low*4, high*4, func(v float64) { most = max(most, v) })
					return 0.01/2*square + most/(2*4*(high-low))
				}
				r := fittedFrom(x)
				cases++
				J := objective(r.Weights)
				least := 1.0 // at 0
				for _, v := range [][]float64{usual, without} {
					w := slices.Clone(v)
					for j := range w {
						if w[j] /= all; j == 1 {
							w[j] /= column
						}
					}
					least = min(least, objective(w))
				}
				if !(r.Gap >= 0) || J-r.Gap > least*(1+1e-12) {
					t.Errorf("column %g, rows %g: %v with J = %v (%v), gap %v; J is %v elsewhere", column, all, r.Status, r.Objective, J, r.Gap, least)
				}
				if r.Status == solvers.Converged {
					converged++
					if !(r.Gap <= target) {
						t.Errorf("column %g, rows %g: converged with a gap of %v", column, all, r.Gap)
					}
				}
			}
		}
	}
	if converged < cases/2 {
		t.Errorf("%d of %d runs converged", converged, cases)
	}
	t.Logf("%d of %d runs converged", converged, cases)
}
