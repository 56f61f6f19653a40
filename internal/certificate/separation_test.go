package certificate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/sparse"
)

// full makes a problem of full rows.
func full(t *testing.T, d int, values, y []float64) risk.Problem {
	t.Helper()
	ptr, columns := []int64{0}, []uint32{}
	for i := range y {
		for j := range d {
			columns = append(columns, uint32(j))
		}
		ptr = append(ptr, int64((i+1)*d))
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return risk.Problem{X: x, Y: y, Loss: loss.Logistic{}}
}

// exact is x'v in rational numbers.
func exact(x, v []float64) *big.Rat {
	sum := new(big.Rat)
	for j := range x {
		sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(x[j]), new(big.Rat).SetFloat64(v[j])))
	}
	return sum
}

// TestSeparation: a direction near a bad target separates the rows; without rows of weight 0 there
// would be none.
func TestSeparation(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 60 {
		const n, d = 30, 4
		normal := []float64{3, -1, 2, 1}
		var values []float64
		y, s := make([]float64, n), make([]float64, n)
		for i := range n {
			row := []float64{float64(random.IntN(9) - 4), float64(random.IntN(9) - 4), float64(random.IntN(9) - 4), 0}
			row[3] = -(3*row[0] - row[1] + 2*row[2]) // on the plane
			y[i], s[i] = float64(2*random.IntN(2)-1), 1
			switch {
			case i >= 20:
				row[3] += y[i] * float64(1+random.IntN(3))
			case i >= 18:
				row[3], s[i] = row[3]-y[i], 0
			}
			values = append(values, row...)
		}
		p := full(t, d, values, y)
		target := make([]float64, d)
		for j := range target {
			target[j] = normal[j] + 1e-3*random.NormFloat64()
		}
		if v := Separation(&p, make([]float64, n), target); v != nil {
			t.Fatalf("separated by %v although two rows are on the wrong side", v)
		}
		p.SampleWeight = s
		v := Separation(&p, make([]float64, n), target)
		if v == nil {
			t.Fatal("no direction was found")
		}
		found++
		above := 0
		for i := range n {
			margin, _ := exact(values[i*d:][:d], v).Float64()
			if margin *= y[i]; s[i] == 0 {
				continue
			}
			if margin > 1e-9 {
				above++
			}
			if margin < -1e-9 { // v is rounded to float64
				t.Errorf("%v has row %d on the wrong side by %g", v, i, margin)
			}
		}
		if above == 0 {
			t.Errorf("%v has no row on its side", v)
		}
	}
	if found != 60 {
		t.Errorf("%d directions", found)
	}
}

// TestSingleColumn: a row of weight 0 hides no column that separates the others.
func TestSingleColumn(t *testing.T) {
	p := full(t, 1, []float64{1, 2, -3}, []float64{1, 1, 1})
	if v := Separation(&p, make([]float64, 3)); v != nil {
		t.Errorf("%v separates rows of both signs", v)
	}
	p.SampleWeight = []float64{1, 1, 0}
	if v := Separation(&p, make([]float64, 3)); len(v) != 1 || v[0] != 1 {
		t.Errorf("%v, not 1, beside a row of weight 0", v)
	}
}

// TestColumnOfCounts: a row with a count holds a column by both sides, and a row of 0 by one.
func TestColumnOfCounts(t *testing.T) {
	for _, c := range []struct {
		y    []float64
		want []float64
	}{{[]float64{1, 2, 5}, nil}, {[]float64{0, 0, 5}, nil}, {[]float64{0, 0, 0}, []float64{-1}}} {
		p := full(t, 1, []float64{1, 2, 3}, c.y)
		p.Loss = loss.Poisson{}
		if v := Separation(&p, make([]float64, 3)); !slices.Equal(v, c.want) {
			t.Errorf("counts %v: %v, want %v", c.y, v, c.want)
		}
	}
}

// TestSigns: signs of margins are exact, of numbers that cancel, underflow or overflow as well.
func TestSigns(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const n, d = 400, 3
	var values []float64
	v := []float64{1. / 3, -3, 1}
	for i := range n {
		row := []float64{random.NormFloat64(), random.NormFloat64(), 0}
		row[2] = -(row[0]*v[0] + row[1]*v[1]) // 0 but for rounding
		switch i % 8 {
		case 0:
			row = []float64{9, 1, 0}
		case 1:
			row = []float64{0x1p-1060, 0x1p-1062, 0x1p-1061}
		case 2:
			row = []float64{1e308, -1e308, -1e308}
		case 3:
			row = []float64{float64(random.IntN(5)), 0, float64(random.IntN(5))}
		}
		values = append(values, row...)
	}
	p := full(t, d, values, make([]float64, n))
	s := &separator{p: &p, v: v}
	zero, signs := 0, map[int]int{}
	for i := range n {
		want := exact(values[i*d:][:d], v).Sign()
		if got := s.sign(i); got != want {
			t.Errorf("row %v: sign %d, not %d", values[i*d:][:d], got, want)
		}
		if signs[want]++; want == 0 {
			zero++
		}
	}
	if zero == 0 || signs[1] < 50 || signs[-1] < 50 {
		t.Errorf("signs %v", signs)
	}
	// Rows with entries in different columns: v is (1, -1, 1, -1) on the planes of the first three.
	q := full(t, 4, []float64{1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0.5}, make([]float64, 5))
	s = &separator{p: &q, lengths: []float64{1, 1, 1, 1}, rounded: []float64{1, 1, 1, 1}}
	for i := range 3 {
		if !s.force(i) || !s.direction() {
			t.Fatal("no direction")
		}
	}
	for i, want := range []int{0, 0, 0, 0, int(math.Copysign(1, s.v[0]))} {
		if got := s.sign(i); got != want {
			t.Errorf("row %d: sign %d, not %d, along %v", i, got, want, s.v)
		}
	}
	// A pivot of 1/3 that float64 lacks: 9 v_0 = v_2 exactly.
	s = &separator{p: &p, lengths: []float64{1, 1, 1}, rounded: []float64{0, 0, 3}}
	q = full(t, d, []float64{9, 0, -1, 27, 0, -3, 9, 0, math.Nextafter(-1, 0)}, []float64{1, 1, 1})
	s.p = &q
	if !s.force(0) || !s.direction() {
		t.Fatal("no direction")
	}
	for i, want := range []int{0, 0, 1} {
		if got := s.sign(i); got != want {
			t.Errorf("row %d: sign %d, not %d", i, got, want)
		}
	}
}

// TestUnpenalisedStep compares Newton's step with the equations of two columns, row by row.
func TestUnpenalisedStep(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const n = 50
	var values, y, s, o []float64
	for range n {
		values, y = append(values, random.NormFloat64(), 1e-6*random.NormFloat64()), append(y, float64(2*random.IntN(2)-1))
		s, o = append(s, float64(random.IntN(3))), append(o, random.NormFloat64())
	}
	p := full(t, 2, values, y)
	p.SampleWeight, p.Offset = s, o
	w := []float64{0.3, -2e5}
	var g [2]float64
	var h [2][2]float64
	for i := range n {
		x := values[2*i:][:2]
		z := x[0]*w[0] + x[1]*w[1] + o[i]
		other := 1 / (1 + math.Exp(y[i]*z))
		for a := range 2 {
			g[a] -= s[i] * other * y[i] * x[a] / n
			for b := range 2 {
				h[a][b] += s[i] * other * (1 - other) * x[a] * x[b] / n
			}
		}
	}
	det := h[0][0]*h[1][1] - h[0][1]*h[1][0]
	v := [2]float64{(h[1][1]*g[0] - h[0][1]*g[1]) / det, (h[0][0]*g[1] - h[1][0]*g[0]) / det}
	change := 0.0
	for i := range n {
		if s[i] > 0 {
			change = max(change, math.Abs(values[2*i]*v[0]+values[2*i+1]*v[1]))
		}
	}
	u := NewUnpenalised(Problem{Problem: p})
	got := u.Step(w)
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	if !near(got.V[0], v[0]) || !near(got.V[1], v[1]) || !near(got.Change, change) || !near(got.Decrement, (g[0]*v[0]+g[1]*v[1])/2) || !got.Solved || got.Dependent != nil {
		t.Errorf("%+v; want v %v, change %v, decrement %v", got, v, change, (g[0]*v[0]+g[1]*v[1])/2)
	}
	for change, want := range map[float64]bool{0.4: true, 0.6: false} {
		if s := (Step{Change: change, Solved: true}); u.HasMinimum(&s, 0) != want {
			t.Errorf("a change of %v: %v", change, !want)
		}
	}
	if u.HasMinimum(&Step{Solved: true, Dependent: []int{1}}, 0) || u.HasMinimum(&Step{}, 0) {
		t.Error("a minimum by equations that are not solved")
	}
}

// TestSums: planted sums are found with their factors; nearly equal columns are not taken for sums.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const n = 40
	var values []float64
	y, s := make([]float64, n), make([]float64, n)
	for i := range n {
		a, b := random.NormFloat64(), 1e6*random.NormFloat64()
		row := []float64{a, b, 2*a - 1e-6*b, a + 1e-7*random.NormFloat64(), 0, 3 * b}
		if s[i] = 1; i%5 == 0 {
			s[i], row[5] = 0, 1 // of no weight
		}
		values = append(values, row...)
	}
	p := full(t, 6, values, y)
	p.Loss = loss.Squared{}
	u := NewUnpenalised(Problem{Problem: p})
	if _, list := u.Sums(8); len(list) != 1 || list[0].Column != 2 {
		t.Errorf("%+v", list)
	}
	p.SampleWeight = s
	_, list := NewUnpenalised(Problem{Problem: p}).Sums(8)
	if len(list) != 2 || list[0].Column != 2 || list[1].Column != 5 || math.Abs(list[0].Factors[0]-2) > 1e-9 || math.Abs(list[0].Factors[1]+1e-6) > 1e-15 ||
		math.Abs(list[1].Factors[1]-3) > 1e-9 || list[1].Factors[0] != 0 {
		t.Errorf("%+v", list)
	}
	if _, few := NewUnpenalised(Problem{Problem: p}).Sums(1); len(few) != 1 {
		t.Errorf("%+v", few)
	}
}
