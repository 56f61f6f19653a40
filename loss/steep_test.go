package loss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// levelOf returns the level of a row, and far.
func levelOf(l Steep, y float64) (level, far float64) {
	levels := []float64{y}
	far = l.Levels(levels, levels, nil)
	return levels[0], far
}

// TestSteep compares what blocks of rows compute with the definition of each steep loss, within the
// units that Steep says, and holds levels against second derivatives. Margins are near the minimum, far
// out, and where parts of a loss cancel.
func TestSteep(t *testing.T) {
	t.Parallel()
	for _, p := range promises {
		l, is := p.l.(Steep)
		if !is {
			continue
		}
		r := rand.New(rand.NewPCG(41, 8))
		for range repeat.Size(120, 40) {
			z, _, y := p.rowOf(r)
			z = max(-600, min(600, z))
			value, slope, curvature := p.at(exactly(z), y)
			uneven := 1.0
			if !l.Even() {
				uneven += math.Exp(min(z, 7)) // what the rounding of exp(z) moves
			}
			level, far := levelOf(l, y)
			c, h, third := []float64{0}, []float64{0}, []float64{0}
			sum := l.Gradient(c, []float64{z}, []float64{y}, nil)
			l.Curvature(h, third, []float64{z}, []float64{y}, nil)
			high := math.Abs(c[0]) + level
			if math.IsInf(high, 1) || !(float(curvature) < 1e300) {
				continue
			}
			if d := math.Abs(float(plus(value, exactly(-sum)))); !(d <= 8*direct.Unit*high*(1+math.Abs(z)+far)) || sum < 0 {
				t.Fatalf("%v %v at %v, %v: a value of %v, off by %v", l, l.Parameter(), z, y, sum, d)
			}
			if d := math.Abs(float(plus(slope, exactly(-c[0])))); !(d <= direct.Unit*(8*h[0]+4*math.Abs(c[0]))+direct.Tiny) {
				t.Fatalf("%v %v at %v, %v: a slope of %v, off by %v", l, l.Parameter(), z, y, c[0], d)
			}
			if d := math.Abs(float(plus(curvature, exactly(-h[0])))); !(d <= 8*direct.Unit*h[0]*uneven+direct.Tiny) && z < 300 || !(float(curvature) <= high*(1+1e-12)) {
				t.Fatalf("%v %v at %v, %v: a curvature of %v, off by %v; level %v", l, l.Parameter(), z, y, h[0], d, level)
			}
			if l.Sum([]float64{z}, []float64{y}, nil) != sum || l.Slope(z, y) != c[0] {
				t.Fatalf("%v %v at %v, %v: Sum or Slope differ from Gradient", l, l.Parameter(), z, y)
			}
			weighted := l.Gradient(c, []float64{z}, []float64{y}, []float64{0.5})
			if weighted != 0.5*sum || c[0] != 0.5*l.Slope(z, y) {
				t.Fatalf("%v %v at %v, %v: weights do not scale", l, l.Parameter(), z, y)
			}
			for _, by := range []float64{-0.5, -1e-3, 1e-3, 0.5} { // the logarithm of phi'' is Lipschitz with 1
				_, _, there := p.at(exactly(z+by), y)
				if !(float(there) <= math.Exp(math.Abs(by))*high*(1+1e-9)) {
					t.Fatalf("%v %v at %v, %v: a curvature of %v at a distance of %v; level %v", l, l.Parameter(), z, y, float(there), by, level)
				}
				if l.Even() && (float(there) > float(curvature)*math.Exp(math.Abs(by))*(1+1e-9) || float(there) < float(curvature)*math.Exp(-math.Abs(by))*(1-1e-9)) {
					t.Fatalf("%v %v at %v, %v: a curvature of %v, and %v at a distance of %v", l, l.Parameter(), z, y, float(curvature), float(there), by)
				}
			}
		}
	}
}
