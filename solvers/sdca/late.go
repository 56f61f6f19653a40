package sdca

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// lateLeast says which problems have late steps: w does not fit the second cache level, so
// that a product with a row takes as long as some exchanges between processors, and there is
// enough to do. Tests lower it.
var lateLeast = struct{ columns, entries, nonZeros int64 }{1 << 17, 192, 1 << 21}

// lateMost is the largest mean of q. Of rows that are equal, with the share h = q/4 / (1+q/4)
// of a margin that a step takes off, the margins follow r' = r - h r", which falls as the
// root of h: below 0.9 a step up to here.
const lateMost = 16

// delays tells whether steps are late, for a mean of q.
func delays(p *erm.Problem, mean float64) bool {
	n, size := int64(p.X.Rows()), p.X.NNZ()
	return p.Loss == kernels.Logistic && mean <= lateMost && int64(p.X.Cols()) >= lateLeast.columns &&
		size >= lateLeast.entries*n && size >= lateLeast.nonZeros
}

// lateSteps takes steps whose margins are computed before the step on the row ahead of them
// is added to w. Each half of the columns is the matter of one worker: the two tell one
// another their parts of the next margin and the last step, while both compute. One worker
// does the same, one half after the other.
type lateSteps struct {
	low, high *sparse.Steps
	pool      *sparse.Pool
	margin    float64 // of the next row of the pass, as it is to be stepped on
	known     bool    // margin is set: false at the beginning of a pass

	loop  *proxLoop
	rows  []uint32 // of the run in hand, and the one after them if the pass has one
	steps int      // of the run
	duo   duo
	alone int // runs without a helper that are left, since one let its partner wait
	wait  int // how many there will be after the next such wait
}

// duo is what the two workers tell one another. Everything that one of them writes has
// cache lines of its own.
type duo struct {
	_      [128]byte
	helper struct { // written by the helper
		here atomic.Bool
		done atomic.Bool // with the step that ended its part
		part letters
	}
	_      [128]byte
	leader struct {
		from   atomic.Int64 // 1 and the step from which on the helper has the high half, 0 before
		over   atomic.Bool
		change letters
	}
	_ [128]byte
}

// letters are numbers on their way, each by its step.
type letters [4]struct {
	step  atomic.Int64 // 1 and the number of the step
	value float64
	last  bool // no more steps for the helper after this one
}

func (l *letters) send(step int, value float64, last bool) {
	s := &l[step%len(l)]
	s.value, s.last = value, last
	s.step.Store(int64(step) + 1)
}

// receive waits for a number; late says that this took long.
func (l *letters) receive(step int) (value float64, last, late bool) {
	s := &l[step%len(l)]
	late = await(func() bool { return s.step.Load() == int64(step)+1 })
	return s.value, s.last, late
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
	return time.Since(begun) > latePatience
}

// mostAlone is the most runs without a helper in a row, of maxSteps steps: half a second or so.
const mostAlone = 128

// latePatience is far above what the other's share of a step takes.
const latePatience = 50 * time.Microsecond

func newLateSteps(x *sparse.Matrix, pool *sparse.Pool, w []float64) (*lateSteps, error) {
	low, high, err := x.HalfSteps(pool, w)
	return &lateSteps{low: low, high: high, pool: pool, wait: 1}, err
}

// run does up to count steps of the pass and returns how many it did.
func (s *lateSteps) run(l *proxLoop, count int) int {
	s.loop, s.rows = l, l.order.Ahead(0, count+1)
	s.steps = min(count, len(s.rows))
	if s.steps == 0 {
		return 0
	}
	if !s.known {
		s.margin, s.known = s.low.Dot(s.rows[0])+s.high.Dot(s.rows[0]), true
	}
	switch {
	case s.pool.Workers() == 1:
		s.lead(false)
	case s.alone > 0:
		s.alone--
		s.lead(false)
	default:
		s.duo = duo{}
		s.pool.Run(2, s)
	}
	return s.steps
}

// Block is the work of the leader, or of the helper.
func (s *lateSteps) Block(k int) {
	if k == 0 {
		s.lead(true)
		s.duo.leader.over.Store(true)
	} else {
		s.help()
	}
}

// lead does the steps, with the helper from where that comes in. The order leaves rows to
// come where they are, so that both know them.
func (s *lateSteps) lead(two bool) {
	l, margin := s.loop, s.margin
	with, late, left := false, false, false
	for k, i := range s.rows[:s.steps] {
		if two && !with && s.duo.helper.here.Load() && k+1 < s.steps {
			with, two = true, false
			s.duo.leader.from.Store(int64(k) + 1)
		}
		if k%fetchRows == 0 {
			s.low.Fetch(ahead(s.rows, k))
			if !with {
				s.high.Fetch(ahead(s.rows, k))
			}
		}
		next, coming := k+1 < len(s.rows), 0.0
		if next && !with { // the processor looks at this row and the next one at the same time
			coming = s.low.Dot(s.rows[k+1]) + s.high.Dot(s.rows[k+1])
		}
		part, change := l.maximise(i, margin)
		if with {
			s.duo.leader.change.send(k, change, late)
			if next {
				coming = s.low.Dot(s.rows[k+1])
			}
		}
		margin = coming
		if change != 0 {
			s.low.Add(i, change)
			if !with {
				s.high.Add(i, change)
			}
		}
		if with && next {
			other, _, slow := s.duo.helper.part.receive(k)
			margin += other
			if late {
				await(s.duo.helper.done.Load)
				with, left = false, true
			}
			late = slow
		}
		stays := !(part < l.floor)
		if !stays {
			l.leaving += part
		}
		l.order.Keep(stays)
	}
	s.margin, s.known = margin, len(s.rows) > s.steps
	switch {
	case left:
		s.alone, s.wait = s.wait, min(2*s.wait, mostAlone)
	case with:
		s.wait = 1
	}
}

// help does the high half of the steps from where the leader lets it in.
func (s *lateSteps) help() {
	d, rows, steps := &s.duo, s.rows, s.steps
	d.helper.here.Store(true)
	await(func() bool { return d.leader.from.Load() > 0 || d.leader.over.Load() })
	from := int(d.leader.from.Load()) - 1
	if from < 0 {
		return
	}
	for k, i := from, rows[from]; k < steps; k++ {
		if k%fetchRows == 0 {
			s.high.Fetch(ahead(rows, k))
		}
		next := i
		if k+1 < len(rows) {
			next = rows[k+1]
			d.helper.part.send(k, s.high.Dot(next), false)
		}
		change, last, _ := d.leader.change.receive(k)
		if change != 0 {
			s.high.Add(i, change)
		}
		if last {
			d.helper.done.Store(true)
			return
		}
		i = next
	}
}

// ahead lists rows that come after those after row k.
func ahead(rows []uint32, k int) []uint32 {
	first := min(k+fetchRows, len(rows))
	return rows[first:min(first+fetchRows, len(rows))]
}
