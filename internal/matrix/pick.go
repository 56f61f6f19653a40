package matrix

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// PickColumns returns a matrix of the listed columns of m, which ascend: its column k is
// column list[k] of m. Values keep the storage layout of m, but for a mixed matrix of which
// columns of ones are left; a bias column is not part of the result. It costs a pass over the entries, shared by the workers of p, and 4 bytes a
// column of m.
func PickColumns(m *Matrix, p *Pool, list []uint32) (*Matrix, error) {
	place := make([]uint32, m.d)
	for k, j := range list {
		switch {
		case int64(j) >= int64(m.d):
			return nil, fmt.Errorf("sparse: PickColumns: list position %d names column %d of a matrix of %d stored columns", k, j, m.d)
		case k > 0 && j <= list[k-1]:
			return nil, fmt.Errorf("sparse: PickColumns: column %d of list position %d does not ascend", j, k)
		}
		place[j] = uint32(k) + 1
	}
	if m.rows.Full > 0 && len(list) > 0 {
		return pickFull(m, p, list), nil
	}
	m = indexed(m)
	t := &pickTask{from: m, place: place, ptr: make([]int64, m.n+1)}
	blocks := (m.n + pickRows - 1) / pickRows
	Run(p, blocks, (*pickCount)(t))
	for i := range m.n {
		t.ptr[i+1] += t.ptr[i]
	}
	size := t.ptr[m.n]
	to := &t.to
	to.Layout, to.Scale, to.Unit, to.Table = m.rows.Layout, m.rows.Scale, m.rows.Unit, m.rows.Table
	to.Begin, to.End = t.ptr[:m.n:m.n], t.ptr[1:]
	sizeIndices(to, len(list), size)
	to.Val32, to.Val64 = sizedLike(m.rows.Val32, size), sizedLike(m.rows.Val64, size)
	to.Decimals, to.Codes = sizedLike(m.rows.Decimals, size), sizedLike(m.rows.Codes, size)
	Run(p, blocks, t)
	if x := m.mix(); x != nil {
		pickMixed(to, x, place)
	}
	return &Matrix{rows: t.to, n: m.n, d: len(list), cuts: new(cutCache), single: m.single}, nil
}

// PickBeside is PickColumns for a list that may end with the bias column, which the result then has.
func PickBeside(m *Matrix, p *Pool, list []uint32) (*Matrix, error) {
	bias, last := 0.0, len(list)-1
	if m.bias != 0 && last >= 0 && int(list[last]) == m.d {
		bias, list = m.bias, list[:last]
	}
	picked, err := PickColumns(m, p, list)
	if err != nil {
		return nil, err
	}
	return picked.WithBias(bias), nil
}

// pickRows is the number of rows that a worker takes at a time.
const pickRows = 4096

type pickTask struct {
	from  *Matrix
	place []uint32 // of each column in the result, from 1 on; 0 for none
	ptr   []int64
	to    rows.Matrix
}

type pickCount pickTask

// Block counts the entries of rows that stay.
func (t *pickCount) Block(b int) {
	first, end := b*pickRows, min((b+1)*pickRows, t.from.n)
	if t.from.rows.Idx16 != nil {
		countPicked(t, t.from.rows.Idx16, first, end)
	} else {
		countPicked(t, t.from.rows.Idx32, first, end)
	}
}

func countPicked[I uint16 | uint32](t *pickCount, idx []I, first, end int) {
	from := &t.from.rows
	for i := first; i < end; i++ {
		count := int64(0)
		for _, j := range idx[from.Begin[i]:from.End[i]] {
			count += kept(t.place[j])
		}
		t.ptr[i+1] = count
	}
}

// Block copies the entries of rows that stay.
func (t *pickTask) Block(b int) {
	first, end := b*pickRows, min((b+1)*pickRows, t.from.n)
	if t.from.rows.Idx16 != nil {
		copyPicked(t, t.from.rows.Idx16, first, end)
	} else {
		copyPicked(t, t.from.rows.Idx32, first, end)
	}
}

func copyPicked[I uint16 | uint32](t *pickTask, idx []I, first, end int) {
	if t.to.Idx16 != nil {
		copyPickedTo(t, idx, t.to.Idx16, first, end)
	} else {
		copyPickedTo(t, idx, t.to.Idx32, first, end)
	}
}

func copyPickedTo[I, O uint16 | uint32](t *pickTask, idx []I, out []O, first, end int) {
	from, to := &t.from.rows, &t.to
	switch {
	case to.Val32 != nil:
		copyPickedValues(t, idx, out, from.Val32, to.Val32, first, end)
	case to.Val64 != nil:
		copyPickedValues(t, idx, out, from.Val64, to.Val64, first, end)
	case to.Decimals != nil:
		copyPickedValues(t, idx, out, from.Decimals, to.Decimals, first, end)
	case to.Codes != nil:
		copyPickedValues(t, idx, out, from.Codes, to.Codes, first, end)
	default:
		for i := first; i < end; i++ {
			at, last := t.ptr[i], t.ptr[i+1]
			for _, j := range idx[from.Begin[i]:from.End[i]] {
				if at == last {
					break
				}
				k := t.place[j]
				out[at] = O(k - 1)
				at += kept(k)
			}
		}
	}
}

// copyPickedValues writes every entry, and moves on only behind entries that stay: a branch would
// be unpredictable.
func copyPickedValues[I, O uint16 | uint32, V float32 | float64 | int32 | uint16](t *pickTask, idx []I, out []O, from, to []V, first, end int) {
	for i := first; i < end; i++ {
		at, last := t.ptr[i], t.ptr[i+1]
		begin, stop := t.from.rows.Begin[i], t.from.rows.End[i]
		values := from[begin:stop]
		for e, j := range idx[begin:stop] {
			if at == last {
				break
			}
			k := t.place[j]
			out[at], to[at] = O(k-1), values[e]
			at += kept(k)
		}
	}
}

// pickFull is PickColumns of full rows without indices.
func pickFull(m *Matrix, p *Pool, list []uint32) *Matrix {
	size := m.n * len(list)
	ends := make([]int64, m.n+1)
	for i := range m.n {
		ends[i+1] = ends[i] + int64(len(list))
	}
	to := rows.Matrix{Layout: m.rows.Layout, Begin: ends[:m.n:m.n], End: ends[1:], Full: len(list)}
	to.Val32, to.Val64 = sizedLike(m.rows.Val32, int64(size)), sizedLike(m.rows.Val64, int64(size))
	Run(p, (m.n+pickRows-1)/pickRows, &pickFullTask{from: &m.rows, to: &to, list: list})
	return &Matrix{rows: to, n: m.n, d: len(list), cuts: new(cutCache), single: m.single}
}

type pickFullTask struct {
	from, to *rows.Matrix
	list     []uint32
}

// Block copies some rows.
func (t *pickFullTask) Block(b int) {
	for i := b * pickRows; i < min((b+1)*pickRows, len(t.to.Begin)); i++ {
		pickRow(t.to.Val32, t.from.Val32, i, t.from.Full, t.list)
		pickRow(t.to.Val64, t.from.Val64, i, t.from.Full, t.list)
	}
}

func pickRow[V float32 | float64](to, from []V, i, d int, list []uint32) {
	if from == nil {
		return
	}
	row, out := from[i*d:][:d], to[i*len(list):][:len(list)]
	for k, j := range list {
		out[k] = row[j]
	}
}

// kept is 1 for a column that stays, 0 for another.
func kept(place uint32) int64 { return int64((place | -place) >> 31) }

// ScaleRows returns m, without its bias column, with every entry of row i multiplied by c[i].
// c[i] must be finite, and every product must be finite. The columns are shared with m. Rows of
// one value keep that layout; values that are kept one by one become float64.
func ScaleRows(m *Matrix, c []float64) (*Matrix, error) {
	if len(c) != m.n {
		return nil, fmt.Errorf("sparse: ScaleRows: %d factors for %d rows", len(c), m.n)
	}
	for i, f := range c {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("sparse: ScaleRows: the factor of row %d is %v", i, f)
		}
	}
	out := *m
	out.bias, out.cuts = 0, new(cutCache)
	if HasOnes(m.rows.Layout) {
		scale := make([]float64, m.n)
		for i, f := range c {
			if scale[i] = f; m.rows.Scale != nil {
				scale[i] = f * m.rows.Scale[i]
			}
		}
		out.rows.Scale = scale
		out.rows.Layout = LayoutFor(m, rows.I32Ones)
		return &out, nil
	}
	values := make([]float64, m.NNZ())
	for i, f := range c {
		begin, end := m.rows.Begin[i], m.rows.End[i]
		row := values[begin:end]
		if m.rows.Val64 != nil {
			asm.Active().Dense.Scale(row, f, m.rows.Val64[begin:end])
			continue
		}
		RowValues(row, &m.rows, i, begin)
		for e, x := range row {
			row[e] = f * x
		}
	}
	out.clearValues()
	out.rows.Val64, out.rows.Scale = values, nil
	out.rows.Layout = LayoutFor(m, rows.I32F64)
	return &out, nil
}
