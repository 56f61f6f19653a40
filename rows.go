package lanes

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// weighRows takes the weights and the offsets of rows from the options or from the data.
func (p *Problem) weighRows() error {
	o, data := &p.o, p.data
	switch {
	case o.RowWeights != nil && data.Weight != nil:
		return badOption("RowWeights", fmt.Sprintf("%d numbers", len(o.RowWeights)), "the data have weights of their rows too: leave one of the two out")
	case o.RowOffsets != nil && data.Offset != nil:
		return badOption("RowOffsets", fmt.Sprintf("%d numbers", len(o.RowOffsets)), "the data have offsets of their rows too: leave one of the two out")
	}
	if data.Weight != nil {
		if err := p.lacks(solvers.Weights); err != nil {
			return badData(fmt.Errorf("%w, or leave the weights of the rows out", plain(err)))
		}
	}
	if err := checkRows(data, data.X.Rows(), false); err != nil {
		return err
	}
	if wrong := checkNumbers(o.RowWeights, o.RowOffsets, data.X.Rows()); wrong != nil {
		return badOption(wrong.option, wrong.value, "%s", wrong.reason())
	}
	if o.RowWeights != nil && sum(o.RowWeights) == 0 {
		return badOption("RowWeights", 0, "no row counts: give at least one a weight above 0")
	}
	p.rowWeights, p.Offset = o.RowWeights, o.RowOffsets
	if data.Weight != nil {
		p.rowWeights = data.Weight
	}
	if data.Offset != nil {
		p.Offset = data.Offset
	}
	switch {
	case p.Offset == nil:
		return nil
	case p.several != nil:
		return badOption("RowOffsets", numbers(len(p.Offset)), "they go with the mean loss of two classes, or of targets")
	}
	return p.lacking(p.lacks(solvers.Offsets))
}

// checkExposure refuses an exposure of a table's rows beside a loss without a logarithmic link, where
// a logarithm added to the score would mean nothing.
func (p *Problem) checkExposure() error {
	if _, is := p.Loss.(loss.Linked); is {
		return nil
	}
	name, err := exposureOf(p.data.Encoding, p.encoder)
	if err == nil && name != "" {
		err = badOption("Loss", p.Loss, "the column %q is an exposure, whose logarithm is added to scores: the loss has to have a link, as poisson has; else take the column as a weight or a number", name)
	}
	return err
}

// checkRows refuses labels, groups, weights and offsets that rows cannot have.
func checkRows(data *sparse.Data, rows int, validation bool) error {
	bad := func(row int, format string, values ...any) error {
		return &DataError{Row: row, Validation: validation, Err: fmt.Errorf(format, values...)}
	}
	if len(data.Y) != rows {
		return bad(0, "%d labels for %d rows", len(data.Y), rows)
	}
	if data.Unlabelled {
		return &DataError{Validation: validation, Err: errNoLabels}
	}
	if data.Query != nil && len(data.Query) != rows {
		return bad(0, "groups of %d rows for %d rows", len(data.Query), rows)
	}
	if wrong := checkNumbers(data.Weight, data.Offset, rows); wrong != nil {
		return wrong.ofData(validation)
	}
	if data.Weight != nil && sum(data.Weight) == 0 {
		return bad(0, "all weights are 0: no row counts")
	}
	return nil
}

func sum(v []float64) (total float64) {
	for _, x := range v {
		total += x
	}
	return total
}

// wrongNumber is a weight or an offset that a row cannot have.
type wrongNumber struct {
	option, what, why string
	value             any
	row               int // from 1 on, 0 for all rows
}

func (w *wrongNumber) reason() string {
	if w.row > 0 {
		return fmt.Sprintf("it is the %s of row %d: %s", w.what, w.row, w.why)
	}
	return w.why
}

// ofData is the error of data with the number.
func (w *wrongNumber) ofData(validation bool) error {
	return &DataError{Row: w.row, Validation: validation, Err: fmt.Errorf("%s %v: %s", w.what, w.value, w.why)}
}

// checkNumbers returns the first weight or offset that a row cannot have, or nil.
func checkNumbers(weights, offsets []float64, rows int) *wrongNumber {
	for i, v := range weights {
		if !(v >= 0) || math.IsInf(v, 0) {
			return &wrongNumber{"RowWeights", "weight", "weights are finite, and not negative", v, i + 1}
		}
	}
	for i, v := range offsets {
		if v-v != 0 {
			return &wrongNumber{"RowOffsets", "offset", "offsets are finite", v, i + 1}
		}
	}
	there := fmt.Sprintf("there are %d rows", rows)
	switch {
	case weights != nil && len(weights) != rows:
		return &wrongNumber{"RowWeights", "weights", there, fmt.Sprintf("%d numbers", len(weights)), 0}
	case offsets != nil && len(offsets) != rows:
		return &wrongNumber{"RowOffsets", "offsets", there, fmt.Sprintf("%d numbers", len(offsets)), 0}
	}
	return nil
}

// checkEncoding refuses rows of a table that were encoded otherwise than the rows of a model.
func checkEncoding(of *model.Meta, data *sparse.Data, validation bool) error {
	if err := of.CheckEncoding(data.Encoding); err != nil {
		return &DataError{Validation: validation, Err: err}
	}
	return nil
}

// weigh takes the weights of a block of rows, and checks its offsets.
func (e *evaluation) weigh(block *sparse.Data) error {
	rows := len(block.Y)
	switch {
	case block.Weight != nil && e.o.RowWeights != nil:
		return badOption("RowWeights", fmt.Sprintf("%d numbers", len(e.o.RowWeights)), "the data have weights of their rows too: leave one of the two out")
	case block.Offset != nil && e.about.Width() > 1:
		return badData(errors.New("the rows have offsets, which go with two classes, or with targets: leave them out"))
	}
	if wrong := checkNumbers(block.Weight, block.Offset, rows); wrong != nil {
		if wrong.row > 0 {
			wrong.row += e.rows
		}
		return wrong.ofData(false)
	}
	if err := checkEncoding(e.about.Meta, block, false); err != nil {
		return err
	}
	if block.Weight != nil && e.weights == nil {
		e.weights = ones(nil, e.rows)
	}
	switch {
	case block.Weight != nil:
		e.weights = append(e.weights, block.Weight...)
	case e.weights != nil:
		e.weights = ones(e.weights, rows)
	}
	return nil
}

// ones appends ones.
func ones(to []float64, count int) []float64 {
	for range count {
		to = append(to, 1)
	}
	return to
}
