package model

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/sparse"
)

// ReadOptions says how rows are read for the model. Entries of columns that it does not know are
// dropped and counted, and missing columns are empty. Labels may be words. Indices begin where
// the indices of the training text began.
func (c *Card) ReadOptions() sparse.ReadOptions {
	return sparse.ReadOptions{
		Columns: c.Features, DropBeyond: true, WordLabels: true, ZeroBased: c.Meta != nil && c.Meta.ZeroBased,
	}
}

// Targets returns the labels of rows as package metrics and Validation take them. They are 1 for
// the positive and -1 for the negative class, the place in Classes for several classes, and
// data.Y itself for a regression. Labels that are words are found among Words. It costs a binary
// search a row. A label that the model does not know is a *RowError of Column -1. Its Row is 0 if
// no label is of the model's kind.
func (c *Card) Targets(data *sparse.Data) ([]float64, error) {
	labels, words := c.Labels(), c.Words()
	switch {
	case data == nil:
		return nil, badLabel(0, "there are no rows")
	case words == nil && data.LabelNames != nil:
		return nil, badLabel(0, "the labels are words, and the labels of the training are numbers")
	case words != nil && data.LabelNames == nil:
		return nil, badLabel(0, "the labels are numbers, and the labels of the training are the words "+strings.Join(words, ", "))
	case words != nil && len(words) != len(labels):
		return nil, badLabel(0, fmt.Sprintf("the model has %d names of %d labels", len(words), len(labels)))
	case c.Regression:
		return data.Y, nil
	}
	type class struct{ label, target float64 }
	byLabel := func(c class, label float64) int { return cmp.Compare(c.label, label) }
	places := make(map[string]int, len(data.LabelNames))
	for k, name := range data.LabelNames {
		places[name] = k
	}
	var classes []class // their labels are as data has them
	for k, label := range labels {
		target := float64(k)
		if c.Classes == nil {
			target = float64(1 - 2*k)
		}
		if words != nil {
			place, found := places[words[k]]
			if !found {
				continue
			}
			label = float64(place)
		}
		classes = append(classes, class{label, target})
	}
	slices.SortFunc(classes, func(a, b class) int { return byLabel(a, b.label) })
	targets := make([]float64, len(data.Y))
	for i, y := range data.Y {
		k, known := slices.BinarySearchFunc(classes, y, byLabel)
		switch {
		case known:
			targets[i] = classes[k].target
		case c.Rest:
			targets[i] = -1
		default:
			return nil, badLabel(i+1, c.unknown(data, y))
		}
	}
	return targets, nil
}

// badLabel makes a *RowError.
func badLabel(row int, message string) error { return &RowError{row, -1, message} }

// unknown says that the model does not know a label of data.
func (c *Card) unknown(data *sparse.Data, label float64) string {
	text := strconv.FormatFloat(label, 'g', -1, 64)
	if k := int(label); k >= 0 && k < len(data.LabelNames) {
		text = data.LabelNames[k]
	}
	const most = 6
	var known []string
	for _, label := range c.Labels()[:min(most, len(c.Labels()))] {
		known = append(known, c.Word(label))
	}
	if len(c.Labels()) > most {
		known = append(known, "...")
	}
	return fmt.Sprintf("the label %s is not among the %d classes of the training: %s", text, len(c.Labels()), strings.Join(known, ", "))
}
