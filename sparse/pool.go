package sparse

import (
	"runtime"
	"sync/atomic"
)

// Pool is a fixed set of goroutines that share the blocks of parallel
// operations. The results of every operation in this package are the same bits
// for any number of workers. A nil *Pool runs everything in the caller.
//
// A Pool serves one operation at a time; solvers own theirs.
type Pool struct {
	workers int
	start   []chan struct{}
	done    chan struct{}
	next    atomic.Int64
	blocks  int64
	task    BlockTask
}

// BlockTask is one parallel operation, cut into blocks that may run in any
// order and at the same time.
type BlockTask interface{ Block(i int) }

// NewPool starts a pool of the given number of workers, the caller included;
// zero or less means one for every core. Close it when done.
func NewPool(workers int) *Pool {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := &Pool{workers: workers, done: make(chan struct{}, workers)}
	for range workers - 1 {
		start := make(chan struct{}, 1)
		p.start = append(p.start, start)
		go func() {
			for range start {
				p.work()
				p.done <- struct{}{}
			}
		}()
	}
	return p
}

// Workers returns the number of workers, 1 for a nil pool.
func (p *Pool) Workers() int {
	if p == nil {
		return 1
	}
	return p.workers
}

// Close ends the pool's goroutines.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	for _, start := range p.start {
		close(start)
	}
	p.start = nil
}

// Run does blocks 0 to blocks-1 of t and returns when all are done. It
// allocates nothing.
func (p *Pool) Run(blocks int, t BlockTask) {
	if p == nil || len(p.start) == 0 || blocks <= 1 {
		for i := range blocks {
			t.Block(i)
		}
		return
	}
	p.task, p.blocks = t, int64(blocks)
	p.next.Store(0)
	helpers := p.start[:min(len(p.start), blocks-1)]
	for _, start := range helpers {
		start <- struct{}{}
	}
	p.work()
	for range helpers {
		<-p.done
	}
	p.task = nil
}

func (p *Pool) work() {
	for {
		i := p.next.Add(1) - 1
		if i >= p.blocks {
			return
		}
		p.task.Block(int(i))
	}
}
