package sparse

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/matrix"
)

// shown is which rows of its files a view has.
type shown struct {
	keep    func(row int) bool // of the files; nil keeps all
	first   []int              // row of each group in the view, and the number of rows
	entries int64
	sum     uint64 // checksum of the rows that keep has chosen
}

// WithRows returns a view of the rows for which keep is true, in their order. keep is given the number of
// a row, from 0 on. It must always give the same answer, also to several goroutines: every Load of
// the view asks it once a row. Groups keep their numbers, and may have no rows.
//
// It reads 4 bytes a row of the files, and holds 8 bytes a group. Errors: no function, a view whose rows
// are chosen already, no row that is kept, rows that cannot be read; once ctx is done, an error that
// wraps ctx.Err().
func (s *Stream) WithRows(ctx context.Context, keep func(row int) bool) (*Stream, error) {
	switch {
	case s == nil || keep == nil:
		return nil, errors.New("sparse: Stream.WithRows: there is no stream, or no function")
	case s.keep != nil:
		return nil, errors.New("sparse: Stream.WithRows: the rows of the view are chosen already: choose all at once")
	}
	view := *s
	view.shown = shown{keep: keep, first: make([]int, len(s.groups)+1)}
	ctx = contexts.Given(ctx)
	table := crc64.MakeTable(crc64.ECMA)
	var bytes, chosen []byte
	for k := range s.groups {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: %w", s.Name(), contexts.Err(ctx))
		}
		g, p := &s.groups[k], s.pieceOf(k)
		bytes, chosen = matrix.Sized(bytes, 4*g.rows), chosen[:0]
		if n, err := p.file.ReadAt(bytes, p.at(s.offset[k])+groupHeader); n < len(bytes) {
			return nil, s.trouble(k, err)
		}
		rows, all := 0, int64(0)
		for i := range g.rows {
			length := int64(binary.LittleEndian.Uint32(bytes[4*i:]))
			if all += length; !keep(s.start[k] + i) {
				chosen = append(chosen, 0)
				continue
			}
			chosen = append(chosen, 1)
			rows++
			view.entries += length
		}
		if all != int64(g.entries) {
			return nil, s.trouble(k, errCacheSum)
		}
		view.first[k+1], view.sum = view.first[k]+rows, crc64.Update(view.sum, table, chosen)
	}
	if view.Rows() == 0 {
		return nil, errors.New("sparse: Stream.WithRows: no row is kept")
	}
	return &view, nil
}

// inFile returns the number in the files of row i of group k of the view.
func (s *Stream) inFile(k, i int) int {
	row := s.start[k]
	for ; s.keep != nil && row < s.start[k+1]; row++ {
		if s.keep(row) {
			if i == 0 {
				break
			}
			i--
		}
	}
	return row + i
}

// shownOf keeps the elements of v, one a row of group k in the file, whose rows the view has.
func shownOf[T any](s *Stream, k int, v []T) []T {
	n := 0
	for i, x := range v {
		if s.keep(s.start[k] + i) {
			v[n] = x
			n++
		}
	}
	return v[:n]
}

// keep gives the group the rows and the columns of the view: other rows, and entries of columns beyond,
// are dropped.
func (g *StreamGroup) keep(s *Stream, k int) {
	r := *matrix.Stored(&g.m)
	d, n, to := s.width(), 0, int64(0)
	for i := range g.m.Rows() {
		if s.keep != nil && !s.keep(s.start[k]+i) {
			continue
		}
		begin, end := r.Begin[i], r.End[i]
		if s.more < 0 {
			for last := end; begin < last && r.Column(last-1) >= d; last-- { // they ascend
				end = last - 1
			}
		}
		moveEntries(r.Idx16, to, begin, end)
		moveEntries(r.Idx32, to, begin, end)
		moveEntries(r.Val64, to, begin, end)
		moveEntries(r.Val32, to, begin, end)
		if n < i {
			g.moveRow(r.Scale, n, i)
		}
		r.Begin[n] = to
		to += end - begin
		n++
	}
	r.Begin, r.End, r.Scale = g.read.ptr[:n:n], g.read.ptr[1:n+1], upTo(r.Scale, n)
	g.read.ptr[n] = to
	g.m = matrix.Of(r, d, s.shape.values())
	g.Y, g.Weight, g.Offset, g.read.query = g.Y[:n], upTo(g.Weight, n), upTo(g.Offset, n), upTo(g.read.query, 8*n)
}

// moveRow makes row to what row from is, but for its entries.
func (g *StreamGroup) moveRow(scale []float64, to, from int) {
	g.Y[to] = g.Y[from]
	for _, v := range [][]float64{scale, g.Weight, g.Offset} {
		if v != nil {
			v[to] = v[from]
		}
	}
	if q := g.read.query; q != nil {
		copy(q[8*to:8*to+8], q[8*from:])
	}
}

// moveEntries moves the numbers of the entries from begin to end-1 to a place before; v may be nil.
func moveEntries[T any](v []T, to, begin, end int64) {
	if v != nil {
		copy(v[to:], v[begin:end])
	}
}

// upTo is the first n elements, nil of nil.
func upTo[T any](v []T, n int) []T {
	if v == nil {
		return nil
	}
	return v[:n]
}
