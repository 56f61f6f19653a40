package penalty

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// drawnGroup is a group of three columns beside one of another, with bounds of all kinds.
func drawnGroup(r *rand.Rand) *UnevenGroups {
	p := &UnevenGroups{Weight: r.Float64(), Lambda: 0.3 + r.Float64(), Groups: [][]int{{2, 0, 3}, {1}}}
	switch r.IntN(4) {
	case 0:
		p.Lambda = 0
	case 1:
		p.Weight = 0
	}
	if r.IntN(3) > 0 {
		c := 0.4 + 2*r.Float64()
		p.Factors = []float64{c, 1, c, c}
	}
	if r.IntN(8) > 0 {
		p.Lower, p.Upper = make([]float64, 4), make([]float64, 4)
		for j := range p.Lower {
			ends := []float64{0, math.Inf(1), 2 * r.Float64()}
			p.Lower[j], p.Upper[j] = -ends[r.IntN(3)], ends[r.IntN(3)]
		}
	}
	return p
}

// within moves weights to the nearest ones within the bounds.
func (p *UnevenGroups) within(w []float64) []float64 {
	for j := range w {
		lower, upper := p.Interval(j)
		w[j] = math.Min(math.Max(w[j], lower), upper)
	}
	return w
}

// norms is the penalty by its definition, without squares, and squares alone.
func (p *UnevenGroups) norms(w []float64) (norms, squares float64) {
	for _, group := range p.Groups {
		sum := 0.0
		for _, j := range group {
			sum += w[j] * w[j]
		}
		c := 1.0
		if p.Factors != nil {
			c = p.Factors[group[0]]
		}
		norms += c * p.Weight * math.Sqrt(float64(len(group))*sum)
		squares += c * p.Lambda / 2 * sum
	}
	return norms, squares
}

// drawn returns a vector whose elements are 0 now and then.
func drawn(r *rand.Rand, size float64) []float64 {
	w := make([]float64, 4)
	for j := range w {
		if r.IntN(4) > 0 {
			w[j] = size * r.NormFloat64()
		}
	}
	return w
}

// TestUnevenGroupsProx: the function that Prox minimises is strongly convex, so that it rises by half the squared
// distance from the minimum over the step.
func TestUnevenGroupsProx(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 9))
	for range 4000 {
		p, step, w := drawnGroup(r), 2*r.Float64(), drawn(r, 2)
		whole := func(y []float64) float64 {
			norms, squares := p.norms(y)
			for j := range y {
				squares += (y[j] - w[j]) * (y[j] - w[j]) / (2 * step)
			}
			return norms + squares
		}
		y := slices.Clone(w)
		p.Prox(y, step)
		if norms, squares := p.norms(y); math.Abs(p.Value(y)-norms-squares) > 1e-14*(1+norms+squares) {
			t.Fatalf("%v: a value of %v at %v, not %v", p, p.Value(y), y, norms+squares)
		}
		for k := range 20 {
			z, far := drawn(r, math.Pow(10, -float64(k%6))), 0.0
			for j := range z {
				z[j] += y[j]
			}
			for j, v := range p.within(z) {
				far += (v - y[j]) * (v - y[j])
			}
			if low, high := whole(y), whole(z); high < low+far/(2*step)-1e-13*(1+high) {
				t.Fatalf("%v: %v at %v, %v at %v, of %v by %v", p, low, y, high, z, w, step)
			}
		}
		if p.Prox(w, 0); !slices.Equal(w, p.within(slices.Clone(w))) {
			t.Fatalf("%v: %v is beyond", p, w)
		}
	}
}

// TestUnevenGroupsViolations: along every way within bounds the function rises at least as fast as an element v of its
// subdifferential says. Along -v, for the v of least norm, it falls by ||v||^2.
func TestUnevenGroupsViolations(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 10))
	for k := range 4000 {
		p, g, w := drawnGroup(r), drawn(r, 2), drawn(r, 1)
		p.Lambda = 0
		if k%3 == 0 {
			clear(w)
		}
		p.within(w)
		along := func(by []float64) float64 {
			const small = 1e-7
			to, sum := slices.Clone(w), 0.0
			for j := range to {
				to[j] += small * by[j]
				sum += g[j] * by[j]
			}
			if !slices.Equal(to, p.within(slices.Clone(to))) {
				return math.Inf(1)
			}
			high, _ := p.norms(to)
			low, _ := p.norms(w)
			return sum + (high-low)/small
		}
		v := make([]float64, 4)
		p.Violations(v, g, w)
		down, square := make([]float64, 4), 0.0
		for j, x := range v {
			down[j], square = -x, square+x*x
		}
		if slope := along(down); !(math.Abs(slope+square) < 1e-5*(1+square)) {
			t.Fatalf("%v: violations %v at %v with slopes %v have the slope %v", p, v, w, g, slope)
		}
		for range 20 {
			by, most := drawn(r, 1), 0.0
			for j, x := range by {
				most += v[j] * x
			}
			if slope := along(by); slope < most-1e-5*(1+math.Abs(most)) {
				t.Fatalf("%v: violations %v at %v with slopes %v have the slope %v along %v, below %v", p, v, w, g, slope, by, most)
			}
		}
	}
}

// highest returns the largest u'w less the penalty that steps of shrinking lengths find.
func (p *UnevenGroups) highest(r *rand.Rand, u []float64) float64 {
	at := func(w []float64) float64 {
		norms, squares := p.norms(w)
		sum := -norms - squares
		for j, x := range w {
			sum += u[j] * x
		}
		return sum
	}
	w, best := make([]float64, 4), 0.0
	for size := 4.0; size > 1e-6; size *= 0.97 {
		for range 8 {
			z := drawn(r, size)
			for j := range z {
				z[j] += w[j]
			}
			if v := at(p.within(z)); v > best {
				w, best = z, v
			}
		}
	}
	return best
}

// TestUnevenGroupsSupport: Support is above what any weights reach, and next to it. At the share nothing is above 0, and
// Feasible is the largest share for which Support is finite.
func TestUnevenGroupsSupport(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 11))
	finite, endless, positive := 0, 0, 0
	for range repeat.Size(600, 60) {
		p, u := drawnGroup(r), drawn(r, 2)
		most := make([]float64, 4)
		off := math.Pow(10, -1-8*r.Float64()) * float64(r.IntN(2))
		for j, v := range u {
			most[j] = math.Abs(v) + off
		}
		value, share := p.Support(u, most)
		worst, high := slices.Clone(u), p.highest(r, u)
		for range 4 {
			z := slices.Clone(u)
			for j := range z {
				z[j] += off * float64(r.IntN(3)-1)
			}
			if h := p.highest(r, z); h > high {
				worst, high = z, h
			}
		}
		if value < high-1e-13 {
			t.Fatalf("%v: Support is %v for %v +- %v, below %v", p, value, u, off, high)
		}
		scaled := slices.Clone(worst)
		direct.Scale(scaled, share, scaled)
		if h := p.highest(r, scaled); h > 1e-12 || !(share >= 0 && share <= 1) {
			t.Fatalf("%v: %v at the share %v of %v", p, h, share, worst)
		}
		part := p.Feasible(u, most)
		if !math.IsInf(value, 1) {
			if finite++; value > 0 {
				positive++
			}
			if off == 0 && value > high+1e-3*(1+high) {
				t.Fatalf("%v: Support is %v for %v, not %v", p, value, u, high)
			}
			if part != 1 {
				t.Fatalf("%v: a share %v of %v, where Support is %v", p, part, u, value)
			}
			continue
		}
		endless++
		for _, c := range []struct {
			by     float64
			finite bool
		}{{part, true}, {1.0001 * part, part == 0}} {
			less, lessMost := slices.Clone(u), slices.Clone(most)
			direct.Scale(less, c.by, less)
			direct.Scale(lessMost, c.by, lessMost)
			if v, _ := p.Support(less, lessMost); math.IsInf(v, 1) == c.finite {
				t.Fatalf("%v: Support is %v at %v of %v, and the largest share is %v", p, v, c.by, u, part)
			}
		}
	}
	if finite < repeat.Size(160, 10) || endless < repeat.Size(80, 5) || positive < repeat.Size(80, 5) {
		t.Errorf("%d values are finite, %d not, %d above 0", finite, endless, positive)
	}
}

// TestUnevenGroupsChecks: unequal factors in a group, bounds without 0 and half of the bounds are refused.
func TestUnevenGroupsChecks(t *testing.T) {
	t.Parallel()
	groups := [][]int{{2, 0, 3}, {1}}
	for _, c := range []struct {
		p    *UnevenGroups
		want string
	}{
		{&UnevenGroups{Weight: -1, Groups: groups}, "must be 0 or more"},
		{&UnevenGroups{Weight: 1, Groups: groups[:1]}, "column 1 is in no group"},
		{&UnevenGroups{Weight: 1, Groups: groups, Factors: []float64{1, 1, 2, 1}}, "columns 2 and 0 of group 0 have the factors 2 and 1"},
		{&UnevenGroups{Weight: 1, Groups: groups, Factors: []float64{1, 1}}, "2 factors for 4"},
		{&UnevenGroups{Weight: 1, Groups: groups, Lower: make([]float64, 4)}, "give both or none"},
		{&UnevenGroups{Weight: 1, Groups: groups, Lower: make([]float64, 3), Upper: make([]float64, 3)}, "3 lower and 3 upper"},
		{&UnevenGroups{Weight: 1, Groups: groups, Lower: []float64{0, 1, 0, 0}, Upper: []float64{0, 2, 0, 0}}, "must have 0 between them"},
		{&UnevenGroups{Weight: 1, Groups: groups, Factors: []float64{0, 2, 0, 0}, Lower: make([]float64, 4), Upper: make([]float64, 4)}, ""},
	} {
		if err := c.p.Check(4); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v", c.p, err)
		}
	}
}
