package table

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
)

// encodedAs returns text in an encoding, with a byte-order mark or without one.
func encodedAs(t testing.TB, text, name string, mark bool) string {
	t.Helper()
	e, _, err := encodingByName(name)
	if err != nil {
		t.Fatal(err)
	}
	if mark {
		text = "\ufeff" + text
	}
	text, err = e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestEncodings: one table in many encodings has the same cells, whatever the parts.
func TestEncodings(t *testing.T) {
	western, cyrillic, japanese := "Stadt,y\nMünchen,1\n\"Orléans, Fr\",0\r\nÅbo,1\n", "город,y\nМосква,1\nТверь,0\nКазань,1\n", "都市,y\n東京,1\nおおさか,0\nひろしま,1\n"
	for _, c := range []struct {
		text, name, option string
		mark               bool
	}{
		{western, "utf-8", "", false}, {western, "utf-8", "", true}, {western, "utf-8", "utf8", true},
		{western, "utf-16le", "", true}, {western, "utf-16be", "", true}, {western, "utf-16le", "", false}, {western, "utf-16be", "", false},
		{western, "utf-16be", "utf-16", true}, {western, "utf-16be", "UTF-16", false}, {western, "utf-16le", "utf-16le", true},
		{western, "windows-1252", "latin1", false}, {western, "windows-1252", "windows-1252", false}, {western, "iso-8859-15", "iso-8859-15", false},
		{western, "cp850", "CP850", false}, {western, "macintosh", "macintosh", false}, {western, "gb18030", "gb18030", false},
		{cyrillic, "windows-1251", "windows-1251", false}, {cyrillic, "koi8-r", "koi8-r", false}, {cyrillic, "utf-16le", "", true},
		{japanese, "shift_jis", "shift_jis", false}, {japanese, "euc-jp", "euc-jp", false}, {japanese, "utf-16be", "", true}, {japanese, "gb18030", "gbk", false},
	} {
		want, err := readTable(t, write(t, "clean.csv", c.text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := encodedAs(t, c.text, c.name, c.mark)
		for _, part := range []int{0, 1, 7} {
			s, err := Open(write(t, "table.csv", text), Options{Encoding: c.option, Workers: 2, part: part})
			if err != nil {
				t.Fatal(err)
			}
			got, err := contents(t.Context(), s)
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s (%q, mark %v), parts of %d: %q %v; want %q", c.name, c.option, c.mark, part, got, err, want)
			}
			noted := len(s.Notes()) == 1 && s.Notes()[0].Kind == notes.Encoding && strings.Contains(s.Notes()[0].String(), c.name)
			if wide := strings.HasPrefix(c.name, "utf-16") && c.option == ""; noted != wide {
				t.Errorf("%s (%q): notes %v", c.name, c.option, s.Notes())
			}
			s.Close()
		}
	}
}

// TestCodePages: a byte is the character that the code page of the name has for it.
func TestCodePages(t *testing.T) {
	for name, want := range map[string]string{"cp437": "¢", "cp850": "ø", "cp852": "Ť", "CP852": "Ť"} {
		rows, err := readTable(t, write(t, "table.csv", "word,y\n\x9b,1\na,0\n"), Options{Encoding: name})
		if err != nil || rows[1][0] != want {
			t.Errorf("%s: %q, want %q (%v)", name, rows, want, err)
		}
	}
}

// TestNotUTF8: bytes that the encoding lacks are errors with line, byte and a name that helps.
func TestNotUTF8(t *testing.T) {
	for _, c := range []struct{ text, option, want string }{
		{"c,y\na,1\ncaf\xe9,0\n", "", ":3:4: the byte 0xe9 is not UTF-8; if the file is in windows-1252, say --encoding windows-1252"},
		{"c,y\n\"a\nb\",1\n\"x\ncaf\xe9\",0\n", "", ":5:4: the byte 0xe9"},
		{"\n\ncaf\xe9,y\na,1\n", "", ":3:4: the byte 0xe9"},
		{"a,y\nx\x00bcd\xe9,1\n", "", ":2:2: a NUL byte"},
		{"a,y\nxbcd,1\nz,\x00\n", "", ":3:3: a NUL byte"},
		{"a,y\nx\xe9bcd\x00,1\n", "", ":2:2: the byte 0xe9"},
		{"a,y\n\xe9bcd\x00,1\n", "", ":2:1: the byte 0xe9"},
		{encodedAs(t, "имя,y\nМосква,1\n", "windows-1251", false), "", ":1:1: the byte 0xe8 is not UTF-8; if the file is in windows-1251"},
		{encodedAs(t, "имя,y\nМосква,1\n", "koi8-r", false), "", "--encoding koi8-r"},
		{encodedAs(t, "name,y\nЕкатеринбург,1\n", "windows-1251", false), "", ":2:1: the byte 0xc5 is not UTF-8; if the file is in windows-1251"},
		{encodedAs(t, "x,y\nおおさか,1\n", "shift_jis", false), "", "--encoding shift_jis"},
		{encodedAs(t, "x,y\nMünchen,1\nKöln,2\n", "cp850", false), "", "--encoding cp850"},
		{encodedAs(t, "x,y\nŁódź Gdańsk Kraków Poznań,1\n", "windows-1250", false), "", "--encoding windows-12"},
		{encodedAs(t, "x,y\npää,1\nsää,2\n", "windows-1252", false), "", "--encoding windows-1252"},
		{encodedAs(t, "x,y\nмир,1\nмы,2\n", "windows-1251", false), "", "--encoding windows-1251"},
		{"x,y\n\x82,1\n", "shift_jis", ":2:1: bytes that are not text in shift_jis"},
		{encodedAs(t, "x,y\na,1\n", "utf-16le", true) + "\x00\xd8,\x001\x00\n\x00", "", ":3:1: "},
		{"\xff\xfex\x00,\x00y\x00\n\x00", "windows-1252", "the file begins with the byte-order mark of utf-16le, and the encoding is said to be windows-1252"},
		{"\ufeffx,y\n", "latin1", "the file begins with the byte-order mark of utf-8"},
		{"x,y\n", "klingon", `encoding "klingon" is not known: want utf-8`},
	} {
		for _, part := range []int{0, 1, 9} {
			_, err := readTable(t, write(t, "table.csv", c.text), Options{Encoding: c.option, part: part, Format: FormatCSV})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %q: %v; want %s", c.text, c.option, err, c.want)
			}
		}
	}
	var skipped []error
	rows, err := readTable(t, write(t, "table.csv", "x,d\na,1\nb,\xe9\nc,3\n"), Options{BadRows: 1, Skipped: func(err error) { skipped = append(skipped, err) }})
	if format := new(sparse.FormatError); err != nil || len(rows) != 3 || len(skipped) != 1 || !errors.As(skipped[0], &format) || format.Line != 3 {
		t.Errorf("%q, left out %v: %v", rows, skipped, err)
	}
	_, err = readTable(t, write(t, "rows.vw", "1 |a b\n1 |caf\xe9 b\n"), Options{Format: FormatVW})
	if err == nil || !strings.Contains(err.Error(), ":2:7: the byte 0xe9") {
		t.Error(err)
	}
}

// TestLikelyEncodings: more than half of the bytes decide, and runs of three letters or more.
func TestLikelyEncodings(t *testing.T) {
	run := strings.Repeat
	for text, want := range map[string]string{
		"\xe0\xe1\xe2 \xe0 \xe0 \xe0": "windows-1252", "\xe0\xe1\xe2\xe3 \xe0 \xe0 \xe0": "windows-1251",
		run("\xe0", 9) + "\xa0": "gb18030", run("\xe0", 10) + "\xa0": "windows-1251", run("\xc0", 5) + run("\xe0", 5): "koi8-r", run("\xc0", 5) + run("\xe0", 6): "windows-1251",
		run("\x82", 2) + run("\xa5", 8): "gb18030", run("\x83", 3) + run("\xa5", 8): "shift_jis", run("\xb0", 5) + run("\xa5", 5): "gb18030", run("\xc8", 6) + run("\xa5", 5): "euc-kr",
		"\x81 \xe9": "windows-1252", "\x81 \x88 \xe9": "cp850", "\x8e \xe9": "windows-1252", "\x8e \x8f \xe9": "macintosh", "\xb3 \xe9": "windows-1252", "\xb3 \x9c \xe9": "windows-1250",
	} {
		if got := likelyEncoding([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestUnreplaced: U+FFFD becomes 0xff wherever the reader cuts the text, and nothing else changes.
func TestUnreplaced(t *testing.T) {
	repeat.Skip(t)
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var text []byte
		for range random.IntN(3000) {
			text = append(text, []string{"\ufffd", "\xef", "\xbf", "\xbd", "\xef\xbf", "a", "é", "\ufffc"}[random.IntN(8)]...)
			if random.IntN(50) == 0 {
				text = append(text, strings.Repeat("x", random.IntN(5000))...)
			}
		}
		want := bytes.ReplaceAll(text, replacement, []byte{0xff})
		var got []byte
		for from, at := text, 0; ; at++ { // a reader that gives and takes any number of bytes
			to := make([]byte, 1+random.IntN(40))
			take := min(len(from), 3+random.IntN(40))
			wrote, read, _ := unreplaced{}.Transform(to, from[:take], take == len(from))
			got, from = append(got, to[:wrote]...), from[read:]
			if len(from) == 0 {
				break
			}
			if wrote == 0 && read == 0 && take == len(from) {
				t.Fatalf("no progress at %q", from[:take])
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%q became %q", text, got)
		}
	}
	r, err := decoded(iotest.OneByteReader(strings.NewReader("a\x82\xa0\x82")), "shift_jis")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(r); err != nil || string(text) != "aあ\xff" {
		t.Errorf("%q %v", text, err)
	}
}

// TestBinaryParquet: a cell of Parquet that is not text makes its row malformed, even where the next
// cell would go on with its bytes.
func TestBinaryParquet(t *testing.T) {
	b := &block{rows: 3, width: 2, text: append([]byte("a\xc3\xa9é"), make([]byte, pad)...), at: []uint32{0, 1, 0, 1, 1, 2, 2, 3, 3, 5, 0, 1}, places: []uint32{0, 1, 2}}
	p := &parquetPass{names: []string{"x", "y"}}
	p.refuse(b)
	if b.rows != 2 || len(b.bad) != 1 || b.bad[0].place != 1 || string(b.cell(1, 0)) != "é" || !strings.Contains(b.bad[0].message, `column "x"`) {
		t.Errorf("%+v", b)
	}
}

// TestFirstInvalid compares with package utf8.
func TestFirstInvalid(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		var text []byte
		for range random.IntN(12) {
			text = append(text, []string{"\ufffd", "é", "a", "\xc3", "\xa9", "日", "\xf0\x9f", "😀", "\xff"}[random.IntN(9)]...)
		}
		want := -1
		for at, r := range string(text) {
			if r == utf8.RuneError && !bytes.HasPrefix(text[at:], replacement) {
				want = at
				break
			}
		}
		if at := firstInvalid(text); at != want {
			t.Fatalf("%q: %d, want %d", text, at, want)
		}
	}
}

// FuzzTableEncoding: text in any encoding is refused, or its cells are UTF-8 without U+FFFD unless
// the text has it, the same for any parts.
func FuzzTableEncoding(f *testing.F) {
	names := []string{"", "utf-8", "utf-16", "utf-16be", "windows-1252", "shift_jis", "gb18030", "iso-2022-jp", "big5", "euc-kr", "cp850"}
	for k := range names {
		f.Add([]byte("a,b\nM\xfcnchen,1\n\x82\xa0,2\n"), uint8(k))
		f.Add([]byte("\xff\xfea\x00,\x00b\x00\n\x001\x00,\x00\x00\xd8\n\x00"), uint8(k))
		f.Add([]byte("{\"a\":\"\\ud800\"}\n{\"a\":\"\xe9\"}\n"), uint8(k))
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		text = text[:min(len(text), 600)]
		var before [][]string
		for k, part := range []int{0, 5} {
			o := Options{Encoding: names[int(choice)%len(names)], BadRows: len(text), Stdin: bytes.NewReader(text), part: part, Workers: 1 + k}
			rows, err := readTable(t, "-", o)
			if err != nil {
				rows = [][]string{{err.Error()}}
			}
			for _, row := range rows {
				for _, cell := range row {
					if !utf8.ValidString(cell) || strings.Contains(cell, "\ufffd") && !bytes.Contains(text, replacement) && !bytes.Contains(bytes.ToLower(text), []byte(`\ufffd`)) {
						t.Fatalf("%q: %q (%v)", text, cell, err)
					}
				}
			}
			if k > 0 && !slices.EqualFunc(rows, before, slices.Equal) {
				t.Fatalf("%q: %q; before %q", text, rows, before)
			}
			before = rows
		}
	})
}

// TestGarbled: text in UTF-8 that is read in another encoding has a note, text in that encoding has none.
func TestGarbled(t *testing.T) {
	for _, c := range []struct {
		text, option string
		want         bool
	}{
		{"city,y\nMünchen,1\nÅbo,0\n", "windows-1252", true}, {"city,y\nMünchen,1\nÅbo,0\n", "utf-8", false}, {"city,y\nMünchen,1\nÅbo,0\n", "", false},
		{"city,y\nRome,1\nOslo,0\n", "windows-1252", false}, {"город,y\nМосква,1\nТверь,0\n", "cp437", true},
		{encodedAs(t, "city,y\nMünchen,1\nÅbo,0\n", "windows-1252", false), "latin1", false},
		{encodedAs(t, "都市,y\n東京,1\nおおさか,0\n", "shift_jis", false), "shift_jis", false},
		{encodedAs(t, "city,y\nMünchen,1\nÅbo,0\n", "utf-16le", true), "utf-16", false},
	} {
		s, err := Open(write(t, "table.csv", c.text), Options{Encoding: c.option})
		if err != nil {
			t.Fatal(err)
		}
		n := noteAbout(t, s.Notes(), notes.Garbled, "")
		if (n.Kind != "") != c.want || c.want && n.WayOut != "{Encoding=utf-8} reads it as UTF-8" {
			t.Errorf("%q as %s: %v", c.text, c.option, s.Notes())
		}
		s.Close()
	}
	s, err := Open(folder(t, "city,y\nRome,1\nOslo,0\n", "city,y\nMünchen,1\nÅbo,0\n"), Options{Encoding: "windows-1252"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := noteAbout(t, s.Notes(), notes.Garbled, ""); !strings.Contains(n.Then, "part-1.csv is text in UTF-8 too") {
		t.Errorf("of the second file: %v", s.Notes())
	}
}
