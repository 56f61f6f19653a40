package softmax

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// scaled multiplies the columns of a random problem by powers of ten up to 10^+-most.
func scaled(t *testing.T, n, d, count int, most float64, seed uint64) *Problem {
	t.Helper()
	p := randomProblem(t, n, d, count, seed)
	r := rand.New(rand.NewPCG(seed, 3))
	scale := make([]float64, p.X.Cols())
	for j := range scale {
		scale[j] = 1
		for range int(math.Round(most * r.Float64())) {
			scale[j] *= 10
		}
		if r.IntN(2) == 0 {
			scale[j] = 1 / scale[j]
		}
	}
	ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range n {
		for j, v := range p.X.Row(i) {
			columns, values = append(columns, uint32(j)), append(values, float64(v*scale[j]))
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(len(scale), ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X, p.Lambda = x, 1/float64(n)
	return p
}

// missing is the norm of the exact gradient at w, class after class, less g.
func missing(p *Problem, w, g []float64) float64 {
	square := 0.0
	for j, want := range inManyBits(p, w) {
		off, _ := want.Sub(want, new(big.Float).SetFloat64(g[j])).Float64()
		square += off * off
	}
	return math.Sqrt(square)
}

// TestScaledColumns: runs on columns of very different scales converge, and their gaps are
// bounds by the gradient in many bits. By the norms of rows and weights alone, rounding may
// have been 1e10 times what is missing, and no gap was proved.
func TestScaledColumns(t *testing.T) {
	for seed, most := range []float64{3, 6, 6, 5, 8, 10} {
		for _, count := range []int{3, 5} {
			p := scaled(t, 50, 6, count, most, uint64(seed))
			if seed == 1 {
				p = weighted(p)
			}
			r := solve(t, p, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 3000})
			exact := missing(p, r.Weights, make([]float64, len(r.Weights)))
			if least := exact * exact / (2 * p.Lambda); r.Status != solvers.Converged || !(r.Gap >= least*(1-1e-12)) {
				t.Errorf("seed %d, %d classes: %v with a gap of %v; of the gradient in many bits, %v", seed, count, r.Status, r.Gap, least)
			}
		}
	}
}

// TestCareful: what is missing in the norm of the gradient, computed with care, is within its
// bound, at points near and far.
func TestCareful(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for seed, most := range []float64{0, 3, 6, 10} {
		p := weighted(scaled(t, 12, 5, 4, most, uint64(seed)))
		end := solve(t, p, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000})
		for _, away := range []float64{0, 1e-12, 1e-3, 1, 30} {
			w := append([]float64(nil), end.Weights...)
			for j := range w {
				w[j] *= 1 + float64(away*normal(r))
			}
			o := newObjective(p, nil)
			plain := o.evaluate(w)
			columns := make([]float64, len(w))
			o.byColumn(columns, w)
			norm, rounding, _ := (*certificate.Classes)(p).Careful(columns)
			exact := missing(p, w, make([]float64, len(w)))
			if off := math.Abs(exact - norm); !(off <= rounding) || !(rounding <= 1e-12*exact+plain.GradientError) {
				t.Errorf("columns 1e+-%v, weights off by %v: norm %v, exactly %v; bound %v, %v without care", most, away, norm, exact, rounding, plain.GradientError)
			}
		}
	}
}
