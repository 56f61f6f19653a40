package variants

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// codesColumn returns a category of whole numbers.
func (m *maker) codesColumn(name string, codes ...string) Column {
	return m.column(name, table.Category, func() string { return codes[m.IntN(len(codes))] })
}

// counter returns a column that counts the rows.
func (m *maker) counter(name string, from int) Column {
	c := Column{Name: name, Kind: table.Ignore}
	for i := range m.rows {
		c.Cells = append(c.Cells, strconv.Itoa(from+i))
	}
	return c
}

func leftOut(column string) Said { return Said{Kinds: []notes.Kind{notes.LeftOut}, Column: column} }

// float writes whole numbers as floats.
func float(cell string) string {
	if _, err := strconv.Atoi(cell); err != nil {
		return cell
	}
	return cell + ".0"
}

// codes has words that look like numbers, and numbers that are words.
func codes(add adder) {
	zips := []string{"02134", "02139", "10001", "94103", "00501"}
	add("leading zeros", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", zips...), m.amounts("x", 2))
		return csv(t, dialect{}.text(t), "zip")
	})
	add("leading zeros in quotes", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", zips...), m.amounts("x", 2))
		return csv(t, dialect{quoted: true}.text(t), "zip")
	})
	add("one leading zero among many codes", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", "10001", "20002", "94103"), m.amounts("x", 2)).put("zip", "02134", m.some(3))
		return csv(t, dialect{}.text(t), "zip").may(Said{Column: "zip"})
	})
	add("leading zeros of equal numbers", func(m *maker) Case {
		t := m.table(m.codesColumn("code", "1", "01", "001"), m.amounts("x", 2))
		return csv(t, dialect{}.text(t), "code")
	})
	add("spreadsheet formulas of text", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", zips...), m.amounts("x", 2))
		return csv(t, dialect{separator: ";"}.text(t.with("zip", func(cell string) string { return `="` + cell + `"` })), "zip")
	})
	add("zeros and decimals", func(m *maker) Case {
		t := m.table(m.numbers("x", 0, 0.99, 2), m.small(), m.cities())
		return csv(t, dialect{}.text(t))
	})
	add("0 and 00 of numbers of minutes", func(m *maker) Case {
		t := m.table(m.codesColumn("minute", "00", "15", "30", "45"), m.amounts("x", 2))
		return csv(t, dialect{}.text(t), "minute")
	})
	add("leading zeros in JSON strings", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", zips...), m.amounts("x", 2))
		return one(t, "t.jsonl", objects(t, nil), "zip")
	})
	add("numbers in JSON strings", func(m *maker) Case {
		t := m.table(m.codesColumn("code", "12", "15", "40"), m.amounts("x", 2))
		return one(t, "t.jsonl", objects(t, nil), "code")
	})
	add("JSON strings and numbers in one column", func(m *maker) Case {
		t := m.table(m.numbers("x", 0, 99, 0), m.small(), m.cities())
		c := one(t, "t.jsonl", objects(t, func(row int, pairs []string) []string {
			if row%2 == 0 {
				pairs[0] = `"x": ` + quote(t.Columns[0].Cells[row])
			}
			return pairs
		}), "x")
		c.Or = []Table{t.of("x", table.Category)}
		return c.may(Said{Column: "x"})
	})
	add("leading zeros in Parquet strings", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", zips...), m.amounts("x", 2))
		return one(t, "t.parquet", parquetFile(m.rows, flats(t)...), "zip")
	})
	add("ids of 19 digits", func(m *maker) Case {
		t := m.table(m.codesColumn("id", "1344800117571260417", "1344800117571260418", "1344800117571260419"), m.amounts("x", 2))
		c := csv(t, dialect{}.text(t), "id")
		c.Or = []Table{t.of("id", table.Ignore)}
		return c.may(Said{Column: "id"})
	})
	add("ids of 19 digits in JSON strings", func(m *maker) Case {
		t := m.table(m.codesColumn("id", "1344800117571260417", "1344800117571260418", "1344800117571260419"), m.amounts("x", 2))
		return one(t, "t.jsonl", objects(t, nil), "id")
	})

	// Whole numbers as categories, in training and prediction.
	whole := []string{"1", "2", "3", "10"}
	scored := func(name string, train, score func(string) string) {
		add("codes, "+name, func(m *maker) Case {
			t := m.table(m.codesColumn("code", whole...), m.amounts("x", 2), m.small())
			c := csv(t, dialect{}.text(t.with("code", train)), "code")
			c.Flags = []string{"--category", "code"}
			return c.scoring("new.csv", dialect{}.text(t.with("code", score)))
		})
	}
	keep := func(cell string) string { return cell }
	scored("whole, scored as floats", keep, float)
	scored("floats, scored as whole", float, keep)
	scored("floats", float, float)
	scored("whole, scored with two places", keep, func(cell string) string { return cell + ".00" })
	scored("whole, scored with blanks", keep, func(cell string) string { return " " + cell })
	scored("whole, scored in quotes", keep, func(cell string) string { return strings.Trim(quote(cell), `"`) })
	add("codes with a missing value, scored as floats", func(m *maker) Case {
		t := m.table(m.codesColumn("code", whole...), m.amounts("x", 2), m.small()).put("code", "", m.few())
		c := csv(t, dialect{}.text(t), "code")
		c.Flags = []string{"--category", "code"}
		return c.scoring("new.csv", dialect{}.text(t.with("code", float)))
	})
	add("codes in CSV, doubles in Parquet", func(m *maker) Case {
		t := m.table(m.codesColumn("code", whole...), m.amounts("x", 2), m.small())
		c := csv(t, dialect{}.text(t), "code")
		c.Flags = []string{"--category", "code"}
		columns := append([]parquettest.Column{doubles(t.Columns[0])}, flats(t)[1:]...)
		return c.scoring("new.parquet", parquetFile(m.rows, columns...))
	})
	add("longs in Parquet, codes in JSON lines", func(m *maker) Case {
		t := m.table(m.codesColumn("code", whole...), m.amounts("x", 2), m.small())
		columns := append([]parquettest.Column{longs(t.Columns[0])}, flats(t)[1:]...)
		c := one(t, "t.parquet", parquetFile(m.rows, columns...), "code")
		c.Flags = []string{"--category", "code"}
		return c.scoring("new.jsonl", objects(t.of("code", table.Number).with("code", float), nil))
	})
	add("codes with leading zeros, scored without", func(m *maker) Case {
		t := m.table(m.codesColumn("zip", zips...), m.amounts("x", 2))
		c := csv(t, dialect{}.text(t), "zip")
		bare := t.with("zip", func(cell string) string { return strings.TrimLeft(cell, "0") })
		c = c.scoring("new.csv", dialect{}.text(bare), bare)
		c.NewNotes = []Said{{Kinds: []notes.Kind{notes.Unseen}, Column: "zip"}}
		return c
	})

	// Columns that count the rows.
	for _, from := range []int{0, 1} {
		for _, name := range []string{"", "id", "Unnamed: 0", "index", "rownames"} {
			add(fmt.Sprintf("counter from %d, %q", from, name), func(m *maker) Case {
				t := m.plain()
				counter := m.counter("k", from)
				counter.Unnamed = name == ""
				file := t.insert(0, counter)
				shown := name
				if name == "" {
					shown = "1"
				}
				c := csv(file, dialect{names: []string{name, "x", "z", "c", "y"}}.text(file), shown, name, "k").may(leftOut(shown), leftOut(name), leftOut("k"))
				if name != "" {
					c.Train = file.named("k", name)
				}
				c.Notes = []Said{{Kinds: []notes.Kind{notes.LeftOut}, Column: shown}}
				if name == "" {
					c.Notes = nil
				}
				return c
			})
		}
	}
	add("row names of R, one name fewer than cells", func(m *maker) Case {
		t := m.plain()
		counter := m.counter("k", 1)
		counter.Unnamed = true
		file := t.insert(0, counter)
		lines := dialect{quoted: true}.lines(file)
		lines[0] = dialect{quoted: true}.lines(t)[0]
		return csv(file, joinLines(lines, 0), "1", "k", "").may(leftOut("1"), Said{})
	})
	add("a counter that is the last column", func(m *maker) Case {
		t := m.plain()
		file := t.insert(4, m.counter("n", 1))
		return csv(file, dialect{}.text(file), "n").may(leftOut("n"))
	})
	add("a counter in JSON lines", func(m *maker) Case {
		t := m.plain()
		file := t.insert(0, m.counter("n", 0))
		c := one(file, "t.jsonl", objects(file.of("n", table.Number), nil), "n")
		c.Notes = []Said{leftOut("n")}
		return c
	})
	add("whole numbers in random order are no counter", func(m *maker) Case {
		n := Column{Name: "n", Kind: table.Number}
		for _, k := range m.Perm(m.rows) {
			n.Cells = append(n.Cells, strconv.Itoa(k))
		}
		t := m.table(n, m.small(), m.cities())
		return csv(t, dialect{}.text(t))
	})
	add("even numbers in order are no counter", func(m *maker) Case {
		n := Column{Name: "n", Kind: table.Number}
		for k := range m.rows {
			n.Cells = append(n.Cells, strconv.Itoa(2*k))
		}
		t := m.table(n, m.small(), m.cities())
		return csv(t, dialect{}.text(t))
	})
	add("an id of words", func(m *maker) Case {
		id := Column{Name: "id", Kind: table.Ignore}
		for k := range m.rows {
			id.Cells = append(id.Cells, fmt.Sprintf("A-%05d", k*7))
		}
		file := m.plain().insert(0, id)
		c := csv(file, dialect{}.text(file), "id")
		c.Notes = []Said{leftOut("id")}
		return c
	})
	add("a column of one value", func(m *maker) Case {
		file := m.plain().insert(0, m.words("k", "always"))
		file = file.of("k", table.Ignore)
		c := csv(file, dialect{}.text(file), "k")
		c.Notes = []Said{{Kinds: []notes.Kind{notes.Constant, notes.LeftOut}, Column: "k"}}
		return c
	})
	add("whole numbers with few values", func(m *maker) Case {
		t := m.table(m.numbers("k", 1, 4, 0), m.amounts("x", 2))
		return csv(t, dialect{}.text(t), "k")
	})

	// Labels.
	add("labels as floats", func(m *maker) Case {
		t := m.labels("0", "1")
		return csv(t, dialect{}.text(t.with("y", float)), "y")
	})
	add("labels as floats and whole numbers", func(m *maker) Case {
		t := m.labels("0", "1")
		return csv(t, dialect{}.text(t.each("y", func(i int, cell string) string {
			if i%2 == 0 {
				return float(cell)
			}
			return cell
		})), "y")
	})
	add("labels with a sign", func(m *maker) Case {
		t := m.labels("-1", "1")
		return csv(t, dialect{}.text(t.with("y", plusSign)), "y")
	})
	add("labels as floats in a positive label", func(m *maker) Case {
		t := m.labels("0", "1")
		c := csv(t, dialect{}.text(t.with("y", float)), "y")
		c.TrainFlags = []string{"--positive", "1"}
		return c
	})
	add("labels true and false", func(m *maker) Case { t := m.labels("false", "true"); return csv(t, dialect{}.text(t), "y") })
	add("labels in two cases", func(m *maker) Case {
		t := m.labels("no", "yes").put("y", "Yes", m.some(3))
		c := csv(t, dialect{}.text(t), "y", "")
		c.Refused = []string{"Yes"}
		return c
	})
	add("labels in JSON strings", func(m *maker) Case {
		t := m.labels("0", "1")
		return one(t, "t.jsonl", objects(t, func(row int, pairs []string) []string {
			pairs[3] = `"y": "` + t.Columns[3].Cells[row] + `"`
			return pairs
		}), "y")
	})
	add("labels true and false in JSON", func(m *maker) Case {
		t := m.labels("false", "true")
		return one(t, "t.jsonl", objects(t, func(row int, pairs []string) []string {
			pairs[3] = `"y": ` + t.Columns[3].Cells[row]
			return pairs
		}), "y")
	})
}

// labels is the plain table with these labels.
func (m *maker) labels(low, high string) Table {
	t := m.plain()
	first := t.Columns[3].Cells[0]
	return t.with("y", func(cell string) string {
		if cell == first {
			return low
		}
		return high
	})
}
