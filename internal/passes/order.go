package passes

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
)

const (
	// LeaveShare is the share of the mean part of the gap below which a row is left out.
	LeaveShare = 0.1
	// One of AllEvery passes takes all rows.
	AllEvery = 3
)

// Order is the order in which passes take rows: active rows first, then rows that are left out.
type Order struct {
	rows     []uint32
	active   int
	position int // of the next row of a pass
	kept     int // rows at the front that stay, where NextDeferred goes on
}

// NewOrder returns the order of n active rows. No pass has begun.
func NewOrder(n int) Order {
	o := Order{rows: make([]uint32, n), active: n, position: n}
	for i := range o.rows {
		o.rows[i] = uint32(i)
	}
	return o
}

// All makes every row take part again.
func (o *Order) All() { o.active = len(o.rows) }

// Active is the number of rows that take part.
func (o *Order) Active() int { return o.active }

// Ended tells whether the pass is.
func (o *Order) Ended() bool { return o.position >= o.active }

// Begin begins a pass over the rows that take part, in a new random order.
func (o *Order) Begin(source *random.Source) {
	random.Shuffle(source, o.rows[:o.active])
	o.position, o.kept = 0, 0
}

// Draw begins a pass of as many rows as there are, each drawn from all of them with equal
// probabilities: a row may come several times, or not at all. No row may be left out of it.
func (o *Order) Draw(source *random.Source) {
	for k := range o.rows {
		o.rows[k] = uint32(source.Below(uint64(len(o.rows))))
	}
	o.position, o.kept = 0, 0
}

// Row is the next row of the pass.
func (o *Order) Row() uint32 { return o.rows[o.position] }

// Ahead returns count rows of the pass that come after some others, or what there is.
func (o *Order) Ahead(others, count int) []uint32 {
	first := min(o.position+others, o.active)
	return o.rows[first:min(first+count, o.active)]
}

// Next moves to the next row. If the row does not stay, it changes places with the last active
// row and is left out of later passes.
func (o *Order) Next(stays bool) {
	if stays {
		o.position++
		return
	}
	o.active--
	o.rows[o.position], o.rows[o.active] = o.rows[o.active], o.rows[o.position]
}

// NextDeferred is Next for passes that look ahead: a row that does not stay leaves at the end of
// the pass, so that the rows to come keep their places. Such a pass calls NextDeferred for every
// row, and not Next.
func (o *Order) NextDeferred(stays bool) {
	if stays {
		o.rows[o.kept], o.rows[o.position] = o.rows[o.position], o.rows[o.kept]
		o.kept++
	}
	o.position++
	if o.position == o.active {
		o.active, o.position = o.kept, o.kept
	}
}

// State visits the order.
func (o *Order) State(c *checkpoint.Coder) {
	c.Uint32s(o.rows)
	c.Count(&o.active, len(o.rows))
	c.Count(&o.position, len(o.rows))
	c.Count(&o.kept, len(o.rows))
	if !c.Restoring() || c.Err() != nil {
		return
	}
	if o.kept > o.position {
		c.Fail(fmt.Errorf("%d rows that stay, of %d", o.kept, o.position))
		return
	}
	for _, i := range o.rows {
		if int64(i) >= int64(len(o.rows)) {
			c.Fail(fmt.Errorf("row %d of %d", i, len(o.rows)))
			return
		}
	}
}
