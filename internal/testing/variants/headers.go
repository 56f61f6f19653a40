package variants

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// joinLines returns lines with others put before line at; 0 is the line of names.
func joinLines(lines []string, at int, others ...string) []byte {
	return []byte(strings.Join(slices.Insert(slices.Clone(lines), at, others...), ""))
}

func headers(add adder) {
	skipped := []Said{{Kinds: []notes.Kind{notes.Skipped}}}

	// Names.
	add("a repeated name", func(m *maker) Case {
		t := m.table(m.small(), m.amounts("b", 2), m.cities(), m.numbers("b.1", 0, 9, 1))
		return csv(t, dialect{names: []string{"z", "b", "c", "b", "y"}}.text(t), "b", "b.1", "")
	})
	add("a name three times", func(m *maker) Case {
		t := m.table(m.numbers("b", -9, 9, 1), m.amounts("b.1", 2), m.cities(), m.numbers("b.2", 0, 9, 1))
		return csv(t, semicolon.with(func(d *dialect) { d.names = []string{"b", "b", "c", "b", "y"} }).text(t), "b", "b.1", "b.2", "")
	})
	add("a repeated name of a category", func(m *maker) Case {
		t := m.table(m.amounts("x", 2), m.cities(), m.words("c.1", "u", "v", "w"))
		return csv(t, dialect{names: []string{"x", "c", "c", "y"}}.text(t), "c", "c.1", "")
	})
	for name, names := range map[string][]string{
		"years":              {"2019", "2020", "2021", "y"},
		"numbers":            {"1", "2", "3", "y"},
		"one year":           {"name", "2020", "c", "y"},
		"dates":              {"2020-01-01", "2020-02-01", "c", "y"},
		"negative numbers":   {"-1", "0.5", "c", "y"},
		"words and units":    {"x (kg)", "z [%]", "c/d", "y"},
		"words and blanks":   {"first x", "second z", "third c", "y"},
		"words of missing":   {"NA", "null", "c", "y"},
		"letters beyond":     {"größe", "länge", "stadt", "y"},
		"quotes and commas":  {`x "a"`, "z, b", "c", "y"},
		"flags":              {"--x", "-z", "c", "y"},
		"braces":             {"{x}", "{Categories}", "c", "y"},
		"a line break":       {"x\n(kg)", "z", "c", "y"},
		"upper case":         {"X", "Z", "C", "y"},
		"names of the model": {"score", "probability", "label", "y"},
	} {
		add("names are "+name, func(m *maker) Case {
			t := m.plain()
			for k, n := range names {
				t = t.named(t.Columns[k].Name, n)
			}
			c := csv(t, dialect{}.text(t), append(slices.Clone(names), "")...)
			c.May = []Said{{Kinds: []notes.Kind{notes.Header}}}
			return c
		})
	}
	add("an empty name in the middle", func(m *maker) Case {
		t := m.plain()
		t.Columns[1].Unnamed = true
		return csv(t, dialect{names: []string{"x", "", "c", "y"}}.text(t), "z", "2", "")
	})
	add("an empty first name of a category", func(m *maker) Case {
		t := m.table(m.cities(), m.amounts("x", 2), m.small())
		t.Columns[0].Unnamed = true
		return csv(t, dialect{names: []string{"", "x", "z", "y"}}.text(t), "c", "1", "")
	})
	for name, d := range map[string]dialect{"comma": {}, "semicolon": semicolon, "tab": tab} {
		add("trailing separators, "+name, func(m *maker) Case {
			t := m.plain()
			separator := cmp.Or(d.separator, ",")
			return csv(t, d.with(func(d *dialect) { d.trailing = separator + separator }).text(t), "", "5", "6").may(
				Said{Kinds: []notes.Kind{notes.LeftOut}, Column: "5"}, Said{Kinds: []notes.Kind{notes.LeftOut}, Column: "6"})
		})
		add("a trailing separator in the rows alone, "+name, func(m *maker) Case {
			t := m.plain()
			lines := d.with(func(d *dialect) { d.trailing = cmp.Or(d.separator, ",") }).lines(t)
			lines[0] = d.lines(t)[0]
			return csv(t, joinLines(lines, 0), "", "5").answers("--bad-rows", "100%", "400").may(Said{Column: "5"}, Said{})
		})
		add("a trailing separator in the header alone, "+name, func(m *maker) Case {
			t := m.plain()
			lines := d.lines(t)
			lines[0] = d.with(func(d *dialect) { d.trailing = cmp.Or(d.separator, ",") }).lines(t)[0]
			return csv(t, joinLines(lines, 0), "", "5").answers("--bad-rows", "100%", "400").may(Said{Column: "5"}, Said{})
		})
	}
	add("blanks after commas", func(m *maker) Case { t := m.plain(); return csv(t, dialect{separator: ", "}.text(t)) })
	add("blanks after semicolons", func(m *maker) Case { t := m.plain(); return csv(t, dialect{separator: "; "}.text(t)) })
	add("blanks around commas", func(m *maker) Case { t := m.plain(); return csv(t, dialect{separator: " , "}.text(t)) })
	add("blanks around bars", func(m *maker) Case { t := m.plain(); return csv(t, dialect{separator: " | "}.text(t)) })
	add("blanks after commas in the header alone", func(m *maker) Case {
		t := m.plain()
		lines := dialect{}.lines(t)
		lines[0] = strings.ReplaceAll(lines[0], ",", ", ")
		return csv(t, joinLines(lines, 0))
	})
	add("blanks after commas before quotes", func(m *maker) Case {
		t := m.table(m.amounts("x", 2), m.small(), m.words("c", "Rome, Italy", "Oslo, Norway", "Lima"))
		return csv(t, dialect{separator: ", "}.text(t))
	})
	add("blanks behind every cell", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{}.text(t.all(func(cell string) string { return cell + "   " })))
	})
	add("blanks behind some words", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{}.text(t.each("c", func(i int, cell string) string { return cell + strings.Repeat(" ", i%3) })))
	})
	add("blanks behind some labels", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{}.text(t.each("y", func(i int, cell string) string { return cell + strings.Repeat(" ", i%2) })))
	})
	add("blanks within quotes", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{quoted: true}.text(t.with("c", func(cell string) string { return " " + cell })))
	})

	// Lines that are no rows.
	for name, d := range map[string]dialect{"semicolon": semicolon, "tab": tab, "bar": bar, "comma": {}} {
		add("sep= line, "+name, func(m *maker) Case {
			t := m.plain()
			c := csv(t, d.with(func(d *dialect) { d.before = "sep=" + cmp.Or(d.separator, ",") + "\n" }).text(t), "")
			c.May = skipped
			return c
		})
	}
	add("sep= line behind a byte-order mark, crlf", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{separator: ";", before: "\ufeffsep=;\r\n", end: "\r\n"}.text(t), "")
	})
	add("sep= line in quotes", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{separator: ";", before: "\"sep=;\"\n"}.text(t), "")
	})
	preamble := func(name, before string) {
		add(name, func(m *maker) Case {
			t := m.plain()
			return csv(t, dialect{before: before}.text(t), "").may(skipped...)
		})
	}
	preamble("comment line", "# exported by a tool\n")
	preamble("comment lines with commas", "# exported by a tool, version 3\n# rows: 100, columns: 4\n")
	preamble("comment lines with blanks before", "  # exported\n")
	preamble("empty lines on top", "\n\n")
	preamble("a title", "Sales of 2024\n")
	preamble("a title and an empty line", "Sales of 2024\n\n")
	preamble("titles with commas", "Report,Sales\nDate,2024-02-01\n\n")
	preamble("a title with trailing separators", "Sales of 2024,,,\n")
	preamble("a title in quotes", "\"Sales, all regions\"\n\n")
	preamble("twenty lines of text", strings.Repeat("Terms of use apply to this file.\n", 20))
	preamble("percent comments", "% exported by a tool\n% rows: 100\n")
	add("comment lines in the middle", func(m *maker) Case {
		t := m.plain()
		lines := dialect{}.lines(t)
		return csv(t, joinLines(lines, 3+m.IntN(40), "# a pause\n"), "").may(skipped...)
	})
	add("comment line at the end", func(m *maker) Case {
		t := m.plain()
		return csv(t, append(dialect{}.text(t), "# end of export\n"...), "").may(skipped...)
	})
	add("a category that begins with #", func(m *maker) Case {
		t := m.table(m.words("c", "#1", "#2", "plain"), m.amounts("x", 2), m.small())
		return csv(t, dialect{}.text(t))
	})
	add("a name that begins with #", func(m *maker) Case {
		t := m.plain().named("x", "#x")
		return csv(t, dialect{}.text(t), "#x", "")
	})
	add("empty lines in the middle", func(m *maker) Case {
		t := m.plain()
		return csv(t, joinLines(dialect{}.lines(t), 3+m.IntN(40), "\n", "\n"), "")
	})
	add("empty lines at the end", func(m *maker) Case { t := m.plain(); return csv(t, append(dialect{}.text(t), "\n\n\n"...), "") })
	add("lines of separators at the end", func(m *maker) Case {
		t := m.plain()
		c := csv(t, append(dialect{}.text(t), ",,,\n,,,\n"...), "")
		c.May = []Said{{Kinds: []notes.Kind{notes.NoTarget}, Count: 2}, {Kinds: []notes.Kind{notes.NoTarget}, Column: "y", Count: 2}}
		c.Score = t.append("x", "", "").append("x", "", "")
		c.Unsure = []string{"x", "z", "c"}
		return c
	})
	add("a line of sums at the end", func(m *maker) Case {
		t := m.plain()
		c := csv(t, append(dialect{}.text(t), "Total,123.4,,\n"...), "", "x").may(Said{Column: "x"})
		c.Notes = []Said{noTarget("", 1)}
		c.Score = t.append("z", "123.4", "")
		c.Unsure = []string{"x", "z", "c"}
		return c
	})
	add("a line of words at the end", func(m *maker) Case {
		t := m.plain()
		c := csv(t, append(dialect{}.text(t), fmt.Sprintf("\n(%d rows affected)\n", m.rows)...), "", "x").answers("--bad-rows", "1")
		c.Refused = []string{fmt.Sprintf("t.csv:%d", m.rows+3)}
		return c
	})
	add("the header again in the middle", func(m *maker) Case {
		t := m.plain()
		lines := dialect{}.lines(t)
		return csv(t, joinLines(lines, 10+m.IntN(30), lines[0]), "", "x", "z", "c", "y").orRefuse("classes", "y")
	})
	add("a line of units below the header", func(m *maker) Case {
		t := m.plain()
		return csv(t, joinLines(dialect{}.lines(t), 1, "kg,m,name,class\n"), "", "x", "z", "c", "y").orRefuse("classes", "class")
	})

	// Rows.
	add("a row with a cell too few", func(m *maker) Case {
		t := m.plain()
		at := 3 + m.IntN(40)
		c := csv(t, joinLines(dialect{}.lines(t), at, "1.5,2.5\n"), "")
		c.Refused = []string{fmt.Sprintf("t.csv:%d", at+1), "--bad-rows"}
		return c
	})
	add("a row with a cell too many", func(m *maker) Case {
		t := m.plain()
		at := 3 + m.IntN(40)
		c := csv(t, joinLines(dialect{}.lines(t), at, "1.5,2.5,Oslo,1,extra\n"), "")
		c.Refused = []string{fmt.Sprintf("t.csv:%d", at+1), "--bad-rows"}
		return c
	})
	for _, flag := range []string{"1", "5%"} {
		add("a malformed row with --bad-rows "+flag, func(m *maker) Case {
			t := m.plain()
			c := csv(t, joinLines(dialect{}.lines(t), 3+m.IntN(40), "1.5,2.5\n"), "")
			c.Flags, c.NewFlags = []string{"--bad-rows", flag}, []string{"--bad-rows", flag}
			c.Notes = []Said{{Kinds: []notes.Kind{notes.Malformed}, Count: 1}}
			return c
		})
	}
	add("a quote that never closes", func(m *maker) Case {
		t := m.plain()
		at := 3 + m.IntN(40)
		c := csv(t, joinLines(dialect{}.lines(t), at, "1.5,2.5,\"Oslo,1\n"), "")
		c.Refused = []string{fmt.Sprintf("t.csv:%d", at+1)}
		return c
	})
	add("carriage returns alone", func(m *maker) Case { t := m.plain(); return csv(t, dialect{end: "\r"}.text(t), "") })
	add("line ends of both kinds", func(m *maker) Case {
		t := m.plain()
		lines := dialect{}.lines(t)
		for k := range lines {
			if k%2 == 1 {
				lines[k] = strings.TrimSuffix(lines[k], "\n") + "\r\n"
			}
		}
		return csv(t, joinLines(lines, 0), "")
	})
	add("no line end at the end", func(m *maker) Case {
		t := m.plain()
		return csv(t, []byte(strings.TrimSuffix(string(dialect{}.text(t)), "\n")), "")
	})
	add("backslashes before quotes", func(m *maker) Case {
		t := m.table(m.amounts("x", 2), m.small(), m.words("c", `say "a"`, `say "b"`, "none of it"))
		text := strings.ReplaceAll(string(dialect{}.text(t)), `""`, `\"`)
		return csv(t, []byte(text), "c", "").orRefuse("t.csv:2", "--quotes=false")
	})
	add("single quotes around cells", func(m *maker) Case {
		t := m.table(m.amounts("x", 2), m.small(), m.words("c", "a", "b", "d"))
		return csv(t, dialect{}.text(t.with("c", func(cell string) string { return "'" + cell + "'" })), "c", "")
	})
	add("apostrophes and quotes within words, tab", func(m *maker) Case {
		t := m.table(m.amounts("x", 2), m.small(), m.words("c", `5" pipe`, `"so" he said`, "o'clock"))
		var lines []string
		for _, line := range tab.lines(t) {
			lines = append(lines, strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(line, `""`, "\x01"), `"`, ""), "\x01", `"`), "\x01", ""))
		}
		return csv(t, joinLines(lines, 0), "c", "")
	})

	// Separators.
	add("columns cut by a blank", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{separator: " "}.text(t), "").answers("--separator", " ", "blank", "space")
	})
	add("columns cut by blanks", func(m *maker) Case {
		t := m.plain()
		return csv(t, dialect{separator: "   "}.text(t), "").answers("--separator", " ", "blank", "space", "blanks")
	})
	add("columns of fixed width", func(m *maker) Case {
		t := m.plain()
		pad := func(cell string) string { return fmt.Sprintf("%10s", cell) }
		lines := joinLines(dialect{separator: "|", names: []string{pad("x"), pad("z"), pad("c"), pad("y")}}.lines(t.all(pad)), 0)
		return csv(t, bytes.ReplaceAll(lines, []byte("|"), []byte(" ")), "").answers("--separator", " ", "blank", "space", "blanks")
	})
	for name, separator := range map[string]string{"two bars": "||", "two colons": "::", "colon": ":", "caret": "^", "control-A": "\x01", "tilde": "~"} {
		add("separator "+name, func(m *maker) Case {
			t := m.plain()
			c := csv(t, dialect{separator: separator}.text(t), "").answers("--separator", separator, separator[:1])
			if separator == "\x01" {
				c = c.orRefuse("t.csv", "CSV")
			}
			return c
		})
	}
	add("bars at both ends", func(m *maker) Case {
		t := m.plain()
		var lines []string
		for _, line := range (dialect{separator: " | "}).lines(t) {
			lines = append(lines, "| "+strings.TrimSuffix(line, "\n")+" |\n")
		}
		lines = slices.Insert(lines, 1, "|---|---|---|---|\n")
		return csv(t, joinLines(lines, 0), "", "x").orRefuse("classes", "---")
	})

	// No header.
	for name, columns := range map[string]func(m *maker) []Column{
		"numbers": func(m *maker) []Column {
			return []Column{m.amounts("1", 2), m.numbers("2", -9, 9, 1), m.cities().as("3")}
		},
		"text alone": func(m *maker) []Column {
			return []Column{m.cities().as("1"), m.words("2", "u", "v", "w"), m.words("3", "k", "l")}
		},
		"text and numbers": func(m *maker) []Column {
			return []Column{m.cities().as("1"), m.amounts("2", 2), m.words("3", "k", "l")}
		},
	} {
		for flag, flags := range map[string][]string{"": nil, ", flag": {"--no-header"}} {
			add("no header, "+name+flag, func(m *maker) Case {
				t := m.table(columns(m)...).named("y", "4")
				if name == "text alone" {
					low := t.Columns[3].Cells[0]
					t = t.with("4", func(cell string) string { return map[bool]string{true: "bad", false: "good"}[cell == low] })
				}
				c := csv(t, dialect{headless: true}.text(t), "", "1", "2", "3", "4").may(Said{Kinds: []notes.Kind{notes.Header}})
				c.Flags = flags
				return c
			})
		}
	}
	add("a header that looks like a row of text", func(m *maker) Case {
		t := m.table(m.cities().as("Oslo"), m.words("u", "u", "v", "w"), m.words("k", "k", "l"))
		return csv(t, dialect{}.text(t), "", "Oslo", "u", "k").may(Said{Kinds: []notes.Kind{notes.Header}})
	})
}

// with returns d after a change.
func (d dialect) with(change func(d *dialect)) dialect {
	change(&d)
	return d
}

// as returns a column under another name.
func (c Column) as(name string) Column {
	c.Name = name
	return c
}

// may adds notes that may be said.
func (c Case) may(list ...Said) Case {
	c.May = append(c.May, list...)
	return c
}

// answers adds the values that a person would give to a flag.
func (c Case) answers(flag string, values ...string) Case {
	if c.Answers == nil {
		c.Answers = map[string][]string{}
	}
	c.Answers[flag] = values
	return c
}

// scoring sets the file that is scored, and what it means if that is not the training table.
func (c Case) scoring(name string, file []byte, meant ...Table) Case {
	c.Files[name], c.New = file, name
	for _, t := range meant {
		c.Score = t
	}
	return c
}

// orRefuse says that an error is as good as the right reading, if it has all of these words.
func (c Case) orRefuse(words ...string) Case {
	c.Else = words
	return c
}

// append returns t with a further row, whose cells are empty but one.
func (t Table) append(name, cell string, target string) Table {
	t.Columns = slices.Clone(t.Columns)
	for k, c := range t.Columns {
		value := ""
		switch {
		case c.Name == name:
			value = cell
		case c.Kind == table.Target:
			value = target
		}
		t.Columns[k].Cells = append(slices.Clip(c.Cells), value)
	}
	return t
}
