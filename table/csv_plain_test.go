package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/base/content"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
)

// plainCSV is the format, written for clarity: the rows, and the lines of the bad rows.
func plainCSV(text string, separator byte, quotes, header bool) (rows [][]string, bad []int64, widths []int) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	width := 0
	for line := int64(1); text != ""; {
		var cells []string
		first, trouble := line, int64(0)
		blanks := " \t"
		if separator == '\t' {
			blanks = " "
		}
		if begin, after, _ := strings.Cut(text, "\n"); strings.Trim(strings.TrimSuffix(begin, "\r"), blanks) == "" {
			text = after
			line++
			continue
		}
		whole := text
		for more := true; more; {
			cell := ""
			bare := strings.TrimLeft(text, blanks)
			quoted := quotes && bare[0] == '"'
			if quoted {
				opened := line
				for text = bare[1:]; ; {
					before, after, closed := strings.Cut(text, `"`)
					cell, text = cell+before, after
					line += int64(strings.Count(before, "\n"))
					if !closed {
						trouble = opened
					}
					if !closed || !strings.HasPrefix(text, `"`) {
						break
					}
					cell, text = cell+`"`, text[1:]
				}
				if text == "" {
					if trouble == 0 {
						panic("no line end")
					}
					cells = append(cells, cell)
					break
				}
			}
			k := strings.IndexAny(text, string(separator)+"\n")
			rest := text[:k]
			if more = text[k] != '\n'; !more {
				rest = strings.TrimSuffix(rest, "\r")
			}
			if quoted && strings.Trim(rest, blanks) != "" && trouble == 0 {
				trouble = line
			}
			if !quoted {
				rest = strings.Trim(rest, blanks)
			} else {
				rest = strings.TrimRight(rest, blanks)
			}
			cells = append(cells, cell+rest)
			text = text[k+1:]
		}
		row := whole[:len(whole)-len(text)]
		odd := strings.IndexFunc(strings.ToValidUTF8(row, "\x00"), func(c rune) bool { return c == 0 })
		if odd >= 0 && trouble == 0 && (width == 0 || width == len(cells)) {
			trouble = first + int64(strings.Count(row[:odd], "\n"))
		}
		if !strings.HasSuffix(whole[:len(whole)-len(text)], "\n") && trouble == 0 {
			panic("a row without an end")
		}
		line++
		widths = append(widths, len(cells))
		if width == 0 {
			if width = len(cells); header {
				continue
			}
		}
		switch {
		case trouble > 0:
			bad = append(bad, trouble)
		case len(cells) != width:
			bad = append(bad, first)
		default:
			rows = append(rows, cells)
		}
	}
	return rows, bad, widths
}

// usual tells whether the first row of a table says how wide it is: more than half of the rows have
// its width, no line before it is special, and no line is a comment.
func usual(text string, widths []int, separator byte) bool {
	same, filled := 0, 0
	for _, w := range widths {
		if w == widths[0] {
			same++
		}
	}
	first, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	for cell := range strings.SplitSeq(first, string(separator)) {
		if strings.Trim(cell, "\" \t\r") != "" {
			filled++
		}
	}
	special := strings.Contains(text, "#") || strings.Contains(strings.ToLower(text), "sep=")
	return len(widths) == 0 || !special && (widths[0] == 1 || 2*filled > widths[0]) && 2*same > len(widths)
}

// requirePlain compares the rows and bad rows of text with the plain reader's.
func requirePlain(t *testing.T, text string, o Options) {
	t.Helper()
	want, wantBad, widths := plainCSV(text, o.Separator, o.Quotes == WithQuotes, o.Header == WithHeader)
	if !usual(text, widths, o.Separator) {
		return
	}
	var bad []int64
	o.BadRows = len(text) + 1
	o.Skipped = func(err error) {
		format := new(sparse.FormatError)
		if !errors.As(err, &format) {
			t.Fatal(err)
		}
		bad = append(bad, format.Line)
	}
	o.Stdin, o.Format = bytes.NewReader([]byte(text)), FormatCSV
	rows, err := readTable(t, "-", o)
	oldMac := !strings.Contains(text, "\n") && strings.Contains(text, "\r")
	if begin := []byte(text); content.UTF16(begin) != "" {
		return // which the reader decodes
	} else if oldMac || content.Packed(begin) != "" || notTable(begin, FormatCSV) != "" {
		if err == nil {
			t.Fatalf("%q was read", text)
		}
		return
	}
	if err != nil {
		if format := new(sparse.FormatError); !errors.As(err, &format) || len(want) > 0 {
			t.Fatalf("%q: %v; want rows %q", text, err, want)
		}
		return
	}
	// Without a sound row, the first rows may count as titles before the header.
	if rows = rows[1:]; !slices.EqualFunc(rows, want, slices.Equal) || len(want) > 0 && !slices.Equal(bad, wantBad) {
		t.Fatalf("%q, %+v: rows %q, bad %v; want %q, bad %v", text, o, rows, bad, want, wantBad)
	}
}

// TestRandomCSV: random tables have the rows of the plain reader, whatever the parts and the
// workers. Tables that are well formed have the rows of package encoding/csv, too.
func TestRandomCSV(t *testing.T) {
	repeat.Skip(t)
	random := rand.New(rand.NewPCG(5, 6))
	rounds := 8000
	if testing.Short() {
		rounds = 3000
	}
	for range rounds {
		o := Options{Separator: ",;\t|"[random.IntN(4)], Quotes: WithQuotes + Quotes(random.IntN(2)), Header: WithHeader + Header(random.IntN(2)), Workers: 1 + random.IntN(4), part: random.IntN(40)}
		var b strings.Builder
		for range random.IntN(60) {
			b.WriteString([]string{"a", "1", `"`, `"`, `""`, "\n", "\r\n", "\r", string(o.Separator), string(o.Separator), "x,y", "ä", ",\"", "\x00", "1234567890"}[random.IntN(15)])
		}
		requirePlain(t, b.String(), o)
	}
	for range rounds / 4 {
		o := Options{Separator: ",;\t|"[random.IntN(4)], Quotes: WithQuotes, Header: NoHeader, Workers: 1 + random.IntN(4), part: random.IntN(40)}
		var b strings.Builder
		width := 2 + random.IntN(4)
		for range 1 + random.IntN(20) {
			for k := range width {
				cell := ""
				for range random.IntN(4) {
					cell += []string{"a", `"`, "\n", ",", ";", "\t", "|", "12", " "}[random.IntN(9)]
				}
				if k > 0 {
					b.WriteByte(o.Separator)
				}
				if random.IntN(3) == 0 || strings.ContainsAny(cell, "\"\n"+string(o.Separator)) || cell != strings.Trim(cell, " \t") {
					cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
				b.WriteString(cell)
			}
			b.WriteString([]string{"\n", "\r\n", "\n\n"}[random.IntN(3)])
		}
		text := b.String()
		if random.IntN(2) == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		standard := csv.NewReader(strings.NewReader(text))
		standard.Comma = rune(o.Separator)
		want, err := standard.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		o.Stdin = strings.NewReader(text)
		got, err := readTable(t, "-", o)
		if err != nil || !slices.EqualFunc(got[1:], want, slices.Equal) {
			t.Fatalf("%q: %q %v, want %q", text, got, err, want)
		}
		requirePlain(t, text, o)
	}
}

// FuzzTableCSV compares the reader with the plain one. Where the reader finds out how the text is
// written, it compares passes of other parts and workers with one another.
func FuzzTableCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a;b\n\"x\"\"y\";\"1\n2\"\r\n\n3;4", "\"a\tb\n\"\"\"\t\"", "a|b\n\"c\"d|e\n\x00|1\n", "1,5;2,5\n1;2\n", "\ufeffa\n\"", "[1,2]", "{\"a\":1}", "\x1f\x8b\x08\x00", "a\rb\r", "\xff\xfea\x00"} {
		for k := range uint8(4) {
			f.Add([]byte(seed), 7*k)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		text = text[:min(len(text), 600)] // parts have a few bytes: longer text takes time and no other path
		for bytes.HasPrefix(text, []byte("\ufeff")) {
			text = text[3:] // the reader leaves it out, the plain one does not
		}
		o := Options{Separator: ",;\t|"[choice%4], Quotes: WithQuotes + Quotes(choice/4%2), Header: WithHeader + Header(choice/8%2), Workers: 1 + int(choice/16%2), part: int(choice/32) * 5}
		requirePlain(t, string(text), o)
		var before [][]string
		for k, o := range []Options{{Workers: 1}, {Workers: 2, part: 1 + int(choice%16)}} {
			if o.Format = FormatCSV; choice&1 == 0 {
				o.Format = ""
			}
			o.Stdin, o.BadRows = bytes.NewReader(text), len(text)
			s, err := Open("-", o)
			if err != nil {
				return
			}
			rows, err := contents(t.Context(), s)
			if err != nil {
				rows = [][]string{{err.Error()}}
			}
			if s.Close(); k > 0 && !slices.EqualFunc(rows, before, slices.Equal) {
				t.Fatalf("%q: %q, before %q", text, rows, before)
			}
			before = rows
		}
	})
}

// TestMarkBytes compares the places of bytes with a loop over each byte. Texts have all lengths
// around a word and a bitmap, and few marks or many.
func TestMarkBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for length := range 200 {
		for _, alphabet := range []string{",\n\"a", "abcdefghijklmnopqrstuvwxyz,\n\"\xac\x8a", ","} {
			text := make([]byte, length+64+pad)
			for i := range text {
				text[i] = alphabet[random.IntN(len(alphabet))]
			}
			var want []uint32
			for i, c := range text[:length] {
				if c == ',' || c == '\n' || c == '"' {
					want = append(want, uint32(i))
				}
			}
			got, ascii := markBytes(nil, text[:length+pad], length, ',', '\n', '"')
			if !slices.Equal(got, want) || !ascii && utf8.Valid(text) || ascii && firstInvalid(text[:length]) >= 0 {
				t.Fatalf("%d bytes of %q: %v, want %v (ASCII: %v)", length, alphabet, got, want, ascii)
			}
		}
	}
}
