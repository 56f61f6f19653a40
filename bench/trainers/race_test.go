package main

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
)

// The quickest run that reaches a target is chosen: of each solver the loosest tolerance
// that is enough, and of several solvers the quickest.
func TestTry(t *testing.T) {
	// The objective (w - 1)^2/2 + w^2/2 has its least value, 1/4, at 1/2, and lies
	// (w - 1/2)^2 above it elsewhere.
	c := &cell{options: &options{limit: 10}, c: 1, optimum: 0.25, value: func(w []float64) float64 { return (w[0]-1)*(w[0]-1)/2 + w[0]*w[0]/2 }}
	away := map[string]map[float64]float64{ // solver, tolerance: distance of w
		"slow":  {1: 0.1, 0.1: 0.01, 0.01: 1e-4},
		"quick": {1: 0.1, 0.1: 0.1, 0.01: 0.01, 1e-3: 0.01, 1e-4: 0.01},
		"good":  {1: 1e-5},
	}
	seconds := map[string]map[float64]float64{
		"slow":  {1: 0.2, 0.1: 0.3, 0.01: 0.5},
		"quick": {1: 0.1, 0.1: 0.2, 0.01: 0.25, 1e-3: 0.3, 1e-4: 0.6},
		"good":  {1: 0.4},
	}
	calls := map[string]int{}
	d := &contender{solvers: []string{"slow", "quick", "good"}, tolerances: []float64{1, 0.1, 0.01, 1e-3, 1e-4, 1e-5},
		train: func(_ *cell, solver string, tolerance float64) (peers.Seconds, []float64, error) {
			calls[solver]++
			return peers.Seconds{Processor: seconds[solver][tolerance]}, []float64{0.5 + away[solver][tolerance]}, nil
		}}
	d.try(c)
	want := [len(contest.Targets)]choice{{"quick", 0.01, 0.25, ""}, {"good", 1, 0.4, ""}}
	if d.chosen != want {
		t.Errorf("%v, not %v", d.chosen, want)
	}
	// Slow stops where it meets all targets, quick where it takes longer than slow did.
	if calls["slow"] != 3 || calls["quick"] != 5 || calls["good"] != 1 {
		t.Errorf("calls: %v", calls)
	}
	if got := d.by(); got != " (quick, good)" {
		t.Errorf("by %q", got)
	}
	// Where tolerances are proofs, a point that is good enough at one too loose does not count.
	d = &contender{solvers: []string{"1"}, tolerances: contest.Targets[:], proves: true,
		train: func(_ *cell, _ string, tolerance float64) (peers.Seconds, []float64, error) {
			return peers.Seconds{Processor: 1e-4 / tolerance}, []float64{0.5}, nil
		}}
	if d.try(c); d.chosen[0].tolerance != 1e-3 || d.chosen[1].tolerance != 1e-6 {
		t.Errorf("proofs: %v", d.chosen)
	}
}

// Every problem has the objective that its solver makes small: at the solver's weights it is
// the optimum, and elsewhere more.
func TestPosed(t *testing.T) {
	o := &options{kinds: []string{"logistic", "logistic+intercept", "squared-hinge"}, limit: 10, reference: 10}
	for problem, pose := range posed {
		x, y, err := datasets.Open("generate:onehot:n=300,d=30")
		if err != nil {
			t.Fatal(err)
		}
		cells, err := pose(o, x, y, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cells {
			if c.solve == nil { // in whole processes only
				continue
			}
			r, err := c.solve(1, 1e-9*c.optimum)
			if err != nil {
				t.Fatal(err)
			}
			at, zero := c.value(r.Weights), c.value(make([]float64, len(r.Weights)))
			if math.Abs(at-c.optimum) > 1e-8*c.optimum || !(zero > 1.1*c.optimum) {
				t.Errorf("%s, %s: %v at the optimum of %v, %v at 0", problem, c.name, at, c.optimum, zero)
			}
		}
	}
}

// TestCellsNotReached: if no run of lanes reaches a target, a peer that reaches it has no ratio.
// The table says so, and the kept ratios have no number for it.
func TestCellsNotReached(t *testing.T) {
	o := &options{workers: []int{1}, ratios: map[string][]float64{}}
	never, peer := math.Inf(1), contest.Times{0.6, 0.9}
	lanes := outcome{contest.Times{0.2, never}, contest.Times{1, never}, contest.Times{1, never}}
	certified := outcome{contest.Times{0.4, never}, contest.Times{2, never}, contest.Times{2, never}}
	ahead := contest.Times{3, never}
	all := []*contender{{}, {}, {solvers: []string{"a"}}}
	list := o.cells("data", "1", all, []outcome{lanes, certified, {peer, ahead, ahead}})
	want := []string{"0.2000 / -", "0.4000 / -", "0.6000 / 0.9000", "**3.00** / -", "**1.50** / -", "**3.00** / -"}
	if !slices.Equal(list, want) {
		t.Errorf("%q, not %q", list, want)
	}
	if kept := o.ratios[proved]; !slices.Equal(kept, []float64{1.5}) {
		t.Errorf("kept are %v", kept)
	}
}

// The classes' objective is the sum of the one-vs-rest objectives, whose weights are one after the
// other.
func TestClasses(t *testing.T) {
	x, y, err := datasets.Open("generate:onehot:n=300,d=30")
	if err != nil {
		t.Fatal(err)
	}
	o := new(options)
	both, err := o.classes(x, y, 1)
	if err != nil {
		t.Fatal(err)
	}
	one, err := o.ridge(x, y, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := one[0].solve(1, 1e-9*one[0].optimum)
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, len(r.Weights))
	for j, v := range r.Weights {
		w[j] = -v // the class of label -1 comes first
	}
	if v := both[0].value(append(w, r.Weights...)); math.Abs(v-2*one[0].optimum) > 1e-8*v || math.Abs(both[0].optimum-v) > 1e-8*v {
		t.Errorf("%v at the optimum of %v, %v of one class", v, both[0].optimum, one[0].optimum)
	}
}
