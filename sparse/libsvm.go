package sparse

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/base/decimal"
	"github.com/lanes-go/lanes/internal/matrix"
)

// FormatError says what is wrong with a data file, and where. It is safe for concurrent
// reading.
type FormatError struct {
	Name    string // of the file or stream
	Line    int64  // from 1; 0 where no line is meant
	Column  int    // byte of the line, from 1; 0 where no byte is meant
	Message string // what is wrong and what to do
}

func (e *FormatError) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.Name, e.Message)
	case e.Column == 0:
		return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Message)
}

// textRules are the reader's options as the parser needs them.
type textRules struct {
	maxColumns uint64 // largest index allowed
	keep       uint64 // entries of larger indices are dropped
	merge      bool
	float32    bool
	base       uint64 // what is added to an index so that the first is 1
	words      bool   // labels may be words
}

// textChunk is a run of whole lines and the rows read from it.
type textChunk struct {
	text []byte // lines, then decimal.Pad bytes of no meaning
	end  int    // length of the lines

	labels  []float64
	lengths []int
	columns []uint32
	values  []float64
	query   []int64 // one a row, or empty
	sum     matrix.Summary
	dropped int64        // entries beyond the columns to keep
	lines   int64        // read without error
	bad     *FormatError // with lines counted from the chunk's first

	words  labelWords // that labels stand for
	others bool       // some values are not 1

	// Where the first row's qid stands or is missing.
	firstLine, firstColumn int
	firstQuery             bool
}

// parse reads the rows of c.text[:c.end], which ends in a newline. It stops at
// the first error and leaves it in c.bad.
func (c *textChunk) parse(rules *textRules) {
	c.labels, c.lengths, c.query = c.labels[:0], c.lengths[:0], c.query[:0]
	c.lines, c.dropped, c.bad, c.others = 0, 0, nil, false
	c.firstLine, c.firstColumn = 0, 0
	c.words.clear()
	// The shortest entry is " 1:1". Chunks differ in length, the room for their text does not
	// before a long line doubles it.
	if most := max(c.end, min(len(c.text), defaultChunk+decimal.Pad))/4 + 1; cap(c.columns) < most {
		c.columns, c.values = make([]uint32, most), make([]float64, most)
	}
	c.columns, c.values = c.columns[:cap(c.columns)], c.values[:cap(c.values)]
	n := 0
	for p := 0; p < c.end && c.bad == nil; {
		p, n = c.line(p, n, rules)
		c.lines++
	}
	c.columns, c.values = c.columns[:n], c.values[:n]
	if c.bad != nil {
		return
	}
	values := c.values
	if !c.others {
		values = nil
	}
	c.sum = matrix.Summarize(c.lengths, c.columns, values)
}

// line reads the line at p, whose entries go to position n of c.columns and
// c.values. It returns the positions after it.
func (c *textChunk) line(p, n int, rules *textRules) (next, entries int) {
	b, columns, values, start, first := c.text, c.columns, c.values, p, n
	for isBlank(b[p]) {
		p++
	}
	if q := lineEnd(b, p); q > 0 {
		return q, n
	}
	isWord := false
	label, q := c.quickLabel(p)
	if q == p {
		label, q = decimal.Parse(b, p)
		isWord = q == p || !endsToken(b, q) || math.IsInf(label, 0)
	}
	if isWord {
		text := token(b, p)
		if !rules.words || !isLabelWord(text) {
			return c.fail(start, p, labelTrouble(text))
		}
		label, q = c.words.label(text), p+len(text)
	}
	if len(c.labels) == 0 {
		c.words.used, c.words.first = isWord, shorten(b[p:q])
	} else if isWord != c.words.used {
		return c.fail(start, p, mixedLabels(isWord, shorten(b[p:q])))
	}
	p = q
	for isBlank(b[p]) {
		p++
	}
	if b[p] == 'q' || len(c.query) > 0 || len(c.labels) == 0 {
		if p = c.qid(start, p); c.bad != nil {
			return p, n
		}
	}

	var head uint64 // of last, the text of the last value that quick left
	var last []byte
	var lastValue float64
	previous := uint64(0)
	unsorted := false
	usual := 4 // how often more quick may take nothing
	if rules.float32 {
		usual = 0
	}
	for {
		for isBlank(b[p]) {
			p++
		}
		if usual > 0 {
			before := n
			p, n, previous = c.quick(p, n, previous, rules)
			usual += min(n-before, 4) - 1
			for isBlank(b[p]) {
				p++
			}
		}
		index, count := decimal.Digits(binary.LittleEndian.Uint64(b[p:]))
		q := p + count
		if count == 0 {
			if q := lineEnd(b, p); q > 0 {
				if unsorted {
					c.others = true // sums
					var message string
					if n, message = mergeRow(columns, values, first, n, rules); message != "" {
						return c.fail(start, start, message)
					}
				}
				if rules.keep < rules.maxColumns {
					for n > first && uint64(columns[n-1]) >= rules.keep {
						n--
						c.dropped++
					}
				}
				c.labels = append(c.labels, label)
				c.lengths = append(c.lengths, n-first)
				return q, n
			}
			return c.fail(start, p, indexTrouble(token(b, p)))
		}
		if count == 8 {
			index, q = longIndex(b, p)
		}
		index += rules.base
		if b[q] != ':' {
			return c.fail(start, p, indexTrouble(token(b, p)))
		}
		if index <= previous || index > rules.maxColumns {
			switch {
			case index == 0:
				return c.fail(start, p, "index 0: indices start at 1; for a text whose indices start at 0, as scikit-learn writes it, say so (ZeroBased / --zero-based)")
			case index > rules.maxColumns:
				return c.fail(start, p, fmt.Sprintf("index %s is too large: at most %d columns are allowed", shorten(b[p:q]), rules.maxColumns))
			case !rules.merge:
				return c.fail(start, p, fmt.Sprintf("column %d after column %d: indices must ascend (use Merge / --merge to sort them and add up repeated ones)", index-rules.base, previous-rules.base))
			}
			unsorted = true
		}
		previous = index
		q++
		var v float64
		var after int
		// Rows of unit length often repeat one long value.
		if binary.LittleEndian.Uint64(b[q:]) == head && bytes.HasPrefix(b[q:], last) && endsToken(b, q+len(last)) {
			v, after = lastValue, q+len(last)
		} else {
			v, after = decimal.Parse(b, q)
			if after == q || !endsToken(b, after) || v-v != 0 {
				return c.fail(start, q, valueTrouble(index-rules.base, token(b, q)))
			}
			head, last, lastValue = binary.LittleEndian.Uint64(b[q:]), b[q:after], v
		}
		if rules.float32 {
			v = float64(float32(v))
			if v-v != 0 {
				return c.fail(start, q, fmt.Sprintf("value %s of index %d is too large for a float32", shorten(token(b, q)), index-rules.base))
			}
		}
		c.others = c.others || v != 1
		columns[n], values[n] = uint32(index-1), v
		n++
		p = after
	}
}

// qid reads the query number at p, if there is one. Either all rows have a query number or no row
// has one.
func (c *textChunk) qid(start, p int) int {
	b := c.text
	has := b[p] == 'q' && b[p+1] == 'i' && b[p+2] == 'd' && b[p+3] == ':'
	if len(c.labels) == 0 {
		c.firstLine, c.firstColumn = int(c.lines)+1, p-start+1
		c.firstQuery = has
	} else if has != (len(c.query) > 0) {
		c.fail(start, p, mixedQuery)
		return p
	}
	if !has {
		return p
	}
	digits := token(b, p+4)
	value, err := parseQuery(digits)
	if err != "" {
		c.fail(start, p+4, err)
		return p
	}
	c.query = append(c.query, value)
	return p + 4 + len(digits)
}

const mixedQuery = "some rows have a qid and some have none: give every row one, or none"

func parseQuery(text []byte) (value int64, message string) {
	if len(text) == 0 {
		return 0, "the number after qid: is missing"
	}
	for _, d := range text {
		if d < '0' || d > '9' {
			return 0, fmt.Sprintf("qid %s is not a whole number", shorten(text))
		}
		if value > (math.MaxInt64-9)/10 {
			return 0, fmt.Sprintf("qid %s is too large", shorten(text))
		}
		value = value*10 + int64(d-'0')
	}
	return value, ""
}

func (c *textChunk) fail(start, p int, message string) (next, entries int) {
	c.bad = &FormatError{Line: c.lines + 1, Column: p - start + 1, Message: message}
	return p, 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// lineEnd returns the start of the next line if nothing but a comment stands
// between p and it, and 0 otherwise.
func lineEnd(b []byte, p int) int {
	switch {
	case b[p] == '\n':
		return p + 1
	case b[p] == '\r' && b[p+1] == '\n':
		return p + 2
	case b[p] == '#':
		for b[p] != '\n' {
			p++
		}
		return p + 1
	}
	return 0
}

// endsToken tells whether a token ends before p.
func endsToken(b []byte, p int) bool {
	switch b[p] {
	case ' ', '\t', '\n', '#':
		return true
	case '\r':
		return b[p+1] == '\n'
	}
	return false
}

// token returns what stands at p up to the next blank, comment or line end.
func token(b []byte, p int) []byte {
	q := p
	for !endsToken(b, q) {
		q++
	}
	return b[p:q]
}

// longIndex reads an index of eight digits or more; beyond 2^63 any large
// number will do.
func longIndex(b []byte, p int) (index uint64, next int) {
	for ; b[p] >= '0' && b[p] <= '9'; p++ {
		if index < 1<<59 {
			index = index*10 + uint64(b[p]-'0')
		}
	}
	return index, p
}

// mergeRow sorts the entries from first to n-1 by column and adds up repeated
// columns in the order of the file.
func mergeRow(columns []uint32, values []float64, first, n int, rules *textRules) (end int, message string) {
	order := make([]int, n-first)
	for k := range order {
		order[k] = first + k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(columns[a], columns[b]) })
	sorted, sums := make([]uint32, 0, len(order)), make([]float64, 0, len(order))
	for _, e := range order {
		last := len(sorted) - 1
		if last < 0 || sorted[last] != columns[e] {
			sorted, sums = append(sorted, columns[e]), append(sums, values[e])
			continue
		}
		v := sums[last] + values[e]
		if rules.float32 {
			v = float64(float32(v))
		}
		if v-v != 0 {
			return n, fmt.Sprintf("the repeated values of index %d add up to more than a number can hold", uint64(columns[e])+1-rules.base)
		}
		sums[last] = v
	}
	copy(columns[first:], sorted)
	copy(values[first:], sums)
	return first + len(sorted), ""
}

func labelTrouble(text []byte) string {
	if special(text) {
		return fmt.Sprintf("label %s: labels must be finite numbers", shorten(text))
	}
	if overflows(text) {
		return fmt.Sprintf("label %s is too large for a float64", shorten(text))
	}
	hint := ""
	if strings.Contains(string(text), ":") {
		hint = "; is the label missing?"
	} else if strings.Contains(string(text), ",") {
		hint = "; a row has one label"
	}
	return fmt.Sprintf("label %s is not a number%s", shorten(text), hint)
}

func indexTrouble(text []byte) string {
	before, _, found := strings.Cut(string(text), ":")
	switch {
	case !found:
		return fmt.Sprintf("%s is not an index:value pair", shorten(text))
	case before == "qid":
		return "qid: must stand directly after the label"
	case strings.HasPrefix(before, "-") && strings.Trim(before[1:], "0123456789") == "":
		return fmt.Sprintf("index %s: indices start at 1", shorten([]byte(before)))
	}
	return fmt.Sprintf("index %s is not a whole number", shorten([]byte(before)))
}

func valueTrouble(index uint64, text []byte) string {
	switch {
	case len(text) == 0:
		return fmt.Sprintf("the value of index %d is missing", index)
	case special(text):
		return fmt.Sprintf("value %s of index %d: values must be finite numbers", shorten(text), index)
	case overflows(text):
		return fmt.Sprintf("value %s of index %d is too large for a float64", shorten(text), index)
	}
	return fmt.Sprintf("value %s of index %d is not a number", shorten(text), index)
}

// special tells whether text is a name of NaN or of an infinity.
func special(text []byte) bool {
	switch strings.ToLower(strings.TrimLeft(string(text), "+-")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

func overflows(text []byte) bool {
	v, next := decimal.Parse(append(slices.Clone(text), make([]byte, decimal.Pad)...), 0)
	return next == len(text) && math.IsInf(v, 0)
}

// shorten quotes text, cut to a length that fits an error message.
func shorten(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q...", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
