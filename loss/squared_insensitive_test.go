package loss

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
)

// TestInsensitiveNearKinks: slopes are good to a few units of themselves next to the kinks too, where
// z-y is rounded and Epsilon is nearly all of it.
func TestInsensitiveNearKinks(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 19))
	for range 2000 {
		l := SquaredInsensitive{[]float64{0.1, 4, 300}[r.IntN(3)]}
		y := float64(7 * r.NormFloat64())
		z := y + float64(math.Copysign(l.Epsilon, r.NormFloat64())*(1+float64(math.Pow(10, -15*r.Float64())*r.NormFloat64())))
		want := l.beyond(new(big.Float).SetPrec(400).Sub(exactly(z), exactly(y)))
		if got := l.Slope(z, y); math.Abs(float(plus(want, exactly(-got)))) > 4*direct.Unit*math.Abs(got) {
			t.Fatalf("%v at %v, %v: a slope of %v, not %v", l.Epsilon, z, y, got, float(want))
		}
	}
}
