package fuzz

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

var decimal = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

func parseDecimal(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && decimal.MatchString(text)
}

type entry struct {
	column int
	value  float64
}

// readSlowly is the LIBSVM format, written for clarity: labels and rows, or the
// number of the first bad line.
func readSlowly(text string, merge bool) (labels []float64, rows [][]entry, query []int64, badLine int) {
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if before, _, found := strings.Cut(line, "#"); found {
			line = before
		} else {
			line = strings.TrimSuffix(line, "\r")
		}
		fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(fields) == 0 {
			continue
		}
		label, ok := parseDecimal(fields[0])
		if !ok {
			return nil, nil, nil, k + 1
		}
		fields = fields[1:]
		hasQuery := len(fields) > 0 && strings.HasPrefix(fields[0], "qid:")
		if len(labels) > 0 && hasQuery != (query != nil) {
			return nil, nil, nil, k + 1
		}
		if hasQuery {
			q, err := strconv.ParseUint(fields[0][4:], 10, 63)
			if err != nil || q > (math.MaxInt64-9)/10*10+9 {
				return nil, nil, nil, k + 1
			}
			query = append(query, int64(q))
			fields = fields[1:]
		}
		row := []entry{}
		for _, field := range fields {
			index, value, _ := strings.Cut(field, ":")
			j, err := strconv.ParseUint(index, 10, 63)
			v, ok := parseDecimal(value)
			if err != nil || j == 0 || j > sparse.MaxColumns || !ok || !merge && len(row) > 0 && int(j)-1 <= row[len(row)-1].column {
				return nil, nil, nil, k + 1
			}
			row = append(row, entry{int(j) - 1, v})
		}
		slices.SortStableFunc(row, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
		merged := row[:0]
		for _, e := range row {
			if last := len(merged) - 1; last >= 0 && merged[last].column == e.column {
				merged[last].value += e.value
				if math.IsInf(merged[last].value, 0) {
					return nil, nil, nil, k + 1
				}
				continue
			}
			merged = append(merged, e)
		}
		labels, rows = append(labels, label), append(rows, merged)
	}
	return labels, rows, query, 0
}

// FuzzReadLIBSVM compares the reader with a slow one, and reads back what the
// writer makes of the result.
func FuzzReadLIBSVM(f *testing.F) {
	for _, seed := range []string{
		"+1 1:0.5 3:2 # comment\r\n-1\n\n0 qid:3 2:1e-1\n", "1 qid:1 1:1\n2 qid:2 70000:1", "1 5:1 2:.25 5:1e400", "1 1:1 1:2\n",
		"1 12345678:1.7976931348623157e308 123456789:+5.\n", "1 1:0.12345678901234567890 2:-0\n", "1 2147483647:1", "nan 1:inf\n", "1 1:0.123456789 2:0.123456789 3:0.1234567891 4:0.12345678#\n",
		"1 1:1\r2 1:1\r\n", "1 00000000001:9007199254740993", "\x1f\x8b\x08\x00", "BZh91AY&SY", "\xfd7zXZ\x00\x00", "(\xb5/\xfd\x04\x00", "1 qid:9223372036854775807",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, merge bool) {
		data, err := sparse.Read(context.Background(), bytes.NewReader(text), "input", sparse.ReadOptions{Workers: 1, Merge: merge})
		var format *sparse.FormatError
		if err != nil && (!errors.As(err, &format) || data != nil) {
			t.Fatalf("error %v, data %v", err, data)
		}
		for _, magic := range []string{"\x1f\x8b", "BZh", "\xfd7zXZ\x00", "\x28\xb5\x2f\xfd", "\x2a\x4d\x18", "LANESCSR"} {
			if bytes.Contains(text[:min(len(text), 8)], []byte(magic)) {
				return
			}
		}
		if begin := text[:min(len(text), 4096)]; content.Other(begin) != "" || content.Table(begin) == content.Parquet {
			if err == nil {
				t.Fatalf("%q was read", text)
			}
			return
		}
		labels, rows, query, badLine := readSlowly(string(text), merge)
		if err != nil {
			if format.Line != int64(badLine) || badLine == 0 && len(labels) > 0 {
				t.Fatalf("%q: error %v; the slow reader stops at line %d", text, err, badLine)
			}
			return
		}
		if badLine > 0 || len(labels) != data.X.Rows() || !slices.Equal(query, data.Query) {
			t.Fatalf("%q: %d rows, queries %v; the slow reader: bad line %d, %d rows, queries %v", text, data.X.Rows(), data.Query, badLine, len(labels), query)
		}
		for i, row := range rows {
			got := []entry{}
			for j, v := range data.X.Row(i) {
				got = append(got, entry{j, v})
			}
			same := func(a, b entry) bool { return a.column == b.column && equal(a.value, b.value) }
			if !equal(labels[i], data.Y[i]) || !slices.EqualFunc(got, row, same) {
				t.Fatalf("%q: row %d is %v %v, want %v %v", text, i, data.Y[i], got, labels[i], row)
			}
		}
		requireRoundTrips(t, data)
	})
}

// requireRoundTrips writes data as text and as a cache and reads it back.
func requireRoundTrips(t *testing.T, data *sparse.Data) {
	var text, cache, again bytes.Buffer
	if err := sparse.WriteLIBSVM(&text, data); err != nil {
		t.Fatal(err)
	}
	if err := sparse.WriteCache(&cache, data); err != nil {
		t.Fatal(err)
	}
	whole := bytes.Clone(cache.Bytes())
	for _, b := range []*bytes.Buffer{&text, &cache} {
		got, err := sparse.Read(context.Background(), b, "written", sparse.ReadOptions{Workers: 2, Columns: data.X.Cols()})
		if err != nil {
			t.Fatal(err)
		}
		again.Reset()
		if err := sparse.WriteCache(&again, got); err != nil || !bytes.Equal(again.Bytes(), whole) {
			t.Fatalf("the data changed on the way (%v)", err)
		}
	}
}

// requireStream reads a cache from its file, a group at a time: the rows that were read at
// once, or errors.
func requireStream(t *testing.T, path string, b []byte, data *sparse.Data) {
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	var format *sparse.FormatError
	s, err := sparse.OpenStream(context.Background(), path)
	if err != nil {
		if cache := bytes.HasPrefix(b, []byte("LANESCSR")); !errors.As(err, &format) || data != nil && cache {
			t.Fatalf("error %v of a cache that can be read", err)
		}
		return
	}
	defer s.Close()
	group, rows := new(sparse.StreamGroup), new(matrix.Joined)
	for k := range s.Groups() {
		first, end := s.GroupRows(k)
		for range 2 { // the second time with the checks of a group that is known
			if err = s.Load(group, k); err != nil {
				break
			}
			z, w := make([]float64, end-first), make([]float64, s.Cols())
			rows.Join(s.Bias(), []*matrix.Matrix{group.Rows()})
			if err := errors.Join(rows.MulRun(z, 0, w), rows.AddRun(w, 0, z), rows.SquaredNormsRun(z, 0)); err != nil {
				t.Fatal(err)
			}
			for i := first; i < end && data != nil; i++ {
				if !slices.Equal(slices.Collect(columns(rows.Row(i-first))), slices.Collect(columns(data.X.Row(i)))) || group.Y[i-first] != data.Y[i] ||
					data.Weight != nil && (group.Weight[i-first] != data.Weight[i]) || data.Offset != nil && group.Offset[i-first] != data.Offset[i] {
					t.Fatalf("row %d is another", i)
				}
			}
		}
		if err != nil {
			break
		}
	}
	if (err == nil) != (data != nil) && data != nil || err != nil && !errors.As(err, &format) {
		t.Fatalf("error %v of a group", err)
	}
}

func columns(row iter.Seq2[int, float64]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for j := range row {
			if !yield(j) {
				return
			}
		}
	}
}

// requireCacheAgain writes what was read as a cache, which is read to the same rows.
func requireCacheAgain(t *testing.T, data *sparse.Data) {
	var b bytes.Buffer
	if err := sparse.WriteCache(&b, data); err != nil {
		t.Fatal(err)
	}
	again, err := sparse.Read(context.Background(), &b, "written", sparse.ReadOptions{Workers: 1, WordLabels: true})
	if err != nil {
		t.Fatal(err)
	}
	before, wrong := data.Fingerprint()
	if after, err := again.Fingerprint(); err != nil || wrong != nil || after != before {
		t.Fatalf("a cache of %+v has other rows (%v, %v)", data, err, wrong)
	}
}

// FuzzReadCache feeds damaged and forged caches: an error or a sound matrix, and
// no more memory than the input speaks for.
func FuzzReadCache(f *testing.F) {
	for _, text := range []string{"1 1:1 3:1\n-1 2:1\n", "1 qid:1 1:0.1 3:0.1\n-1 qid:4 70000:2\n", "1 1:0.1 2:0.3\n", "1 1:0.5 70000:2\n2\n"} {
		data, err := sparse.Read(context.Background(), strings.NewReader(text), "seed", sparse.ReadOptions{})
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		if err := sparse.WriteCache(&b, data); err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(b.Bytes()), true)
		f.Add(bytes.Clone(b.Bytes()), false)
		data.Weight, data.Offset, data.Encoding = make([]float64, len(data.Y)), make([]float64, len(data.Y)), []byte(`{"version":1}`)
		if b.Reset(); data.Y[0] == 1 {
			data.LabelNames = []string{"a", ">b", "c d"}
			slices.Sort(data.LabelNames)
			clear(data.Y)
			data.Y[0] = 2
		}
		if err := sparse.WriteCache(&b, data); err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(b.Bytes()), true)
		f.Add(bytes.Clone(b.Bytes()), false)
	}
	path := filepath.Join(f.TempDir(), "cache")
	f.Fuzz(func(t *testing.T, b []byte, forge bool) {
		if forge {
			b = forged(b)
		}
		data, err := sparse.Read(context.Background(), bytes.NewReader(b), "input", sparse.ReadOptions{Workers: 2, WordLabels: true})
		requireStream(t, path, b, data)
		var format *sparse.FormatError
		if err != nil {
			if !errors.As(err, &format) || data != nil {
				t.Fatalf("error %v, data %v", err, data)
			}
			return
		}
		m := data.X
		for i := range m.Rows() {
			last := -1
			for j, v := range m.Row(i) {
				if j <= last || j >= m.Cols() || v-v != 0 {
					t.Fatalf("row %d: column %d holds %v after column %d of %d", i, j, v, last, m.Cols())
				}
				last = j
			}
		}
		if len(data.Y) != m.Rows() || data.Query != nil && len(data.Query) != m.Rows() {
			t.Fatalf("%d labels and %d queries for %d rows", len(data.Y), len(data.Query), m.Rows())
		}
		requireCacheAgain(t, data)
		if m.Cols() < 1000 {
			if err := m.MulVec(nil, make([]float64, m.Rows()), make([]float64, m.Cols())); err != nil {
				t.Fatal(err)
			}
		}
	})
}
