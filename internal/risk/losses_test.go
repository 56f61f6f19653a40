package risk

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/loss"
)

// TestPick: a row keeps its label, weight and offset where rows are picked, twice or in another order.
func TestPick(t *testing.T) {
	p := &Problem{X: ones(t, 5), Y: []float64{1, 2, 3, 4, 5}, SampleWeight: []float64{10, 20, 30, 40, 50}, Offset: []float64{0.1, 0.2, 0.3, 0.4, 0.5}}
	q := Pick(p, nil, []uint32{3, 0, 4, 3})
	for name, list := range map[string][2][]float64{
		"labels":  {q.Y, {4, 1, 5, 4}},
		"weights": {q.SampleWeight, {40, 10, 50, 40}},
		"offsets": {q.Offset, {0.4, 0.1, 0.5, 0.4}},
	} {
		if !slices.Equal(list[0], list[1]) {
			t.Errorf("%s %v, want %v", name, list[0], list[1])
		}
	}
	for k, column := range []int{3, 0, 4, 3} {
		for j := range q.X.Row(k) {
			if j != column {
				t.Errorf("row %d has an entry in column %d, want %d", k, j, column)
			}
		}
	}
}

// ones are rows with an entry each, of row i in column i.
func ones(t *testing.T, n int) *matrix.Matrix {
	t.Helper()
	ptr, columns := []int64{0}, []uint32{}
	for i := range n {
		ptr, columns = append(ptr, int64(i+1)), append(columns, uint32(i))
	}
	x, err := matrix.NewCSR(matrix.Storage{}, n, ptr, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestLosses compares slopes and mean losses with values computed row by row, over more than two
// blocks, with weights and without.
func TestLosses(t *testing.T) {
	const n = 2*Block + 300
	r := rand.New(rand.NewPCG(1, 1))
	z, weight := make([]float64, n), make([]float64, n)
	p := &Problem{Y: make([]float64, n)}
	for i := range z {
		z[i], weight[i], p.Y[i] = 3*r.NormFloat64(), 4*r.Float64(), float64(2*r.IntN(2)-1)
	}
	pool := matrix.NewPool(3)
	defer pool.Close()
	for _, p.Loss = range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}} {
		for _, p.SampleWeight = range [][]float64{nil, weight} {
			l, coef := NewLosses(p, pool), make([]float64, n)
			mean := l.Slopes(coef, z)
			var want, zero float64
			for i, y := range p.Y {
				s := 1.0
				if p.SampleWeight != nil {
					s = weight[i]
				}
				value, slope := loss.At(p.Loss, z[i], y)
				if math.Abs(coef[i]-s*slope) > 1e-14*s*(1+math.Abs(slope)) {
					t.Fatalf("%v: the slope of row %d is %v, not %v", p.Loss, i, coef[i], s*slope)
				}
				none, _ := loss.At(p.Loss, 0, y)
				want, zero = want+s*value/n, zero+s*none/n
			}
			for _, c := range []struct{ got, want float64 }{{mean, want}, {l.At(z), want}, {l.Slopes(coef, z), want}, {l.Mean(), want}, {l.At(nil), zero}} {
				if !(math.Abs(c.got-c.want) <= 1e-12*c.want) {
					t.Errorf("%v, weights %t: a mean loss of %v, not %v", p.Loss, p.SampleWeight != nil, c.got, c.want)
				}
			}
			if alone := NewLosses(p, nil); alone.Slopes(coef, z) != mean || alone.At(nil) != l.At(nil) {
				t.Errorf("%v: the workers decide what is added to what", p.Loss)
			}
		}
	}
}
