package sdca

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestNarrow: after a look at all margins, the next pass leaves out the rows whose gaps are below
// their share of a quarter of the target, and knows the sum of these gaps.
func TestNarrow(t *testing.T) {
	x, y := generated(t, "text:n=900,d=3000", 1)
	n := float64(len(y))
	p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 0.1 / n}
	for _, m := range []Prox{{}, {NoShrinking: true}} {
		settings := solvers.Settings{GapTolerance: 1e-5}
		loop, full := loopOf(t, p, m, settings)
		l := loop.(*proxLoop)
		s, _ := run.Check(solvers.Settings{MaxEpochs: 5, RecordEvery: 5}, x.Cols())
		if _, err := run.Drive(t.Context(), run.Run{Samples: x.Rows(), Columns: x.Cols(), Loop: loop, Evaluate: full.evaluate}, s); err != nil {
			t.Fatal(err)
		}
		l.settings.GapTolerance = settings.GapTolerance
		l.all()
		full.measure(l.w)
		l.narrow()
		if m.NoShrinking {
			if l.order.Active() != len(y) || l.narrowed {
				t.Errorf("%d rows of %d take part without shrinking", l.order.Active(), len(y))
			}
			continue
		}
		l.order.Begin(l.random)
		takesPart := make([]bool, len(y))
		for _, i := range l.order.Ahead(0, len(y)) {
			takesPart[i] = true
		}
		sum, out := 0.0, 0
		for i := range y {
			z := 0.0
			for j, v := range x.Row(i) {
				z += v * l.w[j]
			}
			a, one := l.dual[i].a, 1/(1+math.Exp(y[i]*z))
			gap := (a*math.Log(a/one) + (1-a)*math.Log((1-a)/(1-one))) / n
			if floor := 0.25 * settings.GapTolerance / n; (gap >= floor) != takesPart[i] && math.Abs(gap/floor-1) > 0.1 {
				t.Errorf("row %d has a gap of %v where the floor is %v, and takes part: %v", i, gap, floor, takesPart[i])
			}
			if !takesPart[i] {
				sum += gap
				out++
			}
		}
		if out < 50 || out > len(y)-50 || !l.narrowed || l.whole || math.Abs(l.left*p.Lambda/sum-1) > 0.05 {
			t.Errorf("%d of %d rows are left out, narrowed %v, whole %v, with a gap of %v, not %v", out, len(y), l.narrowed, l.whole, l.left*p.Lambda, sum)
		}
	}
}
