package table

import (
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// TestMarksByHand: marks are decided by all cells of a column, and a note says what can be read in two
// ways.
func TestMarksByHand(t *testing.T) {
	for _, c := range []struct {
		cells           []string
		least, greatest float64
		doubts          int64
	}{
		{[]string{"56,993", "988", "1,204"}, 988, 56993, 2},
		{[]string{"1’234.5", "988", "7"}, 7, 1234.5, 0},
		{[]string{"$1,250", "$988", "$3,100"}, 988, 3100, 0},
		{[]string{"1,234.50", "12", "7,000"}, 12, 7000, 0},
		{[]string{"1,5", "12", "7,25"}, 1.5, 12, 0},
	} {
		e, s := learnedOf(t, c.cells, Wanted{}, Options{})
		column, n := &e.recipe.Columns[0], noteAbout(t, s.Notes(), notes.Marks, "k")
		if column.Kind != Number {
			t.Errorf("%q: %s, %s", c.cells, column.Kind, column.Why)
			continue
		}
		if l := column.Learned; l.Least != c.least || l.Greatest != c.greatest || n.Count != c.doubts {
			t.Errorf("%q: %v to %v, %v", c.cells, l.Least, l.Greatest, n)
		}
	}
}
