package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// table is rows for tests: a matrix, and each row as slices.
type table struct {
	x       *sparse.Matrix
	columns [][]int
	values  [][]float64 // nil where all values are 1
}

// tableOf draws n rows of d columns, whose values are of a kind: ones, one value a row,
// float32, decimals, few values, float64, very large and very small ones, and 0.
func tableOf(t *testing.T, kind string, n, d int) table {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), uint64(len(kind))))
	var rows table
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: d})
	few := []float64{math.Pi, -math.E, 1.0 / 3}
	for i := range n {
		density := float64(i%7) * 0.15
		var columns []int
		var values []float64
		for j := range d {
			if random.Float64() >= density {
				continue
			}
			columns = append(columns, j)
			switch kind {
			case "per row":
				values = append(values, 0.1*float64(1+i%9))
			case "float32":
				values = append(values, float64(float32(random.NormFloat64())))
			case "decimals":
				values = append(values, float64(random.IntN(2001)-1000)/1000)
			case "few":
				values = append(values, few[random.IntN(len(few))])
			case "float64":
				values = append(values, random.NormFloat64()*math.Exp(5*random.NormFloat64()))
			case "extreme":
				values = append(values, random.NormFloat64()*math.Pow(10, float64([]int{-200, -170, 0, 160}[i%4])))
			case "zeros":
				values = append(values, []float64{0, math.Copysign(0, -1), 1, -1}[random.IntN(4)])
			}
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
		rows.columns, rows.values = append(rows.columns, columns), append(rows.values, values)
	}
	var err error
	if rows.x, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// alone returns row i as a matrix.
func (r table) alone(t *testing.T, i int) *sparse.Matrix {
	t.Helper()
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: r.x.Cols()})
	if err := b.AddRow(r.columns[i], r.values[i]); err != nil {
		t.Fatal(err)
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// kinds returns a model of every kind for rows of d columns, scaled in every way.
func kinds(d int) map[string]kind {
	random := rand.New(rand.NewPCG(5, uint64(d)))
	draw := func(n int) []float64 {
		w := make([]float64, n)
		for j := range w {
			w[j] = random.NormFloat64()
		}
		return w
	}
	scaler := &sparse.Scaler{Shift: make([]float64, d), Width: slices.Repeat([]float64{1}, d)}
	for j := range d {
		if scaler.Width[j] = float64(j%4) / 3; j%5 == 2 {
			scaler.Shift[j] = 0.25
		}
	}
	deviations := &sparse.Scaler{Shift: make([]float64, d), Width: make([]float64, d)}
	for j := range d {
		deviations.Width[j] = 0.5 + random.Float64()
	}
	list := make(map[string]kind)
	for name, meta := range map[string]Meta{"std": {Normalize: NormalizeStd, Scaler: deviations}, "plain": {}, "none": {Normalize: NormalizeNone}, "unit": {Normalize: NormalizeUnit}, "minmax": {Normalize: NormalizeMinMax, Scaler: scaler}} {
		add := func(what string, m *Linear, bias float64) {
			m.Features, m.Bias, m.Meta = d, bias, &meta
			m.Weights = draw(m.Columns() * m.Width())
			list[fmt.Sprintf("%s, bias %v, %s", what, bias, name)] = m
		}
		for _, bias := range []float64{0, 1.5} {
			add("two classes", &Linear{SolverType: "L2R_LR", Card: Card{Positive: 2, Negative: 1}}, bias)
			add("regression", &Linear{SolverType: "L2R_L2LOSS_SVR", Card: Card{Regression: true}}, bias)
			add("three classes", &Linear{SolverType: "L2R_LR", Card: Card{Classes: []float64{7, 5, 6}}}, bias)
		}
		whole := meta
		whole.Softmax = true
		softmax := &Linear{SolverType: "L2R_LR", Card: Card{Classes: []float64{3, 1, 2, 4}, Features: d, Meta: &whole}, Weights: draw(4 * d)}
		list["softmax, "+name] = softmax
		for _, hidden := range [][]int{{3}, {5, 2}} {
			net := score.Network{Features: d, Hidden: hidden, Activation: score.Activation(len(hidden))}
			list[fmt.Sprintf("%v, %s", net, name)] = &Perceptron{Card: Card{Features: d, Positive: 1, Negative: -1, Meta: &meta}, Network: net, Weights: draw(net.Parameters())}
		}
	}
	return list
}

// prepared returns the entries of a row as m's weights take them, by the definitions.
func prepared(about *Card, columns []int, values []float64) (c []int, v []float64) {
	dense := make(map[int]float64)
	for e, j := range columns {
		if dense[j] = 1; values != nil {
			dense[j] = values[e]
		}
	}
	if s := about.Meta.Scaler; s != nil {
		for j := range about.Features {
			x, stored := dense[j]
			if delete(dense, j); s.Width[j] == 0 || !stored && s.Shift[j] == 0 {
				continue
			}
			if x = (x - s.Shift[j]) / s.Width[j]; x != 0 {
				dense[j] = x
			}
		}
	}
	for j := range about.Features {
		if x, stored := dense[j]; stored {
			c, v = append(c, j), append(v, x)
		}
	}
	if about.Meta.Normalize == NormalizeUnit {
		square, _ := kernels.Dot(v, v)
		scale := 1.0
		if square < 1e-280 || square > 1e300 { // an exact power of two first
			largest := 0.0
			for _, x := range v {
				largest = max(largest, math.Abs(x))
			}
			_, exponent := math.Frexp(largest)
			scale, square = math.Ldexp(1, exponent), 0
			for _, x := range v {
				square = math.FMA(x/scale, x/scale, square)
			}
		}
		for e := range v {
			if square > 0 {
				v[e] = v[e] / scale / math.Sqrt(square)
			}
		}
	}
	return c, v
}

// lanesOf is the definition of a row's product with w: eight lanes, summed in a tree.
func lanesOf(columns []int, values, w []float64) float64 {
	var l [8]float64
	for e, j := range columns {
		l[e%8] = math.FMA(values[e], w[j], l[e%8])
	}
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// defined returns the scores of a row by definitions.
func defined(t *testing.T, m Model, columns []int, values []float64) []float64 {
	t.Helper()
	about := m.About()
	c, v := prepared(about, columns, values)
	if p, is := m.(*Perceptron); is {
		b := sparse.NewBuilder(sparse.BuilderOptions{Columns: about.Features, Storage: sparse.Storage{Values: sparse.ValuesFloat64}})
		if err := b.AddRow(c, v); err != nil {
			t.Fatal(err)
		}
		x, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		all := make([]float64, 1)
		net, err := score.NewPerceptron(x, p.Network)
		if err == nil {
			err = net.All(nil, all, p.Weights)
		}
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	linear := m.(*Linear)
	var all []float64
	for k := range about.Width() {
		w := linear.Weights[k*linear.Columns():][:linear.Columns()]
		s := lanesOf(c, v, w)
		if linear.Bias != 0 {
			s += float64(linear.Bias * w[about.Features])
		}
		all = append(all, s)
	}
	return all
}

// sameBits compares numbers by their bits; any NaN equals any other.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y })
}
