package variants

import (
	"fmt"
	"strings"
	"time"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// Layouts of clean times.
const isoDay, isoTime = "2006-01-02", "2006-01-02T15:04:05"

// layout rewrites a column of ISO times by another layout.
func (t Table) layout(column, layout string) Table {
	return t.with(column, func(cell string) string {
		if cell == "" {
			return ""
		}
		for _, iso := range []string{isoDay, isoTime} {
			if at, err := time.Parse(iso, cell); err == nil {
				return at.Format(layout)
			}
		}
		panic("no ISO time: " + cell)
	})
}

func dayMonth(column string) Said { return Said{Kinds: []notes.Kind{notes.DayMonth}, Column: column} }

func dates(add adder) {
	// A column of times beside a number; clean is the ISO layout with all that layout writes.
	written := func(name, clean, layout string, change func(c *Case)) {
		add(name, func(m *maker) Case {
			t := m.table(m.times("d", clean, 1500), m.small())
			c := csv(t, tab.text(t.layout("d", layout)), "d")
			c = c.answers("--times", "d="+layout, "d")
			if change != nil {
				change(&c)
			}
			return c
		})
	}
	for _, l := range []string{
		"2006-01-02", "2006/01/02", "01/02/2006", "1/2/2006", "02/01/2006", "02.01.2006", "2.1.2006", "02-01-2006", "02-Jan-06", "02-Jan-2006", "2-Jan-06", "02 Jan 2006",
		"Jan 2, 2006", "January 2, 2006", "2 January 2006", "01/02/06", "02.01.06", "02Jan2006", "2006.01.02", "Mon, 02 Jan 2006", "2006-1-2",
	} {
		written("day "+l, isoDay, l, nil)
	}
	for _, l := range []string{
		"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z", "2006-01-02T15:04:05.000Z", "2006-01-02 15:04:05+00:00", "2006-01-02 15:04:05 UTC",
		"2006-01-02 15:04:05.123456", "1/2/2006 15:04", "1/2/2006 3:04 PM", "01/02/2006 03:04:05 PM", "02.01.2006 15:04", "02/01/2006 15:04:05", "02-Jan-06 15:04",
		"Jan 2, 2006 3:04 PM", "Mon, 02 Jan 2006 15:04:05 +0000", "20060102T150405Z", "2006/01/02 15:04:05", "2006-01-02 15.04.05",
	} {
		written("time "+l, isoTime, l, func(c *Case) {
			if strings.Contains(l, ".123456") {
				c.Or = append(c.Or, c.Train.layout("d", "2006-01-02T15:04:05.123456"))
			}
		})
	}
	zone := time.FixedZone("", -8*3600)
	for name, l := range map[string]string{"colon": "2006-01-02T15:04:05-07:00", "blank": "2006-01-02 15:04:05 -0700", "no colon": "2006-01-02T15:04:05-0700"} {
		add("zone, "+name, func(m *maker) Case {
			t := m.table(m.times("d", isoTime, 1500), m.small())
			in := func(layout string) Table {
				return t.with("d", func(cell string) string {
					at, _ := time.Parse(isoTime, cell)
					return at.In(zone).Format(layout)
				})
			}
			c := csv(t, tab.text(in(l)), "d")
			c.Or = []Table{in(isoTime)} // the hour of the clock there; the seconds are shifted alone
			return c
		})
	}
	add("compact days without a flag", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		compact := t.layout("d", "20060102")
		c := csv(t, dialect{}.text(compact), "d")
		c.Or = []Table{compact.of("d", table.Number)}
		return c.may(Said{Column: "d"})
	})
	add("compact days named times", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		c := csv(t, dialect{}.text(t.layout("d", "20060102")), "d").answers("--times", "d=20060102", "d=%Y%m%d", "d=yyyymmdd")
		c.Flags = []string{"--times", "d"}
		return c
	})
	for name, l := range map[string]string{"compact": "20060102", "day first": "02/01/2006", "month first": "01/02/2006"} {
		add("format flag, "+name, func(m *maker) Case {
			t := m.table(m.times("d", isoDay, 1500), m.small())
			c := csv(t, dialect{}.text(t.layout("d", l)), "d")
			c.Flags = []string{"--times", "d=" + strings.NewReplacer("2006", "%Y", "01", "%m", "02", "%d").Replace(l)}
			return c
		})
	}
	add("years too small for seconds", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 20000), m.small())
		t = t.with("d", func(cell string) string { return cell[:4] + "-01-01" })
		c := csv(t, dialect{}.text(t.layout("d", "2006")), "d")
		c.Flags = []string{"--times", "d"}
		return c.orRefuse("t.csv", `"d"`, "line 2")
	})
	add("day and month fit both ways", func(m *maker) Case {
		d := m.column("d", table.Time, func() string {
			return fmt.Sprintf("20%02d-%02d-%02d", 10+m.IntN(9), 1+m.IntN(12), 1+m.IntN(12))
		})
		t := m.table(d, m.small())
		c := csv(t, dialect{}.text(t.layout("d", "01/02/2006")), "d")
		c.Or = []Table{t.with("d", func(cell string) string { return cell[:5] + cell[8:] + "-" + cell[5:7] })}
		c.Notes = []Said{dayMonth("d")}
		return c
	})
	add("one day of 31 decides", func(m *maker) Case {
		d := m.column("d", table.Time, func() string {
			return fmt.Sprintf("20%02d-%02d-%02d", 10+m.IntN(9), 1+m.IntN(12), 1+m.IntN(12))
		})
		d.Cells[m.some(1)[0]] = "2012-05-31"
		t := m.table(d, m.small())
		return csv(t, dialect{}.text(t.layout("d", "02/01/2006")), "d")
	})
	add("day and month contradict", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		us, eu := t.layout("d", "01/02/2006"), t.layout("d", "02/01/2006")
		k := t.at("d")
		return csv(t, dialect{}.text(t.each("d", func(i int, _ string) string {
			if i%2 == 0 {
				return us.Columns[k].Cells[i]
			}
			return eu.Columns[k].Cells[i]
		})), "d").unread("d")
	})
	add("two formats that can be told apart", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		dotted := t.layout("d", "02.01.2006")
		return csv(t, dialect{}.text(t.each("d", func(i int, cell string) string {
			if i%2 == 0 {
				return cell
			}
			return dotted.Columns[0].Cells[i]
		})), "d").may(Said{Column: "d"})
	})
	add("days and times in one column", func(m *maker) Case {
		t := m.table(m.times("d", isoTime, 1500), m.small())
		t = t.each("d", func(i int, cell string) string {
			if i%3 == 0 {
				return cell[:10] + "T00:00:00"
			}
			return cell
		})
		return csv(t, dialect{}.text(t.with("d", func(cell string) string { return strings.TrimSuffix(cell, "T00:00:00") })), "d")
	})
	for name, cells := range map[string][]string{
		"versions":         {"1.2.3", "1.2.4", "2.0.0", "10.1.2"},
		"fractions":        {"1/2", "3/4", "1/4", "2/3"},
		"scores":           {"3-1", "2-2", "0-1", "1-0"},
		"addresses":        {"10.0.0.1", "10.0.0.2", "192.168.1.1"},
		"month words":      {"May", "June", "April"},
		"numbers of parts": {"10-12-99999", "11-10-99998", "09-01-99997"},
		"impossible days":  {"2015-02-30", "2015-13-01", "2015-04-31"},
		"times of day":     {"11:35", "12:40", "23:59"},
		"quarters":         {"2015Q1", "2015Q2", "2016Q4"},
	} {
		add("no dates: "+name, func(m *maker) Case {
			t := m.table(m.words("d", cells...), m.small())
			return csv(t, dialect{}.text(t), "d").may(Said{Column: "d"})
		})
	}
	add("seconds since 1970", func(m *maker) Case {
		t := m.table(m.times("d", isoTime, 1500), m.small())
		c := csv(t, dialect{}.text(t.with("d", func(cell string) string {
			at, _ := time.Parse(isoTime, cell)
			return fmt.Sprint(at.Unix())
		})), "d")
		c.Flags = []string{"--times", "d"}
		return c
	})
	add("milliseconds since 1970", func(m *maker) Case {
		t := m.table(m.times("d", isoTime, 1500), m.small())
		c := csv(t, dialect{}.text(t.with("d", func(cell string) string {
			at, _ := time.Parse(isoTime, cell)
			return fmt.Sprint(at.UnixMilli())
		})), "d")
		c.Flags = []string{"--times", "d"}
		return c.orRefuse("t.csv", `"d"`)
	})
	add("days in the future, two digits of years", func(m *maker) Case {
		d := m.column("d", table.Time, func() string {
			return time.Date(1965+m.IntN(40), time.Month(1+m.IntN(12)), 13+m.IntN(15), 0, 0, 0, 0, time.UTC).Format(isoDay)
		})
		t := m.table(d, m.small())
		c := csv(t, dialect{}.text(t.layout("d", "02.01.06")), "d")
		c.Or = []Table{t.with("d", func(cell string) string {
			if cell < "1969" {
				return "20" + cell[2:]
			}
			return cell
		})}
		return c.may(Said{Column: "d"})
	})
	add("a format of dates in two columns", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.times("e", isoDay, 1500), m.small())
		return csv(t, semicolon.text(t.layout("d", "02.01.2006").layout("e", "1/2/2006")), "d", "e")
	})
	add("dates in another format at prediction", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		return csv(t, dialect{}.text(t), "d").scoring("new.csv", dialect{}.text(t.layout("d", "02.01.2006"))).may(Said{Column: "d"})
	})
	add("day and month at prediction as in training", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		c := csv(t, dialect{}.text(t.layout("d", "02/01/2006")), "d")
		new := t.only(func(row int) bool { return t.Columns[0].Cells[row][8:] <= "12" })
		return c.scoring("new.csv", dialect{}.text(new.layout("d", "02/01/2006")), new)
	})
	add("dates in JSON lines", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		return one(t, "t.jsonl", objects(t.layout("d", "1/2/2006"), nil), "d")
	})
}
