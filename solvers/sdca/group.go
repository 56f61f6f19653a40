package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
)

// groupRows is the most rows of a group. Where the mean of q is above groupMean, rows take their
// steps one by one: in a group, equal rows would undo one another's steps.
const groupRows, groupMean = 8, 3e4

// groupFetch is the size of a matrix in bytes from which groups have the entries of the next group
// fetched. Products of several rows fetch what they need; that is enough for the last cache.
const groupFetch = 1 << 23

// group takes logistic rows of a pass some at a time: their margins are computed together,
// before the first of them takes its step, and their maxima are looked for side by side. A
// step by itself is a chain, from a margin over values of sigma, one after the other, to
// the next margin; here the processor has independent work throughout, and sigma comes in
// vectors. Rows of a group do not see one another's steps. In sparse data they have little
// in common, and a pass brings as much as a pass over single rows.
type group struct {
	size, taken int // rows of the group in hand, and how many of them took their step
	fetches     bool
	rows        [groupRows]uint32
	z           [groupRows]float64 // their margins

	searches [groupRows]loss.Search
	who      [groupRows]uint32 // each search is for
	u, a     [groupRows]float64
	change   [groupRows]float64 // of the dual variables, times c
	stays    [groupRows]bool
}

// run does up to count steps of the pass and returns how many it did.
func (g *group) run(l *proxLoop, count int) (visited int) {
	for visited < count && !l.order.Ended() {
		if g.taken == g.size {
			g.begin(l)
		}
		rows := l.order.Ahead(0, min(g.size-g.taken, count-visited))
		visited += len(rows)
		g.step(l, rows)
	}
	return visited
}

// begin computes the margins of the next rows, and has large matrices fetch the entries of the rows
// after them.
func (g *group) begin(l *proxLoop) {
	g.size, g.taken = copy(g.rows[:], l.order.Ahead(0, groupRows)), 0
	if g.fetches {
		l.steps.Fetch(l.order.Ahead(g.size, groupRows))
	}
	l.steps.DotEach(g.z[:g.size], g.rows[:g.size])
	for k, i := range g.rows[:g.size] {
		g.z[k] = l.margin(i, g.z[k])
	}
}

// step takes the steps on the next rows of the group. Nothing hangs on how many of them are
// taken at once.
func (g *group) step(l *proxLoop, rows []uint32) {
	z, change, stays := g.z[g.taken:][:len(rows)], g.change[:len(rows)], g.stays[:len(rows)]
	open := 0
	for k, i := range rows {
		d, m := &l.dual[i], z[k]
		if d.C < 0 {
			m = -m
		}
		change[k] = d.A
		part := float64(d.Before(m) * math.Abs(d.C))
		l.sum += part
		if stays[k] = !(part < l.floor); !stays[k] {
			l.leaving += part
		}
		if d.U > loss.Saturated {
			d.Solve(m, l.share)
			continue
		}
		g.searches[open].Begin(d, m)
		g.who[open] = i
		open++
	}
	for open > 0 {
		for k := range open {
			g.u[k] = g.searches[k].U
		}
		direct.Sigmoid(g.a[:open], g.u[:open])
		left := 0
		for k := range open {
			if !g.searches[k].Ends(g.a[k], l.share) {
				g.searches[left], g.who[left] = g.searches[k], g.who[k]
				left++
				continue
			}
			d := &l.dual[g.who[k]]
			d.A, d.U = g.a[k], g.u[k]
		}
		open = left
	}
	for k, i := range rows {
		d := &l.dual[i]
		change[k] = float64(d.C * (d.A - change[k]))
	}
	l.steps.AddEach(rows, change)
	for _, v := range change {
		l.moveIntercept(v)
	}
	for _, s := range stays {
		l.order.NextDeferred(s)
	}
	g.taken += len(rows)
}

// state visits the group.
func (g *group) state(c *checkpoint.Coder, rows int) {
	c.Count(&g.size, groupRows)
	c.Count(&g.taken, groupRows)
	c.Uint32s(g.rows[:])
	c.Floats(g.z[:])
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
