package score

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func generated(t testing.TB, n, d int) *sparse.Data {
	t.Helper()
	g, err := synthetic.Shape{Name: "imbalanced", N: n, D: d, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &sparse.Data{X: g.X, Y: g.Y}
}

func perceptron(t testing.TB, x *sparse.Matrix, a Activation, hidden ...int) *Perceptron {
	t.Helper()
	m, err := NewPerceptron(x, Network{Features: x.WithBias(0).Cols(), Hidden: hidden, Activation: a})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// reference scores row i by the formulas, in plain Go.
func reference(m *Perceptron, i int, w []float64) float64 {
	a := make([]float64, m.net.Features)
	for j, x := range m.x.Row(i) {
		a[j] = x
	}
	at := 0
	for _, width := range m.net.Hidden {
		out := make([]float64, width)
		for u := range out {
			z := w[at+len(a)*width+u]
			for j, x := range a {
				z += x * w[at+j*width+u]
			}
			switch m.net.Activation {
			case Tanh:
				z = math.Tanh(z)
			case ReLU:
				z = math.Max(0, z)
			case Softplus:
				z = math.Log1p(math.Exp(z))
			}
			out[u] = z
		}
		at += (len(a) + 1) * width
		a = out
	}
	s := w[len(w)-1]
	for u, x := range a {
		s += x * w[at+u]
	}
	return s
}

func randomPoint(m *Perceptron, seed uint64) []float64 {
	w := m.Initial(seed)
	random := rand.New(rand.NewPCG(seed, 1))
	for j := range w {
		w[j] += 0.3 * random.NormFloat64() // biases and empty columns too
	}
	return w
}

var shapes = [][]int{{1}, {5}, {32}, {3, 4}, {17, 6}}

func TestScoresAgainstFormulas(t *testing.T) {
	data := generated(t, 400, 30)
	for a := range identity {
		for _, hidden := range shapes {
			m := perceptron(t, data.X.WithBias(2), a, hidden...)
			w := randomPoint(m, 1)
			if len(w) != m.Parameters() {
				t.Fatalf("%v: %d parameters, not %d", m, len(w), m.Parameters())
			}
			rows := []uint32{7, 0, 399, 7}
			some, all := make([]float64, len(rows)), make([]float64, 400)
			if err := m.Scores(some, rows, w); err != nil {
				t.Fatal(err)
			}
			if err := m.All(nil, all, w); err != nil {
				t.Fatal(err)
			}
			for k, i := range rows {
				if want := reference(m, int(i), w); math.Abs(some[k]-want) > 1e-12*(1+math.Abs(want)) {
					t.Errorf("%v: row %d has the score %v, not %v", m, i, some[k], want)
				}
				if some[k] != all[i] {
					t.Errorf("%v: row %d has the score %v, among all %v", m, i, some[k], all[i])
				}
			}
		}
	}
}

// Central differences of the reference: their error is of the order of the step
// squared, 1e-10 here, and of rounding over the step.
func TestGradientAgainstFiniteDifferences(t *testing.T) {
	data := generated(t, 50, 20)
	rows, c := []uint32{3, 11, 3, 40}, []float64{1, -0.5, 0.25, 2}
	for a := range identity {
		for _, hidden := range shapes {
			m := perceptron(t, data.X, a, hidden...)
			w := randomPoint(m, 2)
			g := make([]float64, len(w))
			for j := range g {
				g[j] = float64(j % 3)
			}
			if err := m.Scores(make([]float64, len(rows)), rows, w); err != nil {
				t.Fatal(err)
			}
			if err := m.AddGradient(g, rows, c, w); err != nil {
				t.Fatal(err)
			}
			value := func() (sum float64) {
				for k, i := range rows {
					sum += c[k] * reference(m, int(i), w)
				}
				return sum
			}
			const h = 1e-5
			for j := range w {
				saved := w[j]
				w[j] = saved + h
				above := value()
				w[j] = saved - h
				below := value()
				w[j] = saved
				if got, want := g[j]-float64(j%3), (above-below)/(2*h); math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Fatalf("%v: derivative %d is %v, finite differences give %v", m, j, got, want)
				}
			}
		}
	}
}

// A network whose units do nothing is the linear model of the product of its layers.
func TestIdentityIsLinear(t *testing.T) {
	data := generated(t, 300, 25)
	m := perceptron(t, data.X, Tanh, 1)
	m.net.Activation = identity
	linear := Linear{data.X.WithBias(1)}
	w := randomPoint(m, 3)
	weights, bias, v, c := w[:25], w[25], w[26], w[27]
	u := make([]float64, 26)
	for j, x := range weights {
		u[j] = x * v
	}
	u[25] = bias*v + c
	got, want := make([]float64, 300), make([]float64, 300)
	if err := m.All(nil, got, w); err != nil {
		t.Fatal(err)
	}
	if err := linear.All(nil, want, u); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-13*(1+math.Abs(want[i])) {
			t.Fatalf("row %d: %v, linear %v", i, got[i], want[i])
		}
	}
	rows, coefficients := []uint32{1, 2, 250}, []float64{1, 3, -2}
	g, h := make([]float64, len(w)), make([]float64, 26)
	if err := m.Scores(make([]float64, 3), rows, w); err != nil {
		t.Fatal(err)
	}
	if err := m.AddGradient(g, rows, coefficients, w); err != nil {
		t.Fatal(err)
	}
	if err := linear.AddGradient(h, rows, coefficients, nil); err != nil {
		t.Fatal(err)
	}
	for j := range 26 {
		if math.Abs(g[j]-v*h[j]) > 1e-13*(1+math.Abs(h[j])) {
			t.Fatalf("derivative %d: %v, linear %v", j, g[j], v*h[j])
		}
	}
}

func TestPerceptronSameBits(t *testing.T) {
	data := generated(t, 1000, 60)
	for a := range identity {
		m := perceptron(t, data.X, a, 19, 6)
		w := randomPoint(m, 4)
		rows, c := []uint32{5, 900, 17}, []float64{0.1, -7, 0.3}
		want := ""
		for path := range pathtest.Paths(t) {
			for _, workers := range []int{1, 3} {
				pool := sparse.NewPool(workers)
				all, g := make([]float64, 1000), make([]float64, len(w))
				if err := m.All(pool, all, w); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				if m.Scores(make([]float64, 3), rows, w) != nil || m.AddGradient(g, rows, c, w) != nil {
					t.Fatal("refused")
				}
				if hash := solvers.HashWeights(append(all, g...)); want == "" {
					want = hash
				} else if hash != want {
					t.Errorf("%v: %s with %d workers has other bits", m, path, workers)
				}
			}
		}
	}
}

func TestPerceptronAllocatesNothing(t *testing.T) {
	data := generated(t, 500, 60)
	m := perceptron(t, data.X, Tanh, 16, 8)
	w := m.Initial(1)
	rows, c, s, all, g := []uint32{1, 2, 3}, make([]float64, 3), make([]float64, 3), make([]float64, 500), make([]float64, len(w))
	if n := allocations.Count(50, func() {
		if m.Scores(s, rows, w) != nil || m.AddGradient(g, rows, c, w) != nil || m.All(nil, all, w) != nil {
			t.Error("refused")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPerceptronRefuses(t *testing.T) {
	data := generated(t, 20, 10)
	for name, net := range map[string]Network{
		"columns": {Features: 9, Hidden: []int{2}}, "none": {Features: 10}, "three": {Features: 10, Hidden: []int{1, 1, 1}},
		"width": {Features: 10, Hidden: []int{0}}, "wide": {Features: 10, Hidden: []int{5000}}, "activation": {Features: 10, Hidden: []int{1}, Activation: identity},
	} {
		if _, err := NewPerceptron(data.X, net); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := NewPerceptron(nil, Network{Features: 10, Hidden: []int{2}}); err == nil {
		t.Error("no matrix: no error")
	}
	m := perceptron(t, data.X, Tanh, 2)
	w, one := m.Initial(1), make([]float64, 1)
	for name, err := range map[string]error{
		"short":    m.Scores(one, []uint32{1}, w[1:]),
		"rows":     m.Scores(one, []uint32{1, 2}, w),
		"row":      m.Scores(one, []uint32{20}, w),
		"before":   m.AddGradient(make([]float64, len(w)), []uint32{1}, one, w),
		"all":      m.All(nil, one, w),
		"gradient": m.AddGradient(one, []uint32{1}, one, w),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, text := range []string{"", "a", "0", "1,2,3", "-1", "8,"} {
		if _, err := ParseHidden(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
	if got, err := ParseHidden("32,16"); err != nil || len(got) != 2 || got[1] != 16 {
		t.Error(got, err)
	}
}

// A unit's sum must have a variance of about 1, whatever the scale of the columns.
func TestInitialVariance(t *testing.T) {
	data := generated(t, 3000, 100)
	for _, scale := range []float64{1, 1000} {
		values := make([]float64, 0, data.X.NNZ())
		ptr, columns := []int64{0}, []uint32{}
		for i := range 3000 {
			for j, x := range data.X.Row(i) {
				if j%2 == 0 {
					x *= scale
				}
				columns, values = append(columns, uint32(j)), append(values, x)
			}
			ptr = append(ptr, int64(len(columns)))
		}
		x, err := sparse.NewCSR(100, ptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		m := perceptron(t, x, Tanh, 64)
		w := m.Initial(9)
		z := make([]float64, 3000*64)
		if err := matrix.AddMulMatrixFrom(x, z, 0, m.layers[0].matrix(w), 64); err != nil {
			t.Fatal(err)
		}
		if v := kernels.SquaredNorm(z) / float64(len(z)); math.Abs(v-1) > 0.2 {
			t.Errorf("scale %v: the sums have the mean square %v", scale, v)
		}
		if again := m.Initial(9); solvers.HashWeights(again) != solvers.HashWeights(w) {
			t.Error("one seed, two points")
		}
	}
}

// TestInitialGain: units of ReLU are silent half of the time, so that their weights
// have twice the variance of others, in every layer.
func TestInitialGain(t *testing.T) {
	data := generated(t, 200, 30)
	plain, silent := perceptron(t, data.X, Tanh, 8, 5), perceptron(t, data.X, ReLU, 8, 5)
	w, twice := plain.Initial(4), silent.Initial(4)
	count := 0
	for k, v := range w {
		if math.Abs(twice[k]-math.Sqrt2*v) > 1e-14*math.Abs(v) {
			t.Fatalf("weight %d is %v for ReLU and %v for tanh", k, twice[k], v)
		}
		if v != 0 {
			count++
		}
	}
	if want := 30*8 + 8*5 + 5; count < want-8 {
		t.Errorf("%d weights of %d", count, want)
	}
}

// TestInitialVariances: weights into a unit have the variance gain over the number of their
// inputs, layer by layer.
func TestInitialVariances(t *testing.T) {
	t.Parallel()
	for activation, gain := range map[Activation]float64{Tanh: 1, ReLU: 2, Softplus: 1} {
		m := perceptron(t, generated(t, 200, 30).X, activation, 90, 60)
		for k, l := range append(m.layers[1:], layer{inputs: 60, width: 1, weights: m.output, bias: m.output + 60}) {
			square, count := 0.0, 0.0
			for seed := range uint64(20) {
				w := m.Initial(seed)
				for _, v := range l.matrix(w) {
					square += v * v
					count++
				}
				if v := l.biases(w)[0]; v != 0 {
					t.Fatalf("a bias of %v", v)
				}
			}
			if got, want := square/count, gain/float64(l.inputs); math.Abs(got-want) > 0.1*want {
				t.Errorf("%v: layer %d has weights of variance %v, not %v", activation, k+1, got, want)
			}
		}
	}
}

// TestAllIsEveryBlock: the scores of all rows, more than two blocks, equal the scores of each row
// alone.
func TestAllIsEveryBlock(t *testing.T) {
	t.Parallel()
	const rows = 2*blockRows + 40
	m := perceptron(t, generated(t, rows, 12).X, ReLU, 7, 3)
	w, all, one := m.Initial(3), make([]float64, rows), make([]float64, 1)
	if err := m.All(nil, all, w); err != nil {
		t.Fatal(err)
	}
	for i, v := range all {
		if err := m.Scores(one, []uint32{uint32(i)}, w); err != nil || one[0] != v {
			t.Fatalf("row %d has the score %v, of all %v (%v)", i, one[0], v, err)
		}
	}
}
