package distributed

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/solvers"
)

// threads are a wire between goroutines.
type threads struct {
	number, count int
	m             *shardstest.Meeting
}

func (w threads) rank() int { return w.number }
func (w threads) size() int { return w.count }

func (w threads) meet(mine *record, all []record) error {
	list, err := w.m.Exchange(w.number, *mine)
	for k, r := range list {
		all[k] = r.(record)
	}
	return err
}

func (w threads) exchange(send []float64, sent []int, recv []float64, received []int) error {
	parts := make([][]float64, w.count)
	for k, c := range sent {
		parts[k], send = slices.Clone(send[:c]), send[c:]
	}
	if len(send) != 0 {
		return fmt.Errorf("%d numbers are for nobody", len(send))
	}
	all, err := w.m.Exchange(w.number, parts)
	for k, from := range all {
		part := from.([][]float64)[w.number]
		if len(part) != received[k] {
			return fmt.Errorf("rank %d sends %d numbers to rank %d, which expects %d", k, len(part), w.number, received[k])
		}
		recv = recv[copy(recv, part):]
	}
	return err
}

func (w threads) collect(v []float64, counts []int) error {
	at := 0
	for _, c := range counts[:w.number] {
		at += c
	}
	all, err := w.m.Exchange(w.number, slices.Clone(v[at:at+counts[w.number]]))
	for _, from := range all {
		v = v[copy(v, from.([]float64)):]
	}
	return err
}

func (w threads) broadcast(b []byte) error {
	all, err := w.m.Exchange(w.number, slices.Clone(b))
	if err == nil {
		copy(b, all[0].([]byte))
	}
	return err
}

func (w threads) gather(send, recv []byte, counts []int) error {
	all, err := w.m.Exchange(w.number, append([]byte{}, send...))
	for _, from := range all {
		recv = recv[copy(recv, from.([]byte)):]
	}
	return err
}

func (w threads) end(status int) { w.m.Abort(fmt.Errorf("exit status %d", status)) }

// together runs work on ranks that are goroutines.
func together(size int, work func(*Ranks) error) error {
	m := shardstest.NewMeeting(size)
	errs := make(chan error)
	for k := range size {
		go func() {
			err := work(newRanks(threads{k, size, m}))
			if err != nil {
				m.Abort(err)
			}
			errs <- err
		}()
	}
	var err error
	for range size {
		err = errors.Join(err, <-errs)
	}
	return err
}

// element is some number that a shard has, of any size, so that order shows.
func element(shard, j int) float64 {
	return math.Ldexp(math.Sin(float64(1+shard*7919+j*31)), (shard*13+j*5)%50)
}

// tree adds the elements of shards from first on by halves.
func tree(first, count, j int) float64 {
	if count == 1 {
		return element(first, j)
	}
	return tree(first, count/2, j) + tree(first+count/2, count/2, j)
}

// The sum has the bits of the tree over all shards, on every rank, for vectors of any
// length, in one round or many.
func TestSum(t *testing.T) {
	for _, length := range []int{1, 2, 5, 300} {
		for _, count := range []int{1, 2, 16, 64} {
			for _, size := range []int{1, 2, 3, 4, 7, 20} {
				err := together(size, func(r *Ranks) error {
					for round := range 2 {
						r.most = []int{roundElements, 64}[round]
						first, end := shards.Owned(count, r.Rank(), size)
						dst := make([]float64, length)
						if err := r.Sum(dst, nodes(first, end, length)); err != nil {
							return err
						}
						for j, v := range dst {
							if want := tree(0, count, j); v != want {
								return fmt.Errorf("round %d, rank %d: element %d is %v, not %v", round, r.Rank(), j, v, want)
							}
						}
					}
					return nil
				})
				if err != nil {
					t.Fatalf("%d elements, %d shards, %d ranks: %v", length, count, size, err)
				}
			}
		}
	}
}

// nodes are the largest complete subtrees of some shards.
func nodes(first, end, length int) (list []solvers.ShardNode) {
	for first < end {
		count := 1
		for first%(2*count) == 0 && first+2*count <= end {
			count *= 2
		}
		sum := make([]float64, length)
		for j := range sum {
			sum[j] = tree(first, count, j)
		}
		list = append(list, solvers.ShardNode{First: first, Count: count, Sum: sum})
		first += count
	}
	return list
}

func TestMaxBroadcastGather(t *testing.T) {
	for _, size := range []int{1, 2, 5} {
		err := together(size, func(r *Ranks) error {
			v := []float64{float64(r.Rank()), -float64(r.Rank()), math.Inf(-1), float64((r.Rank() * 3) % 5)}
			most := 0.0
			for k := range size {
				most = max(most, float64(k*3%5))
			}
			if err := r.Max(v); err != nil || !slices.Equal(v, []float64{float64(size - 1), 0, math.Inf(-1), most}) {
				return fmt.Errorf("the largest are %v: %v", v, err)
			}
			for _, text := range []string{"", "yes", "12345678", "a text of more than eight bytes"} {
				b := make([]byte, len(text))
				if r.Rank() == 0 {
					copy(b, text)
				}
				if err := r.Broadcast(b); err != nil || string(b) != text {
					return fmt.Errorf("%q came for %q: %v", b, text, err)
				}
			}
			all, err := r.Gather([]byte(strings.Repeat("x", r.Rank())))
			if err != nil || len(all) != size {
				return fmt.Errorf("%d texts, %v", len(all), err)
			}
			for k, text := range all {
				if string(text) != strings.Repeat("x", k) {
					return fmt.Errorf("rank %d said %q", k, text)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%d ranks: %v", size, err)
		}
	}
}

// Ranks that are not about to do the same find out, and none waits for ever.
func TestDifferentSteps(t *testing.T) {
	for what, c := range map[string]struct {
		says string
		step func(r *Ranks) error
	}{
		"length": {"rank 1 does another step (2 of 4 elements) than rank 0 (2 of 3)", func(r *Ranks) error { return r.Max(make([]float64, 3+r.Rank())) }},
		"kind": {"rank 1 does another step (5 of 0 elements) than rank 0 (2 of 0)", func(r *Ranks) error {
			if r.Rank() == 1 {
				_, err := r.Gather(nil)
				return err
			}
			return r.Max(nil)
		}},
		"broadcast": {"rank 1 does another step (3 of 10 elements) than rank 0 (3 of 9)", func(r *Ranks) error { return r.Broadcast(make([]byte, 9+r.Rank())) }},
		"sum of other lengths": {"rank 1 does another step (1 of 3 elements) than rank 0 (1 of 2)", func(r *Ranks) error {
			return r.Sum(make([]float64, 2+r.Rank()), nodes(r.Rank(), r.Rank()+1, 2+r.Rank()))
		}},
		"long node":  {"a node of 2 shards from 0 with 3 elements of 2", func(r *Ranks) error { return r.Sum(make([]float64, 2), owned(r, 4, 3)) }},
		"short node": {"a node of 2 shards from 0 with 1 elements of 2", func(r *Ranks) error { return r.Sum(make([]float64, 2), owned(r, 4, 1)) }},
		"shards":     {"rank 1 has the shards from 0 to 1 behind shard 1", func(r *Ranks) error { return r.Sum(make([]float64, 2), nodes(0, 2, 2)) }},
		"tree":       {"all ranks have 3 shards, which make no tree", func(r *Ranks) error { return r.Sum(make([]float64, 2), nodes(r.Rank(), r.Rank()+1, 2)) }},
		"nodes": {"2 nodes of shards 2 to 3, not 1", func(r *Ranks) error {
			list := owned(r, 4, 2)
			if r.Rank() == 2 {
				list = append(nodes(2, 3, 2), nodes(3, 4, 2)...)
			}
			return r.Sum(make([]float64, 2), list)
		}},
	} {
		if err := together(3, c.step); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %s", what, err, c.says)
		}
	}
}

// owned are the nodes of a rank of three, the first of which owns half of the shards and the
// second no shard.
func owned(r *Ranks, shards, length int) []solvers.ShardNode {
	return nodes([]int{0, shards / 2, shards / 2}[r.Rank()], []int{shards / 2, shards / 2, shards}[r.Rank()], length)
}
