package sparse

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/lanes-go/lanes/internal/base/decimal"
)

// labelFile sets the labels of data by a file: a NumPy array, or text with a label a line.
func (data *Data) labelFile(path string, words bool) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := Decompress(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer unpacked.Close()
	r := bufio.NewReader(unpacked)
	if head, _ := r.Peek(len(npyMagic)); string(head) == npyMagic {
		a, err := newNPY(r)
		if err == nil {
			if err = data.label(a, words); err == nil {
				err = a.end()
			}
		}
		if err != nil {
			return &FormatError{Name: path, Message: err.Error()}
		}
		return nil
	}
	return data.labelText(r, path, words)
}

// label sets the labels by an array of numbers or words.
func (data *Data) label(a *npy, words bool) (err error) {
	n := uint64(data.X.Rows())
	if a.count != n {
		return labelCount(a.count, n)
	}
	if !a.isWords() {
		data.Y, err = a.floats(nil, n)
		for i, v := range data.Y {
			if err == nil && v-v != 0 {
				err = fmt.Errorf("the label of row %d, from 0, is %v: labels are finite numbers", i, v)
			}
		}
		data.LabelNames, data.Unlabelled = nil, false
		return err
	}
	if !words {
		return fmt.Errorf("the labels are words, and numbers are expected (WordLabels)")
	}
	set := labelWords{used: true}
	data.Y = nil
	err = a.words(n, func(word []byte) error {
		if !utf8.Valid(word) {
			return fmt.Errorf("the label %s is no UTF-8", shorten(word))
		}
		data.Y = append(data.Y, set.label(word))
		return nil
	})
	data.LabelNames, data.Unlabelled = set.sorted(data.Y), false
	return err
}

func labelCount(labels, rows uint64) error {
	return fmt.Errorf("%d labels for %d rows; want a label for each row", labels, rows)
}

// labelText sets the labels by lines with a number or a word each. Empty lines are no labels.
func (data *Data) labelText(r *bufio.Reader, path string, words bool) error {
	n := data.X.Rows()
	labels := make([]float64, 0, n)
	var set labelWords
	for line, ended := int64(1), false; !ended; line++ {
		bad := func(message string) error { return &FormatError{Name: path, Line: line, Message: message} }
		text, err := r.ReadSlice('\n')
		switch {
		case err == io.EOF:
			ended = true
		case err == bufio.ErrBufferFull:
			return bad("the line is too long for a label")
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		}
		if text = bytes.TrimSpace(text); line == 1 {
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		if len(text) == 0 {
			continue
		}
		padded := append(slices.Clone(text), make([]byte, decimal.Pad)...)
		v, end := decimal.Parse(padded, 0)
		isWord := end != len(text)
		switch {
		case isWord && !words, v-v != 0, isWord && (!utf8.Valid(text) || len(text) > longestWord):
			return bad(labelTrouble(text))
		case len(labels) > 0 && isWord != set.used:
			return bad(mixedLabels(isWord, shorten(text)))
		}
		if set.used = isWord; isWord {
			v = set.label(text)
		}
		labels = append(labels, v)
	}
	if len(labels) != n {
		return &FormatError{Name: path, Message: labelCount(uint64(len(labels)), uint64(n)).Error()}
	}
	data.Y, data.LabelNames, data.Unlabelled = labels, set.sorted(labels), false
	return nil
}
