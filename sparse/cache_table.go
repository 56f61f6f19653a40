package sparse

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"
)

// cacheTable is what a cache keeps beside its rows, behind the index: the words that labels stand
// for, and the encoder of a table.
//
//	length of the text (uint64), text, CRC-32C of both
//
// The text is each word with a line feed, a line feed, and the JSON of the encoder. Labels are
// numbers of words, from 0 on, in the order of the text: first in the order of the rows that
// introduce them, then in ascending order. The text has no byte 0.
type cacheTable struct {
	encoding []byte    // nil for none
	words    []string  // nil where labels are numbers
	names    []string  // words in ascending order
	places   []float64 // place in names of each word
}

// tableFrame is the number of bytes around the text.
const tableFrame = 8 + 4

// encode returns the bytes of the table.
func (t *cacheTable) encode() ([]byte, error) {
	size := 1 + len(t.encoding)
	for _, word := range t.words {
		size += len(word) + 1
	}
	if size > MaxEncoding {
		return nil, fmt.Errorf("sparse: the words of the labels and the encoder of the table take %d bytes; a cache holds %d", size, MaxEncoding)
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, size+tableFrame), uint64(size))
	for _, word := range t.words {
		b = append(append(b, word...), '\n')
	}
	b = append(append(b, '\n'), t.encoding...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), nil
}

// readTable reads a table, and returns the number of its bytes. Memory grows with text that may be
// one: holes of a file, which promise bytes that nobody wrote, are not.
func readTable(r io.Reader) (t *cacheTable, size uint64, err error) {
	b := make([]byte, 8)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, 0, err
	}
	length := binary.LittleEndian.Uint64(b)
	if length == 0 || length > MaxEncoding {
		return nil, 0, errCacheSum
	}
	for end := 8 + int(length); len(b) < end; {
		from := len(b)
		b = append(b, make([]byte, min(end-from, streamStep))...)
		if _, err := io.ReadFull(r, b[from:]); err != nil {
			return nil, 0, err
		}
		if bytes.IndexByte(b[from:], 0) >= 0 {
			return nil, 0, errCacheSum
		}
	}
	sum := make([]byte, 4)
	if _, err := io.ReadFull(r, sum); err != nil {
		return nil, 0, err
	}
	if binary.LittleEndian.Uint32(sum) != crc32.Checksum(b, castagnoli) {
		return nil, 0, errCacheSum
	}
	t, err = parseTable(b[8:])
	return t, length + tableFrame, err
}

// parseTable cuts the text of a table.
func parseTable(text []byte) (*cacheTable, error) {
	t := new(cacheTable)
	for {
		word, rest, found := bytes.Cut(text, []byte{'\n'})
		if !found {
			return nil, &badGroup{"the words of its labels do not end"}
		}
		if text = rest; len(word) == 0 {
			break
		}
		t.words = append(t.words, string(word))
	}
	if len(text) > 0 {
		t.encoding = text[:len(text):len(text)]
	}
	t.arrange(slices.Sorted(slices.Values(t.words)))
	if message := checkTable(t.names, t.encoding); message != "" {
		return nil, &badGroup{message}
	}
	return t, nil
}

// arrange has labels be places in names, which are in ascending order and have all words.
func (t *cacheTable) arrange(names []string) {
	if t.words == nil {
		return
	}
	t.names, t.places = names, make([]float64, len(t.words))
	for k, word := range t.words {
		place, _ := slices.BinarySearch(names, word)
		t.places[k] = float64(place)
	}
}

// relabel replaces numbers of words by places. It returns the first row whose label is not a number
// of a word, or -1.
func (t *cacheTable) relabel(y []float64) int {
	if t.words == nil {
		return -1
	}
	for i, label := range y {
		if !(label >= 0 && label < float64(len(t.places)) && label == math.Trunc(label)) {
			return i
		}
		y[i] = t.places[int(label)]
	}
	return -1
}

// noWord says that a label is no number of a word.
func (t *cacheTable) noWord(row int, label float64) string {
	return fmt.Sprintf("the label of row %d is %v, and there are %d names of labels", row, label, len(t.words))
}

// join refuses the table of another file of a data set, called name, unless both files have words
// and encoder alike.
func (t *cacheTable) join(other *cacheTable, name, first string) error {
	refuse := func(what string) error {
		return &FormatError{Name: name, Message: fmt.Sprintf("its rows and those of %s do not make one data set: %s", first, what)}
	}
	switch {
	case (t.words == nil) != (other.words == nil):
		return refuse("labels are words in only one of the two")
	case !bytes.Equal(t.encoding, other.encoding):
		return refuse("they were encoded from tables otherwise; encode both by one encoder")
	}
	return nil
}

// tableWriter numbers the words of labels in the order in which rows have them.
type tableWriter struct {
	words    labelWords
	of       []string // LabelNames of the last rows
	numbers  []float64
	idle     map[string]bool // words that no row has had
	encoding []byte
}

// know takes the words of rows, which may have words without rows.
func (w *tableWriter) know(names []string) {
	if slices.Equal(w.of, names) {
		return
	}
	w.words.used, w.of = true, slices.Clone(names)
	w.numbers = w.numbers[:0]
	for _, name := range names {
		number, known := w.words.number[name]
		if !known {
			if w.idle == nil {
				w.idle = make(map[string]bool)
			}
			w.idle[name], number = true, -1
		}
		w.numbers = append(w.numbers, float64(number))
	}
}

// label returns the labels of rows as a cache has them.
func (w *tableWriter) label(data *Data, first, end int) []float64 {
	if data.LabelNames == nil {
		return data.Y[first:end]
	}
	w.know(data.LabelNames)
	labels := make([]float64, end-first)
	for i := range labels {
		place := int(data.Y[first+i])
		if w.numbers[place] < 0 {
			w.numbers[place] = w.words.label([]byte(data.LabelNames[place]))
			delete(w.idle, data.LabelNames[place])
		}
		labels[i] = w.numbers[place]
	}
	return labels
}

// table returns what the cache keeps of all rows.
func (w *tableWriter) table() *cacheTable {
	t := &cacheTable{encoding: w.encoding}
	if w.words.used {
		t.words = slices.Clone(w.words.names)
		for name := range w.idle {
			t.words = append(t.words, name)
		}
		slices.Sort(t.words[len(w.words.names):])
	}
	return t
}

// mixed says how rows differ in kind from the rows before them, "" where they do not.
func (s *cacheShape) mixed(flags uint8, w *tableWriter, data *Data) string {
	var differ []string
	for flag, what := range map[uint8]string{cacheQueries: "groups (qid)", cacheWeights: "weights", cacheOffsets: "offsets"} {
		if (flags^s.flags)&flag != 0 {
			differ = append(differ, what)
		}
	}
	if slices.Sort(differ); len(differ) > 0 {
		return "only some of the rows have " + strings.Join(differ, " and ")
	}
	if w.words.used != (data.LabelNames != nil) {
		return "the labels of only some of the rows are words"
	}
	if !bytes.Equal(w.encoding, data.Encoding) {
		return "the rows were encoded from tables by several encoders"
	}
	return ""
}
