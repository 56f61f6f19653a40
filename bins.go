package lanes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// ChosenBins says how many bins, or pieces of a spline, folds have chosen for a column of a table.
type ChosenBins struct {
	Column string
	Spline bool // Count is of pieces
	Count  int
	// Tried are the numbers whose cuts differ, ascending. Means has the mean of Metric over the folds for each.
	Tried  []int
	Means  []float64
	Metric string
}

// String returns the column and the number, as in "age 16".
func (c ChosenBins) String() string { return fmt.Sprintf("%s %d", c.Column, c.Count) }

// ChooseBins chooses the numbers of bins, and of pieces of splines, that a recipe leaves open: see
// table.Auto. It tries 4, 8, 16, ... up to 256 bins, or 1, 2, 4, ... up to 64 pieces. It fits
// the rows of each column alone, with the penalty L2(1/n), and measures them on folds. It takes the least
// number whose mean is within one standard error of the best one: of the differences of both on the folds.
// A monotone column is fitted with the bounds of its weights.
//
// These fields of o count: Kind, Loss, Positive, ClassWeight, Metric, MaxMemory, Holdout and HoldoutBy,
// whose rows are not looked at, and of Settings Seed and Workers. A loss of classes without probabilities
// gives way to the logistic one. order names the column that takes the place of HoldoutBy, "" for none.
// folds is 2 at least, or 0 for 5. The recipe that ChooseBins returns is a copy with all numbers; it has the
// choices in the order of its columns. They do not depend on the number of workers.
//
// It encodes these columns 7 times, with all rows in memory, and makes up to 7 (folds + 1) fits of each one.
func ChooseBins(ctx context.Context, s *table.Source, r *table.Recipe, order string, folds int, o Options) (*table.Recipe, []ChosenBins, error) {
	if s == nil || r == nil {
		return nil, nil, errors.New("lanes: ChooseBins needs a source and a recipe")
	}
	c := &binsChooser{source: s, order: order, folds: folds, o: Options{
		Kind: o.Kind, Loss: o.Loss, Positive: o.Positive, ClassWeight: o.ClassWeight, Metric: o.Metric,
		MaxMemory: o.MaxMemory, Holdout: o.Holdout, HoldoutBy: o.HoldoutBy,
	}}
	c.o.Settings.Seed, c.o.Settings.Workers = o.Settings.Seed, o.Settings.Workers
	if o.Loss != nil && o.Loss.Labels() && !o.Loss.Odds() {
		c.o.Loss = nil
	}
	own := *r
	own.Columns = slices.Clone(r.Columns)
	open := r.Open()
	if len(open) == 0 {
		return &own, nil, nil
	}
	c.columns = make([]openBins, len(open))
	for k, at := range open {
		c.columns[k] = openBins{at: at, chosen: ChosenBins{Column: r.Columns[at].Name, Spline: r.Columns[at].Spline == table.Auto}}
	}
	for try := range triedBins {
		if err := c.try(ctx, r, try); err != nil {
			return nil, nil, err
		}
	}
	var list []ChosenBins
	for k := range c.columns {
		column := &c.columns[k]
		at := &own.Columns[column.at]
		chosen := column.choose(c.metric)
		what := "bins"
		if at.Bins == table.Auto {
			at.Bins = chosen.Count
		}
		if chosen.Spline {
			at.Spline, what = chosen.Count, "pieces"
		}
		if at.Why != "" {
			at.Why += "; "
		}
		at.Why += fmt.Sprintf("%d %s by folds", chosen.Count, what)
		list = append(list, chosen)
	}
	return &own, list, nil
}

// The numbers of bins, and of pieces of a spline, that are tried.
var triedBins, triedPieces = [7]int{4, 8, 16, 32, 64, 128, 256}, [7]int{1, 2, 4, 8, 16, 32, 64}

// binsChooser measures columns with numbers of bins.
type binsChooser struct {
	source  *table.Source
	order   string
	folds   int
	o       Options
	columns []openBins
	metric  metrics.Metric
}

// openBins is a column whose number of bins is open.
type openBins struct {
	at     int // in the recipe
	chosen ChosenBins
	values [][]float64 // of the metric, for each number tried, by fold
	edges  []float64   // of the last number tried
}

// try encodes the open columns of a recipe with one number of bins, and measures each.
func (c *binsChooser) try(ctx context.Context, r *table.Recipe, try int) error {
	own := *r
	own.Columns, own.Crosses, own.Pairs = slices.DeleteFunc(slices.Clone(r.Columns), func(c table.Column) bool { return c.Kind == table.Cross }), nil, nil
	for k := range own.Columns {
		column := &own.Columns[k]
		features := slices.Contains([]table.Kind{table.Number, table.Category, table.Text, table.Time}, column.Kind)
		switch {
		case features && column.Bins != table.Auto && column.Spline != table.Auto:
			*column = table.Column{Name: column.Name, Kind: table.Ignore}
		case column.Spline == table.Auto:
			column.Spline = triedPieces[try]
		case column.Bins == table.Auto:
			column.Bins = triedBins[try]
		}
	}
	e, err := table.Fit(ctx, c.source, &own)
	if err != nil {
		return err
	}
	var rows *table.Rows
	for block, err := range e.Blocks(ctx, c.source, table.BlockOptions{Order: c.order}) {
		if err != nil {
			return err
		}
		rows = block
	}
	if rows == nil || rows.X.Rows() == 0 {
		return badData(errors.New("there are no rows in the table"))
	}
	if c.order != "" {
		c.o.HoldoutBy = rows.Order
	}
	fitted := e.Recipe()
	for k := range c.columns {
		column := &c.columns[k]
		edges := fitted.Columns[column.at].Learned.Edges
		if column.values != nil && slices.Equal(edges, column.edges) {
			continue // as most rows have one number
		}
		column.edges = edges
		tried := triedBins[try]
		if column.chosen.Spline {
			tried = triedPieces[try]
		}
		column.chosen.Tried = append(column.chosen.Tried, tried)
		first, end := e.Span(column.at)
		values := []float64{math.NaN()} // of a column that is left out
		if first < end {
			if values, err = c.measure(ctx, rows.Data, e.Monotone(), first, end); err != nil {
				return fmt.Errorf("the bins of the column %q: %w", column.chosen.Column, err)
			}
		}
		column.values = append(column.values, values)
	}
	return nil
}

// measure returns the metric on each fold, of fits of some columns alone, with the directions of all columns.
func (c *binsChooser) measure(ctx context.Context, data *sparse.Data, directions map[int]int, first, end int) ([]float64, error) {
	own := *data
	own.Encoding = nil
	var columns []uint32
	for j := first; j < end; j++ {
		columns = append(columns, uint32(j))
	}
	var err error
	if own.X, err = matrix.PickColumns(data.X, nil, columns); err != nil {
		return nil, err
	}
	o := c.o
	o.Intercept, o.Bounds = FreeIntercept, map[string]Interval{}
	for j := first; j < end; j++ {
		if sign := directions[j]; sign != 0 {
			o.Bounds[strconv.Itoa(j-first+1)] = directed(sign)
		}
	}
	f, err := CrossValidate(ctx, &own, Search{Options: o, Folds: c.folds, One: true})
	if err != nil {
		return nil, err
	}
	c.metric = f.Folds.Metric
	return f.Folds.Values[0], nil
}

// choose takes the least number that is not worse than the best one by more than a standard error.
func (c *openBins) choose(metric metrics.Metric) ChosenBins {
	best := 0
	for k, values := range c.values {
		mean := 0.0
		for _, v := range values {
			mean += v / float64(len(values))
		}
		c.chosen.Means = append(c.chosen.Means, mean)
		if metric.Direction.Better(mean, c.chosen.Means[best]) {
			best = k
		}
	}
	for k, values := range c.values {
		if k == best || withinError(values, c.values[best], c.chosen.Means[k]-c.chosen.Means[best]) {
			c.chosen.Count, c.chosen.Metric = c.chosen.Tried[k], metric.Name
			break
		}
	}
	return c.chosen
}

// withinError tells whether the mean of the differences of two lists is at most its standard error.
func withinError(a, b []float64, mean float64) bool {
	square := 0.0
	for i := range a {
		d := a[i] - b[i] - mean
		square += float64(d * d)
	}
	n := float64(len(a))
	return math.Abs(mean) <= math.Sqrt(square/(n*max(n-1, 1)))
}
