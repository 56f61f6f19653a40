package loss

import (
	"math"
	"strings"
	"testing"
)

// TestFacts: what each loss is and takes, from its definition.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		l := p.l
		labels, poisson := p.l.String() == "logistic" || p.l.String() == "squared-hinge" || p.l.String() == "hinge" || ofBinomial(p.l), ofMean(p.l)
		_, ofZero := l.Check([]float64{0})
		for y, want := range map[float64]bool{1: true, -1: !poisson, 0: ofZero == nil && !labels, 0.5: !labels, -2: !labels && !poisson, 1e300: !labels, math.Inf(1): false, math.Inf(-1): false, math.NaN(): false} {
			bad, err := l.Check([]float64{1, 1, y, 1})
			if (err == nil) != want || want && bad != -1 || !want && bad != 2 {
				t.Errorf("%v of %v: row %d, error %v", l, y, bad, err)
			}
			if err != nil && y-y == 0 && !strings.Contains(err.Error(), l.String()) {
				t.Errorf("%v of %v: error %v", l, y, err)
			}
		}
		if bad, err := l.Check(nil); bad != -1 || err != nil || l.Labels() != labels {
			t.Errorf("%v of no rows: row %d, error %v; labels %t", l, bad, err, l.Labels())
		}
		// The best intercept is finite if the mean slope changes its sign.
		for _, c := range []struct {
			above, others bool
			y             []float64
		}{{true, true, []float64{1, -1}}, {true, false, []float64{1, 1}}, {false, true, []float64{-1, -1}}} {
			low, high := 0.0, 0.0
			for _, y := range c.y {
				if poisson {
					y = max(y, 0)
				}
				y = valid(l, y)
				low, high = low+l.Slope(-60, y), high+l.Slope(60, y)
			}
			if want := low < 0 && high > 0; l.Finite(c.above, c.others) != want && !(want && l.Labels()) {
				t.Errorf("%v of %v: a finite intercept: %t", l, c.y, !want)
			}
		}
		if err := l.Valid(); err != nil {
			t.Error(err)
		}
		if receding, is := l.(Receding); is == l.Attained() {
			t.Errorf("%v recedes: %t, has a minimum: %t", l, is, l.Attained())
		} else if is {
			for _, y := range []float64{-1, 0, 1, 3} {
				if _, err := l.Check([]float64{y}); err != nil {
					continue
				}
				want := 0
				for _, side := range []int{-1, 1} {
					if slope := l.Slope(float64(2000*side), y) * float64(side); slope < 1e-9 && slope > -1e-9 {
						want = side
					}
				}
				if got := receding.Side(y); got != want {
					t.Errorf("%v of %v: falls forever to the side %d, not %d", l, y, got, want)
				}
			}
		}
		// Start is the best intercept of the loss, or of the squared one; offsets are taken off.
		y, offsets := []float64{1, -1, 1, 1}, 0.75
		mean, begin := 0.5, 0.5
		switch {
		case l.Odds():
			begin = math.Log(3)
		case l.String() == (Probit{}).String():
			begin = 0.67448975019608171
		case l.String() == (Cloglog{}).String():
			begin = math.Log(math.Log(4))
		case poisson:
			y, mean, begin, offsets = []float64{2, 0, 1, 1}, 1, 0, 2
		}
		if got := l.Start(mean, map[bool]float64{true: 1}[poisson], len(y)); math.Abs(got-begin) > 4e-15 {
			t.Errorf("%v begins at %v, not %v", l, got, begin)
		}
		if poisson {
			begin -= math.Log(offsets)
		} else {
			begin -= offsets
		}
		if got := l.Start(mean, offsets, len(y)); math.Abs(got-begin) > 4e-15 {
			t.Errorf("%v with offsets begins at %v, not %v", l, got, begin)
		}
		if odds := l.Odds(); odds != (l.String() == "logistic") || l.Quadratic() != (l.String() == "squared") {
			t.Errorf("%v: odds %t, quadratic %t", l, odds, l.Quadratic())
		}
		_, linked := l.(Linked)
		z := []float64{-1, 0, 2}
		Means(l, z)
		if linked != poisson || poisson != (math.Abs(z[2]-math.Exp(2)) < 1e-14) || !poisson && z[2] != 2 {
			t.Errorf("%v: means %v", l, z)
		}
		if got := ParseLinked(l.String(), 0); (got != nil) != linked {
			t.Errorf("%v: linked by its name: %v", l, got)
		}
		// A row of weight 0 counts nowhere, at any margin.
		c, h, third := []float64{700, 1}, []float64{9, 9}, []float64{9, 9}
		rows, s := []float64{-1, 1}, []float64{0, 2}
		if poisson {
			rows[0] = 1
		}
		l.Curvature(h, third, c, rows, s)
		sum := l.Gradient(c, c, rows, s)
		one, two := []float64{0}, []float64{0}
		l.Curvature(one, two, []float64{1}, []float64{1}, []float64{2})
		if value, slope := At(l, 1, 1); sum != 2*value || c[0] != 0 || c[1] != 2*slope || h[0] != 0 || third[0] != 0 || h[1] != one[0] || third[1] != two[0] {
			t.Errorf("%v: sum %v, slopes %v, curvatures %v, %v with a row of weight 0", l, sum, c, h, third)
		}
		// The third derivative is the derivative of the second one.
		for _, at := range []float64{-2.7, -0.4, 0.6, 3.3} {
			near := func(by float64) float64 {
				v := []float64{0}
				l.Curvature(v, []float64{0}, []float64{at + by}, []float64{1}, []float64{0.5})
				return v[0]
			}
			l.Curvature(one, two, []float64{at}, []float64{1}, []float64{0.5})
			if want := (near(1e-4) - near(-1e-4)) / 2e-4; math.Abs(two[0]-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%v at %v: a third derivative of %v, not %v", l, at, two[0], want)
			}
		}
	}
	for mean, want := range map[float64]float64{-1: math.Log(1. / 20), 1: math.Log(20), -0.5: -math.Log(3)} {
		if got := (Logistic{}).Start(mean, 0.25, 10); math.Abs(got+0.25-want) > 1e-14 {
			t.Errorf("a mean label of %v begins at %v, not %v", mean, got, want-0.25)
		}
	}
	for _, delta := range []float64{0, 1e-300, 1e300} {
		if err := (Huber{delta}).Valid(); err != nil {
			t.Error(err)
		}
	}
}
