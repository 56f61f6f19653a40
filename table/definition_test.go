package table

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

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
	absent := func(cell string) bool { return slices.Contains(r.Missing, cell) }
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
				case absent(cell):
					cell = ""
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
			if g := got[name]; math.Abs(g-v) > 1e-6*max(math.Abs(v), 1e-3) {
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
	for _, real := range realTables {
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
			if !testing.Short() || len(d.rows) < 50000 {
				sameSingly(t, e, d.names, d.rows, data)
			}
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
        values = [v for v in values if v != "?"] + [v for v in values if v == "?"]
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
				if g := got[j]; math.Abs(g-v) > 2e-7*math.Abs(v) {
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
