package table

import "io"

// blankReader reads text whose columns are cut by runs of blanks with a tab in place of each run.
// Blanks at the ends of lines are left out.
type blankReader struct {
	r      io.Reader
	quotes bool // a quote at the beginning of a cell opens quoted text, where blanks stay

	buffer  [1 << 14]byte
	ready   []byte // of the text that r gave
	err     error
	cell    bool // the line has a cell
	pending bool // blanks stand behind it
	inside  bool // of quotes
	closed  bool // the byte before is a quote inside of quotes
	opened  bool // the byte before is within a cell
}

func (b *blankReader) Read(to []byte) (n int, err error) {
	if len(b.ready) == 0 && b.err == nil {
		n, b.err = b.r.Read(b.buffer[:])
		b.ready = b.buffer[:n]
	}
	for n = 0; n < len(to) && len(b.ready) > 0; {
		c := b.ready[0]
		if b.inside && b.closed && c != '"' {
			b.inside = false
		}
		switch {
		case b.inside:
			b.closed = c == '"' && !b.closed
		case c == ' ' || c == '\t':
			b.pending, b.opened = b.cell, false
			b.ready = b.ready[1:]
			continue
		case c == '\n' || c == '\r':
			b.cell, b.pending, b.opened = false, false, false
		case b.pending:
			b.pending = false
			to[n] = '\t'
			n++
			continue
		default:
			b.inside, b.closed = b.quotes && c == '"' && !b.opened, false
			b.cell, b.opened = true, true
		}
		to[n] = c
		n++
		b.ready = b.ready[1:]
	}
	if len(b.ready) == 0 {
		err = b.err
	}
	return n, err
}
