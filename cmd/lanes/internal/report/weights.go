package report

import (
	"fmt"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/model"
)

// classWeights are the largest weights of a class, or of a model that has no classes.
type classWeights struct {
	Label    string         `json:"label,omitempty"`
	Constant float64        `json:"constant"` // what is added to every score
	NonZeros int            `json:"nonzero_weights"`
	Weights  []columnWeight `json:"weights"`
}

type columnWeight struct {
	Column int     `json:"column"` // as the data number it
	Name   string  `json:"name,omitempty"`
	Weight float64 `json:"weight"`
}

// largestWeights lists the weights of largest magnitude of the first classes, at most classes.
func largestWeights(m *model.Linear, top, classes int) (list []classWeights) {
	about := m.About()
	first := input.FirstIndex(about.Meta != nil && about.Meta.ZeroBased)
	name := func(w model.Weight) string { return w.Name }
	if e, err := input.EncoderOf("", m); e != nil && err == nil {
		name = func(w model.Weight) string { return e.Name(w.Column) }
	}
	for k := range min(about.Width(), classes) {
		c := classWeights{Constant: m.Constant(k), Weights: []columnWeight{}}
		if !about.Regression {
			c.Label = about.Word(about.Labels()[k])
		}
		for _, w := range m.Weights[k*m.Columns() : k*m.Columns()+m.Features] {
			if w != 0 {
				c.NonZeros++
			}
		}
		for _, w := range m.Largest(k, top) {
			c.Weights = append(c.Weights, columnWeight{w.Column + first, name(w), w.Value})
		}
		list = append(list, c)
	}
	return list
}

// addLargest prints a table a class.
func addLargest(text *console.Text, m *model.Linear, list []classWeights) {
	for _, c := range list {
		what := "largest weights"
		switch {
		case c.Label != "" && len(list) > 1:
			what += " of class " + c.Label
		case c.Label != "":
			what += "; weights above 0 speak for " + c.Label
		}
		fmt.Fprintf(text, "\n%s (%d of %d non-zero weights)\n", what, len(c.Weights), c.NonZeros)
		text.Right()
		for _, w := range c.Weights {
			fmt.Fprintf(text, "%d\t%.9g\t  %s\n", w.Column, w.Weight, w.Name)
		}
		if m.Bias != 0 {
			fmt.Fprintf(text, "constant\t%.9g\t\n", c.Constant)
		}
	}
	text.Right()
}

// withoutNames returns the metadata without its long lists: column names and the table.
func withoutNames(t *model.Meta) *model.Meta {
	if t == nil || t.FeatureNames == nil && t.Table == nil {
		return t
	}
	bare := *t
	bare.FeatureNames, bare.Table = nil, nil
	return &bare
}
