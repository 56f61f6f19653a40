package table

import "github.com/lanes-go/lanes/internal/base/decimal"

// plain says whether a plain decimal is a number in a column, of which stats.plain takes all.
func (w *need) plain(s *stats, none *missing) bool {
	return w.kind.numeric() && w.marks == nil && !w.logs && !w.bins && s.words == nil && s.values == nil && !none.figures
}

// sketches says whether the values of a column are sketched.
func (w *need) sketches() bool { return w.kind == "" || w.kind == Number }

// plain takes all of a plain decimal x that occurs n times, first at place, but its sums and its sketch.
func (s *stats) plain(w *need, cell []byte, x float64, form decimal.Written, n, place int64) {
	s.count += n
	if mayBeCode(cell, form) && isCode(cell, x) {
		s.seen[codes].add(cell, n, place)
	}
	if w.open {
		if form.After < 0 {
			s.whole(form.Before, n)
		} else {
			fit := fits(pointReadings)
			if inThousands(cell, form) {
				fit |= 1 << pointThousands
				s.doubtful.add(cell, n, place)
			}
			s.shapes.add(fit, n)
		}
	}
	if w.kind == "" {
		s.length += int64(len(cell)) * n
		s.dates.numbers.add(cell, n, place)
	}
}

// mayBeCode says whether isCode has to look at a plain decimal.
func mayBeCode(cell []byte, form decimal.Written) bool {
	return form.After < 0 && len(cell) > 1 && (cell[0] == '0' || len(cell) >= 16)
}

// inThousands says whether the point of a plain decimal can stand between thousands.
func inThousands(cell []byte, form decimal.Written) bool {
	return form.After == 3 && uint(form.Before-1) < 3 && cell[len(cell)-form.Before-4] != '0'
}

// typedColumn tallies the cells of a column of a block that tells values from text.
func (w *surveyor) typedColumn(t *tally, n *need, b *block, k int) {
	for row, kept := range w.kept {
		if !kept {
			continue
		}
		cell := b.cell(row, k)
		if w.none.has(cell) {
			t.missing++
			continue
		}
		w.add(t, n, cell, 1, ^int64(row))
		if b.isPlain(row, k) {
			t.plain = true
		} else if _, is := number(cell, false); is {
			t.quoted.add(cell, 1, ^int64(row))
		}
	}
}

// column tallies the cells of a column of a block.
func (w *surveyor) column(t *tally, n *need, b *block, k int) {
	for row := 0; row < b.rows; {
		switch {
		case t.log != nil || t.many != nil && n.plain(t.many, w.none):
			row = w.plainColumn(t, n, b, k, row)
		case t.many == nil:
			row = w.fewColumn(t, n, b, k, row)
		default:
			for ; row < b.rows; row++ {
				if !w.kept[row] {
					continue
				}
				if cell := b.cell(row, k); w.none.has(cell) {
					t.missing++
				} else {
					w.add(t, n, cell, 1, ^int64(row))
				}
			}
		}
	}
}

// fewColumn tallies the cells of a column of few values from a row on. It ends where the values are too
// many, or become a log.
func (w *surveyor) fewColumn(t *tally, n *need, b *block, k, row int) int {
	at, step := b.at[min(2*k, len(b.at)):], 2*b.width
	for ; row < b.rows; row++ {
		if !w.kept[row] {
			continue
		}
		from, end := at[row*step], at[row*step+1]
		cell := b.text[from:end]
		before := t.values.len()
		switch {
		case w.none.has(cell):
			t.missing++
		case len(cell) > pad:
			w.add(t, n, cell, 1, ^int64(row))
		default:
			if k := t.values.addShort(shortOf(b.text[from:], len(cell)), len(cell)); k < len(t.counts) {
				t.counts[k]++
			} else if t.hold(k, 1, ^int64(row)); t.full() {
				t.many = w.replay(t, n)
			}
		}
		switch {
		case t.values.len() == before:
			continue
		case before == fewValues-1 && w.logs(t, n):
			t.log = newLog(w.stats(t, n), min(fullLog, logRoom/b.width), len(t.values.text)/fewValues)
		}
		if t.many != nil || t.log != nil {
			return row + 1
		}
	}
	return row
}

// plainColumn tallies the cells of a column of many values, or of a log, from a row on, where need.plain
// says so. It returns the row where the log ends.
func (w *surveyor) plainColumn(t *tally, n *need, b *block, k, row int) int {
	s, log := t.many, t.log != nil
	if log {
		s = t.log.stats
	}
	numbers := w.numbers[:0]
	sketches, unknown := n.sketches() && !log, n.kind == ""
	ended := false
	var told, length, short, long, points, thousands int64
	at, step := b.at[2*k:], 2*b.width
	for ; row < b.rows && !ended; row++ {
		if !w.kept[row] {
			continue
		}
		from, end := at[row*step], at[row*step+1]
		cell := b.text[from:end]
		x, form, ok := decimal.Plain(b.text[from:], len(cell))
		if !ok {
			switch {
			case w.none.has(cell):
				t.missing++
			case !log:
				w.sketched(s, n, cell, 1, w.countOther(s, n, cell, 1, ^int64(row)))
			case !w.isNumber(cell):
				row--
				ended = true
			default:
				w.countOther(s, n, cell, 1, ^int64(row))
				ended = t.log.add(cell, row)
			}
			continue
		}
		if unknown && s.dates.numbers.count == 0 {
			s.dates.numbers.add(cell, 1, ^int64(row))
			told = 1
		}
		numbers = append(numbers, x)
		length += int64(len(cell))
		fit := anyReading
		switch {
		case form.After >= 0:
			fit = pointReadings
			if points++; inThousands(cell, form) {
				fit |= 1 << pointThousands
				if thousands++; n.open {
					s.doubtful.add(cell, 1, ^int64(row))
				}
			}
		case form.Before <= 3:
			short++
		default:
			long++
		}
		if mayBeCode(cell, form) && isCode(cell, x) {
			s.seen[codes].add(cell, 1, ^int64(row))
		}
		if sketches {
			if hash, takes := s.sketch.takes(b.text[from:], len(cell)); takes {
				s.sketch.add(hash, 1, fit)
			}
		}
		if log {
			ended = t.log.add(cell, row)
		}
	}
	w.numbers = numbers
	count := int64(len(numbers))
	s.count += count
	s.numbers.addAll(numbers)
	if n.open {
		s.shapes.add(anyReading, short+long)
		s.shapes.add(pointReadings|1<<pointThousands, thousands)
		s.shapes.add(pointReadings, points-thousands)
		s.short += short
		s.long += long
	}
	if unknown {
		s.length += length
		s.dates.numbers.count += count - told
	}
	switch {
	case log && t.log.full():
		w.crowd(t, n)
	case ended:
		t.distinguish()
	}
	return row
}
