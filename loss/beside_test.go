package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// besides are the losses with bounds beside an intercept.
func besides() []Beside {
	return []Beside{Logistic{}, SquaredHinge{}, Squared{}, Huber{Delta: 0.5}, Poisson{}, Gamma{}, Tweedie{}, Tweedie{Power: 1.95}, NegativeBinomial{Theta: 0.5}, Expectile{}, SquaredInsensitive{}, Probit{}, Cloglog{}}
}

// TestBeside: Most is no less than the mean second derivative anywhere within far of the intercept.
// Shift is no less than the distance of the best intercept. Margins are near kinks, at 0 and far
// out.
func TestBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	finite := map[string]int{}
	for range repeat.Size(600, 100) {
		for _, l := range besides() {
			const n = 12
			z, y, s := make([]float64, n), make([]float64, n), make([]float64, n)
			middle, wide := r.NormFloat64()*4, math.Exp(r.NormFloat64()*2-2)
			for i := range z {
				z[i], s[i] = middle+wide*r.NormFloat64(), 0.5+r.Float64()
				switch y[i] = float64(2*(i%2) - 1); {
				case l.Labels() && r.IntN(2) == 0: // at the other side of a kink, mostly not far from it
					z[i] = y[i] * (1 - math.Ldexp(r.Float64(), -r.IntN(22)))
				case !l.Labels():
					y[i] = valid(l, math.Floor(6*r.Float64()))
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
	for _, l := range besides() {
		if finite[l.String()] < repeat.Size(20, 3) {
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

// TestBesideTerms: what the rows lost and how far their margins moved counts in Shift and Most, each in
// its own measure. A second derivative that is not surely above 0 bounds nothing.
func TestBesideTerms(t *testing.T) {
	t.Parallel()
	rows := Rows{N: 10, Mass: 20, Lost: 0.01, Moved: 0.1}
	still := Rows{N: 10, Mass: 20}
	first := Bends{10 * Slack * 0.5} // a mean second derivative of 0.5
	within := func(q float64) float64 { return q / (1 - q) }
	inf := math.Inf(1)
	turned := func(slope, h, turn float64) float64 { return (h - math.Sqrt(h*h-4*turn*slope)) / (2 * turn) }
	for k, c := range []struct {
		got, want float64
	}{
		{Probit{}.Shift(first, rows, 0.05), turned(0.05, 0.5-0.01-0.3*0.1, 0.3*2)}, {Probit{}.Shift(first, still, 0.1042), inf}, {Probit{}.Shift(first, still, 0.104), turned(0.104, 0.5, 0.6)}, {Probit{}.Shift(Bends{}, still, 0), inf},
		{Probit{}.Most(Bends{10 / Slack * 0.1}, rows, 0.5), 0.1 + 0.01 + 0.03 + 0.3*0.5*2}, {Probit{}.Most(Bends{10 / Slack * 0.1}, rows, 9), 2},
		{Cloglog{}.Shift(Bends{10 * Slack * 0.2, 10 * Slack * 0.3}, rows, 0.03), turned(0.03, 0.2*0.9+0.3-0.01-0.1*2*0.4261, 0.2+2*0.4261)},
		{Cloglog{}.Shift(first, Rows{N: 10, Mass: 20, Moved: 1}, 0), inf}, {Cloglog{}.Shift(Bends{0, 10 * Slack * 0.5}, still, 0.07), turned(0.07, 0.5, 2*0.4261)}, {Cloglog{}.Shift(Bends{0, 10 * Slack * 0.5}, still, 0.074), inf},
		{Cloglog{}.Most(Bends{10 / Slack * 0.1, 10 / Slack * 0.2}, rows, 0.5), (0.1+0.01)*2.2 + 0.2 + 0.4261*0.6*2}, {Cloglog{}.Most(Bends{}, rows, 0.91), inf},
		{Logistic{}.Shift(first, rows, 0.24), within(0.24 / 0.48)},
		{Logistic{}.Shift(first, still, 0.25), 1},
		{Logistic{}.Shift(first, still, 0.5), inf},
		{Logistic{}.Shift(first, still, 0), 0},
		{Logistic{}.Shift(Bends{}, still, 0), inf},
		{Logistic{}.Shift(first, Rows{N: 10, Mass: 20, Lost: 0.3, Moved: 2.5}, 0.01), inf}, {Logistic{}.Shift(first, Rows{N: 10, Mass: 20, Lost: 0.5}, 0), inf},
		{Poisson{}.Shift(first, Rows{N: 10, Mass: 20, Lost: 0.6}, 0.01), inf}, {Poisson{}.Shift(first, Rows{N: 10, Mass: 20, Moved: 1}, 0.01), inf},
		{Logistic{}.Most(Bends{10 / Slack * 0.1}, rows, 0.5), (0.1 + 0.01 + 0.01) * 2},
		{Logistic{}.Most(Bends{10 / Slack * 0.1}, still, 1), 0.3},
		{Logistic{}.Most(Bends{10 / Slack * 0.1}, still, 1.01), 0.5},
		{Logistic{}.Most(Bends{10 / Slack * 0.3}, still, 0.5), 0.5},
		{Poisson{}.Shift(first, rows, 0.1), within(0.1 / (0.49 * 0.9))},
		{Poisson{}.Most(Bends{10 / Slack * 0.1}, rows, 0.5), (0.1 + 0.01) * 2.2},
		{Poisson{}.Most(Bends{10 / Slack * 0.1}, rows, 0.91), inf},
		{Poisson{}.Most(Bends{10 / Slack * 0.1}, rows, 0.9), (0.1 + 0.01) * 3},
		{NegativeBinomial{}.Most(Bends{10 / Slack * 0.1, 10 / Slack * 0.05}, still, 0.5), 0.3}, {NegativeBinomial{}.Shift(Bends{10 * Slack * 0.5, 1e9}, still, 0.25), 1},
		{Expectile{0.8}.Shift(Bends{}, still, 0.4), 0.5}, {Expectile{0.2}.Shift(Bends{}, still, 0.4), 0.5}, {Expectile{0.2}.Most(Bends{}, still, 9), 3.2},
		{Squared{}.Shift(Bends{}, rows, 3), 1.5}, {Squared{}.Most(Bends{}, rows, 9), 2},
		{SquaredHinge{}.Most(Bends{}, rows, 9), 2}, {Huber{0.3}.Most(Bends{}, rows, 9), 2},
		// h is 0.5 less what margins that moved by more than 1/8 weigh; it holds for 1/8.
		{SquaredHinge{}.Shift(first, still, 0.06), 0.12}, {SquaredHinge{}.Shift(first, still, 0.0626), inf}, {SquaredHinge{}.Shift(first, still, 0.0625), 0.125},
		{SquaredHinge{}.Shift(first, Rows{N: 10, Mass: 20, Moved: 0.03125}, 0.03), 0.12}, {SquaredHinge{}.Shift(first, rows, 0.01), inf},
		{SquaredHinge{}.Shift(first, Rows{N: 10, Mass: 20, Moved: 0.0625}, 0), inf},
		{Huber{0.5}.Shift(first, still, 0.03), 0.06}, {Huber{0.5}.Shift(first, still, 0.0313), inf}, {Huber{4}.Shift(first, still, 0.24), 0.48},
		// The second level is 1/256, and counts the rows of the first as well.
		{SquaredHinge{}.Shift(Bends{10 * Slack * 0.25, 10 * Slack * 0.25}, still, 0.001), 0.002},
		{SquaredHinge{}.Shift(Bends{0, 10 * Slack * 0.5}, still, 0.001), 0.002}, {SquaredHinge{}.Shift(Bends{0, 10 * Slack * 0.5}, still, 0.002), inf},
		{Within(2, 0), 0.25}, {Within(1, 1), 1.0 / 256}, {Within(1, 5), 0x1p-28},
	} {
		if c.got != c.want && (!(math.Abs(c.got-c.want) <= 4e-12*c.want) || math.IsInf(c.want, 1)) {
			t.Errorf("case %d: %v, not %v", k, c.got, c.want)
		}
	}
}

func ofBinomial(l Loss) bool { _, is := l.(Binomial); return is }

// sizes is the sum of s |y|, whose rounding a sum of c + s y has.
func sizes(y, s []float64) (sum float64) {
	for i, v := range y {
		if s == nil {
			sum += math.Abs(v)
		} else {
			sum += s[i] * math.Abs(v)
		}
	}
	return sum
}

// TestBendSums: Bend adds the second derivatives of rows with weights and without, or the weights of rows
// whose distance from a kink allows a level.
func TestBendSums(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(32, 38))
	for _, p := range promises {
		beside, is := p.l.(Beside)
		if KinkedOf(p.l) != nil && !is {
			continue // nothing bends
		}
		if !is {
			t.Fatalf("%v has no bounds beside an intercept", p.l)
		}
		for _, weighted := range []bool{false, true} {
			const n = 60
			z, y, s, c := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range z {
				z[i], _, y[i] = p.rowOf(r)
				z[i] = max(-30, min(5, z[i]))
				s[i] = []float64{0, 0.25, 3, 1}[r.IntN(4)]
			}
			var weights []float64
			if weighted {
				weights = s
			}
			p.l.Gradient(c, z, y, weights)
			start, width := Bends{1, 2, 3, 4, 5, 6}, 1.0
			if p.l.String() == (Huber{}).String() {
				width = p.l.Parameter()
			}
			got, want := beside.Bend(start, y, c, weights), start
			for i, v := range z {
				weight := 1.0
				if weighted {
					weight = s[i]
				}
				var distance float64
				switch {
				case p.l.String() == (Cloglog{}).String() && y[i] > 0:
					_, _, h := p.at(exactly(v), y[i])
					want[1] += weight * float(h)
					continue
				case ofMean(p.l), ofBinomial(p.l):
					_, _, h := p.at(exactly(v), y[i])
					want[0] += weight * float(h)
					continue
				case p.l.String() == (Expectile{}).String():
					_, _, h := p.at(exactly(v), y[i])
					want[0] += weight * float(h)
					continue
				case p.l.String() == (SquaredInsensitive{}).String():
					distance = math.Abs(v-y[i]) - p.l.Parameter()
				case p.l.Parameter() > 0:
					distance = p.l.Parameter() - math.Abs(v-y[i])
				case p.l.Labels() && !p.l.Odds():
					distance = 1 - y[i]*v
				default:
					_, _, h := p.at(exactly(v), y[i])
					want[0] += weight * float(h)
					continue
				}
				for k := range want {
					if distance > 2*math.Ldexp(width, -3-5*k) {
						want[k] += weight
						break
					}
				}
			}
			if _, two := p.l.(NegativeBinomial); two { // the second element is what the first may be too low
				if more := got[1] - start[1]; !(more >= 0 && more <= 64*0x1p-53*(n+got[0])*(1+1/p.l.Parameter())) {
					t.Errorf("%v: a doubt of %v", p.l, more)
				}
				got[1] = start[1]
			}
			for k := range want {
				if off := math.Abs(got[k] - want[k]); !(off <= 1e-12*(n+want[k])) && !(ofMean(p.l) && off < 1e-14*sizes(y, weights)) {
					t.Errorf("%v %v, weighted %t: level %d is %v, not %v", p.l, p.l.Parameter(), weighted, k, got[k], want[k])
				}
			}
		}
	}
}
