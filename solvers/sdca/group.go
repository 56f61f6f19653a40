package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
)

const (
	// groupRows is the most rows of a group.
	groupRows = 16
	// groupMost is the largest mean of q for which groups are that large, and longRows the most
	// rows of a group above.
	groupMost, longRows = 16, 8
	// farBytes is the size of the matrix from which on groups are fetched one ahead. Products of
	// several rows fetch the rows ahead in their list, which is enough where the matrix is in the
	// third cache: up to 10 MB it took 0.9 of the time, and at 15 MB 1.1.
	farBytes = 12 << 20
	// groupColumns is the most columns for which there are groups of rows that nobody shares:
	// beyond, what a row's margin brought of w into the cache is gone when it takes its step.
	groupColumns = 1 << 17
	// watchEvery is of how many groups one is looked at after its steps.
	watchEvery = 16
	// mostBetween is the share of what single steps bring the dual for certain that may be
	// lost between the rows of a group.
	mostBetween = 0.5
)

// group takes logistic rows of a pass some at a time: their margins are computed together,
// before the first of them takes its step, and their maxima are looked for side by side. A
// step by itself is a chain, from a margin over values of sigma, one after the other, to
// the next margin; here the processor has independent work throughout, and sigma comes in
// vectors. Rows of a group do not see one another's steps. In sparse data they have little
// in common, and passes bring as much as those of single rows. How much they have is measured
// now and then, and groups are as small as that demands.
type group struct {
	most        int     // rows of a group in this run
	room        int     // the most rows of the groups to come
	groups      int     // begun
	size, taken int     // rows of the group in hand, and of those taken
	far         bool    // the entries of a group are worth fetching before it begins
	halves      *halves // nil for groups that one worker takes
	rows        [groupRows]uint32
	z, change   [groupRows]float64

	searches [groupRows]search
	who      [groupRows]uint32 // each search is for
	u, a     [groupRows]float64
	stays    [groupRows]bool
}

// newGroup returns the groups of rows with a mean of q, in a matrix of so many bytes. Groups of
// long rows begin small, so that they are looked at before they become large.
func newGroup(mean float64, bytes int64) *group {
	g := group{most: groupRows, room: groupRows, far: bytes > farBytes}
	if mean > groupMost {
		g.most, g.room = longRows, 2
	}
	return &g
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
		if g.taken == g.size && g.watched() {
			g.watch(l)
		}
	}
	return visited
}

// watched tells whether the group in hand is looked at after its steps.
func (g *group) watched() bool { return g.groups%watchEvery == 1 && g.size > 1 }

// begin computes the margins of the next rows.
func (g *group) begin(l *proxLoop) {
	g.size, g.taken = copy(g.rows[:], l.order.Ahead(0, g.room)), 0
	g.groups++
	g.margins(l, g.z[:g.size], l.order.Ahead(g.size, g.room))
}

// margins computes those of the rows of the group, and calls the rows of the next one into the
// caches where they are far.
func (g *group) margins(l *proxLoop, z []float64, coming []uint32) {
	if g.halves != nil {
		g.halves.margins(z, g.rows[:g.size], coming)
		return
	}
	if g.far {
		l.steps.Fetch(coming)
	}
	l.x.MulRows(z, g.rows[:g.size], l.w)
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
	switch {
	case g.taken+len(rows) < g.size:
	case g.watched():
		next = g.rows[:g.size]
	case !last:
		next, coming = l.order.Ahead(len(rows), g.room), l.order.Ahead(len(rows)+g.room, g.room)
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
		l.squares = math.FMA(part, part, l.squares)
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

// watch looks at the margins after all steps of a group. In the dual, times lambda n^2, the
// steps D on its rows bring at least
//
//	(1/2) sum_i s_i (4 + q_i) D_i^2 - (1/2) sum_i c_i D_i (z_i' - z_i - c_i ||x_i||^2 D_i)
//
// because the second derivative of -H is 4 or more: what each would bring by itself, less what
// they do to one another's margins. The second sum is about proportional to the number of other
// rows.
func (g *group) watch(l *proxLoop) {
	var after [groupRows]float64
	g.margins(l, after[:g.size], nil)
	own, between := 0.0, 0.0
	for k, i := range g.rows[:g.size] {
		d, change := &l.dual[i], g.change[k]
		if d.c == 0 {
			continue
		}
		square := float64(change*change) / math.Abs(d.c)
		own += float64((4 + d.q) * square)
		between += float64(change*(after[k]-g.z[k])) - float64(d.q*square)
	}
	switch {
	case between > float64(mostBetween*own):
		g.room = 1 + int(float64(float64(mostBetween*own)/between)*float64(g.size-1))
	case between < float64(0.5*mostBetween*own):
		g.room = min(2*g.room, g.most)
	}
}

// state visits the group.
func (g *group) state(c *engine.Coder, rows int) {
	c.Count(&g.room, groupRows)
	c.Count(&g.groups, engine.MostCount)
	c.Count(&g.size, groupRows)
	c.Count(&g.taken, groupRows)
	c.Uint32s(g.rows[:])
	c.Floats(g.z[:])
	c.Floats(g.change[:])
	if !c.Restoring() || c.Err() != nil {
		return
	}
	if g.taken > g.size || g.room < 1 {
		c.Fail(fmt.Errorf("%d rows taken of a group of %d, of at most %d", g.taken, g.size, g.room))
	}
	for _, i := range g.rows {
		if int64(i) >= int64(rows) {
			c.Fail(fmt.Errorf("row %d of %d", i, rows))
			return
		}
	}
}
