package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/sparse"
)

// A RowError says what is wrong with a row that a model was to score, or with its label.
type RowError struct {
	// Row is the row's place in the matrix, or in all blocks, from 1 on; 0 for a single row,
	// or if all rows are wrong.
	Row int
	// Column is the column of the wrong entry, from 0 on; -1 if columns and values differ in
	// length, or the label is wrong.
	Column int
	// Message is what is wrong, such as "column 3 holds NaN".
	Message string
}

// Error returns the row and the message.
func (e *RowError) Error() string {
	if e.Row == 0 {
		return "model: " + e.Message
	}
	return fmt.Sprintf("model: row %d: %s", e.Row, e.Message)
}

func badEntry(row, column int, format string, args ...any) error {
	return &RowError{row, column, fmt.Sprintf("column %d ", column) + fmt.Sprintf(format, args...)}
}

// badRow says what is wrong with a row, if anything: what a matrix refuses, and unknown
// columns if c refuses them.
func (c *Card) badRow(columns []int, values []float64) error {
	if values != nil && len(values) != len(columns) {
		return &RowError{0, -1, fmt.Sprintf("the row has %d columns and %d values", len(columns), len(values))}
	}
	for e, j := range columns {
		switch {
		case j < 0:
			return badEntry(0, j, "is negative; columns count from 0")
		case e > 0 && j == columns[e-1]:
			return badEntry(0, j, "is repeated")
		case e > 0 && j < columns[e-1]:
			return badEntry(0, j, "stands after column %d; columns must ascend", columns[e-1])
		case values != nil && !isFinite(values[e]):
			return badEntry(0, j, "holds %v", values[e])
		case j >= c.Features && c.RefuseUnknown:
			return c.unknownColumn(0, j)
		}
	}
	return nil
}

func (c *Card) unknownColumn(row, column int) error {
	return badEntry(row, column, "is unknown to the model, whose columns are 0 to %d", c.Features-1)
}

// kind is what each kind of model brings to the scoring that all kinds share.
type kind interface {
	Model
	// scoreBatch writes the scores of the rows of b, Width() a row. scoreView writes the scores
	// of the rows of b.view, which the workers of pool share.
	scoreBatch(dst []float64, b *batch) error
	scoreView(pool *sparse.Pool, dst []float64, b *batch) error
}

// score leaves the scores of one row in b.result.
func (b *batch) score(m kind, columns []int, values []float64) error {
	about := m.About()
	if err := b.single(about, columns, values); err != nil {
		return err
	}
	b.result = slices.Grow(b.result[:0], about.Width())[:about.Width()]
	return m.scoreBatch(b.result, b)
}

// rowScores appends the scores of a row to dst, whatever the model and the row.
func rowScores(m kind, dst []float64, columns []int, values []float64) ([]float64, error) {
	b := batches.Get().(*batch)
	err := b.score(m, columns, values)
	if err == nil {
		dst = append(dst, b.result...)
	}
	batches.Put(b)
	return dst, err
}

// scoreOf returns the score of a row of a model that has one a row.
func scoreOf(m kind, columns []int, values []float64) (float64, error) {
	b := batches.Get().(*batch)
	s, err := math.NaN(), b.score(m, columns, values)
	if err == nil {
		s = b.result[0]
	}
	batches.Put(b)
	return s, err
}
