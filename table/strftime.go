package table

import (
	"bytes"
	"fmt"
	"strings"
)

// strftime is a format of times, by the letters of strftime.
type strftime string

// strftimeLetters are the letters that a format may have behind %.
const strftimeLetters = "YymdbBeaAHIMSfpzs%"

// check says what is wrong with a format, if anything.
func (f strftime) check() error {
	seen := map[byte]bool{}
	for k := 0; k < len(f); k++ {
		if f[k] != '%' {
			continue
		}
		if k++; k == len(f) || strings.IndexByte(strftimeLetters, f[k]) < 0 {
			return fmt.Errorf("the format %q has %q: want letters of %s behind %%", f, f[k-1:min(k+1, len(f))], strftimeLetters)
		}
		c := plainLetter(f[k])
		if seen[c] && c != '%' {
			return fmt.Errorf("the format %q has %%%c twice", f, f[k])
		}
		seen[c] = true
	}
	switch {
	case seen['s'] && len(f) > 2:
		return fmt.Errorf("the format %q has more than %%s: seconds since 1970 stand by themselves", f)
	case !seen['s'] && !seen['Y']:
		return fmt.Errorf("the format %q has no year: want %%Y, %%y or %%s", f)
	case seen['d'] && !seen['m']:
		return fmt.Errorf("the format %q has a day and no month", f)
	case seen['p'] && !seen['H']:
		return fmt.Errorf("the format %q has AM or PM and no hour", f)
	}
	return nil
}

// plainLetter is the first of the letters that say the same part of a time.
func plainLetter(c byte) byte {
	switch c {
	case 'y':
		return 'Y'
	case 'e':
		return 'd'
	case 'b', 'B':
		return 'm'
	case 'A':
		return 'a'
	case 'I':
		return 'H'
	}
	return c
}

// read reads a cell that is written by the format. Parts that the format lacks are the first ones:
// January, 1, midnight, UTC. A number may lack its first 0 unless another number stands beside it.
func (f strftime) read(cell []byte) (m moment, ok bool) {
	text := bytes.Trim(cell, " \t")
	year, month, day, half := 0, 1, 1, ""
	var t clockTime
	for k := 0; k < len(f) && text != nil; k++ {
		switch c := f[k]; {
		case c == ' ':
			if n := len(text); n == 0 || len(skip(text, " ")) == n {
				return m, false
			}
			text = skip(text, " ")
			continue
		case c != '%':
			if len(text) == 0 || text[0] != c {
				return m, false
			}
			text = text[1:]
			continue
		}
		least := 1
		if f.number(k-2) || f.number(k+2) {
			least = 2
		}
		k++
		switch c := f[k]; c {
		case 'Y':
			year, text = digitsOf(text, 4, 4)
		case 'y':
			if year, text = digitsOf(text, 2, 2); text != nil {
				year = fullYear(year)
			}
		case 'm':
			month, text = digitsOf(text, least, 2)
		case 'd', 'e':
			day, text = digitsOf(text, least, 2)
		case 'H', 'I':
			if t.hour, text = digitsOf(text, least, 2); c == 'I' && (t.hour < 1 || t.hour > 12) {
				return m, false
			}
		case 'M':
			t.minute, text = digitsOf(text, least, 2)
		case 'S':
			t.second, text = digitsOf(text, least, 2)
		case 'f':
			t.nanos, text = fraction(text)
		case 'b', 'B':
			word, rest := letters(text)
			if month = monthOf(word); month == 0 {
				return m, false
			}
			text = rest
		case 'a', 'A':
			word, rest := letters(text)
			if weekdayOf(word) < 0 {
				return m, false
			}
			text = rest
		case 'p':
			afternoon, rest, is := halfOfDay(text)
			if !is {
				return m, false
			}
			if half, text = "am", rest; afternoon {
				half = "pm"
			}
		case 'z':
			end := len(text)
			if at := bytes.IndexByte(text, ' '); at >= 0 {
				end = at
			}
			if t.zone, ok = anyZone(text[:end]); !ok || end == 0 {
				return m, false
			}
			text = text[end:]
		case '%':
			if len(text) == 0 || text[0] != '%' {
				return m, false
			}
			text = text[1:]
		}
	}
	if half != "" && t.hour <= 12 {
		if t.hour %= 12; half == "pm" {
			t.hour += 12
		}
	}
	if text == nil || len(text) > 0 {
		return m, false
	}
	return momentOf(year, month, day, &t)
}

// number says whether a number of usually two digits or four stands at place k.
func (f strftime) number(k int) bool {
	return k >= 0 && k+1 < len(f) && f[k] == '%' && strings.IndexByte("YymdeHIMS", f[k+1]) >= 0
}
