package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// FuzzShape parses anything, and generates what is small.
func FuzzShape(f *testing.F) {
	for _, spec := range []string{"onehot", "text:n=9,d=40", "wide:n=5,d=60,seed=3", "dense:n=4,d=3", "imbalanced:n=30,d=4", "text:n=1e1,d=0x10", "x:=,"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		shape, err := synthetic.ParseShape(spec, 1)
		if err != nil || shape.N > 300 || shape.D > 3000 {
			return
		}
		g, err := shape.Generate(nil)
		if err != nil {
			t.Fatalf("%+v was parsed from %q, but: %v", shape, spec, err)
		}
		if g.X.Rows() != shape.N || g.X.Cols() != shape.D || len(g.Y) != shape.N || len(g.Weights) != shape.D || !(g.Loss >= 0 && g.Loss < 10) {
			t.Fatalf("%+v: %d x %d, loss %v", shape, g.X.Rows(), g.X.Cols(), g.Loss)
		}
		for i := range g.X.Rows() {
			last := -1
			for j, x := range g.X.Row(i) {
				if j <= last || x-x != 0 {
					t.Fatalf("%+v: row %d, column %d after %d holds %v", shape, i, j, last, x)
				}
				last = j
			}
		}
	})
}

// FuzzScaler fits and applies both scalings of columns to hostile matrices: an error or
// finite values; by min-max within 0 to 1 where columns are shifted; by standard deviations
// as many entries as before, whose mean squared distance from their mean is 1.
func FuzzScaler(f *testing.F) {
	f.Add([]byte{3, 5, 2, 100, 8, 1, 100, 250, 4, 100, 3})
	f.Add([]byte{2, 2, 0, 7, 0, 8, 1, 3, 1, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		n, d := in.below(12), 1+in.below(9)
		b := sparse.NewBuilder(sparse.BuilderOptions{Columns: d})
		for range n {
			var columns []int
			var values []float64
			for j := range d {
				if x := in.float(); in.byte()&1 != 0 && x-x == 0 {
					columns, values = append(columns, j), append(values, x)
				}
			}
			if err := b.AddRow(columns, values); err != nil {
				t.Fatal(err)
			}
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, norm := range matrix.Norms(m.NormalizeUnit()) {
			if norm != 0 && !(norm > 1-1e-12 && norm < 1+1e-12) {
				t.Fatalf("a unit row has length %v", norm)
			}
		}
		std, err := sparse.FitStd(m)
		if err == nil {
			checkStd(t, m, std)
		}
		s, err := sparse.FitMinMax(m)
		if err != nil {
			return
		}
		scaled, err := s.Apply(m)
		if err != nil {
			return
		}
		for i := range scaled.Rows() {
			for j, x := range scaled.Row(i) {
				if !(x >= -1 && x <= 1) || s.Shift[j] != 0 && x < 0 {
					t.Fatalf("row %d, column %d: %v, shift %v, width %v", i, j, x, s.Shift[j], s.Width[j])
				}
			}
		}
	})
}

// checkStd applies a scaling by standard deviations to the matrix that it was fitted to.
func checkStd(t *testing.T, m *sparse.Matrix, std *sparse.Scaler) {
	scaled, err := std.Apply(m)
	if err != nil {
		return
	}
	columns := make([][]float64, m.Cols())
	for j := range columns {
		columns[j] = make([]float64, m.Rows())
	}
	for i := range scaled.Rows() {
		for j, x := range scaled.Row(i) {
			columns[j][i] = x
		}
	}
	for j, column := range columns {
		if std.Shift[j] != 0 || !(std.Width[j] > 0) {
			t.Fatalf("column %d has shift %v and width %v", j, std.Shift[j], std.Width[j])
		}
		n, mean, square := float64(m.Rows()), 0.0, 0.0
		largest := 0.0
		for _, x := range column {
			mean += x / n
			largest = max(largest, math.Abs(x))
		}
		for _, x := range column {
			square += (x - mean) * (x - mean) / n
		}
		varies := m.Rows() > 1 && slices.Min(column) < slices.Max(column)
		if varies && largest < 1e3 && std.Width[j] > 1e-300 && math.Abs(square-1) > 1e-8 {
			t.Fatalf("column %d has the variance %v: %v", j, square, column)
		}
	}
}
