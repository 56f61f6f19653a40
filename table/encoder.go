package table

import (
	"context"
	"errors"
	"iter"

	"github.com/lanes-go/lanes/sparse"
)

// Encoder makes rows of tables by a recipe and by what Fit learned. It never changes, and
// serves any number of goroutines. Its JSON is the recipe with all that was learned.
type Encoder struct {
	recipe Recipe
}

// Rows are encoded rows of a block.
type Rows struct {
	*sparse.Data
	// Missing and Unseen count, for each column of the recipe, the cells of the block without a
	// value and the cells whose value Fit did not see.
	Missing, Unseen []int64
	// Skipped counts the malformed rows of the block.
	Skipped int

	kept  []string
	width int
}

// Kept returns the cells of row i that BlockOptions.Keep names.
func (r *Rows) Kept(i int) []string { return r.kept[i*r.width : (i+1)*r.width] }

// BlockOptions say how rows are encoded.
type BlockOptions struct {
	// Rows is the least number of rows of a block; 0 means all in one.
	Rows int
	// Keep lists columns of the table whose cells are kept as they stand.
	Keep []string
	// NoTarget encodes rows without the target, which the table may lack: labels are 0.
	NoTarget bool
}

var errLater = errors.New("table: not there yet")

// Infer looks through a source and says what becomes of each column.
func Infer(ctx context.Context, s *Source, w Wanted) (*Recipe, error) { return nil, errLater }

// Fit learns what a recipe needs of the rows of a source.
func Fit(ctx context.Context, s *Source, r *Recipe) (*Encoder, error) { return nil, errLater }

// Encode makes rows of all of a source.
func (e *Encoder) Encode(ctx context.Context, s *Source) (*sparse.Data, error) { return nil, errLater }

// Blocks makes rows of a source, block after block.
func (e *Encoder) Blocks(ctx context.Context, s *Source, o BlockOptions) iter.Seq2[*Rows, error] {
	return func(yield func(*Rows, error) bool) { yield(nil, errLater) }
}

// Recipe returns a copy of the recipe, with what was learned.
func (e *Encoder) Recipe() *Recipe { return nil }

// Width is the number of columns of encoded rows.
func (e *Encoder) Width() int { return 0 }

// Name is the name of a column of encoded rows: column=value, column~word, column for a number;
// column#place for a place of a hash, where many columns may stand.
func (e *Encoder) Name(column int) string { return "" }
