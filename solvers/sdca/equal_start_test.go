package sdca

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestFarFromEqual: few rows tell starts with equal dual variables that are far from the optimum
// from starts that are near. The gap of the start is computed here from all rows.
func TestFarFromEqual(t *testing.T) {
	repeat.Skip(t)
	near, far := 0, 0
	for _, spec := range []string{"text:n=4000,d=9000", "wide:n=3500,d=60000", "text:n=4000,d=4500"} {
		x, y := generated(t, spec, 1)
		for _, rare := range []int{1, 400} {
			for i := range y {
				if rare > 1 && i%rare > 0 {
					y[i] = -1
				}
			}
			for _, c := range []float64{1e-3, 0.1, 0.4, 2} {
				n := len(y)
				p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (c * float64(n))}}
				v := make([]float64, x.Cols())
				for i := range n {
					for j, e := range x.Row(i) {
						v[j] += c * y[i] * e
					}
				}
				k := 0.0
				for _, e := range v {
					k += e * e / (c * float64(n))
				}
				low, high := -k, 0.0 // of the logit u with u + k sigma(u) = 0
				for range 200 {
					if u := (low + high) / 2; u+k/(1+math.Exp(-u)) < 0 {
						low = u
					} else {
						high = u
					}
				}
				a, gap := 1/(1+math.Exp(-low)), 0.0
				for i := range n {
					m := 0.0
					for j, e := range x.Row(i) {
						m += a * y[i] * e * v[j]
					}
					one := 1 / (1 + math.Exp(m))
					gap += (a*math.Log(a/one) + (1-a)*math.Log((1-a)/(1-one))) / float64(n)
				}
				l := grouped(t, p, solvers.Settings{})
				switch is := l.farFromEqual(); {
				case is && gap < startGap/2, !is && gap > 10*startGap:
					t.Errorf("%s, one label in %d, C = %v: a gap of %v, far: %v", spec, rare, c, gap, is)
				case is:
					far++
				default:
					near++
				}
			}
		}
	}
	if near < 8 || far < 4 {
		t.Errorf("%d starts are near the optimum and %d far", near, far)
	}
}
