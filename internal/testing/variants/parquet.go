package variants

import (
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

func parquets(add adder) {
	// The plain table with one column as write makes it.
	typed := func(name string, clean func(m *maker) Column, write func(c Column) parquettest.Column, change func(c *Case)) {
		add(name, func(m *maker) Case {
			t := m.table(clean(m), m.small(), m.cities())
			columns := append([]parquettest.Column{write(t.Columns[0])}, flats(t)[1:]...)
			c := one(t, "t.parquet", parquetFile(m.rows, columns...), t.Columns[0].Name)
			if change != nil {
				change(&c)
			}
			return c
		})
	}
	whole := func(m *maker) Column { return m.amounts("x", 0) }
	typed("longs", whole, longs, nil)
	typed("longs with nulls", func(m *maker) Column {
		c := whole(m)
		for _, row := range m.few() {
			c.Cells[row] = ""
		}
		return c
	}, longs, nil)
	typed("text of numbers", func(m *maker) Column { return m.amounts("x", 2) }, byteArrays, nil)
	typed("bytes without a type", func(m *maker) Column { return m.words("x", "u", "v") }, func(c Column) parquettest.Column {
		return flat(c.Name, format.ByteArray, nil, values(c, text))
	}, nil)
	typed("booleans", func(m *maker) Column { return m.words("x", "false", "true") }, func(c Column) parquettest.Column {
		return flat(c.Name, format.Boolean, nil, values(c, func(cell string) any { return cell == "true" }))
	}, nil)
	typed("decimals", func(m *maker) Column { return m.amounts("x", 2) }, func(c Column) parquettest.Column {
		column := flat(c.Name, format.Int64, &format.DecimalType{Scale: 2, Precision: 12}, values(c, func(cell string) any {
			return long(cell[:len(cell)-3] + cell[len(cell)-2:])
		}))
		column.Schema.Scale, column.Schema.Precision = thrift.New(int32(2)), thrift.New(int32(12))
		return column
	}, nil)
	typed("days", func(m *maker) Column { return m.times("d", isoDay, 1500) }, func(c Column) parquettest.Column {
		return flat(c.Name, format.Int32, &format.DateType{}, values(c, func(cell string) any {
			return int32(seconds(cell) / 86400)
		}))
	}, nil)
	for name, unit := range map[string]struct {
		unit  format.TimeUnitValue
		scale int64
	}{"milliseconds": {&format.MilliSeconds{}, 1e3}, "microseconds": {&format.MicroSeconds{}, 1e6}, "nanoseconds": {&format.NanoSeconds{}, 1e9}} {
		for zone, utc := range map[string]bool{"in UTC": true, "without a zone": false} {
			typed("times of "+name+" "+zone, func(m *maker) Column { return m.times("d", isoTime, 1500) }, func(c Column) parquettest.Column {
				return flat(c.Name, format.Int64, &format.TimestampType{IsAdjustedToUTC: utc, Unit: format.TimeUnit{Value: unit.unit}}, values(c, func(cell string) any {
					return seconds(cell) * unit.scale
				}))
			}, nil)
		}
	}
	typed("NaN", func(m *maker) Column {
		c := m.amounts("x", 2)
		for _, row := range m.few() {
			c.Cells[row] = ""
		}
		return c
	}, func(c Column) parquettest.Column {
		c = Column{Name: c.Name, Cells: append([]string(nil), c.Cells...)}
		for k, cell := range c.Cells {
			if cell == "" {
				c.Cells[k] = "NaN"
			}
		}
		return doubles(c)
	}, nil)
	add("codes as doubles, named a category", func(m *maker) Case {
		t := m.table(m.codesColumn("x", "1", "2", "10"), m.small(), m.cities())
		c := one(t, "t.parquet", parquetFile(m.rows, append([]parquettest.Column{doubles(t.Columns[0])}, flats(t)[1:]...)...), "x")
		c.Flags = []string{"--category", "x"}
		return c.scoring("new.csv", dialect{}.text(t))
	})
	add("labels as doubles, scored with whole labels", func(m *maker) Case {
		t := m.labels("0", "1")
		columns := append(flats(t)[:3], doubles(t.Columns[3]))
		return one(t, "t.parquet", parquetFile(m.rows, columns...), "y").scoring("new.csv", dialect{}.text(t))
	})
	add("an unnamed index of pandas", func(m *maker) Case {
		file := m.plain().insert(4, m.counter("__index_level_0__", 0))
		columns := append(flats(file)[:4], longs(file.Columns[4]))
		c := one(file, "t.parquet", parquetFile(m.rows, columns...), "__index_level_0__")
		c.Notes = []Said{leftOut("__index_level_0__")}
		return c
	})

	// Nested columns.
	tags := func(m *maker) parquettest.Column {
		rows := make([][]int64, m.rows)
		for k := range rows {
			for range m.IntN(4) {
				rows[k] = append(rows[k], int64(m.IntN(9)))
			}
		}
		return lists("tags", rows)
	}
	for name, flags := range map[string][]string{"a list": nil, "an ignored list": {"--ignore", "tags"}} {
		for place, at := range map[string]int{"first": 0, "last": 4} {
			add(name+", "+place, func(m *maker) Case {
				t := m.plain()
				columns := flats(t)
				columns = append(columns[:at:at], append([]parquettest.Column{tags(m)}, columns[at:]...)...)
				c := one(t, "t.parquet", parquetFile(m.rows, columns...), "tags")
				c.Flags = flags
				if flags == nil {
					c.Notes = []Said{{Kinds: []notes.Kind{notes.Nested, notes.LeftOut}, Column: "tags"}}
				}
				return c.answers("--ignore", "tags").may(Said{Column: "tags"})
			})
		}
	}
	add("a list in the scored file alone", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{}.text(t), "tags").scoring("new.parquet", parquetFile(m.rows, append(flats(t), tags(m))...)).may(Said{Column: "tags"})
	})
	add("a group", func(m *maker) Case {
		t := m.table(m.amounts("a.x", 2), m.numbers("a.z", -9, 9, 1), m.cities())
		inner := []parquettest.Column{doubles(t.Columns[0].as("x")), doubles(t.Columns[1].as("z"))}
		return one(t, "t.parquet", parquetFile(m.rows, append(grouped("a", inner...), flats(t)[2:]...)...), "a", "a.x", "a.z")
	})
	add("a group that is ignored", func(m *maker) Case {
		t := m.plain()
		extra := []parquettest.Column{doubles(t.Columns[0].as("u")), doubles(t.Columns[1].as("v"))}
		c := one(t, "t.parquet", parquetFile(m.rows, append(grouped("a", extra...), flats(t)...)...), "a", "a.u", "a.v")
		c.Flags = []string{"--ignore", "a"}
		return c.may(Said{Column: "a"}, Said{Column: "a.u"}, Said{Column: "a.v"}).answers("--ignore", "a.u,a.v")
	})
	add("row groups", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		first, second := flats(a), flats(b)
		for k := range first {
			first[k].Groups = append(first[k].Groups, second[k].Groups...)
		}
		return one(t, "t.parquet", parquettest.File([]int64{int64(a.rows()), int64(b.rows())}, first...))
	})
	add("a target with nulls", func(m *maker) Case {
		t := m.plain()
		gone := m.few()
		c := one(t.only(outside(gone)), "t.parquet", parquetFile(m.rows, flats(t.put("y", "", gone))...), "y", "")
		c.Score = t
		c.Notes = []Said{noTarget("", len(gone))}
		return c
	})
	add("longs beyond exact doubles", func(m *maker) Case {
		t := m.table(m.column("id", table.Category, func() string { return strconv.FormatInt(9007199254740992+int64(m.IntN(3)), 10) }), m.small(), m.cities())
		c := one(t, "t.parquet", parquetFile(m.rows, append([]parquettest.Column{longs(t.Columns[0])}, flats(t)[1:]...)...), "id")
		c.Or = []Table{t.of("id", table.Number), t.of("id", table.Ignore)}
		return c.may(Said{Column: "id"})
	})
}

// seconds returns the seconds from 1970 to an ISO time.
func seconds(cell string) int64 {
	for _, layout := range []string{isoDay, isoTime} {
		if at, err := time.Parse(layout, cell); err == nil {
			return at.Unix()
		}
	}
	panic("no ISO time: " + cell)
}
