package matrix

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/internal/base/panics"
)

// Pool is a fixed set of goroutines that share the blocks of parallel
// operations. The results of every operation in this package are the same bits
// for any number of workers. A nil *Pool runs everything in the caller.
//
// A Pool is safe for concurrent use. Its helpers serve one operation at a time: an operation
// that begins meanwhile runs in its caller.
type Pool struct {
	helpers []*helper
	inUse   sync.Mutex // the right to the helpers
	// state is the operation in hand: its number in the high bits, then the
	// flags below, then the number of helpers at work on it.
	state atomic.Uint64
	done  chan struct{} // the last helper's word to a caller that waits

	// Written by Run while no helper is at work.
	next   atomic.Int64
	blocks int64
	task   BlockTask
	panics panics.Catcher

	// parts is the arena of the last sum, nil while a sum has it. A sync.Pool would make another one
	// for each processor that the caller runs on.
	parts atomic.Pointer[partArena]
}

const (
	poolHelpers   = 1<<16 - 1 // mask of the number of helpers at work
	poolOpen      = 1 << 16   // helpers may still join
	poolWaiting   = 1 << 17   // the caller sleeps until no helper is at work
	poolClosed    = 1 << 18
	poolOperation = 1 << 19 // one step of the operation's number
)

// poolPatience is how long a goroutine of a pool looks for work before it
// sleeps. To wake a sleeping thread takes some ten to a hundred microseconds,
// which is as long as a product with a small matrix.
const poolPatience = 50 * time.Microsecond

// MaxWorkers keeps a slip of the pen from starting a million goroutines.
const MaxWorkers = 1024

type helper struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// BlockTask is one parallel operation, cut into blocks that may run in any
// order and at the same time. A panic of a block is repeated where Run was called.
type BlockTask interface{ Block(i int) }

// NewPool starts a pool of the given number of workers, the caller included;
// zero or less means one for every core, more than 1024 means 1024. Close it
// when done.
func NewPool(workers int) *Pool {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Pool{done: make(chan struct{}, 1)}
	for range min(workers, MaxWorkers) - 1 {
		h := &helper{wake: make(chan struct{}, 1)}
		p.helpers = append(p.helpers, h)
		go p.help(h)
	}
	return p
}

// Workers returns the number of workers, 1 for a nil pool and after Close.
func (p *Pool) Workers() int {
	if p == nil || p.state.Load()&poolClosed != 0 {
		return 1
	}
	return 1 + len(p.helpers)
}

// Close ends the pool's goroutines, after the operation that they serve. A closed pool runs
// everything in the caller.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	p.inUse.Lock()
	defer p.inUse.Unlock()
	p.state.Or(poolClosed)
	p.call(len(p.helpers))
	if arena := p.parts.Swap(nil); arena != nil {
		partArenas.Put(arena)
	}
}

// takeArena returns an arena, which leaveArena takes back.
func (p *Pool) takeArena() *partArena {
	if p != nil {
		if arena := p.parts.Swap(nil); arena != nil {
			return arena
		}
	}
	return partArenas.Get().(*partArena)
}

func (p *Pool) leaveArena(arena *partArena) {
	if p == nil || !p.parts.CompareAndSwap(nil, arena) {
		partArenas.Put(arena)
	}
}

// Run does blocks 0 to blocks-1 of t and returns when all are done. It
// allocates nothing. A nil task has nothing to do.
func Run(p *Pool, blocks int, t BlockTask) {
	if t == nil {
		return
	}
	if blocks <= 1 || !p.take() {
		for i := range blocks {
			t.Block(i)
		}
		return
	}
	defer p.inUse.Unlock()
	p.task, p.blocks = t, int64(blocks)
	p.next.Store(0)
	operation := p.state.Load()&^(poolOperation-1) + poolOperation
	p.state.Store(operation | poolOpen)
	p.call(blocks - 1)
	p.work()
	p.state.And(^uint64(poolOpen))
	p.await()
	p.task = nil
	p.panics.Repeat()
}

// take takes the helpers, if they are free and the pool is open.
func (p *Pool) take() bool {
	if p.Workers() == 1 || !p.inUse.TryLock() {
		return false
	}
	if p.Workers() == 1 { // closed meanwhile
		p.inUse.Unlock()
		return false
	}
	return true
}

// call wakes sleeping helpers, at most the given number of all.
func (p *Pool) call(most int) {
	for _, h := range p.helpers[:min(most, len(p.helpers))] {
		if h.asleep.CompareAndSwap(true, false) {
			h.wake <- struct{}{}
		}
	}
}

// work does blocks until there are no more. After a panic, which Run repeats on the caller's
// goroutine, no more are begun.
func (p *Pool) work() {
	defer p.panics.Catch()
	for {
		i := p.next.Add(1) - 1
		if i >= p.blocks || p.panics.Any() {
			return
		}
		p.task.Block(int(i))
	}
}

// await returns when no helper is at work. The operation is no longer open, so
// helpers that come late change nothing and are not waited for.
func (p *Pool) await() {
	if patiently(func() bool { return p.state.Load()&poolHelpers == 0 }) {
		return
	}
	for {
		s := p.state.Load()
		if s&poolHelpers == 0 {
			return
		}
		if p.state.CompareAndSwap(s, s|poolWaiting) {
			<-p.done
			return
		}
	}
}

// help is the life of one helper.
func (p *Pool) help(h *helper) {
	for last := uint64(0); ; {
		calling := func() bool {
			s := p.state.Load()
			return s&poolClosed != 0 || s&poolOpen != 0 && s/poolOperation != last
		}
		if !patiently(calling) {
			h.asleep.Store(true)
			// A call between the last look and going to sleep would be missed.
			if !calling() || !h.asleep.CompareAndSwap(true, false) {
				<-h.wake
			}
		}
		s := p.state.Load()
		if s&poolClosed != 0 {
			return
		}
		if s&poolOpen == 0 || !p.state.CompareAndSwap(s, s+1) {
			continue
		}
		last = s / poolOperation
		p.work()
		if s := p.state.Add(^uint64(0)); s&poolWaiting != 0 && s&poolHelpers == 0 {
			p.done <- struct{}{}
		}
	}
}

// patiently looks for a condition until it holds or patience ends, and lets
// other goroutines run in between.
func patiently(holds func() bool) bool {
	begin := time.Now()
	for {
		for range 16 {
			if holds() {
				return true
			}
		}
		if time.Since(begin) > poolPatience {
			return false
		}
		runtime.Gosched()
	}
}
