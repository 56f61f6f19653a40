package main

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// The quickest run that reaches a target is chosen: of each solver the loosest tolerance
// that is enough, and of several solvers the quickest.
func TestTry(t *testing.T) {
	x, err := sparse.NewCSR(1, []int64{0, 1}, []uint32{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	p := &erm.Problem{X: x, Y: []float64{1}, Loss: kernels.Squared, Lambda: 1}
	c := &cell{options: &options{limit: 10}, p: p, c: 1}
	least, err := optimum(p)
	if err != nil {
		t.Fatal(err)
	}
	c.optimum = least
	// The objective (w - 1)^2/2 + w^2/2 has its least value, 1/4, at 1/2, and lies
	// (w - 1/2)^2 above it elsewhere.
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
	want := [len(contest.Targets)]choice{{"quick", 0.01, 0.25}, {"good", 1, 0.4}}
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
}

// Where neither run of lanes arrives, a peer that does is compared with nothing: the table
// says so, and the ratios that are kept have no number for it.
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
