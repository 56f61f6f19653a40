package loss

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/kernels"
)

// kernel returns the kernels' number of a loss, which has its name.
func kernel(t *testing.T, l Loss) kernels.Loss {
	k, err := kernels.ParseLoss(l.String())
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// kernelled lists the names of the losses that have kernels of their own.
func kernelled(t *testing.T) (names []string) {
	for _, name := range Names() {
		if _, err := kernels.ParseLoss(name); err == nil {
			names = append(names, name)
		}
	}
	if len(names) < 4 {
		t.Fatalf("only %q have kernels", names)
	}
	return names
}

// TestParse: each name gives its loss, and no other name gives one. The parameter matters to Huber
// alone.
func TestParse(t *testing.T) {
	t.Parallel()
	if got := Names(); !slices.Equal(got, []string{"logistic", "squared", "squared-hinge", "huber", "poisson", "gamma", "tweedie", "negative-binomial", "expectile", "squared-epsilon-insensitive", "hinge", "epsilon-insensitive", "quantile", "probit", "cloglog", "inverse-gaussian"}) {
		t.Errorf("names %q", got)
	}
	for _, name := range Names() {
		usual, parametric := map[string]float64{"huber": 1, "tweedie": 1.5, "negative-binomial": 1, "expectile": 0.9, "squared-epsilon-insensitive": 0.1, "epsilon-insensitive": 0.1, "quantile": 0.5}[name]
		for _, delta := range []float64{0, 1, 0.5} {
			if name == "tweedie" && delta > 0 {
				delta++
			}
			if delta == 2 {
				delta = 1.25
			}
			if (name == "expectile" || name == "quantile") && delta == 1 {
				delta = 0.25
			}
			l, err := Parse(name, delta)
			if err != nil || l.String() != name {
				t.Fatalf("%s: %v, error %v", name, l, err)
			}
			want := 0.0
			if parametric {
				want = cmp.Or(delta, usual)
			}
			if l.Parameter() != want {
				t.Errorf("%s with %v: a parameter of %v", name, delta, l.Parameter())
			}
			again, err := TextOf(l).Parse()
			if err != nil || again.String() != name || again.Parameter() != want {
				t.Errorf("%s with %v: by its text %v, error %v", name, delta, again, err)
			}
			again, err = Parse(NameOf(l), 0)
			if err != nil || again.String() != name || again.Parameter() != want || strings.Contains(NameOf(l), ":") != parametric {
				t.Errorf("%s with %v: by its name %q %v, error %v", name, delta, NameOf(l), again, err)
			}
			if _, err := Parse(name+":0.7", 0); (err == nil) != (parametric && name != "tweedie") {
				t.Errorf("%s:0.7: error %v", name, err)
			}
			for _, wrong := range []string{":", ":0", ":x", ":NaN", ":-1", ":1e400", ":1:1"} {
				if _, err := Parse(name+wrong, 0); err == nil {
					t.Errorf("%s%s is taken", name, wrong)
				}
			}
			if _, err := Parse("huber:2", 2); err == nil {
				t.Error("two parameters are taken")
			}
		}
	}
	if l, err := Parse("hingy", 0); l != nil || err == nil || !strings.Contains(err.Error(), "squared-hinge") {
		t.Errorf("hingy: %v, error %v", l, err)
	}
	if l, err := (Text{}).Parse(); l != nil || err != nil || TextOf(nil) != (Text{}) {
		t.Errorf("no name: %v, error %v", l, err)
	}
	if _, err := (Text{Delta: 1}).Parse(); err == nil {
		t.Error("a parameter without a name is taken")
	}
	for _, delta := range []float64{-1, math.Inf(1), math.NaN()} {
		if _, err := Parse("huber", delta); err == nil {
			t.Errorf("delta %v is taken", delta)
		}
		if _, err := Parse("logistic", delta); err != nil {
			t.Errorf("logistic, delta %v: %v", delta, err)
		}
	}
}

// TestMethods compares every method with the kernels: value, slope and curvature in float64 and in
// 200 bits, peak, and what labels and curvature say.
func TestMethods(t *testing.T) {
	t.Parallel()
	of := func(x float64) *big.Float { return bigmath.Of(200, x) }
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14*(1+math.Abs(b)) }
	for _, name := range kernelled(t) {
		for _, delta := range []float64{1, 0.3} {
			l, err := Parse(name, delta)
			if err != nil {
				t.Fatal(err)
			}
			k, exact, peak, least := kernel(t, l), l.(Exact), 0.0, 1.0
			for _, y := range []float64{-1, 1} {
				for i := range 201 {
					z := float64(i-100) / 16
					phi, slope := kernels.LossAt(k, z, y, delta)
					h, third := []float64{0}, []float64{0}
					l.Curvature(h, third, []float64{z}, []float64{y}, nil)
					if v, s := At(l, z, y); v != phi || s != slope || l.Sum([]float64{z}, []float64{y}, []float64{2}) != 2*phi {
						t.Errorf("%v at %v, %v: %v and %v by its methods, not %v and %v", l, z, y, v, s, phi, slope)
					}
					peak, least = max(peak, h[0]), min(least, h[0])
					value, bound := l.Value(z-l.Centre(y), 0, y)
					if got := l.Slope(z, y); got != slope {
						t.Errorf("%v at %v, %v: slope %v, not %v", l, z, y, got, slope)
					}
					if !near(value, phi) || !(bound >= 0) || bound > 1e-14*(1+phi) {
						t.Errorf("%v at %v, %v: value %v, error %v, not %v", l, z, y, value, bound, phi)
					}
					first, second := of(0), of(0)
					exact.ExactSlope(first, second, of(z), of(y))
					v, _ := exact.ExactValue(of(z), of(y)).Float64()
					s, _ := first.Float64()
					c, _ := second.Float64()
					kink := math.Abs(z-y) == delta || z == y
					if !near(v, phi) || !near(s, slope) || !near(c, h[0]) && !kink {
						t.Errorf("%v at %v, %v: exact %v, %v, %v, not %v, %v, %v", l, z, y, v, s, c, phi, slope, h[0])
					}
					far := of(phi)
					exact.ExactReach(far, of(y))
					reach, _ := far.Float64()
					if l.Labels() && -y*z > reach || !l.Labels() && math.Abs(z-y) > reach+1 {
						t.Errorf("%v at %v, %v: a reach of %v", l, z, y, reach)
					}
				}
			}
			if peak != l.Peak() {
				t.Errorf("%v: the largest curvature is %v, not %v", l, peak, l.Peak())
			}
			if odds, huber := name == "logistic", name == "huber"; l.Odds() != odds || (l.Parameter() != 0) != huber || huber && l.Parameter() != delta {
				t.Errorf("%v: odds %t, parameter %v", l, l.Odds(), l.Parameter())
			}
			if l.Quadratic() != (least == peak) {
				t.Errorf("%v: quadratic %t, with curvatures from %v to %v", l, l.Quadratic(), least, peak)
			}
			_, below := kernels.LossAt(k, 100, 1, delta)
			if labels := !(below > 1e-9); labels != l.Labels() {
				t.Errorf("%v: labels %t", l, l.Labels())
			}
			// Without a minimum the loss of a label falls forever.
			if phi, _ := kernels.LossAt(k, 30, 1, delta); l.Attained() != (phi == 0 || phi > 1) {
				t.Errorf("%v: attained %t, where the loss is %v", l, l.Attained(), phi)
			}
		}
	}
}

// TestLacks: a loss without a conjugate, or without steps in dual variables, is refused by name.
func TestLacks(t *testing.T) {
	t.Parallel()
	for _, l := range all {
		if err := ConvexOf(l); !IsConvex(l) {
			var lacks *LacksError
			if c, none := ConjugateOf(l); c != nil || none == nil || !errors.As(err, &lacks) || !strings.Contains(err.Error(), "not convex") {
				t.Errorf("%v: %v, errors %v, %v", l, c, err, none)
			}
			continue
		} else if err != nil {
			t.Error(err)
		}
		primal := ofMean(l) || ofBinomial(l)
		if c, err := ConjugateOf(l); c == nil || err != nil {
			t.Errorf("%v: %v, error %v", l, c, err)
		}
		if _, dual := l.(Dual); dual == primal {
			t.Errorf("%v: a Dual %t", l, dual)
		}
		if primal {
			var lacks *LacksError
			if d, err := DualOf(l); d != nil || !errors.As(err, &lacks) || !strings.Contains(err.Error(), "no step in a dual variable") {
				t.Errorf("%v: %v, error %v", l, d, err)
			}
			continue
		}
		if d, err := DualOf(l); d == nil || err != nil {
			t.Errorf("%v: %v, error %v", l, d, err)
		}
		var lacks *LacksError
		if d, err := DualOf(struct{ Loss }{l}); d != nil || !errors.As(err, &lacks) || lacks.Loss.String() != l.String() {
			t.Errorf("%v without a conjugate: %v, error %v", l, d, err)
		}
		if straight := Straight(l) != nil; straight != (l.String() == "huber") || Straight(struct{ Loss }{l}) != nil {
			t.Errorf("%v: straight %t, or so without parabolas", l, straight)
		}
	}
}

// TestWarm: at the dual variable -phi'(z) the row's part of the gap is 0, and a step stays there
// if the margin is still z.
func TestWarm(t *testing.T) {
	t.Parallel()
	for _, name := range kernelled(t) {
		l, err := Parse(name, 0.7)
		if err != nil {
			t.Fatal(err)
		}
		dual, err := DualOf(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, y := range []float64{-1, 1} {
			for _, z := range []float64{-3, -0.4, 0, 0.8, 2} {
				d := DualRow{Q: 0.5, C: 1}
				if l.Labels() {
					d.C = y
				} else {
					d.U = y
				}
				above := dual.Warm(&d, z, y)
				alpha := d.A
				if l.Labels() {
					alpha *= y
				}
				if part := dual.Part(alpha, z, y, 1, l.Slope(z, y)); math.Abs(alpha+l.Slope(z, y)) > 1e-15 || !(math.Abs(part) < 1e-15) {
					t.Errorf("%v at %v, %v: dual variable %v, part %v", l, z, y, alpha, part)
				}
				// phi*(a) = a z - phi(z) for the slope a.
				if phi, slope := At(l, z, y); slope*z-phi > above+1e-15 {
					t.Errorf("%v at %v, %v: the conjugate is %v, not up to %v", l, z, y, slope*z-phi, above)
				}
				old := d.A
				if part := dual.Ascend(&d, z, 0); math.Abs(part) > 1e-15 || math.Abs(d.A-old) > 1e-14 {
					t.Errorf("%v at %v, %v: part %v, a step from %v to %v", l, z, y, part, old, d.A)
				}
			}
		}
	}
}

// TestStart: the slopes of the mean loss vanish at Start for logistic and squared losses.
func TestStart(t *testing.T) {
	t.Parallel()
	for _, l := range []Loss{Logistic{}, Squared{}} {
		b := l.Start(0.5, 0, 4)
		_, positive := At(l, b, 1)
		_, negative := At(l, b, -1)
		if slope := 3*positive + negative; math.Abs(slope) > 1e-15 {
			t.Errorf("%v: the slope at %v is %v", l, b, slope)
		}
	}
	if b := (Logistic{}).Start(1, 0, 10); !(b > 2.9 && b < 3.1) {
		t.Errorf("one class of ten rows: %v, not the logarithm of 20", b)
	}
}
