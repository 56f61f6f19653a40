package table

import (
	"fmt"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// Every day from year 1 to 9999, every hour, and every zone are what package time says.
func TestTimeOf(t *testing.T) {
	check := func(text, layout string) {
		t.Helper()
		want, err := time.Parse(layout, text)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := timeOf([]byte(text))
		parts := [3]string{fmt.Sprintf("hour=%02d", want.Hour()), fmt.Sprintf("month=%02d", want.Month()), "weekday=" + want.Weekday().String()[:3]}
		if !ok || m.seconds != float64(want.Unix())+float64(want.Nanosecond())/1e9 {
			t.Fatalf("%s: %v, %v", text, m, ok)
		}
		for k, name := range parts {
			if momentParts[m.parts[k]] != name {
				t.Fatalf("%s: %s, want %s", text, momentParts[m.parts[k]], name)
			}
		}
	}
	step := repeat.Size(1, 97)
	for day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 10000; day = day.AddDate(0, 0, step) {
		check(day.Format("2006-01-02"), "2006-01-02")
	}
	for minute := range 1440 {
		check(time.Date(2017, 11, 7, minute/60, minute%60, 13, 0, time.UTC).Format(time.DateTime), time.DateTime)
		zone := time.FixedZone("", (minute-720)*60)
		check(time.Date(2016, 2, 29, minute/60, 7, 59, 123456789, zone).Format(time.RFC3339Nano), time.RFC3339Nano)
	}
	check("2017-11-07 9:30", "2006-01-02 15:04")
	check("2017-11-7T09:30-0500", "2006-01-2T15:04-0700")
	check("2017-11-07T09:30:00+05", "2006-01-02T15:04:05-07")
	for _, text := range []string{
		"", "2017", "2017-11", "2017-13-01", "2017-02-29", "1900-02-29", "2017-00-01", "2017-01-00", "2017-01-32", "0000-01-01",
		"2017-01-01 ", "2017-01-01T", "2017-01-01T24:00", "2017-01-01 12", "2017-01-01 12:60", "2017-01-01 12:00:60", "2017-01-01 12:00:00.",
		"2017-01-01 12:00 ", "2017-01-01 12:00+", "2017-01-01 12:00+1", "2017-01-01 12:00+01:", "2017-01-01 12:00+24", "2017-01-01 12:00z",
		"2017-01-01Z", "2017-01-01x12:00", "17-01-01", "20170101", "-017-01-01", "2017-01-01 12:00:00.x", "2017-01-01 12:00+010", "2017-01-01 12:00+01000",
	} {
		if m, ok := timeOf([]byte(text)); ok {
			t.Errorf("%q is %v", text, m)
		}
	}
}
