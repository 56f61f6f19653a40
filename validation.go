package lanes

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// A row of a validation takes eight bytes for each of these: its label as the data have it, its label of the
// training, its score, and what metrics that rank make of it. Weights and offsets are beside.
const validationNumbers = 3 + 56/8

// classNumbers is the number of float64 that a row takes besides, for each of several classes: a score, and its share.
const classNumbers = 2

// validates tells whether the run is measured on rows of its own.
func (o *Options) validates() bool { return o.Validation != nil || o.ValidationStream != nil }

// validate has the run measured on the rows of Options.Validation or ValidationStream.
func (p *Problem) validate(ctx context.Context) error {
	o := &p.o
	switch {
	case !o.validates():
		return nil
	case o.Validation != nil && o.ValidationStream != nil:
		return badOption("ValidationStream", "rows", "give {Validation} or {ValidationStream}, not both")
	case o.ValidationStream != nil && p.stream == nil:
		return badOption("ValidationStream", "rows", "it goes with rows of the training that stay in a file, by TrainStream; give {Validation} here")
	}
	metric, err := p.metric()
	if err != nil {
		return err
	}
	data, rows := o.Validation, 0
	if o.ValidationStream != nil {
		if data, err = numbersOf(ctx, o.ValidationStream); err != nil {
			return &DataError{Validation: true, Err: err}
		}
		rows = len(data.Y)
	} else if data.X != nil {
		rows = data.X.Rows()
	}
	if err := p.checkValidation(data, rows); err != nil {
		return err
	}
	v := &model.Validation{Metric: metric, Pool: sparse.NewPool(p.settings.Workers), Weight: data.Weight, Offset: data.Offset}
	if v.Y, err = p.card().Targets(data); err != nil {
		return &DataError{Validation: true, Err: plain(err)}
	}
	if p.several != nil {
		v.Classes = len(p.several.labels)
	}
	bytes := int64(8 * (validationNumbers*rows + len(data.Weight) + len(data.Offset)))
	if v.Classes > 0 {
		bytes += int64(8 * classNumbers * rows * v.Classes)
	}
	if o.ValidationStream != nil {
		own, wrong := p.scorerInFile(o.ValidationStream)
		if wrong == nil {
			bytes += own.Bytes(v.Pool.Workers())
		}
		v.Model, err = own, wrong
	} else {
		var x *sparse.Matrix
		if x, err = p.prepared(data); err == nil {
			v.Model, err = p.over(x)
			bytes += x.Bytes()
		}
	}
	if err != nil {
		return &DataError{Validation: true, Err: plain(err)}
	}
	if p.stream != nil {
		p.stream.Beside = bytes
	}
	p.settings.Validation = v
	if ranks := o.Settings.Ranks; ranks != nil {
		p.settings.Validation = agreed{v, ranks}
	}
	return nil
}

// agreed is a metric of several processes. Each measures all rows, and all go on or none.
type agreed struct {
	*model.Validation
	ranks solvers.Ranks
}

func (a agreed) Measure(w []float64) (float64, error) {
	value, err := a.Validation.Measure(w)
	return value, shards.Agree(a.ranks, err)
}

// validationText tells the rows of a validation from others.
func (p *Problem) validationText() string {
	switch o := &p.o; {
	case o.ValidationStream != nil:
		return o.ValidationStream.Identity()
	case o.Validation != nil:
		text, _ := o.Validation.Fingerprint() // whose errors validate has returned
		return text
	}
	return ""
}

// numbersOf returns rows of a file without their entries. Errors are of the file.
func numbersOf(ctx context.Context, rows *sparse.Stream) (*sparse.Data, error) {
	data := &sparse.Data{LabelNames: rows.LabelNames(), Encoding: rows.Encoding(), Y: make([]float64, 0, rows.Rows())}
	if rows.HasWeights() {
		data.Weight = make([]float64, 0, rows.Rows())
	}
	if rows.HasOffsets() {
		data.Offset = make([]float64, 0, rows.Rows())
	}
	err := rows.Numbers(ctx, 0, rows.Rows(), func(y, s, o []float64) {
		data.Y, data.Weight, data.Offset = append(data.Y, y...), append(data.Weight, s...), append(data.Offset, o...)
	})
	return data, err
}

// checkValidation refuses rows that do not go with the rows of the training.
func (p *Problem) checkValidation(data *sparse.Data, rows int) error {
	offsets := 0
	if p.stream == nil {
		offsets = len(p.Offset)
	} else if p.stream.Stream.HasOffsets() {
		offsets = p.rows()
	}
	switch {
	case rows == 0:
		return &DataError{Validation: true, Err: errors.New("there are no rows")}
	case offsets > 0 && data.Offset == nil:
		return badOption("RowOffsets", fmt.Sprintf("%d numbers", offsets), "the rows of {Validation} have none: give them theirs, or leave {Validation} out")
	case data.Offset != nil && p.several != nil:
		return &DataError{Validation: true, Err: errors.New("they have offsets, which go with two classes, or with targets: leave them out")}
	}
	if err := checkRows(data, rows, true); err != nil {
		return err
	}
	return checkEncoding(&model.Meta{Table: p.data.Encoding}, data, true)
}

// prepared returns the matrix of a validation as the training has its own.
func (p *Problem) prepared(data *sparse.Data) (*sparse.Matrix, error) {
	data, err := data.WithColumns(p.columns)
	if err != nil {
		return nil, err
	}
	x, err := (&model.Meta{Normalize: p.o.Normalize, Scaler: p.scaler}).Prepare(data.X)
	if err != nil {
		return nil, err
	}
	_, _, _, bias := p.Shape()
	return x.WithBias(bias), nil
}

// scorerInFile scores the rows of a validation in a file as the training has its own.
func (p *Problem) scorerInFile(rows *sparse.Stream) (*score.Streamed, error) {
	rows, err := rows.WithColumns(p.columns)
	if err == nil {
		rows, err = p.scaledInFile(rows)
	}
	if err != nil {
		return nil, err
	}
	_, _, _, bias := p.Shape()
	return &score.Streamed{Rows: rows.WithBias(bias)}, nil
}

// scaledInFile returns rows in a file, scaled as Normalize says.
func (p *Problem) scaledInFile(rows *sparse.Stream) (*sparse.Stream, error) {
	switch {
	case p.scaler != nil:
		return rows.Scaled(p.scaler)
	case p.o.Normalize == model.NormalizeUnit:
		return rows.NormalizeUnit(), nil
	}
	return rows, nil
}

// card says what the labels of the problem are.
func (p *Problem) card() *model.Card {
	c := &model.Card{
		Features: p.columns, Regression: p.regression, Positive: p.labels.Positive, Negative: p.labels.Negative, Rest: p.labels.Rest,
		Meta: &model.Meta{LabelNames: p.Words()},
	}
	if p.several != nil {
		c.Classes = p.several.labels
	}
	return c
}
