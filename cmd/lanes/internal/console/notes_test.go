package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/notes"
)

// TestTell: each note has a line once, many of a kind have two lines, and JSON has all.
func TestTell(t *testing.T) {
	var out, messages bytes.Buffer
	a := &App{Out: &out, Err: &messages, JSON: true}
	list := []notes.Note{
		{Kind: notes.NotNumber, Column: "my income", Count: 2, Then: "missing", WayOut: "{Categories=my income} keeps them as words"},
		{Kind: notes.Header, Then: "the first row is data", WayOut: "{Header} takes it for names"},
	}
	for k := range 20 {
		list = append(list, notes.Note{Kind: notes.Unseen, Column: fmt.Sprintf("c%d", k), Count: int64(1000 + k)})
	}
	for k := range 4 { // each has a line of its own
		list = append(list, notes.Note{Kind: notes.Constant, Column: fmt.Sprintf("k%d", k), Then: "it's 1", WayOut: "{Ignored=it's}"})
	}
	for k := range 5 { // one too many
		list = append(list, notes.Note{Kind: notes.Missing, Column: fmt.Sprintf("m%d\x1b", k), Count: int64(k)})
	}
	told := 0
	for range 2 {
		if err := a.Tell(list); err != nil {
			t.Fatal(err)
		}
		if told == 0 {
			told = messages.Len()
		}
	}
	if told == 0 || told != messages.Len() {
		t.Errorf("%d bytes are told, and then %d", told, messages.Len())
	}
	want := []string{
		"lanes: note: column my income: 2 cells are no numbers: missing; --category 'my income' keeps them as words",
		"lanes: note: the first row is data; --header takes it for names",
		"lanes: note: column c0: 1,000 values were not seen in training",
		"lanes: note: the same of 19 more columns: c1 (1,001), c2 (1,002), c3 (1,003), c4 (1,004), c5 (1,005), c6 (1,006), " +
			"c7 (1,007), c8 (1,008), c9 (1,009), c10 (1,010), c11 (1,011), c12 (1,012) and 7 more; --json lists all",
		`lanes: note: column k0: left out: it's 1; --ignore 'it'\''s'`, `lanes: note: column k1: left out: it's 1; --ignore 'it'\''s'`,
		`lanes: note: column k2: left out: it's 1; --ignore 'it'\''s'`, `lanes: note: column k3: left out: it's 1; --ignore 'it'\''s'`,
		`lanes: note: column m0\u001b: missing values`,
		`lanes: note: the same of 4 more columns: m1\u001b (1), m2\u001b (2), m3\u001b (3), m4\u001b (4); --json lists all`,
	}
	if got := strings.Split(strings.TrimSpace(messages.String()), "\n"); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
	if err := a.PrintJSON(map[string]any{"n": 1}); err != nil {
		t.Fatal(err)
	}
	var object struct {
		N     int
		Notes []struct{ Kind, Class, Column, Text string }
	}
	if err := json.Unmarshal(out.Bytes(), &object); err != nil || object.N != 1 || len(object.Notes) != 26+5 || object.Notes[0].Class != "lost" || !strings.Contains(object.Notes[0].Text, "--category") {
		t.Errorf("%v: %s", err, out.String())
	}
	out.Reset()
	if err := a.PrintJSON([]int{1}); err != nil || strings.TrimSpace(out.String()) != "[\n  1\n]" {
		t.Errorf("%v: a list has notes: %s", err, out.String())
	}
	out.Reset()
	if err := a.PrintDocument(map[string]any{"n": 1}); err != nil || strings.Contains(out.String(), "notes") {
		t.Errorf("%v: a document has notes: %s", err, out.String())
	}
}

// TestNoteFlags: options and their values are written as flags, as a shell reads them.
func TestNoteFlags(t *testing.T) {
	for _, c := range [][3]string{
		{"IDs", "a", "--id a"}, {"Numbers", "a_b-c.d,e:9é", "--number a_b-c.d,e:9é"}, {"Categories", "a b", "--category 'a b'"},
		{"Texts", "a=b", "--text 'a=b'"}, {"Ignored", "it's", `--ignore 'it'\''s'`}, {"BadRows", "skip", "--bad-rows skip"},
		{"NoHeader", "", "--no-header"}, {"MaxColumns", "7", "--max-columns 7"}, {"Penalty", "", "--lambda"}, {"Times", "d=%d", "--times 'd=%d'"},
		{"Header", "", "--header"},
	} {
		if got := NoteFlag(c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
	for most, want := range []string{0: " and 3 more", 1: "a and 2 more", 2: "a, b and 1 more", 3: "a, b, c", 4: "a, b, c"} {
		if got := Listed([]string{"a", "b", "c"}, most); got != want {
			t.Errorf("%q of %d, want %q", got, most, want)
		}
	}
}

// TestStrict: --strict makes a note of what is lost or ambiguous an error of the data,
// which counts these notes alone; notes of information pass.
func TestStrict(t *testing.T) {
	var messages bytes.Buffer
	a := &App{Err: &messages, Strict: true, Quiet: true}
	if err := a.Tell([]notes.Note{{Kind: notes.Constant, Column: "a"}, {Kind: notes.Converted, Column: "b", Count: 3}}); err != nil {
		t.Errorf("information is refused: %v", err)
	}
	for _, kind := range []notes.Kind{notes.NotNumber, notes.Marks} {
		err := a.Tell([]notes.Note{{Kind: kind, Column: "c", Then: "so"}})
		if ExitStatus(err) != exitData {
			t.Errorf("%s: %v", kind, err)
		}
	}
	list := []notes.Note{{Kind: notes.Constant, Column: "a"}, {Kind: notes.Converted, Column: "b", Count: 3}}
	for _, end := range []string{"in two ways: column c: cells can be read in two ways: so", "so (and 1 more notes)", "so (and 2 more notes)"} {
		list = append(list, notes.Note{Kind: notes.Marks, Column: "c", Then: "so"})
		if err := a.Tell(list); err == nil || !strings.HasSuffix(err.Error(), end) {
			t.Errorf("%v, want %q at the end", err, end)
		}
	}
	if messages.Len() > 0 {
		t.Errorf("--quiet prints %s", messages.String())
	}
	if len(a.Notes()) != 4 {
		t.Errorf("%d notes are kept", len(a.Notes()))
	}
}
