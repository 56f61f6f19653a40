package elasticnet

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// alike returns a problem whose columns are a few columns repeated, plus a share of noise.
func alike(t *testing.T, phi loss.Loss, n, d, few int, noise float64) *Problem {
	random := rand.New(rand.NewPCG(7, 8))
	p := &Problem{Penalty: penalty.L1{Lambda: 1e-5}}
	p.Loss = phi
	var values []float64
	for range n {
		sum, base := 0.0, make([]float64, few)
		for k := range base {
			base[k] = 2*random.Float64() - 1
		}
		for j := range d {
			v := base[j%few] + float64(noise*(2*random.Float64()-1))
			values, sum = append(values, v), sum+float64(v*(float64(j%7)-3))
		}
		y := 1.0
		if sum+float64(20*(random.Float64()-0.5)) < 0 {
			y = -1
		}
		p.Y = append(p.Y, y)
	}
	p.X = full(t, d, values)
	return p
}

// TestAlike: columns that nearly depend on one another, where runs stall after 600 iterations
// and more that have sweeps and conjugate gradients with the diagonal alone. A run that is cut
// ends with the bits of one that is not.
func TestAlike(t *testing.T) {
	repeat.Skip(t)
	const most = 300
	for _, phi := range repeat.Size([]loss.Loss{loss.Logistic{}, loss.Squared{}}, []loss.Loss{loss.Squared{}}) {
		p := alike(t, phi, 300, 120, 12, 0.01)
		settings := solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1000, Workers: 1}
		r := solve(t, p, settings)
		if r.Status != solvers.Converged || r.Total.Iterations > most {
			t.Errorf("%v: %v with a gap of %v after %d iterations", phi, r.Status, r.Gap, r.Total.Iterations)
		}
		settings.Checkpoint, settings.Overwrite = filepath.Join(t.TempDir(), "run"), true
		for settings.MaxIterations = 3; settings.MaxIterations < r.Total.Iterations-10; settings.MaxIterations += repeat.Size[int64](4, 40) {
			if cut := solve(t, p, settings); cut.Status != solvers.BudgetReached {
				t.Fatalf("%v: %v after %d iterations", phi, cut.Status, cut.Total.Iterations)
			}
			settings.Resume = settings.Checkpoint
		}
		settings.MaxIterations = 0
		if cut := solve(t, p, settings); solvers.HashWeights(cut.Weights) != solvers.HashWeights(r.Weights) {
			t.Errorf("%v: other bits than without cuts", phi)
		}
	}
}

// TestUnsolved: a matrix that costs too much at first, until sweeps over columns which nearly
// depend on one another have left models unsolved. Without it a gap of 0.001 is left.
func TestUnsolved(t *testing.T) {
	repeat.Skip(t)
	const most = 150
	p := alike(t, loss.Logistic{}, 60, 500, 12, 0.1)
	settings := solvers.Settings{GapTolerance: 1e-7, MaxEpochs: 1000, MaxIterations: most, Workers: 1}
	r := solve(t, p, settings)
	if r.Status != solvers.Converged {
		t.Fatalf("%v with a gap of %v after %d iterations", r.Status, r.Gap, r.Total.Iterations)
	}
	settings.Checkpoint, settings.Overwrite = filepath.Join(t.TempDir(), "run"), true
	for _, settings.MaxIterations = range []int64{2, 3, 5, 8, 13, most} {
		cut := solve(t, p, settings)
		if settings.Resume = settings.Checkpoint; settings.MaxIterations == most && solvers.HashWeights(cut.Weights) != solvers.HashWeights(r.Weights) {
			t.Errorf("other bits than without cuts")
		}
	}
}

// TestFactor: the factor of some of a matrix's weights solves for these weights, and leaves out
// weights of residual 0.
func TestFactor(t *testing.T) {
	const size = 5
	gram := make([]float64, size*size)
	for a := range size {
		for b := range size {
			gram[a*size+b] = 1 / float64(1+a+b)
		}
		gram[a*size+a]++
	}
	want, free := []float64{0, 2, 0, -1, 3}, []int{1, 3, 4}
	residual := make([]float64, size)
	for _, a := range free {
		for _, b := range free {
			residual[a] += float64(gram[a*size+b] * want[b])
		}
	}
	var f factor
	f.of(&part{gram: gram, slope: make([]float64, size)}, free)
	got := make([]float64, size)
	if f.solve(got, residual); math.Abs(got[1]-2)+math.Abs(got[3]+1)+math.Abs(got[4]-3) > 1e-7 || got[0] != 0 || got[2] != 0 {
		t.Errorf("%v, not %v", got, want)
	}
	residual[3] = 0
	if f.solve(got, residual); got[3] != 0 || got[1] == 0 {
		t.Errorf("%v, with a residual of 0 at 3", got)
	}
}
