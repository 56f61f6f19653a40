package elasticnet

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// steepest is the largest absolute mean slope over the penalised columns at weights of 0 and an intercept, by plain
// sums, and the slope of the intercept.
func steepest(p *Problem, intercept float64) (most, free float64) {
	g := make([]float64, penalised(p))
	for i, y := range p.Y {
		z := intercept
		if p.Offset != nil {
			z += p.Offset[i]
		}
		c := slope(p.Loss, z, y, p.Loss.Parameter()) / float64(len(p.Y))
		if p.SampleWeight != nil {
			c *= p.SampleWeight[i]
		}
		free += c
		for j, x := range features(p).Row(i) {
			g[j] += c * x
		}
	}
	for _, v := range g {
		most = max(most, math.Abs(v))
	}
	return most, free
}

// TestMaxL1InShards: the largest useful weight is the steepest slope by its definition, in memory and in a file with the
// same bits.
func TestMaxL1InShards(t *testing.T) {
	t.Parallel()
	for k, of := range []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}} {
		p := worded(t, of, repeat.Size(3000, 1500), 700, k != 1, k > 0)
		setIntercept(p, k != 1)
		want, intercept, err := MaxL1InShards(t.Context(), &solvers.Task{Problem: *p}, solvers.Settings{Shards: 8})
		if err != nil {
			t.Fatal(err)
		}
		most, free := steepest(p, intercept)
		if !(math.Abs(want-most) <= 1e-12*most) || want == 0 || p.Intercept && math.Abs(free) > 1e-12 || !p.Intercept && intercept != 0 {
			t.Errorf("%v: %v, by its definition %v; intercept %v, of the slope %v", of, want, most, intercept, free)
		}
		_, _, err = MaxL1InShards(t.Context(), shardstest.InFile(t, p, 1), solvers.Settings{Shards: 8, Workers: 3})
		var short *erm.MemoryError
		if !errors.As(err, &short) {
			t.Fatalf("%v, in one byte: %v", of, err)
		}
		for k, memory := range []int64{short.Need, short.Need + 1<<18, 0} {
			task, used := shardstest.InFile(t, p, memory), int64(0)
			if k == 0 {
				task.Rows.Progress = func(rows, _ int64) { used = rows }
			}
			got, at, err := MaxL1InShards(t.Context(), task, solvers.Settings{Shards: 8, Workers: 1 + k})
			if k == 0 && used != int64(2*len(p.Y)) {
				t.Errorf("%v: %d rows are used, not those of two sweeps", of, used)
			}
			if err != nil || got != want || at != intercept {
				t.Errorf("%v, %d bytes: %v at %v, in memory %v at %v, error %v", of, memory, got, at, want, intercept, err)
			}
		}
	}
}

// TestMaxL1InShardsBeside: columns without a penalty are fitted before, and weights are next to 0 within their bounds.
func TestMaxL1InShardsBeside(t *testing.T) {
	t.Parallel()
	var all []penalty.Weighted
	for _, r := range uneven {
		all = append(all, r)
	}
	for _, r := range confinedTo {
		all = append(all, r)
	}
	for _, r := range unevenGroups() {
		all = append(all, r)
	}
	fitted := 0
	for k, r := range all {
		p := unevenProblem(t, losses[k%len(losses)], k%2 > 0, uint64(k))
		p.Penalty = r
		want, intercept, err := MaxL1(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		got, at, err := MaxL1InShards(t.Context(), &solvers.Task{Problem: *p}, solvers.Settings{Shards: 4})
		if err != nil || math.Abs(got-want) > 1e-7*want+1e-12 || math.Abs(at-intercept) > 1e-6 {
			t.Errorf("%v: %v at %v, without shards %v at %v, error %v", r, got, at, want, intercept, err)
		}
		if file, _, err := MaxL1InShards(t.Context(), shardstest.InFile(t, p, 0), solvers.Settings{Shards: 4}); err != nil || file != got {
			t.Errorf("%v: %v in a file, not %v, error %v", r, file, got, err)
		}
		if u, is := r.(penalty.Uneven); is && u.Factor(1) == 0 {
			fitted++
		}
	}
	if fitted == 0 {
		t.Error("no case leaves a column without a penalty")
	}
}

// TestMaxL1InShardsEnds: what is no problem is refused, and a context that is done at any look ends it.
func TestMaxL1InShardsEnds(t *testing.T) {
	t.Parallel()
	p := worded(t, loss.Logistic{}, 600, 300, true, false)
	p.Penalty = &penalty.Factored{L1: 1, Factors: make([]float64, 300)}
	for j := range 298 {
		p.Penalty.(*penalty.Factored).Factors[j] = 1
	}
	task := shardstest.InFile(t, p, 0)
	looks := lookedAt(math.MaxInt64)
	want, _, err := MaxL1InShards(looks, task, solvers.Settings{Shards: 4, Workers: 1})
	if err != nil || !(want > 0) {
		t.Fatalf("%v, error %v", want, err)
	}
	all := math.MaxInt64 - looks.left.Load()
	for k := range int64(10) {
		at := k * (all - 1) / 9 // up to the last look
		if _, _, err := MaxL1InShards(lookedAt(at), task, solvers.Settings{Shards: 4, Workers: 1}); !errors.Is(err, context.Canceled) {
			t.Errorf("done at look %d of %d: %v", at, all, err)
		}
	}
	ridge := *p
	ridge.Penalty = penalty.Ridge{Lambda: 1}
	for what, c := range map[string]struct {
		task *solvers.Task
		s    solvers.Settings
	}{
		"nothing": {nil, solvers.Settings{}}, "no rows": {&solvers.Task{}, solvers.Settings{}}, "no stream": {&solvers.Task{Rows: &solvers.Rows{}}, solvers.Settings{}},
		"three shards": {&solvers.Task{Problem: *p}, solvers.Settings{Shards: 3}}, "ranks": {task, solvers.Settings{Shards: 2, Ranks: lonely{}}},
		"no convex loss": {&solvers.Task{Problem: Problem{X: p.X, Y: p.Y, Loss: loss.InverseGaussian{}, Penalty: p.Penalty}}, solvers.Settings{}},
	} {
		if got, _, err := MaxL1InShards(t.Context(), c.task, c.s); err == nil {
			t.Errorf("%s: %v", what, got)
		}
	}
	if _, _, err := MaxL1InShards(t.Context(), &solvers.Task{Problem: ridge}, solvers.Settings{}); err != nil {
		t.Errorf("a ridge: %v", err) // a norm of weight 0 beside it
	}
}
