package matrix

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/lanes-go/lanes/asm/rows"
)

// PickRows returns a matrix of the listed rows of m, in the order of the list. It has the storage
// layout of m and its bias column. The workers of p copy the entries. Error: a row that m does
// not have.
func (m *Matrix) PickRows(p *Pool, list []uint32) (*Matrix, error) {
	n, from := len(list), &m.rows
	t := &pickRowsTask{from: from, list: list, ptr: make([]int64, n+1), rows: BlockRows(m)}
	t.blocks = (n + t.rows - 1) / t.rows
	Run(p, t.blocks, (*pickLengths)(t))
	if t.beyond.Load() {
		k := slices.IndexFunc(list, func(i uint32) bool { return int64(i) >= int64(m.n) })
		return nil, fmt.Errorf("sparse: PickRows: list position %d names row %d of a matrix of %d rows", k, list[k], m.n)
	}
	size := int64(0)
	for b := range t.blocks {
		end := &t.ptr[min((b+1)*t.rows, n)]
		size, *end = size+*end, size+*end
	}
	to := &t.to
	*to = rows.Matrix{Layout: from.Layout, Begin: t.ptr[:n:n], End: t.ptr[1:], Unit: from.Unit, Table: from.Table, Full: from.Full}
	to.Idx16, to.Idx32 = sizedLike(from.Idx16, size), sizedLike(from.Idx32, size)
	to.Val32, to.Val64 = sizedLike(from.Val32, size), sizedLike(from.Val64, size)
	to.Decimals, to.Codes = sizedLike(from.Decimals, size), sizedLike(from.Codes, size)
	to.Scale = sizedLike(from.Scale, int64(n))
	Run(p, t.blocks, t)
	if x := from.Mix; x != nil {
		to.Mix = mixOf(to, &rows.Mix{
			Columns: x.Columns, Stride: x.Stride, Plans: x.Plans, Halves: x.Halves,
			Val64: pickValues(x.Val64, x.Stride, rows.MixPad, list), Val32: pickValues(x.Val32, x.Stride, rows.MixPad, list),
			Of: pickValues(x.Of, 1, 0, list),
		})
	}
	return &Matrix{rows: *to, n: n, d: m.d, bias: m.bias, cuts: new(cutCache), single: m.single, numbered: m.numbered}, nil
}

// sizedLike returns a slice of size numbers, or nil if from is nil.
func sizedLike[T any](from []T, size int64) []T {
	if from == nil {
		return nil
	}
	return make([]T, size)
}

// sizeIndices replaces the indices of to by size new ones for columns columns: narrow ones if the
// old ones are narrow or narrow ones suffice.
func sizeIndices(to *rows.Matrix, columns int, size int64) {
	to.Idx16, to.Idx32 = nil, nil
	if to.Layout.Narrow() || columns <= NarrowColumns {
		to.Idx16, to.Layout = make([]uint16, size), to.Layout.Narrowed()
	} else {
		to.Idx32 = make([]uint32, size)
	}
}

// pickRowsTask copies the rows of a part of the list a block, the last part first: where a
// list has the long rows last, no worker begins them when the others are done.
type pickRowsTask struct {
	from   *rows.Matrix
	to     rows.Matrix
	list   []uint32
	ptr    []int64 // where rows of to begin: the memory of to.Begin and to.End
	rows   int     // in a block
	blocks int
	beyond atomic.Bool // the list has a row that from lacks
}

// part returns the positions of the list that a block has.
func (t *pickRowsTask) part(block int) (first, end int) {
	first = (t.blocks - 1 - block) * t.rows
	return first, min(first+t.rows, len(t.list))
}

// pickLengths sums the lengths of the rows of a block, for the place in ptr where it ends.
type pickLengths pickRowsTask

func (t *pickLengths) Block(block int) {
	first, end := (*pickRowsTask)(t).part(block)
	size := int64(0)
	for _, i := range t.list[first:end] {
		if int(i) >= len(t.from.End) {
			t.beyond.Store(true)
			return
		}
		size += t.from.End[i] - t.from.Begin[i]
	}
	t.ptr[end] = size
}

func (t *pickRowsTask) Block(block int) {
	first, end := t.part(block)
	from, to, list := t.from, &t.to, t.list[first:end]
	at := t.ptr[first] // the place of another block, which leaves it alone
	for k, i := range list[:len(list)-1] {
		at += from.End[i] - from.Begin[i]
		t.ptr[first+k+1] = at
	}
	ptr := t.ptr[first : end+1]
	pickEntries(to.Idx16, from.Idx16, from.Begin, ptr, list)
	pickEntries(to.Idx32, from.Idx32, from.Begin, ptr, list)
	pickEntries(to.Val32, from.Val32, from.Begin, ptr, list)
	pickEntries(to.Val64, from.Val64, from.Begin, ptr, list)
	pickEntries(to.Decimals, from.Decimals, from.Begin, ptr, list)
	pickEntries(to.Codes, from.Codes, from.Begin, ptr, list)
	if from.Scale != nil {
		for k, i := range list {
			to.Scale[first+k] = from.Scale[i]
		}
	}
}

// pickValues copies what the listed rows of a mixed matrix have, and pad zeros.
func pickValues[V float32 | float64 | uint16](from []V, stride, pad int, list []uint32) []V {
	if from == nil {
		return nil
	}
	to := make([]V, 0, len(list)*stride+pad)
	for _, i := range list {
		to = append(to, from[int(i)*stride:][:stride]...)
	}
	return append(to, make([]V, pad)...)
}

// pickEntries copies what is stored of each entry of the listed rows.
func pickEntries[T any](to, from []T, begin, ptr []int64, list []uint32) {
	if from == nil {
		return
	}
	for k, i := range list {
		copy(to[ptr[k]:ptr[k+1]], from[begin[i]:])
	}
}
