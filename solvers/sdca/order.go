package sdca

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/engine"
)

// order is the order in which passes take rows: those that take part, then those left out.
type order struct {
	rows     []uint32
	active   int
	position int // of the next row of a pass
}

func newOrder(n int) order {
	o := order{rows: make([]uint32, n), active: n, position: n}
	for i := range o.rows {
		o.rows[i] = uint32(i)
	}
	return o
}

// all makes every row take part again.
func (o *order) all() { o.active = len(o.rows) }

// ended tells whether the pass is.
func (o *order) ended() bool { return o.position >= o.active }

// begin begins a pass over the rows that take part, in a new random order.
func (o *order) begin(random *engine.Random) {
	for i := o.active - 1; i > 0; i-- {
		k := random.Below(uint64(i + 1))
		o.rows[i], o.rows[k] = o.rows[k], o.rows[i]
	}
	o.position = 0
}

// row is the next row of the pass.
func (o *order) row() uint32 { return o.rows[o.position] }

// ahead returns the rows of the pass that come after some others.
func (o *order) ahead(others, count int) []uint32 {
	first := min(o.position+others, o.active)
	return o.rows[first:min(first+count, o.active)]
}

// next goes on to the next row, and leaves this one out of the passes to come if it does
// not stay: the last one that takes part has its place then.
func (o *order) next(stays bool) {
	if stays {
		o.position++
		return
	}
	o.active--
	o.rows[o.position], o.rows[o.active] = o.rows[o.active], o.rows[o.position]
}

func (o *order) state(c *engine.Coder) {
	c.Uint32s(o.rows)
	c.Count(&o.active, len(o.rows))
	c.Count(&o.position, len(o.rows))
	if !c.Restoring() || c.Err() != nil {
		return
	}
	for _, i := range o.rows {
		if int64(i) >= int64(len(o.rows)) {
			c.Fail(fmt.Errorf("row %d of %d", i, len(o.rows)))
			return
		}
	}
}
