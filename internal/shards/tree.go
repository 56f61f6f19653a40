package shards

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/solvers"
)

// forest holds the nodes that have no sibling yet. Adding one merges upwards as far as
// siblings are there.
type forest struct {
	nodes map[span][]float64
	freed func([]float64) // is told of vectors that are no longer needed
}

type span struct{ first, count int }

// add takes the sum over some shards, and keeps the vector.
func (f *forest) add(first, count int, sum []float64) {
	for {
		sibling := span{first ^ count, count}
		other, there := f.nodes[sibling]
		if !there {
			f.nodes[span{first, count}] = sum
			return
		}
		delete(f.nodes, sibling)
		left, right := sum, other
		if sibling.first < first {
			left, right = other, sum
			first = sibling.first
		}
		for j, v := range right {
			left[j] += v
		}
		f.freed(right)
		sum, count = left, 2*count
	}
}

// list returns the nodes in ascending order.
func (f *forest) list() []solvers.ShardNode {
	list := make([]solvers.ShardNode, 0, len(f.nodes))
	for s, sum := range f.nodes {
		list = append(list, solvers.ShardNode{First: s.first, Count: s.count, Sum: sum})
	}
	slices.SortFunc(list, func(a, b solvers.ShardNode) int { return a.First - b.First })
	return list
}

// Finish adds nodes to the root of their tree, which it writes to dst: all nodes of a
// data set, from whatever ranks, in any order. It overwrites their vectors. Elements do
// not depend on one another, so that a range of them may be finished apart.
func Finish(dst []float64, nodes []solvers.ShardNode) error {
	total := 0
	f := forest{nodes: make(map[span][]float64, len(nodes)), freed: func([]float64) {}}
	for _, n := range nodes {
		if n.Count <= 0 || n.Count&(n.Count-1) != 0 || n.First < 0 || n.First%n.Count != 0 || len(n.Sum) != len(dst) {
			return fmt.Errorf("shards: a node of %d shards from %d with %d elements of %d", n.Count, n.First, len(n.Sum), len(dst))
		}
		total += n.Count
		f.add(n.First, n.Count, n.Sum)
	}
	root, there := f.nodes[span{0, total}]
	if !there || len(f.nodes) != 1 {
		return fmt.Errorf("shards: the nodes of %d shards do not make a whole tree", total)
	}
	copy(dst, root)
	return nil
}

// Alone is a process that owns all shards.
type Alone struct{}

// Rank is 0.
func (Alone) Rank() int { return 0 }

// Size is 1.
func (Alone) Size() int { return 1 }

// Sum copies the root.
func (Alone) Sum(dst []float64, nodes []solvers.ShardNode) error { return Finish(dst, nodes) }

// Max changes nothing.
func (Alone) Max([]float64) error { return nil }

// Broadcast changes nothing.
func (Alone) Broadcast([]byte) error { return nil }

// Gather returns what it was given.
func (Alone) Gather(b []byte) ([][]byte, error) { return [][]byte{b}, nil }

// Abort has nobody to tell.
func (Alone) Abort(error) {}

// ErrStopped says that a sweep was left before its end, because the run is to end.
var ErrStopped = errors.New("shards: the sweep was stopped")
