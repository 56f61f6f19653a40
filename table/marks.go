package table

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Marks says how the numbers of a column are written if they are no plain decimals with a point.
// With it, a number may also be negative in parentheses, by the sign U+2212, or by a minus behind it.
type Marks struct {
	// Decimal is the decimal mark: a comma, or "" for a point.
	Decimal string `json:"decimal,omitempty"`
	// Thousands stands between groups of digits: ".", ",", "'", or " " for a blank of any width; ""
	// for none.
	Thousands string `json:"thousands,omitempty"`
	// Units are the marks of money or per cent that may stand before or behind a number. They do
	// not change it: 57% is 57.
	Units []string `json:"units,omitempty"`
}

// commaMarks are the marks of tables with a decimal comma in recipes of version 1.
var commaMarks = &Marks{Decimal: ","}

// check says what is wrong with marks.
func (m *Marks) check() error {
	r := m.reading()
	switch {
	case m.Decimal != "" && m.Decimal != ",":
		return fmt.Errorf("decimal mark %q: want a comma, or nothing for a point", m.Decimal)
	case m.Thousands != "" && !slices.Contains(readings[:], r):
		return fmt.Errorf("thousands mark %q beside the decimal mark %q: want a point, a comma, a blank or an apostrophe, and not the decimal mark", m.Thousands, string(r.decimal))
	}
	for _, unit := range m.Units {
		if known, _ := unitAt([]byte(unit)); string(known) != unit {
			return fmt.Errorf("unit %q: want a mark of money or %%", unit)
		}
	}
	return nil
}

// reading is how the digits of a number are read: by the decimal mark, and by the mark between
// groups of digits, 0 for none.
type reading struct{ decimal, thousands byte }

// readings are all ways to read a number. If several read a column alike, the first is taken.
var readings = [8]reading{{'.', 0}, {',', 0}, {'.', ','}, {'.', ' '}, {'.', '\''}, {',', '.'}, {',', ' '}, {',', '\''}}

// The places in readings.
const (
	plainReading = iota
	commaReading
	commaThousands
	blankThousands
	quoteThousands
	pointThousands
)

// The sets of readings with a decimal point, and with a decimal comma: a bit for each place.
const (
	pointReadings = 1<<plainReading | 1<<commaThousands | 1<<blankThousands | 1<<quoteThousands
	commaReadings = 0xff &^ pointReadings
)

func (m *Marks) reading() reading {
	r := reading{decimal: '.'}
	if m.Decimal != "" {
		r.decimal = m.Decimal[0]
	}
	if m.Thousands != "" {
		r.thousands = m.Thousands[0]
	}
	return r
}

// marks are the marks of a reading.
func (r reading) marks() Marks {
	var m Marks
	if r.decimal == ',' {
		m.Decimal = ","
	}
	if r.thousands != 0 {
		m.Thousands = string(r.thousands)
	}
	return m
}

// number reads a cell as a finite number. At least pad bytes can be read behind cell.
func (m *Marks) number(cell []byte) (float64, bool) {
	r := m.reading()
	if v, ok := number(cell, r.decimal == ','); ok {
		return v, true
	}
	var w writtenNumber
	if !w.take(cell) || len(w.unit) > 0 && !m.has(w.unit) || !r.fits(w.text()) {
		return 0, false
	}
	return w.value(r)
}

func (m *Marks) has(unit []byte) bool {
	for _, u := range m.Units {
		if u == string(unit) {
			return true
		}
	}
	return false
}

// mostWritten is the number of bytes of the longest number with marks.
const mostWritten = 64

// writtenNumber is a number as it is written, taken apart.
type writtenNumber struct {
	negative bool
	unit     []byte // nil without a unit
	// body is the number without sign and unit. Blanks of any width are ' ', apostrophes of any
	// form '.
	body [mostWritten + pad]byte
	n    int
}

func (w *writtenNumber) text() []byte { return w.body[:w.n] }

// take takes a cell apart. It returns false for what cannot be a number.
func (w *writtenNumber) take(cell []byte) bool {
	text, signed := trimBlanks(cell), false
	if n := len(text); n > 2 && text[0] == '(' && text[n-1] == ')' {
		w.negative, signed, text = true, true, trimBlanks(text[1:n-1])
	}
	for {
		r, size := utf8.DecodeRune(text)
		if r-'0' <= 9 && r >= '0' || r == '.' || r == ',' {
			break
		}
		if (r == '-' || r == '+' || r == '\u2212') && !signed {
			w.negative, signed = r != '+', true
		} else if unit, n := unitAt(text); n > 0 && w.unit == nil {
			w.unit, size = unit, n
		} else {
			return false
		}
		text = trimBlanks(text[size:])
	}
	last := bytes.LastIndexAny(text, "0123456789.,")
	rest := trimBlanks(text[last+1:])
	if before, is := bytes.CutSuffix(rest, []byte("-")); is && !signed {
		w.negative, rest = true, trimBlanks(before)
	}
	if len(rest) > 0 {
		unit, n := unitAt(rest)
		if n != len(rest) || w.unit != nil {
			return false
		}
		w.unit = unit
	}
	for text = text[:last+1]; len(text) > 0; {
		r, size := utf8.DecodeRune(text)
		switch {
		case isBlank(r):
			r = ' '
		case r == '\u2019':
			r = '\''
		case r >= utf8.RuneSelf:
			return false
		}
		if w.n == mostWritten {
			return false
		}
		w.body[w.n] = byte(r)
		w.n++
		text = text[size:]
	}
	return true
}

// isBlank says whether a character is a blank, a tab, or a blank of another width.
func isBlank(r rune) bool {
	return r == ' ' || r == '\t' || r == '\u00a0' || r == '\u202f' || r >= '\u2000' && r <= '\u200a'
}

// trimBlanks leaves out blanks around text.
func trimBlanks(text []byte) []byte { return bytes.TrimFunc(text, isBlank) }

// moneyWords are the codes and names of money that are known beside its signs, which Unicode lists.
var moneyWords = []string{
	"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "ISK",
	"PLN", "CZK", "HUF", "RON", "BGN", "RSD", "UAH", "RUB", "TRY", "ILS", "AED", "SAR", "EGP", "NGN",
	"ZAR", "KES", "BRL", "ARS", "CLP", "COP", "MXN", "PEN", "KRW", "TWD", "HKD", "SGD", "MYR", "THB",
	"IDR", "PHP", "VND", "PKR", "BDT", "LKR", "kr", "z\u0142", "K\u010d", "Ft", "lei", "Rs", "Rs.",
	"Fr.", "RM",
}

// unitAt returns the mark of money or per cent with which text begins, and its length.
func unitAt(text []byte) (unit []byte, n int) {
	letters := 0
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if at += size; r == '%' && letters == 0 || unicode.Is(unicode.Sc, r) && letters < 3 {
			return text[:at], at
		}
		if r < 'A' || r > 'Z' {
			break
		}
		letters++
	}
	for _, word := range moneyWords {
		if len(word) > n && len(word) <= len(text) && string(text[:len(word)]) == word {
			rest := text[len(word):]
			if r, _ := utf8.DecodeRune(rest); len(rest) == 0 || !unicode.IsLetter(r) {
				n = len(word)
			}
		}
	}
	return text[:n], n
}

// fits says whether text, without sign and unit, is a number in this reading. Groups have three
// digits; those before the last may all have two, as in India. The first group does not begin with
// a 0.
func (r reading) fits(text []byte) bool {
	digits := func(from int) (to int) {
		for to = from; to < len(text) && text[to]-'0' <= 9; to++ {
		}
		return to
	}
	at := digits(0)
	any, grouped := at > 0, false
	if r.thousands != 0 && at < len(text) && text[at] == r.thousands {
		if at == 0 || at > 3 || text[0] == '0' {
			return false
		}
		grouped = true
		pairs := false
		for first := true; at < len(text) && text[at] == r.thousands; first = false {
			end := digits(at + 1)
			inner := end < len(text) && text[end] == r.thousands
			if first {
				pairs = inner && end-at-1 == 2
			}
			width := 3
			if pairs && inner {
				width = 2
			}
			if end-at-1 != width {
				return false
			}
			at = end
		}
	}
	if at < len(text) && text[at] == r.decimal {
		end := digits(at + 1)
		any, at = any || end > at+1, end
	}
	if any && !grouped && at < len(text) && text[at]|0x20 == 'e' {
		at++
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		end := digits(at)
		if any = end > at; any {
			at = end
		}
	}
	return any && at == len(text)
}

// value returns the number in a reading that it fits.
func (w *writtenNumber) value(r reading) (float64, bool) {
	n := 0
	for _, c := range w.text() {
		switch c {
		case r.thousands:
			continue
		case r.decimal:
			c = '.'
		}
		w.body[n] = c
		n++
	}
	w.body[n] = 0
	v, ok := number(w.body[:n], false)
	if w.negative {
		v = -v
	}
	return v, ok
}

// fits is what a cell can be: a bit for each of readings, and two more.
type fits uint16

const (
	anyReading fits = 0xff
	isGap      fits = 1 << 8 // missing where numbers or times are
	isInfinite fits = 1 << 9
)

// comma says whether numbers have a decimal comma. m may be nil.
func (m *Marks) comma() bool { return m != nil && m.Decimal != "" }
