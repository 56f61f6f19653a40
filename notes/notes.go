// Package notes says what a program did with data that it did not use as they stand: cells that
// are missing for a model, columns that are left out, marks that are read one of two ways.
//
// Readers, encoders and training add a Note to a List. The command, pages, JSON, Python and
// reports of Go show the same list.
package notes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Class says how grave a note is.
type Class string

const (
	// Lost: the model does not use something that the data hold.
	Lost Class = "lost"
	// Ambiguous: the data can be read in another way, or may not suit the purpose.
	Ambiguous Class = "ambiguous"
	// Information: something was converted, and nothing is lost.
	Information Class = "information"
)

// Note says what was done with some part of the data.
type Note struct {
	// Kind says what happened; it decides the class and the words.
	Kind Kind
	// Column is the name of the column, "" where the note is not about one column.
	Column string
	// Count is the number of cells, rows or columns that the note is about, of Of; Of is 0 where
	// it adds nothing. A Count of 0 is not shown.
	Count, Of int64
	// Example is one of the cells, as the file has it, and Place says where it stands: line 17.
	Example, Place string
	// Then says what was done, if the words of the kind do not: missing, 3 categories.
	Then string
	// WayOut names the option that changes it, and what it does. Names of options stand in braces,
	// with their values if they have any: {Categories=income} keeps them as words. See In.
	WayOut string
}

// Class is the class of the note's kind.
func (n Note) Class() Class { return n.Kind.of().class }

// String returns the note as one line, with the names of options as Go programs have them.
func (n Note) String() string { return n.In(ofGo) }

// ofGo writes an option as Go programs have it.
func ofGo(option, value string) string {
	if value == "" {
		return option
	}
	return fmt.Sprintf("%s %q", option, value)
}

var inBraces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([A-Za-z0-9.]+)(=[^{}]*)?\}`) })

// In returns the note as one line, with options and their values as a program writes them. value
// is "" for an option without a value. A nil write writes options as Go programs have them.
func (n Note) In(write func(option, value string) string) string {
	if write == nil {
		write = ofGo
	}
	var b strings.Builder
	if n.Column != "" {
		fmt.Fprintf(&b, "column %s: ", n.Column)
	}
	what := n.Kind.of()
	words := what.many
	if n.Count == 1 && n.Of <= 1 {
		words = what.one
	}
	switch {
	case n.Count > 0 && n.Of > 0:
		b.WriteString(strings.TrimSpace(Grouped(n.Count) + " of " + Grouped(n.Of) + " " + words))
	case n.Count > 0:
		b.WriteString(strings.TrimSpace(Grouped(n.Count) + " " + words))
	default:
		b.WriteString(words)
	}
	if n.Example != "" || n.Place != "" {
		b.WriteString(" (")
		if n.Example != "" {
			b.WriteString(strconv.Quote(n.Example))
			if n.Place != "" {
				b.WriteString(" in ")
			}
		}
		b.WriteString(n.Place + ")")
	}
	if n.Then != "" {
		if words != "" || n.Count > 0 {
			b.WriteString(": ")
		}
		b.WriteString(n.Then)
	}
	if n.WayOut != "" {
		b.WriteString("; " + n.WayOut)
	}
	return inBraces().ReplaceAllStringFunc(b.String(), func(s string) string {
		option, value, _ := strings.Cut(s[1:len(s)-1], "=")
		return write(option, value)
	})
}

// Grouped writes a count with commas, as 12,345.
func Grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for k := len(text) - 3; k > 0 && text[k-1] != '-'; k -= 3 {
		text = text[:k] + "," + text[k:]
	}
	return text
}
