package model

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// A preparation says how rows are prepared for a model: columns that it does not know are
// left out, the others are scaled, and rows are divided by their length.
type preparation struct {
	card         *Card
	shift, width []float64 // of the columns, nil for no scaling
	shifted      []uint32  // columns whose absent entries become entries
	unit         bool
}

// plain tells whether rows are taken as they are.
func (m *Meta) plain() bool {
	return m == nil || m.Scaler == nil && (m.Normalize == NormalizeNone || m.Normalize == "")
}

// preparation returns how rows are prepared.
func (c *Card) preparation() (preparation, error) {
	p := preparation{card: c}
	if c.Meta.plain() {
		return p, nil
	}
	p.unit = c.Meta.Normalize == NormalizeUnit
	s := c.Meta.Scaler
	switch {
	case s == nil && !p.unit:
		return p, fmt.Errorf("model: normalize %s needs a scaler", c.Meta.Normalize)
	case s == nil:
	case len(s.Shift) != c.Features || len(s.Width) != c.Features:
		return p, fmt.Errorf("model: the scaler has %d shifts and %d widths for %d columns", len(s.Shift), len(s.Width), c.Features)
	default:
		p.shift, p.width = s.Shift, s.Width
		if c.shifted == nil || c.shifted.scaler != s {
			p.shifted = matrix.Filled(s.Shift, s.Width)
		} else {
			p.shifted = c.shifted.columns
		}
	}
	return p, nil
}

// shiftedColumns are the columns that a scaler shifts.
type shiftedColumns struct {
	scaler  *sparse.Scaler
	columns []uint32
}

// keepShifted finds the columns that the scaler shifts, once for all rows to come.
func (c *Card) keepShifted() {
	if c.Meta != nil && c.Meta.Scaler != nil {
		s := c.Meta.Scaler
		c.shifted = &shiftedColumns{s, matrix.Filled(s.Shift, s.Width)}
	}
}

// A batch holds some prepared rows, with values in float64 whatever the layout that they
// come from: their scores do not depend on it.
type batch struct {
	rows   rows.Matrix
	scores []float64
	view   matrix.Matrix // of rows as a product takes them
	result []float64     // the scores of a single row
	plain  Linear        // scores a single row once it is prepared

	source                 rows.Matrix // a single row before it is scaled
	sourceBegin, sourceEnd [1]int64
}

var batches = sync.Pool{New: func() any {
	return &batch{rows: rows.Matrix{Layout: rows.I32F64}, source: rows.Matrix{Layout: rows.I32F64}}
}}

// A batch is scored as soon as it has as many rows or entries.
const (
	batchRows    = 128
	batchEntries = 2048
)

func (b *batch) full() bool { return len(b.rows.End) >= batchRows || len(b.rows.Idx32) >= batchEntries }

func (b *batch) clear() {
	r := &b.rows
	r.Begin, r.End, r.Idx32, r.Val64 = r.Begin[:0], r.End[:0], r.Idx32[:0], r.Val64[:0]
}

// single makes b hold one row.
func (b *batch) single(c *Card, columns []int, values []float64) error {
	b.clear()
	p, err := c.preparation()
	if err != nil {
		return err
	}
	to := &b.rows
	if p.width != nil {
		to = &b.source
	}
	n := len(columns)
	if values != nil && len(values) != n {
		return c.badRow(columns, values)
	}
	to.Idx32, to.Val64 = slices.Grow(to.Idx32[:0], n)[:n], slices.Grow(to.Val64[:0], n)[:n]
	if values == nil {
		matrix.Fill(to.Val64, 1)
	} else {
		copy(to.Val64, values)
	}
	last := -1
	for e, j := range columns {
		if v := to.Val64[e]; j <= last || j >= c.Features || v-v != 0 {
			if err := c.badRow(columns, values); err != nil {
				return err
			}
			to.Idx32, to.Val64 = to.Idx32[:e], to.Val64[:e] // what follows is unknown
			break
		}
		to.Idx32[e], last = uint32(j), j
	}
	if p.width != nil {
		b.sourceEnd[0] = int64(len(to.Idx32))
		to.Begin, to.End = b.sourceBegin[:], b.sourceEnd[:]
		b.rows.Idx32, b.rows.Val64 = matrix.AppendScaled(b.rows.Idx32, b.rows.Val64, to, 0, p.shift, p.width, p.shifted)
	}
	return p.end(b, 0, 0)
}

// add appends row i of x.
func (p *preparation) add(b *batch, x *matrix.Matrix, i int) error {
	r, from, begin := &b.rows, matrix.Stored(x), len(b.rows.Idx32)
	if e := from.End[i]; p.card.RefuseUnknown && e > from.Begin[i] && from.Column(e-1) >= p.card.Features {
		return p.card.unknownColumn(i+1, from.Column(e-1))
	}
	if p.width != nil {
		r.Idx32, r.Val64 = matrix.AppendScaled(r.Idx32, r.Val64, from, i, p.shift, p.width, p.shifted)
		return p.end(b, begin, i+1)
	}
	r.Idx32 = matrix.AppendColumns(x, r.Idx32, i)
	for n := len(r.Idx32) - 1; n >= begin && int(r.Idx32[n]) >= p.card.Features; n-- {
		r.Idx32 = r.Idx32[:n]
	}
	r.Val64 = slices.Grow(r.Val64, len(r.Idx32)-begin)[:len(r.Idx32)]
	values := r.Val64[begin:]
	if p.unit && x.Values() == matrix.ValuesNone { // the length of ones is exact
		matrix.Fill(values, matrix.UnitScale(int64(len(values)), 1))
		b.endRow(begin)
		return nil
	}
	matrix.RowValues(values, from, i, from.Begin[i])
	return p.end(b, begin, i+1)
}

// endRow ends a row, whose entries begin at begin.
func (b *batch) endRow(begin int) {
	b.rows.Begin, b.rows.End = append(b.rows.Begin, int64(begin)), append(b.rows.End, int64(len(b.rows.Idx32)))
}

// end checks a row that errors call row, gives it unit length, and ends it.
func (p *preparation) end(b *batch, begin, row int) error {
	b.endRow(begin)
	r := &b.rows
	values := r.Val64[begin:]
	if p.width != nil {
		for e, v := range values {
			if !isFinite(v) {
				return badEntry(row, int(r.Idx32[begin+e]), "is %v once it is scaled", v)
			}
		}
	}
	if p.unit {
		matrix.DivideByLength(values, matrix.SquareOf(values, false))
	}
	return nil
}

// scoresOf appends the scores of all rows of x to dst.
func scoresOf(m kind, dst []float64, pool *sparse.Pool, x *sparse.Matrix) ([]float64, error) {
	if x == nil {
		return dst, errors.New("model: Scores: there is no matrix to score")
	}
	if x.Bias() != 0 {
		return dst, errors.New("model: Scores: the matrix has a bias; the model adds its own")
	}
	about := m.About()
	p, err := about.preparation()
	if err != nil {
		return dst, err
	}
	n, width := len(dst), about.Width()
	to := slices.Grow(dst, x.Rows()*width)[:n+x.Rows()*width]
	// A product multiplies the sum of the weights by the value of a row that keeps one.
	if about.Meta.plain() && x.Cols() <= about.Features && x.Values() != sparse.ValuesPerRow {
		b := batches.Get().(*batch)
		b.view = *matrix.Widened(x, about.Features)
		err = m.scoreView(pool, to[n:], b)
		b.view = matrix.Matrix{}
		batches.Put(b)
	} else {
		err = p.scoreAll(m, to[n:], pool, x)
	}
	if err != nil {
		return dst, err
	}
	return to, nil
}

// scoreAll writes the scores of all rows of x, batch after batch.
func (p preparation) scoreAll(m kind, dst []float64, pool *matrix.Pool, x *matrix.Matrix) error {
	t := batchTasks.Get().(*batchTask)
	t.m, t.p, t.x, t.dst, t.rows, t.err = m, p, x, dst, matrix.BlockRows(x), nil
	matrix.Run(pool, (x.Rows()+t.rows-1)/t.rows, t)
	err := t.err
	t.m, t.p, t.x, t.dst, t.err = nil, preparation{}, nil, nil, nil
	batchTasks.Put(t)
	return err
}

// batchTask scores the rows of a matrix, some rows a block.
type batchTask struct {
	m    kind
	p    preparation
	x    *matrix.Matrix
	dst  []float64
	rows int // of a block

	lock  sync.Mutex
	err   error // of the first block that has one
	block int
}

var batchTasks = sync.Pool{New: func() any { return new(batchTask) }}

// Block scores a block of rows.
func (t *batchTask) Block(k int) {
	if err := t.score(k*t.rows, min((k+1)*t.rows, t.x.Rows())); err != nil {
		t.lock.Lock()
		defer t.lock.Unlock()
		if t.err == nil || k < t.block {
			t.err, t.block = err, k
		}
	}
}

func (t *batchTask) score(first, end int) error {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	width := t.m.About().Width()
	for i := first; i < end; {
		b.clear()
		begin := i
		for ; i < end && !b.full(); i++ {
			if err := t.p.add(b, t.x, i); err != nil {
				return err
			}
		}
		if err := t.m.scoreBatch(t.dst[begin*width:i*width], b); err != nil {
			return err
		}
	}
	return nil
}
