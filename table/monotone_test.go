package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestStepsOfAColumn: a row has a one for each edge of bins below its number, and of a spline the sums of
// all B-splines from the second on, from the third on, ... A missing cell has the steps of the mean, and a
// column that no direction holds. A number that is neither keeps its one column.
func TestStepsOfAColumn(t *testing.T) {
	text := "x,same,y\n"
	var xs []float64
	for i := range 200 {
		x := math.Round(100*math.Sin(float64(i))+float64(i)) / 4
		xs = append(xs, x)
		text += fmt.Sprintf("%v,5,%d\n", x, i%2)
	}
	text += ",5,1\n"
	for _, c := range []struct {
		w        Wanted
		x, steps int
		names    []string
	}{
		{Wanted{Monotone: []string{"x=up"}, Bins: 5}, 1, 4, []string{"x>", "x="}},
		{Wanted{Monotone: []string{"*=down"}, Bins: 2}, -1, 1, []string{"x>", "x="}},
		{Wanted{Monotone: []string{"x=down"}, Splines: []string{"x=3"}}, -1, 5, []string{"x.step1", "x="}},
		{Wanted{Monotone: []string{"x=up", "*=down"}, Splines: []string{"*=1"}}, 1, 3, []string{"x.step1", "x="}},
		{Wanted{Monotone: []string{"x=up"}, Splines: []string{"x=3"}, Bins: 7, Scale: ScaleLog1p}, 1, 5, []string{"x.step1", "x="}},
		{Wanted{Monotone: []string{"x=up"}, Scale: ScaleLog1p}, 1, 0, []string{"x", "x="}},
	} {
		c.w.Target = "y"
		e, data := madeOf(t, sourceOf(text, 2, 50), c.w)
		l, columns := e.Recipe().Columns[0].Learned, c.steps
		if columns == 0 {
			columns = 1
		}
		first, end := e.Span(0)
		if first != 0 || end != columns+1 {
			t.Fatalf("%+v: columns %d to %d, not %d", c.w, first, end, columns+1)
		}
		for j, signs := 0, e.Monotone(); j < e.Width(); j++ {
			if want := c.x; j < columns && signs[j] != want || j >= columns && j < end && signs[j] != 0 {
				t.Errorf("%+v: column %s has the direction %d", c.w, e.Name(j), signs[j])
			}
		}
		if !strings.HasPrefix(e.Name(0), c.names[0]) || e.Name(columns) != c.names[1] {
			t.Errorf("%+v: names %q, %q", c.w, e.Name(0), e.Name(columns))
		}
		mean := 0.0
		for _, x := range xs {
			mean += x / 200
		}
		if c.w.Scale == ScaleLog1p { // the mean of logarithms
			mean = 0
			for _, x := range xs {
				mean += math.Copysign(math.Log1p(math.Abs(x)), x) / 200
			}
			mean = math.Copysign(math.Expm1(math.Abs(mean)), mean)
		}
		knots := newSpline(slices.Min(xs), slices.Max(xs), l.Edges).knots
		for i, x := range append(slices.Clone(xs), mean) {
			row, before := make([]float64, e.Width()), -1
			for j, v := range data.X.Row(i) {
				if j <= before {
					t.Fatalf("%+v: in row %d column %d follows %d", c.w, i, j, before)
				}
				row[j], before = v, j
			}
			for k := range c.steps {
				want := 0.0
				if c.w.Splines == nil {
					if x > l.Edges[k] {
						want = 1
					}
				} else {
					for b := k + 1; b <= c.steps; b++ {
						want += basis(knots, b, 3, x)
					}
				}
				if math.Abs(row[k]-want) > 1e-7 {
					t.Fatalf("%+v: row %d, %v, has the step %d of %v, not %v", c.w, i, x, k+1, row[k], want)
				}
			}
			if (row[columns] == 1) != (i == 200) {
				t.Errorf("%+v: row %d is %v", c.w, i, row)
			}
		}
	}
}

// TestStepsRise: what a spline's steps add up to rises from row to row, also beyond the ends.
func TestStepsRise(t *testing.T) {
	s := newSpline(-2, 4, []float64{-1.5, 0.25, 0.5, 3})
	c := &column{Column: &Column{Kind: Number, Monotone: Up, Spline: 5}, spline: s, steps: s.bends() + 1}
	before := make([]float64, c.steps)
	for i := range 2001 {
		x := -2.5 + float64(i)*0.0035
		m := &rowMaker{}
		m.stepped(c, x)
		row := make([]float64, c.steps)
		for k, j := range m.columns {
			row[j] = m.values[k]
		}
		for k := range row {
			if row[k] < before[k] || row[k] > 1 {
				t.Fatalf("step %d falls from %v to %v at %v", k+1, before[k], row[k], x)
			}
		}
		before = row
	}
	if slices.Min(before) != 1 {
		t.Errorf("the steps end at %v", before)
	}
}

// TestStepsOfEqualNumbers: a column of equal numbers has no steps, and missing values keep their column.
func TestStepsOfEqualNumbers(t *testing.T) {
	for _, w := range []Wanted{{Bins: 4}, {Splines: []string{"x"}}} {
		w.Target, w.Monotone = "y", []string{"x=up"}
		e, data := madeOf(t, sourceOf("x,y\n5,0\n5,1\n,1\n5,0\n", 2, 50), w)
		if e.Width() != 1 || e.Name(0) != "x=" || len(e.Monotone()) != 0 || data.X.NNZ() != 1 {
			t.Errorf("%+v: %d columns, the first %q, %d values", w, e.Width(), e.Name(0), data.X.NNZ())
		}
	}
}

// TestLeaksOfSteps: a monotone column that tells the target is found whatever becomes of it.
func TestLeaksOfSteps(t *testing.T) {
	var text strings.Builder
	text.WriteString("x,noise,y\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "%d,%d,%d\n", i, i*7919%1000, i/500)
	}
	for _, w := range []Wanted{{Bins: 10}, {Splines: []string{"*"}}, {}} {
		w.Target, w.Monotone = "y", []string{"*=up"}
		if leaks := leaksOf(t, sourceOf(text.String(), 2, 300), w); len(leaks) != 1 || leaks[0].Column != "x" || leaks[0].By != "its value" {
			t.Errorf("%+v: %+v", w, leaks)
		}
	}
}

func TestMonotoneRefuses(t *testing.T) {
	const text = "x,k,y\n1,a,0\n2,b,1\n3,a,1\n4,b,0\n"
	for says, w := range map[string]Wanted{
		`no column "xx" (did you mean x?)`:                       {Monotone: []string{"xx=up"}},
		`named as category, and monotone`:                        {Categories: []string{"x"}, Monotone: []string{"x=up"}},
		`Monotone "x": want a direction`:                         {Monotone: []string{"x"}},
		`Monotone "x=upp": want a direction`:                     {Monotone: []string{"x=upp"}},
		`the column "x" has up and down`:                         {Monotone: []string{"x=up", "x=down"}},
		`column "x" is monotone (up), and the cross "x*k" would`: {Monotone: []string{"x=up"}, Crosses: [][2]string{{"x", "k"}}},
		`"x" is monotone (up), and a cross with its values`:      {Monotone: []string{"x=up"}, Bins: 2, Crosses: [][2]string{{"x=..2", "k=a"}}},
	} {
		w.Target = "y"
		s := sourceOf(text, 2, 50)
		r, err := Infer(t.Context(), s, w)
		if err == nil {
			_, err = Fit(t.Context(), s, r)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want an error that says %q", err, says)
		}
	}
	for says, c := range map[string]Column{
		"a category has no order": {Name: "x", Kind: Category, Monotone: Up},
		`monotone is "rising"`:    {Name: "x", Kind: Number, Monotone: "rising"},
	} {
		if err := (&Recipe{Version: 2, Columns: []Column{c}}).Check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want an error that says %q", err, says)
		}
	}
}
