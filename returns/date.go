package returns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/sparse"
)

// DateOrder says in which order dates give day, month and year.
type DateOrder int

const (
	// AnyOrder takes the order from the dates, and refuses dates that leave it open.
	AnyOrder DateOrder = iota
	// YearFirst is YYYYMMDD or YYYY-MM-DD, and the like with a month or a year only.
	YearFirst
	// DayFirst is dd.mm.yyyy or dd/mm/yyyy.
	DayFirst
	// MonthFirst is mm/dd/yyyy.
	MonthFirst
)

var orderNames = []string{"any", "ymd", "dmy", "mdy"}

// ParseDateOrder returns what any, ymd, dmy or mdy stand for.
func ParseDateOrder(name string) (DateOrder, error) {
	k := slices.Index(orderNames, name)
	if k < 0 {
		return 0, fmt.Errorf("returns: dates have the order %s, not %q", strings.Join(orderNames[1:], ", "), name)
	}
	return DateOrder(k), nil
}

// date is a date as its text gives it, before the order of its parts is known.
type date struct {
	parts []int // two with a month only, one with a year only
	shape dateShape
	clock time.Duration // since midnight in UTC, which may be the day before or after
}

// dateShape holds the properties that all dates of a column share.
type dateShape struct {
	mark  byte // separator of the parts, 0 for dates without one
	parts int
	year  int // the place of the year, -1 if no part has four digits
}

// readDate reads a date, perhaps followed by a time of day. It does not check that the day
// exists.
func readDate(text string) (d date, ok bool) {
	day := text
	if at := strings.IndexAny(text, "Tt "); at > 0 {
		if d.clock, ok = readClock(strings.TrimSpace(text[at+1:])); !ok {
			return d, false
		}
		day = text[:at]
	}
	groups := []string{day}
	if at := strings.IndexAny(day, "-/."); at > 0 {
		d.shape.mark = day[at]
		groups = strings.Split(day, day[at:at+1])
	} else {
		switch len(day) {
		case 4:
		case 6:
			groups = []string{day[:4], day[4:]}
		case 8:
			groups = []string{day[:4], day[4:6], day[6:]}
		default:
			return d, false
		}
	}
	if len(groups) > 3 || d.shape.mark == '.' && len(groups) != 3 {
		return d, false // 1.5 is a number
	}
	d.shape.parts, d.shape.year = len(groups), -1
	for k, group := range groups {
		v, err := strconv.ParseUint(group, 10, 16)
		if err != nil || group[0] == '+' {
			return d, false
		}
		switch {
		case len(group) == 4 && (k == 0 || k == len(groups)-1) && d.shape.year < 0:
			d.shape.year = k
		case len(group) > 2:
			return d, false
		}
		d.parts = append(d.parts, int(v))
	}
	if d.shape.mark == 0 { // the text may be any number
		ok = d.parts[0] >= 1500 && d.parts[0] <= 2500 && (len(d.parts) < 2 || d.parts[1] >= 1 && d.parts[1] <= 12) &&
			(len(d.parts) < 3 || d.parts[2] >= 1 && d.parts[2] <= 31)
		return d, ok
	}
	return d, len(groups) == 3 || d.shape.year >= 0
}

// readClock reads a time of day.
func readClock(text string) (time.Duration, bool) {
	for _, zone := range []string{"", "Z07:00", "Z0700", " Z07:00", " Z0700", " UTC"} {
		for _, layout := range []string{"15:04", "15:04:05", "3:04 PM", "3:04:05 PM"} {
			if t, err := time.Parse(layout+zone, text); err == nil {
				return t.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)), true
			}
		}
	}
	return 0, false
}

// dateColumn is the first column of a table.
type dateColumn struct {
	dates []date
	lines []int64 // that they stand in
	order DateOrder
	why   int64 // the line that decided on the order, 0 before any line did
}

// add takes the next date; the message says what is wrong with it.
func (c *dateColumn) add(text string, line int64, wanted DateOrder) (message string) {
	d, ok := readDate(text)
	switch {
	case !ok:
		return fmt.Sprintf("%.40q where a date should stand, as in 20180329, 2018-03-29 or 29.03.2018", text)
	case d.shape.year < 0:
		return fmt.Sprintf("the date %.40q has no year of four digits", text)
	case len(c.dates) > 0 && d.shape != c.dates[0].shape:
		return fmt.Sprintf("the date %.40q is not written like that of line %d", text, c.lines[0])
	}
	order := wanted
	switch s := d.shape; {
	case wanted != AnyOrder:
		if (wanted == YearFirst) != (s.year == 0) {
			return fmt.Sprintf("the date %.40q does not have the order %s", text, orderNames[wanted])
		}
	case s.year == 0:
		order = YearFirst
	case s.parts == 2, s.mark == '.', d.parts[0] > 12:
		order = DayFirst // 3/2018 too, whose day is the first
	case d.parts[1] > 12:
		order = MonthFirst
	}
	if c.order == AnyOrder {
		c.order, c.why = order, line
	} else if order != AnyOrder && order != c.order {
		return fmt.Sprintf("the date %.40q has its month in another place than that of line %d", text, c.why)
	}
	c.dates, c.lines = append(c.dates, d), append(c.lines, line)
	return ""
}

// times returns the moments that the dates stand for.
func (c *dateColumn) times(name string) ([]time.Time, error) {
	trouble := func(k int, format string, args ...any) error {
		return &sparse.FormatError{Name: name, Line: c.lines[k], Message: fmt.Sprintf(format, args...)}
	}
	out := make([]time.Time, len(c.dates))
	for k, d := range c.dates {
		year, month, day := d.parts[d.shape.year], 1, 1
		switch p := d.parts; {
		case d.shape.parts == 1:
		case d.shape.parts == 2:
			month = p[1-d.shape.year]
		case c.order == YearFirst:
			month, day = p[1], p[2]
		case c.order == DayFirst:
			month, day = p[1], p[0]
		case c.order == MonthFirst:
			month, day = p[0], p[1]
		default:
			return nil, trouble(k, "no date tells days from months: say with DateOrder / --date-format dmy or mdy which come first")
		}
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if t.Month() != time.Month(month) || t.Day() != day {
			return nil, trouble(k, "there is no day %d of month %d in the year %d", day, month, year)
		}
		out[k] = t.Add(d.clock)
	}
	return out, nil
}

// sorted returns the rows in the order of their dates, nil if the file has that order, and
// whether the file has the reverse order. It refuses a repeated date.
func (c *dateColumn) sorted(name string) (order []int, turned bool, err error) {
	times, err := c.times(name)
	if err != nil {
		return nil, false, err
	}
	compare := func(a, b int) int { return times[a].Compare(times[b]) }
	order = make([]int, len(times))
	for k := range order {
		order[k] = k
	}
	inOrder := slices.IsSortedFunc(order, compare)
	slices.Reverse(order)
	turned = !inOrder && slices.IsSortedFunc(order, compare)
	slices.Sort(order)
	slices.SortStableFunc(order, compare)
	for k := 1; k < len(order); k++ {
		if a, b := order[k-1], order[k]; compare(a, b) == 0 {
			return nil, false, &sparse.FormatError{Name: name, Line: c.lines[b], Message: fmt.Sprintf("the date is that of line %d too: every row needs its own", c.lines[a])}
		}
	}
	if inOrder {
		return nil, false, nil
	}
	return order, turned, nil
}

// namesDate tells whether a column of this name is one of dates, or of numbers of rows.
func namesDate(name string) bool {
	switch strings.ToLower(name) {
	case "", "date", "dates", "day", "month", "year", "time", "datetime", "timestamp", "period", "index", "unnamed: 0",
		"yyyymmdd", "yyyymm", "yyyy", "caldt", "datum", "fecha", "data", "jahr", "monat", "tag":
		return true
	}
	return false
}
