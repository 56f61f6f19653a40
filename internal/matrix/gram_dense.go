package matrix

import (
	"slices"

	"github.com/lanes-go/lanes/asm/rows"
)

const (
	// DenseShare bounds the multiplications of dense rows, in multiplications of the stored
	// entries, up to which Gram takes the rows as dense.
	DenseShare = 8
	// A band has bandWidth rows of the Gram matrix, and takes bandRows rows of the data at once.
	bandWidth, bandRows = 64, 64
)

// fills tells whether the rows are so full that the product of dense ones is quicker.
func (m *Matrix) fills() bool {
	all := float64(m.n) * float64(m.d) * float64(m.d+1) / 2
	return m.d >= 8 && all <= DenseShare*float64(GramCost(m))
}

// bandTask is gramTask for rows that are nearly full: each band multiplies dense copies of them, up
// to its last column. Missing entries add zeros, so that the bits equal the bits of gramTask.
type bandTask struct {
	gramTask
	low int // row of the Gram matrix that they begin at
}

func (t *bandTask) bands() int { return (t.m.d - t.low + bandWidth - 1) / bandWidth }

func (t *bandTask) Block(b int) {
	low := t.low + b*bandWidth
	high := min(low+bandWidth, t.m.d)
	inner := high - low
	sum := make([]float64, inner*high)
	for a := range inner {
		copy(sum[a*high:], t.row(low+a))
	}
	left, right := make([]float64, bandRows*inner), make([]float64, bandRows*high)
	for i := 0; i < len(t.c); {
		clear(right)
		clear(left)
		count := 0
		for ; i < len(t.c) && count < bandRows; i++ {
			ci := t.c[i]
			if ci == 0 {
				continue
			}
			to := right[count*high:][:high]
			t.m.writeOut(to, t.first+i)
			if scale := t.m.rows.Scale; scale != nil {
				ci = float64(float64(ci*scale[t.first+i]) * scale[t.first+i])
			}
			for a, x := range to[low:] {
				if x != 0 {
					left[count*inner+a] = float64(ci * x)
				}
			}
			count++
		}
		if err := rows.AddMatTransMul(&sum[0], &left[0], &right[0], len(sum), count*inner, count*high, inner, high); err != nil {
			panic(err) // the lengths are those above
		}
	}
	for a := range inner {
		copy(t.row(low+a), sum[a*high:])
	}
}

// writeOut writes the entries of row i to their places in a row of zeros, up to its end. It
// leaves out the factor that all entries share.
func (m *Matrix) writeOut(to []float64, i int) {
	if m.rows.Idx16 != nil {
		writeEntries(to, m.rows.Idx16, &m.rows, i)
	} else {
		writeEntries(to, m.rows.Idx32, &m.rows, i)
	}
}

func writeEntries[I uint16 | uint32](to []float64, idx []I, r *rows.Matrix, i int) {
	begin, end := r.Begin[i], r.End[i]
	list := idx[begin:end]
	if last := len(list) - 1; last >= 0 && int(list[last]) >= len(to) {
		cut, _ := slices.BinarySearch(list, I(len(to)))
		list = list[:cut]
	}
	switch {
	case r.Val64 != nil:
		for e, v := range r.Val64[begin:][:len(list)] {
			to[list[e]] = v
		}
	case r.Val32 != nil:
		for e, v := range r.Val32[begin:][:len(list)] {
			to[list[e]] = float64(v)
		}
	case r.Decimals != nil:
		for e, n := range r.Decimals[begin:][:len(list)] {
			to[list[e]] = r.Unit.Of(n)
		}
	case r.Codes != nil:
		for e, c := range r.Codes[begin:][:len(list)] {
			to[list[e]] = r.Table[c]
		}
	default:
		for _, j := range list {
			to[j] = 1
		}
	}
}
