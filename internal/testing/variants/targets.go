package variants

import (
	"strconv"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// noTarget is the note of rows without a target.
func noTarget(column string, count int) Said {
	return Said{Kinds: []notes.Kind{notes.NoTarget}, Column: column, Count: int64(count)}
}

// targetless is a case of t with a word, or nothing, for the target of some rows. They are not trained
// on; all rows are scored.
func targetless(t Table, word string, rows []int) Case {
	c := csv(t.only(outside(rows)), dialect{}.text(t.put("y", word, rows)), "y", "")
	c.Score = t
	c.Notes = []Said{noTarget("", len(rows))}
	return c
}

func targets(add adder) {
	without := func(name, word string, rows func(m *maker) []int) {
		add(name, func(m *maker) Case {
			return targetless(m.plain(), word, rows(m))
		})
	}
	without("some rows without a target", "", (*maker).few)
	without("half of the rows without a target", "", func(m *maker) []int { return m.some(m.rows / 2) })
	without("the first row without a target", "", func(m *maker) []int { return []int{0} })
	without("blanks for a target", "  ", (*maker).few)
	for _, word := range []string{"NA", "?", "nan"} {
		add("numbers as labels, some are "+word, func(m *maker) Case {
			return targetless(m.labels("0", "1"), word, m.few())
		})
		add("a regression, some are "+word, func(m *maker) Case {
			c := targetless(m.regression(m.amounts("x", 2), m.small(), m.cities()), word, m.few())
			c.Numeric = true
			return c
		})
	}
	add("a target that no file has", func(m *maker) Case {
		t := m.plain()
		c := csv(t, dialect{}.text(t.named("y", "yy")), "y", "")
		c.Refused = []string{"y", "x, z, c, yy"}
		return c
	})
	add("a target in another case", func(m *maker) Case {
		t := m.plain()
		c := csv(t, dialect{}.text(t.named("y", "Y")), "y", "")
		c.Refused = []string{"Y"}
		return c
	})
	add("a target of one value", func(m *maker) Case {
		t := m.plain().with("y", func(string) string { return "1" })
		c := csv(t, dialect{}.text(t), "y", "")
		c.Refused = []string{"y"}
		return c
	})
	add("a target of money", func(m *maker) Case {
		t := m.regression(m.amounts("x", 2), m.small(), m.cities())
		c := csv(t, semicolon.text(t.with("y", func(n string) string { return "$" + n })), "y")
		c.Numeric = true
		c.Notes = []Said{converted("y")}
		return c
	})
	add("a target of many numbers without a loss", func(m *maker) Case {
		t := m.regression(m.amounts("x", 2), m.small(), m.cities())
		c := csv(t, dialect{}.text(t), "y", "")
		c.Refused = []string{"--loss squared"}
		return c
	})
	column := func(name string, kind table.Kind, flag string, refused []string, change func(m *maker, t Table) Table) {
		add(name, func(m *maker) Case {
			extra := m.column("w", kind, func() string { return strconv.Itoa(1 + m.IntN(3)) })
			t := m.plain().insert(1, extra)
			c := csv(t, dialect{}.text(change(m, t)), "w", "")
			c.Flags, c.Refused = []string{flag, "w"}, refused
			return c
		})
	}
	keep := func(_ *maker, t Table) Table { return t }
	column("weights", table.Weight, "--weight", nil, keep)
	column("offsets", table.Offset, "--offset", nil, keep)
	column("exposures", table.Exposure, "--exposure", []string{"--loss logistic", "\"w\" is an exposure"}, keep)
	column("weights as floats", table.Weight, "--weight", nil, func(_ *maker, t Table) Table { return t.with("w", float) })
	column("weights with a word", table.Weight, "--weight", []string{"\"w\"", "t.csv:"}, func(m *maker, t Table) Table { return t.put("w", "many", m.some(1)) })
	column("weights with an empty cell", table.Weight, "--weight", []string{"\"w\"", "t.csv:"}, func(m *maker, t Table) Table { return t.put("w", "", m.some(1)) })
	column("negative weights", table.Weight, "--weight", []string{"\"w\"", "t.csv:"}, func(m *maker, t Table) Table { return t.put("w", "-1", m.some(1)) })
	column("offsets with a word", table.Offset, "--offset", []string{"\"w\"", "t.csv:"}, func(m *maker, t Table) Table { return t.put("w", "much", m.some(1)) })
	column("infinite offsets", table.Offset, "--offset", []string{"\"w\"", "t.csv:"}, func(m *maker, t Table) Table { return t.put("w", "inf", m.some(1)) })
	add("offsets of decimal commas", func(m *maker) Case {
		t := m.plain().insert(1, m.numbers("w", -2, 2, 2)).of("w", table.Offset)
		german := t.with("w", withMarks(",", "")).with("x", withMarks(",", "")).with("z", withMarks(",", ""))
		c := csv(t, semicolon.text(german), "w", "x", "z")
		c.Flags = []string{"--offset", "w"}
		return c
	})
}
