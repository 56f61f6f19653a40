package model

import (
	"errors"
	"iter"

	"github.com/lanes-go/lanes/sparse"
)

// Scored is a block of rows with their scores.
type Scored struct {
	*sparse.Data
	Scores []float64
}

// ScoreBlocks scores rows block after block, for data that need not fit in memory:
// sparse.Blocks reads them, with the model's Features as ReadOptions.Columns, DropBeyond
// (columns that the model does not know count for nothing) and the model's ZeroBased.
// Scores have the bits of Scores of the block alone; sparse.Blocks says when those are the
// bits of all rows together. An error, of the blocks or of the scoring, ends it.
func ScoreBlocks(m Model, pool *sparse.Pool, blocks iter.Seq2[*sparse.Data, error]) iter.Seq2[Scored, error] {
	return func(yield func(Scored, error) bool) {
		if m == nil || blocks == nil {
			yield(Scored{}, errors.New("model: ScoreBlocks: there is no model, or nothing to score"))
			return
		}
		for block, err := range blocks {
			scored := Scored{Data: block}
			if err == nil && block == nil {
				err = errors.New("model: ScoreBlocks: a block without data")
			}
			if err == nil {
				scored.Scores, err = m.Scores(pool, block.X)
			}
			if err != nil {
				yield(Scored{}, err)
				return
			}
			if !yield(scored, nil) {
				return
			}
		}
	}
}
