package faults

import (
	"regexp"
	"strings"
)

// template is a text of which some numbers are times or sizes, which differ from run to run.
type template struct {
	parts []string // text and numbers in turn
	free  []bool
}

var number = regexp.MustCompile(`[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?`)

// blanks align columns of numbers, and depend on them.
var blanks = regexp.MustCompile(`  +`)

func split(text string) (parts []string) {
	text = blanks.ReplaceAllLiteralString(text, " ")
	at := 0
	for _, found := range number.FindAllStringIndex(text, -1) {
		parts, at = append(parts, text[at:found[0]], text[found[0]:found[1]]), found[1]
	}
	return append(parts, text[at:])
}

// learn compares the template with another text that means the same.
func (t *template) learn(text string) {
	parts := split(text)
	if t.parts == nil {
		t.parts, t.free = parts, make([]bool, len(parts))
	}
	for k := 1; k < len(t.parts) && len(parts) == len(t.parts); k += 2 {
		// The largest memory of a process is written with two digits: it rarely differs, but does.
		memory := strings.HasSuffix(parts[k-1], ", at most ") && strings.HasPrefix(parts[k+1], " MB of memory")
		t.free[k] = t.free[k] || memory || parts[k] != t.parts[k]
	}
}

// matches tells whether a text is the template's, but for its free numbers.
func (t *template) matches(text string) bool {
	parts := split(text)
	return len(parts) == len(t.parts) && t.same(parts, len(parts))
}

// begins tells whether a text is a beginning of the template's. It may end within a number.
func (t *template) begins(text string) bool {
	parts := split(strings.TrimRight(text, "0123456789.eE+-"))
	n := len(parts)
	return n <= len(t.parts) && t.same(parts, n-1) && strings.HasPrefix(t.parts[n-1], parts[n-1])
}

// lacks tells whether all lines of a text are of the template, in their order: the rest could not be
// computed.
func (t *template) lacks(text string) bool {
	lines := strings.SplitAfter(t.text(), "\n")
	from := 0 // the number among the template's numbers
	for _, line := range strings.SplitAfter(text, "\n") {
		for {
			if len(lines) == 0 {
				return false
			}
			numbers := len(split(lines[0])) / 2
			own := template{parts: split(lines[0]), free: t.free[2*from:]}
			lines, from = lines[1:], from+numbers
			if own.matches(line) {
				break
			}
		}
	}
	return true
}

func (t *template) same(parts []string, n int) bool {
	for k := range n {
		if parts[k] != t.parts[k] && !t.free[k] {
			return false
		}
	}
	return true
}

func (t *template) text() string { return strings.Join(t.parts, "") }
