package cholesky

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
)

// TestFactor: U'U is the matrix, for sizes around the sizes of panels and tiles, whatever is above
// the diagonal before. Solving inverts the product.
func TestFactor(t *testing.T) {
	random := random.New(3)
	for _, d := range []int{1, 2, 3, panel - 1, panel, panel + 1, 2*panel + 5, tile - 1, tile, tile + 1, tile + panel, 2*tile + 3} {
		rows := make([]float64, 2*d*d) // A = R'R of 2d rows, well conditioned
		for k := range rows {
			rows[k] = 2*random.Float64() - 1
		}
		a, u := make([]float64, d*d), make([]float64, d*d)
		for i := range d {
			for j := range d {
				for k := range 2 * d {
					a[i*d+j] = math.FMA(rows[k*d+i], rows[k*d+j], a[i*d+j])
				}
				if u[i*d+j] = a[i*d+j]; j > i {
					u[i*d+j] = math.NaN()
				}
			}
		}
		FactorBy(nil, u, d)
		for i := range d {
			for j := i; j < d; j++ {
				sum := 0.0
				for k := range i + 1 {
					sum = math.FMA(u[k*d+i], u[k*d+j], sum)
				}
				if math.Abs(sum-a[i*d+j]) > 1e-13*float64(d) {
					t.Fatalf("%d columns: element (%d, %d) of U'U is %v, not %v", d, i, j, sum, a[i*d+j])
				}
			}
		}
		want, r := make([]float64, d), make([]float64, d)
		for j := range want {
			want[j] = random.Float64()
		}
		for i := range r {
			for j, v := range want {
				r[i] = math.FMA(a[i*d+j], v, r[i])
			}
		}
		Solve(r, u, r)
		for j := range want {
			if !(math.Abs(r[j]-want[j]) < 1e-8) {
				t.Fatalf("%d columns: element %d is %v, not %v", d, j, r[j], want[j])
			}
		}
	}
}

// A column that depends on those before it, but for rounding, gets its diagonal for a
// pivot, an empty one 1.
func TestPivots(t *testing.T) {
	u := []float64{
		4, 0, 0,
		2, 1 + 1e-15, 0,
		0, 0, 0,
	}
	FactorBy(nil, u, 3)
	if got, want := fmt.Sprintf("%.3g %.3g %.3g %.3g %.3g %.3g", u[0], u[1], u[2], u[4], u[5], u[8]), "2 1 0 1 0 1"; got != want {
		t.Errorf("U is %s, not %s", got, want)
	}
}

func BenchmarkFactor(b *testing.B) {
	for _, d := range []int{22, 123, 300, 1000} {
		a, u := make([]float64, d*d), make([]float64, d*d)
		for i := range d {
			for j := range i {
				a[i*d+j] = math.Sin(float64(i * j))
			}
			a[i*d+i] = float64(d)
		}
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			for b.Loop() {
				copy(u, a)
				FactorBy(nil, u, d)
			}
		})
	}
}

// TestFactorBy: the bits of one worker.
func TestFactorBy(t *testing.T) {
	const d = (tilesToShare+1)*tile + 5
	random := random.New(4)
	one := make([]float64, d*d)
	for i := range d {
		for j := range i {
			one[i*d+j] = random.Float64() / d
		}
		one[i*d+i] = 1
	}
	several := slices.Clone(one)
	FactorBy(nil, one, d)
	pool := matrix.NewPool(3)
	defer pool.Close()
	FactorBy(pool, several, d)
	for i := range d {
		for j := i; j < d; j++ {
			if one[i*d+j] != several[i*d+j] {
				t.Fatalf("element (%d, %d) is %v, not %v", i, j, several[i*d+j], one[i*d+j])
			}
		}
	}
}
