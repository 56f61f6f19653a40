package loss

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/testing/definition"
)

// TestLabelLinks holds values, slopes, second derivatives and probabilities against numbers of 160 bits,
// where margins are next to 0, ordinary and far out, in units of rounding.
func TestLabelLinks(t *testing.T) {
	t.Parallel()
	count := 3000
	if testing.Short() {
		count = 400
	}
	for _, l := range binomials {
		at := definition.Of(l.String(), 0)
		c := l.(curve)
		r := rand.New(rand.NewPCG(88, 3))
		var worst [4]float64
		for range count {
			z, y := 3*r.NormFloat64(), float64(2*r.IntN(2)-1)
			switch r.IntN(4) {
			case 0:
				z = math.Copysign(math.Pow(10, -14*r.Float64()), z)
			case 1:
				z *= 12
			case 2:
				z = 2 * r.NormFloat64()
			}
			dz := math.Exp(3*r.NormFloat64() - 3)
			least, most := c.between(z, dz, y)
			for k := -4.0; k <= 4; k++ {
				if _, _, there, _ := c.at(z+k/4*dz, y); !(there >= least && there <= most) {
					t.Fatalf("%v at %v, %v: a second derivative of %v within %v, not from %v to %v", l, z+k/4*dz, y, there, dz, least, most)
				}
			}
			value, slope, bend := at(new(big.Float).SetPrec(160).SetFloat64(z), y)
			gotValue, gotSlope, gotBend, _ := c.at(z, y)
			own := 0.0
			if math.IsInf(l.Peak(), 1) && y > 0 {
				own = 1 // the rounding of exp(z) is an error of z
			}
			off := func(want *big.Float, got, scale, moved float64) float64 {
				if float(want) > 1e300 || math.Abs(float(want)) < 1e-290 {
					return 0
				}
				d := math.Abs(float(plus(want, exactly(-got)))) - float64(own*moved)*direct.Unit
				return d / (direct.Unit * scale)
			}
			worst[0] = max(worst[0], off(value, gotValue, gotValue, 2*math.Abs(gotSlope)))
			worst[1] = max(worst[1], off(slope, gotSlope, math.Abs(gotSlope), 4*gotBend))
			worst[2] = max(worst[2], off(bend, gotBend, gotBend*(1+own*math.Exp(min(z, 6))), 0))
			if y > 0 {
				worst[3] = max(worst[3], off(bigmath.Exp(negative(value)), l.Probability(z), l.Probability(z), 0))
			}
		}
		t.Logf("%v: %.2f units", l, worst)
		for k, most := range []float64{8, 4, 6, 8} {
			if !(worst[k] <= most) || worst[k] < 0.5 {
				t.Errorf("%v: number %d is off by %v units, not %v", l, k, worst[k], most)
			}
		}
	}
}
