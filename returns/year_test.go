package returns_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/lanes-go/lanes/returns"
)

// TestPeriodsPerYear counts the rows of tables with a date for every day, month or year.
func TestPeriodsPerYear(t *testing.T) {
	t.Parallel()
	list := func(layout string, count, years, months, days int) (dates []string) {
		at := time.Date(1999, 5, 1, 0, 0, 0, 0, time.UTC)
		for range count {
			dates = append(dates, at.Format(layout))
			at = at.AddDate(years, months, days)
		}
		return dates
	}
	for _, c := range []struct {
		dates []string
		want  float64
	}{
		{list("20060102", 1400, 0, 0, 1), (366 + 365 + 365.) / 3}, // 1999-05-01 to 2003-02-28
		{list("2006-01-02", 1400, 0, 0, 7), 365.24 / 7},
		{list("1/2/2006", 60, 0, 1, 0), 12}, {list("02.01.2006", 60, 0, 1, 0), 12}, {list("200601", 60, 0, 1, 0), 12}, {list("2006", 9, 1, 0, 0), 1},
		{list("200601", 12, 0, 1, 0), 0}, {nil, 0},
	} {
		table := returns.Table{Dates: c.dates, Periods: len(c.dates)}
		if got := table.PeriodsPerYear(); fmt.Sprintf("%.1f", got) != fmt.Sprintf("%.1f", c.want) {
			t.Errorf("%d dates: %v periods a year, not %v", len(c.dates), got, c.want)
		}
	}
}
