// Package distributed shares a run among processes, of one machine or of many: its Ranks are the
// value of solvers.Settings.Ranks. Processes exchange messages through MPI, which needs the build
// tag mpi and a C compiler. This package, not the MPI library, fixes the order of sums, so that the
// bits equal the bits of one process.
package distributed

import (
	"fmt"
	"time"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// wire moves bytes between ranks. Every call is one of all ranks; counts are elements a
// rank, in the order of ranks.
type wire interface {
	rank() int
	size() int
	// meet brings a record of every rank to every rank. It is where a rank waits for
	// others that are not as far, without keeping a core busy.
	meet(mine *record, all []record) error
	// exchange sends part k of send to rank k, and receives one of each.
	exchange(send []float64, sent []int, recv []float64, received []int) error
	// collect completes v. Every rank has its part of v, one after the other.
	collect(v []float64, counts []int) error
	// broadcast replaces b by the b of rank 0.
	broadcast(b []byte) error
	// gather puts what every rank sends into recv.
	gather(send, recv []byte, counts []int) error
	// end ends all ranks with an exit status, at once, and does not return.
	end(status int)
}

// record is what ranks tell one another before anything else: what they are about to do,
// and with what. Ranks that are not about to do the same find out here.
type record struct {
	kind   int64
	length int64 // of the vector or the text
	a, b   int64
}

// The kinds of records.
const (
	kindSum = iota + 1
	kindMax
	kindBroadcast
	kindShort
	kindGather
)

// Ranks are processes that share a run; they implement solvers.Ranks. Its calls come from
// one goroutine at a time.
type Ranks struct {
	wire  wire
	most  int // roundElements
	all   []record
	send  []float64
	recv  []float64
	Spent Spent
}

// Spent is where the time of this rank's calls went.
type Spent struct {
	Calls   int
	Waiting time.Duration // for ranks that were not as far
	Moving  time.Duration // of numbers between ranks, and their addition
	Bytes   int64         // that this rank sent
}

func newRanks(w wire) *Ranks {
	return &Ranks{wire: w, most: roundElements, all: make([]record, w.size())}
}

// Rank is the number of this process.
func (r *Ranks) Rank() int { return r.wire.rank() }

// Size is the number of processes.
func (r *Ranks) Size() int { return r.wire.size() }

// roundElements bounds the numbers that a rank sends, and receives, at a time: 4 MB, for which the
// latency of a message is small beside its transfer time.
const roundElements = 1 << 19

// Sum implements solvers.Ranks. The columns are cut into a range for each rank. It receives the
// nodes of all ranks for its range, finishes the tree and gives every rank the root. For 2^k
// ranks every rank sends and receives 2 d (1 - 1/P) numbers, as many as any all-reduce. Otherwise
// it moves up to log2 V times as many.
func (r *Ranks) Sum(dst []float64, nodes []solvers.ShardNode) error {
	first, end := 0, 0
	if len(nodes) > 0 {
		first, end = nodes[0].First, nodes[len(nodes)-1].First+nodes[len(nodes)-1].Count
	}
	done, err := r.meet(record{kindSum, int64(len(dst)), int64(first), int64(end)})
	defer done()
	if err != nil {
		return err
	}
	spans, err := spansOf(r.all)
	if err != nil {
		return err
	}
	mine := spans[r.Rank()]
	if len(nodes) != len(mine) {
		return fmt.Errorf("distributed: %d nodes of shards %d to %d, not %d", len(nodes), first, end-1, len(mine))
	}
	vectors := make([][]float64, len(nodes))
	for k, n := range nodes {
		if n.First != mine[k].First || n.Count != mine[k].Count || len(n.Sum) != len(dst) {
			return fmt.Errorf("distributed: a node of %d shards from %d with %d elements of %d", n.Count, n.First, len(n.Sum), len(dst))
		}
		vectors[k] = n.Sum
	}
	counts := make([]int, len(spans))
	for k := range spans {
		counts[k] = len(spans[k])
	}
	return r.combine(dst, vectors, counts, func(dst []float64, from [][]float64) error {
		list := make([]solvers.ShardNode, 0, len(from))
		for _, part := range spans {
			for _, n := range part {
				n.Sum = from[len(list)]
				list = append(list, n)
			}
		}
		return shards.Finish(dst, list)
	})
}

// Max implements solvers.Ranks.
func (r *Ranks) Max(v []float64) error {
	done, err := r.meet(record{kind: kindMax, length: int64(len(v))})
	defer done()
	if err != nil {
		return err
	}
	counts := make([]int, r.Size())
	for k := range counts {
		counts[k] = 1
	}
	return r.combine(v, [][]float64{v}, counts, func(dst []float64, from [][]float64) error {
		for j := range dst {
			largest := from[0][j]
			for _, other := range from[1:] {
				largest = max(largest, other[j])
			}
			dst[j] = largest
		}
		return nil
	})
}

// combine makes dst of vectors of all ranks; rank k has counts[k] vectors. Every rank does so for
// a range of the elements. Vectors are in the order of ranks.
func (r *Ranks) combine(dst []float64, vectors [][]float64, counts []int, use func(dst []float64, from [][]float64) error) error {
	size, rank, total, most := r.Size(), r.Rank(), 0, 1
	for _, c := range counts {
		total, most = total+c, max(most, c)
	}
	// The vectors of all ranks for the share of one are total/size of a vector.
	round := max(r.most/max(most, (total+size-1)/size), 1)
	sent, received, shares := make([]int, size), make([]int, size), make([]int, size)
	from := make([][]float64, total)
	for begin := 0; begin < len(dst); begin += round {
		part := dst[begin:min(begin+round, len(dst))]
		low, high := shards.Cut(len(part), size, rank), shards.Cut(len(part), size, rank+1)
		r.send = r.send[:0]
		for k := range size {
			a, b := shards.Cut(len(part), size, k), shards.Cut(len(part), size, k+1)
			for _, v := range vectors {
				r.send = append(r.send, v[begin+a:begin+b]...)
			}
			shares[k], sent[k], received[k] = b-a, len(vectors)*(b-a), counts[k]*(high-low)
		}
		if need := total * (high - low); cap(r.recv) < need {
			r.recv = make([]float64, need)
		}
		recv := r.recv[:total*(high-low)]
		if err := r.wire.exchange(r.send, sent, recv, received); err != nil {
			return err
		}
		for k := range from {
			from[k] = recv[k*(high-low) : (k+1)*(high-low)]
		}
		if err := use(part[low:high], from); err != nil {
			return err
		}
		if err := r.wire.collect(part, shares); err != nil {
			return err
		}
		r.Spent.Bytes += 8 * int64(len(r.send)-sent[rank]+(size-1)*(high-low))
	}
	return nil
}

// shortBytes is the capacity of a record in bytes.
const shortBytes = 8

// Broadcast implements solvers.Ranks.
func (r *Ranks) Broadcast(b []byte) error {
	mine := record{kind: kindBroadcast, length: int64(len(b))}
	if len(b) <= shortBytes {
		mine.kind = kindShort
		for k, v := range b {
			mine.a |= int64(v) << (8 * k)
		}
	}
	done, err := r.meet(mine)
	defer done()
	if err != nil || mine.kind == kindBroadcast && len(b) == 0 {
		return err
	}
	if mine.kind == kindBroadcast {
		return r.wire.broadcast(b)
	}
	for k := range b {
		b[k] = byte(r.all[0].a >> (8 * k))
	}
	return nil
}

// Gather implements solvers.Ranks.
func (r *Ranks) Gather(b []byte) ([][]byte, error) {
	done, err := r.meet(record{kind: kindGather, a: int64(len(b))})
	defer done()
	if err != nil {
		return nil, err
	}
	counts, total := make([]int, r.Size()), int64(0)
	for k, other := range r.all {
		counts[k] = int(other.a)
		if total += other.a; other.a < 0 || total > mostGathered {
			return nil, fmt.Errorf("distributed: ranks tell one another %d bytes, and may tell %d", total, mostGathered)
		}
	}
	all := make([]byte, total)
	if err := r.wire.gather(b, all, counts); err != nil {
		return nil, err
	}
	list := make([][]byte, len(counts))
	for k, c := range counts {
		list[k], all = all[:c:c], all[c:]
	}
	return list, nil
}

const mostGathered = 1 << 30

// Abort ends all ranks with exit status 1: use End for another.
func (r *Ranks) Abort(error) { r.wire.end(1) }

// End ends all ranks with an exit status, at once. It does not return.
func (r *Ranks) End(status int) { r.wire.end(status) }

// meet waits for all ranks and finds out whether they are about to do the same. done
// notes the time from there on.
func (r *Ranks) meet(mine record) (done func(), err error) {
	start := time.Now()
	err = r.wire.meet(&mine, r.all)
	met := time.Now()
	r.Spent.Calls++
	r.Spent.Waiting += met.Sub(start)
	done = func() { r.Spent.Moving += time.Since(met) }
	if err != nil {
		return done, err
	}
	for k, other := range r.all {
		if other.kind != r.all[0].kind || other.length != r.all[0].length {
			return done, fmt.Errorf("distributed: rank %d does another step (%d of %d elements) than rank 0 (%d of %d): these are not ranks of one run of one version", k, other.kind, other.length, r.all[0].kind, r.all[0].length)
		}
	}
	return done, nil
}

// spansOf returns the nodes of every rank: the largest complete subtrees of its shards. A record
// has the rank's first shard and the end.
func spansOf(all []record) ([][]solvers.ShardNode, error) {
	list := make([][]solvers.ShardNode, len(all))
	next := int64(0)
	for k, r := range all {
		if r.a == r.b {
			continue
		}
		if r.a != next || r.b < r.a || r.b > solvers.MostShards {
			return nil, fmt.Errorf("distributed: rank %d has the shards from %d to %d behind shard %d", k, r.a, r.b-1, next-1)
		}
		for next < r.b {
			count := int64(1)
			for next%(2*count) == 0 && next+2*count <= r.b {
				count *= 2
			}
			list[k] = append(list[k], solvers.ShardNode{First: int(next), Count: int(count)})
			next += count
		}
	}
	if next == 0 || next&(next-1) != 0 {
		return nil, fmt.Errorf("distributed: all ranks have %d shards, which make no tree", next)
	}
	return list, nil
}
