package sdca

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/looks"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func togetherProblem(t *testing.T, spec string, classes int) Together {
	t.Helper()
	shape, err := synthetic.ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := Together{X: data.X.WithBias(1), Count: classes, Lambda: 1 / float64(data.X.Rows())}
	for i := range data.X.Rows() {
		p.Class = append(p.Class, uint32((i*i+i/7)%classes))
	}
	return p
}

// Each class has the certificate that its weights have by the definition, and the
// minimum that Prox finds by itself lies within it.
func TestTogetherCertifies(t *testing.T) {
	for k, spec := range []string{"text:n=200,d=300", "onehot:n=150", "wide:n=60,d=20000", "text:n=300,d=500", "onehot:n=700", "wide:n=60,d=20000"} {
		p := togetherProblem(t, spec, 5)
		p.Intercept = k >= 3
		results, err := p.Solve(context.Background(), solvers.Settings{GapTolerance: 1e-5, Seed: 2})
		if err != nil || len(results) != 5 {
			t.Fatal(err)
		}
		for k, r := range results {
			y := make([]float64, len(p.Class))
			for i, class := range p.Class {
				y[i] = -1
				if int(class) == k {
					y[i] = 1
				}
			}
			one := &erm.Problem{X: p.X, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: p.Lambda}, Intercept: p.Intercept}
			full := newObjective(one, nil, nil)
			e := full.evaluate(r.Weights)
			if math.Abs(e.Objective-r.Objective) > 1e-12 || math.Abs(e.GradientNorm-r.GradientNorm) > 1e-12 || r.Gap > e.Gap*(1+1e-6) {
				t.Errorf("%s: class %d: %+v, by the definition %+v", spec, k, r.Point, e)
			}
			alone, err := Solve(context.Background(), one, Prox{}, solvers.Settings{GapTolerance: 1e-10, MaxEpochs: 3000})
			if err != nil {
				t.Fatal(err)
			}
			if d := r.Objective - alone.Objective; d > r.Gap+1e-10 || d < -1e-10 {
				t.Errorf("%s: class %d: %v above the minimum with the gap %v", spec, k, d, r.Gap)
			}
			if (r.Status == solvers.Converged) != (r.Gap <= 1e-5) {
				t.Errorf("%s: class %d: %v with the gap %v", spec, k, r.Status, r.Gap)
			}
		}
	}
}

// Classes end at the minimum that Newton's method finds, whose steps share nothing with these,
// in any block. By strong convexity (lambda/2) ||w - w*||^2 <= P(w) - P*.
func TestTogetherFindsMinima(t *testing.T) {
	t.Parallel()
	for k, spec := range []string{"text:n=200,d=300", "onehot:n=700", "text:n=200,d=300"} {
		p := togetherProblem(t, spec, 5)
		p.Intercept = k >= 2
		s := solvers.Settings{GapTolerance: 1e-10, MaxEpochs: 3000, Seed: 2}
		whole, err := p.Solve(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		part := p
		part.First, part.Count = 2, 2
		block, err := part.Solve(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range append(whole, block...) {
			class := k
			if k >= p.Count {
				class = part.First + k - p.Count
			}
			one := &erm.Problem{X: p.X, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: p.Lambda}, Intercept: p.Intercept}
			for _, own := range p.Class {
				one.Y = append(one.Y, 1-2*float64(min(1, (int(own)-class)*(int(own)-class))))
			}
			best, err := erm.Solve(context.Background(), one, erm.Newton{}, solvers.Settings{GapTolerance: 1e-13})
			if err != nil || best.Gap > 1e-13 {
				t.Fatal(best, err)
			}
			square := 0.0
			for j, w := range r.Weights[:len(r.Weights)-one.Free()] {
				square += (w - best.Weights[j]) * (w - best.Weights[j])
			}
			if above := r.Objective - best.Objective; math.Abs(above) > 1.01e-10 || p.Lambda/2*square > 1.1e-10 || r.Status != solvers.Converged {
				t.Errorf("%s: result %d: %v, %v above the minimum, weights %v away", spec, k, r.Status, above, math.Sqrt(square))
			}
		}
	}
}

func TestTogetherEnds(t *testing.T) {
	p := togetherProblem(t, "text:n=200,d=300", 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	results, err := p.Solve(ctx, solvers.Settings{GapTolerance: 1e-5})
	if err != nil || results[0].Status != solvers.Cancelled || math.Abs(results[0].Objective-math.Ln2) > 1e-15 || slices.Max(results[0].Weights) != 0 {
		t.Errorf("cancelled: %v, %v", results, err)
	}
	large := togetherProblem(t, "text:n=3000,d=300", 2)
	for seen := range 3 { // the context ends within the first pass
		results, err = large.Solve(looks.Until(seen), solvers.Settings{MaxEpochs: 9})
		if want := float64(seen*blockRows) / 3000; err != nil || results[0].Epochs != want {
			t.Errorf("ended after %d looks at the context: %v passes, not %v (%v)", seen, results[0].Epochs, want, err)
		}
	}
	results, err = p.Solve(context.Background(), solvers.Settings{MaxEpochs: 2})
	if err != nil || results[0].Epochs != 2 || !(results[0].Objective < math.Ln2) {
		t.Errorf("two passes: %+v, %v", results[0].Point, err)
	}
	for name, change := range map[string]func(*Together){
		"no matrix":      func(p *Together) { p.X = nil },
		"classes":        func(p *Together) { p.Class = p.Class[:5] },
		"no classes":     func(p *Together) { p.Count = 0 },
		"more than rows": func(p *Together) { p.Count = math.MaxInt },
		"lambda":         func(p *Together) { p.Lambda = 0 },
		"no bias":        func(p *Together) { p.X, p.Intercept = p.X.WithBias(0), true },
		"class not met":  func(p *Together) { p.First, p.Intercept = 1, true },
	} {
		bad := p
		change(&bad)
		if _, err := bad.Solve(context.Background(), solvers.Settings{}); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// A run interrupted anywhere has no result that may be kept, and resumes to the bits of an
// uninterrupted run.
func TestTogetherGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		lambda, gap float64
		intercept   bool
	}{
		"near": {1, 1e-4, false}, "nearer": {1, 1e-6, false}, "near at once": {1, 3e-3, false}, "near by the pass before": {1, 0.013, false}, "slow": {1e-4, 1e-9, false},
		"near beside an intercept": {1, 1e-6, true},
	} {
		p := togetherProblem(t, "text:n=1030,d=100", 2)
		p.Intercept = c.intercept
		p.Lambda *= c.lambda
		settings := solvers.Settings{GapTolerance: c.gap, Seed: 3}
		const most = 1000
		all := looks.Until(most)
		want, err := p.Solve(all, settings)
		if asked := most - all.Left; err != nil || asked < 4 || (want[0].Status == solvers.Converged) == (name == "slow") {
			t.Fatalf("%s: %v after %d looks (%v)", name, want[0].Status, asked, err)
		}
		alone := func(change func()) { change() }
		for cut := 0; cut < most-all.Left; cut += repeat.Size(1, 6) {
			first, second := checkpoint.NewRunning(time.Hour, alone), checkpoint.NewRunning(time.Hour, alone)
			results, err := p.Solve(first.Context(looks.Until(cut)), settings)
			if err != nil || results[0].Status != solvers.Cancelled || results[1].Status != solvers.Cancelled {
				t.Fatalf("%s, cut %d: %v (%v)", name, cut, results[0].Status, err)
			}
			if err := checkpoint.Decode(checkpoint.Encode(first.State), second.State); err != nil {
				t.Fatal(err)
			}
			left := looks.Until(most)
			results, err = p.Solve(second.Context(left), settings)
			if err != nil || left.Left != all.Left+cut {
				t.Fatalf("%s, cut %d: %d looks after it (%v)", name, cut, most-left.Left, err)
			}
			for k, r := range results {
				if r.Status != want[k].Status || r.Gap != want[k].Gap || r.Total != want[k].Total || solvers.HashWeights(r.Weights) != solvers.HashWeights(want[k].Weights) {
					t.Errorf("%s, cut %d, class %d: %v at %+v, not %v at %+v", name, cut, k, r.Status, r.Point, want[k].Status, want[k].Point)
				}
			}
		}
	}
}

// A step allocates nothing.
func TestTogetherAllocates(t *testing.T) {
	p := togetherProblem(t, "text:n=200,d=300", 16)
	n := p.X.Rows()
	s, err := newTogether(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	i := uint32(0)
	if count := allocations.Count(500, func() {
		s.step(i % uint32(n))
		i++
	}); count > 0 {
		t.Errorf("%v allocations a step", count)
	}
}
