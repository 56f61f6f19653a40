package sparse

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestWriteColumns: every element of every layout, with and without a bias, and a slice that
// does not fit.
func TestWriteColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	matrices := layoutMatrices(t, rng, 30, 9)
	for _, m := range layoutsOf(t) {
		matrices = append(matrices, m)
	}
	for _, m := range matrices {
		for _, x := range []*Matrix{m, m.WithBias(0.5)} {
			n, d := x.Rows(), x.Cols()
			if n*d > 1<<20 {
				continue
			}
			got, want := normals(rng, n*d), make([]float64, n*d)
			for i := range n {
				for j, v := range x.Row(i) {
					want[j*n+i] = v
				}
			}
			if err := matrix.WriteColumns(x, got); err != nil {
				t.Fatal(err)
			}
			for k := range want {
				if got[k] != want[k] {
					t.Fatalf("layout %v, bias %v: row %d, column %d is %v, not %v", matrix.Stored(x).Layout, x.Bias(), k%n, k/n, got[k], want[k])
				}
			}
			if matrix.WriteColumns(x, got[1:]) == nil {
				t.Errorf("layout %v: a slice that is too short was taken", matrix.Stored(x).Layout)
			}
		}
	}
}
