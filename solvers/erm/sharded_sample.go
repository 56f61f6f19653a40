package erm

import (
	"iter"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/shards"
)

// shardedSample is a part of the rows that a run by shards begins on: of every step units of
// consecutive rows one, drawn at random. It is a function of the shape of the data alone, so
// that ranks and files have the same one.
type shardedSample struct {
	step int
	unit int // rows
	rows int
}

// newShardedSample returns the sample of n rows, nil where a run begins on all of them.
func newShardedSample(n, d int, lambda float64, initial []float64) *shardedSample {
	step := startStep(n, d, lambda, initial)
	if step <= 1 {
		return nil
	}
	s := &shardedSample{step: step, unit: 1}
	// Neighbours in a file are often equal: units count as rows do elsewhere.
	for 2*s.unit*step*step*d <= n {
		s.unit *= 2
	}
	for first, end := range s.runs(0, n) {
		s.rows += end - first
	}
	return s
}

// runs yields the runs of rows from first to end-1 that the sample has, unit by unit.
func (s *shardedSample) runs(first, end int) iter.Seq2[int, int] {
	return func(yield func(first, end int) bool) {
		window := s.step * s.unit
		for k := first / window; k*window < end; k++ {
			begin := k*window + int(random.Spread(k)*float64(s.step))*s.unit
			from, to := max(begin, first), min(begin+s.unit, end)
			if from < to && !yield(from, to) {
				return
			}
		}
	}
}

// needs tells whether the sample has one of the rows from first to end-1.
func (s *shardedSample) needs(first, end int) bool {
	for range s.runs(first, end) {
		return true
	}
	return false
}

// only returns the oracle of a part of the rows, with the bounds of all. One of the two is to be
// asked at a time.
func (f *sharded) only(part *shardedSample) *sharded {
	g := *f
	g.part, g.needs = part, part.needs
	return &g
}

// count is the number of rows that sums go over.
func (f *sharded) count() int {
	if f.part == nil {
		return f.n
	}
	return f.part.rows
}

// pieces yields the pieces of a block that sums go over, or what the sample has of them.
func (f *sharded) pieces(b *shards.Block) iter.Seq2[int, int] {
	if f.part == nil {
		return b.Pieces
	}
	return func(yield func(from, to int) bool) {
		for from, to := range b.Pieces {
			for first, end := range f.part.runs(b.Row+from, b.Row+to) {
				if !yield(first-b.Row, end-b.Row) {
					return
				}
			}
		}
	}
}
