package faults

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

func TestMain(m *testing.M) {
	Child()
	os.Exit(m.Run())
}

func judgeOf(t *testing.T) *Judge {
	t.Helper()
	repeat.Skip(t)
	if err := Supported(); err != nil {
		t.Skipf("calls of the system cannot be stopped here: %v", err)
	}
	j, err := NewJudge(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestSample: a sample of the runs ends right under a sample of the faults. make faults takes more.
func TestSample(t *testing.T) {
	j := judgeOf(t)
	const seed = 3
	var runs []*Run
	for k, r := range Runs() {
		if k%repeat.Size(1, 4) == 0 {
			runs = append(runs, r)
		}
	}
	list, err := j.Cases(runs, repeat.Size(60, 50), seed)
	if err != nil {
		t.Fatal(err)
	}
	reached := 0
	for _, c := range list {
		wrong, hit, err := j.Judge(c)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		if hit {
			reached++
		}
		if wrong != "" {
			t.Errorf("%v:\n\t%s", c, wrong)
		}
	}
	if reached < len(list)/2 {
		t.Errorf("%d of %d faults were reached", reached, len(list))
	}
}

// TestJudge: the judge finds each kind of wrong end.
func TestJudge(t *testing.T) {
	r := &Run{Name: "convert", Args: strings.Fields("convert in/rows.txt out/rows.lanes")}
	const whole, said = "whole 12", "done in 0.5 s\n"
	right := []*reference{{stdout: *learned(said, "done in 0.6 s\n"), files: map[string]*template{"rows.lanes": learned(whole)}}}
	failing := Case{Run: r, Fault: Fault{IO, 3}, Old: true}
	held := oldContent("rows.lanes")
	at := []Call{{"write", "out/rows.lanes.12-0.tmp"}}
	for _, k := range []struct {
		what string
		o    outcome
		c    Case
		want string
	}{
		{"success", outcome{stdout: "done in 0.7 s\n", files: map[string]file{"rows.lanes": {whole, oldMode}}, hit: at}, failing, ""},
		{"failure", outcome{status: 1, stderr: "out/rows.lanes: no", files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, ""},
		{"half", outcome{status: 1, stderr: "out/rows.lanes: no", files: map[string]file{"rows.lanes": {"whole", oldMode}}, hit: at}, failing, "holds neither"},
		{"gone", outcome{status: 1, stderr: "out/rows.lanes: no", hit: at}, failing, "is gone"},
		{"left", outcome{status: 1, stderr: "out/rows.lanes: no", files: map[string]file{"rows.lanes": {held, oldMode}, "rows.lanes.12-0.tmp": {}}, hit: at}, failing, "is left"},
		{"mode", outcome{status: 1, stderr: "out/rows.lanes: no", files: map[string]file{"rows.lanes": {held, 0o644}}, hit: at}, failing, "permissions"},
		{"silent", outcome{stdout: said, files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, "exit status 0"},
		{"printed", outcome{stdout: "done", files: map[string]file{"rows.lanes": {whole, oldMode}}, hit: at}, failing, "exit status 0"},
		{"unnamed", outcome{status: 1, stderr: "no", files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, "does not name"},
		{"usage", outcome{status: 2, stderr: "out/rows.lanes: no", files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, "another meaning"},
		{"panic", outcome{status: 1, stderr: "panic: out/rows.lanes", files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, "crashed"},
		{"signal", outcome{status: -1, stderr: "out/rows.lanes", files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, "crashed"},
		{"hung", outcome{status: -1, hung: true, files: map[string]file{"rows.lanes": {held, oldMode}}, hit: at}, failing, "did not end"},
		{"no fault", outcome{status: 1, stderr: "out/rows.lanes: no"}, Case{Run: r, Fault: Fault{IO, 3}}, "nothing had happened"},
		{"short", outcome{status: 1, stderr: "out/rows.lanes: no", hit: at}, Case{Run: r, Fault: Fault{Short, 3}}, "is no failure"},
		{"more", outcome{status: 1, stdout: "done at", stderr: "out/rows.lanes: no", hit: at}, Case{Run: r, Fault: Fault{IO, 3}}, "other lines"},
	} {
		list := judge(k.c, &k.o, right)
		if k.want == "" && len(list) > 0 || k.want != "" && !slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, k.want) }) {
			t.Errorf("%s: %q, want %q", k.what, list, k.want)
		}
	}
}

func learned(texts ...string) *template {
	t := new(template)
	for _, text := range texts {
		t.learn(text)
	}
	return t
}

// TestLines: lines may be missing, and not differ.
func TestLines(t *testing.T) {
	m := learned("a 1\nb 20\nc 3\n", "a 1\nb 25\nc 3\n")
	for text, want := range map[string]bool{"a 1\nc 3\n": true, "b 7\nc 3\n": true, "c 3\na 1\n": false, "c 4\n": false, "a 1\nb\n": false} {
		if got := m.lacks(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// TestTemplate: numbers that differed are free, all others and all text are not.
func TestTemplate(t *testing.T) {
	m := learned("a 1 b 20 c", "a 1 b 31 c", "a 1 b 32 c")
	for text, want := range map[string][2]bool{
		"a 1 b 77 c": {true, true}, "a 2 b 20 c": {}, "a 1 b 20 d": {}, "a 1 b": {false, true}, "a 1 b 2.": {false, true}, "a 1 b 2": {false, true}, "a ": {false, true},
		"": {false, true}, "b": {}, "a 1 b 20 c 1": {}, "a 1 c": {},
	} {
		if got := [2]bool{m.matches(text), m.begins(text)}; got != want {
			t.Errorf("%q: matches and begins %v, want %v", text, got, want)
		}
	}
	m = learned("2 cores, at most 20 MB of memory, 3 rows")
	for text, want := range map[string]bool{
		"2 cores, at most 21 MB of memory, 3 rows": true, "2 cores, at most 21 MB of memory, 4 rows": false, "1 cores, at most 20 MB of memory, 3 rows": false, "2 cores, at most 20 KB of memory, 3 rows": false,
	} {
		if m.matches(text) != want {
			t.Errorf("%q: matches %t", text, !want)
		}
	}
}
