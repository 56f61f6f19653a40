package sdca

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// halvesLeast says which problems have groups that two workers share: w does not fit the second
// cache level, so that the products of a group take much longer than an exchange between
// processors, and there is enough to do. Tests lower it.
var halvesLeast = struct{ columns, entries, nonZeros int64 }{groupColumns, 192, 1 << 21}

// shares tells whether two workers share groups, for a mean of q.
func shares(p *erm.Problem, mean float64) bool {
	n, size := int64(p.X.Rows()), p.X.NNZ()
	return p.Loss == kernels.Logistic && mean <= longMean && int64(p.X.Cols()) >= halvesLeast.columns &&
		size >= halvesLeast.entries*n && size >= halvesLeast.nonZeros
}

// halves does the products of groups with w. Each half of the columns is the matter of one
// worker, of its caches: the leader, who takes the steps, and the helper. They tell one another
// their parts of a group's margins and what its steps change. One worker does the same, one
// half after the other.
type halves struct {
	low, high *matrix.Steps
	pool      *sparse.Pool
	alone     int // runs without a helper that are left, since one let its partner wait
	wait      int // how many there will be after the next such wait

	loop           *proxLoop
	count, visited int // of the run in hand
	two            bool
	with           bool // the helper has the high half
	asked          bool // it was asked for the margins that come next
	slow           bool // it let its partner wait
	part           [groupRows]float64
	duo            duo
}

// duo is what the two workers tell one another. Everything that one of them writes has cache
// lines of its own. A request has one answer, and waits for it before the next one.
type duo struct {
	_       [128]byte
	request struct { // by the leader
		number     atomic.Int64
		over       atomic.Bool // there are no more requests
		rows, next [groupRows]uint32
		change     [groupRows]float64
		count      int // of rows to be added
		margins    int // of next, wanted afterwards; 0 ends the helper's part
		coming     []uint32
	}
	_      [128]byte
	answer struct { // by the helper
		here   atomic.Bool
		number atomic.Int64
		part   [groupRows]float64
	}
	_ [128]byte
}

// await waits for a condition, and tells whether somebody else may have the other's processor.
func await(holds func() bool) (late bool) {
	for range 1 << 14 {
		if holds() {
			return false
		}
	}
	begun := time.Now()
	for !holds() {
		runtime.Gosched()
	}
	return time.Since(begun) > patience
}

// mostAlone is the most runs without a helper in a row, of maxSteps steps: half a second or so.
const mostAlone = 128

// patience is far above what the other's share of a group takes.
const patience = 200 * time.Microsecond

func newHalves(x *sparse.Matrix, pool *sparse.Pool, w []float64) (*halves, error) {
	low, high, err := (*matrix.Matrix)(x).HalfSteps(pool, w)
	return &halves{low: low, high: high, pool: pool, wait: 1}, err
}

// run does up to count steps of the pass and returns how many it did.
func (h *halves) run(l *proxLoop, count int) int {
	h.loop, h.count = l, count
	h.two, h.with, h.asked, h.slow = false, false, false, false
	switch {
	case h.pool.Workers() == 1:
		h.Block(0)
	case h.alone > 0:
		h.alone--
		h.Block(0)
	default:
		h.two = true
		h.duo = duo{}
		h.pool.Run(2, h)
	}
	return h.visited
}

// Block is the work of the leader, or of the helper.
func (h *halves) Block(k int) {
	if k == 1 {
		h.help()
		return
	}
	h.visited = h.loop.group.steps(h.loop, h.count)
	h.duo.request.over.Store(true)
}

// margins computes those of the rows of a group, and calls those of the next one into the
// caches.
func (h *halves) margins(z []float64, rows, coming []uint32) {
	if h.two && h.duo.answer.here.Load() {
		h.two, h.with = false, true
	}
	if h.with && !h.asked {
		h.request(nil, nil, rows, coming)
	}
	h.low.Fetch(coming)
	h.low.DotEach(z, rows)
	part := h.part[:len(rows)]
	if h.with {
		h.slow = h.answered()
		part = h.duo.answer.part[:len(rows)]
		h.asked = false
	} else {
		h.high.Fetch(coming)
		h.high.DotEach(part, rows)
	}
	for k, v := range part {
		z[k] += v
	}
}

// add adds what steps change. next are the rows whose margins are wanted then, none if that is
// not known, and coming those after them.
func (h *halves) add(rows []uint32, change []float64, next, coming []uint32) {
	if !h.with {
		h.low.AddEach(rows, change)
		h.high.AddEach(rows, change)
		return
	}
	if h.slow {
		next = nil
	}
	h.request(rows, change, next, coming)
	h.low.AddEach(rows, change)
	if h.asked {
		return
	}
	h.answered()
	if h.with = false; h.slow {
		h.alone, h.wait = h.wait, min(2*h.wait, mostAlone)
	} else {
		h.wait = 1
	}
}

// request tells the helper what to add, and which margins to compute then.
func (h *halves) request(rows []uint32, change []float64, next, coming []uint32) {
	r := &h.duo.request
	r.count, r.margins, r.coming = copy(r.rows[:], rows), copy(r.next[:], next), coming
	copy(r.change[:], change)
	h.asked = r.margins > 0
	r.number.Add(1)
}

// answered waits for the answer to the last request, and tells whether it was late.
func (h *halves) answered() (late bool) {
	d := &h.duo
	return await(func() bool { return d.answer.number.Load() == d.request.number.Load() })
}

// help does what the leader asks for.
func (h *halves) help() {
	r, a := &h.duo.request, &h.duo.answer
	a.here.Store(true)
	for k := int64(1); ; k++ {
		await(func() bool { return r.number.Load() == k || r.over.Load() })
		if r.number.Load() != k {
			return
		}
		h.high.AddEach(r.rows[:r.count], r.change[:r.count])
		more := r.margins > 0
		if more {
			h.high.Fetch(r.coming)
			h.high.DotEach(a.part[:r.margins], r.next[:r.margins])
		}
		a.number.Store(k) // the request is the leader's to write from here on
		if !more {
			return
		}
	}
}
