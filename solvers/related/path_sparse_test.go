package related

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestSparsePath: the points of a SparsePath have the objectives of single solutions, with
// and without an intercept, on the path and in folds, and the bits do not depend on the
// workers.
func TestSparsePath(t *testing.T) {
	p := binary(t, "onehot:n=400,d=300")
	metric, _ := metrics.Find("logloss")
	for _, intercept := range []bool{false, true} {
		p := *p
		p.X, p.Lambda = p.X.WithBias(0), 0
		q := elasticnet.Problem{Problem: p, Intercept: intercept}
		if intercept {
			q.X = p.X
			p.X = p.X.WithBias(1)
		}
		high, _, err := elasticnet.MaxL1(nil, &q)
		if err != nil {
			t.Fatal(err)
		}
		lambdas, _ := Lambdas(high, 0.02*high, 8)
		want := ""
		for workers := 1; workers <= 2; workers++ {
			run := Run{Begin: SparsePath{Intercept: intercept}.Begin, Settings: solvers.Settings{GapTolerance: 1e-7, Workers: workers}}
			fits, err := Path(context.Background(), &p, lambdas, run)
			hash, whole, err := finished(fits, err)
			if err != nil || !whole || want != "" && hash != want {
				t.Fatalf("intercept %t, %d workers: %v, whole %t, other bits %t", intercept, workers, err, whole, hash != want)
			}
			want = hash
			for k, r := range fits {
				q.L1 = lambdas[k]
				single, err := elasticnet.Solve(context.Background(), &q, nil, solvers.Settings{GapTolerance: 1e-7})
				if err != nil || r.Status != solvers.Converged || !(math.Abs(single.Objective-r.Objective) <= 1e-7) {
					t.Errorf("intercept %t, point %d: %v, %v with objective %v, not %v", intercept, k, err, r.Status, r.Objective, single.Objective)
				}
			}
		}
		var bits []string
		for workers := 1; workers <= 2; workers++ {
			run := Run{Begin: SparsePath{Intercept: intercept}.Begin, Settings: solvers.Settings{GapTolerance: 1e-7, Workers: workers}, Least: 5}
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
	p.X = p.X.WithBias(0)
	if _, err := (SparsePath{Intercept: true}).Begin(p); err == nil || !strings.Contains(err.Error(), "bias column") {
		t.Errorf("error %v", err)
	}
	if _, err := (SparsePath{}).Begin(&erm.Problem{}); err == nil {
		t.Error("no rows are taken")
	}
	run := Run{Begin: SparsePath{}.Begin, Classes: 3}
	if _, err := Path(context.Background(), p, []float64{0.1}, run); err == nil || !strings.Contains(err.Error(), "several classes") {
		t.Errorf("error %v", err)
	}
	if _, err := OneVsRest(context.Background(), &Classes{X: p.X, Class: make([]uint32, 100), Count: 2}, run); err == nil {
		t.Error("classes without a function to solve with")
	}
}
