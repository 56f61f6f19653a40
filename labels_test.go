package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/sparse"
)

// TestFew: few returns the number of the labels counted, up to three. NaN and zeros of both signs are among
// them.
func TestFew(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, math.Copysign(0, -1), math.NaN(), -math.NaN(), 1, 2.5, math.Inf(1)}
	for range 500 {
		y := make([]float64, r.IntN(6))
		for i := range y {
			y[i] = values[r.IntN(1+r.IntN(len(values)))]
		}
		l := labelsOf(&sparse.Data{Y: y})
		got := l.few()
		if want := min(3, len(l.list())); got != want || l.few() != want {
			t.Errorf("%v: %d labels, not %d", y, got, want)
		}
	}
}

// TestTargetsUncounted: labels with fractions, and labels beside a loss of targets, are not counted.
func TestTargetsUncounted(t *testing.T) {
	for _, o := range []Options{{}, {Loss: loss.Squared{}}} {
		l := labelsOf(&sparse.Data{Y: []float64{1, 2, 3.5, 4}})
		if !l.targets(&o) || l.found != nil {
			t.Errorf("loss %v: targets %t, %d labels counted", o.Loss, l.targets(&o), len(l.found))
		}
	}
}
