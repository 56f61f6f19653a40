package sparse

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/base/decimal"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/base/stamp"
)

// labelFile are the labels of ReadOptions.Labels.
type labelFile struct {
	path  string
	y     []float64
	names []string // words that labels are places in
	given int      // labels that rows have taken
}

// readLabels reads a NumPy array, or text with a label a line, plain or compressed.
func readLabels(path string, words bool) (*labelFile, error) {
	file, err := stamp.OpenNow(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacked, err := Decompress(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer unpacked.Close()
	l := &labelFile{path: path}
	r := bufio.NewReader(unpacked)
	if head, _ := r.Peek(len(npyMagic)); string(head) != npyMagic {
		return l, l.text(r, words)
	}
	a, err := newNPY(r)
	if err == nil {
		if l.y, l.names, err = a.labels(words); err == nil {
			err = a.end()
		}
	}
	if err != nil {
		return nil, formatError(path, err)
	}
	return l, nil
}

// text reads lines with a number or a word each. Empty lines are no labels.
func (l *labelFile) text(r *bufio.Reader, words bool) error {
	var set labelWords
	for line, ended := int64(1), false; !ended; line++ {
		bad := func(message string) error { return &FormatError{Name: l.path, Line: line, Message: message} }
		text, err := r.ReadSlice('\n')
		switch {
		case err == io.EOF:
			ended = true
		case err == bufio.ErrBufferFull:
			return bad("the line is too long for a label")
		case err != nil:
			return fmt.Errorf("%s: %w", l.path, err)
		}
		if line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		v, end := decimal.Parse(append(slices.Clone(text), make([]byte, decimal.Pad)...), 0)
		isWord := end != len(text)
		switch {
		case isWord && !words, v-v != 0, isWord && (special(text) || !utf8.Valid(text) || len(text) > longestWord):
			return bad(labelTrouble(text))
		case len(l.y) > 0 && isWord != set.used:
			return bad(mixedLabels(isWord, shorten(text)))
		}
		if set.used = isWord; isWord {
			v = set.label(text)
		}
		if l.y, err = memory.Grow("the labels", l.y, 1, 0); err != nil {
			return fmt.Errorf("%s: %w", l.path, err)
		}
		l.y = append(l.y, v)
	}
	l.names = set.sorted(l.y)
	return nil
}

// give sets the labels of the rows that come next.
func (l *labelFile) give(data *Data) error {
	n := data.X.Rows()
	if n > len(l.y)-l.given {
		return &FormatError{Name: l.path, Message: fmt.Sprintf("%d labels for %d rows or more; want a label for each row", len(l.y), l.given+n)}
	}
	data.Y, data.LabelNames, data.Unlabelled = l.y[l.given:l.given+n:l.given+n], l.names, false
	l.given += n
	return nil
}

// end tells whether the rows took all labels.
func (l *labelFile) end() error {
	if l.given < len(l.y) {
		return &FormatError{Name: l.path, Message: fmt.Sprintf("%d labels for %d rows; want a label for each row", len(l.y), l.given)}
	}
	return nil
}

// labels returns the elements as labels, and the words that these are places in.
func (a *npy) labels(words bool) (y []float64, names []string, err error) {
	if !a.isWords() {
		y, err = a.floats(nil, a.count)
		for i, v := range y {
			if err == nil && v-v != 0 {
				err = fmt.Errorf("the label of row %d, from 0, is %v: labels are finite numbers", i, v)
			}
		}
		return y, nil, err
	}
	if !words {
		return nil, nil, errors.New("the labels are words, and numbers are expected (WordLabels)")
	}
	set := labelWords{used: true}
	err = a.words(a.count, reserving(&y), func(word []byte) error {
		if !utf8.Valid(word) {
			return fmt.Errorf("the label %s is no UTF-8", shorten(word))
		}
		y = append(y, set.label(word))
		return nil
	})
	return y, set.sorted(y), err
}
