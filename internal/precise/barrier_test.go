package precise_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/precise"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// value is P(w) of a problem with an L1 norm, or with norms of groups, by its definition.
func value(p *precise.Problem, exact *reference.Problem, w []float64) *big.Float {
	q := *exact
	q.Lambda = 0
	sum, held := q.Objective(w), len(w)
	if p.Intercept {
		held--
	}
	for _, v := range w[:held] {
		x := new(big.Float).SetPrec(reference.Precision).SetFloat64(v)
		square := new(big.Float).Mul(x, x)
		sum.Add(sum, square.Mul(square, big.NewFloat(p.Ridge()/2)))
		if _, is := p.Penalty.(*penalty.GroupLasso); !is {
			sum.Add(sum, x.Mul(x.Abs(x), big.NewFloat(penalty.WeightOf(p.Penalty))))
		}
	}
	if lasso, is := p.Penalty.(*penalty.GroupLasso); is {
		for k, group := range lasso.Groups {
			square := new(big.Float).SetPrec(reference.Precision)
			for _, j := range group {
				x := new(big.Float).SetPrec(reference.Precision).SetFloat64(w[j])
				square.Add(square, x.Mul(x, x))
			}
			sum.Add(sum, square.Mul(square.Sqrt(square), big.NewFloat(lasso.Weight*lasso.Factors[k])))
		}
	}
	return sum
}

// sparseProblem draws a problem with an L1 norm whose rows, columns and weights differ by up to
// 1e12 each. Every third problem has an intercept, and every second one no squared norm. Seeds from
// grouped on have groups of columns.
func sparseProblem(t *testing.T, seed uint64) (*precise.Problem, *reference.Problem) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	phi := every()[seed%uint64(len(every()))]
	p, exact := scaled(t, seed, phi, 2+random.IntN(9), 1+random.IntN(7))
	if seed%2 == 0 {
		p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0}
	}
	slope := 0.0 // about the largest of a column at w = 0
	for i, row := range exact.Rows {
		for _, v := range row {
			slope = max(slope, math.Abs(v)*exact.Weight[i]*min(1, max(exact.Delta, math.Abs(p.Y[i]))))
		}
	}
	p.Penalty = penalty.ElasticNet{L1: slope * math.Pow(10, -4*random.Float64()), L2: p.Ridge()}
	if seed >= grouped {
		lasso := &penalty.GroupLasso{Weight: penalty.WeightOf(p.Penalty), Lambda: p.Ridge()}
		for left := random.Perm(p.X.Cols()); len(left) > 0; {
			size := min(1+random.IntN(3), len(left))
			lasso.Groups, lasso.Factors = append(lasso.Groups, left[:size]), append(lasso.Factors, math.Pow(10, random.Float64()))
			left = left[size:]
		}
		p.Penalty = lasso
	}
	if p.Intercept = seed%3 == 0; p.Intercept {
		p.X = p.X.WithBias(1)
		for i := range exact.Rows {
			exact.Rows[i] = append(exact.Rows[i], 1)
		}
		p.Y = slices.Clone(p.Y)
		p.Y[0], p.Y[1] = ct.Valid(phi, 1), ct.Valid(phi, -1)
		if phi == (loss.Poisson{}) {
			p.Y[1] = 0
		}
		exact.Y = p.Y
	}
	exact.Lambda = p.Ridge()
	return p, exact
}

// grouped is the least seed of sparseProblem with groups.
const grouped = 1000

// TestSparse: the gap is a bound, within the tolerance, and weights change only if they were not
// within the tolerance. Bounds are checked against numbers of 900 bits, at any point, also in
// numbers of few bits with large rounding.
func TestSparse(t *testing.T) {
	t.Parallel()
	testSparse(t, 0, repeat.Size(30, 5))
	testSparse(t, grouped, repeat.Size(12, 5))
}

func testSparse(t *testing.T, first uint64, seeds int) {
	found, zeros := 0, 0
	for k := first; k < first+uint64(seeds); k++ {
		p, exact := sparseProblem(t, k)
		start := make([]float64, p.X.Cols())
		random := rand.New(rand.NewPCG(k, 9))
		zero, _ := value(p, exact, start).Float64()
		best := slices.Clone(start)
		if gap, steps := precise.MinimiseIn(p, 900, best, 1e-9*zero, never); !(gap <= 1e-9*zero) {
			t.Errorf("seed %d, %v: gap %g after %d steps, P(0) is %g", k, p.Loss, gap, steps, zero)
			continue
		}
		least := value(p, exact, best)
		above := func(w []float64) float64 {
			v, _ := new(big.Float).Sub(value(p, exact, w), least).Float64()
			if !(v >= -1e-9*zero) {
				t.Errorf("seed %d, %v: %g below the minimum, P(0) is %g", k, p.Loss, v, zero)
			}
			return v
		}
		for _, v := range best {
			if v == 0 {
				zeros++
			}
		}
		for _, bits := range []uint{54, 110, 512} {
			w := slices.Clone(start)
			gap, _ := precise.MinimiseIn(p, bits, w, 1e-6*zero, never)
			if !(above(w) <= gap) {
				t.Errorf("seed %d, %v, %d bits: gap %g, exactly %g", k, p.Loss, bits, gap, above(w))
			}
			if gap <= 1e-6*zero {
				found++
				again := slices.Clone(w)
				if precise.MinimiseIn(p, bits, again, 1e-6*zero, never); !slices.Equal(again, w) {
					t.Errorf("seed %d, %v, %d bits: weights within the target moved", k, p.Loss, bits)
				}
			}
			for i, spread := range []float64{0, 1e-15, 1e-12, 1e-9, 1e-3, 1} {
				for j, v := range best {
					w[j] = v * (1 + spread*random.NormFloat64())
				}
				for _, last := range []float64{w[len(w)-1], 0} {
					w[len(w)-1] = last
					if width := precise.WidthAt(p, bits, w); !(above(w) <= width) {
						t.Errorf("seed %d, %v, %d bits, intercept %t: width %g, exactly %g", k, p.Loss, bits, p.Intercept, width, above(w))
					}
				}
				if uint64(i)%3 != k/3%3 {
					continue // two of the points for each problem
				}
				near := slices.Clone(w)
				if gap, _ := precise.MinimiseIn(p, bits, w, 0.2*zero, never); !(above(w) <= gap) {
					t.Errorf("seed %d, %v, %d bits: gap %g, exactly %g", k, p.Loss, bits, gap, above(w))
				}
				if bits < 512 {
					continue // which need not reach the target
				}
				if gap, steps := precise.MinimiseIn(p, bits, near, 1e-6*zero, never); !(gap <= 1e-6*zero) {
					t.Errorf("seed %d, %v, from nearby: gap %g after %d steps, P(0) is %g", k, p.Loss, gap, steps, zero)
				}
			}
		}
	}
	if found < 2*seeds || zeros == 0 {
		t.Errorf("found %d of %d, %d weights of 0", found, 3*seeds, zeros)
	}
}

// TestGroup: of a group of columns that are orthogonal and equally long the minimum is known.
func TestGroup(t *testing.T) {
	t.Parallel()
	rows, y := [][]float64{{2, 1, -2}, {2, -2, 1}, {1, 2, 2}}, []float64{3, 1, 5} // columns of length 3
	ends, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for _, row := range rows {
		columns, values = append(columns, 0, 1, 2), append(values, row...)
		ends = append(ends, int64(len(values)))
	}
	x, err := sparse.NewCSR(3, ends, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	for _, weight := range []float64{0.1, 1, 100} {
		p := &risk.Problem{X: x, Y: y, Loss: loss.Squared{}, Penalty: &penalty.GroupLasso{Weight: weight, Groups: [][]int{{0, 1, 2}}, Factors: []float64{2}, Lambda: 0.5}}
		w, across, length := []float64{0, 0, 0}, make([]float64, 3), 0.0
		gap, _ := precise.Minimise(p, w, 1e-13, never)
		for j := range across {
			for i, row := range rows {
				across[j] += row[j] * y[i] / 3
			}
			length += across[j] * across[j]
		}
		share := max(0, 1-2*weight/math.Sqrt(length)) / (3 + 0.5)
		for j, v := range across {
			if !(gap <= 1e-13) || math.Abs(w[j]-share*v) > 1e-6 || share == 0 && w[j] != 0 {
				t.Errorf("weight %v, column %d: %v, not %v; gap %g", weight, j, w[j], share*v, gap)
			}
		}
	}
}

// TestLasso: of one column the minimum is known.
func TestLasso(t *testing.T) {
	t.Parallel()
	for _, offset := range []float64{0, 1e9} {
		x, y := []float64{offset - 1, offset, offset + 4}, []float64{2, -1, 3}
		m, err := sparse.NewCSR(1, []int64{0, 1, 2, 3}, []uint32{0, 0, 0}, x)
		if err != nil {
			t.Fatal(err)
		}
		for _, l1 := range []float64{0.1, 1, 100} {
			p := &risk.Problem{X: m.WithBias(1), Y: y, Loss: loss.Squared{}, Intercept: true, Penalty: penalty.L1{Lambda: l1}}
			w := []float64{0, 0}
			gap, _ := precise.Minimise(p, w, 1e-10, never)
			// About the means, which an intercept takes out.
			mean, across, square := 4./3, 0.0, 0.0
			for i, v := range []float64{-2, -1, 3} {
				across += v * (y[i] - mean) / 3
				square += v * v / 3
			}
			want := math.Copysign(max(0, math.Abs(across)-l1)/square, across)
			if !(gap <= 1e-10) || math.Abs(w[0]-want) > 1e-4 || want == 0 && w[0] != 0 {
				t.Errorf("offset %g, l1 %v: weight %v, not %v; gap %g", offset, l1, w[0], want, gap)
			}
		}
	}
}

// TestInterceptAlone: without weights, the bound is one of the distance from the best intercept.
func TestInterceptAlone(t *testing.T) {
	t.Parallel()
	m, err := sparse.NewCSR(1, []int64{0, 0, 0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for phi, kind := range map[loss.Loss]reference.Loss{
		loss.Logistic{}: reference.Logistic, loss.Squared{}: reference.Squared,
		loss.SquaredHinge{}: reference.SquaredHinge, loss.Huber{Delta: 0.1}: reference.Huber,
	} {
		y := []float64{1, -1, 1}
		if phi == (loss.Squared{}) || phi.String() == "huber" {
			y = []float64{300, 302, 307}
		}
		p := &risk.Problem{X: m.WithBias(1), Y: y, SampleWeight: []float64{1, 1e-3, 20}, Loss: phi, Intercept: true, Penalty: penalty.L1{Lambda: 1}}
		exact := &reference.Problem{Rows: [][]float64{{0, 1}, {0, 1}, {0, 1}}, Y: y, Weight: p.SampleWeight, Loss: kind, Delta: p.Loss.Parameter()}
		low, high := -1e3, 1e3 // between which the minimum is, thirds of which are left out
		for range 120 {
			a, b := low+(high-low)/3, high-(high-low)/3
			if value(p, exact, []float64{0, a}).Cmp(value(p, exact, []float64{0, b})) < 0 {
				high = b
			} else {
				low = a
			}
		}
		least := value(p, exact, []float64{0, low})
		w := []float64{0, 0}
		if gap, _ := precise.Minimise(p, w, 1e-12, never); !(gap <= 1e-12) || math.Abs(w[1]-low) > 1e-4*math.Abs(low) {
			t.Errorf("%v: gap %g, intercept %v, not %v", phi, gap, w[1], low)
		}
		for _, b := range []float64{0, 1e-3, -1, 2, 0.9 * low, 1.5 * low} {
			at := []float64{0, b}
			above, _ := new(big.Float).Sub(value(p, exact, at), least).Float64()
			if width := precise.WidthAt(p, 512, at); !(above <= width) {
				t.Errorf("%v: intercept %v is %g above the minimum, by the bound %g", phi, b, above, width)
			}
		}
	}
}
