package sdca

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// lastWeights measures weights so that wrong numbers show, and sees how many there are.
type lastWeights struct{ columns int }

func (lastWeights) Name() string         { return "by column" }
func (lastWeights) HigherIsBetter() bool { return true }
func (m *lastWeights) Measure(w []float64) (float64, error) {
	m.columns = len(w)
	sum := 0.0
	for j, v := range w {
		sum = math.FMA(float64(j%1009), v*v, sum)
	}
	return sum, nil
}

// TestColumnsThatDoNotOccur: a run leaves very many empty columns out. It has the bits of a run
// on the columns that occur, picked beforehand, with zeros for the others. This holds with
// validation, with Newton's method, after a resume, and for any number of workers.
func TestColumnsThatDoNotOccur(t *testing.T) {
	g := solvetest.Generate(t, "wide:n=300,d=300000", 1)
	occurs := make([]bool, g.X.Cols())
	for i := range g.X.Rows() {
		for j := range g.X.Row(i) {
			occurs[j] = true
		}
	}
	var list []uint32
	for j, yes := range occurs {
		if yes {
			list = append(list, uint32(j))
		}
	}
	picked, err := matrix.PickColumns(g.X, nil, list)
	if err != nil {
		t.Fatal(err)
	}
	if !matrix.CompactingPays(g.X) || matrix.CompactingPays(picked) {
		t.Fatal("the matrices have other sizes than the test needs")
	}
	dir, biases := t.TempDir(), []float64{0, 0.5}
	if testing.Short() {
		biases = biases[1:]
	}
	for _, c := range []struct {
		method Method
		lambda float64
		gap    float64
	}{{Prox{}, 1. / 300, 1e-5}, {Hybrid{}, 1. / 300, 1e-5}, {Hybrid{}, 1e-9, 1e-6}} {
		for _, bias := range biases {
			p := &erm.Problem{X: g.X.WithBias(bias), Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: c.lambda}}
			few := *p
			few.X = picked.WithBias(bias)
			s := solvers.Settings{GapTolerance: c.gap, MaxEpochs: 60, Seed: 4, Workers: 1}
			inner := solve(t, &few, c.method, s)
			want := make([]float64, p.X.Cols())
			for k, j := range list {
				want[j] = inner.Weights[k]
			}
			copy(want[len(occurs):], inner.Weights[len(list):])
			for workers := 1; workers <= 2; workers++ {
				s.Workers, s.Checkpoint, s.Resume, s.MaxIterations = workers, "", "", 0
				wantSame(t, c.method.Name(), solve(t, p, c.method, s).Weights, want)
				s.Checkpoint, s.Overwrite, s.MaxIterations = filepath.Join(dir, "run"), true, 450
				solve(t, p, c.method, s)
				s.MaxIterations, s.Resume = 0, s.Checkpoint
				wantSame(t, c.method.Name()+" resumed", solve(t, p, c.method, s).Weights, want)
			}
			metric := &lastWeights{}
			s = solvers.Settings{MaxEpochs: 3, Seed: 4, Validation: metric}
			r := solve(t, p, c.method, s)
			if value, _ := (&lastWeights{}).Measure(r.Weights); metric.columns != p.X.Cols() || value != r.Metric {
				t.Errorf("%d columns were measured; the result has %v, its weights %v", metric.columns, r.Metric, value)
			}
		}
	}
	// A starting point may have weights where no entry is.
	start := make([]float64, g.X.Cols())
	for j := range start {
		start[j] = 1e-3
	}
	var trace solvers.Trace
	p := &erm.Problem{X: g.X, Y: g.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1. / 300}}
	solve(t, p, Hybrid{}, solvers.Settings{Initial: start, MaxEpochs: 2, Recorder: &trace})
	if len(trace) == 0 {
		t.Error("no point was recorded")
	}
}
