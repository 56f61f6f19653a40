package table

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// pairsAUC is the share of pairs of a positive and a negative row that scores order rightly; ties count one half.
func pairsAUC(scores, labels []float64) float64 {
	won, pairs := 0.0, 0.0
	for i, s := range scores {
		for j, o := range scores {
			if labels[i] > 0 && labels[j] < 0 {
				if pairs++; s > o {
					won++
				} else if s == o {
					won += 0.5
				}
			}
		}
	}
	return won / pairs
}

// The AUCs of a search for leaks agree with their definition, also if numbers are read several
// times.
func TestLeakAUCs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	var text strings.Builder
	text.WriteString("y,a,few,many,one,when,b,c\n")
	for range 300 {
		y := random.IntN(2)
		when := ""
		if random.IntN(3) > 0 {
			when = fmt.Sprintf("2020-01-03 %02d:00", 2*random.IntN(3)+y)
		}
		fmt.Fprintf(&text, "%d,%d,f%d,m%d,x,%s,%d,%.2f\n", y, random.IntN(50)-20*y, random.IntN(3)*(1+y), random.IntN(150), when, random.IntN(9)+y, random.NormFloat64())
	}
	ctx := context.Background()
	s := sourceOf(text.String(), 2, 100)
	e, data := madeOf(t, s, Wanted{Target: "y", Categories: []string{"few", "many", "one"}, Times: []string{"when"}, Numbers: []string{"a", "b", "c"}})
	rows, err := contents(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]float64, len(data.Y))
	for i, y := range data.Y {
		labels[i] = 2*y - 1
	}
	cells := func(name string) (list []string) {
		for k, column := range rows[0] {
			for _, row := range rows[1:] {
				if column == name {
					list = append(list, row[k])
				}
			}
		}
		return list
	}
	// rates scores each row by the rate of positives with the same value in the other half. One more
	// row there has the rate of all.
	rates := func(values []string) float64 {
		scores := make([]float64, len(values))
		for i, v := range values {
			same, right, all, positives := 1.0, 0.0, 0.0, 0.0
			for j, w := range values {
				if halfOf(j) == halfOf(i) {
					continue
				}
				positive := (labels[j] + 1) / 2
				all, positives = all+1, positives+positive
				if v == w {
					same, right = same+1, right+positive
				}
			}
			scores[i] = (right + positives/all) / same
		}
		return pairsAUC(scores, labels)
	}
	want := map[string]float64{"few its value": rates(cells("few")), "many its value": rates(cells("many")), "one its value": rates(cells("one"))}
	hours, filled := cells("when"), make([]float64, len(labels))
	for i, cell := range hours {
		if cell != "" {
			hours[i], filled[i] = cell[11:13], 1
		}
	}
	want["when its hour"] = rates(hours)
	filledAUC := pairsAUC(filled, labels)
	want["when a missing value"] = max(filledAUC, 1-filledAUC)
	for _, name := range []string{"a", "b", "c"} {
		var scores []float64
		for _, cell := range cells(name) {
			var v float64
			fmt.Sscan(cell, &v)
			scores = append(scores, v)
		}
		auc := pairsAUC(scores, labels)
		want[name+" its value"] = max(auc, 1-auc)
	}
	for _, numbers := range []int{leakNumbers, 2 * len(labels), len(labels)} {
		search := newLeakSearch(e, data.X, labels, leakRows, numbers)
		got := map[string]float64{}
		for k := range e.columns {
			search.column(&e.columns[k], func(by string, auc float64) { got[e.columns[k].Name+" "+by] = auc })
		}
		for what, auc := range want {
			if !(math.Abs(got[what]-auc) <= 1e-12) {
				t.Errorf("%s, %d numbers at once: AUC %v, by the definition %v", what, numbers, got[what], auc)
			}
		}
	}
}

// A sample of the rows has both of two classes that stand in turn.
func TestLeaksInASample(t *testing.T) {
	var text strings.Builder
	text.WriteString("y,told,other\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "%d,%d,%d\n", i%2, i%2*(1+i%7), i%5)
	}
	e, data := madeOf(t, sourceOf(text.String(), 2, 300), Wanted{Target: "y"})
	labels := make([]float64, len(data.Y))
	for i, y := range data.Y {
		labels[i] = 2*y - 1
	}
	search := newLeakSearch(e, data.X, labels, 500, leakNumbers)
	if len(search.rows) < 400 || len(search.rows) > 500 {
		t.Errorf("a sample of %d rows", len(search.rows))
	}
	positives := 0
	for k, row := range search.rows {
		if search.labels[k] != labels[row] || k > 0 && row <= search.rows[k-1] {
			t.Fatalf("row %d of the sample is row %d", k, row)
		}
		if labels[row] > 0 {
			positives++
		}
	}
	if positives < 150 || positives > 350 {
		t.Errorf("%d of %d rows are positive", positives, len(search.rows))
	}
}

// TestRangesKeepEqualValues: equal values are one range, whatever the order of the rows.
func TestRangesKeepEqualValues(t *testing.T) {
	s := &leakSearch{}
	for i := range 2000 {
		s.rows, s.labels = append(s.rows, i), append(s.labels, float64(2*(i/1000)-1))
		s.all[halfOf(i)][i/1000]++
	}
	if auc := s.byRanges(make([]float32, 2000)); !(math.Abs(auc-0.5) <= 0.05) {
		t.Errorf("one value has an AUC of %v", auc)
	}
}

// TestPresenceAndTargets: whether a cell is there explains the square of its correlation with the target.
func TestPresenceAndTargets(t *testing.T) {
	var rows [][]string
	var given, y []float64
	for i := range 300 {
		cell, target := fmt.Sprint(i%11), float64(i*i%17)
		given = append(given, 1)
		if i%3 == 0 {
			cell, target, given[i] = "", target+5, 0
		}
		rows, y = append(rows, []string{cell, fmt.Sprint(target)}), append(y, target)
	}
	e, data := madeOf(t, cellsSource([]string{"a", "y"}, rows, 50, Options{}), Wanted{Target: "y"})
	var xy, xx, yy, mx, my float64
	for i := range y {
		mx, my = mx+given[i]/300, my+y[i]/300
	}
	for i := range y {
		xy, xx, yy = xy+(given[i]-mx)*(y[i]-my), xx+(given[i]-mx)*(given[i]-mx), yy+(y[i]-my)*(y[i]-my)
	}
	s := newTargetSearch(e, data.X, data.Y, leakRows, leakNumbers)
	if got, want := s.targets.present(e.columns[0].absent), xy*xy/(xx*yy); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("a missing value explains %v, want %v", got, want)
	}
}
