package table

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
)

// What Column.Monotone says of the effect of a number.
const (
	Up   = "up"   // it never falls
	Down = "down" // it never rises
)

// directionOf reads the direction of Wanted.Monotone, COLUMN=DIRECTION.
func directionOf(text, direction string) (string, error) {
	if direction != Up && direction != Down {
		return "", fmt.Errorf("table: Monotone %q: want a direction, as in COLUMN=%s or COLUMN=%s", text, Up, Down)
	}
	return direction, nil
}

// checkMonotone refuses crosses with a column whose effect may not fall, or may not rise.
func (r *Recipe) checkMonotone(columns map[string]*Column) error {
	pairs := slices.Clone(r.Crosses)
	for _, c := range r.Columns[len(r.own()):] {
		pairs = append(pairs, c.Of)
	}
	for _, pair := range pairs {
		for _, name := range pair {
			if c := columns[name]; c != nil && c.Monotone != "" {
				return fmt.Errorf("table: the column %q is monotone (%s), and the cross %q would let its effect turn: leave one of the two out", name, c.Monotone, pairName(pair))
			}
		}
	}
	return nil
}

// Monotone returns the columns of encoded rows whose weights decide whether the effect of a number falls
// or rises, with 1 for those of a column that is Up: weights of 0 or more keep its effect from falling.
// It has -1 for those of a column that is Down, and nothing for other columns, missing values among them.
func (e *Encoder) Monotone() map[int]int {
	signs := map[int]int{}
	for i := range e.columns {
		c := &e.columns[i]
		if c.Monotone == "" {
			continue
		}
		sign := 1
		if c.Monotone == Down {
			sign = -1
		}
		for j := c.at; j < c.end; j++ {
			if j != c.absent {
				signs[j] = sign
			}
		}
	}
	return signs
}

// Directions writes the monotone columns of a recipe as Wanted.Monotone has them.
func (r *Recipe) Directions() (list []string) {
	if r == nil {
		return nil
	}
	for _, c := range r.Columns {
		if c.Monotone != "" {
			list = append(list, c.Name+"="+c.Monotone)
		}
	}
	return list
}

// stepped appends the steps of a number: a 1 for each edge of bins below it, or what a spline has.
func (m *rowMaker) stepped(c *column, v float64) {
	if c.spline != nil {
		m.bent(c, v)
		return
	}
	for k := range sort.SearchFloat64s(c.Learned.Edges, v) {
		m.one(c.at + k)
	}
}

// rising appends the sums of all B-splines from one on, from the second on: they rise from 0 to 1.
func (m *rowMaker) rising(c *column, first int, values [4]float64) {
	for k := range first {
		m.one(c.at + k) // all functions that are not 0 are in the sum
	}
	sum := 0.0
	for k := 3; k > 0; k-- {
		sum += values[k]
		values[k] = min(sum, 1)
	}
	for k := 1; k < 4; k++ {
		m.value(c.at+first+k-1, values[k])
	}
}

// nameOfStep names a step: of bins by the edge below it, of a spline by its number.
func (c *column) nameOfStep(k int) string {
	if c.spline != nil {
		return c.Name + ".step" + strconv.Itoa(k+1)
	}
	return c.Name + ">" + strconv.FormatFloat(c.Learned.Edges[k], 'g', -1, 64)
}

// stepwise tells whether a monotone number becomes steps, in place of one column.
func (c *column) stepwise() bool { return c.Monotone != "" && (c.Bins > 0 || c.spline != nil) }
