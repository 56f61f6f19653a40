package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// clock reads the cells of a Time column.
type clock struct {
	kind   clockKind
	format strftime
}

// clockKind says how cells are read. The first kinds are the orders of numbers.
type clockKind uint8

const (
	unixTime    = clockKind(orders) + iota // numbers, the time since 1970, from 1973 on or until 1966
	compactDate                            // 20150102, 201501021135 or 20150102113500, from 1800 to 2100
	byFormat                               // strftime
	isoOrUnix                              // what recipes without a format mean
	clockKinds  = orders + iota
)

// clockFormats are the formats of a Column that have a name.
var clockFormats = [...]string{"ymd", "mdy", "dmy", unixTime: "unix", compactDate: "yyyymmdd"}

// clockOf returns the clock of a column's format.
func clockOf(format string) (clock, error) {
	switch k := slices.Index(clockFormats[:], format); {
	case k >= 0:
		return clock{kind: clockKind(k)}, nil
	case format == "":
		return clock{kind: isoOrUnix}, nil
	case strings.IndexByte(format, '%') < 0:
		return clock{}, fmt.Errorf("the format %q of a time: want ymd, mdy or dmy, unix, yyyymmdd, or letters of strftime as in %%d/%%m/%%Y %%H:%%M", format)
	}
	return clock{byFormat, strftime(format)}, strftime(format).check()
}

// read reads a cell.
func (c *clock) read(cell []byte, comma bool) (moment, bool) {
	switch c.kind {
	case unixTime:
		if m, ok := unixCell(cell, comma); ok && math.Abs(m.seconds) >= leastUnix {
			return m, true
		}
		return fullTime(cell)
	case compactDate:
		if m, ok := compactCell(cell); ok {
			return m, true
		}
		return fullTime(cell)
	case byFormat:
		if c.format == "%s" {
			if x, ok := number(cell, comma); ok && math.Abs(x) < 1e11 {
				return atSeconds(x), true
			}
		} else if m, ok := c.format.read(cell); ok {
			return m, true
		}
		return fullTime(cell)
	case isoOrUnix:
		if m, ok := timeOf(cell); ok {
			return m, true
		}
		return unixCell(cell, comma)
	}
	if m, ok := timeOf(cell); ok {
		return m, true
	}
	w, ok := writtenDate(cell)
	if !ok {
		return moment{}, false
	}
	return w.in(order(c.kind))
}

// fullTime reads a date and a time of day with a T between them, as 2017-11-07T09:30:15Z: no format
// means another time by it.
func fullTime(cell []byte) (moment, bool) {
	if len(cell) > 10 && cell[10] == 'T' {
		return timeOf(cell)
	}
	return moment{}, false
}

// leastUnix is the least number of seconds before or after 1970 that is taken for a time: dates as
// 20150102, years and days are less.
const leastUnix = 1e8

// unixCell reads a number, the time since 1970. It is in seconds below 1e11, in milliseconds below
// 1e14, in microseconds below 1e17, and in nanoseconds from there on.
func unixCell(cell []byte, comma bool) (moment, bool) {
	x, ok := number(cell, comma)
	if !ok || math.Abs(x) >= 1e20 {
		return moment{}, false
	}
	for math.Abs(x) >= 1e11 {
		x /= 1e3
	}
	return atSeconds(x), true
}

// atSeconds is a moment by its seconds since 1970, in UTC.
func atSeconds(x float64) moment {
	at := time.Unix(int64(math.Floor(x)), 0).UTC()
	return moment{x, [3]uint8{uint8(at.Hour()), uint8(23 + at.Month()), weekdayParts[(at.Weekday()+3)%7]}}
}

// compactCell reads a date of eight digits, perhaps with hour and minute, or second, behind.
func compactCell(cell []byte) (m moment, ok bool) {
	n := len(cell)
	if digitCount(cell) != n || n != 8 && n != 12 && n != 14 {
		return m, false
	}
	var w written
	date, _ := digitsOf(cell, 8, 8)
	if !w.compact(date) || n > 8 && w.clock(cell[8:]) == nil {
		return m, false
	}
	return w.in(yearFirst)
}
