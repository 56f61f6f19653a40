package sparse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lanes-go/lanes/internal/base/decimal"
	"github.com/lanes-go/lanes/internal/matrix"
)

// readEvery reads text with every mix of chunk sizes and workers and requires
// one and the same result.
func readEvery(t *testing.T, text string, options ReadOptions) (*Data, error) {
	t.Helper()
	var first *Data
	var firstErr error
	for k, chunk := range []int{0, 1, 2, 3, 7, 16, 64} {
		for _, workers := range []int{1, 2, 3, 4} {
			options.chunk, options.Workers = chunk, workers
			data, err := Read(context.Background(), strings.NewReader(text), "name", options)
			if k == 0 && workers == 1 {
				first, firstErr = data, err
				continue
			}
			if fmt.Sprint(err) != fmt.Sprint(firstErr) {
				t.Fatalf("chunks of %d bytes, %d workers: error %v; otherwise %v", chunk, workers, err, firstErr)
			}
			if err == nil {
				requireSameData(t, data, first)
			}
		}
	}
	return first, firstErr
}

func requireSameData(t *testing.T, got, want *Data) {
	t.Helper()
	ptr, columns, values := entriesOf(want.X)
	requireEntries(t, got.X, ptr, columns, values)
	if got.X.Cols() != want.X.Cols() || matrix.Stored(got.X).Layout != matrix.Stored(want.X).Layout {
		t.Fatalf("%d columns in layout %d, want %d in %d", got.X.Cols(), matrix.Stored(got.X).Layout, want.X.Cols(), matrix.Stored(want.X).Layout)
	}
	if got.Dropped != want.Dropped {
		t.Fatalf("%d entries dropped, want %d", got.Dropped, want.Dropped)
	}
	if !sameBits(got.Y, want.Y) {
		t.Fatalf("labels %v, want %v", got.Y, want.Y)
	}
	if !slices.Equal(got.Query, want.Query) || (got.Query == nil) != (want.Query == nil) {
		t.Fatalf("queries %v, want %v", got.Query, want.Query)
	}
	if !same(got, want) {
		t.Fatalf("%v %v %q %s, want %v %v %q %s", got.Weight, got.Offset, got.LabelNames, got.Encoding, want.Weight, want.Offset, want.LabelNames, want.Encoding)
	}
}

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    ReadOptions
		d          int
		y          []float64
		ptr        []int64
		columns    []uint32
		values     []float64
		query      []int64
	}{
		{"plain", "+1 1:0.5 3:2\n-1 2:1e-1\n", ReadOptions{}, 3, []float64{1, -1}, []int64{0, 2, 3}, []uint32{0, 2, 1}, []float64{0.5, 2, 0.1}, nil},
		{"no last newline", "1 1:1\n0 2:1", ReadOptions{}, 2, []float64{1, 0}, []int64{0, 1, 2}, []uint32{0, 1}, []float64{1, 1}, nil},
		{"a last line of one byte", "1 1:1\n2", ReadOptions{}, 1, []float64{1, 2}, []int64{0, 1, 1}, []uint32{0}, []float64{1}, nil},
		{"byte-order mark", "\ufeff1 1:1\n2 4:3\n", ReadOptions{}, 4, []float64{1, 2}, []int64{0, 1, 2}, []uint32{0, 3}, []float64{1, 3}, nil},
		{"CRLF and comments", "# head\r\n1 1:1 # 5:5\r\n\r\n  \t# more\r\n2\t4:3#x\r\n3 \r\n4#\r\n", ReadOptions{}, 4,
			[]float64{1, 2, 3, 4}, []int64{0, 1, 2, 2, 2}, []uint32{0, 3}, []float64{1, 3}, nil},
		{"empty rows", "1\n-1 \n1 2:1\n\n-1", ReadOptions{}, 2, []float64{1, -1, 1, -1}, []int64{0, 0, 0, 1, 1}, []uint32{1}, []float64{1}, nil},
		{"blanks", "  1   1:1\t\t2:0  \n", ReadOptions{}, 2, []float64{1}, []int64{0, 2}, []uint32{0, 1}, []float64{1, 0}, nil},
		{"explicit zeros", "1 1:0 2:-0 9:0.0\n", ReadOptions{}, 9, []float64{1}, []int64{0, 3}, []uint32{0, 1, 8}, []float64{0, negativeZero, 0}, nil},
		{"numbers", "1.5e0 1:+2.5 2:.5 3:5. 4:1E+2 5:123456789012345678901234567890 12345678:7\n", ReadOptions{}, 12345678,
			[]float64{1.5}, []int64{0, 6}, []uint32{0, 1, 2, 3, 4, 12345677}, []float64{2.5, .5, 5, 100, 123456789012345678901234567890, 7}, nil},
		{"zeros before an index", "1 0000000001:1 002:1\n", ReadOptions{}, 2, []float64{1}, []int64{0, 2}, []uint32{0, 1}, []float64{1, 1}, nil},
		{"query", "1 qid:3 1:1\n0 qid:3\n2 qid:14 2:1\n", ReadOptions{}, 2, []float64{1, 0, 2}, []int64{0, 1, 1, 2}, []uint32{0, 1}, []float64{1, 1}, []int64{3, 3, 14}},
		{"repeated values", "1 1:0.123456789 2:0.123456789 3:0.1234567891 4:0.12345678 5:0.123456789 6:0.123456789\n1 1:17 2:17 3:17.5 4:17\n", ReadOptions{}, 6,
			[]float64{1, 1}, []int64{0, 6, 10}, []uint32{0, 1, 2, 3, 4, 5, 0, 1, 2, 3},
			[]float64{0.123456789, 0.123456789, 0.1234567891, 0.12345678, 0.123456789, 0.123456789, 17, 17, 17.5, 17}, nil},
		{"more columns", "1 1:1\n", ReadOptions{Columns: 5}, 5, []float64{1}, []int64{0, 1}, []uint32{0}, []float64{1}, nil},
		{"fewer columns", "1 1:1 9:1\n", ReadOptions{Columns: 5}, 9, []float64{1}, []int64{0, 2}, []uint32{0, 8}, []float64{1, 1}, nil},
		{"dropped columns", "1 1:1 5:1 6:2 9:1\n1 7:3\n", ReadOptions{Columns: 5, DropBeyond: true}, 5, []float64{1, 1}, []int64{0, 2, 2}, []uint32{0, 4}, []float64{1, 1}, nil},
		{"merged", "1 5:1 2:0.25 5:2 2:0.5\n1 1:1\n", ReadOptions{Merge: true}, 5, []float64{1, 1}, []int64{0, 2, 3}, []uint32{1, 4, 0}, []float64{0.75, 3, 1}, nil},
		{"merged in their order", "1" + strings.Repeat(" 2:1 1:1e16 1:1 1:-1e16", 9) + "\n", ReadOptions{Merge: true}, 2, []float64{1}, []int64{0, 2}, []uint32{0, 1}, []float64{0, 9}, nil},
		{"largest index", "1 2147483646:1\n", ReadOptions{}, 2147483646, []float64{1}, []int64{0, 1}, []uint32{2147483645}, []float64{1}, nil},
		{"float32", "1 1:0.1\n1 1:0.1 2:2\n", ReadOptions{Storage: Storage{Float32: true}}, 2, []float64{1, 1}, []int64{0, 1, 3}, []uint32{0, 0, 1},
			[]float64{float64(float32(0.1)), float64(float32(0.1)), 2}, nil},
	} {
		data, err := readEvery(t, c.text, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		requireEntries(t, data.X, c.ptr, c.columns, c.values)
		if want := strings.Count(c.text, ":") - len(c.values); c.options.DropBeyond && data.Dropped != int64(want) {
			t.Errorf("%s: %d entries dropped, want %d", c.name, data.Dropped, want)
		}
		if data.X.Cols() != c.d || !sameBits(data.Y, c.y) || !slices.Equal(data.Query, c.query) {
			t.Errorf("%s: %d columns, labels %v, queries %v", c.name, data.X.Cols(), data.Y, data.Query)
		}
	}
}

var negativeZero = -1 / inf()

func inf() float64 { x := 0.0; return 1 / x }

func TestReadTextErrors(t *testing.T) {
	for _, c := range []struct {
		text    string
		options ReadOptions
		want    string
	}{
		{"", ReadOptions{}, "name: the file is empty"},
		{"\n# nothing\n  \n", ReadOptions{}, "name: the file holds no rows"},
		{"1 1:1\nspam 1:1\n", ReadOptions{}, `name:2:1: label "spam" is not a number`},
		{"1 1:1\r\n\r\n2 1:1 # x\r\nspam\r\n", ReadOptions{}, `name:4:1: label "spam" is not a number`},
		{" 1:1 2:1\n", ReadOptions{}, `name:1:2: label "1:1" is not a number; is the label missing?`},
		{"1,2 1:1\n", ReadOptions{}, `name:1:1: label "1,2" is not a number; a row has one label`},
		{"nan 1:1\n", ReadOptions{}, `name:1:1: label "nan": labels must be finite numbers`},
		{"1e999 1:1\n", ReadOptions{}, `name:1:1: label "1e999" is too large for a float64`},
		{"1 1:1\n\n1 1:1 0:1\n", ReadOptions{}, "name:3:7: index 0: indices start at 1"},
		{"1 -1:1\n", ReadOptions{}, `name:1:3: index "-1": indices start at 1`},
		{"1 1:1 x:1\n", ReadOptions{}, `name:1:7: index "x" is not a whole number`},
		{"1 1.5:1\n", ReadOptions{}, `name:1:3: index "1.5" is not a whole number`},
		{"1 :1\n", ReadOptions{}, `name:1:3: index "" is not a whole number`},
		{"1 5\n", ReadOptions{}, `name:1:3: "5" is not an index:value pair`},
		{"1 1:1 spam\r\n", ReadOptions{}, `name:1:7: "spam" is not an index:value pair`},
		{"1 1000000000000000000:1\n", ReadOptions{}, `name:1:3: index "1000000000000000000" is too large: at most 2147483646 columns are allowed`},
		{"1 99999999999999999999999999999999:1\n", ReadOptions{}, `name:1:3: index "99999999999999999999999999999999" is too large`},
		{"1 2147483647:1\n", ReadOptions{}, `name:1:3: index "2147483647" is too large: at most 2147483646 columns are allowed`},
		{"1 11:1\n", ReadOptions{MaxColumns: 10}, `name:1:3: index "11" is too large: at most 10 columns are allowed`},
		{"1 7:1 5:1\n", ReadOptions{}, "name:1:7: column 5 after column 7: indices must ascend (use Merge / --merge to sort them and add up repeated ones)"},
		{"1 7:1 7:1\n", ReadOptions{}, "name:1:7: column 7 after column 7: indices must ascend"},
		{"1 7:\n", ReadOptions{}, "name:1:5: the value of index 7 is missing"},
		{"1 7: 5\n", ReadOptions{}, "name:1:5: the value of index 7 is missing"},
		{"1 7:", ReadOptions{}, "name:1:5: the value of index 7 is missing"},
		{"1 7:abc\n", ReadOptions{}, `name:1:5: value "abc" of index 7 is not a number`},
		{"1 7:1:2\n", ReadOptions{}, `name:1:5: value "1:2" of index 7 is not a number`},
		{"1 1:0.123456789 2:0.123456789x\n", ReadOptions{}, `name:1:19: value "0.123456789x" of index 2 is not a number`},
		{"1 7:0x1p3\n", ReadOptions{}, `name:1:5: value "0x1p3" of index 7 is not a number`},
		{"1 7:-Inf\n", ReadOptions{}, `name:1:5: value "-Inf" of index 7: values must be finite numbers`},
		{"1 7:NaN\n", ReadOptions{}, `name:1:5: value "NaN" of index 7: values must be finite numbers`},
		{"1 7:1e400\n", ReadOptions{}, `name:1:5: value "1e400" of index 7 is too large for a float64`},
		{"1 7:1e40\n", ReadOptions{Storage: Storage{Float32: true}}, `name:1:5: value "1e40" of index 7 is too large for a float32`},
		{"1 7:1e308 7:1e308\n", ReadOptions{Merge: true}, "name:1:1: the repeated values of index 7 add up to more than a number can hold"},
		{"1 1:1 qid:1\n", ReadOptions{}, "name:1:7: qid: must stand directly after the label"},
		{"1 qid: 1:1\n", ReadOptions{}, "name:1:7: the number after qid: is missing"},
		{"1 qid:x 1:1\n", ReadOptions{}, `name:1:7: qid "x" is not a whole number`},
		{"1 qid:99999999999999999999 1:1\n", ReadOptions{}, `name:1:7: qid "99999999999999999999" is too large`},
		{"1 qid:1 1:1\n# c\n1 1:1\n", ReadOptions{}, "name:3:3: some rows have a qid and some have none: give every row one, or none"},
		{"1 1:1\n1 qid:1 1:1\n1 x\n", ReadOptions{}, "name:2:3: some rows have a qid and some have none: give every row one, or none"},
		{"1 1:1\r1 1:1\n", ReadOptions{}, `name:1:5: value "1\r1" of index 1 is not a number`},
		{"1 1:\x00\n", ReadOptions{}, `name:1:5: value "\x00" of index 1 is not a number`},
		{strings.Repeat("x", 1000) + "\n", ReadOptions{}, `name:1:1: label "` + strings.Repeat("x", 40) + `"... is not a number`},
		{"1 1:1\n1 1:1 1:2\nx\n", ReadOptions{}, "name:2:7: column 1 after column 1"},
		{"1 1:1\n1 1:1\n" + strings.Repeat(" ", 100) + "1\n", ReadOptions{maxLine: 20}, "name:3: the line is longer than 20 bytes"},
	} {
		if c.options.maxLine > 0 {
			c.options.chunk = 1
			_, err := Read(context.Background(), strings.NewReader(c.text), "name", c.options)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%q: error %v, want %s", c.text, err, c.want)
			}
			continue
		}
		data, err := readEvery(t, c.text, c.options)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
		var format *FormatError
		if data != nil || !errors.As(err, &format) {
			t.Errorf("%q: data %v, error %T", c.text, data, err)
		}
	}
}

func TestReadOptionErrors(t *testing.T) {
	for _, options := range []ReadOptions{{MaxColumns: -1}, {MaxColumns: math.MaxInt32}, {Columns: -1}, {Columns: math.MaxInt32}} {
		if _, err := Read(context.Background(), strings.NewReader("1 1:1\n"), "name", options); err == nil {
			t.Errorf("%+v: no error", options)
		}
	}
}

// randomText makes LIBSVM text whose layout needs change on the way.
func randomText(random *rand.Rand, rows int) string {
	var b strings.Builder
	for i := range rows {
		fmt.Fprintf(&b, "%d", random.IntN(3)-1)
		j := 0
		for range random.IntN(12) {
			j += 1 + random.IntN(20)
			if i > rows/2 && random.IntN(50) == 0 {
				j += 70000
			}
			switch {
			case i < rows/4:
				fmt.Fprintf(&b, " %d:1", j)
			case i < rows/2:
				fmt.Fprintf(&b, " %d:%d", j, i)
			default:
				fmt.Fprintf(&b, " %d:%v", j, random.NormFloat64())
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestReadIsTheSameForAnyWorkers(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	text := randomText(random, 400)
	if _, err := readEvery(t, text, ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	// The first of several errors is the one reported.
	lines := strings.SplitAfter(text, "\n")
	for range 20 {
		a, b := random.IntN(400), random.IntN(400)
		spoilt := slices.Clone(lines)
		spoilt[a], spoilt[b] = "1 x\n", "1 x\n"
		_, err := readEvery(t, strings.Join(spoilt, ""), ReadOptions{})
		if want := fmt.Sprintf("name:%d:3: ", min(a, b)+1); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("error %v, want %s", err, want)
		}
	}
}

func TestReadReportsTheSourcesError(t *testing.T) {
	broken := errors.New("the cable is cut")
	source := func(text string) io.Reader {
		return io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
	}
	if _, err := Read(context.Background(), source("1 1:1\n1 1:"), "name", ReadOptions{}); !errors.Is(err, broken) || err.Error() != "name: the cable is cut" {
		t.Errorf("error %v", err)
	}
	if _, err := Read(context.Background(), iotest.OneByteReader(strings.NewReader("1 1:1\n-1 2:3")), "name", ReadOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := Read(context.Background(), bytes.NewReader([]byte{0x1f, 0x8b}), "name", ReadOptions{}); err == nil {
		t.Error("half a gzip header is accepted")
	}
}

// The capacity for entries depends on the text of a chunk, not on a buffer that a long line has
// widened: chunks of the usual size all get the same capacity.
func TestEntriesCapacity(t *testing.T) {
	line := []byte("1 1:1 2:3\n")
	usual := (defaultChunk+decimal.Pad)/4 + 1
	for _, c := range []struct{ text, end, want int }{
		{1 << 10, 10, 1<<8 + 1},
		{defaultChunk + decimal.Pad, 10, usual},
		{1 << 22, 10, usual},
		{1 << 22, 1 << 20, 1<<18 + 1},
	} {
		chunk := &textChunk{text: make([]byte, c.text), end: c.end}
		for at := range chunk.text {
			chunk.text[at] = '\n'
		}
		copy(chunk.text, line)
		chunk.parse(&textRules{maxColumns: 9, keep: 9})
		if chunk.bad != nil || len(chunk.columns) != 2 || cap(chunk.columns) != c.want || cap(chunk.values) != c.want {
			t.Errorf("%+v: %v, %d entries, room for %d and %d", c, chunk.bad, len(chunk.columns), cap(chunk.columns), cap(chunk.values))
		}
	}
}
