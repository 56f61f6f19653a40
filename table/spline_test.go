package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// basis is B-spline k of a degree on knots by the recursion of Cox and de Boor. The last piece is closed.
func basis(knots []float64, k, degree int, x float64) float64 {
	if degree == 0 {
		last := knots[k+1] == knots[len(knots)-1]
		if knots[k] <= x && (x < knots[k+1] || last && x == knots[k+1] && knots[k] < knots[k+1]) {
			return 1
		}
		return 0
	}
	sum := 0.0
	if width := knots[k+degree] - knots[k]; width > 0 {
		sum += (x - knots[k]) / width * basis(knots, k, degree-1, x)
	}
	if width := knots[k+degree+1] - knots[k+1]; width > 0 {
		sum += (knots[k+degree+1] - x) / width * basis(knots, k+1, degree-1, x)
	}
	return sum
}

func TestSplinesAgainstTheRecursion(t *testing.T) {
	for _, inner := range [][]float64{nil, {0}, {-1.5, 0.25, 0.5, 3}, {-1.999, 3.999}} {
		s := newSpline(-2, 4, inner)
		count := len(s.knots) - 4
		if s.bends() != count-2 || s.bends() != len(inner)+2 {
			t.Fatalf("%d bends of %d functions", s.bends(), count)
		}
		for i := range 601 {
			x := -2 + float64(i)/100
			first, values := s.at(x)
			sum := 0.0
			for k := range count {
				got := 0.0
				if k >= first && k < first+4 {
					got = values[k-first]
				}
				if want := basis(s.knots, k, 3, x); math.Abs(got-want) > 1e-12 {
					t.Fatalf("function %d of %v at %v is %v, not %v", k, s.knots, x, got, want)
				}
				sum += got
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("the functions of %v at %v have the sum %v", s.knots, x, sum)
			}
		}
		for beyond, end := range map[float64]float64{-1e300: -2, -2.5: -2, 4.5: 4, 1e300: 4} {
			first, values := s.at(beyond)
			at, want := s.at(end)
			if first != at || values != want {
				t.Errorf("%v has other values than %v", beyond, end)
			}
		}
	}
}

// TestSplineOfAColumn: the columns of a spline are the number and all B-splines but the first and the
// last one. A missing cell has the values of the mean.
func TestSplineOfAColumn(t *testing.T) {
	text := "x,k,y\n"
	var xs []float64
	for i := range 200 {
		x := math.Round(100*math.Sin(float64(i))+float64(i)) / 4
		xs = append(xs, x)
		text += fmt.Sprintf("%v,%d,%d\n", x, i%7, i%2)
	}
	text += ",1,1\n"
	for _, c := range []struct {
		splines []string
		pieces  int
	}{{[]string{"x"}, 4}, {[]string{"x=1"}, 1}, {[]string{"x=7"}, 7}, {[]string{"*=3"}, 3}} {
		e, data := madeOf(t, sourceOf(text, 2, 50), Wanted{Target: "y", Splines: c.splines, Ignored: []string{"k"}})
		l := e.Recipe().Columns[0].Learned
		if len(l.Edges) != c.pieces-1 || e.Width() != c.pieces+1+2 {
			t.Fatalf("%v: knots %v, %d columns", c.splines, l.Edges, e.Width())
		}
		for k, edge := range l.Edges {
			below := 0
			for _, x := range xs {
				if x <= edge {
					below++
				}
			}
			if want := 200 * (k + 1) / c.pieces; below < want || below > want+2 {
				t.Errorf("%v: %d numbers up to knot %d, not %d", c.splines, below, k, want)
			}
		}
		if names := []string{e.Name(0), e.Name(c.pieces), e.Name(c.pieces + 1), e.Name(c.pieces + 2)}; !slices.Equal(names, []string{"x.bend1", fmt.Sprintf("x.bend%d", c.pieces+1), "x", "x="}) {
			t.Errorf("names %q", names)
		}
		knots := newSpline(slices.Min(xs), slices.Max(xs), l.Edges).knots
		for i, x := range append(slices.Clone(xs), l.Mean) {
			row, before := make([]float64, e.Width()), -1
			for j, v := range data.X.Row(i) {
				if j <= before {
					t.Fatalf("%v: in row %d column %d follows %d", c.splines, i, j, before)
				}
				row[j], before = v, j
			}
			for k := range c.pieces + 1 {
				if want := basis(knots, k+1, 3, x); math.Abs(row[k]-want) > 1e-7 {
					t.Fatalf("%v: row %d has the bend %v, not %v", c.splines, i, row[k], want)
				}
			}
			if want := (x - l.Shift) / l.Width; math.Abs(row[c.pieces+1]-want) > 1e-6 || (row[c.pieces+2] == 1) != (i == 200) {
				t.Fatalf("%v: row %d is %v; want the number %v", c.splines, i, row, want)
			}
		}
	}
}

func TestSplinesRefuse(t *testing.T) {
	const text = "x,k,y\n1,a,0\n2,b,1\n3,a,1\n4,b,0\n"
	for says, w := range map[string]Wanted{
		`no column "z"`:                       {Splines: []string{"z"}},
		`named as category, and splines are`:  {Categories: []string{"x"}, Splines: []string{"x"}},
		`"0" is no number of pieces`:          {Splines: []string{"x=0"}},
		`"1001" is no number of pieces`:       {Splines: []string{"x=1001"}},
		`"two" is no number of pieces`:        {Splines: []string{"x=two"}},
		`"y" is named as target, and splines`: {Splines: []string{"y"}},
	} {
		w.Target = "y"
		if _, err := Infer(t.Context(), sourceOf(text, 2, 50), w); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want an error that says %q", err, says)
		}
	}
	for says, c := range map[string]Column{
		"a category has no spline":            {Name: "x", Kind: Category, Spline: 3},
		"and bins have none":                  {Name: "x", Kind: Number, Spline: 3, Bins: 2},
		"a spline of -2 pieces":               {Name: "x", Kind: Number, Spline: -2},
		"-2 bins; there may be 2 or more":     {Name: "x", Kind: Number, Bins: -2},
		"number of bins is open (auto)":       {Name: "x", Kind: Number, Bins: Auto, Learned: &Learned{}},
		"2 knots of 2 pieces":                 {Name: "x", Kind: Number, Spline: 2, Learned: &Learned{Width: 1, Greatest: 3, Edges: []float64{1, 2}}},
		"knots from 0 to 2 of numbers from 0": {Name: "x", Kind: Number, Spline: 4, Learned: &Learned{Width: 1, Greatest: 3, Edges: []float64{0, 2}}},
		"of numbers from 0 to 2 were learned": {Name: "x", Kind: Number, Spline: 4, Learned: &Learned{Width: 1, Greatest: 2, Edges: []float64{1, 2}}},
	} {
		err := (&Recipe{Version: 2, Columns: []Column{c}}).Check()
		if err == nil && c.Learned != nil {
			err = cmp.Or((&Recipe{Columns: []Column{c}}).closed(), c.checkLearned())
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want an error that says %q", err, says)
		}
	}
}
