package shards

import (
	"errors"
	"math/bits"
	"sync"

	"github.com/lanes-go/lanes/internal/base/panics"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
)

// Group sums over the rows of a data set. This process has a part of the rows.
type Group struct {
	rows  Rows
	ranks solvers.Ranks
	pool  *matrix.Pool
	count int // shards of the data set
	first int // of them, that this process owns
	end   int
	// most is the number of elements that all nodes together may have, 0 for any: with
	// fewer, fewer workers have something to do.
	most    int
	workers int
	stop    func() bool
	only    func(first, end int) bool

	arena  []float64
	loaded [][2]Block // of every worker
}

// Options of a Group.
type Options struct {
	Shards int
	Ranks  solvers.Ranks // nil for this process alone
	Pool   *matrix.Pool
	// Workers bounds the workers of the pool that are used, 0 for all.
	Workers int
	// NodeElements bounds the elements of all nodes that are held at a time, 0 for no
	// bound. Fewest tells what there must be.
	NodeElements int
	// Stop is asked between blocks, and within them, whether the sweep is to be left; nil for never.
	// Once it says so, it says so until the sweep has ended. It is not asked where ranks wait for
	// one another.
	Stop func() bool
}

// NewGroup returns a group that sums over rows.
func NewGroup(rows Rows, o Options) *Group {
	g := &Group{rows: rows, ranks: o.Ranks, pool: o.Pool, count: o.Shards, most: o.NodeElements, stop: o.Stop}
	if g.ranks == nil {
		g.ranks = Alone{}
	}
	if g.stop == nil || g.ranks.Size() > 1 {
		g.stop = func() bool { return false }
	}
	g.first, g.end = Owned(g.count, g.ranks.Rank(), g.ranks.Size())
	if g.workers = o.Pool.Workers(); o.Workers > 0 {
		g.workers = min(g.workers, o.Workers)
	}
	g.loaded = make([][2]Block, g.workers)
	for k := range g.loaded {
		own := new(any)
		for i := range g.loaded[k] {
			g.loaded[k][i].Worker, g.loaded[k][i].stop = own, g.stop
		}
	}
	return g
}

// Workers is the number of workers that Sum's add may be called for.
func (g *Group) Workers() int { return g.workers }

// Ranks are the processes of the group.
func (g *Group) Ranks() solvers.Ranks { return g.ranks }

// Only makes Sum skip, without loading, the blocks of rows for which needs returns false; nil skips
// no block.
func (g *Group) Only(needs func(first, end int) bool) { g.only = needs }

// next returns the first block of a shard from a block on that is not left out, or their
// number.
func (g *Group) next(shard, block int) int {
	count := g.rows.Blocks(shard)
	for ; block < count && g.only != nil; block++ {
		if g.only(g.rows.Span(shard, block)) {
			break
		}
	}
	return block
}

// Fewest returns the least number of nodes that a process holds at a time, if it owns own of shards
// shards: the node that it sums, and the nodes that wait for their siblings. These are one per tree
// level, or two if a shard is remote.
func Fewest(shards, own int) int {
	if own == shards {
		return bits.Len(uint(shards))
	}
	return 1 + 2*bits.Len(uint(own))
}

// Sum computes sums over all rows. It calls add for every block that this process owns. add adds
// to node, which has the length of dst and is zero before the first block of a shard. Then the
// nodes of all shards are added in their tree. Blocks of one shard come in their order; worker
// tells apart the calls that may be made at the same time. After an error dst is unchanged. A
// panic, of add or of the rows' reader, is repeated here once no goroutine is at work.
func (g *Group) Sum(dst []float64, add func(worker int, b *Block, node []float64) error) error {
	s := &sweep{g: g, add: add, size: len(dst), next: g.first}
	s.ready = sync.NewCond(&s.mu)
	s.forest = forest{nodes: make(map[span][]float64), freed: func(v []float64) { s.free = append(s.free, v) }}
	s.reserve()
	matrix.Run(g.pool, g.Workers(), s)
	if s.err != nil {
		g.ranks.Abort(s.err)
		s.caught.Repeat()
		return s.err
	}
	return g.ranks.Sum(dst, s.forest.list())
}

// sweep is one Sum.
type sweep struct {
	g    *Group
	add  func(worker int, b *Block, node []float64) error
	size int

	mu     sync.Mutex
	ready  *sync.Cond // a node became free, or the sweep has failed
	next   int        // shard that nobody has taken
	free   [][]float64
	forest forest
	err    error
	caught panics.Catcher
}

var errPanic = errors.New("shards: another process of the run had a panic")

// do calls f and tells whether it succeeded. An error or panic of f ends the sweep, so that no
// goroutine waits for the nodes and blocks of one that has ended.
func (s *sweep) do(f func() error) bool {
	err := errPanic
	s.caught.Do(func() { err = f() })
	if err != nil {
		s.fail(err)
	}
	return err == nil
}

// reserve allocates the nodes: for the tree, and for each worker the nodes of its shards.
func (s *sweep) reserve() {
	g := s.g
	own := g.end - g.first
	each := 1
	if g.rows.Slow() {
		each = 2
	}
	fewest := Fewest(g.count, own)
	nodes := fewest + each*min(g.Workers(), own)
	if g.most > 0 {
		nodes = min(nodes, max(g.most/max(s.size, 1), fewest))
	}
	if len(g.arena) < nodes*s.size {
		g.arena = nil // before the larger one is made
		g.arena = make([]float64, nodes*s.size)
	}
	for k := range nodes {
		s.free = append(s.free, g.arena[k*s.size:(k+1)*s.size:(k+1)*s.size])
	}
}

// take returns the next shard with a node for it. Shards are taken in order and with
// their nodes, so that those in work can always be finished.
func (s *sweep) take() (shard int, node []float64, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.next < s.g.end && s.err == nil && len(s.free) == 0 {
		s.ready.Wait()
	}
	if s.next >= s.g.end || s.err != nil {
		return 0, nil, false
	}
	node = s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	s.next++
	clear(node)
	return s.next - 1, node, true
}

// put takes the node of a shard that is summed.
func (s *sweep) put(shard int, node []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forest.add(shard, 1, node)
	s.ready.Broadcast()
}

func (s *sweep) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.ready.Broadcast()
}

func (s *sweep) failed() bool {
	if s.g.stop() {
		s.fail(ErrStopped)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err != nil
}

// Block is the work of one worker.
func (s *sweep) Block(worker int) {
	if s.g.rows.Slow() {
		s.ahead(worker)
		return
	}
	s.do(func() error { return s.sum(worker) })
}

// sum takes shards and adds their blocks.
func (s *sweep) sum(worker int) error {
	b := &s.g.loaded[worker][0]
	for {
		shard, node, ok := s.take()
		if !ok {
			return nil
		}
		for k := s.g.next(shard, 0); k < s.g.rows.Blocks(shard); k = s.g.next(shard, k+1) {
			if s.failed() {
				return nil
			}
			if err := s.g.rows.Load(b, shard, k); err != nil {
				return err
			}
			if err := s.add(worker, b, node); err != nil {
				return err
			}
		}
		if s.failed() { // perhaps within the last block
			return nil
		}
		s.put(shard, node)
	}
}

// load is a block on its way from the loader to the worker.
type load struct {
	b     *Block
	shard int
	node  []float64
	last  bool // of its shard
}

// ahead has a goroutine load the next block while the worker is busy with this one.
func (s *sweep) ahead(worker int) {
	empty, full := make(chan *Block, 2), make(chan load, 2)
	for k := range s.g.loaded[worker] {
		empty <- &s.g.loaded[worker][k]
	}
	go func() {
		defer close(full)
		s.do(func() error { return s.load(empty, full) })
	}()
	for l := range full {
		if !s.failed() && s.do(func() error { return s.add(worker, l.b, l.node) }) && l.last && !s.failed() {
			s.put(l.shard, l.node)
		}
		empty <- l.b
	}
}

// load takes shards and loads their blocks into empty ones.
func (s *sweep) load(empty <-chan *Block, full chan<- load) error {
	for {
		shard, node, ok := s.take()
		if !ok {
			return nil
		}
		blocks := s.g.rows.Blocks(shard)
		k := s.g.next(shard, 0)
		if k == blocks {
			s.put(shard, node)
		}
		for k < blocks {
			b := <-empty
			if s.failed() {
				return nil
			}
			if err := s.g.rows.Load(b, shard, k); err != nil {
				return err
			}
			k = s.g.next(shard, k+1)
			full <- load{b, shard, node, k == blocks}
		}
	}
}
