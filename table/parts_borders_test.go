package table

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	types "github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
	"github.com/lanes-go/lanes/notes"
)

// TestPlainParquetParts: numbers of a Parquet file are known from numbers in words by the columns of
// that file, in whatever order it has them.
func TestPlainParquetParts(t *testing.T) {
	number := parquettest.Column{Schema: parquettest.Flat("n", types.Int32, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(types.Plain, 1, nil, []byte{7, 0, 0, 0})}}}
	text := append(binary.LittleEndian.AppendUint32(nil, 3), "1,5"...)
	word := parquettest.Column{Schema: parquettest.Flat("w", types.ByteArray, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(types.Plain, 1, nil, text)}}}
	s, err := Open(folder(t, string(parquettest.File([]int64{1}, number, word)), string(parquettest.File([]int64{1}, word, number))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rows := 0
	_, err = scan(t.Context(), s, []int{0, 1}, func(*int, *block) error { return nil }, func(_ *int, b *block) error {
		for i := range b.rows {
			if rows++; string(b.cell(i, 0)) != "7" || !b.isPlain(i, 0) || b.isPlain(i, 1) {
				t.Errorf("row %d: %s is a number: %t, %s is a number: %t", rows, b.cell(i, 0), b.isPlain(i, 0), b.cell(i, 1), b.isPlain(i, 1))
			}
		}
		return nil
	})
	if err != nil || rows != 2 {
		t.Errorf("%d rows: %v", rows, err)
	}
}

// TestRowsBehindBinaryRow: a row behind a binary one in a Parquet file keeps its number.
func TestRowsBehindBinaryRow(t *testing.T) {
	var words, weights []byte
	for i, word := range []string{"a", "\xff", "b", "c", "d"} {
		words = append(binary.LittleEndian.AppendUint32(words, uint32(len(word))), word...)
		weights = binary.LittleEndian.AppendUint32(weights, []uint32{1, 1, 1, math.MaxUint32, 2}[i]) // -1
	}
	path := write(t, "t.parquet", string(parquettest.File([]int64{5},
		parquettest.Column{Schema: parquettest.Flat("word", types.ByteArray, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(types.Plain, 5, nil, words)}}},
		parquettest.Column{Schema: parquettest.Flat("w", types.Int32, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(types.Plain, 5, nil, weights)}}})))
	var bad []string
	s, err := Open(path, Options{BadRows: 2, Skipped: func(err error) { bad = append(bad, err.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Infer(t.Context(), s, Wanted{Weight: "w", Categories: []string{"word"}}); err != nil {
		t.Fatal(err)
	}
	if len(bad) != 2 || !strings.Contains(bad[0], "row 2: ") || !strings.Contains(bad[1], "row 4: ") {
		t.Errorf("%q", bad)
	}
}

// TestNotesOfParts: lines before the rows are counted over all files. The first file without rows
// is named wherever its parts end. Places are rows once there are several files with cells or one
// file has objects of several lines.
func TestNotesOfParts(t *testing.T) {
	said := func(files ...string) (list []notes.Note) {
		s, err := Open(folder(t, files...), Options{part: 9})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := Infer(t.Context(), s, Wanted{Target: "y"}); err != nil {
			t.Fatal(err)
		}
		return s.Notes()
	}
	rows := "a,y\n5,0\n7,1\n5,1\n"
	if told := said("# one\n# two\n"+rows, "# three\n"+rows); len(told) != 1 || told[0].Kind != notes.Skipped || told[0].Count != 3 || !strings.HasPrefix(told[0].Place, "line 1 of ") {
		t.Errorf("%v", told)
	}
	if told := said(rows, "", rows, "a,y\n"); len(told) != 1 || told[0].Kind != notes.Empty || told[0].Count != 2 || !strings.HasSuffix(told[0].Place, "part-1.csv") {
		t.Errorf("%v", told)
	}
	for _, text := range []string{"\n\n\n\n\n\n\n\n\n\n" + rows, rows + "\n\n\n\n\n\n\n\n\n\n"} {
		if told := said(text, rows); len(told) > 0 {
			t.Errorf("%q: %v", text, told)
		}
	}
	if odd := noteAbout(t, said(rows, "a,y\n5,0\nbad,1\n7,1\n"), notes.NotNumber, "a"); odd.Count != 1 || odd.Place != "row 5" {
		t.Errorf("%v", odd)
	}
	told := said("{\n\"a\": [1],\n\"y\": 0}\n{\"a\": 2, \"y\": 1}\n", "{\"a\": 3, \"y\": 1}\n{\"a\": 3, \"y\": 0}\n")
	if len(told) != 1 || told[0].Kind != notes.Nested || !strings.HasPrefix(told[0].Place, "row 1 of ") {
		t.Errorf("%v", told)
	}
}

// TestStreamFromItsPlace: a file that was read in part, as standard input may be, goes on from there.
func TestStreamFromItsPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte("a,y\n1,0\na,y\n2,1\n3,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Seek(8, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	got, err := readTable(t, "-", Options{Stdin: in})
	if want := [][]string{{"a", "y"}, {"2", "1"}, {"3", "0"}}; err != nil || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q: %v", got, err)
	}
}

// TestNamesThatNumbersMake: a number behind a repeated name makes no name that a later column has.
func TestNamesThatNumbersMake(t *testing.T) {
	for _, c := range [][2]string{{"a a a.1", "a a.2 a.1"}, {"a a.1 a", "a a.1 a.2"}, {" 1 x", "1.1 1 x"}, {"x  x", "x 2 x.1"}} {
		if got := uniqueNames(strings.Split(c[0], " ")); !slices.Equal(got, strings.Split(c[1], " ")) {
			t.Errorf("%q get the names %q, want %q", c[0], got, c[1])
		}
	}
}

// TestUnitsOfUnixTimes: a time since 1970 is in seconds below 1e11, and each unit begins at its border.
func TestUnitsOfUnixTimes(t *testing.T) {
	c := clock{kind: unixTime}
	for cell, want := range map[string]float64{
		"99999999999": 99999999999, "100000000000": 1e8, "-100000000000": -1e8, "99999999999999": 99999999999.999, "100000000000000": 1e8,
		"100000000000000000": 1e8, "100000000": 1e8,
	} {
		m, ok := c.read((&learner{}).pad([]byte(cell)), false)
		if !ok || !(math.Abs(m.seconds-want) <= 1e-3) {
			t.Errorf("%s is %v seconds, %t; want %v", cell, m.seconds, ok, want)
		}
	}
}

// TestNegativeWeightsWithMarks: a row whose weight is negative once its marks are read counts in no
// column.
func TestNegativeWeightsWithMarks(t *testing.T) {
	var rows [][]string
	for i := range 30 {
		rows = append(rows, []string{"red", []string{"1,5", "2,25"}[i/2%2], fmt.Sprint(i % 2)})
	}
	rows[7][0], rows[7][1] = "green", "-1,5"
	s := cellsSource([]string{"c", "w", "y"}, rows, 4, Options{BadRows: 1})
	r, err := Infer(t.Context(), s, Wanted{Target: "y", Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Columns[0]; c.Kind != Ignore || c.Why != `every value is "red"` {
		t.Errorf("%+v", c)
	}
}

// TestValuesOfMapsWithMarks: numbers of a map have a point, whatever the marks of their column; bytes
// and strings are text, which has the marks.
func TestValuesOfMapsWithMarks(t *testing.T) {
	var rows [][]string
	for i := range 40 {
		rows = append(rows, []string{fmt.Sprintf("%d,5", i%9), fmt.Sprintf("-0,%d", i%7+1), fmt.Sprint(i % 2)})
	}
	e, _ := madeOf(t, cellsSource([]string{"x", "o", "y"}, rows, 9, Options{}), Wanted{Target: "y", Offset: "o"})
	s := e.Scorer(linearOf(e))
	want, err := s.Score([]string{"3,5", "-0,25"})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []map[string]any{
		{"x": "3,5", "o": "-0,25"}, {"x": []byte("3,5"), "o": []byte("-0,25")}, {"x": 3.5, "o": -0.25}, {"x": float32(3.5), "o": "-0,25"},
	} {
		if got, err := s.ScoreMap(row); err != nil || got != want {
			t.Errorf("%v: %v, want %v (%v)", row, got, want, err)
		}
	}
}

// TestStreamsOfParquet: a stream of Parquet is read as its file is, from what can be read anywhere and
// from what cannot.
func TestStreamsOfParquet(t *testing.T) {
	var words []byte
	for _, word := range []string{"ab", "c", "", "def"} {
		words = append(binary.LittleEndian.AppendUint32(words, uint32(len(word))), word...)
	}
	text := string(parquettest.File([]int64{4}, parquettest.Column{Schema: parquettest.Flat("w", types.ByteArray, false, nil), Groups: [][]parquettest.Page{{parquettest.Data(types.Plain, 4, nil, words)}}}))
	want := [][]string{{"w"}, {"ab"}, {"c"}, {""}, {"def"}}
	file, err := os.Open(write(t, "t", text))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, stdin := range map[string]io.Reader{"bytes": strings.NewReader(text), "a file": file, "a pipe": slow{strings.NewReader(text)}} {
		s, err := Open("-", Options{Stdin: stdin})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for range 2 {
			if got, err := contents(t.Context(), s); err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s: %q %v", name, got, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
