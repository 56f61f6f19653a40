package table

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// A row that is too long takes the memory of the longest row once.
func TestLongRowsBoundParts(t *testing.T) {
	const most = 1 << 16
	for name, quote := range map[string]string{"plain": "", "quoted": `"`} {
		s, err := Open("-", Options{Stdin: bytes.NewReader([]byte("a,y\n1,0\n" + quote + strings.Repeat("x", 1<<20))), row: most, part: 1 << 10})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.begin(t.Context(), 0, []int{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		var p part
		for err == nil {
			err = in.take(&p)
		}
		if err == io.EOF || len(p.text) > most+100 {
			t.Errorf("%s: a part of %d bytes: %v", name, len(p.text), err)
		}
		in.close()
		s.Close()
	}
}

// The beginning of a file is little more than the longest row.
func TestBeginningIsBounded(t *testing.T) {
	const most = 1 << 16
	endless := bytes.Repeat([]byte("x"), 8<<20)
	s := &Source{options: Options{row: most}, files: []file{{name: "x", whole: bytes.NewReader(endless)}}}
	if head, err := s.beginning(0); err != nil || len(head.text) <= most || len(head.text) > 4*most {
		t.Errorf("a beginning of %d bytes: %v", len(head.text), err)
	}
}

// A tally keeps at most 4 MiB of values, whether these are many or one is long.
func TestTalliesBoundText(t *testing.T) {
	l := learner{workers: 1}
	for name, length := range map[string]int{"long": 1 << 12, "one": mostText + 1} {
		var column tally
		need := &need{kind: Category}
		kept := 0
		for i := range 2 * mostText / length {
			cell := append([]byte(fmt.Sprint(i)), make([]byte, length+pad)...)
			l.add(&column, need, cell[:length], 1, int64(i))
			kept = max(kept, len(column.values.text))
		}
		if l.add(&column, need, make([]byte, length+pad)[:length], 1, 0); column.many == nil || kept > mostText+length {
			t.Errorf("%s: %d bytes of values", name, kept)
		}
	}
	l.none = new(missing)
	var column tally
	long := bytes.Repeat([]byte("x"), mostText+1+pad)
	if l.add(&column, &need{kind: Number}, long[:mostText+1], 1, 0); len(column.values.text) > 0 || column.many == nil || len(column.many.seen[odd].text) != 64 {
		t.Errorf("%d bytes of values, and an example of %d bytes", len(column.values.text), len(column.many.seen[odd].text))
	}
}

// Counters hand their keys over before these take much memory.
func TestCountersBoundText(t *testing.T) {
	v := &vocabulary{column: "c", noun: "values", budget: &budget{most: 1 << 30}}
	c := newCounter(v, 64)
	long := bytes.Repeat([]byte("x"), 1<<12)
	for i := range 200 {
		c.add(append(long, fmt.Sprint(i)...), 1)
		c.next()
		if kept := len(c.keys.text); kept > 34*c.most {
			t.Fatalf("a counter keeps %d bytes of %d keys", kept, c.keys.len())
		}
	}
}

// A vocabulary that is given up leaves its part of the budget to the others.
func TestGivenUpVocabularyFreesBudget(t *testing.T) {
	sum := &budget{most: 1 << 20}
	add := func(column string, most, keys int) *vocabulary {
		v := &vocabulary{column: column, noun: "words", most: most, budget: sum}
		c := newCounter(v, 1)
		for i := range keys {
			c.add([]byte(fmt.Sprint(column, i)), 1)
			c.next()
		}
		c.flush()
		return v
	}
	if v := add("a", 10_000, 20_000); !v.tooMany || sum.used.Load() != 0 || v.keys.len() > 0 {
		t.Errorf("%d bytes and %d keys are left of a vocabulary that was given up", sum.used.Load(), v.keys.len())
	}
	if v := add("b", 0, 15_000); v.err != nil || v.keys.len() != 15_000 {
		t.Errorf("%d keys: %v", v.keys.len(), v.err)
	}
}

// A sketch has 1,024 values, however many it was given.
func TestSketchIsBounded(t *testing.T) {
	var s sketch
	for i := range 5000 {
		text := fmt.Appendf(nil, "%d%s", i, make([]byte, pad))
		if hash, takes := s.takes(text, len(text)-pad); takes {
			s.add(hash, 1, 0)
		}
		if len(s.values) > sketchSize+mostNew {
			t.Fatalf("%d values in a sketch", len(s.values))
		}
	}
	if s.sort(); len(s.values) != sketchSize || !s.unique() {
		t.Errorf("%d values in a sketch", len(s.values))
	}
}

// Infer of one value of 5 MB decides, and keeps no copy of it.
func TestLongValue(t *testing.T) {
	s := sourceOf("y,c\n1,"+strings.Repeat("x", 5<<20)+"\n0,b\n", 1, 9)
	r, err := Infer(context.Background(), s, Wanted{Target: "y"})
	if err != nil || r.Columns[1].Kind != Category || !r.Columns[1].Hashed {
		t.Errorf("%+v %v", r, err)
	}
}
