package table

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// cellsOfText returns the names and the rows of a table in a file of this text.
func cellsOfText(t *testing.T, text string, o Options, columns ...string) (names []string, rows [][]string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path, o)
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	if len(columns) == 0 {
		columns = s.Names()
	}
	places, lacks := s.index(columns)
	if len(lacks) > 0 {
		t.Fatalf("no columns %q in %q", lacks, s.Names())
	}
	_, err = scan(context.Background(), s, places, func(*int, *block) error { return nil }, func(_ *int, b *block) error {
		for i := range b.rows {
			row := make([]string, b.width)
			for k := range row {
				row[k] = string(b.cell(i, k))
			}
			rows = append(rows, row)
		}
		return nil
	})
	return s.Names(), rows, err
}

func TestJSONLines(t *testing.T) {
	text := "\ufeff" + `{"b": 1.50, "a": "x\u00e9\n\"\/", "": true}` + "\r\n\n" +
		` { "a" : null , "c":-0e+1,"b":"\ud83d\ude00\ufffd" } ` + "\n{}\n" + `{"a":"last","b":false}`
	text += "\n" + `{"a":"\u00aA\u00ba b\tu12\"c","b":-Infinity,"":NaN,"c":Infinity}`
	for _, o := range []Options{{}, {part: 1}, {part: 40, Workers: 3}} {
		names, rows, err := cellsOfText(t, text, o)
		want := [][]string{{"1.50", "xé\n\"/", "true", ""}, {"😀\ufffd", "", "", "-0e+1"}, {"", "", "", ""}, {"false", "last", "", ""}, {"-Infinity", "ªº b\tu12\"c", "", "Infinity"}}
		if err != nil || !slices.Equal(names, []string{"b", "a", "", "c"}) || !reflect.DeepEqual(rows, want) {
			t.Errorf("%q %q %v", names, rows, err)
		}
	}
	_, rows, err := cellsOfText(t, `{"a":1E5}`+"\n"+`{"a":-2.5E-3}`, Options{})
	if err != nil || !reflect.DeepEqual(rows, [][]string{{"1E5"}, {"-2.5E-3"}}) {
		t.Errorf("large exponents: %q %v", rows, err)
	}
	_, rows, err = cellsOfText(t, `{"a":[1,{"x":"]}\""}],"b":2}`+"\n"+`{"b":3,"a":{}}`, Options{}, "b", "a")
	if err != nil || !reflect.DeepEqual(rows, [][]string{{"2", ""}, {"3", ""}}) {
		t.Errorf("arrays: %q %v", rows, err)
	}
}

func TestJSONTrouble(t *testing.T) {
	for _, c := range []struct{ line, message string }{
		{`{"a":1,"a":2}`, `:9: the object has the key "a" twice`},
		{`{"a":NAN}`, `:6: a value is expected: here is "N"`},
		{`[1]`, `:1: the line is no JSON object, which begins with {`},
		{`{"a":1`, `:7: a comma or } is expected: the line ends; write an object a line, as jq -c does`},
		{`{"a":1,}`, `:8: a key is expected after the comma`},
		{`{"a":1} x`, `:9: more text follows the object; write an object a line`},
		{`{a:1}`, `:2: a key in quotes is expected: here is "a"`},
		{`{"a" 1}`, `:6: a colon is expected after the key: here is "1"`},
		{`{"a":x}`, `:6: a value is expected: here is "x"`},
		{`{"a":01}`, `:7: a comma or } is expected: here is "1"`},
		{`{"a":-}`, `:7: a digit is expected in the number`},
		{`{"a":"x`, `:8: the string is not closed on its line; write an object a line, as jq -c does`},
		{"{\"a\":\"\x01\"}", `:7: a control character in a string, which JSON writes as \u0001`},
		{`{"a":"\x"}`, `:7: \ before 'x', which means nothing in JSON`},
		{`{"a":"\ud800"}`, `:7: \ud800 is half of a character, whose other half is missing`},
		{`{"a":"x\ud83d\ud83d"}`, `:8: \ud83d is half of a character, whose other half is missing`},
		{`{"a":"\u0000"}`, `:7: \u0000 is a NUL, which no text of a table has`},
		{"{\"a\":\"caf\xe9\"}", `:10: the byte 0xe9 is not UTF-8; if the file is in windows-1252, say --encoding windows-1252 (Options.Encoding)`},
		{`{"a":"\u12g4"}`, `:7: \u wants four hexadecimal digits`},
		{`{"a":"\u12@4"}`, `:7: \u wants four hexadecimal digits`},
		{`{"a":-.5}`, `:7: a digit is expected in the number`},
		{`{"a":1.e5}`, `:8: a digit is expected in the number`},
		{`{"a":1e+}`, `:9: a digit is expected in the number`},
		{`{"a":["x}`, `:10: an array or object is not closed on its line; write an object a line, as jq -c does`},
		{`{"a":["x\`, `:10: an array or object is not closed on its line; write an object a line, as jq -c does`},
		{`{"a":[}`, `:6: the array or object is no valid JSON`},
		{`{"a":[1`, `:8: an array or object is not closed on its line; write an object a line, as jq -c does`},
	} {
		_, _, err := cellsOfText(t, `{"a":1}`+"\n"+c.line+"\n", Options{Format: FormatJSON})
		if err == nil || !strings.HasSuffix(err.Error(), "table:2"+c.message+leaveOut) {
			t.Errorf("%s: %v, want %s", c.line, err, c.message)
		}
		var skipped []string
		_, rows, err := cellsOfText(t, `{"a":1}`+"\n"+c.line+"\n"+`{"a":2}`, Options{Format: FormatJSON, BadRows: 1, Skipped: func(err error) { skipped = append(skipped, err.Error()) }})
		if err != nil || len(skipped) != 1 || !strings.HasSuffix(skipped[0], c.message) || !reflect.DeepEqual(rows, [][]string{{"1"}, {"2"}}) {
			t.Errorf("%s: %q %q %v", c.line, rows, skipped, err)
		}
	}
	var keys strings.Builder
	for k := range maxColumns + 1 {
		fmt.Fprintf(&keys, "{\"k%d\":1}\n", k)
	}
	if _, _, err := cellsOfText(t, keys.String(), Options{}); err == nil || !strings.Contains(err.Error(), "the lines have more than 65536 different keys") {
		t.Error(err)
	}
	if _, _, err := cellsOfText(t, "{}\n", Options{}); err == nil || !strings.HasSuffix(err.Error(), "no line has a key and a value") {
		t.Error(err)
	}
}

// FuzzTableJSON compares a line with what encoding/json makes of it.
func FuzzTableJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":1,"b":"x\u00e9\ud83d\ude00\ud800\n","c":null,"d":-1.5e+3,"e":[1,{"x":"]"}],"a":true}`, ` { } `, `{"a":01}`, `{"":""}`, `{"a":"\x","b":1e}`, "{\"a\":\"\xff\t\"}", `{"a":{"b":[}]}`, `{"k":tru}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for i, c := range line {
			if c == '\n' {
				line[i] = ' '
			}
		}
		l := jsonLine{text: append(slices.Clone(line), "\n0123456789abcdef"...)}
		got, flat := map[string]string{}, true
		for l.next() {
			value := string(l.text[l.value[0]:l.value[1]])
			if l.null {
				value = ""
			}
			got[string(l.name())] = value
			flat = flat && len(l.prefix) == 0
		}
		want := map[string]json.RawMessage{}
		err := json.Unmarshal(line, &want)
		if bytes.Contains(line, []byte("NaN")) || bytes.Contains(line, []byte("Infinity")) {
			return
		}
		if strings.Contains(l.trouble, "is half of a character") || strings.Contains(l.trouble, "is a NUL") {
			if !bytes.Contains(line, []byte(`\u`)) {
				t.Fatalf("%q: %q", line, l.trouble)
			}
			return
		}
		first := strings.TrimLeft(string(line), " \t\r")
		if good := err == nil && strings.HasPrefix(first, "{"); good != (l.trouble == "") {
			t.Fatalf("%q: %q, want %v", line, l.trouble, err)
		}
		flat = flat && bytes.Count(line, []byte("{")) < 2
		if l.trouble != "" || !flat || !utf8.Valid(line) { // bad bytes stay, and become others in encoding/json
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %q, want %q", line, got, want)
		}
		for key, raw := range want {
			var value string
			switch {
			case raw[0] == '"':
				if err := json.Unmarshal(raw, &value); err != nil {
					t.Fatal(err)
				}
			case string(raw) != "null":
				value = string(raw)
			}
			if got[key] != value {
				t.Fatalf("%q: key %q is %q, want %q", line, key, got[key], value)
			}
		}
	})
}
