package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
)

// lineds are the losses of straight lines.
func lineds() []lined {
	return []lined{Hinge{}, Insensitive{}, Insensitive{3}, Quantile{}, Quantile{0.9}}
}

// smoothBy is the definition of Smooth: the largest of u z - phi*(u) - (width/2) (u - c)^2 over a fine
// grid of slopes u, and the best slope.
func smoothBy(k lines, width, c, z, y float64) (value, slope float64) {
	value = math.Inf(-1)
	const steps = 4000
	for i := range steps + 1 {
		u := k.low + (k.high-k.low)*float64(i)/steps
		if v := u*(z-y) - k.dead*math.Abs(u) - width/2*(u-c)*(u-c); v > value {
			value, slope = v, u
		}
	}
	return value, slope
}

// TestSmooth compares a smoothed loss with its definition, around centres too, and its second
// derivative with differences of slopes.
func TestSmooth(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 34))
	for _, l := range lineds() {
		for range 60 {
			y, width := 3*r.NormFloat64(), []float64{1, 0.25, 4}[r.IntN(3)]
			if l.Labels() {
				y = math.Copysign(1, y)
			}
			k := l.lines(y)
			c := k.low + (k.high-k.low)*r.Float64()
			smooth := l.Smooth(width)
			// Slopes are flat between, above and below the kinks, and rise in between.
			z := y + math.Copysign(k.dead, r.NormFloat64()) + 3*width*r.NormFloat64()
			moved := y - width*c
			value, slope := At(smooth, z, moved)
			want, best := smoothBy(k, width, c, z, y)
			if off := value - width/2*c*c - want; !(off >= -1e-12 && off <= 1e-5*(1+width)) {
				t.Fatalf("%v, width %v, centre %v: %v at %v, %v, not %v", smooth, width, c, value-width/2*c*c, z, y, want)
			}
			if math.Abs(slope-best) > 1e-3 || smooth.Slope(z, moved) != slope {
				t.Fatalf("%v, width %v, centre %v: a slope of %v at %v, %v, not %v", smooth, width, c, slope, z, y, best)
			}
			const by = 1e-6
			h, third := []float64{9}, []float64{9}
			smooth.Curvature(h, third, []float64{z}, []float64{moved}, []float64{2})
			rise := (smooth.Slope(z+by, moved) - smooth.Slope(z-by, moved)) / by
			if !(math.Abs(rise-h[0]) <= 1e-4*(1+rise)) && rise > 1e-6 && rise < 2/width*(1-1e-6) && math.Abs(rise-1/width) > 1e-4 || third[0] != 0 || h[0] > 2*smooth.Peak() {
				t.Fatalf("%v, width %v: a second derivative of %v at %v, %v, not %v", smooth, width, h[0]/2, z, moved, rise/2)
			}
		}
	}
}

// TestSmoothParabolas: the parabolas touch the smoothed loss and are above it everywhere.
func TestSmoothParabolas(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(55, 89))
	for _, l := range lineds() {
		for range 200 {
			width := []float64{1, 0.1, 3}[r.IntN(3)]
			y := 1.0
			if r.IntN(2) == 0 {
				y = -1
			}
			m := l.Smooth(width).(Majorizer)
			z := y + 4*r.NormFloat64()
			value, slope := At(m, z, y)
			h := []float64{9}
			m.Parabolas(h, []float64{z}, []float64{y}, nil, nil)
			if !(h[0] > 0 && h[0] <= m.Peak()) || !m.Straight() {
				t.Fatalf("%v: a curvature of %v at %v, %v", m, h[0], z, y)
			}
			for range 60 {
				by := 8 * r.NormFloat64()
				there, _ := At(m, z+by, y)
				if above := value + slope*by + h[0]/2*by*by - there; !(above >= -1e-12) {
					t.Fatalf("%v, width %v: the parabola at %v, %v is %v below the loss at %v", m, width, z, y, -above, z+by)
				}
			}
		}
	}
}

// TestKinkedBounds: the bounds of values and slopes are not above what lines and jumps need.
func TestKinkedBounds(t *testing.T) {
	t.Parallel()
	for _, l := range lineds() {
		k := l.lines(1)
		for _, c := range []struct{ r, dr, most float64 }{
			{k.dead + 2, 0.5, k.high}, {-k.dead - 2, 0.5, -k.low}, {k.dead + 0.25, 0.5, k.high}, {0, k.dead + 0.5, max(k.high, -k.low)},
		} {
			most := c.most
			if c.r-c.dr < -k.dead {
				most = max(most, -k.low)
			}
			if _, err := l.Value(c.r, c.dr, 1); math.Abs(err-most*c.dr) > 1e-14 {
				t.Errorf("%v at %v +- %v: a bound of %v, not %v", l, c.r, c.dr, err, most*c.dr)
			}
		}
		for _, c := range []struct{ z, dz, want float64 }{
			{1 + k.dead + 2, 0.5, 0}, {1 - k.dead - 2, 0.5, 0}, {1 + k.dead + 0.25, 0.5, 3 * l.Jump()}, {1 - k.dead - 0.25, 0.5, 3 * l.Jump()},
		} {
			slope := 3 * l.Slope(c.z, 1)
			if got := l.SlopeError(c.z, c.dz, 1, 3, slope, 0); got < c.want || got > Slack*(c.want+20*direct.Unit*(1+math.Abs(slope))) {
				t.Errorf("%v at %v +- %v: a slope errs by %v, not %v", l, c.z, c.dz, got, c.want)
			}
		}
	}
}

// TestAscendWithoutLength: a row without features has the best slope at its margin, and keeps a slope
// where all are as good.
func TestAscendWithoutLength(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l          Dual
		z, y, a, w float64
	}{
		{Hinge{}, 0, 1, 0.25, 1}, {Hinge{}, 2, 1, 0.25, 0}, {Hinge{}, 1, 1, 0.25, 0.25}, {Hinge{}, -2, -1, 0.5, 0}, {Hinge{}, 0, -1, 0.5, 1},
		{Quantile{0.75}, 1, 3, 0.1, 0.75}, {Quantile{0.75}, 4, 3, 0.1, -0.25}, {Quantile{0.75}, 3, 3, 0.1, 0.1},
		{Insensitive{1}, 1, 3, 0.1, 1}, {Insensitive{1}, 5, 3, 0.1, -1}, {Insensitive{1}, 2.5, 3, 0.1, 0}, {Insensitive{1}, 2, 3, 0.1, 0.1},
	} {
		d := DualRow{A: c.a, C: 1}
		if c.l.Labels() {
			d.C = c.y
		} else {
			d.U = c.y
		}
		if c.l.Ascend(&d, c.z, 0); d.A != c.w {
			t.Errorf("%v at %v, %v: from %v to %v, not %v", c.l, c.z, c.y, c.a, d.A, c.w)
		}
	}
}
