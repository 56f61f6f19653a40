package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/base/nearest"
)

// pair is two columns of encoded rows that are 1 or 0; a is not b.
type pair struct{ a, b uint32 }

// namesValues tells whether a cross names values: both sides have an equals sign, and are no names of columns.
func namesValues(cross [2]string, names []string) bool {
	for _, side := range cross {
		if slices.Contains(names, side) || !strings.Contains(side, "=") {
			return false
		}
	}
	return true
}

func pairName(names [2]string) string { return names[0] + "*" + names[1] }

// pair finds the columns of all pairs, where columns without pairs end at width.
func (e *Encoder) pair(width int) error {
	if len(e.recipe.Pairs) == 0 {
		return nil
	}
	places := make(map[string]uint32)
	for k := range e.columns {
		c := &e.columns[k]
		for j := c.at; j < c.end; j++ {
			if c.indicates(j) {
				places[c.nameOf(j)] = uint32(j)
			}
		}
	}
	for k, names := range e.recipe.Pairs {
		var at [2]uint32
		for i, name := range names {
			place, found := places[name]
			if !found {
				return fmt.Errorf("table: the cross %q: %s", pairName(names), e.lacksValue(name, places))
			}
			at[i] = place
		}
		switch before := slices.IndexFunc(e.pairs, func(p pair) bool { return p == pair{at[0], at[1]} || p == pair{at[1], at[0]} }); {
		case at[0] == at[1]:
			return fmt.Errorf("table: the cross %q names one value twice", pairName(names))
		case before >= 0:
			return fmt.Errorf("table: the crosses %q and %q are the same", pairName(e.recipe.Pairs[before]), pairName(e.recipe.Pairs[k]))
		}
		e.pairs = append(e.pairs, pair{at[0], at[1]})
	}
	return nil
}

// indicates tells whether an encoded column of c is 1 or 0 for what its name says.
func (c *column) indicates(j int) bool {
	switch c.Kind {
	case Category:
		return !c.Hashed
	case Number:
		return c.Bins > 0 && !c.stepwise() || j == c.absent
	case Time:
		return j != c.number
	}
	return false
}

// lacksValue says that no encoded column has a name, and what to name.
func (e *Encoder) lacksValue(name string, places map[string]uint32) string {
	for k := range e.columns {
		c := &e.columns[k]
		value, of := strings.CutPrefix(name, c.Name+"=")
		switch {
		case !of:
		case c.Monotone != "":
			return fmt.Sprintf("%q is monotone (%s), and a cross with its values would let its effect turn: leave one of the two out", c.Name, c.Monotone)
		case c.Kind == Category && c.Hashed:
			return fmt.Sprintf("the values of %q are hashed, and have no columns of their own", c.Name)
		case c.Kind == Number && c.Bins == 0:
			return fmt.Sprintf("%q is a number, and has no value %q of its own: name it as a category, or cut numbers into bins", c.Name, value)
		case c.Kind == Category || c.Kind == Number:
			var list []string
			for j := c.at; j < c.end; j++ {
				list = append(list, c.nameOf(j))
			}
			if near := nearest.Names(name, list); len(near) > 0 {
				return fmt.Sprintf("no row of the training has %s (did you mean %s?)", name, strings.Join(near, " or "))
			}
			return fmt.Sprintf("no row of the training has %s; there is %s", name, strings.Join(list[:min(len(list), 5)], ", "))
		default:
			return fmt.Sprintf("%q is a %s, and has no value %q of its own", c.Name, c.Kind, value)
		}
	}
	list := make([]string, 0, len(places))
	for other := range places {
		list = append(list, other)
	}
	slices.Sort(list)
	if near := nearest.Names(name, list); len(near) > 0 {
		return fmt.Sprintf("there is no value %s (did you mean %s?)", name, strings.Join(near, " or "))
	}
	return fmt.Sprintf("there is no value %s: name a value of a category, a bin or a part of a time, as in hour=8", name)
}

// has tells whether a row has an entry in a column. Columns ascend.
func has(row []uint32, column uint32) bool {
	_, found := slices.BinarySearch(row, column)
	return found
}
