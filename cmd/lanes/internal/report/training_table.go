package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/table"
)

// columnRow is a line of the columns of a table.
type columnRow struct{ Name, Kind, Missing, MeasuredMissing, Unseen, Distinct, Encoded, Made, Why string }

// columnTable is what a page shows of the columns of a table.
type columnTable struct {
	Summary, Measured, More string
	Columns                 []columnRow
}

// Table shows what the recipe makes of each column of the table, nil where the rows were no
// table.
func (p *modelPage) Table() *columnTable {
	r := p.table
	if r == nil {
		return nil
	}
	t := &columnTable{}
	if p.seen != nil && p.seen.Missing != nil {
		t.Measured = p.seen.Kind
		if t.Measured == givenRows {
			t.Measured = p.seen.Name
		}
	}
	var gaps []string
	used, lacking, all := 0, 0, len(r.Columns)
	for k, c := range r.Columns {
		if c.Kind == table.Cross {
			all--
		}
		if slices.Contains([]table.Kind{table.Number, table.Category, table.Text, table.Time, table.VW}, c.Kind) {
			used++
		}
		if c.Missing > 0 {
			if lacking++; len(gaps) < 3 {
				gaps = append(gaps, fmt.Sprintf("%s %s", brief(c.Name), percent(c.Missing, r.Rows)))
			}
		}
		if k >= mostColumns {
			continue
		}
		row := columnRow{Name: brief(c.Name), Kind: string(c.Kind), Why: brief(c.Why), Made: c.Made, Missing: percent(c.Missing, r.Rows), Encoded: c.Encoded}
		if c.Distinct > 0 {
			row.Distinct = grouped(float64(c.Distinct))
		}
		if t.Measured != "" {
			row.MeasuredMissing, row.Unseen = percent(p.seen.Missing[k], p.seen.rows), percent(p.seen.Unseen[k], p.seen.rows)
		}
		t.Columns = append(t.Columns, row)
	}
	t.Summary = fmt.Sprintf("%s columns of %s rows; the model uses %s of them.", grouped(float64(all)), grouped(float64(r.Rows)), grouped(float64(used)))
	switch {
	case lacking > len(gaps):
		t.Summary += fmt.Sprintf(" %d columns have missing values: %s, ...", lacking, strings.Join(gaps, ", "))
	case lacking > 0:
		t.Summary += fmt.Sprintf(" Missing values: %s.", strings.Join(gaps, ", "))
	default:
		t.Summary += " No value is missing."
	}
	var pairs []string
	for _, c := range r.Columns[all:][:min(len(r.Columns)-all, mostColumns)] {
		pairs = append(pairs, brief(c.Name))
	}
	if pairs != nil {
		t.Summary += fmt.Sprintf(" Pairs of columns, a column for each pair of values: %s.", strings.Join(pairs, ", "))
	}
	pairs = nil
	for _, x := range r.Crosses[:min(len(r.Crosses), mostColumns)] {
		pairs = append(pairs, brief(x[0])+" * "+brief(x[1]))
	}
	if pairs != nil {
		t.Summary += fmt.Sprintf(" Pairs of columns, hashed to 2^%d shared places: %s.", r.Hash, strings.Join(pairs, ", "))
	}
	pairs = nil
	for _, x := range r.Pairs[:min(len(r.Pairs), mostColumns)] {
		pairs = append(pairs, brief(x[0])+" * "+brief(x[1]))
	}
	if pairs != nil {
		t.Summary += fmt.Sprintf(" Pairs of values, a column each: %s.", strings.Join(pairs, ", "))
	}
	if len(r.Columns) > mostColumns {
		t.More = fmt.Sprintf("The first %d of %s columns are shown.", mostColumns, grouped(float64(len(r.Columns))))
	}
	return t
}

// percent is a count with its share of the rows, "" for 0.
func percent(count, rows int64) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%.2g %%)", grouped(float64(count)), 100*float64(count)/float64(max(rows, 1)))
}

// madeOf says in words what becomes of a column.
func madeOf(c *table.Column, l *table.Learned, hash int) string {
	hashed := fmt.Sprintf("hashed to 2^%d shared places", hash)
	switch c.Kind {
	case table.Number:
		span := fmt.Sprintf("%.6g to %.6g", l.Least, l.Greatest)
		switch c.Monotone {
		case table.Up:
			span += ", whose effect never falls"
		case table.Down:
			span += ", whose effect never rises"
		}
		switch {
		case c.Bins > 0 && c.Monotone != "":
			return fmt.Sprintf("%s, steps between %d bins of equally many rows", span, len(l.Edges)+1)
		case c.Bins > 0:
			return fmt.Sprintf("%s, cut into %d bins of equally many rows", span, len(l.Edges)+1)
		case l.Width == 0:
			return fmt.Sprintf("always %.6g: left out", l.Least)
		case c.Spline > 0 && c.Monotone != "":
			return fmt.Sprintf("%s, steps of a spline of %d pieces", span, len(l.Edges)+1)
		case c.Spline > 0:
			return fmt.Sprintf("%s, %s, and the bends of a spline of %d pieces", span, scaled(c, l), len(l.Edges)+1)
		}
		return span + ", " + scaled(c, l)
	case table.Time:
		return fmt.Sprintf("%s to %s: hour, weekday and month, and the time as a number", day(l.Least), day(l.Greatest))
	case table.Category:
		if c.Hashed {
			return hashed
		}
		made := "a column for each value"
		if l.Rare > 0 {
			made += fmt.Sprintf("; %s rows of rare values share one", grouped(float64(l.Rare)))
		}
		return made + commonest(l)
	case table.Cross:
		made := "a column for each pair of values"
		if l.Rare > 0 {
			made += fmt.Sprintf("; %s rows of rare pairs share one", grouped(float64(l.Rare)))
		}
		return made + commonest(l)
	case table.Text:
		weigh := "words by tf-idf"
		if w := c.Words; w != nil {
			if w.Counts {
				weigh = "counts of words"
			}
			if w.NGrams > 1 {
				weigh += fmt.Sprintf(", up to %d in a row", w.NGrams)
			}
			if w.MinDF > 1 {
				weigh += fmt.Sprintf(", in %d rows at least", w.MinDF)
			}
		}
		if c.Hashed {
			return weigh + ", " + hashed
		}
		return weigh + commonest(l)
	case table.Target:
		if c.Scale == table.ScaleLog {
			return "its logarithm is learned" + commonest(l)
		}
		return "what is learned" + commonest(l)
	case table.Weight:
		return "the weight of a row"
	case table.Offset:
		return "added to the score of a row"
	case table.Exposure:
		return "its logarithm is added to the score of a row"
	case table.ID:
		return "kept beside predictions"
	case table.Group:
		return "rows that belong together"
	case table.VW:
		return "features as Vowpal Wabbit reads them, " + hashed
	}
	return "left out"
}

// day is a moment in seconds since 1970.
func day(seconds float64) string {
	if seconds != seconds || math.Abs(seconds) > 1e11 {
		return fmt.Sprintf("%.6g s", seconds)
	}
	return time.Unix(int64(seconds), 0).UTC().Format("2006-01-02 15:04")
}

// scaled says how a number is scaled.
func scaled(c *table.Column, l *table.Learned) string {
	switch c.Scale {
	case table.ScaleNone:
		return "as it stands"
	case table.ScaleMinMax:
		return "mapped to 0 to 1"
	case table.ScaleLog1p:
		return fmt.Sprintf("log(1 + |x|), then scaled by its mean %.4g and deviation %.4g", l.Shift, l.Width)
	}
	return fmt.Sprintf("scaled by mean %.4g and deviation %.4g", l.Shift, l.Width)
}

// mostCommon is the number of values that a line names.
const mostCommon = 3

// commonest names the values that most rows have.
func commonest(l *table.Learned) string {
	var parts []string
	for _, v := range commonestValues(l, mostCommon) {
		parts = append(parts, fmt.Sprintf("%s (%s)", brief(v.Value), grouped(float64(v.Count))))
	}
	switch {
	case parts == nil:
		return ""
	case len(l.Values) <= mostCommon:
		return ": " + strings.Join(parts, ", ")
	}
	return "; most: " + strings.Join(parts, ", ")
}
