package console

import (
	"bytes"
	"strings"
	"testing"
)

// TestRewritten checks that nothing of a longer line is left on a terminal.
func TestRewritten(t *testing.T) {
	var out bytes.Buffer
	a := &App{Err: &out}
	a.rewrite("a long line")
	a.rewrite("short")
	a.tell("lanes: a note")
	a.rewrite("more")
	a.rewrite("")
	screen, at := []byte(nil), 0
	for _, c := range out.Bytes() {
		switch {
		case c == '\r':
			at = 0
		case c == '\n':
			if got := strings.TrimRight(string(screen), " "); got != "lanes: a note" {
				t.Errorf("the line is %q", got)
			}
			screen, at = nil, 0
		case at < len(screen):
			screen[at] = c
			at++
		default:
			screen, at = append(screen, c), at+1
		}
	}
	if strings.TrimSpace(string(screen)) != "" || at != 0 {
		t.Errorf("%q is left, the cursor at %d", screen, at)
	}
}
