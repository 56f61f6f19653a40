package precise_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/precise"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/loss"
)

// TestOffsets: offsets of a loss of residuals are targets that are less by them, and offsets that
// are all equal move an intercept. The widths of points are bounds for one and the other.
func TestOffsets(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 16))
	for k := range 12 {
		phi := []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}}[k%4]
		c, err := ct.Scaled(phi, uint64(k), 12, 3, 1, 1, []float64{1, 10}[k%2])
		if err != nil {
			t.Fatal(err)
		}
		residuals, n := phi == (loss.Squared{}) || phi.String() == "huber", len(c.Y)
		p := c.With(c.Penalty)
		p.X, p.Intercept = p.X.WithBias(1), true
		p.Y[0], p.Y[1] = 1, -1
		by := 0.0
		p.Offset = make([]float64, n)
		same := p.With(p.Penalty)
		same.Offset = nil
		if same.Y = slices.Clone(p.Y); !residuals {
			by = float64(k) - 3.5
		}
		for i := range p.Offset {
			if p.Offset[i] = by; residuals {
				p.Y[i] = float64(r.IntN(65)-32) / 16
				p.Offset[i] = float64(r.IntN(65)-32) / 16
				same.Y[i] = p.Y[i] - p.Offset[i]
			}
		}
		start := []float64{0.5, -1, 2, 1}
		shifted := slices.Clone(start)
		shifted[3] += by
		of := fmt.Sprintf("%v, offset %v", phi, by)
		const target = 1e-12
		w, v := slices.Clone(start), slices.Clone(shifted)
		gap, _ := precise.Minimise(p, w, target, never)
		other, _ := precise.Minimise(same, v, target, never)
		if !(gap <= target) || !(other <= target) {
			t.Errorf("%s: gaps of %g and %g", of, gap, other)
		}
		for j := range w {
			want := v[j]
			if j == 3 {
				want -= by
			}
			if !(math.Abs(w[j]-want) <= 1e-4*(1+math.Abs(want))) {
				t.Errorf("%s: weight %d is %v, not %v", of, j, w[j], want)
			}
		}
		if a, b := precise.WidthAt(p, 60, start), precise.WidthAt(same, 60, shifted); !(a >= b*0.5) || !(a <= 10*b+1) {
			t.Errorf("%s: widths of %g and %g", of, a, b)
		}
	}
}
