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

// TestNonconvex holds losses that are not convex against their definition: values, slopes, bounds of errors,
// levels, and the positive numbers that stand for second derivatives.
func TestNonconvex(t *testing.T) {
	t.Parallel()
	for _, l := range all {
		if IsConvex(l) {
			continue
		}
		at := definition.Of(l.String(), l.Parameter())
		exact := func(z, by, y float64) (value, slope, bend float64) {
			v, s, b := at(plus(new(big.Float).SetPrec(450).SetFloat64(z), exactly(by)), y)
			return float(v), float(s), float(b)
		}
		r := rand.New(rand.NewPCG(19, 56))
		concave, worst := 0, [2]float64{}
		for range repeat.Size(500, 120) {
			y := []float64{1, 3, 0.25, 1e6, 1e-6, 7 * r.Float64()}[r.IntN(6)]
			z := math.Log(y) + []float64{0, 1e-9, 0.1, 1, 8}[r.IntN(5)]*r.NormFloat64()
			dz := []float64{0, 1e-16, 1e-9, 0.01, 0.5, 1}[r.IntN(6)]
			size := []float64{1, 0.25, 1e3}[r.IntN(3)]
			value, slope, bend := exact(z, 0, y)
			c, h, third := []float64{0}, []float64{0}, []float64{0}
			sum := l.Gradient(c, []float64{z}, []float64{y}, nil)
			l.Curvature(h, third, []float64{z}, []float64{y}, nil)
			if bend < 0 {
				concave++
			}
			if !(h[0] > 0) || sum < 0 {
				t.Fatalf("%v at %v, %v: a value of %v, a curvature of %v", l, z, y, sum, h[0])
			}
			steep := l.(Steep)
			level, far := levelOf(steep, y)
			most := steep.Rate() * (math.Abs(slope) + level)
			for _, by := range []float64{0, -0.5, -0.01, 0.01, 0.5} {
				if _, _, there := exact(z, by, y); !(math.Abs(there) <= most*math.Exp(steep.Rate()*math.Abs(by))) {
					t.Fatalf("%v at %v, %v: a second derivative of %v at a distance of %v; level %v", l, z, y, there, by, level)
				}
			}
			if off := math.Abs(sum - value); !(off <= 8*direct.Unit*most*(1+math.Abs(z)+far)) {
				t.Fatalf("%v at %v, %v: a value of %v, not %v", l, z, y, sum, value)
			}
			if off := math.Abs(c[0] - slope); !(off <= direct.Unit*(8*most+4*math.Abs(slope))) {
				t.Fatalf("%v at %v, %v: a slope of %v, not %v", l, z, y, c[0], slope)
			}
			if l.Sum([]float64{z}, []float64{y}, nil) != sum || l.Slope(z, y) != c[0] {
				t.Fatalf("%v at %v, %v: Sum or Slope differ from Gradient", l, z, y)
			}
			own, bound := l.Value(z, dz, y)
			turn := l.SlopeError(z, dz, y, size, size*c[0], size*h[0])
			for _, share := range []float64{-1, -0.5, 0, 0.5, 1} {
				there, turned, _ := exact(z, share*dz, y)
				if off := math.Abs(own - there); !(off <= Slack*bound+4*direct.Tiny) {
					t.Fatalf("%v at %v +- %v, %v: a value of %v is off by %v, with a bound of %v", l, z, dz, y, own, off, bound)
				} else if bound > 0 {
					worst[0] = max(worst[0], off/bound)
				}
				if off := size * math.Abs(c[0]-turned); !(off <= turn) {
					t.Fatalf("%v at %v +- %v, %v: a slope of %v is off by %v, with a bound of %v", l, z, dz, y, c[0], off, turn)
				} else if turn > 0 {
					worst[1] = max(worst[1], off/turn)
				}
			}
			if reach, least := l.Reach(z, dz, y, size, size*h[0]); reach != 0 || least != 0 {
				t.Fatalf("%v: a reach of %v", l, reach)
			}
			// phi'' is linear in y, so that its expected value is phi'' at the mean.
			if _, _, want := exact(z, 0, math.Exp(z)); math.Abs(h[0]-want) > 1e-12*want || math.Abs(third[0]+want) > 1e-12*want {
				t.Fatalf("%v at %v: curvatures of %v and %v, not %v", l, z, h[0], third[0], want)
			}
			likely := []float64{z}
			if l.(Likelihood).Information(likely, likely, nil); likely[0] != h[0] {
				t.Fatalf("%v at %v: an information of %v, a curvature of %v", l, z, likely[0], h[0])
			}
		}
		if concave < repeat.Size(25, 6) || worst[0] < 0.2 || worst[1] < 0.2 {
			t.Errorf("%v: %d rows bend down, bounds are reached to %v", l, concave, worst)
		}
	}
}

// TestInverseGaussian: what the loss takes, where its mean has a minimum, and its likelihood.
func TestInverseGaussian(t *testing.T) {
	t.Parallel()
	l := InverseGaussian{}
	for y, want := range map[float64]bool{1: true, 5e-324: true, 0: false, -1: false, math.Inf(1): false, math.NaN(): false} {
		if bad, err := l.Check([]float64{1, y}); (err == nil) != want || (bad == 1) == want {
			t.Errorf("the target %v: row %d, error %v", y, bad, err)
		}
	}
	if l.Labels() || l.Odds() || l.Quadratic() || !l.Attained() || !l.Finite(true, false) || l.Even() || !l.Dispersed() || !math.IsInf(l.Peak(), 1) || l.Mean(2) != (Gamma{}).Mean(2) {
		t.Error("facts")
	}
	// The slope of the mean vanishes at Start, and the limit far up is above what is nearer.
	y := []float64{0.2, 1, 3, 11}
	b, slope := l.Start(3.8, 1, len(y)), 0.0
	for _, v := range y {
		slope += l.Slope(b, v)
		if near, far := l.Sum([]float64{30}, []float64{v}, nil), l.Sum([]float64{700}, []float64{v}, nil); !(near < far) || math.Abs(far-1/(2*v)) > 1e-15 {
			t.Errorf("%v: %v, then %v", v, near, far)
		}
	}
	if math.Abs(slope) > 1e-15 {
		t.Errorf("a slope of %v at %v", slope, b)
	}
	// A row of weight 0 counts nowhere, whatever its margin.
	s, z := []float64{2, 0, 1, 0.5}, []float64{0.1, -800, 1, 2}
	deviance, mass := 0.0, 0.0
	for i, v := range y {
		if s[i] > 0 {
			mean := math.Exp(z[i])
			deviance += s[i] * (v - mean) * (v - mean) / (mean * mean * v)
			mass += s[i]
		}
	}
	want := 0.0
	for i, v := range y {
		if s[i] > 0 {
			mean := math.Exp(z[i])
			want -= s[i]*math.Log(2*math.Pi*deviance/mass*v*v*v)/2 + s[i]*(v-mean)*(v-mean)/(mean*mean*v)/(2*deviance/mass)
		}
	}
	all := Totals{Deviance: deviance, Weight: mass}
	if got := l.LogLikelihood(z[:2], y[:2], s[:2], all) + l.LogLikelihood(z[2:], y[2:], s[2:], all); math.Abs(got-want) > 1e-12 || math.Abs(2*l.Sum(z, y, s)-deviance) > 1e-12 {
		t.Errorf("a likelihood of %v, not %v; a deviance of %v, not %v", got, want, 2*l.Sum(z, y, s), deviance)
	}
}
