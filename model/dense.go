package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// ScoresDense appends the scores of all rows of a dense array to dst, as Scores does for a matrix:
// one a row, or one for each of Classes. A row's entries are its elements that are not 0. So the
// scores are those of the matrix that sparse.NewDense makes, to the bit, whatever the order and the
// type of the array. No matrix is made: a linear model whose rows are not scaled reads each
// element once. It copies rows with zeros, rows and columns that are not contiguous, and float32
// elements of other rows, in parts that stay in the cache.
//
// Errors: m or x is nil, x.Check refuses the sizes, memory does not suffice, or a *RowError names the
// first row with NaN or Inf. The workers of pool share the rows. It costs a product with x a class, and
// allocates nothing if the capacity of dst suffices.
func ScoresDense(m Model, dst []float64, pool *sparse.Pool, x *sparse.Dense) ([]float64, error) {
	k, ok := m.(kind)
	if !ok {
		return dst, errors.New("model: ScoresDense: there is no model")
	}
	if err := x.Check(); err != nil {
		return dst, fmt.Errorf("model: ScoresDense: %w", err)
	}
	about := m.About()
	p, err := about.preparation()
	if err != nil {
		return dst, err
	}
	n, width := len(dst), about.Width()
	if x.Rows > math.MaxInt/width {
		return dst, fmt.Errorf("model: ScoresDense: %d scores for each of %d rows", width, x.Rows)
	}
	if err := memory.Check("the scores", int64(x.Rows*width), 8); err != nil {
		return dst, err
	}
	to := slices.Grow(dst, x.Rows*width)[:n+x.Rows*width]
	t := denseTasks.Get().(*denseTask)
	defer t.put()
	t.m, t.p, t.x, t.dst, t.part = k, p, x, to[n:], min(matrix.PartRows(x), max(x.Rows, 1))
	t.parts = max(1, blockNumbers/max(t.part*x.Columns, 1))
	if linear, ok := m.(*Linear); ok {
		if err := linear.checkWeights(); err != nil {
			return dst, err
		}
		if about.Meta.plain() && x.Columns > 0 && x.Columns <= about.Features {
			t.linear = linear
		}
	}
	matrix.Run(pool, (x.Rows+t.part*t.parts-1)/(t.part*t.parts), t)
	if t.err != nil {
		return dst, t.err
	}
	return to, nil
}

// blockNumbers is about the number of elements of one parallel block.
const blockNumbers = 1 << 15

// denseTask scores the rows of an array, some parts a block.
type denseTask struct {
	m      kind
	linear *Linear // the model, if rows are taken as they are
	p      preparation
	x      *matrix.Dense
	dst    []float64
	part   int // rows
	parts  int // of a block

	lock sync.Mutex
	err  error // of the first row that has one
	row  int
}

var denseTasks = sync.Pool{New: func() any { return new(denseTask) }}

// put gives back t, without what belongs to others.
func (t *denseTask) put() {
	t.m, t.linear, t.p, t.x, t.dst, t.err = nil, nil, preparation{}, nil, nil, nil
	denseTasks.Put(t)
}

// denseRoom is what scoring parts needs, for one worker.
type denseRoom struct {
	values []float64 // of a part that is copied
	lanes  []float64 // of the rows of a part: eight a class
	some   [256]float64
	column [256]float64
	source rows.Matrix // rows before they are scaled
	view   matrix.Matrix
}

var denseRooms = sync.Pool{New: func() any { return &denseRoom{source: rows.Matrix{Layout: rows.I32F64}} }}

// single tells whether the array has rows of float32 one after the other.
func (t *denseTask) single() bool {
	return t.x.Float32 != nil && t.x.ColumnStride == 1 && t.x.RowStride == t.x.Columns
}

// Block scores a block of rows.
func (t *denseTask) Block(k int) {
	room, b := denseRooms.Get().(*denseRoom), batches.Get().(*batch)
	width := t.m.About().Width()
	end := min((k+1)*t.part*t.parts, t.x.Rows)
	for i := k * t.part * t.parts; i < end; i += t.part {
		count := min(t.part, end-i)
		dst := t.dst[i*width : (i+count)*width]
		if t.linear != nil && t.x.ColumnStride != 1 && t.scoreColumns(dst, i, count, room) {
			continue
		}
		full := t.linear != nil && t.x.ColumnStride == 1
		if full && t.single() {
			if values := t.x.Float32[i*t.x.Columns:][:count*t.x.Columns]; !matrix.MayLack32(values) && t.scoreFull(dst, nil, values, b) {
				continue
			}
			full = false
		}
		if t.x.ColumnStride != 1 || t.x.RowStride != t.x.Columns || t.x.Float64 == nil {
			room.values = matrix.Sized(room.values, t.part*t.x.Columns)
		}
		values := matrix.DenseRows(t.x, room.values, i, count)
		if full && !matrix.MayLack(values, room.some[:]) && t.scoreFull(dst, values, nil, b) {
			continue
		}
		if err := t.scorePart(dst, values, i, room, b); err != nil {
			t.lock.Lock()
			if t.err == nil || i < t.row {
				t.err, t.row = err, i
			}
			t.lock.Unlock()
			break
		}
	}
	denseRooms.Put(room)
	batches.Put(b)
}

// scoreFull writes the scores of rows without zeros, in one of the two types. It fails if one of them
// is not finite: then a value may be so too. A finite score shows that all values are finite.
func (t *denseTask) scoreFull(dst, values []float64, single []float32, b *batch) bool {
	d, path := t.x.Columns, &asm.Active().Rows.Full
	t.linear.scoreBy(dst, b, func(out, w []float64) {
		if values != nil {
			path.Dot(out, values, w[:d])
		} else {
			path.Dot32(out, single, w[:d])
		}
	})
	return finite(dst, t.linear.Width())
}

// finite tells whether the scores of the first class are finite.
func finite(dst []float64, width int) bool {
	for i := 0; i < len(dst); i += width {
		if s := dst[i]; s-s != 0 {
			return false
		}
	}
	return true
}

// scoreColumns is scoreFull for count rows from first on, column after column. Column j belongs to
// lane j mod 8 of each row.
func (t *denseTask) scoreColumns(dst []float64, first, count int, room *denseRoom) bool {
	m, path := t.linear, &asm.Active().Dense
	d, width := m.Columns(), m.Width()
	room.lanes = matrix.Sized(room.lanes, 8*width*t.part)
	clear(room.lanes)
	lane := func(class, k int) []float64 { return room.lanes[(8*class+k)*t.part:][:count] }
	for j := range t.x.Columns {
		column := matrix.DenseColumn(t.x, room.column[:], j, first, count)
		if matrix.MayLack(column, room.some[:]) {
			return false
		}
		for k := range width {
			path.Axpy(m.Weights[k*d+j], column, lane(k, j%8))
		}
	}
	for k := range width {
		l0, l1, l2, l3, l4, l5, l6, l7 := lane(k, 0), lane(k, 1), lane(k, 2), lane(k, 3), lane(k, 4), lane(k, 5), lane(k, 6), lane(k, 7)
		for i := range count {
			s := ((l0[i] + l4[i]) + (l2[i] + l6[i])) + ((l1[i] + l5[i]) + (l3[i] + l7[i]))
			dst[i*width+k] = m.addBias(s, m.Weights[k*d:(k+1)*d])
		}
	}
	return finite(dst, width)
}

// scorePart writes the scores of rows of any values, the first of which is row first of the array.
func (t *denseTask) scorePart(dst, values []float64, first int, room *denseRoom, b *batch) error {
	card, d := t.p.card, t.x.Columns
	if k := matrix.NotFinite(values); k >= 0 {
		return badEntry(first+k/d+1, k%d, "holds %v", values[k])
	}
	known, count := min(d, card.Features), len(dst)/card.Width()
	if known < d && card.RefuseUnknown {
		for k, v := range values {
			if k%d >= known && v != 0 {
				return card.unknownColumn(first+k/d+1, k%d)
			}
		}
	}
	b.clear()
	to := &b.rows
	if !card.Meta.plain() {
		to = &room.source
	}
	matrix.WriteRows(to, values, d, known)
	for len(to.End) < count { // rows without columns
		to.Begin, to.End = append(to.Begin, 0), append(to.End, 0)
	}
	if to != &b.rows {
		room.view = matrix.OfRows(*to, card.Features)
		for i := range count {
			if err := t.p.add(b, &room.view, i); err != nil {
				if bad := (*RowError)(nil); errors.As(err, &bad) {
					bad.Row += first
				}
				return err
			}
		}
	}
	return t.m.scoreBatch(dst, b)
}

// scoreBy writes the scores of rows, class after class. product writes the products of all rows with
// the weights of a class.
func (m *Linear) scoreBy(dst []float64, b *batch, product func(out, w []float64)) {
	d, width := m.Columns(), m.Width()
	if width == 1 {
		product(dst, m.Weights)
		if m.Bias != 0 {
			for i, s := range dst {
				dst[i] = m.addBias(s, m.Weights)
			}
		}
		return
	}
	n := len(dst) / width
	b.scores = slices.Grow(b.scores[:0], n)[:n]
	for k := range width {
		w := m.Weights[k*d : (k+1)*d]
		product(b.scores, w)
		for i, s := range b.scores {
			dst[i*width+k] = m.addBias(s, w)
		}
	}
}
