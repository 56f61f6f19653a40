package auto_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

// scaled returns n rows of d values from draw(column), with labels by the first three
// columns and noise.
func scaled(t *testing.T, n, d int, draw func(random *rand.Rand, column int) float64) *erm.Problem {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	p := &erm.Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(n)}}
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	for range n {
		score := random.NormFloat64()
		for j := range d {
			v := draw(random, j)
			if v == 0 {
				continue
			}
			index, values = append(index, uint32(j)), append(values, v)
			if j < 3 {
				score += v
			}
		}
		begins = append(begins, int64(len(index)))
		p.Y = append(p.Y, math.Copysign(1, score))
	}
	var err error
	if p.X, err = sparse.NewCSR(d, begins, index, values); err != nil {
		t.Fatal(err)
	}
	return p
}

// longRows are problems whose ||x||^2/(lambda n) is 1e6 and more.
func longRows(t *testing.T) map[string]*erm.Problem {
	text := func(c float64) *erm.Problem {
		return scaled(t, 200, 500, func(random *rand.Rand, column int) float64 {
			if column == 7 {
				return c * random.Float64()
			}
			return max(0, random.NormFloat64()-2)
		})
	}
	list := map[string]*erm.Problem{
		"one column of 1e4": scaled(t, 60, 100, func(random *rand.Rand, column int) float64 {
			if column == 3 {
				return 1e4 * random.NormFloat64()
			}
			return random.NormFloat64()
		}),
		"values from 0 to 999": scaled(t, 50, 80, func(random *rand.Rand, column int) float64 {
			return float64(random.IntN(1000))
		}),
		"text and a column up to 1000": text(1000),
		"text and a column up to 1e8":  text(1e8),
		"rows of 1e120": scaled(t, 20, 30, func(random *rand.Rand, column int) float64 {
			return 1e120 * random.NormFloat64()
		}),
	}
	for _, c := range []float64{1e3, 1e6, 1e10} {
		p := text(1)
		p.Penalty = penalty.Ridge{Lambda: p.Ridge() / c}
		list[fmt.Sprintf("text at C = %g", c)] = p
	}
	return list
}

// Whatever the lengths of the rows: the default ends at its target, with an objective
// that is not above what Newton's method finds by more than the gap.
func TestSolvesLongRows(t *testing.T) {
	for name, p := range longRows(t) {
		for _, every := range []float64{0, 1} {
			s := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000, RecordEvery: every}
			r, err := auto.Solve(context.Background(), p, s)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Status != solvers.Converged || r.Solver != (sdca.Hybrid{}).Name() {
				t.Errorf("%s: %v by %s after %v passes at %v, gap %v", name, r.Status, r.Solver, r.Total.Epochs, r.Objective, r.Gap)
			}
			other, err := erm.Solve(context.Background(), p, erm.Newton{}, s)
			if err != nil {
				t.Fatal(err)
			}
			if !(r.Objective <= other.Objective+1e-6) {
				t.Errorf("%s: objective %v, by Newton's method %v", name, r.Objective, other.Objective)
			}
		}
		r, err := sdca.Solve(context.Background(), p, sdca.Prox{}, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 30})
		if err != nil {
			t.Fatal(err)
		}
		if !(r.Objective <= math.Ln2*(1+1e-15)) {
			t.Errorf("%s: prox-sdca: %v at %+v", name, r.Status, r.Point)
		}
	}
}

// TestSolvesSteepPaths: a path whose lambda falls a hundredfold from point to point ends at every
// point's minimum. The dual variables of one point are far from the next point's.
func TestSolvesSteepPaths(t *testing.T) {
	p := longRows(t)["text at C = 1000"]
	lambdas, err := related.Lambdas(1e-2, 1e-12, 6)
	if err != nil {
		t.Fatal(err)
	}
	s := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000}
	fits, err := related.Path(context.Background(), p, lambdas, related.Run{Solve: auto.Solve, Settings: s})
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for k, r := range fits {
		if r.Status != solvers.Converged || r.Objective > last {
			t.Errorf("lambda %g: %v at %v after %v", lambdas[k], r.Status, r.Objective, last)
		}
		last = r.Objective
	}
}

// The data sets on which an earlier choice was wrong.
func TestSolvesLongRowsOfData(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range []struct {
		name     string
		positive float64
		cost     float64
	}{{"dorothea.train", 1, 1e3}, {"sector.scale", 5, 1e6}} {
		x, y := solvetest.ReadData(t, c.name, c.positive)
		p := &erm.Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / (c.cost * float64(x.Rows()))}}
		r, err := auto.Solve(context.Background(), p, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 3000, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged {
			t.Errorf("%s at C = %g: %v at %+v", c.name, c.cost, r.Status, r.Point)
		}
	}
}
