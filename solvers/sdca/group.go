package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
)

const (
	// groupRows is the most rows of a group.
	groupRows = 16
	// groupMost is the largest mean of q for groups of groupRows; above it they have longRows.
	groupMost, longRows = 16, 8
	// groupColumns is the most columns for groups on one worker: above it w leaves the cache
	// between margin and update.
	groupColumns = 1 << 17
)

// group takes logistic rows of a pass some at a time: their margins are computed together,
// before the first of them takes its step, and their maxima are looked for side by side. A
// step by itself is a chain, from a margin over values of sigma, one after the other, to
// the next margin; here the processor has independent work throughout, and sigma comes in
// vectors. Rows of a group do not see one another's steps. In sparse data they have little
// in common, and a pass brings as much as a pass over single rows.
type group struct {
	most        int     // rows of a group in this run
	size, taken int     // rows of the group in hand, and how many of them took their step
	halves      *halves // nil for groups that one worker takes
	rows        [groupRows]uint32
	z, change   [groupRows]float64

	searches [groupRows]search
	who      [groupRows]uint32 // each search is for
	u, a     [groupRows]float64
	stays    [groupRows]bool
}

// newGroup returns the groups of rows with a mean of q.
func newGroup(mean float64) *group {
	if mean > groupMost {
		return &group{most: longRows}
	}
	return &group{most: groupRows}
}

// run does up to count steps of the pass and returns how many it did.
func (g *group) run(l *proxLoop, count int) (visited int) {
	if g.halves != nil {
		return g.halves.run(l, count)
	}
	return g.steps(l, count)
}

// steps is run on this goroutine.
func (g *group) steps(l *proxLoop, count int) (visited int) {
	for visited < count && !l.order.Ended() {
		if g.taken == g.size {
			g.begin(l)
		}
		rows := l.order.Ahead(0, min(g.size-g.taken, count-visited))
		visited += len(rows)
		g.step(l, rows, visited == count)
	}
	return visited
}

// begin computes the margins of the next rows.
func (g *group) begin(l *proxLoop) {
	g.size, g.taken = copy(g.rows[:], l.order.Ahead(0, g.most)), 0
	if z := g.z[:g.size]; g.halves != nil {
		g.halves.margins(z, g.rows[:g.size], l.order.Ahead(g.size, g.most))
	} else {
		l.x.MulRows(z, g.rows[:g.size], l.w)
	}
}

// add adds what the steps on rows of the group change to w. last says that no others follow in
// this run.
func (g *group) add(l *proxLoop, rows []uint32, change []float64, last bool) {
	if g.halves == nil {
		l.steps.AddEach(rows, change)
		return
	}
	// Whose margins come next, and the rows after those.
	var next, coming []uint32
	if g.taken+len(rows) == g.size && !last {
		next, coming = l.order.Ahead(len(rows), g.most), l.order.Ahead(len(rows)+g.most, g.most)
	}
	g.halves.add(rows, change, next, coming)
}

// step takes the steps on the next rows of the group, the last ones of a run or not. Nothing
// hangs on how many of them are taken at once.
func (g *group) step(l *proxLoop, rows []uint32, last bool) {
	z, change, stays := g.z[g.taken:][:len(rows)], g.change[g.taken:][:len(rows)], g.stays[:len(rows)]
	open := 0
	for k, i := range rows {
		d, m := &l.dual[i], z[k]
		if d.c < 0 {
			m = -m
		}
		change[k] = d.a
		part := float64(d.before(m) * math.Abs(d.c))
		l.sum += part
		if stays[k] = !(part < l.floor); !stays[k] {
			l.leaving += part
		}
		if d.u > saturated {
			d.solve(m, l.to)
			continue
		}
		g.searches[open].begin(d, m)
		g.who[open] = i
		open++
	}
	for open > 0 {
		for k := range open {
			g.u[k] = g.searches[k].u
		}
		direct.Sigmoid(g.a[:open], g.u[:open])
		left := 0
		for k := range open {
			if !g.searches[k].ends(g.a[k], l.to) {
				g.searches[left], g.who[left] = g.searches[k], g.who[k]
				left++
				continue
			}
			d := &l.dual[g.who[k]]
			d.a, d.u = g.a[k], g.u[k]
		}
		open = left
	}
	for k, i := range rows {
		d := &l.dual[i]
		change[k] = float64(d.c * (d.a - change[k]))
	}
	g.add(l, rows, change, last)
	for _, s := range stays {
		l.order.Keep(s)
	}
	g.taken += len(rows)
}

// state visits the group.
func (g *group) state(c *checkpoint.Coder, rows int) {
	c.Count(&g.size, groupRows)
	c.Count(&g.taken, groupRows)
	c.Uint32s(g.rows[:])
	c.Floats(g.z[:])
	c.Floats(g.change[:])
	if !c.Restoring() || c.Err() != nil {
		return
	}
	if g.taken > g.size {
		c.Fail(fmt.Errorf("%d rows taken of a group of %d", g.taken, g.size))
	}
	for _, i := range g.rows {
		if int64(i) >= int64(rows) {
			c.Fail(fmt.Errorf("row %d of %d", i, rows))
			return
		}
	}
}
