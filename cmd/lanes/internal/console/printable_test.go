package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostile is text that a terminal obeys, or that no terminal can show.
const hostile = "a\x80\x1b[2J\u009b2J\u202e\x7f\r\x00é日\U000e0001\ufffd\xe2\x82 b"

func TestPrintable(t *testing.T) {
	const want = `a\x80\u001b[2J\u009b2J\u202e\u007f\u000d\u0000é日\udb40\udc01\ufffd\xe2\x82 b`
	if got := Printable(hostile, ""); got != want {
		t.Errorf("%s, not %s", got, want)
	}
	if got := Printable("a\n\tb", "\n"); got != "a\n"+`\u0009b` {
		t.Errorf("%q", got)
	}
}

// TestMessagesArePrintable has the console say hostile text in every way.
func TestMessagesArePrintable(t *testing.T) {
	var out, stderr bytes.Buffer
	a := &App{Out: &out, Err: &stderr}
	a.Note("%s", hostile)
	a.Warn(errors.New(hostile))
	a.Fail(BadFlag("loss", hostile, "give %s", hostile), 2)
	a.rewrite(hostile)
	text := NewText()
	text.Row("name", "%s\nstatus  converged", hostile)
	if err := errors.Join(a.PrintText(text), a.Print("%s\n", hostile)); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 {
		t.Errorf("%d lines of results: %q", lines, out.String())
	}
	for _, got := range []string{out.String(), strings.ReplaceAll(stderr.String(), "\r", "")} {
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) }) {
			t.Errorf("%q", got)
		}
	}
	out.Reset()
	object := map[string]any{"name": "\u009b2J\x7f\U000e0001é\n"}
	if err := a.PrintJSON(object); err != nil {
		t.Fatal(err)
	}
	var again map[string]any
	if err := json.Unmarshal(out.Bytes(), &again); err != nil || !reflect.DeepEqual(again, object) || bytes.ContainsAny(out.Bytes(), "\u009b\x7f") {
		t.Errorf("%q is %v, %v", out.String(), again, err)
	}
	stderr.Reset()
	if a.Warn(errors.New("no file a\nlanes: all is well")); strings.Contains(stderr.String(), "\nlanes") {
		t.Errorf("one message looks like two: %q", stderr.String())
	}
}
