package sparse

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/matrix"
)

// BuilderOptions says what a Builder accepts. The zero BuilderOptions takes any
// columns up to MaxColumns and refuses repeated ones. It is safe for concurrent reading.
type BuilderOptions struct {
	// Columns is the number of columns; 0 means one more than the largest seen.
	Columns int
	// Merge adds up the values of a column that a row names more than once, in
	// the order given. Without it such rows are refused.
	Merge bool
	// Storage limits the choice of the matrix's layout.
	Storage Storage
}

// Builder makes a Matrix of rows that are added one by one. The matrix has the
// smallest layout that is exact. It serves one goroutine at a time.
type Builder struct {
	options BuilderOptions
	store   *matrix.Store // nil after Build
	entries []entry
	columns []uint32
	values  []float64
	lengths []int
	added   int
}

type entry struct {
	column int
	value  float64
}

// NewBuilder returns a Builder without rows.
func NewBuilder(options BuilderOptions) *Builder {
	return &Builder{options: options, store: matrix.NewStore(options.Storage.inner())}
}

// AddRow appends a row with the given values in the given columns, which may
// come in any order; a nil values means that every value is 1. Zeros are stored
// like other values. The slices stay the caller's.
//
// Errors name the row, counted from 0, and the column: columns out of range or
// repeated, NaN and Inf, sums of repeated columns that overflow. The row is not
// added then, and the Builder can go on.
func (b *Builder) AddRow(columns []int, values []float64) error {
	if b.store == nil {
		return errors.New("sparse: Builder.AddRow: the matrix is built already")
	}
	if values != nil && len(values) != len(columns) {
		return fmt.Errorf("sparse: Builder.AddRow: row %d: %d columns and %d values", b.added, len(columns), len(values))
	}
	if err := b.take(columns, values); err != nil {
		return fmt.Errorf("sparse: Builder.AddRow: row %d: %w", b.added, err)
	}
	for _, x := range b.entries {
		b.columns = append(b.columns, uint32(x.column))
		b.values = append(b.values, x.value)
	}
	b.lengths = append(b.lengths, len(b.entries))
	b.added++
	if len(b.columns)+len(b.lengths) >= matrix.BuildChunk {
		return b.flush()
	}
	return nil
}

// take checks a row and leaves it sorted and merged in b.entries.
func (b *Builder) take(columns []int, values []float64) error {
	limit := b.options.Columns
	if limit < 0 || limit > MaxColumns {
		return b.badColumns()
	}
	if limit == 0 {
		limit = MaxColumns
	}
	b.entries = b.entries[:0]
	ascending := true
	for e, j := range columns {
		v := 1.0
		if values != nil {
			v = values[e]
		}
		if j < 0 || j >= limit {
			return fmt.Errorf("column %d; columns are 0 to %d", j, limit-1)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("column %d holds %v", j, v)
		}
		ascending = ascending && (e == 0 || columns[e-1] < j)
		b.entries = append(b.entries, entry{j, v})
	}
	if !ascending {
		slices.SortStableFunc(b.entries, func(x, y entry) int { return cmp.Compare(x.column, y.column) })
		if err := b.merge(); err != nil {
			return err
		}
	}
	for _, x := range b.entries {
		if math.IsInf(x.value, 0) {
			return fmt.Errorf("the values of column %d sum to %v", x.column, x.value)
		}
		if b.options.Storage.Float32 && math.IsInf(float64(float32(x.value)), 0) {
			return fmt.Errorf("column %d holds %v, too large for a float32", x.column, x.value)
		}
	}
	return nil
}

func (b *Builder) badColumns() error {
	return fmt.Errorf("%d columns asked for; there may be 0 to %d", b.options.Columns, MaxColumns)
}

// merge adds up the equal columns of the sorted entries.
func (b *Builder) merge() error {
	kept := b.entries[:0]
	for e, x := range b.entries {
		if e == 0 || kept[len(kept)-1].column != x.column {
			kept = append(kept, x)
			continue
		}
		if !b.options.Merge {
			return fmt.Errorf("column %d is repeated", x.column)
		}
		kept[len(kept)-1].value += x.value
	}
	b.entries = kept
	return nil
}

func (b *Builder) flush() error {
	if err := b.store.Add(b.lengths, b.columns, b.values, MaxColumns); err != nil {
		return fmt.Errorf("sparse: Builder: %w", err)
	}
	b.lengths, b.columns, b.values = b.lengths[:0], b.columns[:0], b.values[:0]
	return nil
}

// Build returns the matrix and ends the Builder. It fails where the number of
// columns asked for is out of range, and when called twice.
func (b *Builder) Build() (*Matrix, error) {
	if b.store == nil {
		return nil, errors.New("sparse: Builder.Build: the matrix is built already")
	}
	if d := b.options.Columns; d < 0 || d > MaxColumns {
		return nil, fmt.Errorf("sparse: Builder.Build: %w", b.badColumns())
	}
	if err := b.flush(); err != nil {
		return nil, err
	}
	m := b.store.Matrix(max(b.options.Columns, b.store.Columns))
	*b = Builder{added: b.added}
	return m, nil
}
