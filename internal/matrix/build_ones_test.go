package matrix_test

import (
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestChunksOfOnes: values of 1 are as if there were none, and chunks of ones before, behind and between
// chunks of other values keep them.
func TestChunksOfOnes(t *testing.T) {
	t.Parallel()
	const width = 16
	n := 4 * matrix.BuildChunk / width
	ptr, columns := make([]int64, n+1), make([]uint32, n*width)
	for e := range columns {
		columns[e] = uint32(e % width)
	}
	for i := range ptr {
		ptr[i] = int64(i * width)
	}
	for _, odd := range [][]int{{}, {0}, {3}, {1, 2}, {0, 1, 2, 3}} {
		for k, by := range []float64{2.5, 1. / 3, 0, 2, 7} {
			values := make([]float64, len(columns))
			for e := range values {
				values[e] = 1
			}
			for _, chunk := range odd {
				values[chunk*matrix.BuildChunk+[]int{0, 5, 6, 7, matrix.BuildChunk - 1}[k]] = by
			}
			m, err := matrix.NewCSR(matrix.Storage{}, width, ptr, columns, values)
			if err != nil {
				t.Fatal(err)
			}
			if (m.Values() == matrix.ValuesNone) != (len(odd) == 0) {
				t.Fatalf("values of %v in the chunks %v are kept as %v", by, odd, m.Values())
			}
			_, _, got := m.CSR()
			for e, v := range got {
				if v != values[e] {
					t.Fatalf("entry %d is %v, not %v, with %v in the chunks %v", e, v, values[e], by, odd)
				}
			}
		}
	}
}
