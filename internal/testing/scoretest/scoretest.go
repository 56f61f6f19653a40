// Package scoretest holds what the tests of score models share.
package scoretest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// Interactions returns n rows of four columns near -1 or +1. A row is positive where
// the first two have one sign and the last two have one sign, but for one label in
// twenty: a quarter of the rows, which no linear model ranks better than chance.
func Interactions(n int, seed uint64) (*sparse.Data, error) {
	random := rand.New(rand.NewPCG(seed, 5))
	ptr, columns, values, y := []int64{0}, []uint32{}, []float64{}, make([]float64, n)
	for i := range n {
		signs := [4]float64{}
		for j := range signs {
			signs[j] = float64(2*random.IntN(2) - 1)
			columns, values = append(columns, uint32(j)), append(values, signs[j]+float64(0.2*(float64(random.Float64())-0.5)))
		}
		if y[i] = -1; signs[0] == signs[1] && signs[2] == signs[3] {
			y[i] = 1
		}
		if random.IntN(20) == 0 {
			y[i] = -y[i]
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(4, ptr, columns, values)
	return &sparse.Data{X: x, Y: y}, err
}

// Ijcnn1 reads the data set ijcnn1, which is known to be far from linear, from the
// folder that LANES_DATA names. Where it is absent, and in short runs, the test is
// skipped.
func Ijcnn1(t testing.TB) (train, test *sparse.Data) {
	t.Helper()
	folder := os.Getenv("LANES_DATA")
	if folder == "" || testing.Short() {
		t.Skip("LANES_DATA names no folder with ijcnn1.xz, or -short was given")
	}
	train, err := sparse.ReadFile(context.Background(), filepath.Join(folder, "ijcnn1.xz"), sparse.ReadOptions{})
	if err != nil {
		t.Skip(err)
	}
	test, err = sparse.ReadFile(context.Background(), filepath.Join(folder, "ijcnn1.t.xz"), sparse.ReadOptions{Columns: train.X.Cols()})
	if err != nil {
		t.Skip(err)
	}
	return train, test
}
