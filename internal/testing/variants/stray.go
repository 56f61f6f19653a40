package variants

import (
	"fmt"
	"strconv"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// notNumbers is the note of cells that are no numbers.
func notNumbers(column string, count int) Said {
	return Said{Kinds: []notes.Kind{notes.NotNumber}, Column: column, Count: int64(count)}
}

// infinities is the note of infinite cells.
func infinities(column string, count int) Said {
	return Said{Kinds: []notes.Kind{notes.Infinite}, Column: column, Count: int64(count)}
}

// distinctNumbers returns a column of m.rows different numbers.
func (m *maker) distinctNumbers(name string) Column {
	c := Column{Name: name, Kind: table.Number}
	for _, k := range m.Perm(m.rows) {
		c.Cells = append(c.Cells, fmt.Sprintf("%d.%d", k-m.rows/2, 1+m.IntN(9)))
	}
	return c
}

// strayCase is a case with some cells of x that are no numbers, different or equal ones.
func (m *maker) strayCase(count int, word func(k int) string) Case {
	truth := m.table(m.distinctNumbers("x"), m.small(), m.cities())
	rows := m.some(count)
	file := truth
	for k, row := range rows {
		file = file.put("x", word(k), []int{row})
	}
	c := csv(truth.put("x", "", rows), dialect{}.text(file), "x")
	c.Notes = []Said{notNumbers("x", count)}
	return c
}

func same(word string) func(int) string { return func(int) string { return word } }

func different(k int) string { return "word" + string(rune('a'+k%26)) + string(rune('a'+k/26)) }

func stray(add adder) {
	add("1 word of 61", func(m *maker) Case { m.rows = 61; return m.strayCase(1, same("error")) })
	add("2 words of 48,842", func(m *maker) Case {
		m.rows = 48842
		truth := m.table(m.numbers("x", 0, 9999, 0), m.cities())
		rows := m.some(2)
		c := csv(truth.put("x", "", rows), dialect{}.text(truth.put("x", "error", rows)), "x")
		c.Notes = []Said{notNumbers("x", 2)}
		return c
	})
	for _, word := range []string{"error", "unknown", "n.d.", "TBD", "#REF!", "#DIV/0!", "--", "<5", "1,2,3", "12:30", "1.2.3", "0x1F", "N.A."} {
		add("some "+word, func(m *maker) Case { return m.strayCase(1+m.IntN(8), same(word)) })
	}
	add("one word in a third of the rows", func(m *maker) Case { return m.strayCase(m.rows/3, same("error")) })
	add("20 words of 100", func(m *maker) Case { m.rows = 100; return m.strayCase(20, different) })
	add("20 words of 41", func(m *maker) Case { m.rows = 41; return m.strayCase(20, different) })
	add("21 words of 430", func(m *maker) Case { m.rows = 430; return m.strayCase(21, different) })
	add("21 words of 50", func(m *maker) Case {
		m.rows = 50
		c := m.strayCase(21, different)
		c.Notes = nil
		return c.unread("x")
	})
	add("words in half of the rows", func(m *maker) Case {
		m.rows = 60
		c := m.strayCase(30, different)
		c.Notes = nil
		return c.unread("x")
	})
	add("kept as words by a flag", func(m *maker) Case {
		truth := m.table(m.numbers("x", 1, 9, 0), m.small(), m.cities()).put("x", "error", m.few()).of("x", table.Category)
		c := csv(truth, dialect{}.text(truth), "x")
		c.Flags = []string{"--category", "x"}
		return c
	})
	add("a word in a column named a number", func(m *maker) Case {
		c := m.strayCase(2, same("error"))
		c.Flags = []string{"--number", "x"}
		return c
	})
	add("a word behind the first thousand rows", func(m *maker) Case {
		m.rows = 3000
		truth := m.table(m.distinctNumbers("x"), m.small())
		c := csv(truth.put("x", "", []int{2999}), dialect{}.text(truth.put("x", "broken", []int{2999})), "x")
		c.Notes = []Said{notNumbers("x", 1)}
		return c
	})
	add("a word in the first row", func(m *maker) Case {
		truth := m.table(m.distinctNumbers("x"), m.small())
		c := csv(truth.put("x", "", []int{0}), dialect{}.text(truth.put("x", "m/s", []int{0})), "x")
		c.Notes = []Said{notNumbers("x", 1)}
		return c
	})
	add("words in two columns", func(m *maker) Case {
		truth := m.plain()
		a, b := m.few(), m.few()
		c := csv(truth.put("x", "", a).put("z", "", b), dialect{}.text(truth.put("x", "bad", a).put("z", "worse", b)), "x", "z")
		c.Notes = []Said{notNumbers("x", len(a)), notNumbers("z", len(b))}
		return c
	})
	for name, word := range map[string]string{"a word in the target of a regression": "error", "infinite target of a regression": "inf"} {
		add(name, func(m *maker) Case {
			truth, rows := m.regression(m.amounts("x", 2), m.small(), m.cities()), m.few()
			c := targetless(truth, word, rows)
			c.Numeric, c.Notes = true, nil
			return c.answers("--bad-rows", strconv.Itoa(len(rows))).may(Said{Column: "y"}, Said{})
		})
	}

	for _, word := range []string{"inf", "-inf", "Infinity", "-Infinity", "+Inf", "INF", "1e999", "-1e400", "∞"} {
		add("infinite "+word, func(m *maker) Case {
			c := m.strayCase(1+m.IntN(8), same(word))
			c.Notes[0].Kinds = []notes.Kind{notes.Infinite, notes.NotNumber}
			return c
		})
	}
	add("infinite in Parquet", func(m *maker) Case {
		truth := m.plain()
		rows := m.few()
		c := one(truth.put("x", "", rows), "t.parquet", parquetFile(m.rows, flats(truth.put("x", "-Inf", rows))...), "x")
		c.Notes = []Said{infinities("x", len(rows))}
		return c
	})
	add("infinite in JSON lines as text", func(m *maker) Case {
		truth := m.plain()
		rows := m.few()
		c := one(truth.put("x", "", rows), "t.jsonl", objects(truth.put("x", `"Infinity"`, rows), nil), "x")
		c.Notes = []Said{{Kinds: []notes.Kind{notes.Infinite, notes.NotNumber}, Column: "x", Count: int64(len(rows))}}
		return c
	})
	add("infinite in JSON lines as Python writes it", func(m *maker) Case {
		truth := m.plain()
		rows := m.few()
		c := one(truth.put("x", "", rows), "t.jsonl", objects(truth.put("x", "Infinity", rows), nil), "x", "")
		c.Notes = []Said{{Kinds: []notes.Kind{notes.Infinite, notes.NotNumber}, Column: "x", Count: int64(len(rows))}}
		return c
	})
}

// outside tells which rows are not in a list.
func outside(rows []int) func(int) bool {
	in := map[int]bool{}
	for _, row := range rows {
		in[row] = true
	}
	return func(row int) bool { return !in[row] }
}
