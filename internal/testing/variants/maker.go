package variants

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/table"
)

// maker draws clean tables of a number of rows.
type maker struct {
	*rand.Rand
	rows int
}

// column returns a column whose cells are drawn one by one.
func (m *maker) column(name string, kind table.Kind, cell func() string) Column {
	c := Column{Name: name, Kind: kind}
	for range m.rows {
		c.Cells = append(c.Cells, cell())
	}
	return c
}

// numbers returns a column of decimals between least and most, with a number of places behind the
// point.
func (m *maker) numbers(name string, least, most float64, places int) Column {
	return m.column(name, table.Number, func() string {
		return strconv.FormatFloat(least+float64((most-least)*m.Float64()), 'f', places, 64)
	})
}

// amounts returns a column of amounts from 1 to a million, most of them small.
func (m *maker) amounts(name string, places int) Column {
	return m.column(name, table.Number, func() string {
		return strconv.FormatFloat(math.Exp(m.Float64()*math.Log(1e6)), 'f', places, 64)
	})
}

// words returns a category of some words.
func (m *maker) words(name string, words ...string) Column {
	return m.column(name, table.Category, func() string { return words[m.IntN(len(words))] })
}

// times returns a column of times, as layout writes them, within a number of days from 2014-03-01.
func (m *maker) times(name string, layout string, days int) Column {
	return m.column(name, table.Time, func() string {
		at := time.Date(2014, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(m.IntN(days*24*60)) * time.Minute)
		return at.Format(layout)
	})
}

// table returns columns with a target y, which depends on all of them and on chance. Its labels
// are words or numbers.
func (m *maker) table(columns ...Column) Table {
	labels := [][]string{{"0", "1"}, {"no", "yes"}, {"-1", "1"}}[m.IntN(3)]
	y := Column{Name: "y", Kind: table.Target}
	for i, score := range m.scores(columns) {
		label := labels[0]
		if score+m.NormFloat64() > 0 && i > 0 || i == 1 { // so that both labels stand in the first rows
			label = labels[1]
		}
		y.Cells = append(y.Cells, label)
	}
	return Table{Columns: append(columns, y), Target: "y"}
}

// regression is table with a number as its target.
func (m *maker) regression(columns ...Column) Table {
	y := Column{Name: "y", Kind: table.Target}
	for _, score := range m.scores(columns) {
		y.Cells = append(y.Cells, strconv.FormatFloat(20+float64(3*score)+m.NormFloat64(), 'f', 2, 64))
	}
	return Table{Columns: append(columns, y), Target: "y"}
}

// scores returns the sum of the columns' ranks, each from -1 to 1.
func (m *maker) scores(columns []Column) []float64 {
	scores := make([]float64, m.rows)
	for _, c := range columns {
		distinct := slices.Clone(c.Cells)
		slices.SortFunc(distinct, func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			if x != y {
				return int(math.Copysign(1, x-y))
			}
			return strings.Compare(a, b)
		})
		distinct = slices.Compact(distinct)
		rank := map[string]float64{}
		for k, cell := range distinct {
			rank[cell] = 2*float64(k)/float64(max(1, len(distinct)-1)) - 1
		}
		for i, cell := range c.Cells {
			scores[i] += rank[cell]
		}
	}
	return scores
}

// plain returns a table of an amount x, a number z, a category c and the target y.
func (m *maker) plain() Table { return m.table(m.amounts("x", 2), m.small(), m.cities()) }

// small returns the column z of numbers with one place.
func (m *maker) small() Column { return m.numbers("z", -9, 9, 1) }

// cities returns the column c of some cities.
func (m *maker) cities() Column { return m.words("c", "Oslo", "Rome", "Lima", "Bern") }

// some returns k different rows, in ascending order; never the first two, whose labels table fixes.
func (m *maker) some(k int) []int {
	rows := m.Perm(m.rows - 2)[:k]
	for i := range rows {
		rows[i] += 2
	}
	slices.Sort(rows)
	return rows
}

// few returns 1 to 8 rows.
func (m *maker) few() []int { return m.some(1 + m.IntN(8)) }
