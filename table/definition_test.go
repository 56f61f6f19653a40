package table

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
)

// definition encodes rows by the definitions of scikit-learn, naively: an entry for each name of a
// column. OneHotEncoder, StandardScaler and MinMaxScaler, CountVectorizer and TfidfVectorizer.
type definition struct {
	names []string
	rows  [][]string
}

func (d *definition) column(name string) (cells []string) {
	k := slices.Index(d.names, name)
	for _, row := range d.rows {
		cells = append(cells, row[k])
	}
	return cells
}

var token = regexp.MustCompile(`[\p{L}\p{N}_]{2,}`)

func grams(text string, n int) (list []string) {
	tokens := token.FindAllString(strings.ToLower(text), -1)
	for size := 1; size <= n; size++ {
		for i := range len(tokens) - size + 1 {
			list = append(list, strings.Join(tokens[i:i+size], " "))
		}
	}
	return list
}

// encode returns the entries of each row.
func (d *definition) encode(t *testing.T, r *Recipe) []map[string]float64 {
	out := make([]map[string]float64, len(d.rows))
	for i := range out {
		out[i] = map[string]float64{}
	}
	words := []string{"na", "n/a", "#n/a", "nan", "null", "none", "<na>", "-", ".", "?"}
	absent := func(cell string) bool {
		return slices.Contains(words, strings.ToLower(strings.TrimSpace(cell))) || cell == ""
	}
	for _, c := range r.Columns {
		cells := []string(nil)
		if c.Kind == Number || c.Kind == Category || c.Kind == Text {
			cells = d.column(c.Name)
		}
		switch c.Kind {
		case Number:
			d.number(t, c, cells, absent, out)
		case Category:
			counts := map[string]int{}
			for _, cell := range cells {
				counts[cell]++
			}
			for i, cell := range cells {
				switch {
				case cell == "":
				case counts[cell] < c.MinCount:
					cell = "(rare)"
				}
				out[i][c.Name+"="+cell] = 1
			}
		case Text:
			texts(c, cells, out)
		}
	}
	return out
}

func (d *definition) number(t *testing.T, c Column, cells []string, absent func(string) bool, out []map[string]float64) {
	var x []float64
	least, greatest, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, cell := range cells {
		if absent(cell) {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		if c.Scale == ScaleLog1p {
			v = math.Copysign(math.Log1p(math.Abs(v)), v)
		}
		x, sum, least, greatest = append(x, v), sum+v, min(least, v), max(greatest, v)
	}
	mean, square := sum/float64(len(x)), 0.0
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	shift, width := mean, math.Sqrt(square/float64(len(x)))
	switch c.Scale {
	case ScaleNone:
		shift, width = 0, 1
	case ScaleMinMax:
		shift, width = least, greatest-least
	}
	for i, cell := range cells {
		v := mean
		if absent(cell) {
			out[i][c.Name+"="] = 1
		} else {
			v, x = x[0], x[1:]
		}
		out[i][c.Name] = (v - shift) / width
	}
}

func texts(c Column, cells []string, out []map[string]float64) {
	n, counts, least := 1, false, 1
	if c.Words != nil {
		n, counts, least = max(1, c.Words.NGrams), c.Words.Counts, max(1, c.Words.MinDF)
	}
	df := map[string]int{}
	for _, cell := range cells {
		list := grams(cell, n)
		slices.Sort(list)
		for _, word := range slices.Compact(list) {
			df[word]++
		}
	}
	for i, cell := range cells {
		tf := map[string]float64{}
		for _, word := range grams(cell, n) {
			if df[word] >= least {
				tf[word]++
			}
		}
		length := 0.0
		for word := range tf {
			if !counts {
				tf[word] *= math.Log((1+float64(len(cells)))/(1+float64(df[word]))) + 1
			}
			length += tf[word] * tf[word]
		}
		for word, v := range tf {
			if !counts {
				v /= math.Sqrt(length)
			}
			out[i][c.Name+"~"+word] = v
		}
	}
}

// holds compares encoded rows with what a definition says.
func holds(t *testing.T, e *Encoder, data *sparse.Data, want []map[string]float64) {
	t.Helper()
	for i := range data.X.Rows() {
		got := map[string]float64{}
		for j, v := range data.X.Row(i) {
			got[e.Name(j)] = v
		}
		for name, v := range want[i] {
			if g := got[name]; !(math.Abs(g-v) <= 1e-6*max(math.Abs(v), 1e-3)) {
				t.Fatalf("row %d, %s: %v, want %v", i, name, g, v)
			}
			delete(got, name)
		}
		if len(got) > 0 {
			t.Fatalf("row %d has %v too", i, got)
		}
	}
}

// madeOf infers, fits and encodes a source.
func madeOf(t *testing.T, s *Source, w Wanted) (*Encoder, *sparse.Data) {
	t.Helper()
	r, err := Infer(context.Background(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(context.Background(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return e, data
}

// realTable is a table with what is wanted of it.
type realTable struct {
	file    string
	options Options
	wanted  Wanted
	rows    int
}

var clickCategories = []string{"ip", "app", "device", "os", "channel"}

var realTables = []realTable{
	{"adult.csv.xz", Options{}, Wanted{Target: "income-per-year"}, 32561},
	{"adult.csv.xz", Options{}, Wanted{Target: "income-per-year", Scale: ScaleMinMax, MinCount: 500}, 32561},
	{"adult.csv.xz", Options{}, Wanted{Target: "sex", Scale: ScaleLog1p}, 32561},
	{"SMSSpamCollection.tsv.xz", Options{Header: NoHeader}, Wanted{Target: "1", Texts: []string{"2"}}, 5574},
	{"SMSSpamCollection.tsv.xz", Options{Header: NoHeader}, Wanted{Target: "1", Texts: []string{"2"}, Words: Words{NGrams: 2, Counts: true, MinDF: 3}}, 5574},
	{"talkingdata.csv.xz", Options{}, Wanted{Target: "is_attributed", Categories: clickCategories, Ignored: []string{"click_time", "attributed_time"}}, 100000},
}

func (r *realTable) open(t *testing.T, options Options) *Source {
	t.Helper()
	options.Header = r.options.Header
	s, err := Open(tableFile(t, r.file), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestDefinitionsOnRealTables(t *testing.T) {
	repeat.Skip(t)
	for _, real := range repeat.Size(realTables, realTables[3:4]) {
		t.Run(fmt.Sprint(real.file, " ", real.wanted.Scale, real.wanted.Words.NGrams, real.wanted.Target), func(t *testing.T) {
			s := real.open(t, Options{})
			e, data := madeOf(t, s, real.wanted)
			rows, err := contents(context.Background(), s)
			if err != nil || len(rows) != real.rows+1 || data.X.Rows() != real.rows {
				t.Fatal(len(rows), data.X.Rows(), err)
			}
			d := &definition{rows[0], rows[1:]}
			holds(t, e, data, d.encode(t, e.Recipe()))
			for i, cell := range d.column(real.wanted.Target) {
				if got := data.Y[i]; data.LabelNames != nil && data.LabelNames[int(got)] != cell || data.LabelNames == nil && strconv.FormatFloat(got, 'g', -1, 64) != cell {
					t.Fatalf("row %d: label %v, want %s", i, got, cell)
				}
			}
			sameSingly(t, e, d.names, d.rows, data)
		})
	}
}

// The encoded tables are scikit-learn's own.
func TestScikitLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds of Python")
	}
	const script = `
import sys, lzma, numpy as np, scipy.sparse as sp, pandas as pd
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.datasets import dump_svmlight_file
kind, path, out = sys.argv[1:]
read = dict(dtype=str, keep_default_na=False)
if kind == "sms":
    t = pd.read_csv(path, sep="\t", header=None, quoting=3, **read)
    X = TfidfVectorizer().fit_transform(t[1])
    y = (t[0] == "spam").astype(float)
else:
    t = pd.read_csv(path, **read)
    target = {"adult": "income-per-year", "clicks": "is_attributed"}[kind]
    y = (t[target].isin(["1", ">50K"])).astype(float)
    parts = []
    numbers = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
    for c in t.columns:
        if c in [target, "click_time", "attributed_time"]:
            continue
        if c in numbers:
            parts.append(sp.csr_matrix(StandardScaler().fit_transform(t[[c]].astype(float))))
            continue
        values = sorted(t[c].unique(), key=lambda v: v.encode())
        parts.append(OneHotEncoder(categories=[values]).fit_transform(t[[c]]))
    X = sp.hstack(parts).tocsr()
dump_svmlight_file(X, y, out, zero_based=True)
print(X.shape[0], X.shape[1])
`
	for _, c := range []struct {
		kind  string
		table realTable
	}{{"adult", realTables[0]}, {"sms", realTables[3]}, {"clicks", realTables[5]}} {
		path, out := tableFile(t, c.table.file), filepath.Join(t.TempDir(), "rows.svm")
		var said bytes.Buffer
		command := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", script, c.kind, path, out)
		command.Stdout, command.Stderr = &said, os.Stderr
		if err := command.Run(); err != nil {
			t.Skipf("python3 with scikit-learn and pandas is not here: %v", err)
		}
		var n, width int
		fmt.Sscan(said.String(), &n, &width)
		want, err := sparse.ReadFile(context.Background(), out, sparse.ReadOptions{ZeroBased: true, Columns: width})
		if err != nil {
			t.Fatal(err)
		}
		e, data := madeOf(t, c.table.open(t, Options{}), c.table.wanted)
		if e.Width() != width || data.X.Rows() != n {
			t.Fatalf("%s: %d columns of %d rows, scikit-learn has %d of %d", c.kind, e.Width(), data.X.Rows(), width, n)
		}
		for i := range n {
			if data.Y[i] != want.Y[i] {
				t.Fatalf("%s: row %d: label %v, want %v", c.kind, i, data.Y[i], want.Y[i])
			}
			got := map[int]float64{}
			for j, v := range data.X.Row(i) {
				got[j] = v
			}
			for j, v := range want.X.Row(i) {
				if g := got[j]; !(math.Abs(g-v) <= 2e-7*math.Abs(v)) {
					t.Fatalf("%s: row %d, %s: %v, want %v", c.kind, i, e.Name(j), g, v)
				}
				delete(got, j)
			}
			if len(got) > 0 {
				t.Fatalf("%s: row %d has %v too", c.kind, i, got)
			}
		}
	}
}

// smallTable is a table of cells that are hard: accents, ideographs, combining marks, signs,
// numbers of all sizes, missing values.
func smallTable(n int) (names []string, rows [][]string) {
	r := rand.New(rand.NewPCG(5, 6))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	words := []string{"Über", "übel", "x", "ab", "AB", "日本", "naïve", "a_b", "½x", "don't", "e\u0301te", "42", "7", "ΣΑΣ", "-", "\u200b"}
	for range n {
		text := ""
		for range r.IntN(9) {
			text += words[r.IntN(len(words))] + pick(" ", ", ", "!", "\t", "\u00a0")
		}
		rows = append(rows, []string{
			pick("?", "1", "-2.5", "1e6", strconv.Itoa(r.IntN(1000))), pick("a", "b", "B", "é", "?", "", "rare"+strconv.Itoa(r.IntN(200))),
			text, pick("0", "1"), strconv.FormatFloat(r.ExpFloat64()*100, 'g', 4, 64),
		})
	}
	return []string{"n", "c", "t", "y", "m"}, rows
}

func TestDefinitionsOnSmallTable(t *testing.T) {
	names, rows := smallTable(400)
	for _, w := range []Wanted{
		{}, {Scale: ScaleLog1p, MinCount: 3}, {Scale: ScaleMinMax, Words: Words{NGrams: 3}}, {Scale: ScaleNone, Words: Words{Counts: true, MinDF: 5}},
	} {
		w.Target, w.Texts, w.Categories, w.Numbers = "y", []string{"t"}, []string{"c"}, []string{"n", "m"}
		e, data := madeOf(t, cellsSource(names, rows, 13, Options{}), w)
		d := &definition{names, rows}
		holds(t, e, data, d.encode(t, e.Recipe()))
		sameSingly(t, e, names, rows, data)
	}
}

// Times, bins, crosses and hashed columns, each by its definition; and crosses of numbers that are
// written in several ways.
func TestDefinitionsOfOtherKinds(t *testing.T) {
	const bits = 6
	e, err := newEncoder(&Recipe{Version: 1, Hash: bits, Missing: []string{""}, Crosses: [][2]string{{"c", "n"}, {"b", "c"}}, Columns: []Column{
		{Name: "n", Kind: Number, Scale: ScaleNone, Learned: &Learned{Rows: 9, Width: 1}},
		{Name: "b", Kind: Number, Bins: 4, Learned: &Learned{Rows: 9, Missing: 1, Edges: []float64{1, 2.5, 7}}},
		{Name: "c", Kind: Category, Hashed: true, Learned: &Learned{Rows: 9}},
		{Name: "t", Kind: Text, Hashed: true, Learned: &Learned{Rows: 9}},
		{Name: "w", Kind: Time, Scale: ScaleNone, Learned: &Learned{Rows: 9, Width: 1, Values: []string{"hour=09", "month=02", "weekday=Sun"}}},
		{Name: "y", Kind: Target, Learned: &Learned{Rows: 9}},
		{Name: "g", Kind: Group},
	}})
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]string{
		{"1", "1", "x", "one two one", "2020-02-02T09:00:00Z", "1", "17"},
		{"1.0", "1.1", "", "ONE!", "2020-03-03 10:00", "0", "user"},
		{" 1e0", "8", "\xff", "", "0", "2.5", "17"},
		{"0.25", "", "x", "one two three four five six", "2021-02-28", "1", ""},
	}
	seconds := []float64{1580634000, 1583229600, 0, 1614470400}
	parts := [][]int{{0, 1, 2}, nil, nil, {1, 2}}
	bins := []int{0, 1, 3, 4}
	short := []string{"1", "1", "1", "0.25"}
	data, err := e.Encode(context.Background(), cellsSource([]string{"n", "b", "c", "t", "w", "y", "g"}, rows, 2, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	const bin, part, second, shared = 1, 6, 9, 10
	for i, row := range rows {
		want := map[int]float64{}
		add := func(h uint32, v float64) { want[shared+int(h%(1<<bits))] += v }
		want[0], _ = strconv.ParseFloat(short[i], 64)
		want[bin+bins[i]] = 1
		for _, p := range parts[i] {
			want[part+p] = 1
		}
		want[second] = seconds[i]
		add(murmur3([]byte(row[2]), murmur3([]byte("c"), 0)), 1)
		tf, length := map[uint32]float64{}, 0.0
		for _, word := range grams(row[3], 1) {
			tf[murmur3([]byte(word), murmur3([]byte("t"), 0))%(1<<bits)]++
		}
		for _, v := range tf {
			length += v * v
		}
		for h, v := range tf {
			add(h, v/math.Sqrt(length))
		}
		add(murmur3([]byte(row[2]), murmur3([]byte("c"), 0))*16777619^murmur3([]byte(short[i]), murmur3([]byte("n"), 0)), 1)
		text := strconv.Itoa(bins[i])
		if row[1] == "" {
			text = ""
		}
		add(murmur3([]byte(text), murmur3([]byte("b"), 0))*16777619^murmur3([]byte(row[2]), murmur3([]byte("c"), 0)), 1)
		got := map[int]float64{}
		for j, v := range data.X.Row(i) {
			got[j] = v
		}
		for j, v := range want {
			if v != 0 && float32(got[j]) != float32(v) {
				t.Errorf("row %d, %s: %v, want %v", i, e.Name(j), got[j], v)
			}
			delete(got, j)
		}
		if len(got) > 0 {
			t.Errorf("row %d has %v too", i, got)
		}
	}
	if q := data.Query; q[0] != 17 || q[2] != 17 || q[1] == q[3] || q[1] == 17 || !slices.Equal(data.Y, []float64{1, 0, 2.5, 1}) {
		t.Error(q, data.Y)
	}
}

// Fitting and encoding have the same bits on every CPU path.
func TestEncodePaths(t *testing.T) {
	names, rows := smallTable(400)
	var want *sparse.Data
	for path := range pathtest.Paths(t) {
		_, data := madeOf(t, cellsSource(names, rows, 13, Options{}), Wanted{Target: "y", Texts: []string{"t"}, Categories: []string{"c"}, Scale: ScaleLog1p})
		if want == nil {
			want = data
		}
		sameData(t, path, data, want)
	}
}
