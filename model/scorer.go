package model

import (
	"fmt"

	"github.com/lanes-go/lanes/sparse"
)

// Scorer scores single rows by a model. It allocates nothing once it has seen its longest
// row, and is not for concurrent use: make one for each goroutine.
type Scorer struct {
	m   *Linear
	row *sparse.OneRow
}

// Scorer returns a scorer of the model, which must not change while it is used. least says
// what is kept of the values: with sparse.ValuesNone scores have the bits of Scores on a
// matrix of the row alone. In a matrix of many rows that differ in their values, sums of
// equal values may be rounded otherwise: with sparse.ValuesFloat32 or ValuesFloat64 scores
// have the bits of a matrix that keeps values so (Matrix.Describe says how).
func (m *Linear) Scorer(least sparse.Values) (*Scorer, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	row, err := sparse.NewOneRow(m.Features, least)
	if err != nil {
		return nil, err
	}
	if m.Meta != nil {
		if err := row.Prepare(m.Meta.Normalize == NormalizeUnit, m.Meta.Scaler); err != nil {
			return nil, err
		}
	}
	return &Scorer{m, row}, nil
}

// Score puts the score of a row into dst, which has one element, or one for each of the
// model's Classes. columns start at 0, ascend, and are less than the model's Features; the
// row is normalised as those of the training were. It costs one product with the row a
// class.
func (s *Scorer) Score(dst []float64, columns []uint32, values []float64) error {
	d := s.m.Columns()
	if want := s.m.Width(); len(dst) != want {
		return fmt.Errorf("model: Score: room for %d scores where a row has %d", len(dst), want)
	}
	err := s.row.Set(columns, values)
	for k := 0; k < len(dst) && err == nil; k++ {
		dst[k], err = s.row.Dot(s.m.Weights[k*d:(k+1)*d], s.m.Bias)
	}
	return err
}
