package loss

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBeside: Most is no less than the mean second derivative anywhere within far of the intercept.
// Shift is no less than the distance of the best intercept. Margins are near kinks, at 0 and far
// out.
func TestBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	finite := map[string]int{}
	for range 600 {
		for _, l := range []Beside{Logistic{}, SquaredHinge{}, Squared{}, Huber{Delta: 0.5}, Poisson{}} {
			const n = 12
			z, y, s := make([]float64, n), make([]float64, n), make([]float64, n)
			middle, wide := r.NormFloat64()*4, math.Exp(r.NormFloat64()*2-2)
			for i := range z {
				z[i], s[i] = middle+wide*r.NormFloat64(), 0.5+r.Float64()
				switch y[i] = float64(2*(i%2) - 1); {
				case l.Labels() && r.IntN(2) == 0: // at the other side of a kink, mostly not far from it
					z[i] = y[i] * (1 - math.Ldexp(r.Float64(), -r.IntN(22)))
				case !l.Labels():
					y[i] = math.Floor(6 * r.Float64())
				}
			}
			at := func(b float64) (slope, second float64) {
				moved, c, h := make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range z {
					moved[i] = z[i] + b
				}
				l.Gradient(c, moved, y, s)
				l.Curvature(h, make([]float64, n), moved, y, s)
				for i := range c {
					slope, second = slope+c[i]/n, second+h[i]/n
				}
				return slope, second
			}
			if r.IntN(2) == 0 { // near the best intercept
				low, high := -30.0, 30.0
				slope := func(b float64) float64 { v, _ := at(b); return v }
				for range 60 {
					if b := (low + high) / 2; slope(b) < 0 {
						low = b
					} else {
						high = b
					}
				}
				low += math.Ldexp(r.NormFloat64(), -r.IntN(24))
				for i := range z {
					z[i] += low
				}
			}
			c, mass := make([]float64, n), 0.0
			l.Gradient(c, z, y, s)
			for _, v := range s {
				mass += v
			}
			bends, rows := l.Bend(Bends{}, y, c, s), Rows{N: n, Mass: mass}
			for _, far := range []float64{1e-5, 0.01, 0.3, 0.9, 1.1, 2, 5, 9} {
				most := l.Most(bends, rows, far)
				for k := range 41 {
					if _, second := at(far * float64(k-20) / 20); second > most*(1+1e-9) {
						t.Fatalf("%v: Most(%v) is %v, the mean second derivative is %v; margins %v, y %v", l, far, most, second, z, y)
					}
				}
			}
			slope, _ := at(0)
			shift := l.Shift(bends, rows, math.Abs(slope))
			if !(shift < math.Inf(1)) {
				continue
			}
			finite[l.String()]++
			// The slope has changed its sign within shift.
			if there, _ := at(-math.Copysign(shift*(1+1e-9), slope)); slope*there > 1e-12 {
				t.Fatalf("%v: Shift is %v, but the slope %v is %v there; margins %v, y %v", l, shift, slope, there, z, y)
			}
		}
	}
	for _, l := range []Beside{Logistic{}, SquaredHinge{}, Squared{}, Huber{Delta: 0.5}, Poisson{}} {
		if finite[l.String()] < 20 {
			t.Errorf("%v: Shift was finite %d times", l, finite[l.String()])
		}
	}
}

// TestBendLevels: a row counts at the first level that leaves it twice the way within the quadratic
// part. It does not count if its way is too short for all levels.
func TestBendLevels(t *testing.T) {
	for k := range Levels {
		for _, c := range []struct {
			far  float64 // in ways of the level
			want int
		}{{2.01, k}, {1.99, k + 1}} {
			distance := c.far * Within(1, k)
			got := SquaredHinge{}.Bend(Bends{}, []float64{1}, []float64{-distance}, nil)
			var want Bends
			if c.want < Levels {
				want[c.want] = 1
			}
			if got != want {
				t.Errorf("%v from the kink: levels %v, want %v", distance, got, want)
			}
		}
	}
}
