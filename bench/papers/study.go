package main

import "context"

// study is one paper: its claims, and its figures and tables that a linear model can show, in the
// paper's order.
type study struct {
	name           string // of its files
	title, authors string
	claim          string // the headline claim, in the paper's sense
	setting        string // what every part has in common, and what we changed
	// parts is called once the flags are read; it may read data.
	parts func(*laboratory) ([]part, error)
	// answer is the outcome in one plain sentence, from what the parts show.
	answer func(map[string]shown) string
}

// part is one figure or table.
type part struct {
	name, caption string
	// missing says why there is nothing to show; the rest is then empty.
	missing string
	runs    []run
	// later, where set, are runs that depend on what the others found.
	later func(results) []run
	show  func(results) shown
}

// run is a measurement that part of a study waits for. Parts may ask for the same one.
type run struct {
	// key names all that decides the result: set, solver, parameters, seed, budget.
	key string
	// cost is proportional to the time it takes, for the time left.
	cost float64
	do   func(context.Context) (record, error)
}

// record is what a run measured: curves and numbers by name.
type record map[string][]float64

// results are the records of a part's runs by key.
type results map[string]record

// number is one number of a record; NaN if it is missing.
func (r results) number(key, name string) float64 {
	if v := r[key][name]; len(v) > 0 {
		return v[len(v)-1]
	}
	return nan
}

// shown is a figure or table as it appears on the page.
type shown struct {
	// found are the paper's statements, the most important one first; none where nothing in
	// the part can be right or wrong.
	found []tally
	// seeds is the number of runs that curves and numbers are means of, 0 where nothing is
	// drawn at random.
	seeds int
	// sets names the data sets that the statements are counted on.
	sets string
	// order is how the methods stand in the paper and here.
	order  string
	eta    span     // of scvrg: the paper's step in units of 1/L
	notes  []string // what was changed and why, what is not as in the paper
	panels []panel
	tables []table
}

// panel is one plot.
type panel struct {
	title, x, y string
	logX, logY  bool
	curves      []curve
}

// curve is one line of a panel. Curves of a label have one colour throughout a study.
type curve struct {
	label     string
	x, y      []float64
	low, high []float64 // a band around y, nil for none
	dashed    bool
}

// table has a head and rows of text.
type table struct {
	title string
	rows  [][]string
}
