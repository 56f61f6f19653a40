package variants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// jsonLines has objects as programs write them.
func jsonLines(add adder) {
	// The rows with a key absent: k is the place of the column.
	absent := func(name, column string, k int, rows func(m *maker) []int) {
		add(name, func(m *maker) Case {
			t := m.plain()
			gone := rows(m)
			kept := outside(gone)
			return one(t.put(column, "", gone), "t.jsonl", objects(t, func(row int, pairs []string) []string {
				if kept(row) {
					return pairs
				}
				return append(pairs[:k:k], pairs[k+1:]...)
			}), column)
		})
	}
	absent("an absent number", "x", 0, (*maker).few)
	absent("an absent word", "c", 2, (*maker).few)
	absent("a key that comes late", "z", 1, func(m *maker) []int { return upTo(20 + m.IntN(20)) })
	absent("a key that ends early", "c", 2, func(m *maker) []int {
		var rows []int
		for row := 25; row < m.rows; row++ {
			rows = append(rows, row)
		}
		return rows
	})
	add("an absent target", func(m *maker) Case {
		t := m.plain()
		gone := m.few()
		kept := outside(gone)
		c := one(t.only(kept), "t.jsonl", objects(t, func(row int, pairs []string) []string {
			if kept(row) {
				return pairs
			}
			return pairs[:3]
		}), "y", "")
		c.Score = t
		c.Notes = []Said{noTarget("", len(gone))}
		return c
	})
	add("a null target", func(m *maker) Case {
		t := m.plain()
		gone := m.few()
		c := one(t.only(outside(gone)), "t.jsonl", objects(t.put("y", "", gone), nil), "y", "")
		c.Score = t
		c.Notes = []Said{noTarget("", len(gone))}
		return c
	})
	add("null and empty strings", func(m *maker) Case {
		t := m.plain().put("x", "", m.few())
		gone := m.few()
		t = t.put("c", "", gone)
		return one(t, "t.jsonl", objects(t, func(row int, pairs []string) []string {
			if row%2 == 0 {
				pairs[2] = strings.Replace(pairs[2], "null", `""`, 1)
			}
			return pairs
		}), "x", "c")
	})
	add("absent keys at prediction", func(m *maker) Case {
		t := m.plain().put("z", "", m.few())
		return one(t, "t.jsonl", objects(t, nil), "z", "c").scoring("new.jsonl", objects(t.without("z"), nil), t.with("z", func(string) string { return "" })).may(Said{Column: "z"})
	})

	// Nested values.
	nested := func(name string, write func(t Table, row int, pairs []string) []string, flags ...string) {
		add(name, func(m *maker) Case {
			t := m.table(m.amounts("a.x", 2), m.numbers("a.z", -9, 9, 1), m.cities())
			c := one(t, "t.jsonl", objects(t, func(row int, pairs []string) []string { return write(t, row, pairs) }), "a", "a.x", "a.z", "tags")
			c.Flags = flags
			return c.may(Said{Column: "tags"})
		})
	}
	inner := func(pairs []string) string {
		return `"a": {` + strings.ReplaceAll(pairs[0]+", "+pairs[1], `"a.`, `"`) + "}"
	}
	nested("nested objects", func(_ Table, _ int, pairs []string) []string {
		return append([]string{inner(pairs)}, pairs[2:]...)
	})
	nested("arrays beside the columns", func(_ Table, row int, pairs []string) []string {
		return append(pairs, fmt.Sprintf(`"tags": [%d, "b"]`, row%3))
	})
	nested("ignored arrays", func(_ Table, row int, pairs []string) []string {
		return append(pairs, fmt.Sprintf(`"tags": [%d, "b"]`, row%3))
	}, "--ignore", "tags")
	nested("ignored objects", func(_ Table, row int, pairs []string) []string {
		return append(pairs, fmt.Sprintf(`"tags": {"u": %d}`, row%3))
	}, "--ignore", "tags")
	add("arrays in some rows", func(m *maker) Case {
		t := m.plain()
		rows := m.few()
		kept := outside(rows)
		c := one(t.put("x", "", rows), "t.jsonl", objects(t, func(row int, pairs []string) []string {
			if !kept(row) {
				pairs[0] = `"x": [1, 2]`
			}
			return pairs
		}), "x")
		c.Notes = []Said{{Kinds: []notes.Kind{notes.Nested, notes.NotNumber}, Column: "x", Count: int64(len(rows))}}
		return c.answers("--ignore", "x")
	})

	// Other layouts of the file.
	layout := func(name, file string, write func(objects []byte) []byte) {
		add(name, func(m *maker) Case {
			t := m.plain()
			return one(t, file, write(objects(t, nil)), "")
		})
	}
	array := func(lines []byte) []byte {
		return []byte("[" + strings.Join(strings.Split(strings.TrimSpace(string(lines)), "\n"), ",\n") + "]\n")
	}
	indented := func(text []byte) []byte {
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "  "); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	layout("an array, an object a line", "t.json", array)
	layout("an array in one line", "t.json", func(lines []byte) []byte { return bytes.ReplaceAll(array(lines), []byte(",\n"), []byte(", ")) })
	layout("a pretty-printed array", "t.json", func(lines []byte) []byte { return indented(array(lines)) })
	layout("pretty-printed objects", "t.json", func(lines []byte) []byte {
		var all []byte
		for _, line := range bytes.Split(bytes.TrimSpace(lines), []byte("\n")) {
			all = append(append(all, indented(line)...), '\n')
		}
		return all
	})
	layout("empty lines", "t.jsonl", func(lines []byte) []byte { return bytes.Replace(lines, []byte("\n"), []byte("\n\n"), 5) })
	layout("carriage returns", "t.jsonl", func(lines []byte) []byte { return bytes.ReplaceAll(lines, []byte("\n"), []byte("\r\n")) })
	add("objects in one line", func(m *maker) Case {
		t := m.plain()
		return one(t, "t.jsonl", bytes.ReplaceAll(objects(t, nil), []byte("\n"), []byte(" ")), "").orRefuse("t.jsonl:1", "an object a line")
	})
	add("records under a key", func(m *maker) Case {
		t := m.plain()
		c := one(t, "t.json", append(append([]byte(`{"data": `), array(objects(t, nil))...), '}'), "")
		c.Refused = []string{"t.json"}
		return c
	})
	add("columns of arrays", func(m *maker) Case {
		t := m.plain()
		var pairs []string
		for _, column := range t.Columns {
			var cells []string
			for _, cell := range column.Cells {
				cells = append(cells, value(column, cell))
			}
			pairs = append(pairs, quote(column.Name)+": ["+strings.Join(cells, ", ")+"]")
		}
		c := one(t, "t.json", []byte("{"+strings.Join(pairs, ", ")+"}\n"), "")
		c.Refused = []string{"t.json"}
		return c
	})

	// Values.
	rewrite := func(name string, clean func(m *maker) Table, write func(row int, pairs []string) []string, about ...string) {
		add(name, func(m *maker) Case {
			t := clean(m)
			return one(t, "t.jsonl", objects(t, write), about...)
		})
	}
	rewrite("booleans", func(m *maker) Table { return m.table(m.words("b", "false", "true"), m.amounts("x", 2)) }, func(_ int, pairs []string) []string {
		pairs[0] = strings.ReplaceAll(strings.ReplaceAll(pairs[0], `"true"`, "true"), `"false"`, "false")
		return pairs
	}, "b")
	rewrite("exponents", func(m *maker) Table { return m.plain() }, func(row int, pairs []string) []string {
		if row%2 == 0 {
			pairs[0] += "e0"
		}
		return pairs
	}, "x")
	rewrite("escaped letters", func(m *maker) Table { return m.abroad(german...) }, func(row int, pairs []string) []string {
		if row%2 == 0 {
			pairs[2] = strings.NewReplacer("ü", `\u00fc`, "ö", `\u00F6`, "ß", `\u00df`).Replace(pairs[2])
		}
		return pairs
	}, "c")
	rewrite("blanks around values", func(m *maker) Table { return m.plain() }, func(row int, pairs []string) []string {
		for k := range pairs {
			pairs[k] = strings.Replace(pairs[k], ": ", "  :\t", 1) + "  "
		}
		return pairs
	})
	rewrite("keys in another order in every second row", func(m *maker) Table { return m.plain() }, func(row int, pairs []string) []string {
		if row%2 == 1 {
			pairs[0], pairs[1], pairs[2] = pairs[2], pairs[0], pairs[1]
		}
		return pairs
	})
	add("NaN as Python writes it", func(m *maker) Case {
		t := m.plain()
		rows := m.few()
		return one(t.put("x", "", rows), "t.jsonl", objects(t.put("x", "NaN", rows), nil), "x", "").may(Said{Column: "x"})
	})
	add("words of missing values in strings", func(m *maker) Case {
		t := m.plain().put("c", "NA", m.few())
		return one(t, "t.jsonl", objects(t, nil), "c")
	})
	add("money in strings", func(m *maker) Case {
		t := m.plain()
		file := t.with("x", func(n string) string { return "$" + marked(n, ".", ",") }).of("x", table.Category)
		c := one(t, "t.jsonl", objects(file, nil), "x")
		c.Or = []Table{file}
		return c.may(Said{Column: "x"})
	})
	add("a key twice", func(m *maker) Case {
		t := m.plain()
		return one(t, "t.jsonl", objects(t, func(_ int, pairs []string) []string { return append([]string{`"x": 1`}, pairs...) }), "x").orRefuse("t.jsonl:1", `"x"`)
	})
	add("a broken line", func(m *maker) Case {
		t := m.plain()
		at := 3 + m.IntN(40)
		lines := strings.SplitAfter(string(objects(t, nil)), "\n")
		c := one(t, "t.jsonl", joinLines(lines, at, `{"x": 1, "z"`+"\n"), "")
		c.Refused = []string{fmt.Sprintf("t.jsonl:%d", at+1)}
		return c
	})
}

func upTo(n int) []int {
	rows := make([]int, n)
	for k := range rows {
		rows[k] = k
	}
	return rows
}
