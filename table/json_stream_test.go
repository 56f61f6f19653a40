package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lanes-go/lanes/notes"
)

// TestObjects: the same objects, however they are laid out, are the same rows.
func TestObjects(t *testing.T) {
	objects := `[{"a":1.5,"b":{"c":"x, \"y\"\\","d":{"e":true},"g":{},"h":7}},{"a":null,"b":{"c":"[{"},"f":"late"},{},{"f":"é","a":-2}]`
	want := [][]string{{"a", "b.c", "b.d.e", "b.h", "f"}, {"1.5", `x, "y"\`, "true", "7", ""}, {"", "[{", "", "", "late"}, {"", "", "", "", ""}, {"-2", "", "", "", "é"}}
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(objects), &list); err != nil {
		t.Fatal(err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(objects), "", "  "); err != nil {
		t.Fatal(err)
	}
	lines, many := "", ""
	for _, o := range list {
		lines += string(o) + "\n"
		var one bytes.Buffer
		json.Indent(&one, o, "", "\t")
		many += one.String() + "\r\n\n"
	}
	for name, text := range map[string]string{
		"lines": lines, "blank lines": "\ufeff\n" + strings.ReplaceAll(lines, "\n", "\n\n"), "array": objects, "pretty array": pretty.String(), "over lines": many,
		"array, CRLF": strings.ReplaceAll(pretty.String(), "\n", "\r\n"), "a line each in an array": "[\n" + strings.Join(strings.Split(strings.TrimSpace(lines), "\n"), ",\n") + "\n]\n",
	} {
		for _, part := range []int{0, 1, 11} {
			got, err := readTable(t, write(t, "t.json", text), Options{part: part, Workers: 1 + part%3})
			if err != nil || !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s, parts of %d: %q %v", name, part, got, err)
			}
		}
	}
	for text, message := range map[string]string{
		`[{"a":1},{"a":2}`:           "row 3: the line is no JSON object",
		`[{"a":1} {"a":2}]`:          "row 2: the line is no JSON object",
		`[{"a":1},,{"a":2}]`:         "row 2: the line is no JSON object",
		"[{\"a\":1}]\n{\"a\":2}":     "row 2: the line is no JSON object",
		"{\n\"b\":1,\"a\":\"x\ny\"}": `row 1: a control character in a string`,
		"{\n\"a\":1\n}\n{\n\"a\":":   "row 2: a value is expected",
		"{\n\"a\":{\"b\":1}]\n}\n":   "row 1: ",
		"{\"a\":1}\n{\n\"a\":2}\n":   ":2:2: a key in quotes is expected",
	} {
		_, err := readTable(t, write(t, "t.json", text), Options{})
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%q: %v, want %s", text, err, message)
		}
	}
}

// TestNested: arrays are missing, with a note that counts them; deep objects too.
func TestNested(t *testing.T) {
	deep := strings.Repeat(`{"x":`, mostNested+2) + "1" + strings.Repeat("}", mostNested+2)
	for _, part := range []int{0, 1} {
		s, err := Open(write(t, "t.jsonl", `{"y":1,"tags":["a"]}`+"\n"+`{"y":2,"tags":3}`+"\n"+`{"y":3,"tags":[[]],"deep":`+deep+`}`), Options{part: part, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := contents(t.Context(), s)
		if err != nil || rows[2][1] != "3" || rows[1][1] != "" || rows[3][1] != "" || len(rows[0]) != 3 {
			t.Errorf("%q %v", rows, err)
		}
		all := s.Notes()
		if !slices.Equal(kindsOf(all), []notes.Kind{notes.Nested, notes.Nested}) || all[0].String() != `column tags: 2 of 3 cells are arrays or objects ("[\"a\"]" in line 1): missing` || !strings.HasPrefix(all[1].Column, "deep.x.x.") {
			t.Error(all)
		}
		s.Close()
	}
	// A column that is not read has no note of its neighbour.
	s := piped(t, strings.Repeat(`{"z":1,"tags":["a"],"y":0}`+"\n"+`{"z":2,"tags":"b","y":1}`+"\n", 6), Options{})
	fitted(t, s, Wanted{Target: "y", Ignored: []string{"z"}})
	if n := noteAbout(t, s.Notes(), notes.Nested, "tags"); n.Count != 6 || len(s.Notes()) != 1 {
		t.Error(s.Notes())
	}
	_, err := readTable(t, write(t, "t.jsonl", `{"a":1,"b":{"c":1},"b.c":2}`), Options{})
	if err == nil || !strings.Contains(err.Error(), `:1:21: the object has the key "b.c" twice`) {
		t.Error(err)
	}
	// Empty objects cost no stack.
	if _, err := readTable(t, write(t, "t.jsonl", `{"a":1`+strings.Repeat(`,"b":{}`, 1<<20)+`,"y":1}`), Options{}); err != nil {
		t.Error(err)
	}
}

// TestObjectReader: random objects come one a line, however the text is cut.
func TestObjectReader(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		var want, text bytes.Buffer
		array := random.IntN(2) == 0
		if array {
			text.WriteString("[")
		}
		for k := range 1 + random.IntN(5) {
			object := fmt.Sprintf(`{"a":%q,"b":[%d,{"c":"}\\\\\"]"}]}`, strings.Repeat("x{[\",", random.IntN(3)), k)
			want.WriteString(object + "\n")
			if k > 0 && array {
				text.WriteString(",")
			}
			json.Indent(&text, []byte(object), strings.Repeat(" ", random.IntN(2)), "")
			text.WriteString(strings.Repeat("\n", random.IntN(3)))
		}
		if array {
			text.WriteString("]")
		}
		got, err := io.ReadAll(&objectReader{r: iotest.HalfReader(iotest.OneByteReader(&text))})
		if err != nil || strings.ReplaceAll(strings.ReplaceAll(string(got), ": ", ":"), " ", "") != strings.ReplaceAll(want.String(), " ", "") {
			t.Fatalf("%q, want %q: %v", got, want.String(), err)
		}
	}
}

// FuzzTableObjects: any JSON text is refused, or its rows do not depend on how the text is cut.
func FuzzTableObjects(f *testing.F) {
	for _, seed := range []string{`[{"a":1},{"a":[1]}]`, "{\n\"a\": {\"b\": 1}\n}\n{\"a\":2}", `[{"a":"\u0000"}`, `{"a":{"b":{}},"a.b":1}`, "[{},\n{\"x\":NaN}]", `[[1]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = text[:min(len(text), 600)]
		var before [][]string
		for k, part := range []int{0, 1, 7} {
			rows, err := readTable(t, "-", Options{Stdin: bytes.NewReader(text), Format: FormatJSON, BadRows: len(text), part: part, Workers: 1 + k})
			if err != nil {
				rows = [][]string{{err.Error()}}
			}
			if k > 0 && !slices.EqualFunc(rows, before, slices.Equal) {
				t.Fatalf("%q: %q, before %q", text, rows, before)
			}
			before = rows
		}
	})
}
