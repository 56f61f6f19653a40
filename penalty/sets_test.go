package penalty

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSets compares Prox, Descent and Reach of sets with their extreme points, and Value with the
// definition. A set is refused where it has no point, or infinite ones.
func TestSets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 1))
	const n = 3
	corners := func(low, high float64) (list [][]float64) {
		for k := range 27 {
			p := []float64{}
			for _, at := range []int{k % 3, k / 3 % 3, k / 9} {
				p = append(p, []float64{low, max(low, min(high, 0)), high}[at])
			}
			list = append(list, p)
		}
		return list
	}
	for _, c := range []struct {
		p      Compact
		points [][]float64 // with all extreme points of pieces
		l1     float64
	}{
		{Box{-1, 2}, corners(-1, 2), 0}, {Box{0.5, 2}, corners(0.5, 2), 0}, {Box{-3, -1}, corners(-3, -1), 0}, {Box{0, 0.25}, corners(0, 0.25), 0},
		{L1Box{0.5, -1, 2}, corners(-1, 2), 0.5}, {L1Box{0.25, 0.5, 2}, corners(0.5, 2), 0.25}, {L1Box{2, -3, -1}, corners(-3, -1), 2},
		{L1Box{0.5, -0.5, 0.5}, corners(-0.5, 0.5), 0.5}, {L1Box{0.3, -2, 0}, corners(-2, 0), 0.3}, {L1Box{0.3, 0, 2}, corners(0, 2), 0.3},
		{Simplex{1}, [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 0}, {Simplex{0.25}, [][]float64{{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}}, 0},
		{Ball{2}, nil, 0}, {Ball{0.25}, nil, 0},
	} {
		if err := c.p.Check(n); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			w, g := make([]float64, n), make([]float64, n)
			for j := range w {
				w[j], g[j] = 2*r.NormFloat64(), math.Trunc(4*r.NormFloat64())/2
			}
			sizes := 0.0
			for _, v := range w {
				sizes += math.Abs(v)
			}
			if got := c.p.Value(w); !within(got, c.l1*sizes, sizes, 8) {
				t.Fatalf("%v: a value of %v at %v", c.p, got, w)
			}
			descent, reach := math.Inf(-1), 0.0
			for _, y := range c.points {
				along, far := 0.0, 0.0
				for j, v := range y {
					along -= g[j]*v + c.l1*math.Abs(v)
					far += (v - w[j]) * (v - w[j])
				}
				descent, reach = max(descent, along), max(reach, math.Sqrt(far))
			}
			if b, is := c.p.(Ball); is {
				descent, reach = b.Radius*toFloat(length(g)), b.Radius+toFloat(length(w))
			}
			if got := c.p.Descent(g); !within(got, descent, 20, 16) {
				t.Fatalf("%v: a descent of %v for %v, not %v", c.p, got, g, descent)
			}
			if got := c.p.Reach(w); !within(got, reach, 20, 16) {
				t.Fatalf("%v: a reach of %v from %v, not %v", c.p, got, w, reach)
			}
			for _, step := range []float64{0, 0.5, 2} {
				y := slices.Clone(w)
				c.p.Prox(y, step)
				projected(t, c.p, w, y, c.l1, step)
			}
		}
		if got := c.p.Descent(nil); got != 0 {
			t.Errorf("%v: a descent of %v without weights", c.p, got)
		}
		c.p.Prox(nil, 1)
	}
	bad := []Penalty{}
	for _, v := range []float64{0, -1, math.Inf(1), math.NaN()} {
		bad = append(bad, Ball{v}, Simplex{v})
		if v != 0 {
			bad = append(bad, Box{v, -2}, Box{0, -v * v}, L1Box{v, -1, 1}, L1Box{1, math.Inf(-1), 2}, L1Box{1, -2, math.Inf(1)})
		}
	}
	for _, p := range append(bad, Box{math.Inf(-1), 0}, Box{0, math.Inf(1)}, Box{math.NaN(), 1}, Box{1, math.NaN()}, L1Box{1, 2, 1}) {
		if p.Check(n) == nil {
			t.Errorf("no error for %v", p)
		}
	}
	for _, p := range []Penalty{Box{1, 1}, L1Box{0, 1, 1}, L1Box{1, 0, 0}, Ball{1e-300}, Simplex{1e300}} {
		if err := p.Check(n); err != nil {
			t.Error(err)
		}
	}
	if x := []float64{3}; true {
		if (Box{2, 1}).Prox(x, 1); x[0] != 3 {
			t.Errorf("an empty box moves 3 to %v", x[0])
		}
	}
}

// projected fails if y is not what Prox has to return from w.
func projected(t *testing.T, p Compact, w, y []float64, l1, step float64) {
	t.Helper()
	var want []float64
	switch p := p.(type) {
	case Ball:
		share := min(1, p.Radius/toFloat(length(w)))
		for _, v := range w {
			want = append(want, share*v)
		}
	case Simplex:
		low, high := -10.0, 10.0
		for range 70 {
			middle, sum := (low+high)/2, 0.0
			for _, v := range w {
				sum += max(v-middle, 0)
			}
			if sum > p.Total {
				low = middle
			} else {
				high = middle
			}
		}
		for _, v := range w {
			want = append(want, max(v-low, 0))
		}
	default:
		var low, high float64
		if b, is := p.(Box); is {
			low, high = b.Low, b.High
		} else {
			b := p.(L1Box)
			low, high = b.Low, b.High
		}
		for _, v := range w {
			v = math.Copysign(max(math.Abs(v)-step*l1, 0), v)
			want = append(want, max(low, min(high, v)))
		}
	}
	for j, v := range y {
		if !within(v, want[j], 10, 16) {
			t.Fatalf("%v: a step of %v from %v leads to %v, not %v", p, step, w, y, want)
		}
	}
}

// slanted is 0.3 w for w > 0 and -0.1 w below, at a distance of 0.2 from 0.
type slanted struct{}

func (slanted) String() string          { return "slanted" }
func (slanted) Value(w float64) float64 { return 0.2 + max(0.3*w, -0.1*w) }
func (slanted) Slopes(w float64) (least, most float64) {
	switch {
	case w > 0:
		return 0.3, 0.3
	case w < 0:
		return -0.1, -0.1
	}
	return -0.1, 0.3
}
func (slanted) Prox(w, step float64) float64 {
	switch {
	case w > 0.3*step:
		return w - 0.3*step
	case w < -0.1*step:
		return w + 0.1*step
	}
	return 0
}

// TestStays: a weight stays at 0 exactly if every slope within slack leaves it there. A step without
// curvature has no minimum, or stays.
func TestStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p         Columns
		low, high float64 // of g for which 0 is best
	}{{ElasticNet{0.25, 3}, -0.25, 0.25}, {ElasticNet{0, 3}, 0, 0}, {ElasticNet{2, 0}, -2, 2}, {Own(slanted{}, 1).(Columns), -0.3, 0.1}, {Own(slanted{}, 0).(Columns), -0.3, 0.1}} {
		for _, slack := range []float64{0, 0.0625, 0.3} {
			for _, g := range []float64{-3, -2, -1.9, -0.35, -0.3, -0.29, -0.25, -0.2, -0.05, 0, 0.04, 0.05, 0.09, 0.1, 0.12, 0.2, 0.25, 1.9, 2, 3} {
				for _, w := range []float64{0, 0.5, -0.5} {
					for _, h := range []float64{0, 0.5, 2} {
						got, violation, stays := c.p.Step(0, g, w, h, slack)
						if want := w == 0 && g-slack > c.low && g+slack < c.high; stays != want {
							t.Fatalf("%v: slope %v +- %v at %v: stays %t", c.p, g, slack, w, stays)
						} else if want {
							if got != 0 || violation != 0 {
								t.Fatalf("%v: slope %v +- %v stays at %v with a violation of %v", c.p, g, slack, got, violation)
							}
							continue
						}
						want := 0.0
						switch pull := h*w - g; { // -c.low and -c.high are the slopes of the rest
						case pull > -c.low:
							want = (pull + c.low) / h
						case pull < -c.high:
							want = (pull + c.high) / h
						}
						if h > 0 && !within(got, want, 20, 8) || h == 0 && want != 0 && got-got == 0 {
							t.Fatalf("%v: slope %v, curvature %v at %v: a step to %v, not %v", c.p, g, h, w, got, want)
						}
						least := max(g-c.high, 0) // at 0
						if g < c.low {
							least = c.low - g
						}
						if w > 0 {
							least = math.Abs(g - c.low)
						} else if w < 0 {
							least = math.Abs(g - c.high)
						}
						if !within(violation, least, 4, 4) {
							t.Fatalf("%v: slope %v at %v: a violation of %v, not %v", c.p, g, w, violation, least)
						}
					}
				}
			}
		}
		_, isNet := c.p.(ElasticNet)
		if c.p.Straight() != isNet {
			t.Errorf("%v: straight %t", c.p, c.p.Straight())
		}
	}
	group := &GroupLasso{Weight: 0.5, Groups: [][]int{{0, 1}}, Lambda: 2}
	if got := group.RiseGroup(0, []float64{0, 0}, []float64{0, 0}); got != 0 {
		t.Errorf("no move rises by %v", got)
	}
	// Where two norms are close, their difference keeps its digits.
	if got, want := group.RiseGroup(0, []float64{1, 1e8}, []float64{1 + 0x1p-20, 1e8}), 0.5*math.Sqrt2*(0x1p-20/1e8); math.Abs(got-want) > 1e-5*want {
		t.Errorf("a rise of %v, not %v", got, want)
	}
	for _, g := range []float64{math.NaN(), math.Inf(1), -0.75, 0.75, 0.5} {
		v, net := []float64{9}, ElasticNet{L1: 0.5}
		if net.Violations(v, []float64{g}, []float64{0}); v[0] != net.Violation(0, g, 0) {
			t.Errorf("a slope of %v: a violation of %v by all, and %v by one", g, v[0], net.Violation(0, g, 0))
		}
	}
	v := []float64{9, 9}
	if group.ViolationGroup(0, v, []float64{0.25, 0.5}, []float64{0, 0}); v[0] != 0 || v[1] != 0 {
		t.Errorf("violations %v below the threshold", v)
	}
	for _, c := range []struct {
		p    Penalty
		want string
	}{
		{&GroupLasso{Weight: 1, Groups: [][]int{{0}, {1}}, Factors: []float64{1}}, "1 factors for 2 groups"},
		{&GroupLasso{Weight: 1, Groups: [][]int{{0}, {1, 0}}}, "column 0 is in groups 0 and 1"},
		{&GroupLasso{Weight: 1, Groups: [][]int{{0}, {}}, Factors: []float64{1, 1}}, "group 1 has the factor 1 and 0 columns"},
		{&GroupLasso{Weight: 1, Groups: [][]int{{0}, {2}}}, "group 1 has column 2"},
		{&GroupLasso{Weight: 1, Groups: [][]int{{0}}}, "column 1 is in no group"},
		{Own(endless{}, 1), "is +Inf for a weight of 0"},
	} {
		if err := c.p.Check(2); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, not %q", err, c.want)
		}
	}
	if err := (&GroupLasso{}).Check(0); err != nil {
		t.Errorf("no columns, no groups: %v", err)
	}
}

// endless is infinite at 0.
type endless struct{ bent }

func (endless) Value(float64) float64 { return math.Inf(1) }
