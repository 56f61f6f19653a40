package variants

import (
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// halves cuts a table in two.
func halves(t Table) (first, second Table) {
	middle := t.rows() / 2
	return t.first(middle), t.only(func(row int) bool { return row >= middle })
}

// inParts is a case of two files, which are one table in the order of their names. All of it is
// scored from a plain file.
func inParts(truth Table, extension string, first, second []byte, about ...string) Case {
	c := Case{Train: truth, About: append(about, "")}
	c.Files = map[string][]byte{"part-1." + extension: first, "part-2." + extension: second, "all.csv": dialect{}.text(truth)}
	c.Data, c.New = []string{"part-*." + extension}, "all.csv"
	return c
}

func parts(add adder) {
	reordered := []Said{{Kinds: []notes.Kind{notes.Reordered}}}
	add("equal order", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		return inParts(t, "csv", dialect{}.text(a), dialect{}.text(b))
	})
	for name, order := range map[string][]string{"numbers exchanged": {"z", "x", "c", "y"}, "target first": {"y", "x", "z", "c"}, "reversed": {"y", "c", "z", "x"}} {
		add("csv, "+name, func(m *maker) Case {
			t := m.plain()
			a, b := halves(t)
			return inParts(t, "csv", dialect{}.text(a), dialect{}.text(b.order(order...))).may(reordered...).orRefuse("part-2.csv", "column 1")
		})
		add("parquet, "+name, func(m *maker) Case {
			t := m.plain()
			a, b := halves(t)
			return inParts(t, "parquet", parquetFile(a.rows(), flats(a)...), parquetFile(b.rows(), flats(b.order(order...))...)).may(reordered...).orRefuse("part-2.parquet", "columns")
		})
		add("json lines, "+name, func(m *maker) Case {
			t := m.plain()
			a, b := halves(t)
			return inParts(t, "jsonl", objects(a, nil), objects(b.order(order...), nil))
		})
	}
	refused := func(name string, words []string, about string, change func(b Table) Table) {
		add(name, func(m *maker) Case {
			t := m.plain()
			a, b := halves(t)
			c := inParts(t, "csv", dialect{}.text(a), dialect{}.text(change(b)), about)
			c.Refused = words
			return c
		})
	}
	refused("a part lacks a column", []string{"part-2", "z"}, "z", func(b Table) Table { return b.without("z") })
	refused("a part has a further column", []string{"part-2"}, "w", func(b Table) Table {
		return b.insert(1, Column{Name: "w", Kind: table.Number, Cells: b.Columns[0].Cells})
	})
	refused("a part has another name", []string{"part-2", "z"}, "z", func(b Table) Table { return b.named("z", "zz") })
	add("parquet, a part lacks a column", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		c := inParts(t, "parquet", parquetFile(a.rows(), flats(a)...), parquetFile(b.rows(), flats(b.without("z"))...), "z")
		c.Refused = []string{"part-2", "z"}
		return c
	})
	add("a part without a header", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		return inParts(t, "csv", dialect{}.text(a), dialect{headless: true}.text(b)).orRefuse("part-2.csv").may(Said{Kinds: []notes.Kind{notes.Header}})
	})
	add("a part of another separator", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		return inParts(t, "csv", dialect{}.text(a), semicolon.text(b)).orRefuse("part-2.csv")
	})
	add("a part of decimal commas", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		c := inParts(t, "csv", semicolon.text(a), semicolon.text(decimalCommas(b)), germanColumns...)
		return c.may(Said{Column: "x"}, Said{Column: "z"}).orRefuse("part-2.csv", "decimal mark")
	})
	add("a part of latin1", func(m *maker) Case {
		t := m.abroad(german...)
		a, b := halves(t)
		c := inParts(t, "csv", dialect{}.text(a), encoded(charmap.ISO8859_1, dialect{}.text(b)), "c")
		return c.orRefuse("part-2.csv:")
	})
	add("a part of utf-8 with a byte-order mark", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		return inParts(t, "csv", dialect{}.text(a), append([]byte("\ufeff"), dialect{}.text(b)...))
	})
	add("an empty part", func(m *maker) Case {
		t := m.plain()
		return inParts(t, "csv", dialect{}.text(t), nil).may(Said{}).orRefuse("part-2.csv", "empty")
	})
	add("a part with a header alone", func(m *maker) Case {
		t := m.plain()
		return inParts(t, "csv", dialect{}.text(t), []byte("x,z,c,y\n")).may(Said{})
	})
	add("a column that is text in one part of parquet", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		columns := append([]parquettest.Column{byteArrays(b.Columns[0])}, flats(b)[1:]...)
		return inParts(t, "parquet", parquetFile(a.rows(), flats(a)...), parquetFile(b.rows(), columns...), "x").may(Said{Column: "x"})
	})
	add("names in another case", func(m *maker) Case {
		t := m.plain()
		a, b := halves(t)
		c := inParts(t, "csv", dialect{}.text(a), []byte(strings.Replace(string(dialect{}.text(b)), "x,z,c,y", "X,Z,C,Y", 1)))
		c.Refused = []string{"part-2"}
		return c
	})
}
