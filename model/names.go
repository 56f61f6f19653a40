package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CheckNames returns an error for wrong names of columns. nil means no names, "" is the name of a
// column whose name is unknown, and every other name must be unique.
func CheckNames(names []string, features int) error {
	if names == nil {
		return nil
	}
	if len(names) != features {
		return fmt.Errorf("%d names of %d columns", len(names), features)
	}
	first := make(map[string]int, len(names))
	for j, name := range names {
		if name == "" {
			continue
		}
		if !isName(name) {
			return fmt.Errorf("%q cannot be the name of column %d: a name is text without control characters", name, j+1)
		}
		if before, twice := first[name]; twice {
			return fmt.Errorf("columns %d and %d are both named %q", before+1, j+1, name)
		}
		first[name] = j
	}
	return nil
}

// isName tells whether a name is text without control characters.
func isName(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// FeatureNames returns the names of the columns, nil if the model has no names. "" is the name of a
// column whose name is unknown.
func (c *Card) FeatureNames() []string {
	if c.Meta == nil {
		return nil
	}
	return c.Meta.FeatureNames
}

// Weight is a weight of a linear model.
type Weight struct {
	// Column is the number of the matrix's column, from 0 on.
	Column int
	// Name is the column's, "" where it has none.
	Name  string
	Value float64
}

// Largest returns at most k weights of largest magnitude of a class (0 to Width()-1), the largest
// first; ties go to the first column. It leaves out weights that are 0 and the constant column. It
// costs the sorting of the weights that are not 0.
func (m *Linear) Largest(class, k int) []Weight {
	own := m.own(class)
	if own == nil || k <= 0 {
		return nil
	}
	names := m.FeatureNames()
	var list []Weight
	for j, w := range own[:m.Features] {
		if w != 0 {
			list = append(list, Weight{Column: j, Value: w})
		}
	}
	slices.SortStableFunc(list, func(a, b Weight) int { return -cmp.Compare(math.Abs(a.Value), math.Abs(b.Value)) })
	list = list[:min(k, len(list))]
	for i := range list {
		if j := list[i].Column; j < len(names) {
			list[i].Name = names[j]
		}
	}
	return list
}

// Constant returns what a class of the model adds to every score: the weight of the constant column
// times its value, 0 without such a column.
func (m *Linear) Constant(class int) float64 {
	own := m.own(class)
	if own == nil || m.Bias == 0 {
		return 0
	}
	return float64(own[m.Features] * m.Bias)
}

// own returns the weights of a class, nil if the class does not exist.
func (m *Linear) own(class int) []float64 {
	if m.Features < 0 || m.Features > len(m.Weights) || class < 0 || class >= m.Width() {
		return nil
	}
	if d := m.Columns(); int64(len(m.Weights)) == int64(d)*int64(m.Width()) {
		return m.Weights[class*d : (class+1)*d]
	}
	return nil
}
