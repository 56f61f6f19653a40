// Package scoretest holds what the tests of score models share.
package scoretest

import (
	"math/rand/v2"

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
			columns, values = append(columns, uint32(j)), append(values, signs[j]+0.2*(random.Float64()-0.5))
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
