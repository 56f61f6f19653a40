package certificate_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

var losses = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}}

// every returns all losses, those without a largest second derivative too.
func every() []loss.Loss { return slices.Concat(losses, []loss.Loss{loss.Poisson{}}, ct.Defined()) }

// evaluate is what solvers compute, by the kernels.
func evaluate(t testing.TB, p certificate.Problem, w []float64) (objective, norm, slopes float64) {
	t.Helper()
	n := p.X.Rows()
	c, g := make([]float64, n), make([]float64, p.X.Cols())
	if err := p.X.MulVec(nil, c, w); err != nil {
		t.Fatal(err)
	}
	phi := p.Loss.Gradient(c, c, p.Y, p.SampleWeight)
	if err := p.X.AddTrans(nil, g, c); err != nil {
		t.Fatal(err)
	}
	if err := kernels.ScaleAdd(g, 1/float64(n), g, p.Ridge(), w); err != nil {
		t.Fatal(err)
	}
	return phi/float64(n) + p.Ridge()/2*kernels.SquaredNorm(w), math.Sqrt(kernels.SquaredNorm(g)), math.Sqrt(kernels.SquaredNorm(c))
}

// TestBoundsAgainstExactNumbers: every bound is above the exact value. Points are the rounded
// minimiser, points near it and points far from it. Columns, rows and weights have scales from
// 1e-12 to 1e12. At the rounded minimiser the bound by curvature shows a gap of 1e-9 of the
// objective.
func TestBoundsAgainstExactNumbers(t *testing.T) {
	repeat.Once(t)
	scales := []float64{1e-12, 1e-6, 1, 1e4, 1e8, 1e12}
	lambdas := []float64{1e-6, 0.05}
	if testing.Short() {
		scales, lambdas = []float64{1e-12, 1e12}, lambdas[1:]
	}
	shown, cases := 0, 0
	for _, phi := range every() {
		for _, scale := range scales {
			for what := range 3 {
				column, rows, weights := 1.0, 1.0, 1.0
				*[]*float64{&column, &rows, &weights}[what] = scale
				for _, lambda := range lambdas {
					name := fmt.Sprintf("%v, column %g, rows %g, weights %g, lambda %g", phi, column, rows, weights, lambda)
					p, err := ct.Scaled(phi, uint64(cases), 20, 4, column, rows, weights)
					if err != nil {
						t.Fatal(err)
					}
					p.Penalty = penalty.Ridge{Lambda: lambda}
					exact, err := ct.Solve(p)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					bounds := certificate.New(p)
					for k, off := range []float64{0, 1e-14, 1e-9, 1e-4, 1} {
						w := exact.Best()
						for j := range w {
							w[j] *= 1 + off*float64(j-1)
						}
						cases++
						objective, norm, slopes := evaluate(t, p, w)
						true1, trueNorm, above := exact.Objective(w), exact.GradientNorm(w), exact.Above(w)
						if math.IsInf(true1, 1) {
							continue // beyond float64, as exp of a margin may be
						}
						gradient, value := bounds.Rounding(slopes, math.Sqrt(kernels.SquaredNorm(w)), norm, objective)
						if !(math.Abs(norm-trueNorm) <= gradient) || !(math.Abs(objective-true1) <= value) {
							t.Errorf("%s, point %d: norm %v +- %v is %v, objective %v +- %v is %v", name, k, norm, gradient, trueNorm, objective, value, true1)
						}
						if value := bounds.ByColumns(slopes, spread(p, w), objective); !(math.Abs(objective-true1) <= value) {
							t.Errorf("%s, point %d: objective %v +- %v by columns is %v", name, k, objective, value, true1)
						}
						squares, weighted := columnSums(p, w)
						if rounding := bounds.RoundingByColumns(w, squares, weighted, slopes, norm); !(math.Abs(norm-trueNorm) <= rounding) {
							t.Errorf("%s, point %d: norm %v +- %v by columns is %v", name, k, norm, rounding, trueNorm)
						}
						if gap := bounds.Gap(norm, gradient); !(above <= gap) {
							t.Errorf("%s, point %d: %v above the minimum, gap %v", name, k, above, gap)
						}
						// A target of 0 asks for the bound by the gradient alone.
						norm, gradient, gap := bounds.Careful(w, 0)
						if !(math.Abs(norm-trueNorm) <= gradient) || !(above <= gap) {
							t.Errorf("%s, point %d, carefully: norm %v +- %v is %v; %v above the minimum, gap %v", name, k, norm, gradient, trueNorm, above, gap)
						}
						target := 1e-9 * true1
						_, _, gap = bounds.Careful(w, target)
						if !(above <= gap) || gap < 0 {
							t.Errorf("%s, point %d, by curvature: %v above the minimum, gap %v", name, k, above, gap)
						}
						if k == 0 && gap <= target {
							shown++
						} else if k == 0 {
							t.Logf("%s: the rounded minimiser, %v above the minimum, has a gap of %v", name, above, gap)
						}
					}
				}
			}
		}
	}
	if minima := cases / 5; shown < minima*9/10 {
		t.Errorf("the minimum was certified in %d of %d cases", shown, minima)
	}
	t.Logf("%d points, the minimum certified in %d of %d problems", cases, shown, cases/5)
}

// columnSums are what RoundingByColumns asks for: the sums of x_ij^2, and of these times the weights
// or, of a steep loss, times the second derivatives at w.
func columnSums(p certificate.Problem, w []float64) (squares, weighted []float64) {
	n, d := p.X.Rows(), p.X.Cols()
	squares, weighted = make([]float64, d), make([]float64, d)
	_, steep := p.Loss.(loss.Steep)
	for i := range n {
		size, z := 1.0, 0.0
		for j, x := range p.X.Row(i) {
			z += x * w[j]
		}
		if p.SampleWeight != nil {
			size = p.SampleWeight[i]
		}
		if steep {
			size *= math.Exp(z)
		}
		for j, x := range p.X.Row(i) {
			squares[j] += x * x
			weighted[j] += size * x * x
		}
	}
	return squares, weighted
}

// spread is what ByColumns asks for.
func spread(p certificate.Problem, w []float64) float64 {
	sum := 0.0
	for j, v := range w {
		square := 0.0
		for i := range p.X.Rows() {
			for k, x := range p.X.Row(i) {
				if int(k) == j {
					square += x * x
				}
			}
		}
		sum += math.Sqrt(square) * math.Abs(v)
	}
	return sum * (1 + 1e-12)
}

// TestRoundingOfSumsOverRows: the terms of a column cancel. The remaining gradient is rounding of
// the sum, to which no margin contributes.
func TestRoundingOfSumsOverRows(t *testing.T) {
	const n = 300
	random := rand.New(rand.NewPCG(4, 4))
	for round := range 20 {
		p := certificate.Problem{Problem: risk.Problem{Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: 0.1}}}
		b := sparse.NewBuilder(sparse.BuilderOptions{})
		sum := 0.0
		for i := range n {
			x, y := random.NormFloat64(), random.NormFloat64()
			if i == n-1 {
				x, y = -sum, 1
			}
			sum += x * y
			if err := b.AddRow([]int{0}, []float64{x}); err != nil {
				t.Fatal(err)
			}
			p.Y = append(p.Y, y)
		}
		var err error
		if p.X, err = b.Build(); err != nil {
			t.Fatal(err)
		}
		exact, err := ct.Solve(p)
		if err != nil {
			t.Fatal(err)
		}
		w := []float64{0}
		objective, norm, slopes := evaluate(t, p, w)
		bounds, want := certificate.New(p), exact.GradientNorm(w)
		rounding, _ := bounds.Rounding(slopes, 0, norm, objective)
		if !(math.Abs(norm-want) <= rounding) {
			t.Errorf("round %d: norm %v +- %v is %v", round, norm, rounding, want)
		}
		// The gradient of the squared loss at 0 is X'(-y)/n.
		v := make([]float64, 1)
		if err := p.X.AddTrans(nil, v, p.Y); err != nil {
			t.Fatal(err)
		}
		v[0] *= 1 / (p.Ridge() * n)
		distance := math.Abs(v[0])
		rounding = bounds.Combination(math.Sqrt(kernels.SquaredNorm(p.Y)), 0, distance)
		if want /= p.Ridge(); !(math.Abs(distance-want) <= rounding) {
			t.Errorf("round %d: X'y/(lambda n) is %v +- %v, and %v", round, distance, rounding, want)
		}
	}
}

// TestDriftIsReached: additions that are a little less than half a unit of the weights never move
// them. The weights then drift from their exact values by almost all that Drift allows.
func TestDriftIsReached(t *testing.T) {
	const length, lambda, steps = 1 + 0x1p-20, 0.5, 1 << 20
	x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{length})
	if err != nil {
		t.Fatal(err)
	}
	c := 1 - 0x1p-22
	w := c * length / lambda // in [2, 4), the largest that there can be but for 2^-22
	start := new(big.Float).Mul(big.NewFloat(c), big.NewFloat(length/lambda))
	step := 0.99 * 0x1p-52
	drift := new(big.Float).Sub(start, big.NewFloat(w))
	for range steps {
		if w+step != w {
			t.Fatal("a step moved the weight")
		}
	}
	drift.Add(drift, new(big.Float).Mul(big.NewFloat(step), big.NewFloat(steps)))
	if c += steps * step * lambda / length; c > 1 {
		t.Fatalf("c is %v", c)
	}
	bounds := certificate.New(certificate.Problem{Problem: risk.Problem{X: x, Y: []float64{1}, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: lambda}}})
	bound := bounds.Drift(steps, 0)
	if far, _ := drift.Float64(); !(far <= bound && bound <= 1.1*far) {
		t.Errorf("weights drifted by %v, bound %v", far, bound)
	}
	if more := bounds.Drift(steps, 3); !(more >= 3.9*bound) {
		t.Errorf("bound %v with 3 units more, %v without", more, bound)
	}
	if none := bounds.Drift(0x1p50, 0); !math.IsInf(none, 1) {
		t.Errorf("bound %v for 2^50 steps", none)
	}
}

// TestTinySquares: gaps are bounds where the squares of slopes are below all float64 numbers,
// or twice lambda above them. Of one row with the target y, P(0) - P* = (xy)^2/(2(x^2+lambda)).
func TestTinySquares(t *testing.T) {
	of := func(x float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(x) }
	product := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(2000).Mul(a, b) }
	for _, c := range []struct{ x, y, lambda float64 }{
		{1e-150, 1, 1e-300}, {1e-155, 1, 1e-300}, {1e-160, 1, 1e-310}, {1e-162, 1, 5e-324}, {2e-163, 1, 5e-324},
		{1, 1e-161, 1}, {1, 1e-170, 1e-20}, {1, 1e150, 1e308}, {1e3, 1e147, 1.7e308},
	} {
		x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{c.x})
		if err != nil {
			t.Fatal(err)
		}
		p := certificate.Problem{Problem: risk.Problem{X: x, Y: []float64{c.y}, Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: c.lambda}}}
		xy, square := product(of(c.x), of(c.y)), product(of(c.x), of(c.x))
		bottom := product(of(2), square.Add(square, of(c.lambda)))
		exact, _ := new(big.Float).Quo(product(xy, xy), bottom).Float64()
		bounds := certificate.New(p)
		w := []float64{0}
		objective, norm, slopes := evaluate(t, p, w)
		rounding, _ := bounds.Rounding(slopes, 0, norm, objective)
		_, _, careful := bounds.Careful(w, 1e-300)
		for what, gap := range map[string]float64{"rounding": bounds.Gap(norm, rounding), "careful": careful} {
			if !(gap >= exact) {
				t.Errorf("x %v, y %v, lambda %v: the bound by %s is %v, the gap %v", c.x, c.y, c.lambda, what, gap, exact)
			}
		}
	}
}

// TestRoundingOfRowsThatCount: rows with weight 0 add nothing to the bound of rounding, however
// long they are and in any block of rows.
func TestRoundingOfRowsThatCount(t *testing.T) {
	for _, n := range []int{2, 1<<14 + 1} {
		// The last row has a length and a weight of its own.
		rounding := func(length, weight float64) (gradient, value float64) {
			p := certificate.Problem{Problem: risk.Problem{Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: 1}}}
			begins, columns, values := []int64{0}, make([]uint32, n), make([]float64, n)
			for i := range n {
				begins, values[i] = append(begins, int64(i+1)), 1
				p.Y, p.SampleWeight = append(p.Y, 1), append(p.SampleWeight, 1)
			}
			values[n-1], p.SampleWeight[n-1] = length, weight
			var err error
			if p.X, err = sparse.NewCSR(1, begins, columns, values); err != nil {
				t.Fatal(err)
			}
			return certificate.New(p).Rounding(0.5, 0.5, 0.5, 0.5)
		}
		wantGradient, wantValue := rounding(1, 0)
		if gradient, value := rounding(1e12, 0); gradient != wantGradient || value != wantValue {
			t.Errorf("%d rows: %v and %v, not %v and %v", n, gradient, value, wantGradient, wantValue)
		}
		if gradient, value := rounding(1e12, 1); !(gradient > 1e3*wantGradient && value > 1e3*wantValue) {
			t.Errorf("%d rows: %v and %v where the row counts", n, gradient, value)
		}
	}
}
