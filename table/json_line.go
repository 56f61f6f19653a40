package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// mostNested is how deep objects may be nested: deeper ones are no columns.
const mostNested = 16

// jsonLine goes through the object of a line: a key and its value at each call of next. The keys of
// an object within it stand behind its own key and a point.
// Strings are unescaped in place. It accepts what encoding/json accepts, except for halves of
// characters and \u0000, and NaN and Infinity, as Python writes them.
type jsonLine struct {
	text []byte // the line, which ends in a line end, and bytes that can be read behind
	at   int    // what comes next
	// The key and the value of the last call of next, as places in text. null says that the value
	// is null, and nested that it is an array or an object.
	key, value   [2]int
	null, nested bool
	begun        bool
	// prefix are the keys of the objects around the present key, each with a point behind it, and
	// ends its lengths before each of them.
	prefix []byte
	ends   []int
	again  bool
	full   []byte // the prefix and the key
	// trouble is what is wrong, at byte at; "" for nothing.
	trouble string
}

func (l *jsonLine) fail(at int, format string, arguments ...any) bool {
	l.at, l.trouble = at, fmt.Sprintf(format, arguments...)
	return false
}

// blank goes behind blanks.
func (l *jsonLine) blank() byte {
	for {
		switch c := l.text[l.at]; c {
		case ' ', '\t', '\r':
			l.at++
		default:
			return c
		}
	}
}

// next goes to the next key and its value. It returns false behind the last one, or if something
// is wrong.
func (l *jsonLine) next() bool {
	for l.step() {
		if !l.again {
			return true
		}
		l.again = false
	}
	return false
}

// name returns the present key, behind the keys of the objects around it. It is valid until the next
// call.
func (l *jsonLine) name() []byte {
	key := l.text[l.key[0]:l.key[1]]
	if len(l.prefix) == 0 {
		return key
	}
	l.full = append(append(l.full[:0], l.prefix...), key...)
	return l.full
}

// step is next, or goes into an object or out of one: again says so.
func (l *jsonLine) step() bool {
	c := l.blank()
	switch {
	case !l.begun && c != '{':
		return l.fail(l.at, "the line is no JSON object, which begins with {")
	case !l.begun:
		l.begun = true
		l.at++
		c = l.blank()
	case c == ',':
		l.at++
		if c = l.blank(); c == '}' {
			return l.fail(l.at, "a key is expected after the comma")
		}
	case c != '}':
		return l.fail(l.at, "a comma or } is expected: %s", l.found())
	}
	if c == '}' && len(l.ends) > 0 {
		l.at++
		last := len(l.ends) - 1
		l.prefix, l.ends, l.again = l.prefix[:l.ends[last]], l.ends[:last], true
		return true
	}
	if c == '}' {
		l.at++
		if l.blank() != '\n' {
			return l.fail(l.at, "more text follows the object; write an object a line")
		}
		return false
	}
	if c != '"' {
		return l.fail(l.at, "a key in quotes is expected: %s", l.found())
	}
	ok := false
	if l.key, ok = l.word(); !ok {
		return false
	}
	if l.blank() != ':' {
		return l.fail(l.at, "a colon is expected after the key: %s", l.found())
	}
	l.at++
	l.null, l.nested = false, false
	switch c := l.blank(); {
	case c == '"':
		l.value, ok = l.word()
		return ok
	case bytes.HasPrefix(l.text[l.at:], []byte("-Infinity")):
		l.value = [2]int{l.at, l.at + len("-Infinity")}
		l.at = l.value[1]
		return true
	case c == '-' || c-'0' <= 9:
		return l.number()
	case c == '{' && len(l.ends) < mostNested:
		l.ends = append(l.ends, len(l.prefix))
		l.prefix = append(append(l.prefix, l.text[l.key[0]:l.key[1]]...), '.')
		l.begun, l.again = false, true
		return true
	case c == '{' || c == '[':
		l.nested = true
		return l.nest()
	}
	from := l.at
	for c := l.text[l.at]; c|0x20 >= 'a' && c|0x20 <= 'z'; c = l.text[l.at] {
		l.at++
	}
	switch string(l.text[from:l.at]) {
	case "true", "false", "Infinity":
		l.value = [2]int{from, l.at}
	case "null", "NaN":
		l.null, l.value = true, [2]int{}
	default:
		l.at = from
		return l.fail(from, "a value is expected: %s", l.found())
	}
	return true
}

// found says what stands where something else is expected.
func (l *jsonLine) found() string {
	if l.text[l.at] == '\n' {
		return "the line ends; write an object a line, as jq -c does"
	}
	_, n := utf8.DecodeRune(l.text[l.at:])
	return fmt.Sprintf("here is %q", l.text[l.at:l.at+n])
}

// word reads the string at l.at, and returns its place.
func (l *jsonLine) word() (place [2]int, ok bool) {
	from := l.at + 1
	for p := from; ; p++ {
		switch c := l.text[p]; {
		case c == '"':
			l.at = p + 1
			return [2]int{from, p}, true
		case c == '\\':
			return l.escaped(from, p)
		case c < ' ':
			return place, l.control(p)
		}
	}
}

func (l *jsonLine) control(p int) bool {
	if l.text[p] == '\n' {
		return l.fail(p, "the string is not closed on its line; write an object a line, as jq -c does")
	}
	return l.fail(p, "a control character in a string, which JSON writes as \\u%04x", l.text[p])
}

// escaped reads the string at from on, whose first escape is at p.
func (l *jsonLine) escaped(from, p int) (place [2]int, ok bool) {
	to := p
	for {
		c := l.text[p]
		switch {
		case c == '"':
			l.at = p + 1
			return [2]int{from, to}, true
		case c < ' ':
			return place, l.control(p)
		case c != '\\':
			l.text[to] = c
			p, to = p+1, to+1
			continue
		}
		if c = l.text[p+1]; c == 'u' {
			unit, good := l.hex(p)
			if !good {
				return place, l.fail(p, "\\u wants four hexadecimal digits")
			}
			p += 6
			r := rune(unit)
			if utf16.IsSurrogate(r) {
				low, good := l.hex(p)
				if r = utf16.DecodeRune(r, rune(low)); !good || r == utf8.RuneError {
					return place, l.fail(p-6, "\\u%04x is half of a character, whose other half is missing", unit)
				}
				p += 6
			}
			if r == 0 {
				return place, l.fail(p-6, "\\u0000 is a NUL, which no text of a table has")
			}
			to += utf8.EncodeRune(l.text[to:to+4], r)
			continue
		}
		k := bytes.IndexByte([]byte(`"\/bfnrt`), c)
		if k < 0 {
			return place, l.fail(p, "\\ before %q, which means nothing in JSON", c)
		}
		l.text[to] = "\"\\/\b\f\n\r\t"[k]
		p, to = p+2, to+1
	}
}

// hex reads \u and four digits at p.
func (l *jsonLine) hex(p int) (unit uint32, ok bool) {
	if l.text[p] != '\\' || l.text[p+1] != 'u' {
		return 0, false
	}
	for _, c := range l.text[p+2 : p+6] {
		digit := uint32(c - '0')
		if digit > 9 {
			if digit = uint32(c|32) - 'a' + 10; digit < 10 || digit > 15 {
				return 0, false
			}
		}
		unit = unit<<4 | digit
	}
	return unit, true
}

// number reads the number at l.at.
func (l *jsonLine) number() bool {
	from, p := l.at, l.at
	digits := func() bool {
		first := p
		for l.text[p]-'0' <= 9 {
			p++
		}
		return p > first
	}
	if l.text[p] == '-' {
		p++
	}
	good := true
	if l.text[p] == '0' {
		p++
	} else {
		good = digits()
	}
	if good && l.text[p] == '.' {
		p++
		good = digits()
	}
	if good && l.text[p]|32 == 'e' {
		if p++; l.text[p] == '+' || l.text[p] == '-' {
			p++
		}
		good = digits()
	}
	if !good {
		return l.fail(p, "a digit is expected in the number")
	}
	l.at, l.value = p, [2]int{from, p}
	return true
}

// nest goes behind the array or object at l.at.
func (l *jsonLine) nest() bool {
	from, depth := l.at, 0
	for p := from; ; p++ {
		switch l.text[p] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '"':
			for p++; l.text[p] != '"' && l.text[p] != '\n'; p++ {
				if l.text[p] == '\\' && l.text[p+1] != '\n' {
					p++
				}
			}
		}
		if l.text[p] == '\n' {
			return l.fail(p, "an array or object is not closed on its line; write an object a line, as jq -c does")
		}
		if depth == 0 {
			if l.at = p + 1; !json.Valid(l.text[from:l.at]) {
				return l.fail(from, "the array or object is no valid JSON")
			}
			l.value = [2]int{from, l.at}
			return true
		}
	}
}
