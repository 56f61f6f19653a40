package input

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// warnLeaks warns of columns that tell the target of encoded rows by themselves, and returns them. Rows with more
// than two classes, of which none is positive, and regressions are not looked at.
func (t *Table) warnLeaks(e *table.Encoder, data *sparse.Data, positive string) []table.Leak {
	var label *float64
	if v, err := strconv.ParseFloat(positive, 64); data.LabelNames == nil && err == nil {
		label = &v
	} else if k := slices.Index(data.LabelNames, positive); k >= 0 {
		place := float64(k)
		label = &place
	}
	leaks, err := e.Leaks(data, label)
	if err != nil {
		return nil
	}
	for _, leak := range leaks {
		t.a.Warn(fmt.Errorf("%s: the column %s tells the target by itself (%s has an AUC of %.5g): if it is not known when you predict, leave it out by --ignore %s",
			t.Name, leak.Column, leak.By, leak.AUC, quoted(leak.Column)))
	}
	return leaks
}
