package loss

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/kernels"
)

// TestOf: each number gives its loss, and no other number gives one. Delta matters to Huber alone.
func TestOf(t *testing.T) {
	t.Parallel()
	for k := range all {
		for _, delta := range []float64{0, 1, 0.5} {
			l, err := Of(kernels.Loss(k), delta)
			if err != nil || l.Kernel() != kernels.Loss(k) {
				t.Fatalf("%v: %v, error %v", kernels.Loss(k), l, err)
			}
			if h, is := l.(*huber); is && (delta == 0 && h.delta != 1 || delta != 0 && h.delta != delta) {
				t.Errorf("delta %v: Huber's loss has %v", delta, h.delta)
			}
		}
	}
	for _, k := range []int{len(all), 255} {
		var unknown *UnknownError
		if l, err := Of(kernels.Loss(k), 1); l != nil || !errors.As(err, &unknown) || int(unknown.Loss) != k {
			t.Errorf("%d: %v, error %v", k, l, err)
		}
	}
	for _, delta := range []float64{-1, math.Inf(1), math.NaN()} {
		if l, err := Of(kernels.Huber, delta); l != nil || err == nil {
			t.Errorf("delta %v: %v", delta, l)
		}
		if _, err := Of(kernels.Logistic, delta); err != nil {
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
	for k := range all {
		for _, delta := range []float64{1, 0.3} {
			l, err := Of(kernels.Loss(k), delta)
			if err != nil {
				t.Fatal(err)
			}
			exact, peak, least := l.(Exact), 0.0, 1.0
			for _, y := range []float64{-1, 1} {
				for i := range 201 {
					z := float64(i-100) / 16
					phi, slope := kernels.LossAt(l.Kernel(), z, y, delta)
					h, third := []float64{0}, []float64{0}
					if err := kernels.LossCurvature(l.Kernel(), h, third, []float64{z}, []float64{y}, nil, delta); err != nil {
						t.Fatal(err)
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
					exact.ExactReach(far)
					reach, _ := far.Float64()
					if l.Labels() && -y*z > reach || !l.Labels() && math.Abs(z-y) > reach+1 {
						t.Errorf("%v at %v, %v: a reach of %v", l, z, y, reach)
					}
				}
			}
			if peak != l.Peak() {
				t.Errorf("%v: the largest curvature is %v, not %v", l, peak, l.Peak())
			}
			if odds, huber := k == int(kernels.Logistic), k == int(kernels.Huber); l.Odds() != odds || (l.Parameter() != 0) != huber || huber && l.Parameter() != delta {
				t.Errorf("%v: odds %t, parameter %v", l, l.Odds(), l.Parameter())
			}
			if l.Quadratic() != (least == peak) {
				t.Errorf("%v: quadratic %t, with curvatures from %v to %v", l, l.Quadratic(), least, peak)
			}
			_, below := kernels.LossAt(l.Kernel(), 100, 1, delta)
			if labels := !(below > 1e-9); labels != l.Labels() {
				t.Errorf("%v: labels %t", l, l.Labels())
			}
			// Without a minimum the loss of a label falls forever.
			if phi, _ := kernels.LossAt(l.Kernel(), 30, 1, delta); l.Attained() != (phi == 0 || phi > 1) {
				t.Errorf("%v: attained %t, where the loss is %v", l, l.Attained(), phi)
			}
		}
	}
}

// TestLacks: a loss without a conjugate is refused by name.
func TestLacks(t *testing.T) {
	t.Parallel()
	for _, l := range all {
		if d, err := DualOf(l); d == nil || err != nil {
			t.Errorf("%v: %v, error %v", l.Kernel(), d, err)
		}
		var lacks *LacksError
		if d, err := DualOf(struct{ Loss }{l}); d != nil || !errors.As(err, &lacks) || lacks.Loss != l.Kernel() {
			t.Errorf("%v without a conjugate: %v, error %v", l.Kernel(), d, err)
		}
		if straight := Straight(l) != nil; straight != (l.Kernel() == kernels.Huber) || Straight(struct{ Loss }{l}) != nil {
			t.Errorf("%v: straight %t, or so without parabolas", l.Kernel(), straight)
		}
	}
}

// TestWarm: at the dual variable -phi'(z) the row's part of the gap is 0, and a step stays there
// if the margin is still z.
func TestWarm(t *testing.T) {
	t.Parallel()
	for k := range all {
		l, err := Of(kernels.Loss(k), 0.7)
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
					t.Errorf("%v at %v, %v: dual variable %v, part %v", l.Kernel(), z, y, alpha, part)
				}
				// phi*(a) = a z - phi(z) for the slope a.
				if phi, slope := kernels.LossAt(l.Kernel(), z, y, 0.7); slope*z-phi > above+1e-15 {
					t.Errorf("%v at %v, %v: the conjugate is %v, not up to %v", l.Kernel(), z, y, slope*z-phi, above)
				}
				old := d.A
				if part := dual.Ascend(&d, z, 0); math.Abs(part) > 1e-15 || math.Abs(d.A-old) > 1e-14 {
					t.Errorf("%v at %v, %v: part %v, a step from %v to %v", l.Kernel(), z, y, part, old, d.A)
				}
			}
		}
	}
}

// TestStart: the slopes of the mean loss vanish at Start for logistic and squared losses.
func TestStart(t *testing.T) {
	t.Parallel()
	for _, kernel := range []kernels.Loss{kernels.Logistic, kernels.Squared} {
		l, err := Of(kernel, 0)
		if err != nil {
			t.Fatal(err)
		}
		b := l.Start(0.5, 4)
		_, positive := kernels.LossAt(kernel, b, 1, 0)
		_, negative := kernels.LossAt(kernel, b, -1, 0)
		if slope := 3*positive + negative; math.Abs(slope) > 1e-15 {
			t.Errorf("%v: the slope at %v is %v", kernel, b, slope)
		}
	}
	if b := (logistic{}).Start(1, 10); !(b > 2.9 && b < 3.1) {
		t.Errorf("one class of ten rows: %v, not the logarithm of 20", b)
	}
}
