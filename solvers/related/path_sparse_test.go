package related

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
)

func lasso(weight float64) penalty.Penalty { return penalty.L1{Lambda: weight} }

// TestSparsePath: the points of a SparsePath have the objectives of single solutions, with and
// without an intercept, on the path and in folds. The bits do not depend on the workers.
func TestSparsePath(t *testing.T) {
	p := binary(t, "onehot:n=400,d=300")
	metric, _ := metrics.Find("logloss")
	for _, intercept := range []bool{false, true} {
		p := *p
		p.X, p.Penalty = p.X.WithBias(0), penalty.Ridge{Lambda: 0}
		if p.Intercept = intercept; intercept {
			p.X = p.X.WithBias(1)
		}
		q := p
		high, _, err := elasticnet.MaxL1(nil, &q)
		if err != nil {
			t.Fatal(err)
		}
		lambdas, _ := Lambdas(high, 0.02*high, 8)
		want := ""
		for workers := 1; workers <= 2; workers++ {
			run := Run{Begin: SparsePath{}.Begin, Penalty: lasso, Settings: solvers.Settings{GapTolerance: 1e-7, Workers: workers}}
			fits, err := Path(context.Background(), &p, lambdas, run)
			hash, whole, err := finished(fits, err)
			if err != nil || !whole || want != "" && hash != want {
				t.Fatalf("intercept %t, %d workers: %v, whole %t, other bits %t", intercept, workers, err, whole, hash != want)
			}
			want = hash
			for k, r := range fits {
				q.Penalty = penalty.ElasticNet{L1: lambdas[k], L2: q.Ridge()}
				single, err := elasticnet.Solve(context.Background(), &q, nil, solvers.Settings{GapTolerance: 1e-7})
				if err != nil || r.Status != solvers.Converged || !(math.Abs(single.Objective-r.Objective) <= 1e-7) {
					t.Errorf("intercept %t, point %d: %v, %v with objective %v, not %v", intercept, k, err, r.Status, r.Objective, single.Objective)
				}
			}
		}
		var bits []string
		for workers := 1; workers <= 2; workers++ {
			run := Run{Begin: SparsePath{}.Begin, Penalty: lasso, Settings: solvers.Settings{GapTolerance: 1e-7, Workers: workers}, Least: 5}
			v, err := CrossValidate(context.Background(), &p, lambdas, Validation{Folds: 3, Metric: metric}, run)
			if err != nil || v.Status != solvers.Converged {
				t.Fatal(err, v.Status)
			}
			bits = append(bits, solvers.HashWeights(v.Mean))
		}
		if bits[0] != bits[1] {
			t.Errorf("intercept %t: folds depend on the workers", intercept)
		}
	}
}

func TestSparsePathRefuses(t *testing.T) {
	p := binary(t, "onehot:n=100,d=60")
	p.X, p.Intercept = p.X.WithBias(0), true
	if _, err := (SparsePath{}).Begin(p); err == nil || !strings.Contains(err.Error(), "bias column") {
		t.Errorf("error %v", err)
	}
	p.Intercept = false
	if _, err := (SparsePath{}).Begin(&erm.Problem{}); err == nil {
		t.Error("no rows are taken")
	}
	run := Run{Begin: SparsePath{}.Begin, Classes: 3}
	if _, err := Path(context.Background(), p, []float64{0.1}, run); err == nil || !strings.Contains(err.Error(), "is of class") {
		t.Errorf("error %v", err)
	}
	c := rows(t, "text:n=120,d=40", 3) // with a bias column of 1
	c.X, c.Intercept = c.X.WithBias(2), true
	if _, err := c.RestSparse(SparsePath{})(byNumber(c)); err == nil || !strings.Contains(err.Error(), "bias column") {
		t.Errorf("error %v", err)
	}
	few := byNumber(c)
	few.X, few.Y = c.X, slices.Repeat([]float64{1}, len(few.Y))
	if _, err := c.RestSparse(SparsePath{})(few); err == nil || !strings.Contains(err.Error(), "class 0") {
		t.Errorf("error %v", err)
	}
	if _, err := OneVsRest(context.Background(), &Classes{Problem: erm.Problem{Loss: loss.Logistic{}, X: p.X}, Class: make([]uint32, 100), Count: 2}, run); err == nil {
		t.Error("classes without a function to solve with")
	}
}

// TestSparsePathOfClasses: at every point, each class has the objective of a solution of its
// own against the rest, with its weights; the bits do not depend on the workers, on the path
// and in folds; and what is saved is taken back whole or not at all.
func TestSparsePathOfClasses(t *testing.T) {
	for _, intercept := range repeat.Size([]bool{false, true}, []bool{true}) {
		c := rows(t, "text:n=150,d=60", 3)
		c.Weight, c.Penalty, c.Intercept = erm.BalancedWeights, penalty.Ridge{}, intercept
		p := byNumber(c)
		lambdas, _ := Lambdas(0.03, 0.0005, 5)
		const ridge = 1e-4
		at := func(weight float64) penalty.Penalty { return penalty.ElasticNet{L1: weight, L2: ridge} }
		run := Run{Classes: 3, Begin: c.RestSparse(SparsePath{}), Penalty: at, Settings: solvers.Settings{GapTolerance: 1e-8, Workers: 1}}
		fits, err := Path(context.Background(), p, lambdas, run)
		if err != nil {
			t.Fatal(err)
		}
		d := c.X.Cols()
		for k, r := range fits {
			sum := 0.0
			for class := range 3 {
				one, err := c.of(class)
				if err != nil {
					t.Fatal(err)
				}
				q := *one.With(penalty.L1{Lambda: lambdas[k]})
				q.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(q.Penalty), L2: ridge}
				single, err := elasticnet.Solve(context.Background(), &q, nil, solvers.Settings{GapTolerance: 1e-8})
				if err != nil {
					t.Fatal(err)
				}
				sum += single.Objective
				for j, v := range r.Weights[class*d : (class+1)*d] {
					if !(math.Abs(v-single.Weights[j]) <= 0.02) {
						t.Errorf("intercept %t, point %d, class %d: weight %d is %v, not %v", intercept, k, class, j, v, single.Weights[j])
					}
				}
			}
			if r.Status != solvers.Converged || !(math.Abs(sum-r.Objective) <= 3e-8) || !(r.Gap <= 3e-8) {
				t.Errorf("intercept %t, point %d: %v with objective %v, not %v, and a gap of %v", intercept, k, r.Status, r.Objective, sum, r.Gap)
			}
		}
		want, _, _ := finished(fits, nil)
		folds := ""
		for _, workers := range repeat.Size([]int{1, 2, 5}, []int{1, 3}) {
			run.Settings.Workers = workers
			again, err := Path(context.Background(), p, lambdas, run)
			if got, whole, err := finished(again, err); err != nil || !whole || got != want {
				t.Errorf("intercept %t, %d workers: other bits (%v)", intercept, workers, err)
			}
			v, err := CrossValidate(context.Background(), p, lambdas, Validation{Folds: 3, Metric: right}, run)
			if err != nil || v.Status != solvers.Converged {
				t.Fatal(err, v)
			}
			if got := solvers.HashWeights(v.Mean); folds != "" && got != folds {
				t.Errorf("intercept %t, %d workers: other folds", intercept, workers)
			} else {
				folds = got
			}
		}

		first, _ := run.Begin(p)
		if _, err := first.Solve(context.Background(), at(lambdas[0]), run.Settings); err != nil {
			t.Fatal(err)
		}
		saved := first.Save()
		for end := range len(saved) {
			second, _ := run.Begin(p)
			if second.Restore(saved[:end]) == nil {
				t.Fatalf("%d of %d bytes are taken", end, len(saved))
			}
		}
		second, _ := run.Begin(p)
		if second.Restore(append(slices.Clone(saved), 0)) == nil {
			t.Error("a byte too many is taken")
		}
	}
}
