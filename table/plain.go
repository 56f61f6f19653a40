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
	row := 0
	at, step := b.at[min(2*k, len(b.at)):], 2*b.width
	for ; row < b.rows && t.many == nil; row++ {
		if !w.kept[row] {
			continue
		}
		from, end := at[row*step], at[row*step+1]
		cell := b.text[from:end]
		if w.none.has(cell) {
			t.missing++
			continue
		}
		if len(cell) > pad {
			w.add(t, n, cell, 1, ^int64(row))
			continue
		}
		if k := t.values.addShort(shortOf(b.text[from:], len(cell)), len(cell)); k < len(t.counts) {
			t.counts[k]++
		} else if t.hold(k, 1, ^int64(row)); t.full() {
			t.many = w.replay(t, n)
		}
	}
	if row == b.rows {
		return
	}
	if s := t.many; n.plain(s, w.none) {
		w.plainColumn(t, n, b, k, row)
		return
	}
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

// plainColumn tallies the cells of a column of many values from a row on, where need.plain says so.
func (w *surveyor) plainColumn(t *tally, n *need, b *block, k, row int) {
	s := t.many
	numbers := w.numbers[:0]
	sketches, unknown := n.sketches(), n.kind == ""
	var told, length, short, long, points, thousands int64
	at, step := b.at[2*k:], 2*b.width
	for ; row < b.rows; row++ {
		if !w.kept[row] {
			continue
		}
		from, end := at[row*step], at[row*step+1]
		cell := b.text[from:end]
		x, form, ok := decimal.Plain(b.text[from:], len(cell))
		if !ok {
			if w.none.has(cell) {
				t.missing++
			} else {
				w.sketched(s, n, cell, 1, w.countOther(s, n, cell, 1, ^int64(row)))
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
}
