package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// number gives labels that are words the numbers that a model keeps for them: 1 and -1 for
// the later and the earlier of two, and 1, 2, ... in their order for more.
func (d *dataset) number() {
	if d.numbered {
		return
	}
	d.numbered = true
	for i, y := range d.Y {
		switch {
		case len(d.LabelNames) == 2:
			d.Y[i] = 2*y - 1
		case d.LabelNames != nil:
			d.Y[i] = y + 1
		}
	}
}

// word is what a label of number is called.
func (d *dataset) word(label float64) string {
	for k, name := range d.LabelNames {
		if label == float64(k+1) && len(d.LabelNames) != 2 || label == float64(2*k-1) && len(d.LabelNames) == 2 {
			return name
		}
	}
	return strconv.FormatFloat(label, 'g', -1, 64)
}

// restWord is what labels that are words and not the positive one are called together.
func (d *dataset) restWord() string {
	name := "rest"
	for slices.Contains(d.LabelNames, name) {
		name = "the-" + name
	}
	return name
}

// legend says which words numbers stand for in a message.
func (d *dataset) legend() string {
	if d.LabelNames == nil {
		return ""
	}
	const most = 6
	parts := slices.Clone(d.LabelNames[:min(most, len(d.LabelNames))])
	if len(d.LabelNames) > most {
		parts = append(parts, "...")
	}
	return "; the labels are the words " + strings.Join(parts, ", ")
}

// findPositive numbers the labels of data and reads --positive as a label of data: a number, or a word where those are
// words.
func (f *problemFlags) findPositive(data *dataset) error {
	data.number()
	if f.positive == "" {
		return nil
	}
	if data.LabelNames == nil {
		label, err := parseLabel(f.positive)
		f.positiveLabel = label
		return err
	}
	k := slices.Index(data.LabelNames, f.positive)
	if k < 0 {
		return dataError{fmt.Errorf("%s: no row has the label %s, which is to be the positive class%s", data.name, f.positive, data.legend())}
	}
	label := float64(k + 1)
	if len(data.LabelNames) == 2 {
		label = float64(2*k - 1)
	}
	f.positiveLabel = &label
	return nil
}

// relabel gives the labels of data the numbers that they have in the training, where
// labels and words belong together. With rest, words that are unknown count as the second.
func (d *dataset) relabel(labels []float64, words []string, rest bool) error {
	switch {
	case words == nil && d.LabelNames == nil:
		return nil
	case words == nil:
		return dataError{fmt.Errorf("%s: its labels are words, and those of the training are numbers", d.name)}
	case d.LabelNames == nil:
		return dataError{fmt.Errorf("%s: its labels are numbers, and those of the training are the words %s", d.name, strings.Join(words, ", "))}
	}
	for i, y := range d.Y {
		word := d.LabelNames[int(y)]
		k := slices.Index(words, word)
		if k < 0 && rest {
			k = 1
		}
		if k < 0 {
			return dataError{fmt.Errorf("%s: row %d: the label %s is none of those of the training: %s", d.name, i+1, word, strings.Join(words, ", "))}
		}
		d.Y[i] = labels[k]
	}
	d.LabelNames = nil
	return nil
}
