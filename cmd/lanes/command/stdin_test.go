package command

import (
	"io"
	"os"
	"strings"
	"testing"
)

// TestStandardInput: data on standard input are read if no DATA are named, from a pipe and from a
// file; without any, rows are generated, with a note.
func TestStandardInput(t *testing.T) {
	playground(t)
	for name, in := range map[string]func() io.Reader{
		"pipe": func() io.Reader { return struct{ io.Reader }{strings.NewReader(tiny)} },
		"file": func() io.Reader {
			file, err := os.Open("tiny")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { file.Close() })
			return file
		},
	} {
		for _, command := range []string{"train", "info", "compare --solvers newton"} {
			named := object(t, done(t, strings.Replace(command+" ", " ", " tiny ", 1)+" --json --quiet").out)
			o := invocation{args: append(strings.Fields(command), "--json"), stdin: in()}.run(t)
			if o.status != exitDone || !strings.Contains(o.stderr, "no DATA given: reading standard input") {
				t.Fatalf("%s of a %s: %d, %s", command, name, o.status, o.stderr)
			}
			if read := object(t, o.out); read["n"] != named["n"] || read["weights_sha256"] != named["weights_sha256"] {
				t.Errorf("%s of a %s: %v, want %v", command, name, read, named)
			}
		}
	}
	o := invocation{args: []string{"train", "--epochs", "1"}, stdin: struct{ io.Reader }{strings.NewReader("")}}.run(t)
	if !strings.Contains(o.stderr, "using generated data") {
		t.Errorf("an empty pipe: %d, %s", o.status, o.stderr)
	}
	text := "x,y\n1,0\n2,1\n3,0\n4,1\n5,1\n"
	o = invocation{args: []string{"train", "--target", "y", "--json"}, stdin: strings.NewReader(text)}.run(t)
	if o.status != exitDone || object(t, o.out)["n"] != 5.0 {
		t.Errorf("a table: %d, %s", o.status, o.stderr)
	}
}

// TestConvertKeeps: convert overwrites caches and empty files, and others by --force alone.
func TestConvertKeeps(t *testing.T) {
	playground(t)
	for _, line := range []string{"convert tiny x.lanes", "convert tiny x.lanes", "convert tiny new"} {
		done(t, line)
	}
	if err := os.WriteFile("empty", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "convert tiny empty")
	for _, line := range []string{"convert tiny returns", "convert tiny new --to cache", "convert model returns --to npz", "convert --generate onehot:n=9 returns"} {
		before, err := os.ReadFile(strings.Fields(line)[2])
		if err != nil && !strings.Contains(line, "generate") {
			t.Fatal(err)
		}
		if o := inside(strings.Fields(line)...); o.status != exitUsage || !strings.Contains(o.stderr, "--force overwrites it") {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
		if after, _ := os.ReadFile(strings.Fields(line)[2]); string(after) != string(before) {
			t.Errorf("%s wrote", line)
		}
	}
	done(t, "convert tiny returns --force")
	if text, err := os.ReadFile("returns"); err != nil || strings.HasPrefix(string(text), "Date") {
		t.Errorf("%q: %v", text, err)
	}
}
