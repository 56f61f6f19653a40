package input

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

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
