// Package variants makes tables as real files hold them, and judges what the command lanes makes
// of each.
//
// A variant begins with clean columns and writes them with one trouble: a mark, an encoding, a
// header, a missing word. So the right reading is known before any program reads the file. Judge
// runs the command on the file and on a plain rendering of the clean columns. The two must agree,
// or a note or an error must say what was not used.
package variants

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/table"
)

// Variant is one trouble of files.
type Variant struct {
	Family, Name string
	make         func(m *maker) Case
}

// String returns the family and the name, separated by a slash.
func (v Variant) String() string { return v.Family + "/" + v.Name }

// Case makes a case of the variant, with random values, sizes and places of the trouble. Equal
// seeds make equal cases.
func (v Variant) Case(seed uint64) Case {
	h := fnv.New64a()
	h.Write([]byte(v.String()))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	return v.make(&maker{Rand: r, rows: 50 + r.IntN(351)})
}

// Case is a file, or several, and what they mean.
type Case struct {
	// Train is what the training files mean. Score is what New means; without columns it is Train.
	Train, Score Table
	// Or are further right readings of the training files, which can be read in several ways then.
	Or []Table
	// Files are the contents of files by their names. Data are the training files, or patterns;
	// nil means the only file. New is the file that is scored, "" for Data.
	Files map[string][]byte
	Data  []string
	New   string
	// Flags are for info and train, beside the target. TrainFlags are for train alone, NewFlags for
	// predict.
	Flags, TrainFlags, NewFlags []string
	// Numeric says that the target is a number, so that the model is a regression.
	Numeric bool
	// About are the columns in trouble, "" for the file as a whole. A grave note about any other
	// column is noise.
	About []string
	// Notes must be said by train, NewNotes by predict.
	Notes, NewNotes []Said
	// May are notes that may be said, by either.
	May []Said
	// Answers are the values that a person who knows the file gives to flags that a message names.
	Answers map[string][]string
	// Refused, if not nil, says that train or predict must refuse the file. It has words of the message.
	Refused []string
	// Else, if not nil, are the words of an error that is as good as the right reading.
	Else []string
	// Unsure are columns whose kind and missing values are not compared: the specification leaves
	// them open.
	Unsure []string
}

// Said is a note that a case expects.
type Said struct {
	// Kinds are the kinds of which one is expected; nil means any.
	Kinds []notes.Kind
	// Column is the column of the note, Count its count; 0 means any count.
	Column string
	Count  int64
}

// Table is what a file means.
type Table struct {
	Columns []Column
	// Target is the name of the column that is learned.
	Target string
}

// Column is one column of clean cells.
type Column struct {
	Name string
	// Unnamed says that the file has no name for the column, which is then found by its place.
	Unnamed bool
	Kind    table.Kind
	// Cells are plain decimals, words or ISO times; "" is a missing value.
	Cells []string
}

func (c Column) missing() int {
	n := 0
	for _, cell := range c.Cells {
		if cell == "" {
			n++
		}
	}
	return n
}

func (t Table) rows() int { return len(t.Columns[0].Cells) }

func (t Table) at(name string) int {
	k := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if k < 0 {
		panic("no column " + name)
	}
	return k
}

// with returns t with the cells of one column rewritten.
func (t Table) with(name string, rewrite func(cell string) string) Table {
	return t.each(name, func(_ int, cell string) string { return rewrite(cell) })
}

// each is with, for functions that need the row.
func (t Table) each(name string, rewrite func(row int, cell string) string) Table {
	k := t.at(name)
	t.Columns = slices.Clone(t.Columns)
	cells := slices.Clone(t.Columns[k].Cells)
	for i, cell := range cells {
		cells[i] = rewrite(i, cell)
	}
	t.Columns[k].Cells = cells
	return t
}

// all rewrites the cells of every column.
func (t Table) all(rewrite func(cell string) string) Table {
	for _, c := range t.Columns {
		t = t.with(c.Name, rewrite)
	}
	return t
}

// put returns t with the cells of one column replaced in some rows.
func (t Table) put(name string, cell string, rows []int) Table {
	return t.each(name, func(i int, old string) string {
		if slices.Contains(rows, i) {
			return cell
		}
		return old
	})
}

// only returns the rows for which keep holds.
func (t Table) only(keep func(row int) bool) Table {
	t.Columns = slices.Clone(t.Columns)
	for k, c := range t.Columns {
		var cells []string
		for i, cell := range c.Cells {
			if keep(i) {
				cells = append(cells, cell)
			}
		}
		t.Columns[k].Cells = cells
	}
	return t
}

// first returns the first rows.
func (t Table) first(rows int) Table { return t.only(func(row int) bool { return row < rows }) }

// named returns t with one column under another name.
func (t Table) named(name, other string) Table {
	k := t.at(name)
	t.Columns = slices.Clone(t.Columns)
	t.Columns[k].Name = other
	if t.Target == name {
		t.Target = other
	}
	return t
}

// insert returns t with a further column before place.
func (t Table) insert(place int, c Column) Table {
	t.Columns = slices.Insert(slices.Clone(t.Columns), place, c)
	return t
}

// without returns t without a column.
func (t Table) without(name string) Table {
	k := t.at(name)
	t.Columns = slices.Delete(slices.Clone(t.Columns), k, k+1)
	return t
}

// order returns t with its columns in the order of names.
func (t Table) order(names ...string) Table {
	var columns []Column
	for _, name := range names {
		columns = append(columns, t.Columns[t.at(name)])
	}
	t.Columns = columns
	return t
}

// of changes the kind of a column.
func (t Table) of(name string, kind table.Kind) Table {
	k := t.at(name)
	t.Columns = slices.Clone(t.Columns)
	t.Columns[k].Kind = kind
	return t
}

// adder adds a variant to a family.
type adder func(name string, make func(m *maker) Case)

// All returns every variant, family by family.
func All() []Variant {
	var all []Variant
	for _, family := range []struct {
		name string
		list func(add adder)
	}{
		{"plain", plain}, {"marks", marks}, {"encodings", encodings}, {"headers", headers}, {"words", words},
		{"codes", codes}, {"stray", stray}, {"dates", dates}, {"parts", parts}, {"json", jsonLines},
		{"parquet", parquets}, {"targets", targets}, {"predict", predicts}, {"exports", exports},
	} {
		first := len(all)
		family.list(func(name string, make func(m *maker) Case) { all = append(all, Variant{family.name, name, make}) })
		slices.SortFunc(all[first:], func(a, b Variant) int { return strings.Compare(a.Name, b.Name) })
	}
	return all
}

// Chosen returns the variants whose family and name contain text.
func Chosen(text string) []Variant {
	return slices.DeleteFunc(All(), func(v Variant) bool { return !strings.Contains(v.String(), text) })
}
