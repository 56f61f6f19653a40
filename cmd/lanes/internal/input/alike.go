package input

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// whole is what has been seen of the rows that a model scores, as far as the last bits of
// their scores depend on it. The layout of a matrix is that of all its rows: a sum of equal
// values is multiplied by their value where the values of every row are equal, and each
// value by its weight where those of any row differ. Rows of ones have the same bits either
// way, and so have values that are kept as float32 and as float64; but the lengths of
// rows are not the same sums for the two.
type whole struct {
	unit   bool           // rows are scaled to length 1
	scaler *sparse.Scaler // of the columns, nil for none

	kept, scaled sparse.Values // of the rows as they are, and once they are scaled
	wide         bool          // some value is no float32

	last *sparse.Matrix // that was looked at or given
}

func wholeOf(m model.Model) *whole {
	w := &whole{}
	if meta := m.About().Meta; meta != nil {
		w.unit, w.scaler = meta.Normalize == model.NormalizeUnit, meta.Scaler
	}
	return w
}

// see takes note of rows and tells whether their scores are the same whatever follows.
func (w *whole) see(x *sparse.Matrix) (plain bool, err error) {
	w.last, w.kept = x, max(w.kept, x.Values())
	w.wide = w.wide || w.unit && isWide(x)
	if w.decided() {
		return true, nil
	}
	if w.scaler == nil {
		return !w.unit && x.Values() == sparse.ValuesNone, nil
	}
	if x, err = w.scaler.Apply(x); err != nil {
		return false, err
	}
	w.scaled = max(w.scaled, x.Values())
	return w.decided() || x.Values() == sparse.ValuesNone, nil
}

// decided tells whether nothing that follows can change the bits of a score.
func (w *whole) decided() bool {
	switch {
	case w.unit:
		return w.kept >= sparse.ValuesFloat32 && w.wide
	case w.scaler != nil:
		return w.scaled >= sparse.ValuesFloat32
	}
	return w.kept >= sparse.ValuesFloat32
}

// isWide tells whether x has values that are no float32.
func isWide(x *sparse.Matrix) bool {
	if x.Values() != sparse.ValuesPerRow {
		return x.Values() == sparse.ValuesFloat64
	}
	for i := range x.Rows() {
		for _, v := range x.Row(i) {
			if float64(float32(v)) != v {
				return true
			}
		}
	}
	return false
}

// least is what rows have to keep of their values for the bits that they have in one
// matrix of all.
func (w *whole) least() sparse.Values {
	switch {
	case w.unit && w.decided():
		return sparse.ValuesFloat64
	case w.unit && w.kept >= sparse.ValuesFloat32, w.decided():
		return sparse.ValuesFloat32
	}
	return sparse.ValuesNone
}

// alike yields blocks whose rows have the scores that they have in one matrix of all rows.
// As soon as these depend on what follows, again reads all blocks from the first on, as far
// as it must; where it is nil, because there is no second reading, blocks are held until
// the rows that follow have decided.
func (w *whole) alike(blocks iter.Seq2[*sparse.Data, error], again func() iter.Seq2[*sparse.Data, error]) iter.Seq2[*sparse.Data, error] {
	return func(yield func(*sparse.Data, error) bool) {
		var held []*sparse.Data
		settled := false
		give := func() bool {
			for _, block := range held {
				block.X = block.X.Keep(w.least())
				w.last = block.X
				if !yield(block, nil) {
					return false
				}
			}
			held = held[:0]
			return true
		}
		for block, err := range blocks {
			plain := settled
			if err == nil && !settled {
				plain, err = w.see(block.X)
			}
			if err == nil && !plain && again != nil {
				err = w.settle(again())
				plain, settled = true, true
			}
			if err != nil {
				yield(nil, err)
				return
			}
			held = append(held, block)
			if plain && !give() {
				return
			}
		}
		give()
	}
}

// settle looks through blocks until they have decided, or to their end.
func (w *whole) settle(blocks iter.Seq2[*sparse.Data, error]) error {
	for block, err := range blocks {
		if err == nil {
			_, err = w.see(block.X)
		}
		if err != nil {
			return err
		}
		if w.decided() {
			break
		}
	}
	return nil
}

// trouble is what an error of the blocks or of scoring them means for data of a name, of
// which some rows were scored.
func (w *whole) trouble(err error, name string, rows int) error {
	var format *sparse.FormatError
	if errors.As(err, &format) || strings.HasPrefix(err.Error(), name) {
		return console.BadData(err)
	}
	if w.scaler != nil && w.last != nil {
		for i := range w.last.Rows() {
			for j, v := range w.last.Row(i) {
				if v = (v - w.scaler.Shift[j]) / w.scaler.Width[j]; math.IsInf(v, 0) && w.scaler.Width[j] > 0 {
					return console.BadData(fmt.Errorf("%s: row %d: the value of column %d is %v once it is scaled: it is too large for this model", name, rows+i+1, j+1, v))
				}
			}
		}
	}
	return console.BadData(fmt.Errorf("%s: %w", name, console.Plain(err)))
}
