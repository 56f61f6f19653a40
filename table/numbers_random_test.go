package table

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// writtenCell is a cell with what it is in a column of numbers.
type writtenCell struct {
	text  string
	what  int
	value float64
}

// groupedBy writes a whole number with a mark between groups of three digits.
func groupedBy(mark string, v int) string {
	text := strconv.Itoa(v)
	for k := len(text) - 3; k > 0; k -= 3 {
		text = text[:k] + mark + text[k:]
	}
	return text
}

// styles write a number of cents.
var styles = map[string]func(r *rand.Rand, cents int) string{
	"plain":            func(_ *rand.Rand, c int) string { return fmt.Sprintf("%d.%02d", c/100, c%100) },
	"decimal comma":    func(_ *rand.Rand, c int) string { return fmt.Sprintf("%d,%02d", c/100, c%100) },
	"thousands":        func(_ *rand.Rand, c int) string { return fmt.Sprintf("%s.%02d", groupedBy(",", c/100), c%100) },
	"thousands, comma": func(_ *rand.Rand, c int) string { return fmt.Sprintf("%s,%02d", groupedBy(".", c/100), c%100) },
	"blanks":           func(_ *rand.Rand, c int) string { return fmt.Sprintf("%s.%02d", groupedBy("\u00a0", c/100), c%100) },
	"narrow, comma":    func(_ *rand.Rand, c int) string { return fmt.Sprintf("%s,%02d", groupedBy("\u202f", c/100), c%100) },
	"apostrophes":      func(_ *rand.Rand, c int) string { return fmt.Sprintf("%s.%02d", groupedBy("’", c/100), c%100) },
	"dollars":          func(_ *rand.Rand, c int) string { return fmt.Sprintf("$%s.%02d", groupedBy(",", c/100), c%100) },
	"euros":            func(_ *rand.Rand, c int) string { return fmt.Sprintf("%s,%02d EUR", groupedBy(".", c/100), c%100) },
	"per cent":         func(_ *rand.Rand, c int) string { return fmt.Sprintf("%d.%02d %%", c/100, c%100) },
}

// columnOf writes n cells in a style: some negative, with a few that are missing, infinite or odd. The
// first one has all marks of the style.
func columnOf(r *rand.Rand, style string, n int) (cells []writtenCell) {
	write := styles[style]
	for i := range n {
		cents := r.IntN(300_000_000)
		if i == 0 {
			cents = 123456789
		}
		c := writtenCell{what: aNumber, value: float64(cents) / 100}
		switch c.text = write(r, cents); r.IntN(12) {
		case 0:
			c.text, c.value = "-"+c.text, -c.value
		case 1:
			c.text, c.value = "\u2212"+c.text, -c.value
		case 2:
			c.text, c.value = "("+c.text+")", -c.value
		case 3:
			c.text = " " + c.text + " "
		}
		if style == "plain" && (strings.HasPrefix(c.text, "(") || strings.HasPrefix(c.text, "\u2212")) {
			c.text = strconv.FormatFloat(c.value, 'f', -1, 64)
		}
		switch k := r.IntN(60); {
		case i == 0:
		case k < 4:
			c = writtenCell{[]string{"", "NA", " n/a", "-", "?", ".", "NULL ", "#N/A", "<NA>", "None", "nan"}[r.IntN(11)], aGap, 0}
		case k == 4:
			c = writtenCell{[]string{"inf", "-Infinity", "+INF", "1e999"}[r.IntN(4)], anInfinity, 0}
		case k == 5:
			c = writtenCell{[]string{"error", "n.a.", "12 or so", "1.2.3", "--5"}[r.IntN(5)], noNumber, 0}
		}
		cells = append(cells, c)
	}
	return cells
}

// countsOf are the counts of a column by plain loops, with the first cell of a kind and its row.
func countsOf(cells []writtenCell) (counts [4]int, first [4]int, mean, deviation float64) {
	for i, c := range cells {
		if counts[c.what]++; counts[c.what] == 1 {
			first[c.what] = i
		}
		mean += c.value
	}
	n := float64(counts[aNumber])
	mean /= n
	for _, c := range cells {
		if c.what == aNumber {
			deviation += (c.value - mean) * (c.value - mean) / n
		}
	}
	return counts, first, mean, math.Sqrt(deviation)
}

// noteAbout returns the one note of a kind about a column.
func noteAbout(t *testing.T, list []notes.Note, kind notes.Kind, column string) (found notes.Note) {
	t.Helper()
	for _, n := range list {
		if n.Kind == kind && n.Column == column {
			if found.Kind != "" {
				t.Errorf("two notes of %s about %s: %v", kind, column, list)
			}
			found = n
		}
	}
	return found
}

// checkCells compares the notes of odd and infinite cells with counts by a loop. line is the line of
// the first row.
func checkCells(t *testing.T, list []notes.Note, column string, cells []writtenCell, line int) {
	t.Helper()
	counts, first, _, _ := countsOf(cells)
	for what, kind := range map[int]notes.Kind{noNumber: notes.NotNumber, anInfinity: notes.Infinite} {
		n := noteAbout(t, list, kind, column)
		switch {
		case counts[what] == 0:
			if n.Kind != "" {
				t.Errorf("%s: %v, and there is none", column, n)
			}
		case n.Count != int64(counts[what]) || n.Of != int64(len(cells)) || n.Example != cells[first[what]].text || n.Place != "line "+notes.Grouped(int64(first[what]+line)) || n.Then != "missing":
			t.Errorf("%s: %v; %d such cells, the first %q in line %d", column, n, counts[what], cells[first[what]].text, first[what]+line)
		}
	}
}

// writeTable writes columns as text with semicolons, with a target of 0 and 1 behind them.
func writeTable(t *testing.T, names []string, columns [][]writtenCell) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(strings.Join(names, ";") + ";y\n")
	for i := range columns[0] {
		for k := range columns {
			text.WriteString(columns[k][i].text + ";")
		}
		fmt.Fprintf(&text, "%d\n", i%2)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRandomNumbers: columns of numbers that are written in random ways have the values that they
// were written from. Other cells are missing and counted, with their first line. Encode, Blocks,
// the Scorer and any number of workers agree.
func TestRandomNumbers(t *testing.T) {
	var names []string
	for style := range styles {
		names = append(names, style)
	}
	slices.Sort(names)
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 7))
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		used, n := slices.Clone(names[:1+r.IntN(4)]), 60+r.IntN(400)
		var columns [][]writtenCell
		for _, style := range used {
			columns = append(columns, columnOf(r, style, n))
		}
		path := writeTable(t, used, columns)
		var first *Encoder
		for _, o := range []Options{{Workers: 1}, {Workers: 3, part: 64}, {Workers: 2, part: 1000}} {
			s, err := Open(path, o)
			if err != nil {
				t.Fatal(err)
			}
			e, data := madeOf(t, s, Wanted{Target: "y"})
			s.Close()
			if first == nil {
				first = e
			}
			if text, _ := e.MarshalJSON(); string(text) != string(data.Encoding) || string(text) != string(mustJSON(t, first)) {
				t.Fatalf("seed %d, %v: another encoder", seed, o)
			}
			for k, name := range used {
				c := &e.recipe.Columns[k]
				counts, _, mean, deviation := countsOf(columns[k])
				if c.Kind != Number || c.Learned.Missing != int64(n-counts[aNumber]) || !close9(c.Learned.Shift, mean) || !close9(c.Learned.Width, deviation) {
					t.Fatalf("seed %d, %s: %s, %s, marks %+v, %+v; want %d missing, mean %v and deviation %v", seed, name, c.Kind, c.Why, c.Marks, c.Learned, n-counts[aNumber], mean, deviation)
				}
				checkCells(t, s.Notes(), name, columns[k], 2)
				checkCells(t, e.notes, name, columns[k], 2)
				at, _ := e.Span(k)
				for i, cell := range columns[k] {
					want := mean
					if cell.what == aNumber {
						want = cell.value
					}
					if got := valueAt(data.X.Row(i), at); !(math.Abs(got-(want-mean)/deviation) <= 1e-6*max(1, math.Abs(got))) {
						t.Fatalf("seed %d, %s, row %d, %q: %v, want %v", seed, name, i, cell.text, got, (want-mean)/deviation)
					}
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, used)
		}
		blocksAgree(t, first, path, used, columns)
	}
}

func close9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

func mustJSON(t *testing.T, e *Encoder) []byte {
	t.Helper()
	text, err := e.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// valueAt returns an entry of a row, 0 if it has none.
func valueAt(row func(func(int, float64) bool), column int) (found float64) {
	for j, v := range row {
		if j == column {
			found = v
		}
	}
	return found
}

// blocksAgree compares blocks by the encoder that is read from its JSON, and scores of single rows,
// with the rows of Encode.
func blocksAgree(t *testing.T, e *Encoder, path string, names []string, columns [][]writtenCell) {
	t.Helper()
	ctx := context.Background()
	open := func(o Options) *Source {
		s, err := Open(path, e.Suit(o))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	data, err := e.Encode(ctx, open(Options{}))
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadEncoder(mustJSON(t, e))
	if err != nil {
		t.Fatal(err)
	}
	same, err := again.Encode(ctx, open(Options{Workers: 2, part: 100}))
	if err != nil {
		t.Fatal(err)
	}
	sameData(t, "by the encoder's JSON", same, data)
	missing, row, m := make([]int64, len(e.recipe.Columns)), 0, linearOf(e)
	s := open(Options{Workers: 3, part: 200})
	scores, err := m.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	scorer := again.Scorer(m)
	for rows, err := range again.Blocks(ctx, s, BlockOptions{Rows: 17}) {
		if err != nil {
			t.Fatal(err)
		}
		for k, n := range rows.Missing {
			missing[k] += n
		}
		for i := range rows.X.Rows() {
			var cells []string
			bad := ""
			for k := range columns {
				c := columns[k][row]
				if cells = append(cells, c.text); bad == "" && (c.what == noNumber || c.what == anInfinity) {
					bad = names[k]
				}
			}
			score, err := m.Score(indexed(rows.X.Row(i)))
			if err != nil || score != scores[row] {
				t.Fatalf("row %d: score %v in its block, %v in the table: %v", row, score, scores[row], err)
			}
			alone, err := scorer.Score(cells)
			if bad == "" && (err != nil || math.Float64bits(alone) != math.Float64bits(scores[row])) {
				t.Fatalf("row %d, %q: score %v alone, %v in the table: %v", row, cells, alone, scores[row], err)
			}
			if bad != "" && (err == nil || !strings.Contains(err.Error(), strconv.Quote(bad))) {
				t.Fatalf("row %d, %q: the score alone is %v, %v", row, cells, alone, err)
			}
			row++
		}
	}
	if row != len(columns[0]) {
		t.Fatalf("%d rows of %d", row, len(columns[0]))
	}
	for k, name := range names {
		counts, _, _, _ := countsOf(columns[k])
		if missing[k] != int64(len(columns[k])-counts[aNumber]) {
			t.Errorf("%s: blocks miss %d cells, not %d", name, missing[k], len(columns[k])-counts[aNumber])
		}
		checkCells(t, s.Notes(), name, columns[k], 2)
	}
}

// indexed returns the columns and values of a row.
func indexed(row func(func(int, float64) bool)) (columns []int, values []float64) {
	for j, v := range row {
		columns, values = append(columns, j), append(values, v)
	}
	return columns, values
}
