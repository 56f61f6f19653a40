package console

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text is what a command prints for people: lines, whose cells are separated by tabs and stand
// below each other in a table.
type Text struct {
	done  strings.Builder
	table *tabwriter.Writer
}

// NewText begins a text with a table whose columns begin below each other.
func NewText() *Text {
	t := new(Text)
	t.Left()
	return t
}

// Left begins another table, whose columns begin below each other.
func (t *Text) Left() {
	if t.table != nil {
		t.table.Flush()
	}
	t.table = tabwriter.NewWriter(&t.done, 0, 0, 2, ' ', 0)
}

// Right begins another table, whose columns end below each other.
func (t *Text) Right() {
	t.table.Flush()
	t.table = tabwriter.NewWriter(&t.done, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// Write adds to the table.
func (t *Text) Write(b []byte) (int, error) { return t.table.Write(b) }

// Row adds a name and what there is to say of it.
func (t *Text) Row(name, format string, values ...any) {
	fmt.Fprintf(t.table, "%s\t%s\n", name, Printable(fmt.Sprintf(format, values...), ""))
}

// String returns all of the text.
func (t *Text) String() string {
	t.table.Flush()
	return t.done.String()
}

// PrintText prints a text as the result.
func (a *App) PrintText(t *Text) error { return a.Print("%s", t) }
