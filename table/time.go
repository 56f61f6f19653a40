package table

import (
	"fmt"
	"slices"
)

// moment is what a cell of a Time says.
type moment struct {
	// seconds since 1970 in UTC; a time without a zone is taken as UTC.
	seconds float64
	// parts are the places of hour, month and weekday in momentParts, as the cell says them: a
	// zone does not change them.
	parts [3]uint8
}

// momentParts are the names of hours, months and weekdays in the order of bytes. A vocabulary of
// a Time is a list of some.
var momentParts = func() (names []string) {
	for hour := range 24 {
		names = append(names, fmt.Sprintf("hour=%02d", hour))
	}
	for month := range 12 {
		names = append(names, fmt.Sprintf("month=%02d", month+1))
	}
	for _, day := range []string{"Fri", "Mon", "Sat", "Sun", "Thu", "Tue", "Wed"} {
		names = append(names, "weekday="+day)
	}
	return names
}()

// momentPart returns the place of a name in momentParts, or false.
func momentPart(name string) (int, bool) { return slices.BinarySearch(momentParts, name) }

// weekdayParts are the places of the weekdays from Thursday on, the weekday of 1970-01-01.
var weekdayParts = [7]uint8{40, 36, 38, 39, 37, 41, 42}

// timeOf reads a date, or a date and a time of day: 2017-11-07, 2017-11-07 9:30,
// 2017-11-07T09:30:15.25Z, with Z or a zone such as +01:00 or -0500 at the end of a time.
func timeOf(cell []byte) (m moment, ok bool) {
	year, rest := digitsOf(cell, 4, 4)
	month, rest := behind(rest, '-', 1, 2)
	day, rest := behind(rest, '-', 1, 2)
	if rest == nil {
		return m, false
	}
	var t clockTime
	if len(rest) > 0 {
		separator := byte('T')
		if rest[0] == ' ' {
			separator = ' '
		}
		t.hour, rest = behind(rest, separator, 1, 2)
		if t.minute, rest = behind(rest, ':', 2, 2); len(rest) > 0 && rest[0] == ':' {
			if t.second, rest = behind(rest, ':', 2, 2); len(rest) > 0 && rest[0] == '.' {
				t.nanos, rest = fraction(rest[1:])
			}
		}
		if rest == nil {
			return m, false
		}
		if t.zone, ok = zoneOf(rest); !ok {
			return m, false
		}
	}
	return momentOf(year, month, day, &t)
}

// digitsOf reads a whole number of least to most digits. rest is nil if there is no such number.
func digitsOf(text []byte, least, most int) (v int, rest []byte) {
	n := 0
	for n < len(text) && n < most && text[n]-'0' <= 9 {
		v = v*10 + int(text[n]-'0')
		n++
	}
	if n < least {
		return 0, nil
	}
	return v, text[n:]
}

// behind reads a number behind a separator.
func behind(text []byte, separator byte, least, most int) (int, []byte) {
	if len(text) == 0 || text[0] != separator {
		return 0, nil
	}
	return digitsOf(text[1:], least, most)
}

// fraction reads the digits behind the point of seconds; nine of them count.
func fraction(text []byte) (nanos int, rest []byte) {
	unit := 100_000_000
	n := 0
	for ; n < len(text) && text[n]-'0' <= 9; n++ {
		nanos += int(text[n]-'0') * unit
		unit /= 10
	}
	if n == 0 {
		return 0, nil
	}
	return nanos, text[n:]
}

// zoneOf reads a zone, in minutes east of UTC.
func zoneOf(text []byte) (minutes int, ok bool) {
	if len(text) == 0 || string(text) == "Z" {
		return 0, true
	}
	sign := 1
	switch text[0] {
	case '-':
		sign = -1
	case '+':
	default:
		return 0, false
	}
	hour, rest := digitsOf(text[1:], 2, 2)
	if len(rest) > 0 && rest[0] == ':' {
		rest = rest[1:]
		if len(rest) == 0 {
			return 0, false
		}
	}
	minute := 0
	if len(rest) > 0 {
		minute, rest = digitsOf(rest, 2, 2)
	}
	if rest == nil || len(rest) > 0 || hour > 23 || minute > 59 {
		return 0, false
	}
	return sign * (hour*60 + minute), true
}

func monthDays(year, month int) int {
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return 29
	}
	return [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// daysSince1970 counts days of the Gregorian calendar.
func daysSince1970(year, month, day int) int {
	year, month = year-(14-month)/12, month+(14-month)/12*12
	return day + (153*(month-3)+2)/5 + 365*year + year/4 - year/100 + year/400 - 719469
}
