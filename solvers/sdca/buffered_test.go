package sdca

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/internal/handover"
	"github.com/lanes-go/lanes/sparse"
)

// bufferedMethods take rows in shards.
var bufferedMethods = []Method{Prox{}, Hybrid{}}

// shardedProblem is randomProblem with weights, and beside an intercept with offsets.
func shardedProblem(t testing.TB, phi loss.Loss, n, d int, beside bool) *erm.Problem {
	p := randomProblem(t, phi, n, d, 6, 0.01, true)
	if beside {
		p.X, p.Intercept = p.X.WithBias(1), true
		for i := range p.Y {
			p.Offset = append(p.Offset, float64(i%7)/4-1)
		}
	}
	return p
}

// TestBufferedGap: gaps are bounds all the way, from 0 and from a given point, and a run reaches its target.
func TestBufferedGap(t *testing.T) {
	t.Parallel()
	for _, phi := range append([]loss.Loss{loss.Hinge{}, loss.Insensitive{Epsilon: 0.1}}, allLosses...) {
		for _, beside := range []bool{false, true} {
			p := shardedProblem(t, phi, 200, 30, beside)
			best := solve(t, p, Hybrid{}, solvers.Settings{MaxEpochs: 5000, GapTolerance: 1e-14})
			for _, m := range bufferedMethods {
				for _, initial := range [][]float64{nil, solve(t, p, Prox{}, solvers.Settings{MaxEpochs: 2}).Weights} {
					name := fmt.Sprintf("%s %v beside an intercept %v, given %v", m.Name(), phi, beside, initial != nil)
					var trace solvers.Trace
					solve(t, p, m, solvers.Settings{MaxEpochs: 20, Recorder: &trace, RecordEvery: 0.5, Seed: 9, Shards: 4, Initial: initial})
					if len(trace) < 30 {
						t.Errorf("%s: %d records of 20 passes by halves", name, len(trace))
					}
					for _, q := range trace {
						if above := q.Objective - best.Objective; !(q.Gap >= above-1e-13) {
							t.Fatalf("%s: %.3g above the minimum, gap %.3g", name, above, q.Gap)
						}
					}
					end := solve(t, p, m, solvers.Settings{MaxEpochs: 2000, GapTolerance: 1e-9, Shards: 4, Initial: initial})
					if above := end.Objective - best.Objective; end.Status != solvers.Converged || !(above <= 1e-9) {
						t.Errorf("%s: %v after %v passes, %.3g above the minimum, gap %.3g", name, end.Status, end.Epochs, above, end.Gap)
					}
				}
			}
		}
	}
}

// TestBufferedPlaces: a run has the same bits in memory and in a file, with any memory and number of workers.
func TestBufferedPlaces(t *testing.T) {
	t.Parallel()
	for k, phi := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Hinge{}} {
		p := shardedProblem(t, phi, repeat.Size(20000, 3000), 60+100*k, k%2 == 1)
		for _, m := range bufferedMethods {
			settings := solvers.Settings{MaxEpochs: 6, GapTolerance: 1e-12, Shards: 4, Seed: 3}
			want := solve(t, p, m, settings)
			_, err := solveTask(context.Background(), shardstest.InFile(t, p, 1), m, settings)
			var short *erm.MemoryError
			if !errors.As(err, &short) {
				t.Fatalf("a byte of memory: error %v", err)
			}
			for _, memory := range []int64{short.Need, short.Need + short.Need/8, 0} {
				for _, workers := range []int{1, 3} {
					settings.Workers = workers
					got, err := solveTask(context.Background(), shardstest.InFile(t, p, memory), m, settings)
					if err != nil {
						t.Fatal(err)
					}
					what := fmt.Sprintf("%s %v, %d bytes, %d workers", m.Name(), phi, memory, workers)
					wantSame(t, what, got.Weights, want.Weights)
					wantSame(t, what, []float64{got.Gap, got.Objective, got.GradientNorm, got.Epochs}, []float64{want.Gap, want.Objective, want.GradientNorm, want.Epochs})
				}
			}
			if _, err := solveTask(context.Background(), shardstest.InFile(t, p, short.Need-1), m, settings); !errors.As(err, &short) {
				t.Errorf("a byte less than is needed: error %v", err)
			}
		}
	}
}

// TestBufferedOrder: rows that a file has sorted by label take about as many passes as shuffled ones.
func TestBufferedOrder(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, repeat.Size(40000, 8000), repeat.Size(3000, 600), 10, 1e-4, false)
	settings := solvers.Settings{MaxEpochs: 100, GapTolerance: 1e-6, Shards: 4}
	shuffled := solve(t, p, Prox{}, settings)
	var list []uint32
	sorted := *p
	sorted.Y = nil
	for _, label := range []float64{-1, 1} {
		for i, y := range p.Y {
			if y == label {
				list, sorted.Y = append(list, uint32(i)), append(sorted.Y, y)
			}
		}
	}
	x, err := p.X.WithBias(0).PickRows(nil, list)
	if err != nil {
		t.Fatal(err)
	}
	sorted.X = x.WithBias(p.X.Bias())
	got := solve(t, &sorted, Prox{}, settings)
	if shuffled.Status != solvers.Converged || got.Status != solvers.Converged || got.Epochs > 1.3*shuffled.Epochs {
		t.Errorf("%v after %v passes, and sorted %v after %v", shuffled.Status, shuffled.Epochs, got.Status, got.Epochs)
	}
}

// TestBufferedRows: the buffers of a pass have every row once, mix rows of runs far apart, and differ from
// pass to pass.
func TestBufferedRows(t *testing.T) {
	for _, n := range []int{1, 2, 17, 1000, 1024, 5000} {
		x, err := sparse.NewCSR(1, make([]int64, n+1), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows := &shards.Memory{X: x, Y: make([]float64, n), Shards: 1}
		mixing, other := shards.NewMixing(n, 5), shards.NewMixing(n, 6)
		var first []shards.Place
		for pass := range 3 {
			seen := make([]int, n)
			for b := range mixing.Buffers() {
				var m, elsewhere shards.Mixed
				if err := errors.Join(mixing.Load(&m, rows, pass, b, true, nil), other.Load(&elsewhere, rows, pass, b, true, (*matrix.Pool)(nil))); err != nil {
					t.Fatal(err)
				}
				least, most, neighbours := uint32(n), uint32(0), 0
				for k, p := range m.Rows {
					seen[p.Row]++
					least, most = min(least, p.Row), max(most, p.Row)
					if k > 0 && p.Row == m.Rows[k-1].Row+1 {
						neighbours++
					}
				}
				if n >= 5000 && neighbours > len(m.Rows)/8 {
					t.Errorf("%d rows: in buffer %d of pass %d %d of %d rows follow their neighbours", n, b, pass, neighbours, len(m.Rows))
				}
				if n >= 1000 && most-least < uint32(n/4) {
					t.Errorf("%d rows: buffer %d of pass %d has rows from %d to %d", n, b, pass, least, most)
				}
				if b > 0 {
					continue
				}
				if n >= 1000 && (fmt.Sprint(m.Rows) == fmt.Sprint(first) || fmt.Sprint(m.Rows) == fmt.Sprint(elsewhere.Rows)) {
					t.Errorf("%d rows: pass %d is as another", n, pass)
				}
				first = m.Rows
			}
			for i, count := range seen {
				if count != 1 {
					t.Fatalf("%d rows: row %d is %d times in pass %d", n, i, count, pass)
				}
			}
		}
	}
}

// TestBufferedFaults: a file that is damaged under a run ends it with an error and without a result.
func TestBufferedFaults(t *testing.T) {
	p := shardedProblem(t, loss.Logistic{}, 5000, 100, false)
	task := shardstest.InFile(t, p, 0)
	path := task.Rows.Stream.Name()
	size, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	task.Rows.Progress = func(rows, _ int64) {
		if rows > 20000 {
			os.Truncate(path, size.Size()/2)
		}
	}
	task.Rows.Memory = 9 << 20 // hardly a group is kept
	got, err := solveTask(context.Background(), task, Prox{}, solvers.Settings{MaxEpochs: 1000, GapTolerance: 1e-300})
	if err == nil || got != nil {
		t.Errorf("error %v, result %v", err, got)
	}
}

// TestBufferedResume: a run in a file that is left and resumed, with other memory, has the bits of one run.
func TestBufferedResume(t *testing.T) {
	for _, m := range bufferedMethods {
		p := shardedProblem(t, loss.Logistic{}, 3000, 50, true)
		p.Penalty = penalty.Ridge{Lambda: 1e-7} // Hybrid changes to Newton's method
		settings := solvers.Settings{MaxEpochs: 14.5, Shards: 2, Seed: 1}
		want := solve(t, p, m, settings)
		part := settings
		part.Checkpoint = filepath.Join(t.TempDir(), "state")
		for _, passes := range []float64{0.3, 2, 6.7, 11, settings.MaxEpochs} {
			if part.MaxEpochs = passes; passes > 0.3 {
				part.Resume = part.Checkpoint
			}
			got, err := solveTask(context.Background(), shardstest.InFile(t, p, int64(passes)<<26), m, part)
			if err != nil {
				t.Fatal(err)
			}
			if passes == settings.MaxEpochs {
				wantSame(t, m.Name(), got.Weights, want.Weights)
			}
		}
		if math.IsNaN(want.Objective) {
			t.Error("no objective")
		}
	}
}

// TestBufferedTurns: where dual steps are slow, sdca-newton changes to Newton's method and ends by it.
func TestBufferedTurns(t *testing.T) {
	p := solvetest.Generate(t, "dense:n=2000,d=40", 3)
	problem := &erm.Problem{X: p.X, Y: p.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1e-9}}
	settings := solvers.Settings{MaxEpochs: 200, GapTolerance: 1e-8, Shards: 4}
	slow, quick := solve(t, problem, Prox{}, settings), solve(t, problem, Hybrid{}, settings)
	if quick.Status != solvers.Converged || slow.Status == solvers.Converged {
		t.Errorf("dual steps alone: %v, gap %.3g; with Newton's method: %v, gap %.3g", slow.Status, slow.Gap, quick.Status, quick.Gap)
	}
}

// TestBufferedDistance: a weight that the dual variables do not have counts in the gap.
func TestBufferedDistance(t *testing.T) {
	x, err := sparse.NewCSR(2, make([]int64, 301), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &erm.Problem{X: x, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.5}}
	for i := range x.Rows() {
		p.Y = append(p.Y, float64(i%2*2-1))
	}
	pool := matrix.NewPool(2)
	defer pool.Close()
	s := &run.Session{Settings: solvers.Settings{Shards: 2}, Pool: pool, Ending: func() bool { return false }}
	rows := &shards.Memory{X: p.X, Y: p.Y, Shards: 2}
	sums, err := handover.ShardSums(rows, p, s, shards.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := newBufferedLoop(rows, p, s, sums)
	for i, y := range p.Y {
		l.alpha[i] = 0.5 * y
	}
	for _, weight := range []float64{0, 1, 3} {
		e, err := l.evaluate([]float64{0, weight})
		if above := 0.25 * weight * weight; err != nil || !(e.Gap >= above && e.Gap <= above+1e-12) || math.Abs(e.Objective-math.Ln2-above) > 1e-12 {
			t.Errorf("weight %v: %+v, error %v", weight, e, err)
		}
	}
}

// TestBufferedObserved: nobody is told residues of rows in shards, and the run says so.
func TestBufferedObserved(t *testing.T) {
	p := shardedProblem(t, loss.Logistic{}, 100, 20, false)
	if got, err := SolveObserved(t.Context(), p, Prox{}, solvers.Settings{Shards: 2, MaxEpochs: 1}, func([]float64) {}); err == nil || got != nil {
		t.Errorf("error %v, result %v", err, got)
	}
}
