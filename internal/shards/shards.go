// Package shards sums over the rows of a data set in an order that the data alone decide:
// the rows are cut into V virtual shards, and the sums of the shards are added in one
// fixed binary tree. Where a shard is, in memory, in a file or with another process,
// changes nothing in the result.
package shards

import (
	"iter"
	"math/bits"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// Piece is the number of rows whose losses, or whose share of a constant column, are
// summed together; within a shard these sums are added in the order of the rows. Columns
// accumulate row by row.
const Piece = 128

// mostShards bounds the usual number of shards, as it bounds the workers and processes
// that can share the rows.
const mostShards = 256

// Count returns the default number of shards: the largest power of two that is at most 256 and at
// most n. In addition, adding the shards' partial vectors of d columns must cost at most a
// quarter of a product. Count returns at least 1.
func Count(n, d int, nonZeros int64) int {
	most := min(mostShards, int64(max(n, 1)), nonZeros/4/int64(max(d, 1)))
	return 1 << (bits.Len64(uint64(max(most, 1))) - 1)
}

// MostDense is the largest number of columns whose Hessian is formed from rows in shards: the tree over
// shards then holds some ten triangles of a megabyte.
const MostDense = 512

// Most returns the largest number of shards of n rows: the least power of two that is at least n, and
// at least 1. More shards would be empty ones, whose sums take time.
func Most(n int) int { return 1 << bits.Len64(uint64(max(n, 1)-1)) }

// Cut returns the first row of shard v of count over n rows; shard count begins at n.
func Cut(n, count, v int) int {
	high, low := bits.Mul64(uint64(n), uint64(v))
	row, _ := bits.Div64(high, low, uint64(count))
	return int(row)
}

// Owned returns the shards of a rank: first to end-1.
func Owned(count, rank, size int) (first, end int) {
	return Cut(count, size, rank), Cut(count, size, rank+1)
}

// Rows is where the rows of shards come from.
type Rows interface {
	// Rows, Cols and NNZ describe the whole data set.
	Rows() int
	Cols() int
	NNZ() int64
	// Blocks is the number of blocks that a shard is loaded in.
	Blocks(shard int) int
	// Span returns the rows of a block, first to end-1.
	Span(shard, block int) (first, end int)
	// Load makes b the given block of a shard, whose memory it may use again.
	Load(b *Block, shard, block int) error
	// Slow says that loading takes time, so that it is worth doing it ahead.
	Slow() bool
}

// Products are those with runs of rows: matrix.Runs and matrix.Joined have them, with
// the same bits.
type Products interface {
	MulRun(dst []float64, first int, w []float64) error
	MulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) error
	AddRun(dst []float64, first int, c []float64) error
	MulDenseRun(dst []float64, first, width int, w []float64) error
	AddDenseRun(w []float64, first, width int, c []float64) error
	AddSquaresRun(dst []float64, first int, c []float64) error
	AddGramRun(dst []float64, first int, c []float64) error
	GramCostRun(first, n int) int64
	SquaredNormsRun(dst []float64, first int) error
	Row(i int) iter.Seq2[int, float64]
}

// Block is a run of rows of a shard. All blocks of a shard but the last hold whole pieces.
type Block struct {
	X     Products
	First int // row of X that the block begins with
	Row   int // and its number in the data set
	// Y has the labels or targets of the block's rows, Weight their sample weights or
	// nil for ones, Offset their offsets or nil for zeros.
	Y, Weight, Offset []float64
	// Kept holds a number a row, and has it again when the block is loaded the next time; nil if
	// there is no memory for it.
	Kept []float64
	// Own is for what the Rows keeps in a Block. Worker points to what it keeps for all Blocks of
	// a worker, which are loaded one after the other.
	Own    any
	Worker *any
	// stop tells whether the sweep is to be left.
	stop func() bool
}

// piecesPerLook is the number of pieces after which Pieces asks whether the sweep is to be left.
const piecesPerLook = 64

// Pieces yields the pieces of a block: from, to count from the block's first row. It ends early if
// the sweep is to be left, whose sums nobody sees.
func (b *Block) Pieces(yield func(from, to int) bool) {
	for from := 0; from < len(b.Y); from += Piece {
		if from%(piecesPerLook*Piece) == 0 && from > 0 && b.stop != nil && b.stop() {
			return
		}
		if !yield(from, min(from+Piece, len(b.Y))) {
			return
		}
	}
}

// Weights returns the sample weights of rows of the block, nil for ones.
func (b *Block) Weights(from, to int) []float64 {
	return direct.Weights(b.Weight, from, to)
}

// Memory is Rows in memory.
type Memory struct {
	X                 *sparse.Matrix
	Y, Weight, Offset []float64
	Shards            int
	Kept              []float64 // a number a row, or nil
}

// Rows returns the number of rows.
func (m *Memory) Rows() int { return m.X.Rows() }

// Cols returns the number of columns.
func (m *Memory) Cols() int { return m.X.Cols() }

// NNZ returns the number of stored entries.
func (m *Memory) NNZ() int64 { return m.X.NNZ() }

// Blocks is 1: a shard is a block.
func (m *Memory) Blocks(int) int { return 1 }

// Span returns the rows of a shard.
func (m *Memory) Span(shard, _ int) (first, end int) {
	return Cut(m.X.Rows(), m.Shards, shard), Cut(m.X.Rows(), m.Shards, shard+1)
}

// Slow is false.
func (m *Memory) Slow() bool { return false }

// Load points b at the rows of a shard.
func (m *Memory) Load(b *Block, shard, _ int) error {
	first, end := Cut(m.X.Rows(), m.Shards, shard), Cut(m.X.Rows(), m.Shards, shard+1)
	b.X, b.First, b.Row, b.Y = matrix.RunsOf(m.X), first, first, m.Y[first:end]
	b.Weight, b.Offset, b.Kept = direct.Weights(m.Weight, first, end), direct.Weights(m.Offset, first, end), direct.Weights(m.Kept, first, end)
	return nil
}
