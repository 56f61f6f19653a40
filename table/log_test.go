package table

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestLoggedCodes: rules for words look at distinct values, also where the values were logged as numbers.
func TestLoggedCodes(t *testing.T) {
	text := "unique,twice,label\n"
	for i := range 3000 {
		text += fmt.Sprintf("%07d,%07d,%04d\n", 7*i, 7*(i/2), i%100)
	}
	s, err := Open(write(t, "t.csv", text), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := Infer(t.Context(), s, Wanted{Target: "label"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	c := e.Recipe().Columns
	if c[0].Kind != Ignore || c[1].Kind != Category || len(c[1].Learned.Values) != 1500 || len(c[2].Learned.Values) != 100 {
		t.Errorf("unique is %s, twice %s with %d values, the label has %d", c[0].Kind, c[1].Kind, len(c[1].Learned.Values), len(c[2].Learned.Values))
	}
	d, err := Describe(t.Context(), s, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if d[1].Distinct != 1500 || !slices.Equal(d[1].Common, []string{"0000000", "0000007"}) || !slices.Equal(d[1].Counts, []int64{2, 2}) {
		t.Errorf("twice is described as %+v", d[1])
	}
}

// TestDescribeLog: values of a log are counted for a description.
func TestDescribeLog(t *testing.T) {
	text, counts := "x\n", map[string]int64{}
	for i := range 3000 {
		cell := fmt.Sprintf("%d.5", (i*i)%1000)
		text += cell + "\n"
		counts[cell]++
	}
	s, err := Open(write(t, "t.csv", text), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := Infer(t.Context(), s, Wanted{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Describe(t.Context(), s, r, 2)
	if err != nil {
		t.Fatal(err)
	}
	if f := r.survey.columns["x"]; f.log == nil {
		t.Error("the column is no log")
	}
	common := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	if d[0].Distinct != len(common) || !slices.Equal(d[0].Common, common[:2]) || !slices.Equal(d[0].Counts, []int64{counts[common[0]], counts[common[1]]}) {
		t.Errorf("the column is described as %+v, not by %d values and %s", d[0], len(common), common[:2])
	}
}

// TestLogs: a column that is logged, by one worker or by two, is known as if its cells were counted one by
// one, whether all cells are numbers, or others follow them.
func TestLogs(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	formats := []string{"%.0f", "%.3f", "%.6g", "%.15f", "%05.0f"}
	others := []string{"NA", "word", "1,5", "inf", "-.", "1e999", "a cell of many characters"}
	fast := (&Recipe{Version: 2}).missing()
	slow := fast
	slow.figures = true // which plain decimals do not look at
	var logs, many, few int
	for trial := range 45 {
		w := &need{kind: []Kind{"", Number, Target}[trial%3], open: trial%2 == 0}
		workers := []*surveyor{{learner: learner{workers: 1, none: &fast}}, {learner: learner{workers: 1, none: &fast}}}
		single := &learner{workers: 1, none: &slow}
		var parts [2]tally
		var want tally
		blocks, size := 1+r.IntN(11), []float64{1e2, 3e3, 1e5}[r.IntN(3)]
		stray := r.IntN(3 * blocks) // the first block with other cells
		one := r.IntN(2)
		for part := range blocks {
			worker := workers[one*r.IntN(2)]
			got := &parts[one*r.IntN(2)]
			b := &block{width: 1}
			for row := range 2000 {
				cell := fmt.Sprintf(formats[trial%len(formats)], r.NormFloat64()*r.NormFloat64()*size)
				switch {
				case part >= stray && r.IntN(900) == 0:
					cell = others[r.IntN(len(others))]
				case r.IntN(50) == 0:
					cell = ""
				}
				from := uint32(len(b.text))
				b.text = append(append(b.text, cell...), ',')
				b.at = append(b.at, from, from+uint32(len(cell)))
				worker.kept = append(worker.kept[:row], r.IntN(20) > 0)
				b.rows++
			}
			b.text = append(b.text, make([]byte, pad)...)
			worker.column(got, w, b, 0)
			for row, kept := range worker.kept {
				if cell := b.cell(row, 0); kept && slow.has(cell) {
					want.missing++
				} else if kept {
					single.add(&want, w, cell, 1, ^int64(row))
				}
			}
			for _, c := range []*tally{got, &want} {
				c.settle(func(row int64) int64 { return int64(part*10000) + row })
			}
		}
		l := &workers[0].learner
		got := &parts[0]
		l.merge(got, w, &parts[1])
		if got.log != nil && got.values.len()+len(got.log.ends) > mostValues {
			l.crowd(got, w)
		}
		if (got.many == nil) != (want.many == nil) || got.missing != want.missing {
			t.Fatalf("trial %d: many %v, %d missing; want %v, %d", trial, got.many != nil, got.missing, want.many != nil, want.missing)
		}
		if got.many == nil {
			few++
			if got.log != nil {
				logs++
			}
			log := got.log
			got.distinguish()
			if own := valuesOfTally(got); !maps.Equal(own, valuesOfTally(&want)) {
				t.Fatalf("trial %d: the values differ", trial)
			}
			if want.many = single.stats(&want, w); log != nil {
				got.many = log.stats
			} else {
				got.many = l.stats(got, w)
			}
		} else {
			many++
		}
		for _, c := range []*tally{got, &want} {
			c.many.sketch.sort()
			c.many.distinct = [4]int{}
			slices.SortFunc(c.many.shapes, func(a, b shape) int { return cmp.Compare(a.fit, b.fit) })
			c.many.odds = dictionary{} // whose order depends on the workers
		}
		if !reflect.DeepEqual(got.many, want.many) {
			t.Fatalf("trial %d:\n%+v, want\n%+v", trial, got.many, want.many)
		}
	}
	if min(logs, many, few-logs) < 4 {
		t.Errorf("%d columns are logs, %d have many values, and %d a few that are counted", logs, many, few-logs)
	}
}

// valuesOfTally returns the values of a tally with their counts and places.
func valuesOfTally(t *tally) map[string][2]int64 {
	values := map[string][2]int64{}
	for k, n := range t.counts {
		values[string(t.values.key(k))] = [2]int64{n, t.places[k]}
	}
	return values
}
