package table

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// Description is what a column of a table holds, whatever a recipe makes of it.
type Description struct {
	Name string
	// Rows is the number of rows, Missing of them without a value.
	Rows, Missing int64
	// Distinct is the number of distinct values, as they are written; -1 if there are more than
	// 10,000, or if they take more than 4 MiB.
	Distinct int
	// Common are the values that most rows have, each with its Count. Equal counts stand in the
	// order of bytes. They are nil where Distinct is -1.
	Common []string
	Counts []int64
	// Numbers is the number of rows whose value is a finite number, from Least to Greatest. It is -1
	// where the recipe names another kind, and Distinct is -1.
	Numbers         int64
	Least, Greatest float64
}

// Describe describes the columns of a recipe of a source, each by up to most common values. Rows
// that Fit leaves out do not count. Of VW text it tells the number of lines alone.
//
// It reads nothing if Infer found out enough about all columns. It makes one pass for another
// recipe, and for columns that Infer does not look at: IDs, weights and columns that are ignored by
// their names. Of a Cross, and of a list or map of Parquet, it says nothing but the rows. It takes the memory of Infer.
func Describe(ctx context.Context, s *Source, r *Recipe, most int) ([]Description, error) {
	if s == nil {
		return nil, errors.New("table: Describe needs a source")
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	if s.format == FormatVW {
		d := Description{Name: vwLine, Distinct: -1, Numbers: -1}
		_, err := scan(ctx, s, []int{0}, func(*int64, *block) error { return nil }, func(_ *int64, b *block) error {
			d.Rows += int64(b.rows)
			return nil
		})
		return []Description{d}, err
	}
	v := newSurvey(s, r)
	if before := r.survey; before != nil && before.source == s && before.serves(r) {
		v.take(before)
	}
	var columns []wanted
	for _, c := range r.Columns {
		w := wanted{name: c.Name, kind: c.Kind}
		if s.nested[c.Name] != "" || c.Kind == Cross {
			continue
		}
		if v.columns[c.Name] == nil {
			w.need = &need{marks: v.marksOf(c.Name)}
		}
		if w.need != nil || refuses(c.Kind) {
			columns = append(columns, w)
		}
	}
	if slices.ContainsFunc(columns, func(c wanted) bool { return c.need != nil }) {
		if err := v.look(ctx, columns); err != nil {
			return nil, fmt.Errorf("table: %w", err)
		}
	}
	var list []Description
	var values firsts
	for _, c := range r.Columns {
		list = append(list, v.describe(&c, max(0, most), &values))
	}
	return list, nil
}

func (v *survey) describe(c *Column, most int, values *firsts) Description {
	f := v.columns[c.Name]
	d := Description{Name: c.Name, Rows: v.rows, Numbers: -1}
	if f == nil { // it cannot be read
		return d
	}
	d.Missing, d.Distinct = f.missing, -1
	marks := v.marksOf(c.Name)
	s := v.stats(f, &need{kind: Number, marks: marks})
	// Values that are missing in a column of this kind are no values.
	gone := func(value []byte) bool {
		_, what := v.learner.none.number(value, marks)
		return c.Kind == Number && what != aNumber || (c.Kind == Time || c.Kind == Target && !v.wordy) && what == aGap
	}
	if f.many == nil {
		d.Distinct = 0
		values.find(&f.tally)
		counts := values.counts
		// Numbers alone need not be read again.
		some := s.lost() > 0
		var first []int
		before := func(a, b int) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), bytes.Compare(values.key(a), values.key(b)))
		}
		for _, k := range values.keys {
			if some && gone(values.key(k)) {
				d.Missing += counts[k]
				continue
			}
			d.Distinct++
			if len(first) == most && (most == 0 || before(k, first[most-1]) > 0) {
				continue
			}
			if at, _ := slices.BinarySearchFunc(first, k, before); at < most {
				first = slices.Insert(first, at, k)
				first = first[:min(len(first), most)]
			}
		}
		for _, k := range first {
			d.Common = append(d.Common, string(values.key(k)))
			d.Counts = append(d.Counts, counts[k])
		}
	} else if c.Kind == Number && s != nil {
		d.Missing += s.lost()
	} else if c.Kind == Time {
		d.Missing += f.many.gaps
	}
	if s != nil {
		d.Numbers, d.Least, d.Greatest = s.numbers.count, s.numbers.least, s.numbers.greatest
	}
	return d
}
