package table

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// layouts are formats of package time, the same for strftime, and a clock that reads them.
var layouts = []struct{ layout, strftime, clock string }{
	{"2006-01-02", "%Y-%m-%d", "mdy"},
	{"2006-01-02 15:04:05 -0700", "%Y-%m-%d %H:%M:%S %z", "ymd"},
	{"2006/01/02 15:04", "%Y/%m/%d %H:%M", "dmy"},
	{"1/2/2006 15:04", "%m/%d/%Y %H:%M", "mdy"},
	{"01/02/2006", "%m/%d/%Y", "mdy"},
	{"1/2/06", "%m/%d/%y", "mdy"},
	{"02.01.2006", "%d.%m.%Y", "dmy"},
	{"2. 1. 2006", "%d. %m. %Y", "dmy"},
	{"02.01.2006 15.04", "%d.%m.%Y %H.%M", "dmy"},
	{"02/01/2006 3:04 PM", "%d/%m/%Y %I:%M %p", "dmy"},
	{"02/01/2006 03:04:05pm", "%d/%m/%Y %I:%M:%S%p", "dmy"},
	{"2-1-2006 15:04:05.999999", "%d-%m-%Y %H:%M:%S.%f", "dmy"},
	{"06-01-02", "%y-%m-%d", "ymd"},
	{"2-Jan-06", "%d-%b-%y", "ymd"},
	{"2006-Jan-2", "%Y-%b-%d", "dmy"},
	{"02-JAN-2006", "%d-%b-%Y", "ymd"},
	{"02Jan2006:15:04:05", "%d%b%Y:%H:%M:%S", "ymd"},
	{"2 January 2006", "%d %B %Y", "mdy"},
	{"2 Jan, 2006 15:04", "%d %b, %Y %H:%M", "mdy"},
	{"Jan 2, 2006", "%b %d, %Y", "dmy"},
	{"January 2 2006 3 PM", "%B %d %Y %I %p", "dmy"},
	{"Jan-2006", "%b-%Y", "dmy"},
	{"Mon, 02 Jan 2006 15:04:05 GMT", "%a, %d %b %Y %H:%M:%S %z", "ymd"},
	{"Monday, January 2, 2006", "%A, %B %d, %Y", "ymd"},
	{"Mon Jan _2 15:04:05 2006", "%a %b %e %H:%M:%S %Y", "ymd"},
	{"Mon Jan 2 15:04:05 -0700 2006", "%a %b %d %H:%M:%S %z %Y", "ymd"},
	{"02/Jan/2006:15:04:05 -0700", "%d/%b/%Y:%H:%M:%S %z", "ymd"},
	{"20060102T150405Z", "%Y%m%dT%H%M%SZ", "ymd"},
	{"20060102 15:04", "%Y%m%d %H:%M", "ymd"},
	{"20060102", "%Y%m%d", "yyyymmdd"},
	{"200601021504", "%Y%m%d%H%M", "yyyymmdd"},
	{"20060102150405", "%Y%m%d%H%M%S", "yyyymmdd"},
}

// like checks what clocks read of a time that package time writes.
func like(t *testing.T, at time.Time, layout string, formats ...string) {
	t.Helper()
	text := at.Format(layout)
	if strings.HasPrefix(layout, "02-JAN") {
		text = strings.ToUpper(text)
	}
	parsed, err := time.Parse(strings.ReplaceAll(layout, "JAN", "Jan"), text)
	if err != nil {
		t.Fatal(err)
	}
	want, ok := timeOf([]byte(parsed.Format(time.RFC3339Nano)))
	if !ok {
		t.Fatal(parsed)
	}
	for _, format := range formats {
		c, err := clockOf(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range []string{text, " " + text + " "} {
			if cell != text && format == "yyyymmdd" {
				continue
			}
			if got, ok := c.read(padded(cell), false); !ok || got != want {
				t.Fatalf("%s reads %q as %v, %v; want %v, %s", format, cell, got, ok, want, parsed)
			}
		}
	}
}

// Random times in every layout are what package time says.
func TestClocksOfRandomTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, l := range layouts {
		first, years := 1900, 200
		if strings.Contains(l.strftime, "%y") {
			first, years = 1969, 100
		}
		for range repeat.Size(2000, 300) {
			zone := time.UTC
			if strings.Contains(l.strftime, "%z") && !strings.Contains(l.layout, "GMT") {
				zone = time.FixedZone("", 60*(random.IntN(1700)-850))
			}
			at := time.Date(first+random.IntN(years), 1, 1+random.IntN(366), random.IntN(24), random.IntN(60), random.IntN(60), 1000*random.IntN(1e6), zone)
			if at.Year() == first+years {
				continue
			}
			like(t, at, l.layout, l.strftime, l.clock)
		}
	}
}

// Every day from 1900 to 2100 is what package time says, by numbers and by names.
func TestClocksOfEveryDay(t *testing.T) {
	for day := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() <= 2100; day = day.AddDate(0, 0, repeat.Size(1, 7)) {
		like(t, day, "1/2/2006", "mdy", "%m/%d/%Y")
		like(t, day, "2.1.2006", "dmy", "%d.%m.%Y")
		like(t, day, "2 January 2006", "ymd", "%d %B %Y")
		like(t, day, "Mon, Jan 2, 2006", "dmy", "%a, %b %d, %Y")
		like(t, day, "20060102", "yyyymmdd", "%Y%m%d")
	}
}

// Cells that are no times by any clock but the one that is named.
func TestClocksRefuse(t *testing.T) {
	for format, cells := range map[string][]string{
		"dmy": {"", " ", "2/24/2015", "31/04/2015", "29.02.1900", "0/1/2015", "1/0/2015", "1/2", "1/2/3", "1/2/201", "1/2/20155", "123/1/2015", "1//2/2015", "1/2-2015",
			"1/2/2015x", "1/2/2015 25:00", "1/2/2015 11:60", "1/2/2015 11:35:60", "1/2/2015 13:00 PM", "1/2/2015 0:30 am", "1/2/2015 3", "1/2/2015 11:35 PST",
			"1/2/2015 11:5", "5", "20150102", "20150102x", "18000101", "1.5", "1,5", "10.2.2.1", "Mar", "Mar 10", "Mar 32, 2004", "Mars 10, 2004", "10 Marc 2004", "Mar102004", "Monday",
			"Mon 3", "10-Mar-004", "10-Mar", "-1/2/2015", "2015-13-01", "2015/2/30", "1/2/2015T", "Feb 24 11:35 15", "2015-W03", "10 of March", "may be", "1st", "12345678901234567890"},
		"mdy":            {"24/2/2015", "13.1.2015", "2015/24/2", "99-12-31"},
		"ymd":            {"1/2/2015", "2/24/2015", "1-2-15", "24.02.2015", "7-11-5"},
		"unix":           {"20150102", "0", "2015", "42059", "99999999", "-99999999", "x", "2015-01-02", "1e20"},
		"yyyymmdd":       {"20150231", "17991231", "21010101", "2015010", "201501022460", "2015010x", "1e7", "20150102.0", ""},
		"%d/%m/%Y":       {"24/2/15", "2/24/2015", "24.02.2015", "24/02/2015 11:35", "2015-01-02"},
		"%Y%m%d":         {"2015102", "201501023", "20151301", "2015-01-02"},
		"%d/%m/%Y %H:%M": {"24/02/2015", "24/02/2015 24:00", "24/02/2015 1:60"},
		"%I %p %d.%m.%Y": {"13 PM 1.2.2015", "0 AM 1.2.2015"},
		"%s":             {"1e11", "x", ""},
	} {
		c, err := clockOf(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range cells {
			if m, ok := c.read(padded(cell), false); ok {
				t.Errorf("%s reads %q as %v", format, cell, m)
			}
		}
	}
	for _, format := range []string{"x", "dd/mm/yyyy", "%", "%Y-%q", "%m/%d", "%Y %Y", "%Y %y", "%Y-%d", "%Y %p", "%s.%f", "YMD"} {
		if _, err := clockOf(format); err == nil || !strings.Contains(err.Error(), "format") {
			t.Errorf("%q: %v", format, err)
		}
	}
}

// A full time with a T is read by every clock, as scorers write times so; years of two digits are
// from 1969 to 2068; %s is any number of seconds.
func TestClocksAlike(t *testing.T) {
	want, _ := timeOf([]byte("2017-11-07T09:30:15.25+01:00"))
	for _, format := range []string{"", "ymd", "mdy", "dmy", "unix", "yyyymmdd", "%d.%m.%Y", "%s"} {
		c, err := clockOf(format)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := c.read(padded("2017-11-07T09:30:15.25+01:00"), false); !ok || got != want {
			t.Errorf("%q: %v, %v", format, got, ok)
		}
	}
	for cell, year := range map[string]int{"1.2.69": 1969, "1.2.68": 2068, "1-Feb-99": 1999, "1-feb-00": 2000} {
		c := clock{kind: clockKind(dayFirst)}
		like := time.Date(year, 2, 1, 0, 0, 0, 0, time.UTC)
		if got, ok := c.read(padded(cell), false); !ok || got.seconds != float64(like.Unix()) {
			t.Errorf("%s: %v, %v", cell, got, ok)
		}
	}
	noon, _ := timeOf([]byte("2015-02-01T15:05:00Z"))
	for _, cell := range []string{"1/2/2015 3:05 p.m.", "1/2/2015 3:05p.m", "1.2.2015, 15:05 GMT", "1-2-2015 15.05.00", "1 Feb 2015 15:05:00,000 UTC", "Sun 1st February, 2015 3:05 pm", "Feb 1st, 2015 1505", "Sept 1 2015 15:05", "Feb. 1. 2015 15:05:00+00:00"} {
		want := noon
		if strings.HasPrefix(cell, "Sept") {
			want, _ = timeOf([]byte("2015-09-01T15:05:00Z"))
		}
		c := clock{kind: clockKind(dayFirst)}
		if got, ok := c.read(padded(cell), false); !ok || got != want {
			t.Errorf("%q is %v, %v", cell, got, ok)
		}
	}
	c, _ := clockOf("%s")
	if got, ok := c.read(padded("86400"), false); !ok || got.seconds != 86400 {
		t.Errorf("%v, %v", got, ok)
	}
	c = clock{kind: unixTime}
	if got, ok := c.read(padded("100000000"), false); !ok || got.seconds != 1e8 {
		t.Errorf("%v, %v", got, ok)
	}
}
