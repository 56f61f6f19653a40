package risk

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// SquaredColumns adds the squared norms of the columns to dst, without rows whose weight in s is 0. work is
// overwritten: it has a number a row.
func SquaredColumns(dst []float64, x direct.Matrix, s, work []float64) {
	for i := range work {
		if work[i] = 1; direct.Weight(s, i) == 0 {
			work[i] = 0
		}
	}
	x.AddSquares(dst, work)
}

// ColumnLengths makes norms of the squares that SquaredColumns computed of n rows, none below the exact one.
// dst may be squares.
func ColumnLengths(dst, squares []float64, n int) {
	for j, v := range squares {
		dst[j] = math.Sqrt(float64(v*(1+float64(float64(n)*direct.Unit))) + 0x1p-1000)
	}
}
