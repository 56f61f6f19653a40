package input

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/sparse"
)

// SignsOf maps the labels of data as those of the training were.
func SignsOf(data *Dataset, labels sparse.LabelMap, regression bool) ([]float64, error) {
	if regression {
		return data.Y, nil
	}
	signs := make([]float64, len(data.Y))
	for i, y := range data.Y {
		sign, err := labels.Sign(y)
		if err != nil {
			return nil, console.BadData(fmt.Errorf("%s: row %d: %w, the labels of the training", data.Name, i+1, err))
		}
		signs[i] = sign
	}
	return signs, nil
}

// ParseLabel reads --positive where labels are numbers; "" is nil.
func ParseLabel(text string) (*float64, error) {
	if text == "" {
		return nil, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v-v != 0 {
		return nil, console.BadFlag("positive", text, "a label is a finite number")
	}
	return &v, nil
}

// NumberLabels gives labels that are words the numbers that a model keeps for them: 1 and -1 for
// the later and the earlier of two, and 1, 2, ... in their order for more.
func (d *Dataset) NumberLabels() {
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

// Word is what a label of number is called.
func (d *Dataset) Word(label float64) string {
	for k, name := range d.LabelNames {
		if label == float64(k+1) && len(d.LabelNames) != 2 || label == float64(2*k-1) && len(d.LabelNames) == 2 {
			return name
		}
	}
	return strconv.FormatFloat(label, 'g', -1, 64)
}

// RestWord is what labels that are words and not the positive one are called together.
func (d *Dataset) RestWord() string {
	name := "rest"
	for slices.Contains(d.LabelNames, name) {
		name = "the-" + name
	}
	return name
}

// Legend says which words numbers stand for in a message.
func (d *Dataset) Legend() string {
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

// Relabel gives the labels of data the numbers that they have in the training, where
// labels and words belong together. With rest, words that are unknown count as the second.
func (d *Dataset) Relabel(labels []float64, words []string, rest bool) error {
	switch {
	case words == nil && d.LabelNames == nil:
		return nil
	case words == nil:
		return console.BadData(fmt.Errorf("%s: its labels are words, and those of the training are numbers", d.Name))
	case d.LabelNames == nil:
		return console.BadData(fmt.Errorf("%s: its labels are numbers, and those of the training are the words %s", d.Name, strings.Join(words, ", ")))
	}
	for i, y := range d.Y {
		word := d.LabelNames[int(y)]
		k := slices.Index(words, word)
		if k < 0 && rest {
			k = 1
		}
		if k < 0 {
			return console.BadData(fmt.Errorf("%s: row %d: the label %s is none of those of the training: %s", d.Name, i+1, word, strings.Join(words, ", ")))
		}
		d.Y[i] = labels[k]
	}
	d.LabelNames = nil
	return nil
}

// ClassIndex maps labels to the places of a model's classes.
func ClassIndex(labels []float64) map[float64]uint32 {
	index := make(map[float64]uint32, len(labels))
	for k, label := range labels {
		index[label] = uint32(k)
	}
	return index
}

// ClassesOf maps the labels of data to classes.
func ClassesOf(data *Dataset, labels []float64) ([]uint32, error) {
	index := ClassIndex(labels)
	class := make([]uint32, len(data.Y))
	for i, y := range data.Y {
		k, known := index[y]
		if !known {
			return nil, console.BadData(fmt.Errorf("%s: row %d: the label %v is none of the %d classes of the training", data.Name, i+1, y, len(labels)))
		}
		class[i] = k
	}
	return class, nil
}
