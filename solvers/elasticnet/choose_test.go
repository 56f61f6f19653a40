package elasticnet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestChoose: a working set has the weights that are not 0 and the steepest columns beyond l1. It
// has all columns if these would be half of them.
func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ d, used, beyond, rows, want int }{
		{1000, 0, 0, 0, 0},
		{1000, 0, 40, 0, 40},
		{1000, 0, 300, 1600, 64},
		{1000, 0, 300, 3200, 100},
		{1000, 3, 300, 0, 3 + 64},
		{1000, 50, 300, 0, 50 + 100},
		{1000, 50, 300, 1600, 50 + 200},
		{1000, 50, 90, 1600, 50 + 90},
		{1000, 200, 299, 0, 499},
		{1000, 200, 300, 0, 1000},
		{129, 0, 10, 0, 10},
		{128, 0, 10, 0, 128},
		{13, 1, 0, 0, 13},
	} {
		r := rand.New(rand.NewPCG(uint64(c.d), uint64(c.beyond)))
		l := &loop{objective: &objective{p: &Problem{Penalty: penalty.L1{Lambda: 1}}, n: c.rows, d: c.d, g: make([]float64, c.d), v: make([]float64, c.d)}, w: make([]float64, c.d)}
		l.penalise()
		order := r.Perm(c.d)
		for k, j := range order {
			switch {
			case k < c.used:
				l.w[j] = 1
			case k < c.used+c.beyond: // the first are the steepest, with equal ones among them
				l.g[j] = (2 + float64((c.beyond-k)/3)/float64(c.d)) * float64(1-2*(k%2))
			default:
				l.g[j] = 0.9
			}
		}
		l.g[order[c.d-1]] = math.NaN()
		l.setViolations(l.w)
		got := l.choose()
		if len(got) != c.want || !slices.IsSorted(got) {
			t.Errorf("%+v: %d columns", c, len(got))
		}
		if c.want == c.d {
			continue
		}
		steepest := math.Inf(1) // least slope of a column that came in
		in := make([]bool, c.d)
		for _, j := range got {
			if in[j] = true; l.w[j] == 0 {
				steepest = min(steepest, math.Abs(l.g[j]))
			}
		}
		last := 0 // of its equals
		for j := range in {
			if in[j] && l.w[j] == 0 && math.Abs(l.g[j]) == steepest {
				last = j
			}
		}
		for j := range in {
			switch g := math.Abs(l.g[j]); {
			case in[j] && l.w[j] == 0 && g <= 1, !in[j] && l.w[j] != 0:
				t.Errorf("%+v: column %d with weight %v and slope %v", c, j, l.w[j], g)
			case !in[j] && g > 1 && g > steepest:
				t.Errorf("%+v: column %d of slope %v is left out, one of %v is in", c, j, g, steepest)
			case !in[j] && g == steepest && j < last:
				t.Errorf("%+v: column %d of slope %v is left out, column %d of the same slope is in", c, j, g, last)
			}
		}
	}
}

// TestSmallFinish: one positive row, columns far from 0 and a time stamp. The steps of such
// small problems take all columns, so that the finish in 512 bits is not missed.
func TestSmallFinish(t *testing.T) {
	t.Parallel()
	for seed := uint64(24); seed < repeat.Size[uint64](30, 26); seed++ {
		r := rand.New(rand.NewPCG(seed, 46))
		const n, d = 31, 13
		values, y := make([]float64, n*d), make([]float64, n)
		var offset [d]float64
		for j := range offset {
			if r.IntN(2) == 0 {
				offset[j] = math.Pow(10, 1+7*r.Float64())
			}
		}
		for i := range y {
			y[i] = -1
			for j := range d {
				values[i*d+j] = r.NormFloat64() + offset[j]
			}
			values[i*d+d-1] = 1.7e9 + 3e7*r.Float64()
		}
		y[r.IntN(n)] = 1
		p := &erm.Problem{X: full(t, d, values), Y: y, Loss: loss.Logistic{}, Penalty: penalty.L1{Lambda: 0.7393270150587883}}
		got := solve(t, p, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1e5, MaxIterations: 2000, Workers: 1})
		if got.Status != solvers.Converged {
			t.Errorf("seed %d: %v after %d iterations, gap %v", seed, got.Status, got.Total.Iterations, got.Gap)
		}
	}
}
