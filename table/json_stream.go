package table

import (
	"bytes"
	"io"
)

// objectReader reads the objects of JSON text, which may stand in an array and over several lines,
// with one object a line. What is no object comes as a line of its own.
type objectReader struct {
	r io.Reader

	buffer [1 << 14]byte
	ready  []byte // of the text that r gave
	err    error

	depth           int  // of the object
	ended           bool // the object ended, and its line has no end yet
	text, escape    bool // within a string, behind a backslash
	array, closed   bool // the text began with [, and had its ]
	begun, expected bool // there was an object, and a comma behind it
	odd             bool // within a line that is no object
}

func (o *objectReader) Read(to []byte) (n int, err error) {
	if len(o.ready) == 0 && o.err == nil {
		n, o.err = o.r.Read(o.buffer[:])
		o.ready = o.buffer[:n]
	}
	for n = 0; n < len(to); {
		switch {
		case o.ended:
			to[n], o.ended = '\n', false
			n++
		case len(o.ready) > 0:
			c, keep := o.next(o.ready[0])
			if o.ready = o.ready[1:]; keep {
				to[n] = c
				n++
			}
		case o.err == io.EOF && o.array && !o.closed:
			o.array = false
			o.ready = []byte("the array is not closed")
		default:
			return n, o.err
		}
	}
	return n, nil
}

// next takes a byte, and returns what stands for it, if anything does.
func (o *objectReader) next(c byte) (byte, bool) {
	switch blank := c == ' ' || c == '\t' || c == '\r' || c == '\n'; {
	case o.depth > 0:
		return o.inObject(c), true
	case o.odd:
		o.odd = c != '\n'
	case blank:
		return 0, false
	case c == '{' && !o.closed && (!o.array || !o.begun || o.expected):
		o.depth, o.begun, o.expected = 1, true, false
	case c == '[' && !o.array && !o.begun:
		o.array = true
		return 0, false
	case c == ']' && o.array && !o.closed && !o.expected:
		o.closed = true
		return 0, false
	case c == ',' && o.array && o.begun && !o.expected && !o.closed:
		o.expected = true
		return 0, false
	default:
		// A line says that text stands here that is no object.
		o.odd = true
		if c == '{' {
			c = '+'
		}
	}
	return c, true
}

// inObject takes a byte of an object, and returns what stands for it.
func (o *objectReader) inObject(c byte) byte {
	switch {
	case o.text:
		o.text = o.escape || c != '"'
		o.escape = c == '\\' && !o.escape
		if c == '\n' {
			return '\r' // which JSON refuses in a string, too
		}
	case c == '"':
		o.text = true
	case c == '{' || c == '[':
		o.depth++
	case c == '}' || c == ']':
		o.depth--
		o.ended = o.depth == 0
	case c == '\n':
		return ' '
	}
	return c
}

// manyLines tells whether JSON text needs an objectReader: it begins with an array, or its first
// object goes on behind its line, and the next line is no object.
func manyLines(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	if bytes.HasPrefix(text, []byte("[")) {
		return true
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	return openObject(line) && (openObject(rest) || !bytes.HasPrefix(rest, []byte("{")))
}

// openObject tells whether text begins an object and does not close it on its first line.
func openObject(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	o := objectReader{}
	for _, c := range line {
		o.next(c)
		if o.ended {
			return false
		}
	}
	return o.depth > 0
}
