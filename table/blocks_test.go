package table

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
)

// sameData compares rows to the bit.
func sameData(t *testing.T, what string, got, want *sparse.Data) {
	t.Helper()
	same := got.X.Rows() == want.X.Rows() && got.X.Cols() == want.X.Cols() && got.X.Layout() == want.X.Layout() &&
		string(got.Encoding) == string(want.Encoding) && slices.Equal(got.LabelNames, want.LabelNames) && slices.Equal(got.Query, want.Query) &&
		sameFloats(got.Y, want.Y) && sameFloats(got.Weight, want.Weight) && sameFloats(got.Offset, want.Offset)
	if !same {
		t.Fatalf("%s: other rows, labels, layout or encoder", what)
	}
	p, c, v := got.X.CSR()
	q, d, w := want.X.CSR()
	if !slices.Equal(p, q) || !slices.Equal(c, d) || !sameFloats(v, w) {
		t.Fatalf("%s: other entries", what)
	}
}

func sameFloats(a, b []float64) bool {
	return (a == nil) == (b == nil) && slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// The same bits, learned and encoded, for any number of workers and size of parts, packed or not,
// as CSV and as JSON lines.
func TestSameBitsEveryWay(t *testing.T) {
	for _, k := range repeat.Size([]int{0, 3}, []int{3}) {
		real := realTables[k]
		source := real.open(t, Options{})
		_, want := madeOf(t, source, real.wanted)
		rows, err := contents(context.Background(), source)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []Options{{Workers: 1}, {Workers: 3, part: 1000}, {Workers: 7, part: 1 << 16}} {
			_, got := madeOf(t, real.open(t, o), real.wanted)
			sameData(t, fmt.Sprintf("%s, %d workers, parts of %d", real.file, o.Workers, o.part), got, want)
		}
		folder := t.TempDir()
		plain, packed, lines := filepath.Join(folder, "t.csv"), filepath.Join(folder, "t.csv.gz"), filepath.Join(folder, "t.jsonl")
		writeForms(t, rows, plain, packed, lines)
		for _, path := range []string{plain, packed, lines} {
			s, err := Open(path, Options{Header: WithHeader})
			if path == lines {
				s, err = Open(path, Options{})
			}
			if err != nil {
				t.Fatal(err)
			}
			_, got := madeOf(t, s, real.wanted)
			sameData(t, path, got, want)
			s.Close()
		}
	}
}

// writeForms writes a table as CSV, as packed CSV and as JSON lines.
func writeForms(t *testing.T, rows [][]string, plain, packed, lines string) {
	t.Helper()
	create := func(path string) *os.File {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f, g, l := create(plain), create(packed), create(lines)
	z := gzip.NewWriter(g)
	if err := errors.Join(csv.NewWriter(f).WriteAll(rows), csv.NewWriter(z).WriteAll(rows), z.Close(), f.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		var fields []string
		for k, cell := range row {
			name, _ := json.Marshal(rows[0][k])
			text, _ := json.Marshal(cell)
			if n := json.Number(cell); json.Unmarshal([]byte(cell), &n) == nil && n != "" {
				text = []byte(cell) // in quotes it would be a word
			}
			fields = append(fields, string(name)+":"+string(text))
		}
		fmt.Fprintf(l, "{%s}\n", strings.Join(fields, ","))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// Blocks are the rows of Encode in order, with Width columns each and the cells to keep.
func TestBlocks(t *testing.T) {
	e := handmade(t)
	names, rows := handRows(500)
	rows[77][7], rows[99][0], rows[499][7] = "eggs", "six", "beans"
	var skipped []string
	s := cellsSource(names, rows, 7, Options{BadRows: 2, Workers: 3, Skipped: func(err error) { skipped = append(skipped, err.Error()) }})
	whole, err := e.Encode(context.Background(), s)
	if err != nil || len(skipped) != 2 || whole.X.Rows() != 498 {
		t.Fatal(err, skipped)
	}
	for k, want := range []string{`cells:78: column "label": the target "eggs" was not seen in training, which had "ham", "spam"`, `cells:500: column "label": the target "beans" was not seen`} {
		if !strings.Contains(skipped[k], want) {
			t.Errorf("%s, want %s", skipped[k], want)
		}
	}
	for _, size := range []int{1, 10, 64, 1000} {
		row, bad, at := 0, 0, 0
		missing, unseen := make([]int64, len(e.recipe.Columns)), make([]int64, len(e.recipe.Columns))
		for block, err := range e.Blocks(context.Background(), s, BlockOptions{Rows: size, Keep: []string{"who", "age"}}) {
			if err != nil {
				t.Fatal(err)
			}
			if block.X.Cols() != e.Width() || block.X.Rows() < size && row+block.X.Rows() < 498 || block.X.Rows() > size+7 {
				t.Fatalf("a block of %d rows and %d columns", block.X.Rows(), block.X.Cols())
			}
			for i := range block.X.Rows() {
				for slices.Contains([]int{77, 499}, at) {
					at++
				}
				if kept := block.Kept(i); !slices.Equal(kept, []string{rows[at][6], rows[at][0]}) {
					t.Fatalf("row %d: kept %q", at, kept)
				}
				if at++; block.Y[i] != whole.Y[row] || block.Weight[i] != whole.Weight[row] || block.Offset[i] != whole.Offset[row] || block.Query[i] != whole.Query[row] {
					t.Fatalf("row %d: other labels", row)
				}
				want := map[int]float64{}
				for j, v := range whole.X.Row(row) {
					want[j] = v
				}
				for j, v := range block.X.Row(i) {
					if want[j] != v {
						t.Fatalf("row %d, column %d: %v, want %v", row, j, v, want[j])
					}
					delete(want, j)
				}
				if len(want) > 0 {
					t.Fatalf("row %d lacks %v", row, want)
				}
				row++
			}
			bad += block.Skipped
			for k := range missing {
				missing[k], unseen[k] = missing[k]+block.Missing[k], unseen[k]+block.Unseen[k]
			}
		}
		if row != 498 || bad != 2 {
			t.Fatalf("blocks of %d: %d rows, %d bad", size, row, bad)
		}
		countedCells(t, names, rows, e, missing, unseen)
	}
}

// countedCells compares what was counted as missing and unseen with the cells.
func countedCells(t *testing.T, names []string, rows [][]string, e *Encoder, missing, unseen []int64) {
	t.Helper()
	lost := map[string]int64{"age": 1} // the cell that is no number
	count := func(column string, cells ...string) (n int64) {
		for i, row := range rows {
			if i != 77 && i != 499 && slices.Contains(cells, row[slices.Index(names, column)]) {
				n++
			}
		}
		return n
	}
	for k, c := range e.recipe.Columns {
		m, u := count(c.Name, "", "?")+lost[c.Name], int64(0)
		switch c.Name {
		case "colour":
			u = count(c.Name, "green", "\xff")
		case "note":
			u = count(c.Name, "maybe")
		case "when":
			u = count(c.Name, "1970-01-01", "2020-02-29 10:00:01.5Z", "12")
		}
		if missing[k] != m || unseen[k] != u {
			t.Fatalf("%s: %d missing and %d unseen, want %d and %d", c.Name, missing[k], unseen[k], m, u)
		}
	}
}

func TestBlocksWithoutTarget(t *testing.T) {
	e := handmade(t)
	names, rows := handRows(9)
	lacking := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "colour" || name == "when" || name == "label" })
	_, err := e.Encode(context.Background(), cellsSource(lacking, nil, 1, Options{}))
	if err == nil || !strings.Contains(err.Error(), `lacks the columns "colour", "when", "label"`) {
		t.Error(err)
	}
	for _, err := range e.Blocks(context.Background(), cellsSource(names, rows, 1, Options{}), BlockOptions{Keep: []string{"nothing"}}) {
		if err == nil || !strings.Contains(err.Error(), `lacks the column "nothing"`) {
			t.Error(err)
		}
	}
	few := names[:7]
	for _, all := range [][]string{few, names} {
		for _, without := range []bool{false, true} {
			for block, err := range e.Blocks(context.Background(), cellsSource(all, rows, 2, Options{}), BlockOptions{NoTarget: true, NoOffset: without}) {
				if len(all) == 7 && !without {
					if err == nil || !strings.Contains(err.Error(), `lacks the column "from"; the offset`) {
						t.Error(err)
					}
				} else if err != nil || len(block.Y) != 9 || slices.Max(block.Y) != 0 || block.LabelNames != nil || (block.Offset == nil) != without {
					t.Error(block, err)
				}
			}
		}
	}
	if _, err := e.Encode(context.Background(), cellsSource([]string{"a", "b"}, nil, 1, Options{})); err == nil || !strings.Contains(err.Error(), `none of the columns that the encoder reads: the columns "age", "colour"`) || !strings.Contains(err.Error(), `it has the columns "a", "b"`) {
		t.Error(err)
	}
	if _, err := e.Encode(context.Background(), cellsSource(names, nil, 1, Options{})); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Error(err)
	}
}

// A loop that ends early, an error, a panic of the caller and a context that is done leave no
// goroutine.
func TestBlocksEnd(t *testing.T) {
	e := handmade(t)
	names, rows := handRows(2000)
	before := runtime.NumGoroutine()
	s := cellsSource(names, rows, 3, Options{Workers: 4})
	for range 20 {
		for range e.Blocks(context.Background(), s, BlockOptions{Rows: 5}) {
			break
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	blocks, failed := 0, error(nil)
	for _, err := range e.Blocks(ctx, s, BlockOptions{Rows: 5}) {
		if blocks++; blocks == 3 {
			cancel()
		}
		failed = err
	}
	if !errors.Is(failed, context.Canceled) || blocks > 10 {
		t.Errorf("%d blocks, then %v", blocks, failed)
	}
	func() {
		defer func() {
			if recover() != "enough" {
				t.Error("the panic is lost")
			}
		}()
		for range e.Blocks(context.Background(), s, BlockOptions{Rows: 5}) {
			panic("enough")
		}
	}()
	bad := slices.Clone(rows)
	bad[1000] = slices.Clone(bad[1000])
	bad[1000][7] = "x"
	if _, err := e.Encode(context.Background(), cellsSource(names, bad, 3, Options{Workers: 4})); err == nil || !strings.Contains(err.Error(), "cells:1001:") {
		t.Error(err)
	}
	panics := cellsSource(names, rows, 3, Options{Progress: func(int64, int64) { panic(io.ErrNoProgress) }})
	func() {
		defer func() {
			if err, ok := recover().(error); !ok || !errors.Is(err, io.ErrNoProgress) {
				t.Error("the panic of Progress is lost")
			}
		}()
		e.Encode(context.Background(), panics)
	}()
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > 5*time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
