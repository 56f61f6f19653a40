package related

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// dealInFile is Deal for rows in a file: the same folds. It reads the labels once.
func (v *Validation) dealInFile(ctx context.Context, run *Run) ([]uint32, error) {
	rows := run.File.Stream
	switch {
	case run.Settings.Ranks != nil:
		return nil, errors.New("related: folds go with one process")
	case run.SolveRows == nil:
		return nil, errors.New("related: folds of rows in a file need SolveRows")
	case v.Prepare != nil:
		return nil, errors.New("related: Prepare is for rows in memory; PrepareFile is for rows in a file")
	case v.Group != nil && len(v.Group) != rows.Rows():
		return nil, fmt.Errorf("related: groups of %d rows, and %d rows", len(v.Group), rows.Rows())
	}
	class := make([]uint32, 0, rows.Rows())
	err := run.signedInFile(ctx, rows, func(y, _, _ []float64) { class = appendSigns(class, y) })
	switch {
	case err != nil:
		return nil, err
	case v.Group != nil:
		return GroupFolds(v.Group, class, v.Folds, v.Seed)
	}
	return Folds(rows.Rows(), class, v.Folds, v.Seed)
}

// signedInFile calls use for the labels of a view as a training has them, the weights times the weights of the classes, and
// the offsets, some thousand rows at a time. Weights and offsets may be nil.
func (r *Run) signedInFile(ctx context.Context, rows *sparse.Stream, use func(y, s, o []float64)) error {
	labels, classes := r.File.Labels, r.File.ClassWeights
	var weighted []float64
	var wrong error
	err := rows.Numbers(ctx, 0, rows.Rows(), func(y, s, o []float64) {
		if classes != nil {
			weighted = weighted[:0]
		}
		for i := range y {
			if labels == nil || wrong != nil {
				break
			}
			if y[i], wrong = labels.Sign(y[i]); classes != nil {
				weighted = append(weighted, classes[max(int(y[i]), 0)]*direct.Weight(s, i))
			}
		}
		switch {
		case wrong != nil:
		case classes != nil:
			use(y, weighted, o)
		default:
			use(y, s, o)
		}
	})
	return errors.Join(err, wrong)
}

// rowsInFile is rowsOf for rows in a file.
func (c *crossing) rowsInFile(ctx context.Context, fold int) (*foldRows, error) {
	of := *c.run.File
	train, err := of.Stream.WithRows(ctx, func(row int) bool { return c.fold[row] != uint32(fold) })
	var test *sparse.Stream
	if err == nil {
		test, err = of.Stream.WithRows(ctx, func(row int) bool { return c.fold[row] == uint32(fold) })
	}
	if err == nil && c.v.PrepareFile != nil {
		train, test, err = c.v.PrepareFile(ctx, train, test)
	}
	if err != nil {
		return nil, fmt.Errorf("related: fold %d: %w", fold+1, err)
	}
	outer := &erm.Problem{Y: make([]float64, 0, test.Rows())}
	if test.HasWeights() || of.ClassWeights != nil {
		outer.SampleWeight = make([]float64, 0, test.Rows())
	}
	if test.HasOffsets() {
		outer.Offset = make([]float64, 0, test.Rows())
	}
	err = c.run.signedInFile(ctx, test, func(y, s, o []float64) {
		outer.Y, outer.SampleWeight, outer.Offset = append(outer.Y, y...), append(outer.SampleWeight, s...), append(outer.Offset, o...)
	})
	if err != nil {
		return nil, fmt.Errorf("related: fold %d: %w", fold+1, err)
	}
	inner := *c.p
	of.Stream = train
	return &foldRows{inner: &inner, outer: outer, width: train, solve: c.run.SolveRows(&of), test: test}, nil
}

// Memory of a measured row beside its label, weight and offset: its score, and what metrics that rank make of
// it. Vectors of one number a column belong to the scaling of a fold.
const (
	bytesOfMeasured = 8 + 56
	bytesToDeal     = 16 // a row
	bytesOfFold     = 4
	scaleVectors    = 3
)

// FoldBytes plans the memory that CrossValidate takes beside a fit of File: for the folds of a path of some points,
// or of one. Run.Least counts, and whether Settings saves checkpoints. It is 0 for rows in memory.
func (r *Run) FoldBytes(folds, points int) int64 {
	if r == nil || r.File == nil || r.File.Stream == nil || folds < 2 || points < 1 {
		return 0
	}
	rows := r.File.Stream
	vectors := int64(folds * len(r.chains(cmp.Or(r.Least, points))))
	if r.Settings.Saves() {
		vectors *= 2 // in the checkpoint
	}
	row := int64(8 + bytesOfMeasured)
	for _, has := range []bool{rows.HasWeights() || r.File.ClassWeights != nil, rows.HasOffsets()} {
		if has {
			row += 8
		}
	}
	n := int64(rows.Rows())
	measured := row*(n/int64(folds)+1) + (&score.Streamed{Rows: rows}).Bytes(workersOf(r.Settings.Workers))
	return 8*int64(rows.Cols())*(vectors+scaleVectors) + max(bytesToDeal*n, bytesOfFold*n+measured)
}
