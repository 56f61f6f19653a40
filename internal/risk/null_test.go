package risk

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/loss"
)

// TestNull: no constant beside the offsets has less of any loss, smooth or with kinks.
func TestNull(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range loss.Names() {
		l, err := loss.Parse(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 20 {
			p := &Problem{Loss: l}
			for i := range 40 {
				y := 0.1 + math.Floor(4*rng.Float64())
				if l.Labels() {
					y = float64(2*(i%2) - 1)
				}
				p.Y = append(p.Y, y)
				if round%2 == 0 {
					p.SampleWeight = append(p.SampleWeight, float64(rng.IntN(3)))
				}
				if round%3 == 0 {
					p.Offset = append(p.Offset, 4*rng.Float64()-8)
				}
			}
			z, found := Null(p)
			if !found {
				t.Fatalf("%v: no constant was found", l)
			}
			best := l.Sum(z, p.Y, p.SampleWeight)
			for i := range z {
				if o := p.Offset; o != nil && math.Abs((z[i]-o[i])-(z[0]-o[0])) > 1e-12*(1+math.Abs(z[0]-o[0])) {
					t.Fatalf("%v: margin %d is no constant beside its offset", l, i)
				}
			}
			for _, by := range []float64{-1, -1e-2, -1e-4, 1e-4, 1e-2, 1} {
				beside := make([]float64, len(z))
				for i := range z {
					beside[i] = z[i] + by
				}
				if other := l.Sum(beside, p.Y, p.SampleWeight); other < best-1e-12*(1+math.Abs(best)) {
					t.Fatalf("%v, round %d: a constant that is %v more has the loss %v, less than %v", l, round, by, other, best)
				}
			}
		}
	}
}
