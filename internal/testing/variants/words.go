package variants

import (
	"slices"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// words has the words of missing values: in columns of numbers they are missing, in columns of
// words they are words, unless a flag names them.
func words(add adder) {
	for _, word := range []string{
		"", " ", "NA", "N/A", "#N/A", "n/a", "nan", "NaN", "NAN", "NULL", "null", "Null", "None", "none", "NONE", "<NA>", "<na>",
		"-", ".", "?", " NA ", " ?", "na",
	} {
		add("in numbers: "+quote(word), func(m *maker) Case {
			truth := m.table(m.distinctNumbers("x"), m.small(), m.cities())
			rows := m.some(m.rows / 5)
			return csv(truth.put("x", "", rows), dialect{}.text(truth.put("x", word, rows)), "x")
		})
	}
	for _, word := range []string{"NA", "N/A", "#N/A", "nan", "NULL", "None", "<NA>", "-", ".", "?"} {
		add("in words: "+quote(word), func(m *maker) Case {
			truth := m.plain()
			truth = truth.put("c", word, m.some(m.rows/5))
			return csv(truth, dialect{}.text(truth), "c")
		})
	}
	for _, word := range []string{"", " "} {
		add("in words: "+quote(word), func(m *maker) Case {
			truth := m.plain()
			rows := m.some(m.rows / 5)
			return csv(truth.put("c", "", rows), dialect{}.text(truth.put("c", word, rows)), "c")
		})
	}
	add("Namibia", func(m *maker) Case {
		truth := m.table(m.amounts("x", 2), m.words("country", "NA", "ZA", "BW", "AO"))
		return csv(truth, dialect{}.text(truth), "country")
	})
	add("all words at once in numbers", func(m *maker) Case {
		truth := m.plain()
		rows := m.some(20)
		file := truth
		for k, row := range rows {
			file = file.put("x", []string{"", "NA", "N/A", "#N/A", "n/a", "nan", "NULL", "None", "<NA>", "-", ".", "?"}[k%12], []int{row})
		}
		return csv(truth.put("x", "", rows), dialect{}.text(file), "x")
	})
	add("quoted empty cells", func(m *maker) Case {
		truth := m.plain().put("x", "", m.few()).put("c", "", m.few())
		return csv(truth, dialect{quoted: true}.text(truth), "x", "c")
	})
	add("NA in quotes in words", func(m *maker) Case {
		truth := m.plain().put("c", "NA", m.few())
		return csv(truth, dialect{quoted: true}.text(truth), "c")
	})
	add("a column of NA alone", func(m *maker) Case {
		truth := m.plain()
		file := truth.insert(1, Column{Name: "e", Kind: table.Ignore, Cells: slices.Repeat([]string{"NA"}, m.rows)})
		return csv(file, dialect{}.text(file), "e").may(Said{Column: "e"})
	})
	add("an empty column", func(m *maker) Case {
		truth := m.plain()
		file := truth.insert(1, Column{Name: "e", Kind: table.Ignore, Cells: make([]string, m.rows)})
		return csv(file, dialect{}.text(file), "e").may(Said{Column: "e"})
	})

	// Named words.
	named := func(name, flag, word string, rewrite func(string) string, d dialect) {
		add(name, func(m *maker) Case {
			truth := m.table(m.numbers("x", 1, 99, 1), m.small(), m.cities())
			rows := m.some(m.rows / 6)
			file := truth.put("x", word, rows)
			if rewrite != nil {
				file = file.with("x", rewrite).with("z", rewrite)
			}
			c := csv(truth.put("x", "", rows), d.text(file), "x")
			c.Flags = []string{"--missing=" + flag}
			return c.may(notNumbers("x", len(rows))) // of a word in another case
		})
	}
	named("-200 named", "-200", "-200", nil, dialect{})
	named("-200.0 named as -200", "-200", "-200.0", nil, dialect{})
	named("-200 named as -200.0", "-200.0", "-200", nil, dialect{})
	named("-200,0 named as -200", "-200", "-200.0", withMarks(",", ""), semicolon)
	named("999 named beside others", "999,-7777", "999", nil, dialect{})
	named("1e3 named as 1000", "1000", "1e3", nil, dialect{})
	named("a word named", "no answer", "no answer", nil, dialect{})
	named("a word named in another case", "no answer", "No Answer", nil, dialect{})
	add("-200 named in words", func(m *maker) Case {
		truth := m.table(m.amounts("x", 2), m.small(), m.words("c", "a", "b", "d"))
		rows := m.some(m.rows / 6)
		c := csv(truth.put("c", "", rows), dialect{}.text(truth.put("c", "-200", rows)), "c")
		c.Flags = []string{"--missing=-200"}
		return c
	})
	add("NA named holds in words", func(m *maker) Case {
		truth := m.plain()
		rows := m.some(m.rows / 6)
		c := csv(truth.put("c", "", rows), dialect{}.text(truth.put("c", "NA", rows)), "c")
		c.Flags = []string{"--missing=NA"}
		return c
	})
	add("a word named in words", func(m *maker) Case {
		truth := m.plain()
		rows := m.some(m.rows / 6)
		c := csv(truth.put("c", "", rows), dialect{}.text(truth.put("c", "unknown", rows)), "c")
		c.Flags = []string{"--missing=unknown"}
		return c
	})
	add("-200 named in the target", func(m *maker) Case {
		c := targetless(m.regression(m.amounts("x", 2), m.small(), m.cities()), "-200.0", m.few())
		c.Numeric, c.Flags = true, []string{"--missing=-200"}
		return c
	})
	add("a word named in the target", func(m *maker) Case {
		c := targetless(m.plain(), "pending", m.few())
		c.Flags = []string{"--missing=pending"}
		return c
	})
	add("none switches off", func(m *maker) Case {
		truth := m.table(m.numbers("x", 1, 9, 0), m.small(), m.cities())
		rows := m.few()
		c := csv(truth.put("x", "", rows), dialect{}.text(truth.put("x", "NA", rows)), "x")
		c.Flags = []string{"--missing=none"}
		c.Notes = []Said{notNumbers("x", len(rows))}
		return c
	})
	add("missing in times", func(m *maker) Case {
		truth := m.table(m.times("d", isoDay, 700), m.amounts("x", 2))
		rows := m.few()
		return csv(truth.put("d", "", rows), dialect{}.text(truth.put("d", "NA", rows)), "d").may(Said{Column: "d"})
	})
	for _, word := range []string{"NaT", "0000-00-00", "unknown"} {
		add("in times: "+word, func(m *maker) Case {
			truth := m.table(m.times("d", isoDay, 700), m.amounts("x", 2))
			rows := m.few()
			c := csv(truth.put("d", "", rows), dialect{}.text(truth.put("d", word, rows)), "d")
			if word != "NaT" {
				c.Notes = []Said{{Kinds: []notes.Kind{notes.NotTime}, Column: "d", Count: int64(len(rows))}}
			}
			return c.may(Said{Column: "d"})
		})
	}
	for name, write := range map[string]func(t Table, m *maker) []byte{
		"parquet": func(t Table, m *maker) []byte {
			return parquetFile(m.rows, byteArrays(t.Columns[0]), doubles(t.Columns[1]), byteArrays(t.Columns[2]), byteArrays(t.Columns[3]))
		},
		"json": func(t Table, _ *maker) []byte { return objects(t.of("x", table.Category), nil) },
	} {
		add("NA in text that holds numbers, "+name, func(m *maker) Case {
			truth := m.table(m.amounts("x", 2), m.small(), m.cities())
			rows := m.few()
			file := truth.put("x", "NA", rows)
			c := one(truth.put("x", "", rows), "t."+name, write(file, m), "x")
			c.Or = []Table{file.of("x", table.Category)} // quoted numbers of JSON are words
			return c.may(Said{Column: "x"})
		})
	}
}
