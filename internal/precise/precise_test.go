package precise_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/precise"
	"github.com/lanes-go/lanes/internal/risk"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/definition"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

func never() bool { return false }

// every returns all losses.
func every() []loss.Loss {
	return append([]loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{}, loss.Poisson{}}, ct.InBits()...)
}

// scaled draws a problem whose rows, columns and weights differ by up to 1e12 each, in
// both forms.
func scaled(t *testing.T, seed uint64, phi loss.Loss, n, d int) (*precise.Problem, *reference.Problem) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 31))
	span := []float64{0, 2, 6}
	power := func(span float64) float64 { return math.Pow(10, span*(2*random.Float64()-1)) }
	rowSpan, columnSpan, weightSpan := span[random.IntN(3)], span[random.IntN(3)], span[random.IntN(3)]
	columns := make([]float64, d)
	for j := range columns {
		columns[j] = power(columnSpan)
	}
	delta := power(1)
	p := &risk.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: power(3)}}
	exact := &reference.Problem{Delta: delta, Lambda: p.Ridge()}
	exact.Loss = map[string]reference.Loss{
		"logistic": reference.Logistic, "squared": reference.Squared, "squared-hinge": reference.SquaredHinge, "huber": reference.Huber, "poisson": reference.Poisson,
	}[phi.String()]
	if exact.Define = definition.Of(phi.String(), phi.Parameter()); exact.Define == nil {
		p.Loss = direct.Value(loss.Parse(phi.String(), delta))
	}
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range n {
		row, scale, y := make([]float64, d), power(rowSpan), random.NormFloat64()
		for j := range row {
			row[j] = scale * columns[j] * random.NormFloat64()
			index, values = append(index, uint32(j)), append(values, row[j])
		}
		begins = append(begins, int64(len(index)))
		if _, linked := phi.(loss.Linked); linked && !phi.Labels() {
			y = float64(random.IntN(6))
		}
		y = ct.Valid(phi, y)
		weight := power(weightSpan)
		if i%5 == 4 {
			weight = 0
		}
		exact.Rows, p.Y, p.SampleWeight = append(exact.Rows, row), append(p.Y, y), append(p.SampleWeight, weight)
	}
	exact.Y, exact.Weight = p.Y, p.SampleWeight
	var err error
	if p.X, err = sparse.NewCSR(d, begins, index, values); err != nil {
		t.Fatal(err)
	}
	return p, exact
}

// TestMinimise: from 0 and from near the minimum, the gap is a bound, and a tight one at the end.
// The weights change only if they are not within the tolerance.
func TestMinimise(t *testing.T) {
	repeat.Skip(t)
	seeds := 40
	if testing.Short() {
		seeds = 12
	}
	for k := range seeds {
		phi := every()[k%len(every())]
		random := rand.New(rand.NewPCG(uint64(k), 1))
		p, exact := scaled(t, uint64(k), phi, 1+random.IntN(12), 1+random.IntN(10))
		best, err := exact.Minimise(1e-40)
		if err != nil {
			t.Fatalf("seed %d: %v", k, err)
		}
		d := p.X.Cols()
		near, zero := make([]float64, d), make([]float64, d)
		for j, v := range best.W {
			near[j], _ = v.Float64()
		}
		atZero, _ := exact.Objective(zero).Float64()
		_, least := best.Above(exact.Objective(near))
		target := max(1e-10*atZero, 2*least)
		for _, start := range []float64{0, 1, 1 + 1e-12, 1.5} {
			w := slices.Clone(near)
			for j := range w {
				w[j] *= start
			}
			from := slices.Clone(w)
			gap, steps := precise.Minimise(p, w, target, never)
			low, high := best.Above(exact.Objective(w))
			if !(low <= gap) || !(gap <= target) || !(gap <= high+1e-5*target) {
				t.Errorf("seed %d, %v, start %v: gap %g after %d steps, exactly %g to %g, target %g", k, phi, start, gap, steps, low, high, target)
			}
			before, _ := best.Above(exact.Objective(from))
			if stayed := slices.Equal(w, from); stayed != (before <= target) && before < 0.999*target {
				t.Errorf("seed %d, start %v: stayed %t, %g above the minimum, target %g", k, start, stayed, before, target)
			}
		}
	}
}

// With few bits, whose rounding is felt, the gap is a bound all the same.
func TestBoundsOfFewBits(t *testing.T) {
	found, seeds := 0, 120
	if testing.Short() {
		seeds = 40
	}
	for k := range seeds {
		phi := every()[k%len(every())]
		p, exact := scaled(t, uint64(k), phi, 1+k%7, 1+k%3)
		best, err := exact.Minimise(1e-40)
		if err != nil {
			t.Fatalf("seed %d: %v", k, err)
		}
		zero, _ := exact.Objective(make([]float64, p.X.Cols())).Float64()
		for _, bits := range []uint{54, 64, 90, 130} {
			w := make([]float64, p.X.Cols())
			gap, _ := precise.MinimiseIn(p, bits, w, 1e-9*zero, never)
			if low, _ := best.Above(exact.Objective(w)); !(low <= gap) {
				t.Errorf("seed %d, %v, %d bits: gap %g, exactly %g", k, phi, bits, gap, low)
			}
			if gap < 1e-9*zero {
				found++
			}
		}
	}
	if found < seeds {
		t.Errorf("found %d of %d", found, 4*seeds)
	}
}

// Where there is nothing to find, nothing is claimed and nothing moved.
func TestMinimiseRefuses(t *testing.T) {
	p, _ := scaled(t, 1, loss.Squared{}, 8, 5)
	flat, large := p.With(nil), p.With(p.Penalty)
	large.X, _ = sparse.NewCSR(400, []int64{0, 0}, nil, nil)
	large.Y, large.SampleWeight = []float64{1}, nil
	for name, c := range map[string]struct {
		p      *precise.Problem
		w      []float64
		target float64
		over   func() bool
	}{
		"no regulariser":  {flat, make([]float64, 5), 1e-9, never},
		"no target":       {p, make([]float64, 5), 0, never},
		"not a number":    {p, []float64{0, 0, math.NaN(), 0, 0}, 1e-9, never},
		"infinite":        {p, []float64{0, 0, math.Inf(1), 0, 0}, 1e-9, never},
		"too large":       {large, make([]float64, 400), 1e-9, never},
		"no time is left": {p, make([]float64, 5), 1e-9, func() bool { return true }},
	} {
		from := slices.Clone(c.w)
		gap, steps := precise.Minimise(c.p, c.w, c.target, c.over)
		same := slices.EqualFunc(from, c.w, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
		if !math.IsInf(gap, 1) || steps > 0 || !same {
			t.Errorf("%s: gap %v after %d steps, weights %v", name, gap, steps, c.w)
		}
	}
	fits := func(l loss.Loss, q penalty.Penalty, n, d int) bool {
		x, err := sparse.NewCSR(d, make([]int64, n+1), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return precise.Fits(&precise.Problem{X: x, Loss: l, Penalty: q})
	}
	logistic, huber, ridge := loss.Logistic{}, loss.Huber{}, penalty.Ridge{Lambda: 1}
	if !fits(logistic, ridge, 200, 10) || fits(logistic, ridge, 2000, 10) || !fits(huber, penalty.L1{Lambda: 1}, 2000, 10) || fits(huber, nil, 10, 100) {
		t.Error("the sizes that fit are others")
	}
	if fits(struct{ loss.Loss }{huber}, ridge, 10, 2) {
		t.Error("a loss without exact arithmetic fits")
	}
	if fits(huber, struct{ penalty.Penalty }{ridge}, 10, 2) {
		t.Error("a penalty without norms fits")
	}
}
