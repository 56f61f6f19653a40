package table

// leastCounted is the least number of rows of a table with a column that is taken to count them.
const leastCounted = 10

// rowCount says whether the cells of a column in a block count on by 1, and from which number on.
type rowCount struct {
	first  float64
	steady bool
	// ended says that cells of an earlier block of the worker did not.
	ended bool
}

// countRows looks whether columns whose kind is unknown count the rows of a block.
func (w *surveyor) countRows(b *block, columns []wanted) {
	if w.counts == nil {
		w.counts = make([]rowCount, len(columns))
	}
	for k := range columns {
		c := &w.counts[k]
		if c.ended || columns[k].kind != "" {
			continue
		}
		c.steady = true
		for i := 0; i < b.rows && c.steady; i++ {
			x, ok := number(b.cell(i, k), false)
			if i == 0 {
				c.first = x
			}
			c.steady = ok && x == c.first+float64(i)
		}
		c.ended = !c.steady
	}
}

// rowCounter follows whether a column counts the rows from 0, or from 1: the rows of each file, or
// of all files.
type rowCounter struct {
	rows, begin, first int64 // rows so far, and the first one of the file and of the table
	from               float64
	notEach, notAll    bool // it does not count the rows of each file, of all files
	ended              bool
}

// take takes the next block.
func (r *rowCounter) take(c *rowCount, b *block) {
	if b.rows == 0 || r.ended {
		return
	}
	if b.place == 0 || r.rows == 0 {
		r.begin = b.first
	}
	if r.rows == 0 {
		r.from, r.first = c.first, b.first
	}
	r.notEach = r.notEach || c.first-float64(b.first-r.begin) != r.from
	r.notAll = r.notAll || c.first-float64(b.first-r.first) != r.from
	r.ended = !c.steady || r.notEach && r.notAll || r.from != 0 && r.from != 1
	r.rows += int64(b.rows)
}

// counts says whether the column counts the rows.
func (r *rowCounter) counts() bool { return !r.ended && r.rows >= leastCounted }
