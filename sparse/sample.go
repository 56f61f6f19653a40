package sparse

import (
	"fmt"

	"github.com/lanes-go/lanes/asm/rows"
)

// PickRows returns a matrix of the listed rows of m, in the order of the list, in
// the storage layout of m and with its bias column. The entries are copied.
func (m *Matrix) PickRows(list []uint32) (*Matrix, error) {
	for k, i := range list {
		if int64(i) >= int64(m.n) {
			return nil, fmt.Errorf("sparse: PickRows: list position %d names row %d of a matrix of %d rows", k, i, m.n)
		}
	}
	n, from := len(list), &m.rows
	ptr := make([]int64, n+1)
	for k, i := range list {
		ptr[k+1] = ptr[k] + from.End[i] - from.Begin[i]
	}
	to := rows.Matrix{Layout: from.Layout, Begin: ptr[:n:n], End: ptr[1:]}
	to.Idx16 = pickEntries(from.Idx16, from, ptr, list)
	to.Idx32 = pickEntries(from.Idx32, from, ptr, list)
	to.Val32 = pickEntries(from.Val32, from, ptr, list)
	to.Val64 = pickEntries(from.Val64, from, ptr, list)
	to.Decimals, to.Unit = pickEntries(from.Decimals, from, ptr, list), from.Unit
	to.Codes, to.Table = pickEntries(from.Codes, from, ptr, list), from.Table
	if from.Scale != nil {
		to.Scale = make([]float64, n)
		for k, i := range list {
			to.Scale[k] = from.Scale[i]
		}
	}
	return &Matrix{rows: to, n: n, d: m.d, bias: m.bias, cuts: new(cutCache), single: m.single, numbered: m.numbered}, nil
}

func pickEntries[T any](from []T, rows *rows.Matrix, ptr []int64, list []uint32) []T {
	if from == nil {
		return nil
	}
	to := make([]T, ptr[len(list)])
	for k, i := range list {
		copy(to[ptr[k]:ptr[k+1]], from[rows.Begin[i]:])
	}
	return to
}
