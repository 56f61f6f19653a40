package loss

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/definition"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestConjugates compares the parts of a gap and the sums of conjugates with their definitions. Dual
// variables are at the ends of what is feasible, next to the best one, and beyond.
func TestConjugates(t *testing.T) {
	t.Parallel()
	count := repeat.Size(300, 30)
	for _, p := range promises {
		conjugate, err := ConjugateOf(p.l)
		if err != nil {
			continue
		}
		dual, parts := p.l.(Dual)
		if !parts {
			p.conjugate = p.supremum
		}
		r := rand.New(rand.NewPCG(3, 14))
		for range count {
			if !parts {
				break
			}
			z, _, y := p.rowOf(r)
			z = max(-300, min(300, z))
			s := []float64{1, 0.25, 3, 1e-3}[r.IntN(4)]
			c := []float64{z}
			p.l.Gradient(c, c, []float64{y}, []float64{s})
			most, sign := math.Inf(1), 1.0
			switch l := p.l.(type) {
			case Logistic:
				most, sign = 1, y
			case SquaredHinge:
				sign = y
			case Huber:
				most = l.Parameter()
			case Kinked:
				most = 1
				if sign = 1; p.l.Labels() {
					sign = y
				} else if r.IntN(2) == 0 {
					sign = -1
				}
				if k := l.(lined).lines(y); !p.l.Labels() && sign > 0 {
					most = -k.low
				} else if !p.l.Labels() {
					most = k.high
				}
			}
			alpha := -c[0]
			switch r.IntN(6) {
			case 0:
				alpha += s * r.NormFloat64() * math.Pow(10, -9*r.Float64())
			case 1:
				alpha = 0
			case 2:
				alpha = s * sign * min(most, 1e3)
			case 3:
				alpha *= 1 + 0.1*r.NormFloat64()
			case 4:
				alpha = s * sign * math.Pow(10, -30*r.Float64()) * min(most, 1)
			}
			beta := alpha / s
			got := dual.Part(alpha, z, y, s, c[0])
			feasible := math.Abs(beta) <= most
			if p.l.Labels() {
				feasible = feasible && beta*y >= 0
			}
			if l, is := p.l.(lined); is { // a product with s and a quotient may round up
				k := l.lines(y)
				feasible = -beta >= k.low*(1+4*direct.Unit) && -beta <= k.high*(1+4*direct.Unit)
			}
			if !feasible || math.IsInf(got, 1) {
				if feasible != !math.IsInf(got, 1) {
					t.Fatalf("%v: a part of %v at %v, y %v, weight %v, dual variable %v", p.l, got, z, y, s, alpha)
				}
				continue
			}
			at, first, _ := p.at(exactly(z), y)
			part := plus(plus(at, p.conjugate(exactly(beta), y)), times(exactly(beta), exactly(z)))
			want := s * float(part)
			// What rounding of beta and z takes: the slope of the part, as docs/certificates.md says.
			kappa := math.Abs(beta + float(first))
			if l := KinkedOf(p.l); l != nil {
				kappa += l.Jump()
			}
			rho := 16 * direct.Unit * (math.Abs(z) + math.Abs(y) + math.Abs(beta) + 1)
			if !(math.Abs(got-want) <= 1e-6*want+s*rho*(kappa+rho+8*direct.Unit*math.Abs(beta)*40)+1e-300) {
				t.Fatalf("%v: a part of %v at %v, y %v, weight %v, dual variable %v, not %v", p.l, got, z, y, s, alpha, want)
			}
		}
		for _, weighted := range []bool{false, true} {
			for n := 0; n < 12; n += repeat.Size(1, 11) {
				if n == 11 {
					n = logBlock + 37
				}
				a, work, c, z, y, s := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
				for i := range z {
					if z[i], _, y[i] = p.rowOf(r); !parts {
						z[i] = max(-300, min(300, z[i])) // slopes beyond have no finite conjugate in float64
					}
					s[i] = []float64{0, 0.5, 3, 1e-3}[r.IntN(4)]
				}
				weights := s
				if !weighted {
					weights = nil
				}
				p.l.Gradient(c, z, y, weights)
				keep := 1 - 0.5*r.Float64()
				for i := range a {
					if a[i] = 0; direct.Weight(weights, i) > 0 {
						a[i] = -keep * c[i] / direct.Weight(weights, i)
					}
				}
				if !weighted {
					if scaled, is := conjugate.(Scaled); is {
						sum, absolute := scaled.Conjugated(keep, c, y)
						wantSum, wantAbsolute := big0(), big0()
						for i, v := range c {
							q, w := times(exactly(-keep), exactly(v)), exactly(y[i])
							wantSum = plus(wantSum, halfSquareLess(q, y[i]))
							wantAbsolute = plus(wantAbsolute, plus(times(exactly(0.5), times(q, q)), new(big.Float).Abs(times(q, w))))
						}
						if size := float(wantAbsolute); !(math.Abs(sum-float(wantSum)) <= float64(n+24)*direct.Unit*size && math.Abs(absolute-size) <= 1e-12*size) {
							t.Fatalf("%v: %v and %v for a sum of conjugates of %v and %v", p.l, sum, absolute, float(wantSum), size)
						}
					}
				}
				want, size := big0(), 0.0
				for i, v := range a {
					if weight := direct.Weight(weights, i); weight > 0 && n <= 11 {
						if p.l.Labels() && c[i] == 0 {
							continue
						}
						v = p.kept(v, y[i])
						one := times(exactly(weight), p.conjugate(exactly(v), y[i]))
						want = plus(want, one)
						if !parts {
							continue
						}
						if p.l.Odds() {
							size += weight * (1 + math.Abs(float(p.conjugate(exactly(v), y[i]))))
						} else {
							size += weight * (math.Abs(float(plus(p.conjugate(exactly(v), y[i]), times(exactly(v), exactly(y[i]))))) + math.Abs(v*y[i]))
						}
					}
				}
				if n > 11 { // by halves
					half := append([]float64(nil), a...)
					sum, absolute := conjugate.Conjugates(half[:logBlock], work, c[:logBlock], y[:logBlock], direct.Weights(weights, 0, logBlock))
					again, more := conjugate.Conjugates(half[logBlock:], work[logBlock:], c[logBlock:], y[logBlock:], direct.Weights(weights, logBlock, n))
					want, size = exactly(sum+again), absolute+more
				}
				sum, absolute := conjugate.Conjugates(a, work, c, y, weights)
				above := 0.0 // what Tweedie's conjugate adds for rounding of its slope
				if !parts && n <= 11 {
					size = absolute
					for i, v := range y {
						above += 1e-26 * (1 + v) * direct.Weight(weights, i)
					}
				}
				if off, most := sum-float(want), float64(n+24)*direct.Unit*size+1e-40; !(off >= -most && off <= most+above && math.Abs(absolute-size) <= 1e-12*size) {
					t.Fatalf("%v: %v rows, %v and %v for a sum of conjugates of %v and %v", p.l, n, sum, absolute, float(want), size)
				}
			}
		}
	}
}

// kept returns the dual variable of a row that Conjugates may take: one where phi* is finite.
func (p promised) kept(a, y float64) float64 {
	switch l := p.l.(type) {
	case Logistic:
		return math.Copysign(min(math.Abs(a), 1), a)
	case Poisson:
		return min(a, y)
	case Gamma:
		return max(a, -1)
	case NegativeBinomial:
		return min(max(a, -1/l.Parameter()), y)
	}
	return a
}

// supremum returns phi*(-a) of a loss whose slope grows everywhere, by its definition: -a z - phi(z) where
// the slope is -a.
func (p promised) supremum(a *big.Float, y float64) *big.Float {
	low, high := -1e3, 1e3
	for range 60 {
		if z := (low + high) / 2; p.l.Slope(z, y) > -float(a) {
			high = z
		} else {
			low = z
		}
	}
	z := exactly(low)
	for range 6 {
		_, slope, curvature := p.at(z, y)
		z = new(big.Float).SetPrec(240).Sub(z, new(big.Float).SetPrec(240).Quo(plus(slope, a), curvature))
	}
	value, _, _ := p.at(z, y)
	return negative(plus(times(a, z), value))
}

// TestSizesOfConjugates: the terms of a conjugate are not much larger than the conjugate, the slope, and what
// rounding of the slope and of its margin changes.
func TestSizesOfConjugates(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		if !ofMean(p.l) {
			continue
		}
		r := rand.New(rand.NewPCG(31, 41))
		for range 300 {
			z, _, y := p.rowOf(r)
			z = max(-300, min(300, z))
			c := []float64{p.l.Slope(z, y)}
			if c[0] == 0 || math.Abs(c[0]) > 1e100 {
				continue
			}
			_, absolute := p.l.(Conjugate).Conjugates([]float64{-c[0]}, nil, c, []float64{y}, nil)
			size := math.Abs(c[0]) * (1 + math.Abs(z))
			if y > 0 {
				size += math.Abs(c[0] * math.Log(y))
				value := p.l.Sum([]float64{z}, []float64{y}, nil)
				size += value * (8 + math.Abs(z-math.Log(y)) + math.Abs(math.Log(y)))
			}
			if !(absolute <= 4*size/min(1, 2-min(1.9, p.l.Parameter()))) {
				t.Fatalf("%v %v at %v, y %v: terms of %v for a slope of %v, more than %v", p.l, p.l.Parameter(), z, y, absolute, c[0], size)
			}
		}
	}
}

// TestEndsOfConjugates: next to the ends of their ranges, and beyond them by rounding, conjugates are finite and
// next to those of the ends.
func TestEndsOfConjugates(t *testing.T) {
	t.Parallel()
	for _, theta := range []float64{0.1, 0.3, 0.7, 1, 3, 1.1e3} {
		for _, y := range []float64{0, 0.3, 1, 7} {
			for _, l := range []Conjugate{NegativeBinomial{Theta: theta}, Poisson{}, Gamma{}} {
				for _, end := range []float64{-y, 1 / theta, 1} {
					_, above := l.(NegativeBinomial)
					_, below := l.(Gamma)
					if end > 0 && above != (end == 1/theta) && !below || below && (y == 0 || end != 1) {
						continue
					}
					if _, is := l.(Poisson); is && end > 0 {
						continue
					}
					at := func(u float64) float64 {
						sum, _ := l.Conjugates([]float64{-u}, nil, nil, []float64{y}, nil)
						return sum
					}
					inner := at(end * (1 - 1e-9))
					for u, k := math.Nextafter(math.Nextafter(end, 0), 0), 0; k < 5; u, k = math.Nextafter(u, 2*end), k+1 {
						if got := at(u); !(math.Abs(got-inner) <= 1e-6*(1+math.Abs(end))) {
							t.Fatalf("%v %v, y %v: %v at %v, and %v nearby", l, l.Parameter(), y, got, u, inner)
						}
					}
				}
			}
		}
	}
}

// TestAscend: a step ends at the maximum of the dual over its variable, and names the part of the gap
// before, up to second order.
func TestAscend(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		dual, err := DualOf(p.l)
		if err != nil {
			continue
		}
		r := rand.New(rand.NewPCG(15, 92))
		for range 400 {
			z, _, y := p.rowOf(r)
			old, _, _ := p.rowOf(r)
			z, old = max(-25, min(25, z)), max(-20, min(20, old))
			d := DualRow{Q: []float64{1e-3, 0.5, 3, 200}[r.IntN(4)], C: 0.25}
			sign, m, target := 1.0, z, y // of the row's function phi*(-alpha) + alpha z in A
			if p.l.Labels() {
				sign, m, target = y, float64(y*z), 1
				d.C *= y
			} else {
				d.U = y
			}
			if r.IntN(4) > 0 {
				dual.Warm(&d, old, y)
				if r.IntN(2) == 0 && !dual.Logit() {
					d.A *= 0.7
				}
			}
			before := d.A
			part := dual.Ascend(&d, z, 0)
			best := (d.Q*before + target - m) / (1 + d.Q)
			low, high := math.Inf(-1), math.Inf(1)
			wantPart := dual.Part(sign*before, z, y, 1, p.l.Slope(z, y))
			near := 1e-12 * (1 + wantPart)
			switch l := p.l.(type) {
			case Logistic:
				low, high = -60, 60
				for range 100 {
					u := (low + high) / 2
					if u+m+d.Q*(1/(1+math.Exp(-u))-before) > 0 {
						high = u
					} else {
						low = u
					}
				}
				best = 1 / (1 + math.Exp(-low))
				if math.Abs(d.U-low) > 1e-6*(1+math.Abs(low)) {
					t.Fatalf("%v at %v, y %v, q %v, before %v: a logit of %v, not %v", p.l, z, y, d.Q, before, d.U, low)
				}
				low, high = 0, 1
				if near += 0.66 * wantPart; before == 0 {
					wantPart, near = math.Ln2, 0
				}
			case SquaredHinge:
				low = 0
				if wantPart = (before + m - 1) * (before + m - 1) / 2; before == 0 && m >= 1 {
					wantPart = 0
				}
			case Expectile:
				toward := d.Q*before + target - m
				w := l.Parameter()
				if toward <= 0 {
					w = 1 - w
				}
				best = toward / (d.Q + 1/(2*w))
			case SquaredInsensitive:
				toward := d.Q*before + target - m
				best = math.Copysign(max(math.Abs(toward)-l.Parameter(), 0), toward) / (1 + d.Q)
			case Hinge:
				low, high = 0, 1
				best = (d.Q*before + target - m) / d.Q
			case Insensitive, Quantile:
				k := l.(lined).lines(y)
				low, high = -k.high, -k.low
				toward := d.Q*before + target - m
				best = math.Copysign(max(math.Abs(toward)-k.dead, 0), toward) / d.Q
			case Huber:
				low, high = -l.Parameter(), l.Parameter()
				kappa := before + p.l.Slope(z, y)
				wantPart = kappa * kappa / 2
			}
			best = max(low, min(high, best))
			if !(math.Abs(d.A-best) <= 1e-7*math.Abs(best)+1e-13) {
				t.Fatalf("%v at %v, y %v, q %v: a step from %v to %v, not %v", p.l, z, y, d.Q, before, d.A, best)
			}
			if !(math.Abs(part-wantPart) <= near) && (p.l.Odds() && !(part >= wantPart/math.E && part <= wantPart*math.E) || !p.l.Odds()) {
				t.Fatalf("%v at %v, y %v, before %v: a part of %v, not %v", p.l, z, y, before, part, wantPart)
			}
		}
	}
}

// TestParabolas: a parabola is above the loss and touches it, and one of less curvature is not. The
// second derivative between two margins is at most that at an end, unless PassesPeak says otherwise.
func TestParabolas(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		r := rand.New(rand.NewPCG(65, 35))
		if m, is := p.l.(Majorizer); is {
			for range 40 {
				z, _, y := p.rowOf(r)
				z = max(-80, min(80, z))
				s := []float64{0.25, 1, 3}[r.IntN(3)]
				c, h, ones, bare := []float64{z}, []float64{9}, []float64{9}, []float64{z}
				p.l.Gradient(c, c, []float64{y}, []float64{s})
				p.l.Gradient(bare, bare, []float64{y}, nil)
				m.Parabolas(h, []float64{z}, []float64{y}, c, []float64{s})
				m.Parabolas(ones, []float64{z}, []float64{y}, bare, nil)
				if math.Abs(h[0]-ones[0]) > 1e-9*ones[0] {
					t.Fatalf("%v at %v, %v: the weight %v changes the curvature %v to %v", p.l, z, y, s, ones[0], h[0])
				}
				if m.Straight() {
					m.Parabolas(ones, []float64{z}, []float64{y}, nil, nil)
				}
				phi, slope, _ := p.at(exactly(z), y)
				most, center := 0.0, p.kinks(y)[0]
				if p.l.Parameter() > 0 {
					center = y
				}
				for k := range 60 {
					to := 2*center - z // the mirror image, where the parabola touches as well
					if k > 0 {
						to = z + 30*r.NormFloat64()*math.Pow(10, -3*r.Float64())
					}
					by := plus(exactly(to), exactly(-z))
					there, _, _ := p.at(exactly(to), y)
					rest := plus(plus(there, negative(phi)), negative(times(slope, by)))
					if square := float(times(by, by)); square > 1e-6 {
						most = max(most, 2*float(rest)/square)
					}
				}
				if most > h[0]*(1+1e-9) || math.Abs(z-center) > 0.01 && most < h[0]*(1-1e-6) {
					t.Fatalf("%v at %v, %v: a curvature of %v, where %v is needed", p.l, z, y, h[0], most)
				}
			}
			h := []float64{9}
			m.Parabolas(h, []float64{5}, []float64{1}, []float64{0}, []float64{0})
			if h[0]-h[0] != 0 || h[0] > p.l.Peak() {
				t.Errorf("%v: a curvature of %v for the weight 0", p.l, h[0])
			}
			if far, _, _ := p.at(exactly(1e4), 1); m.Straight() != (float(far) > 1 && p.l.Parameter() > 0) {
				t.Errorf("%v: straight %t", p.l, m.Straight())
			}
		}
		peaked, is := p.l.(Peaked)
		for range 30 {
			if !is {
				break
			}
			a, _, y := p.rowOf(r)
			b, _, _ := p.rowOf(r)
			a, b = max(-40, min(40, a)), max(-40, min(40, b))
			curvature := func(z float64) float64 { _, _, h := p.at(exactly(z), y); return float(h) }
			largest, passes := 0.0, peaked.PassesPeak(a, b, y)
			for k := range 21 {
				largest = max(largest, curvature(a+(b-a)*float64(k)/20))
			}
			if ends := max(curvature(a), curvature(b)); !passes && largest > ends*(1+1e-9) && !(p.l.Labels() && !p.l.Odds()) {
				t.Fatalf("%v from %v to %v, y %v: curvatures of %v at the ends, and %v", p.l, a, b, y, ends, largest)
			}
			if peak := p.kinks(y)[0]; p.l.Odds() && passes != ((a < peak) != (b < peak)) || p.l.Quadratic() && passes {
				t.Fatalf("%v from %v to %v, y %v: passes %t", p.l, a, b, y, passes)
			}
			if p.l.String() == (Huber{}).String() && passes != ((a < y) != (b < y)) {
				t.Fatalf("%v from %v to %v, y %v: passes %t", p.l, a, b, y, passes)
			}
		}
	}
}

// TestExactPromises compares the numbers of any precision with the definition, at kinks and far out.
func TestExactPromises(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		l, is := p.l.(Exact)
		if !is {
			continue
		}
		r := rand.New(rand.NewPCG(89, 79))
		for range repeat.Size(60, 8) {
			z, _, y := p.rowOf(r)
			at := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
			first, second := at(9), at(9)
			l.ExactSlope(first, second, at(z), at(y))
			value, slope, curvature := p.at(exactly(z), y)
			got := l.ExactValue(at(z), at(y))
			kink := curvature.Sign() > 0 && second.Sign() == 0 && slope.Sign() == 0 // either side
			for _, c := range []struct{ got, want *big.Float }{{got, value}, {first, slope}, {second, curvature}} {
				if off := plus(c.got, negative(c.want)); off.Sign() != 0 && off.MantExp(nil)-c.want.MantExp(nil) > -200 && !(kink && c.got == second) {
					t.Fatalf("%v %v at %v, %v: %v, not %v", p.l, p.l.Parameter(), z, y, float(c.got), float(c.want))
				}
			}
			v, want := new(big.Float).SetPrec(300).Set(value), float(value)
			l.ExactReach(v, at(y))
			reach := math.Abs(z-y) - 1
			if p.l.Labels() {
				reach = -y * z
			}
			if delta := p.l.Parameter(); delta > 0 {
				want = want/min(delta, 1) + 2*delta
			}
			if of := p.l.String(); definition.Of(of, p.l.Parameter()) != nil {
				want = definition.Reach(of, p.l.Parameter(), float(value), y)
			}
			if p.l == (Poisson{}) && y > 0 {
				want = want/y + y + math.Abs(math.Log(y))
			}
			if side, is := p.l.(Receding); is && side.Side(y) < 0 && !p.l.Labels() {
				reach = z - 1
			}
			if float(v) < reach*(1-1e-12)-1e-12 || math.Abs(float(v)-want) > 1e-12*want {
				t.Fatalf("%v %v at %v, %v: a reach of %v for a value of %v", p.l, p.l.Parameter(), z, y, float(v), float(value))
			}
		}
		testSlopeErrors(t, l, p)
		if work := l.ExactWork(); work != map[bool]int{true: 512, false: 64}[p.l.Odds() || ofMean(p.l)] {
			t.Errorf("%v: a work of %v", p.l, work)
		}
	}
}

// TestExactUsualHuber: a Huber's loss without a delta is the loss of delta 1 in numbers of any precision too.
func TestExactUsualHuber(t *testing.T) {
	at := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	for _, z := range []float64{-3, -1.25, -0.5, 0.75, 2} {
		var values, slopes, bends, reaches []float64
		for _, l := range []Huber{{}, {1}} {
			first, second, v := at(9), at(9), at(2.5)
			l.ExactSlope(first, second, at(z), at(0.5))
			l.ExactReach(v, at(0.5))
			values, slopes = append(values, float(l.ExactValue(at(z), at(0.5)))), append(slopes, float(first))
			bends, reaches = append(bends, float(second)), append(reaches, float(v))
		}
		for _, pair := range [][]float64{values, slopes, bends, reaches} {
			if !(pair[0] == pair[1]) {
				t.Errorf("at %v: %v without a delta, %v with 1", z, pair[0], pair[1])
			}
		}
	}
}

// testSlopeErrors holds the bound of a slope's error against slopes at margins that are off, in few bits.
func testSlopeErrors(t *testing.T, l Exact, p promised) {
	t.Helper()
	const bits = 30
	r := rand.New(rand.NewPCG(97, 83))
	at := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	unit := math.Exp2(4 - bits)
	for range 200 {
		z, _, y := p.rowOf(r)
		z, y = float(at(max(-30, min(z, 30)))), float(at(y))
		size := math.Exp2(float64(r.IntN(30) - 6))
		first, second := at(9), at(9)
		l.ExactSlope(first, second, at(z), at(y))
		bound := new(big.Float).SetPrec(bits).Set(second)
		l.ExactSlopeError(bound, at(size), at(unit))
		most := unit * (float(bound) + math.Abs(float(first)))
		for _, sign := range []float64{-1, 1} {
			_, slope, _ := p.at(plus(exactly(z), exactly(sign*size*unit)), y)
			if off := math.Abs(float(plus(slope, negative(first)))); !(off <= most) {
				t.Fatalf("%v at %v, %v: a slope errs by %v, with a bound of %v for an error of %v", l, z, y, off, most, size*unit)
			}
		}
		steep, moved := 1.0, size*unit
		if peak := l.Peak(); !math.IsInf(peak, 1) {
			steep = max(peak, 1)
		}
		if ofMean(l) {
			steep = float(second) * (1 + 2*moved) * (1 + 1/size)
		}
		want := steep * size
		if l.String() == (SquaredInsensitive{}).String() {
			want += p.l.Parameter()
		}
		if moved <= 1 && !(float(bound) <= 1.01*want) || moved > 1 && ofMean(l) && !math.IsInf(float(bound), 1) {
			t.Fatalf("%v at %v, %v: a bound of %v for a margin's error of %v, not %v", l, z, y, float(bound), moved, want)
		}
	}
}
