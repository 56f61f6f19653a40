package model

import (
	"errors"
	"iter"

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
}

func wholeOf(m Model) *whole {
	w := &whole{}
	if meta := m.About().Meta; meta != nil {
		w.unit, w.scaler = meta.Normalize == NormalizeUnit, meta.Scaler
	}
	return w
}

// see takes note of rows and tells whether their scores are the same whatever follows.
func (w *whole) see(x *sparse.Matrix) (plain bool, err error) {
	w.kept = max(w.kept, x.Values())
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

// Alike yields blocks whose rows have the scores by m, to the bit, that they have in one
// matrix of all rows. If the scores depend on rows that follow, again reads all blocks from
// the first on, as far as needed. If again is nil, blocks are held in memory instead until
// the rows that follow have decided.
func Alike(m Model, blocks iter.Seq2[*sparse.Data, error], again func() iter.Seq2[*sparse.Data, error]) iter.Seq2[*sparse.Data, error] {
	return func(yield func(*sparse.Data, error) bool) {
		if m == nil || blocks == nil {
			yield(nil, errors.New("model: there is no model, or there are no blocks of rows"))
			return
		}
		w := wholeOf(m)
		var held []*sparse.Data
		settled := false
		give := func() bool {
			for _, block := range held {
				block.X = block.X.Keep(w.least())
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
