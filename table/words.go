package table

import (
	"unicode"
	"unicode/utf8"
)

// words cuts a text into words: runs of Unicode letters, digits and underscores of at least two
// characters, in lower case by simple case mapping. Bytes that are no UTF-8 separate words.
// It serves one goroutine at a time.
type words struct {
	text []byte   // the words, a blank between two
	at   []uint32 // where each word begins in text, and where a next word would
}

// The classes of an ASCII character: no part of a word, or its lower case.
var wordBytes = func() (table [utf8.RuneSelf]byte) {
	for c := range table {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_':
			table[c] = byte(c)
		case c >= 'A' && c <= 'Z':
			table[c] = byte(c) + 'a' - 'A'
		}
	}
	return table
}()

// cut takes a text in place of the one before.
func (w *words) cut(text []byte) {
	w.text, w.at = w.text[:0], append(w.at[:0], 0)
	for k := 0; k < len(text); {
		begin, characters := len(w.text), 0
		for k < len(text) {
			if c := text[k]; c < utf8.RuneSelf {
				k++
				if c = wordBytes[c]; c == 0 {
					break
				}
				w.text = append(w.text, c)
			} else {
				r, size := utf8.DecodeRune(text[k:])
				k += size
				if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
					break
				}
				w.text = utf8.AppendRune(w.text, unicode.ToLower(r))
			}
			characters++
		}
		if characters < 2 {
			w.text = w.text[:begin]
			continue
		}
		w.text = append(w.text, ' ')
		w.at = append(w.at, uint32(len(w.text)))
	}
}

// count returns the number of words.
func (w *words) count() int { return len(w.at) - 1 }

// gram returns n words from word i on, with a blank between two. It is valid until the next cut.
func (w *words) gram(i, n int) []byte { return w.text[w.at[i] : w.at[i+n]-1] }
