package sparse

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Class is a label and the number of rows that carry it. It is safe for concurrent reading.
type Class struct {
	Label float64
	Count int
}

// CountClasses lists the distinct labels of y in ascending order, NaN first.
func CountClasses(y []float64) []Class {
	c := make(classCounts)
	c.add(y)
	return c.list()
}

// classCounts counts labels. All NaN labels have one key, because a map would hold each NaN
// separately.
type classCounts map[uint64]int

func (c classCounts) add(y []float64) {
	// The two labels that came last are counted beside the map, which takes longer.
	type run struct {
		label uint64
		rows  int
	}
	var last, before run
	for _, v := range y {
		switch {
		case v == 0:
			v = 0 // of either sign
		case v != v:
			v = math.NaN()
		}
		switch label := math.Float64bits(v); {
		case label == last.label:
			last.rows++
		case label == before.label:
			before.rows++
		default:
			if before.rows > 0 {
				c[before.label] += before.rows
			}
			last, before = before, last
			last.label, last.rows = label, 1
		}
	}
	for _, l := range [...]run{last, before} {
		if l.rows > 0 {
			c[l.label] += l.rows
		}
	}
}

func (c classCounts) list() []Class {
	classes := make([]Class, 0, len(c))
	for bits, count := range c {
		label := math.Float64frombits(bits)
		classes = append(classes, Class{label, count})
	}
	slices.SortFunc(classes, func(a, b Class) int { return cmp.Compare(a.Label, b.Label) })
	return classes
}

// LabelMap says which labels the signs of a two-class problem stand for. It is safe for
// concurrent use.
type LabelMap struct {
	Positive float64
	Negative float64 // where Rest is true, what to call the rest: a label that no class has
	Rest     bool    // every other label is negative
}

// Sign returns +1 or -1 for a label. A label that the map does not know is an
// error.
func (m LabelMap) Sign(label float64) (float64, error) {
	switch {
	case label == m.Positive:
		return 1, nil
	case m.Rest || label == m.Negative:
		return -1, nil
	}
	return 0, fmt.Errorf("label %v is neither %v nor %v", label, m.Positive, m.Negative)
}

func (m LabelMap) String() string {
	if m.Rest {
		return fmt.Sprintf("%v against the rest", m.Positive)
	}
	return fmt.Sprintf("%v against %v", m.Positive, m.Negative)
}

// BinaryLabels returns +1 or -1 for each label of y. There must be exactly two distinct labels;
// the larger is positive. If positive is given, it names the positive label, and all others are
// negative, however many there are.
//
// It is an error if all rows would be of one class, or if a label is NaN or infinite.
func BinaryLabels(y []float64, positive *float64) ([]float64, LabelMap, error) {
	var labels LabelMap
	for i, v := range y {
		if v-v != 0 {
			return nil, labels, fmt.Errorf("the label of row %d is %v: labels are finite numbers", i, v)
		}
	}
	labels, err := BinaryClasses(CountClasses(y), positive)
	if err != nil {
		return nil, labels, err
	}
	signs := make([]float64, len(y))
	sign := [2]float64{-1, 1}
	for i, v := range y {
		positive := 0 // a branch here would be foreseen badly
		if v == labels.Positive {
			positive = 1
		}
		signs[i] = sign[positive]
	}
	return signs, labels, nil
}

// BinaryClasses says which of the classes are positive, by the rules of BinaryLabels. It takes
// what CountClasses returns.
func BinaryClasses(classes []Class, positive *float64) (LabelMap, error) {
	var labels LabelMap
	switch {
	case len(classes) == 0:
		return labels, fmt.Errorf("no rows: two classes are needed")
	case positive != nil:
		if !slices.ContainsFunc(classes, func(c Class) bool { return c.Label == *positive }) {
			return labels, fmt.Errorf("no row has the label %v, which is to be the positive class; the labels are %s", *positive, listClasses(classes))
		}
		labels = LabelMap{Positive: *positive, Negative: restName(classes), Rest: len(classes) > 2}
	case len(classes) > 2:
		return labels, fmt.Errorf("%d classes (labels %s) where two are needed: name the positive class", len(classes), listClasses(classes))
	}
	if len(classes) == 1 {
		return labels, fmt.Errorf("every row has the label %v: two classes are needed", classes[0].Label)
	}
	if !labels.Rest {
		labels.Negative, labels.Positive = classes[0].Label, classes[1].Label
		if positive != nil && *positive == classes[0].Label {
			labels.Negative, labels.Positive = labels.Positive, labels.Negative
		}
	}
	return labels, nil
}

// restName finds a label that no class has: -1, or one below them all.
func restName(classes []Class) float64 {
	if slices.ContainsFunc(classes, func(c Class) bool { return c.Label == -1 }) {
		return math.Floor(classes[0].Label) - 1
	}
	return -1
}

func listClasses(classes []Class) string {
	const most = 6
	var text strings.Builder
	for k, c := range classes[:min(len(classes), most)] {
		if k > 0 {
			text.WriteString(", ")
		}
		fmt.Fprint(&text, c.Label)
	}
	if len(classes) > most {
		text.WriteString(", ...")
	}
	return text.String()
}
