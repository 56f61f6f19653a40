package table

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	ranking "github.com/lanes-go/lanes/internal/base/order"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// leaksOf returns the leaks of a table.
func leaksOf(t *testing.T, s *Source, w Wanted) []Leak {
	t.Helper()
	ctx := context.Background()
	r, err := Infer(ctx, s, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(ctx, s, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	leaks, err := e.Leaks(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return leaks
}

func TestLeaksOfPlantedColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	var text strings.Builder
	text.WriteString("y,falling,noise,code,user,filled,when,month,note,most,few,binned\n")
	for range 4000 {
		y := random.IntN(2)
		filled, word, few := "", "ham", "a"
		if y == 1 {
			filled, word, few = fmt.Sprint(random.IntN(100)), "spam", "b"
		}
		if random.IntN(50) == 0 {
			few = "a"
		}
		// Codes are several values for each class; users are many, of a few rows each.
		fmt.Fprintf(&text, "%d,%v,%v,c%d,u%d,%s,2020-01-%02d %02d:00,2020-%02d-03,long note %s with id %d and more words,%v,%s,%v\n",
			y, -float64(y)+random.Float64()*0.9, random.NormFloat64(), y+2*random.IntN(20), random.IntN(1500), filled,
			1+random.IntN(28), 2*random.IntN(12)+y, 1+random.IntN(12), word, random.IntN(90_000), float64(y)+random.NormFloat64(), few, random.Float64())
	}
	var got []string
	for _, l := range leaksOf(t, sourceOf(text.String(), 2, 300), Wanted{Target: "y"}) {
		got = append(got, l.Column+": "+l.By)
	}
	want := []string{"falling: its value", "code: its value", "filled: a missing value", "when: its hour", `note: the word "ham"`}
	if !slices.Equal(got, want) {
		t.Errorf("leaks %q, want %q", got, want)
	}
}

func TestLeaksOfRealTables(t *testing.T) {
	repeat.Skip(t)
	for name, c := range map[string]struct {
		w    Wanted
		want []string
	}{
		"adult.csv.xz": {Wanted{Target: "income-per-year"}, nil},
		"talkingdata.csv.xz": {Wanted{Target: "is_attributed", Categories: []string{"ip", "app", "device", "os", "channel"}},
			[]string{"attributed_time"}},
	} {
		s, err := Open(tableFile(t, name), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range leaksOf(t, s, c.w) {
			got = append(got, l.Column)
			t.Log(l)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: leaks %q, want %q", name, got, c.want)
		}
	}
}

func TestLeaksOfClassesInTurn(t *testing.T) {
	var text strings.Builder
	text.WriteString("y,color,other\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "%d,%s,%s\n", i%2, []string{"red", "blue"}[i%2], []string{"a", "b", "c"}[i%3])
	}
	if leaks := leaksOf(t, sourceOf(text.String(), 2, 300), Wanted{Target: "y"}); len(leaks) != 1 || leaks[0].Column != "color" {
		t.Errorf("leaks %v, want color", leaks)
	}
}

// TestLeaksOfTargets: columns that give a target, whatever their scale, are found; good features and
// values that occur once are not.
func TestLeaksOfTargets(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	var text strings.Builder
	text.WriteString("y,scaled,squared,noisy,copy,user,late,good\n")
	for i := range 4000 {
		price := []float64{99.5, 250.25, 1000.125, 3.5}[i%4]
		y := price
		if i%500 == 7 {
			y = 1e4 * random.Float64()
		}
		y += random.Float64()
		late := ""
		if y > 900 {
			late = "yes"
		}
		fmt.Fprintf(&text, "%v,%v,%v,%v,p%d,u%d,%s,%v\n", y, 3-y/1000, y*y, y+20*random.NormFloat64(), i%4, i, late, y+float64(random.IntN(300)))
	}
	w := Wanted{Target: "y", Categories: []string{"user"}}
	var got []string
	for _, l := range leaksOf(t, sourceOf(text.String(), 2, 300), w) {
		got = append(got, l.Column+": "+l.By)
		if !(l.R2 > LeakR2) || l.AUC != 0 || !strings.Contains(l.Note().String(), "explains ") {
			t.Errorf("%+v, %s", l, l.Note())
		}
	}
	if want := []string{"scaled: its value", "squared: its value"}; !slices.Equal(got, want) {
		t.Errorf("leaks %q, want %q", got, want)
	}
	text.Reset()
	text.WriteString("y,group,flag,other\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "%v,%s,%s,%d\n", []float64{1.5, 2.25, 7.5}[i%3], []string{"a", "b", "c"}[i%3], []string{"", "", "x"}[i%3], random.IntN(50))
	}
	leaks := leaksOf(t, sourceOf(text.String(), 2, 300), Wanted{Target: "y"})
	if len(leaks) != 1 || leaks[0].Column != "group" || leaks[0].R2 > 1 {
		t.Errorf("%+v, want group", leaks)
	}
}

// TestLeaksOfSeveralClasses: a column has to tell all classes; one class is as in irises.
func TestLeaksOfSeveralClasses(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	names := []string{"setosa", "versicolor", "virginica"}
	var text strings.Builder
	text.WriteString("y,code,petal,number,word,user\n")
	for i := range 3000 {
		k := random.IntN(3)
		petal := float64(k) + 0.6*random.NormFloat64()
		if k == 0 {
			petal = -5 + random.Float64()
		}
		fmt.Fprintf(&text, "%s,c%d,%v,%v,%s,u%d\n", names[k], (k+1)%3+3*random.IntN(5), petal, float64((k+1)%3)+0.5*random.Float64(), []string{"", "", "x"}[k], i)
	}
	var got []string
	for _, l := range leaksOf(t, sourceOf(text.String(), 2, 300), Wanted{Target: "y", Categories: []string{"user"}}) {
		got = append(got, l.Column+": "+l.By)
		if !(l.AUC > LeakAUC && l.AUC <= 1) {
			t.Errorf("%+v", l)
		}
	}
	if want := []string{"code: its value", "number: its value"}; !slices.Equal(got, want) {
		t.Errorf("leaks %q, want %q", got, want)
	}
}

// TestRanksOf compares ranks with counts of smaller and equal values.
func TestRanksOf(t *testing.T) {
	values := []float64{3, -1, 3, 8, 0, -1, 3}
	for k, rank := range ranksOf(new(ranking.Sorter), values) {
		want := 0.0
		for _, v := range values {
			if v < values[k] {
				want++
			}
			if v > values[k] {
				want--
			}
		}
		if rank != want/2 {
			t.Errorf("%v has the rank %v, not %v", values[k], rank, want/2)
		}
	}
}

// TestFewLabels: all NaN are one label, and so are both zeros.
func TestFewLabels(t *testing.T) {
	for _, c := range []struct {
		y   []float64
		few bool
	}{
		{nil, true}, {[]float64{3, 3}, true}, {[]float64{1, -1, 1, -1}, true}, {[]float64{0, math.Copysign(0, -1), 1}, true},
		{[]float64{math.NaN(), 1, math.NaN()}, true}, {[]float64{math.NaN(), 1, 2}, false}, {[]float64{1, 2, 1, 2, 3}, false},
	} {
		if got := fewLabels(c.y); got != c.few {
			t.Errorf("%v: %v", c.y, got)
		}
	}
}
