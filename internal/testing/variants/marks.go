package variants

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// marked writes a plain decimal with other marks for decimals and thousands.
func marked(cell, decimal, thousands string) string {
	sign := ""
	if strings.HasPrefix(cell, "-") {
		sign, cell = "-", cell[1:]
	}
	whole, places, has := strings.Cut(cell, ".")
	for k := len(whole) - 3; k > 0; k -= 3 {
		whole = whole[:k] + thousands + whole[k:]
	}
	if has {
		whole += decimal + places
	}
	return sign + whole
}

// withMarks returns a function that writes decimals with marks.
func withMarks(decimal, thousands string) func(string) string {
	return func(cell string) string { return marked(cell, decimal, thousands) }
}

// decimalCommas writes the number columns of the plain table with a decimal comma.
func decimalCommas(t Table) Table {
	return t.with("x", withMarks(",", "")).with("z", withMarks(",", ""))
}

// The notes of numbers.
func converted(column string) Said { return Said{Kinds: []notes.Kind{notes.Converted}, Column: column} }
func twoWays(column string) Said   { return Said{Kinds: []notes.Kind{notes.Marks}, Column: column} }

// germanColumns are the number columns of the plain table.
var germanColumns = []string{"x", "z"}

// plain has files without a trouble.
func plain(add adder) {
	for name, d := range map[string]dialect{"comma": {}, "semicolon": semicolon, "tab": tab, "bar": bar, "quoted": {quoted: true}, "crlf": {end: "\r\n"}} {
		add(name, func(m *maker) Case { t := m.plain(); return csv(t, d.text(t)) })
	}
	add("regression", func(m *maker) Case {
		t := m.regression(m.amounts("x", 2), m.small(), m.cities())
		c := csv(t, dialect{}.text(t))
		c.Numeric = true
		return c
	})
	add("json lines", func(m *maker) Case { t := m.plain(); return one(t, "t.jsonl", objects(t, nil)) })
	add("parquet", func(m *maker) Case {
		t := m.plain()
		return one(t, "t.parquet", parquetFile(m.rows, flats(t)...))
	})
	add("whole numbers", func(m *maker) Case {
		t := m.table(m.amounts("x", 0), m.numbers("k", 1, 7, 0), m.cities())
		return csv(t, dialect{}.text(t))
	})
	add("empty cells", func(m *maker) Case {
		t := m.plain().put("x", "", m.few()).put("c", "", m.few())
		return csv(t, dialect{}.text(t))
	})
}

func marks(add adder) {
	for name, d := range map[string]dialect{"semicolon": semicolon, "tab": tab, "bar": bar, "quoted comma": {}} {
		add("decimal comma, "+name, func(m *maker) Case {
			t := m.plain()
			return csv(t, d.text(decimalCommas(t)), germanColumns...)
		})
		add("decimal comma in one column, "+name, func(m *maker) Case {
			t := m.table(m.amounts("x", 0), m.small(), m.cities())
			return csv(t, d.text(t.with("z", withMarks(",", ""))), germanColumns...)
		})
		add("decimal comma in few cells, "+name, func(m *maker) Case {
			x := m.amounts("x", 0)
			for _, row := range m.few() {
				x.Cells[row] += ".5"
			}
			t := m.table(x, m.small(), m.cities())
			return csv(t, d.text(decimalCommas(t)), germanColumns...)
		})
	}
	add("decimal comma, flag", func(m *maker) Case {
		t := m.plain()
		c := csv(t, semicolon.text(decimalCommas(t)), germanColumns...)
		c.Flags = []string{"--decimal", ","}
		return c
	})
	add("decimal comma, target", func(m *maker) Case {
		t := m.regression(m.amounts("x", 2), m.small(), m.cities())
		c := csv(t, dialect{}.text(t.with("y", withMarks(",", ""))), "y")
		c.Numeric = true
		return c
	})
	add("decimal comma without whole part", func(m *maker) Case {
		t := m.table(m.numbers("x", 0, 0.9, 2), m.small(), m.cities())
		return csv(t, semicolon.text(t.with("x", func(cell string) string { return strings.TrimPrefix(marked(cell, ",", ""), "0") }).with("z", withMarks(",", ""))), germanColumns...)
	})

	for name, mark := range map[string]string{"comma": ",", "blank": " ", "no-break blank": "\u00a0", "narrow blank": "\u202f", "apostrophe": "'", "typographic apostrophe": "\u2019"} {
		add("thousands "+name, func(m *maker) Case {
			t := m.table(m.amounts("x", 0), m.small(), m.cities())
			return csv(t, tab.text(t.with("x", withMarks(".", mark))), "x")
		})
		add("thousands "+name+" with decimals", func(m *maker) Case {
			t := m.plain()
			return csv(t, dialect{}.text(t.with("x", withMarks(".", mark))), "x")
		})
	}
	for name, mark := range map[string]string{"point": ".", "blank": " ", "no-break blank": "\u00a0", "narrow blank": "\u202f"} {
		add("decimal comma, thousands "+name, func(m *maker) Case {
			t := m.plain()
			return csv(t, semicolon.text(t.with("x", withMarks(",", mark)).with("z", withMarks(",", ""))), germanColumns...)
		})
		add("whole thousands "+name+" beside a decimal comma", func(m *maker) Case {
			t := m.table(m.amounts("x", 0), m.small(), m.cities())
			c := csv(t, semicolon.text(t.with("x", withMarks(",", mark)).with("z", withMarks(",", ""))), germanColumns...)
			c.May = []Said{twoWays("x")}
			return c
		})
	}
	add("thousands point in every cell beside a decimal comma", func(m *maker) Case {
		t := m.table(m.numbers("x", 1000, 9999, 0), m.small(), m.cities())
		c := csv(t, semicolon.text(t.with("x", withMarks(",", ".")).with("z", withMarks(",", ""))), germanColumns...)
		c.May = []Said{twoWays("x")}
		return c
	})
	for name, d := range map[string]dialect{"semicolon": semicolon, "tab": tab} {
		add("comma or thousands in every cell, "+name, func(m *maker) Case { return m.undecided(d, ",") })
		add("point or thousands in every cell, "+name, func(m *maker) Case { return m.undecided(d, ".") })
	}
	add("thousands flag for a column", func(m *maker) Case {
		t := m.table(m.numbers("x", 1000, 9999, 0), m.cities())
		c := csv(t, semicolon.text(t.with("x", withMarks(",", "."))), "x")
		c.Flags = []string{"--thousands", "."}
		return c
	})
	add("apostrophe flag", func(m *maker) Case {
		t := m.plain()
		c := csv(t, semicolon.text(t.with("x", withMarks(".", "'"))), "x")
		c.Flags = []string{"--thousands", "'"}
		return c
	})
	add("comma thousands beside small numbers, tab", func(m *maker) Case {
		x := m.column("x", table.Number, func() string {
			if m.IntN(3) > 0 {
				return fmt.Sprint(1 + m.IntN(999))
			}
			return fmt.Sprint(1000 + m.IntN(90000))
		})
		t := m.table(x, m.cities())
		return csv(t, tab.text(t.with("x", withMarks(".", ","))), "x").may(twoWays("x"))
	})
	add("Indian grouping", func(m *maker) Case {
		t := m.table(m.numbers("x", 100000, 9999999, 0), m.small(), m.cities())
		c := csv(t, tab.text(t.with("x", func(cell string) string {
			head, last := cell[:len(cell)-3], cell[len(cell)-3:]
			for k := len(head) - 2; k > 0; k -= 2 {
				head = head[:k] + "," + head[k:]
			}
			return head + "," + last
		})), "x")
		return c
	})
	add("marks of two countries in one column", func(m *maker) Case {
		t := m.plain()
		c := csv(t, semicolon.text(t.each("x", func(i int, cell string) string {
			if i%2 == 0 {
				return marked(cell, ",", ".")
			}
			return marked(cell, ".", ",")
		})), "x")
		return c
	})

	for name, write := range map[string]func(string) string{
		"dollar before":               func(n string) string { return "$" + marked(n, ".", ",") },
		"dollar and blank before":     func(n string) string { return "$ " + marked(n, ".", ",") },
		"dollar without thousands":    func(n string) string { return "$" + n },
		"pound before":                func(n string) string { return "£" + marked(n, ".", ",") },
		"yen before":                  func(n string) string { return "¥" + marked(n, ".", ",") },
		"rupee before":                func(n string) string { return "₹" + n },
		"US dollar before":            func(n string) string { return "US$" + marked(n, ".", ",") },
		"code before":                 func(n string) string { return "USD " + marked(n, ".", ",") },
		"code after":                  func(n string) string { return marked(n, ".", ",") + " USD" },
		"euro before":                 func(n string) string { return "€" + marked(n, ".", ",") },
		"euro after":                  func(n string) string { return marked(n, ".", ",") + " €" },
		"euro after, decimal comma":   func(n string) string { return marked(n, ",", ".") + " €" },
		"EUR after, decimal comma":    func(n string) string { return marked(n, ",", ".") + " EUR" },
		"euro before, decimal comma":  func(n string) string { return "€ " + marked(n, ",", ".") },
		"real before, decimal comma":  func(n string) string { return "R$ " + marked(n, ",", ".") },
		"franc before, apostrophe":    func(n string) string { return "CHF " + marked(n, ".", "'") },
		"crown after, blank":          func(n string) string { return marked(n, ",", " ") + " kr" },
		"zloty after, no-break blank": func(n string) string { return marked(n, ",", "\u00a0") + "\u00a0zł" },
	} {
		add("money, "+name, func(m *maker) Case {
			t := m.plain()
			c := csv(t, semicolon.text(t.with("x", write)), "x")
			c.Notes = []Said{converted("x")}
			return c
		})
	}
	for name, write := range map[string]func(string) string{
		"minus before the dollar": func(n string) string { return strings.Replace("$"+n, "$-", "-$", 1) },
		"minus after the dollar":  func(n string) string { return "$" + n },
		"brackets": func(n string) string {
			if strings.HasPrefix(n, "-") {
				return "(" + n[1:] + ")"
			}
			return n
		},
		"brackets around dollars": func(n string) string {
			if strings.HasPrefix(n, "-") {
				return "($" + n[1:] + ")"
			}
			return "$" + n
		},
	} {
		add("debts, "+name, func(m *maker) Case {
			t := m.table(m.numbers("x", -900, 900, 2), m.small(), m.cities())
			c := csv(t, dialect{}.text(t.with("x", write)), "x")
			c.Notes = []Said{converted("x")}
			return c
		})
	}
	for name, write := range map[string]func(string) string{
		"unicode minus":     func(n string) string { return strings.Replace(n, "-", "\u2212", 1) },
		"minus behind":      minusBehind,
		"plus sign":         plusSign,
		"blanks around":     func(n string) string { return "  " + n + " " },
		"blanks before":     func(n string) string { return fmt.Sprintf("%12s", n) },
		"no-break blanks":   func(n string) string { return "\u00a0" + n + "\u00a0" },
		"tabs around":       func(n string) string { return "\t" + n + "\t" },
		"exponent":          func(n string) string { return n + "e0" },
		"exponent and sign": func(n string) string { return n + "E+00" },
		"point at the end":  func(n string) string { return n + "." },
	} {
		add("signs, "+name, func(m *maker) Case {
			t := m.table(m.numbers("x", -90, 90, 0), m.small(), m.cities())
			c := csv(t, dialect{}.text(t.with("x", write)), "x")
			c.May = []Said{{Column: "x"}}
			return c
		})
	}
	for name, write := range map[string]func(string) string{
		"per cent":                func(n string) string { return n + "%" },
		"per cent behind a blank": func(n string) string { return n + " %" },
		"per cent, decimal comma": func(n string) string { return marked(n, ",", "") + "%" },
	} {
		add(name, func(m *maker) Case {
			t := m.table(m.numbers("x", -5, 99, 1), m.small(), m.cities())
			c := csv(t, semicolon.text(t.with("x", write)), "x")
			c.Notes = []Said{converted("x")}
			return c
		})
	}
	add("per cent, a share as the truth", func(m *maker) Case {
		t := m.table(m.numbers("x", 1, 99, 0), m.small(), m.cities())
		c := csv(t, tab.text(t.with("x", func(n string) string { return n + "%" })), "x")
		c.Or = []Table{t.with("x", func(n string) string { return fmt.Sprintf("0.%02s", n) })}
		c.Notes = []Said{converted("x")}
		return c
	})
	add("units in some cells", func(m *maker) Case {
		t := m.plain()
		rows := m.few()
		c := csv(t.put("x", "", rows), dialect{}.text(t.put("x", "12 kg", rows)), "x")
		c.Notes = []Said{notNumbers("x", len(rows))}
		return c
	})
	add("two currencies in one column", func(m *maker) Case {
		t := m.plain()
		return csv(t, semicolon.text(t.each("x", func(i int, n string) string {
			if i%3 == 0 {
				return "€" + n
			}
			return "$" + n
		})), "x").unread("x")
	})
}

// undecided is a file whose one column with marks can be read with decimals and with thousands.
func (m *maker) undecided(d dialect, mark string) Case {
	t := m.table(m.numbers("x", 1000, 9999, 0), m.cities())
	c := csv(t, d.text(t.with("x", withMarks("", mark))), "x")
	c.Or = []Table{t.with("x", func(n string) string { return n[:len(n)-3] + "." + n[len(n)-3:] })}
	c.Notes = []Said{twoWays("x")}
	return c
}

func minusBehind(n string) string {
	if strings.HasPrefix(n, "-") {
		return n[1:] + "-"
	}
	return n
}

func plusSign(n string) string {
	if strings.HasPrefix(n, "-") {
		return n
	}
	return "+" + n
}

// unread says that no reading of a column is right: something must be said about it.
func (c Case) unread(column string) Case {
	c.Unsure = append(c.Unsure, column)
	c.Notes = append(c.Notes, Said{Column: column})
	return c
}
