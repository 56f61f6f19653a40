package model

import (
	"context"
	"errors"
	"iter"

	"github.com/lanes-go/lanes/sparse"
)

// Scored is a block of rows with their scores, which the next block overwrites.
type Scored struct {
	*sparse.Data
	Scores []float64
}

// ScoreBlocks scores rows block after block, for data that need not fit in memory:
// sparse.Blocks reads them, with the model's Features as ReadOptions.Columns, DropBeyond and
// the model's ZeroBased. A row has the bits that it has in a matrix of all rows. An error
// ends it: of ctx, which it asks before every block, of the blocks, or of the scoring; a
// *RowError counts the rows of all blocks.
func ScoreBlocks(ctx context.Context, m Model, pool *sparse.Pool, blocks iter.Seq2[*sparse.Data, error]) iter.Seq2[Scored, error] {
	return func(yield func(Scored, error) bool) {
		if m == nil || blocks == nil {
			yield(Scored{}, errors.New("model: ScoreBlocks: there is no model, or nothing to score"))
			return
		}
		rows := 0
		var scores []float64
		for block, err := range blocks {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil && block == nil {
				err = errors.New("model: ScoreBlocks: a block without data")
			}
			if err == nil {
				scores, err = m.Scores(scores[:0], pool, block.X)
			}
			if err != nil {
				if bad := (*RowError)(nil); errors.As(err, &bad) {
					bad.Row += rows
				}
				yield(Scored{}, err)
				return
			}
			if !yield(Scored{Data: block, Scores: scores}, nil) {
				return
			}
			rows += block.X.Rows()
		}
	}
}
