package lanes

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// validation measures runs on rows of their own, which are prepared as the training rows.
func (p *Problem) validation(data *sparse.Data) (solvers.Metric, error) {
	if p.stream != nil {
		return nil, badOption("Validation", "rows", "it needs the rows of the training in memory")
	}
	metric, err := p.metric()
	if err != nil {
		return nil, err
	}
	switch {
	case data.X == nil || data.X.Rows() == 0:
		return nil, &DataError{Validation: true, Err: errors.New("there are no rows")}
	case p.Offset != nil && data.Offset == nil:
		return nil, badOption("RowOffsets", fmt.Sprintf("%d numbers", len(p.Offset)), "the rows of {Validation} have none: give them theirs, or leave {Validation} out")
	case data.Offset != nil && p.several != nil:
		return nil, &DataError{Validation: true, Err: errors.New("they have offsets, which go with two classes, or with targets: leave them out")}
	}
	if err := checkRows(data, true); err != nil {
		return nil, err
	}
	if err := checkEncoding(&model.Meta{Table: p.data.Encoding}, data, true); err != nil {
		return nil, err
	}
	data, err = data.WithColumns(p.columns)
	if err != nil {
		return nil, &DataError{Validation: true, Err: err}
	}
	x, err := (&model.Meta{Normalize: p.o.Normalize, Scaler: p.scaler}).Prepare(data.X)
	if err != nil {
		return nil, &DataError{Validation: true, Err: plain(err)}
	}
	x = x.WithBias(p.X.Bias())
	v := &model.Validation{Metric: metric, Pool: sparse.NewPool(p.settings.Workers), Weight: data.Weight, Offset: data.Offset}
	if v.Y, err = p.card().Targets(data); err != nil {
		return nil, &DataError{Validation: true, Err: plain(err)}
	}
	if p.several != nil {
		v.Classes = len(p.several.labels)
	}
	if v.Model, err = p.over(x); err != nil {
		return nil, &DataError{Validation: true, Err: err}
	}
	return v, nil
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
