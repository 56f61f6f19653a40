package direct

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// filled returns n rows of d columns. Every third row lacks every other column.
func filled(t *testing.T, n, d int) *sparse.Matrix {
	t.Helper()
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range n {
		for j := range d {
			if i%3 == 0 && j%2 == 1 {
				continue
			}
			index, values = append(index, uint32(j)), append(values, math.Sin(float64(1+i*d+j)))
		}
		begins = append(begins, int64(len(index)))
	}
	m, err := sparse.NewCSR(d, begins, index, values)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestDenseCopy: products with a dense copy equal products with the entries.
func TestDenseCopy(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 3}, {100, 22}, {64, 32}, {90, 40}} {
		for _, m := range []*sparse.Matrix{filled(t, size[0], size[1]), filled(t, size[0], size[1]).WithBias(2)} {
			x, n, d := Matrix{Matrix: m}.WithDenseCopy(nil), m.Rows(), m.Cols()
			if !x.Full() || x.GramByColumns() != (d <= mostFullGram) {
				t.Fatalf("%d rows, %d columns: written out %v, Gram by columns %v", n, d, x.Full(), x.GramByColumns())
			}
			list := vectors(max(n, d), 9)
			w, c, h := list[0][:d], list[1][:n], list[2][:n]
			z, coef, sum := make([]float64, n), make([]float64, n), make([]float64, d)
			product, squares, gram := make([]float64, d), make([]float64, d), make([]float64, d*d)
			for k := range gram {
				gram[k] = math.NaN()
			}
			x.MulVec(z, w)
			x.AddTrans(sum, c)
			x.AddSquares(squares, c)
			x.Gram(gram, c)
			margins := make([]float64, n)
			x.AddHessian(product, margins, coef, w, h)
			wantZ, wantSum, wantProduct := make([]float64, n), make([]float64, d), make([]float64, d)
			wantSquares, wantGram := make([]float64, d), make([]float64, d*d)
			for i := range n {
				for j, v := range m.Row(i) {
					wantZ[i] += v * w[j]
				}
				for j, v := range m.Row(i) {
					wantSum[j] += c[i] * v
					wantSquares[j] += c[i] * v * v
					wantProduct[j] += h[i] * wantZ[i] * v
					for k, u := range m.Row(i) {
						if k <= j {
							wantGram[j*d+k] += c[i] * v * u
						}
					}
				}
			}
			for name, pair := range map[string][2][]float64{
				"MulVec": {z, wantZ}, "AddTrans": {sum, wantSum}, "AddSquares": {squares, wantSquares}, "Gram": {gram, wantGram},
				"AddHessian": {product, wantProduct}, "margins of AddHessian": {margins, wantZ},
			} {
				for k, want := range pair[1] {
					if got := pair[0][k]; !(math.Abs(got-want) <= 1e-11) {
						t.Fatalf("%d rows, %d columns: %s: element %d is %v, not %v", n, d, name, k, got, want)
					}
				}
			}
		}
	}
}

// TestNotWritten: matrices of many columns, of many elements, or that are nearly empty stay
// as they are.
func TestNotWritten(t *testing.T) {
	empty, err := sparse.NewCSR(4, []int64{0, 1, 1, 1}, []uint32{2}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*sparse.Matrix{
		"65 columns": filled(t, 9, mostFullColumns+1), "more than 2^17": filled(t, 1<<12+1, 32), "one entry of twelve": empty,
	} {
		if (Matrix{Matrix: m}).WithDenseCopy(nil).Full() {
			t.Errorf("%s: written out", name)
		}
	}
}
