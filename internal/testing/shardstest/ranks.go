// Package shardstest runs several ranks as goroutines of one process, to test what is
// to run on several machines.
package shardstest

import (
	"slices"
	"sync"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// Run calls work for every rank of size at once, and returns their errors.
func Run(size int, work func(solvers.Ranks) error) []error {
	m := NewMeeting(size)
	errs := make([]error, size)
	var group sync.WaitGroup
	for k := range size {
		group.Go(func() { errs[k] = work(&rank{m, k}) })
	}
	group.Wait()
	return errs
}

// Meeting is where ranks wait for one another: each brings something, and all leave with
// what all have brought.
type Meeting struct {
	mu      sync.Mutex
	turn    *sync.Cond
	size    int
	number  int
	brought []any
	all     []any // of the meeting before
	aborted error
}

// NewMeeting returns a Meeting of size ranks.
func NewMeeting(size int) *Meeting {
	m := &Meeting{size: size}
	m.turn = sync.NewCond(&m.mu)
	return m
}

// Exchange brings something that is not nil, and returns what all ranks have brought.
func (m *Meeting) Exchange(rank int, what any) ([]any, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.aborted != nil {
		return nil, m.aborted
	}
	if m.brought == nil {
		m.brought = make([]any, m.size)
	}
	m.brought[rank] = what
	missing := slices.ContainsFunc(m.brought, func(v any) bool { return v == nil })
	number := m.number
	if !missing {
		m.all, m.brought = m.brought, nil
		m.number++
		m.turn.Broadcast()
	}
	for m.number == number && m.aborted == nil {
		m.turn.Wait()
	}
	if m.number == number {
		return nil, m.aborted
	}
	return m.all, nil
}

type rank struct {
	m      *Meeting
	number int
}

func (r *rank) Rank() int { return r.number }
func (r *rank) Size() int { return r.m.size }

func (r *rank) Sum(dst []float64, nodes []solvers.ShardNode) error {
	for k := range nodes {
		nodes[k].Sum = slices.Clone(nodes[k].Sum)
	}
	all, err := r.m.Exchange(r.number, nodes)
	if err != nil {
		return err
	}
	var list []solvers.ShardNode
	for _, nodes := range all {
		for _, n := range nodes.([]solvers.ShardNode) {
			list = append(list, solvers.ShardNode{First: n.First, Count: n.Count, Sum: slices.Clone(n.Sum)})
		}
	}
	return shards.Finish(dst, list)
}

func (r *rank) Max(v []float64) error {
	all, err := r.m.Exchange(r.number, slices.Clone(v))
	if err != nil {
		return err
	}
	for _, other := range all {
		for j, x := range other.([]float64) {
			v[j] = max(v[j], x)
		}
	}
	return nil
}

func (r *rank) Broadcast(b []byte) error {
	all, err := r.m.Exchange(r.number, slices.Clone(b))
	if err == nil {
		copy(b, all[0].([]byte))
	}
	return err
}

func (r *rank) Gather(b []byte) ([][]byte, error) {
	all, err := r.m.Exchange(r.number, append([]byte{}, b...))
	if err != nil {
		return nil, err
	}
	list := make([][]byte, len(all))
	for k, part := range all {
		list[k] = part.([]byte)
	}
	return list, nil
}

func (r *rank) Abort(err error) { r.m.Abort(err) }

// Abort ends all meetings by an error.
func (m *Meeting) Abort(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.aborted == nil {
		m.aborted = err
	}
	m.turn.Broadcast()
}
