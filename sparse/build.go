package sparse

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/asm"
)

// NewCSR builds a matrix of d columns from compressed rows: row i has the
// entries ptr[i] to ptr[i+1]-1 of columns and values, columns strictly ascending
// within a row. The slices are copied into the smallest layout that is exact.
//
// Errors name the row and the column: pointers that descend or leave the
// slices, columns that are out of range or not ascending, NaN and Inf.
func NewCSR(d int, ptr []int64, columns []uint32, values []float64) (*Matrix, error) {
	if d < 0 || len(ptr) == 0 || ptr[0] != 0 || len(columns) != len(values) || ptr[len(ptr)-1] != int64(len(columns)) {
		return nil, fmt.Errorf("sparse: NewCSR: %d pointers do not describe %d columns and %d values", len(ptr), len(columns), len(values))
	}
	n := len(ptr) - 1
	for i := range n {
		begin, end := ptr[i], ptr[i+1]
		if begin > end || end > int64(len(columns)) {
			return nil, fmt.Errorf("sparse: NewCSR: row %d: pointers %d to %d leave the %d entries", i, begin, end, len(columns))
		}
		for e := begin; e < end; e++ {
			if int64(columns[e]) >= int64(d) {
				return nil, fmt.Errorf("sparse: NewCSR: row %d: column %d of a matrix of %d columns", i, columns[e], d)
			}
			if e > begin && columns[e] <= columns[e-1] {
				return nil, fmt.Errorf("sparse: NewCSR: row %d: column %d after column %d; columns must ascend", i, columns[e], columns[e-1])
			}
			if math.IsNaN(values[e]) || math.IsInf(values[e], 0) {
				return nil, fmt.Errorf("sparse: NewCSR: row %d: column %d holds %v", i, columns[e], values[e])
			}
		}
	}
	p := append([]int64(nil), ptr...)
	rows := asm.Rows{Begin: p[:n], End: p[1:], Layout: asm.I32F64,
		Idx32: append([]uint32{}, columns...), Val64: append([]float64{}, values...)}
	return &Matrix{rows: rows, n: n, d: d, cuts: new(cutCache)}, nil
}
