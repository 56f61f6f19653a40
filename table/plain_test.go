package table

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestPlainColumn: a column that is tallied as one of plain decimals is known as if its cells were
// tallied one by one, without what plain decimals have of their own.
func TestPlainColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	formats := []string{"%.3f", "%.0f", "%.6f", "%.17g", "%09.3f", "%05.0f", "%.2e", "+%.1f", " %.2f", "%.12f"}
	others := []string{"", "NA", "word", "1,5", "inf", "2020-01-02", "0012", "12345678901234567", "123.456", "1.", ".5", "-", "-0"}
	fast := (&Recipe{Version: 2}).missing()
	slow := fast
	slow.figures = true // which plain decimals do not look at
	for _, kind := range []Kind{"", Number, Target, Offset} {
		for trial := range 40 {
			w := &need{kind: kind, open: trial%2 == 0}
			whole := &surveyor{learner: learner{workers: 1, none: &fast}}
			single := &learner{workers: 1, none: &slow}
			var got, want tally
			if trial%4 > 0 {
				got.many, want.many = new(stats), new(stats)
			}
			for part := range 3 {
				b := &block{width: 1}
				for row := range 600 {
					cell := fmt.Sprintf(formats[r.IntN(1+trial%len(formats))], r.NormFloat64()*1000)
					if r.IntN(9) == 0 {
						cell = others[r.IntN(len(others))]
					}
					from := uint32(len(b.text))
					b.text = append(append(b.text, cell...), ',')
					b.at = append(b.at, from, from+uint32(len(cell)))
					whole.kept = append(whole.kept[:row], r.IntN(20) > 0)
					b.rows++
				}
				b.text = append(b.text, make([]byte, pad)...)
				whole.column(&got, w, b, 0)
				for row, kept := range whole.kept {
					if cell := b.cell(row, 0); kept && slow.has(cell) {
						want.missing++
					} else if kept {
						single.add(&want, w, cell, 1, ^int64(row))
					}
				}
				for _, c := range []*tally{&got, &want} {
					c.settle(func(row int64) int64 { return int64(part*1000) + row })
				}
			}
			if got.many == nil {
				// Of few values, the stats are made at the end.
				got.many, want.many = whole.stats(&got, w), single.stats(&want, w)
			}
			for _, c := range []*tally{&got, &want} {
				c.many.sketch.sort()
				slices.SortFunc(c.many.shapes, func(a, b shape) int { return cmp.Compare(a.fit, b.fit) })
				c.many.odds.slots = nil // hashes differ from run to run
			}
			if !reflect.DeepEqual(got.many, want.many) || got.missing != want.missing || !slices.Equal(got.counts, want.counts) || !slices.Equal(got.places, want.places) {
				t.Fatalf("%s, trial %d:\n%+v, want\n%+v", kind, trial, got.many, want.many)
			}
		}
	}
}

// TestHashOfCells: the hash of a cell among others is the hash of its text.
func TestHashOfCells(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for n := range 50 {
		text := make([]byte, n+pad)
		for k := range text {
			text[k] = byte(r.IntN(256))
		}
		if got, want := murmurCell(text, n), murmur3(text[:n], 0); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

// TestSumsOfLists: numbers that are added together have the sums of numbers that are added one by one.
func TestSumsOfLists(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	var list, single sums
	for range 50 {
		var numbers []float64
		for range r.IntN(300) {
			numbers = append(numbers, []float64{0, r.NormFloat64(), -1, 5e-324, -1.5e300 * r.Float64(), float64(r.IntN(100))}[r.IntN(6)])
		}
		list.addAll(numbers)
		for _, x := range numbers {
			single.add(x, 1)
		}
		if !reflect.DeepEqual(list, single) {
			t.Fatalf("%+v, want %+v", list, single)
		}
	}
}

// TestShortKeys: keys of every length, with zeros at their ends, are told apart.
func TestShortKeys(t *testing.T) {
	var d dictionary
	var keys [][]byte
	for n := range 40 {
		for _, end := range []byte{0, 'a', 0xff} {
			key := make([]byte, n, n+pad)
			if n == 0 && end > 0 {
				continue
			}
			if n > 0 {
				key[n-1] = end
			}
			keys = append(keys, key)
		}
	}
	for k, key := range keys {
		if got := d.find(key); got != -1 {
			t.Errorf("%q is found as %d before it is added", key, got)
		}
		if add := []func([]byte) int{d.add, d.addCell}[k%2]; add(key) != k {
			t.Errorf("%q has another number", key)
		}
	}
	for k, key := range keys {
		if d.find(key) != k || d.add(key) != k || d.addCell(key) != k || string(d.key(k)) != string(key) {
			t.Errorf("%q is not %d", key, k)
		}
	}
}
