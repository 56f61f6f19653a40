package sparse

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/lanes-go/lanes/internal/base/decimal"
	"github.com/lanes-go/lanes/internal/matrix"
)

// usualText is rows of entries of the usual forms, among a few others and mistakes.
func usualText(random *rand.Rand, rows int, wrong bool) []byte {
	var b []byte
	label := []string{"-1", "+1", "1", "0", "-0", "7", "-1", "+1", "1", "0", "-0", "7", "12", "0.5", "-.5", "1e2"}
	value := func() string {
		switch k := random.IntN(40); {
		case k < 16:
			return strconv.Itoa(random.IntN(3))
		case k < 32:
			return fmt.Sprintf("%s%d.%0*d", []string{"", "-"}[k%2], random.IntN(10)*random.IntN(2), 1+random.IntN(8), random.IntN(1e8))
		case k < 34 && wrong:
			return []string{"1x", "-", "", "1.5.5", ":", "1:2", "--1", "0x", "1e", "1.\x80", "-\xb1", "1e999", "nan", "9:1"}[random.IntN(14)]
		}
		return []string{"17", "1.", ".5", "-1", "+1", "-0", "-0.0", "+0.25", "1e-3", "0.123456789", "-12.5", "00", "01", "1234567.5", "12345678", "0.1234567", "9.9999999"}[random.IntN(17)]
	}
	for range rows {
		b = append(b, label[random.IntN(len(label))]...)
		j, step := 1, []int{3, 9, 90, 30000, 4000000}[random.IntN(5)]
		if wrong && random.IntN(20) == 0 {
			j = 0
		}
		for range random.IntN(14) {
			index := strconv.Itoa(j)
			if k := random.IntN(60); k == 0 {
				index = "0" + index
			} else if k < 3 && wrong {
				index = []string{"", "-1", "x", "1x", "99999999999999999999", "3000000", "qid", "\xb1"}[random.IntN(8)]
			}
			b = append(append(append(append(b, ' '), index...), ':'), value()...)
			if j += 1 + random.IntN(step); wrong && random.IntN(30) == 0 {
				j = random.IntN(j)
			}
		}
		b = append(b, []string{"\n", "\n", "\n", " \n", "\r\n", " # 1:1\n"}[random.IntN(6)]...)
	}
	return b
}

// TestUsualForms compares the reader with itself on the same text. The second text has a tab in
// place of every space and before the end of every line: no entry has a usual form.
func TestUsualForms(t *testing.T) {
	random := rand.New(rand.NewPCG(21, 22))
	chunk := func(text []byte) *textChunk {
		return &textChunk{text: append(text, make([]byte, decimal.Pad)...), end: len(text)}
	}
	quick, failed := 0, 0
	for round := range 3000 {
		text := usualText(random, 1+random.IntN(8), round%3 == 0)
		tabs := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\n"), []byte("\t\n")), []byte(" "), []byte("\t"))
		tabs = bytes.ReplaceAll(tabs, []byte("\r\t\n"), []byte("\t\r\n"))
		rules := &textRules{maxColumns: MaxColumns, base: uint64(random.IntN(2)), merge: random.IntN(3) == 0, float32: random.IntN(8) == 0, words: true}
		if round%3 == 0 && random.IntN(4) == 0 {
			rules.maxColumns = uint64(1 + random.IntN(12))
		}
		if rules.keep = rules.maxColumns; random.IntN(4) == 0 {
			rules.keep = uint64(1 + random.IntN(100))
		}
		a, b := chunk(text), chunk(tabs)
		a.parse(rules)
		b.parse(rules)
		if !reflect.DeepEqual(a.bad, b.bad) {
			t.Fatalf("%q\nspaces: %v\ntabs: %v", text, a.bad, b.bad)
		}
		if a.bad != nil {
			failed++
			continue
		}
		same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
		if !slices.EqualFunc(a.labels, b.labels, same) || !slices.EqualFunc(a.values, b.values, same) ||
			!slices.Equal(a.columns, b.columns) || !slices.Equal(a.lengths, b.lengths) || a.sum != b.sum || a.dropped != b.dropped || a.lines != b.lines {
			t.Fatalf("%q, %+v\nspaces: %v %v %v %v %+v %d\ntabs: %v %v %v %v %+v %d", text, rules,
				a.labels, a.values, a.columns, a.lengths, a.sum, a.dropped, b.labels, b.values, b.columns, b.lengths, b.sum, b.dropped)
		}
		// The summary by its definition.
		want, at := matrix.NoRows, 0
		for _, length := range a.lengths {
			for e := at; e < at+length; e++ {
				v := a.values[e]
				want = want.With(matrix.Summary{PerRow: same(v, a.values[at]), Ones: same(v, 1), Single: float64(float32(v)) == v, Column: a.columns[e]})
			}
			at += length
		}
		want.Ones = want.Ones && want.PerRow
		if a.sum.Values() != want.Values() || a.sum.Column != want.Column {
			t.Fatalf("%q: summary %+v, want %+v", text, a.sum, want)
		}
		if !rules.float32 {
			for p := 0; p < a.end; p += bytes.IndexByte(text[p:], '\n') + 1 {
				if q := p + bytes.IndexByte(text[p:], ' ') + 1; q > p && text[q] >= '0' && text[q] <= '9' {
					a.columns, a.values = a.columns[:cap(a.columns)], a.values[:cap(a.values)]
					_, n, _ := a.quick(q, 0, 0, rules)
					quick += n
				}
			}
		}
	}
	if quick < 5000 || failed < 100 {
		t.Errorf("%d entries of the usual forms, %d texts with mistakes", quick, failed)
	}
}
