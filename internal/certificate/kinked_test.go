package certificate_test

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
)

// TestKinkedTerms compares the bound of the objective of losses with kinks with its formula, and with the
// objective in many bits. The gradient has no bound, and nothing is known beside an intercept.
func TestKinkedTerms(t *testing.T) {
	t.Parallel()
	for _, phi := range ct.Kinked() {
		for seed, scale := range []float64{1e-6, 1, 1e6} {
			for _, weights := range []float64{1, 7} {
				p, err := ct.Scaled(phi, uint64(seed), 24, 4, scale, 1, weights)
				if err != nil {
					t.Fatal(err)
				}
				w := []float64{0.5, -1 / scale, 2, 0.25}
				objective, norm, slopes := evaluate(t, p, w)
				size := math.Sqrt(0.25 + 1/(scale*scale) + 4 + 1.0/16)
				b := certificate.New(p)
				gradient, value := b.Rounding(slopes, size, norm, objective)
				f := ct.FactsOf(p)
				jump := 1.0
				if _, slope := phi.Value(5, 0, 1); slope > 0 && phi.Slope(-9, 1) == -1 && phi.Slope(9, 1) == 1 {
					jump = 2
				}
				margins := f.Gamma.Scale(size * jump / 24).Times(f.Mass.Times(f.Weighted).Root())
				sums := f.Column.Plus(ct.Unit.Scale(20)).Scale(objective)
				if want := margins.Plus(sums).Float(); !math.IsInf(gradient, 1) || value < want || value > 1.02*want {
					t.Errorf("%v, column %g, weights %g: errors of %v and %v, not %v", phi, scale, weights, gradient, value, want)
				}
				exact, _ := ct.At(p, w)
				if off := math.Abs(exact.Float() - objective); off > value+1e-15*objective {
					t.Errorf("%v, column %g, weights %g: an objective off by %v, with a bound of %v", phi, scale, weights, off, value)
				}
				if gap := b.GapAt(norm, 0, slopes, size, &certificate.Intercept{}); !math.IsInf(gap, 1) {
					t.Errorf("%v: a gap of %v beside an intercept", phi, gap)
				}
				if spread := b.ByColumns(slopes, 1, objective); !math.IsInf(spread, 1) {
					t.Errorf("%v: a bound of %v by columns", phi, spread)
				}
			}
		}
	}
}
