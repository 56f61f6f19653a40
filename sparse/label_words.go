package sparse

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"
)

// longestWord is the most bytes of a label that is a word.
const longestWord = 256

// labelWords numbers the words that stand for labels in the order in which they come.
type labelWords struct {
	used   bool   // labels are words
	first  string // label, quoted
	names  []string
	number map[string]int
}

func (w *labelWords) clear() {
	w.used, w.names = false, w.names[:0]
	clear(w.number)
}

// label returns the number of a word.
func (w *labelWords) label(text []byte) float64 {
	k, known := w.number[string(text)]
	if !known {
		if w.number == nil {
			w.number = make(map[string]int)
		}
		k = len(w.names)
		w.names = append(w.names, string(text))
		w.number[w.names[k]] = k
	}
	return float64(k)
}

// sorted returns the words in order, and renumbers labels that way.
func (w *labelWords) sorted(labels []float64) []string {
	if !w.used {
		return nil
	}
	names := slices.Sorted(slices.Values(w.names))
	place := make([]float64, len(names))
	for k, name := range names {
		place[w.number[name]] = float64(k)
	}
	for i, label := range labels {
		labels[i] = place[int(label)]
	}
	return names
}

// isLabelWord tells whether a label is a word. A word begins with a letter or one of < > =, so
// that a malformed number is not a word. It contains no separator of a row.
func isLabelWord(text []byte) bool {
	first, _ := utf8.DecodeRune(text)
	if !unicode.IsLetter(first) && !(first >= '<' && first <= '>') || len(text) > longestWord || special(text) || !utf8.Valid(text) {
		return false
	}
	for _, c := range string(text) {
		if !unicode.IsPrint(c) || c == ':' || c == ',' || c == '"' {
			return false
		}
	}
	return true
}

func mixedLabels(isWord bool, text string) string {
	if isWord {
		return fmt.Sprintf("label %s is not a number, as the labels of the rows above are", text)
	}
	return fmt.Sprintf("label %s is a number, and those of the rows above are words", text)
}
