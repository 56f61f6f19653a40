package table

import "fmt"

// Auto is the number of bins, or of pieces of a spline, that is not chosen yet: lanes.ChooseBins chooses it.
const Auto = -1

// autoWord stands for Auto in texts.
const autoWord = "auto"

// open tells whether the number of bins or of pieces of a column is open.
func (c *Column) open() bool { return c.Bins == Auto || c.Spline == Auto }

// Open lists the places of the columns whose number of bins or of pieces is open.
func (r *Recipe) Open() (places []int) {
	if r == nil {
		return nil
	}
	for k := range r.Columns {
		if r.Columns[k].open() {
			places = append(places, k)
		}
	}
	return places
}

// closed refuses columns whose number of bins or of pieces is open.
func (r *Recipe) closed() error {
	open := r.Open()
	if len(open) == 0 {
		return nil
	}
	c, what := &r.Columns[open[0]], "bins"
	if c.Spline == Auto {
		what = "pieces of a spline"
	}
	return fmt.Errorf("table: column %q: its number of %s is open (%s), and the folds of a training choose it: give a number here", c.Name, what, autoWord)
}
