package variants

import (
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// predicts has files that differ from the training file.
func predicts(add adder) {
	// Trains on a plain file and scores what write makes of the same table.
	scored := func(name string, write func(m *maker, t Table) []byte, change func(c *Case)) {
		add(name, func(m *maker) Case {
			t := m.plain()
			c := csv(t, dialect{}.text(t), "x", "z", "c", "")
			c = c.scoring("new.csv", write(m, t))
			if change != nil {
				change(&c)
			}
			return c
		})
	}
	for name, d := range map[string]dialect{"semicolons": semicolon, "tabs": tab, "bars": bar, "quotes": {quoted: true}, "carriage returns": {end: "\r\n"}, "blanks after commas": {separator: ", "}} {
		scored(name+" in place of commas", func(_ *maker, t Table) []byte { return d.text(t) }, func(c *Case) { *c = c.answers("--separator", d.separator) })
	}
	scored("other order", func(_ *maker, t Table) []byte { return dialect{}.text(t.order("c", "y", "z", "x")) }, nil)
	scored("no target", func(_ *maker, t Table) []byte { return dialect{}.text(t.without("y")) }, nil)
	scored("further columns", func(_ *maker, t Table) []byte {
		return dialect{}.text(t.insert(1, Column{Name: "w", Cells: t.Columns[0].Cells}))
	}, nil)
	scored("json lines", func(_ *maker, t Table) []byte { return objects(t, nil) }, nil)
	scored("parquet", func(m *maker, t Table) []byte { return parquetFile(m.rows, flats(t)...) }, nil)
	scored("a lacking column", func(_ *maker, t Table) []byte { return dialect{}.text(t.without("z")) }, func(c *Case) { c.Refused = []string{"new.csv", "z"} })
	scored("lacking columns", func(_ *maker, t Table) []byte { return dialect{}.text(t.without("z").without("c")) }, func(c *Case) { c.Refused = []string{"new.csv", "z", "c"} })
	scored("no shared column", func(_ *maker, t Table) []byte {
		return dialect{}.text(t.named("x", "u").named("z", "v").named("c", "w"))
	}, func(c *Case) { c.Refused = []string{"new.csv", "x", "z", "c"} })
	scored("sparse text", func(_ *maker, t Table) []byte {
		return []byte(strings.Repeat("1 1:0.5 3:1\n-1 2:1\n", 20))
	}, func(c *Case) { c.Refused = []string{"new.csv"} })
	scored("no header", func(_ *maker, t Table) []byte { return dialect{headless: true}.text(t) }, func(c *Case) { c.Refused = []string{"new.csv", "x"} })
	scored("names in another case", func(_ *maker, t Table) []byte {
		return dialect{}.text(t.named("x", "X"))
	}, func(c *Case) { c.Refused = []string{"new.csv", "x"} })
	scored("names with blanks", func(_ *maker, t Table) []byte { return dialect{names: []string{" x", "z ", " c ", "y"}}.text(t) }, nil)
	scored("a repeated name", func(_ *maker, t Table) []byte {
		return dialect{names: []string{"x", "z", "c", "x"}}.text(t)
	}, func(c *Case) { c.May = append(c.May, Said{}) })
	scored("a byte-order mark", func(_ *maker, t Table) []byte { return append([]byte("\ufeff"), dialect{}.text(t)...) }, nil)
	scored("comment lines", func(_ *maker, t Table) []byte { return dialect{before: "# rows to score\n"}.text(t) }, func(c *Case) { c.May = append(c.May, Said{Kinds: []notes.Kind{notes.Skipped}}) })
	scored("a sep= line", func(_ *maker, t Table) []byte {
		return semicolon.with(func(d *dialect) { d.before = "sep=;\n" }).text(t)
	}, func(c *Case) { *c = c.answers("--separator", ";") })
	scored("an empty file", func(*maker, Table) []byte { return nil }, func(c *Case) { c.Refused = []string{"new.csv"} })
	scored("a header alone", func(*maker, Table) []byte { return []byte("x,z,c,y\n") }, func(c *Case) { c.Score = c.Train.first(0) })
	scored("numbers as floats", func(_ *maker, t Table) []byte {
		return dialect{}.text(t.with("x", func(n string) string { return n + "000" }))
	}, nil)
	scored("money", func(_ *maker, t Table) []byte {
		return dialect{}.text(t.with("x", func(n string) string { return "$" + marked(n, ".", ",") }))
	}, func(c *Case) { c.May = append(c.May, converted("x")) })

	// Cells that the training did not have.
	cells := func(name, column, word, truth string, kind notes.Kind) {
		add(name, func(m *maker) Case {
			t := m.plain()
			rows := m.few()
			c := csv(t, dialect{}.text(t), column)
			c = c.scoring("new.csv", dialect{}.text(t.put(column, word, rows)))
			c.Score = t.put(column, truth, rows)
			c.NewNotes = []Said{{Kinds: []notes.Kind{kind}, Column: column, Count: int64(len(rows))}}
			return c
		})
	}
	cells("words in numbers", "x", "unknown", "", notes.NotNumber)
	cells("infinite numbers", "x", "inf", "", notes.Infinite)
	cells("empty numbers", "x", "", "", notes.Missing)
	cells("NA in numbers", "x", "N/A", "", notes.Missing)
	cells("new words", "c", "Quito", "Quito", notes.Unseen)
	cells("words in another case", "c", "OSLO", "OSLO", notes.Unseen)
	add("words with blanks", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{}.text(t), "c").scoring("new.csv", dialect{}.text(t.with("c", func(cell string) string { return cell + " " })))
	})
	add("a number in every cell is a word", func(m *maker) Case {
		t := m.plain()
		c := csv(t, dialect{}.text(t), "x")
		c = c.scoring("new.csv", dialect{}.text(t.with("x", func(string) string { return "secret" })))
		c.Score = t.with("x", func(string) string { return "" })
		c.NewNotes = []Said{notNumbers("x", m.rows)}
		return c
	})
	add("times that are no times", func(m *maker) Case {
		t := m.table(m.times("d", isoDay, 1500), m.small())
		rows := m.few()
		c := csv(t, dialect{}.text(t), "d")
		c = c.scoring("new.csv", dialect{}.text(t.put("d", "soon", rows)))
		c.Score = t.put("d", "", rows)
		c.NewNotes = []Said{{Kinds: []notes.Kind{notes.NotTime}, Column: "d", Count: int64(len(rows))}}
		return c
	})

	// What a model remembers of the training file.
	remembered := func(name string, d dialect, flags []string, write func(Table) Table, rows int, change func(c *Case)) {
		add(name, func(m *maker) Case {
			t := m.plain()
			c := csv(t, d.text(write(t)), "x", "z", "c")
			c.Flags = flags
			c.Score = t.first(rows)
			c = c.scoring("new.csv", d.text(write(t.first(rows))))
			if change != nil {
				change(&c)
			}
			return c
		})
	}
	remembered("decimal comma, one row", semicolon, nil, decimalCommas, 1, nil)
	remembered("decimal comma, three rows", semicolon, nil, decimalCommas, 3, nil)
	remembered("decimal comma and points for thousands, one row", semicolon, nil, func(t Table) Table {
		return t.with("x", withMarks(",", ".")).with("z", withMarks(",", ""))
	}, 1, nil)
	same := func(t Table) Table { return t }
	remembered("separator, one row", tab, nil, same, 1, nil)
	remembered("separator by flag, one row", semicolon, []string{"--separator", ";"}, same, 1, nil)
	remembered("blanks as separator", dialect{separator: "  "}, nil, same, 4, func(c *Case) { *c = c.answers("--separator", " ", "blank", "space") })
	remembered("money, one row", semicolon, nil, func(t Table) Table {
		return t.with("x", func(n string) string { return "$" + marked(n, ".", ",") })
	}, 1, func(c *Case) { c.May = append(c.May, converted("x")) })
	add("decimal comma, whole thousands alone", func(m *maker) Case {
		x := m.amounts("x", 0)
		for k := range 3 {
			x.Cells[k] = []string{"1101", "2250", "99000"}[k]
		}
		t := m.table(x, m.small(), m.cities())
		german := t.with("x", withMarks(",", ".")).with("z", withMarks(",", ""))
		c := csv(t, semicolon.text(german), "x", "z")
		c.Score = t.first(3)
		return c.scoring("new.csv", semicolon.text(german.first(3))).may(twoWays("x"))
	})
	add("decimal points scored by a model of decimal commas", func(m *maker) Case {
		t := m.plain()
		return csv(t, semicolon.text(decimalCommas(t)), "x", "z").scoring("new.csv", dialect{}.text(t)).answers("--separator", ",").answers("--decimal", ".").may(Said{Column: "x"}, Said{Column: "z"})
	})
	add("decimal commas scored by a model of decimal points", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{}.text(t), "x", "z").scoring("new.csv", semicolon.text(decimalCommas(t))).answers("--separator", ";").answers("--decimal", ",").may(Said{Column: "x"}, Said{Column: "z"})
	})
	add("missing words", func(m *maker) Case {
		t := m.table(m.amounts("x", 2), m.small(), m.cities())
		rows := m.few()
		c := csv(t.put("x", "", rows), dialect{}.text(t.put("x", "-200", rows)), "x")
		c.Flags = []string{"--missing=-200"}
		c = c.scoring("new.csv", dialect{}.text(t.first(4).put("x", "-200", []int{2})))
		c.Score = t.first(4).put("x", "", []int{2})
		return c
	})
	add("no header remembered", func(m *maker) Case {
		t := m.table(m.cities().as("1"), m.words("2", "u", "v"), m.amounts("3", 2)).named("y", "4")
		c := csv(t, dialect{headless: true}.text(t), "").may(Said{Kinds: []notes.Kind{notes.Header}})
		c.Flags = []string{"--no-header"}
		c.Score = t.first(2)
		return c.scoring("new.csv", dialect{headless: true}.text(t.first(2)))
	})
	add("ignored columns remembered", func(m *maker) Case {
		t := m.plain()
		file := t.insert(1, m.words("secret", "u", "v")).of("secret", table.Ignore)
		c := csv(file, dialect{}.text(file), "secret")
		c.Flags = []string{"--ignore", "secret"}
		return c.scoring("new.csv", dialect{}.text(t), file)
	})

	// Offsets.
	offsets := func(name string, write func(t Table) Table, change func(c *Case)) {
		add(name, func(m *maker) Case {
			t := m.plain().insert(1, m.numbers("o", -2, 2, 1)).of("o", table.Offset)
			c := csv(t, dialect{}.text(t), "o")
			c.Flags = []string{"--offset", "o"}
			c = c.scoring("new.csv", dialect{}.text(write(t)), t)
			change(&c)
			return c
		})
	}
	offsets("offsets that are absent", func(t Table) Table { return t.without("o") }, func(c *Case) { c.Refused = []string{"o", "--offset none"} })
	offsets("offsets that are absent by a flag", func(t Table) Table { return t.without("o") }, func(c *Case) {
		c.NewFlags = []string{"--offset", "none"}
		c.Score = c.Train.with("o", func(string) string { return "0" })
	})
	offsets("offsets that are empty", func(t Table) Table { return t.put("o", "", []int{3, 4}) }, func(c *Case) { c.Refused = []string{"\"o\"", "new.csv:5"} })
	offsets("offsets that are words", func(t Table) Table { return t.put("o", "much", []int{3, 4}) }, func(c *Case) { c.Refused = []string{"\"o\"", "new.csv:5"} })
}
