package table

import (
	"bytes"
	"strings"
)

// order is the order of year, month and day in dates of numbers.
type order uint8

const (
	yearFirst order = iota
	monthFirst
	dayFirst
	orders = iota
)

// written is a date as it is written, perhaps with a time of day.
type written struct {
	numbers [3]int
	digits  int // of the first number
	// fixed says that the numbers are year, month and day. Otherwise the column decides about their
	// order; the year is not the first number, unless it is short, of two digits, and without points.
	fixed, short bool
	// point says that points separate the numbers.
	point bool
	clockTime
}

// clockTime is a time of day.
type clockTime struct {
	hour, minute, second, nanos int
	zone                        int // minutes east of UTC
}

// writtenDate reads a date: numbers separated by /, -, . or blanks, or a month by its English name.
// A year has four digits or two; a year of four may stand first or last. The name of a weekday may
// stand before, a time of day behind: 11:35, 11:35:52.25, 3:05 PM, with Z, UTC, GMT or a zone such
// as +01:00.
func writtenDate(cell []byte) (w written, ok bool) {
	text := bytes.Trim(cell, " \t")
	if len(text) == 0 {
		return w, false
	}
	if text[0]-'0' > 9 {
		word, rest := letters(text)
		if weekdayOf(word) >= 0 {
			text = skip(rest, ",. ")
			if len(text) > 0 && text[0]-'0' > 9 {
				word, rest = letters(text)
			}
		}
		if len(text) == 0 || text[0]-'0' > 9 {
			if w.numbers[1] = monthOf(word); w.numbers[1] == 0 {
				return w, false
			}
			return w, w.monthDay(rest)
		}
	}
	n := digitCount(text)
	first, rest := digitsOf(text, 1, 8)
	switch {
	case n > 8 || rest == nil:
		return w, false
	case n == 8:
		return w, len(rest) > 0 && w.compact(first) && w.timeOfDay(rest)
	case n != 1 && n != 2 && n != 4 || len(rest) == 0:
		return w, false
	}
	w.numbers[0], w.digits = first, n
	separator := rest[0]
	w.point = separator == '.'
	if word, rest := letters(skip(ordinal(rest, n), "-/. ")); len(word) > 0 {
		if w.numbers[1] = monthOf(word); w.numbers[1] == 0 {
			return w, false
		}
		return w, w.namedMonth(n, skip(rest, "-/., "))
	}
	if strings.IndexByte("-/. ", separator) < 0 {
		return w, false
	}
	if rest = rest[1:]; separator == '.' {
		rest = skip(rest, " ")
	}
	second, rest := digitsOf(rest, 1, 2)
	if len(rest) == 0 || rest[0] != separator {
		return w, false
	}
	w.numbers[1] = second
	if rest = rest[1:]; separator == '.' {
		rest = skip(rest, " ")
	}
	n3 := digitCount(rest)
	third, rest := digitsOf(rest, 1, 4)
	w.numbers[2] = third
	switch {
	case rest == nil:
		return w, false
	case n == 4:
		w.fixed = n3 <= 2
	case n3 == 2:
		w.short = true
	}
	return w, (w.fixed || n != 4 && (w.short || n3 == 4)) && w.timeOfDay(rest)
}

// compact takes a date of eight digits, from 1800 to 2100.
func (w *written) compact(v int) bool {
	w.numbers, w.fixed = [3]int{v / 10000, v / 100 % 100, v % 100}, true
	_, ok := w.in(yearFirst)
	return ok && v >= 1800_01_01 && v <= 2100_12_31
}

// monthDay reads what follows the name of a month: 10, 2004, or 10 11:35:52 2004 with a zone before
// the year if it has one, or a year of four digits alone.
func (w *written) monthDay(text []byte) bool {
	text = skip(text, "-/., ")
	n := digitCount(text)
	v, rest := digitsOf(text, 1, 4)
	w.fixed = true
	switch {
	case n == 4:
		w.numbers[0], w.numbers[2] = v, 1
		return len(rest) == 0
	case n != 1 && n != 2:
		return false
	}
	w.numbers[2] = v
	rest = ordinal(rest, n)
	text = skip(rest, "-/., ")
	if len(text) == len(rest) {
		return false
	}
	if n = digitCount(text); len(text) > n && text[n] == ':' {
		if rest = w.clock(text); rest == nil {
			return false
		}
		if year := bytes.LastIndexByte(rest, ' '); year >= 0 {
			var sound bool
			w.zone, sound = anyZone(bytes.Trim(rest[:year], " "))
			v, rest = digitsOf(rest[year+1:], 4, 4)
			w.numbers[0] = v
			return sound && rest != nil && len(rest) == 0
		}
		return false
	}
	return w.year(text)
}

// namedMonth reads the year of a date whose first number, of n digits, stands before the name of its
// month; or the day, if the first number is the year.
func (w *written) namedMonth(n int, text []byte) bool {
	w.fixed = true
	if n == 4 {
		var rest []byte
		w.numbers[2], rest = digitsOf(text, 1, 2)
		return rest != nil && w.timeOfDay(rest)
	}
	w.numbers[2] = w.numbers[0]
	return w.year(text)
}

// year reads a year of two or four digits that ends a date, and the time of day.
func (w *written) year(text []byte) bool {
	n := digitCount(text)
	v, rest := digitsOf(text, 2, 4)
	if rest == nil || n == 3 || n > 4 {
		return false
	}
	if w.numbers[0] = v; n == 2 {
		w.numbers[0], w.short = fullYear(v), true
	}
	return w.timeOfDay(rest)
}

// fullYear returns the year that two digits stand for: from 1969 to 2068, as POSIX has it.
func fullYear(v int) int {
	if v < 69 {
		return 2000 + v
	}
	return 1900 + v
}

// in returns the moment that a date is in an order, and false if the date has no moment in it.
func (w *written) in(o order) (m moment, ok bool) {
	year, month, day := w.numbers[0], w.numbers[1], w.numbers[2]
	if !w.fixed {
		switch {
		case o == dayFirst:
			year, day = day, year
		case o == monthFirst:
			year, month, day = day, year, month
		case !w.short || w.digits != 2 || w.point:
			return m, false
		}
		if w.short {
			year = fullYear(year)
		}
	}
	return momentOf(year, month, day, &w.clockTime)
}

// momentOf returns a moment by its date and time of day. ok is false where no such moment exists.
func momentOf(year, month, day int, t *clockTime) (m moment, ok bool) {
	if year < 1 || month < 1 || month > 12 || day < 1 || day > monthDays(year, month) || t.hour > 23 || t.minute > 59 || t.second > 59 {
		return m, false
	}
	days := daysSince1970(year, month, day)
	m.parts = [3]uint8{uint8(t.hour), uint8(23 + month), weekdayParts[((days%7)+7)%7]}
	m.seconds = float64(days*86400+t.hour*3600+t.minute*60+t.second-t.zone*60) + float64(t.nanos)/1e9
	return m, true
}

// timeOfDay reads the time of day behind a date, which may lack, and its zone.
func (w *written) timeOfDay(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	begin := skip(text, ", ")
	if len(begin) == len(text) && (text[0] == 'T' || text[0] == ':') {
		begin = text[1:]
	}
	if len(begin) == len(text) {
		return false
	}
	rest := w.clock(begin)
	if rest == nil {
		return false
	}
	var sound bool
	w.zone, sound = anyZone(bytes.TrimLeft(rest, " "))
	return sound
}

// clock reads a time of day without its zone, and returns what follows; nil if text does not begin
// with a time. The digits may stand without colons, as in 093015.
func (t *clockTime) clock(text []byte) []byte {
	n := digitCount(text)
	var rest []byte
	switch {
	case n == 4 || n == 6:
		t.hour, rest = digitsOf(text, 2, 2)
		if t.minute, rest = digitsOf(rest, 2, 2); n == 6 {
			t.second, rest = digitsOf(rest, 2, 2)
		}
	default:
		if t.hour, rest = digitsOf(text, 1, 2); len(rest) == 0 {
			return nil
		}
		if c := rest[0]; c == ':' || c == '.' {
			if t.minute, rest = behind(rest, c, 2, 2); len(rest) > 2 && rest[0] == c && rest[1]-'0' <= 9 {
				t.second, rest = behind(rest, c, 2, 2)
			}
		} else if _, _, half := halfOfDay(rest); !half {
			return nil
		}
	}
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') && rest[1]-'0' <= 9 {
		t.nanos, rest = fraction(rest[1:])
	}
	if rest == nil {
		return nil
	}
	if afternoon, behind, half := halfOfDay(rest); half {
		if rest = behind; t.hour < 1 || t.hour > 12 {
			return nil
		}
		if t.hour %= 12; afternoon {
			t.hour += 12
		}
	}
	if t.hour > 23 || t.minute > 59 || t.second > 59 {
		return nil
	}
	return rest
}

// halfOfDay reads AM or PM, as 3 PM, 3pm or 3 p.m. have it.
func halfOfDay(text []byte) (afternoon bool, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " ")
	if len(text) < 2 {
		return false, nil, false
	}
	half, rest := text[0]|0x20, text[1:]
	points := rest[0] == '.'
	if points {
		rest = rest[1:]
	}
	if half != 'a' && half != 'p' || len(rest) == 0 || rest[0]|0x20 != 'm' {
		return false, nil, false
	}
	if rest = rest[1:]; points && len(rest) > 0 && rest[0] == '.' {
		rest = rest[1:]
	}
	return half == 'p', rest, true
}

// anyZone reads a zone, in minutes east of UTC.
func anyZone(text []byte) (minutes int, ok bool) {
	if word := string(text); word == "UTC" || word == "GMT" {
		return 0, true
	}
	return zoneOf(text)
}

// skip goes behind characters of a set.
func skip(text []byte, set string) []byte { return bytes.TrimLeft(text, set) }

// ordinal goes behind the ending of an ordinal number of one or two digits, as in 10th.
func ordinal(text []byte, digits int) []byte {
	if digits <= 2 && len(text) >= 2 {
		switch string(bytes.ToLower(text[:2])) {
		case "st", "nd", "rd", "th":
			return text[2:]
		}
	}
	return text
}

func digitCount(text []byte) int {
	n := 0
	for n < len(text) && text[n]-'0' <= 9 {
		n++
	}
	return n
}

// letters returns the ASCII letters with which text begins, and what follows.
func letters(text []byte) (word, rest []byte) {
	n := 0
	for n < len(text) && (text[n]|0x20)-'a' <= 25 {
		n++
	}
	return text[:n], text[n:]
}

var (
	monthNames   = strings.Fields("january february march april may june july august september october november december")
	weekdayNames = strings.Fields("monday tuesday wednesday thursday friday saturday sunday")
)

// monthOf returns the month of a name, or of its first three letters; 0 for no name. Case does not
// matter.
func monthOf(word []byte) int {
	if len(word) == 4 && strings.EqualFold(string(word), "sept") {
		return 9
	}
	return 1 + named(word, monthNames)
}

// weekdayOf returns the place of a weekday by its name, from Monday on, or -1.
func weekdayOf(word []byte) int { return named(word, weekdayNames) }

// named returns the place of a name that a word is, or begins with three letters; -1 for none.
func named(word []byte, names []string) int {
	if len(word) < 3 {
		return -1
	}
	for k, name := range names {
		if len(word) == 3 && strings.EqualFold(string(word), name[:3]) || len(word) == len(name) && strings.EqualFold(string(word), name) {
			return k
		}
	}
	return -1
}
