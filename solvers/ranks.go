package solvers

// MostShards is the largest number of shards of a run.
const MostShards = 1 << 20

// Ranks are the processes that share a run by shards (Settings.Shards). Rank r of P owns
// the consecutive shards from rV/P to (r+1)V/P - 1 of V, rounded down; with more
// ranks than shards, some own no shard. Every rank makes the same calls in the same
// order, and gets the same bits from them. An error of a call ends the run of the rank.
//
// Every process computes vectors of one element a column by itself, with the same result. So only
// sums over rows are exchanged. A run calls its methods from one goroutine at a time.
type Ranks interface {
	// Rank is the number of this process, from 0 to Size()-1.
	Rank() int
	Size() int
	// Sum writes the root of the tree over all shards to dst: in ascending levels, the
	// sum of two neighbouring nodes is left plus right, element by element, so that
	// shards 0 to 3 make (g0+g1)+(g2+g3). nodes are the largest complete subtrees of the
	// shards that this rank owns, ascending; their vectors have the length of dst, which
	// is the same for all ranks, and may be overwritten.
	Sum(dst []float64, nodes []ShardNode) error
	// Max replaces every element of v by its maximum over all ranks.
	Max(v []float64) error
	// Broadcast replaces b, which has one length everywhere, by the b of rank 0.
	Broadcast(b []byte) error
	// Gather returns what every rank gave, in the order of ranks. Lengths may differ.
	Gather(b []byte) ([][]byte, error)
	// Abort ends the run of every rank, because this one cannot go on. It need not return.
	Abort(err error)
}

// ShardNode is the sum over the shards First to First+Count-1; Count is a power of two
// that divides First. It is safe for concurrent reading.
type ShardNode struct {
	First, Count int
	Sum          []float64
}
