package sparse

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

func TestAddSquares(t *testing.T) {
	const scaled = "onehot:n=2000" // whose rows are multiplied
	for _, shape := range []string{scaled, "onehot:n=3000", "onehot:n=12000", "text:n=400,d=3000", "text:n=3000,d=5000", "wide:n=60,d=5000", "dense:n=500,d=40"} {
		data := generate(t, shape)
		if shape == scaled {
			data.X = scaledRows(t, data.X)
		}
		x := data.X.WithBias(2)
		c := make([]float64, x.Rows())
		want := make([]float64, x.Cols())
		for i := range c {
			c[i] = 1 / float64(i+1)
			for j, v := range x.Row(i) {
				want[j] += c[i] * v * v
			}
		}
		var first []float64
		for workers := 1; workers <= 3; workers++ {
			pool := matrix.NewPool(workers)
			got := make([]float64, x.Cols())
			if err := matrix.AddSquares(x, pool, got, c); err != nil {
				t.Fatal(err)
			}
			pool.Close()
			for j := range want {
				if math.Abs(got[j]-want[j]) > 1e-12*want[j] {
					t.Fatalf("%s: column %d: %v, want %v", shape, j, got[j], want[j])
				}
				if first != nil && got[j] != first[j] {
					t.Fatalf("%s: column %d depends on the workers", shape, j)
				}
			}
			first = got
		}
	}
	m, err := NewCSR(2, []int64{0, 1}, []uint32{1}, []float64{3})
	if err != nil {
		t.Fatal(err)
	}
	if matrix.AddSquares(m, nil, make([]float64, 3), make([]float64, 1)) == nil {
		t.Error("a vector of the wrong length was taken")
	}
}

// scaledRows returns rows of ones multiplied by a number each, as ones with scales.
func scaledRows(t *testing.T, x *Matrix) *Matrix {
	t.Helper()
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range x.Rows() {
		for j := range x.Row(i) {
			index, values = append(index, uint32(j)), append(values, 1/float64(i+3))
		}
		begins = append(begins, int64(len(index)))
	}
	m, err := NewCSR(x.Cols(), begins, index, values)
	if err != nil {
		t.Fatal(err)
	}
	if matrix.Stored(m).Scale == nil {
		t.Fatal("rows of equal values have no scales")
	}
	return m
}
