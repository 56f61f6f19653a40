package compositional

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestListings lays every solver beside the listing of its paper, iterate by iterate.
func TestListings(t *testing.T) {
	const seed = 4
	small := map[string]*Problem{
		"portfolio":      {F: portfolio(t, 31, 5), R: penalty.L1Box{Lambda: 0.01, Low: -0.2, High: 0.3}},
		"unit threshold": {F: portfolio(t, 31, 5), R: penalty.L1Box{Lambda: 0.001, Low: -1, High: 1}, UnitThreshold: true},
		"simplex":        {F: portfolio(t, 20, 4), R: &penalty.Simplex{Total: 1}},
		"policy":         {F: chain(t, 6, 15), R: penalty.Box{Low: -1, High: 2}},
		"curved":         {F: newCurved(12, 9, 3, 4), R: penalty.Ball{Radius: 0.5}},
		"free":           {F: newCurved(12, 9, 3, 4)},
	}
	for name, p := range small {
		steps := map[string]float64{"portfolio": 0.05, "unit threshold": 0.05, "simplex": 0.05, "policy": 0.3, "curved": 0.002, "free": 0.002}
		eta := steps[name]
		start := make([]float64, p.F.Shape().Columns)
		for j := range start {
			start[j] = 0.1 + 0.05*float64(j)
		}
		for _, size := range [][2]int{{1, 1}, {3, 2}, {5, 7}} {
			a, b := size[0], size[1]
			for _, c := range []struct {
				m   Method
				run func(l *listing, after func([]float64))
			}{
				{SCVRG{Step: eta, FirstEpoch: 3, Epochs: 4, InnerSample: a, OuterSample: b}, func(l *listing, after func([]float64)) { l.scvrg(eta, 3, 4, 4, a, b, after) }},
				{VRSCPG{Step: eta, Inner: 6, InnerSample: a, OuterSample: b}, func(l *listing, after func([]float64)) { l.vrsc(eta, 6, a, b, 5, after) }},
				{SCGD{Step: eta, InnerSample: a, OuterSample: b}, func(l *listing, after func([]float64)) { l.scgd(eta, a, b, 40, after) }},
				{ASCPG{Step: eta, InnerSample: a, OuterSample: b}, func(l *listing, after func([]float64)) { l.ascpg(eta, 5./7, 4./7, a, b, 40, after) }},
				{ASCPG{Step: eta, InnerSample: a, OuterSample: b, Ninths: true}, func(l *listing, after func([]float64)) { l.ascpg(eta, 5./9, 4./9, a, b, 40, after) }},
				{AGD{Step: eta}, func(l *listing, after func([]float64)) { l.agd(eta, true, 60, after) }},
				{AGD{Step: eta, NoRestart: true}, func(l *listing, after func([]float64)) { l.agd(eta, false, 60, after) }},
			} {
				l := explicit(p, start, seed)
				if prox := l.prox; p.UnitThreshold {
					l.prox = func(x []float64, _ float64) []float64 { return prox(x, 1) }
					l.x = prox(start, 0)
				}
				if err := l.lead(loopOf(t, p, c.m, solvers.Settings{Seed: seed, Initial: start}), c.run); err != nil {
					t.Fatalf("%s: %s%+v: %v", name, c.m.Name(), c.m, err)
				}
			}
		}
	}
}

// lead compares a loop with the listing after every line that moves that.
func (l *listing) lead(loop run.Loop, each func(l *listing, after func([]float64))) (err error) {
	got, step := make([]float64, l.d), 0
	var control run.Control
	each(l, func(want []float64) {
		loop.Next(&control)
		loop.Current(got)
		scale := 0.0
		for _, v := range want {
			scale = math.Max(scale, math.Abs(v))
		}
		for j, v := range want {
			if err == nil && !(math.Abs(got[j]-v) <= 1e-10*scale) {
				err = fmt.Errorf("step %d: element %d is %v, not %v", step, j, got[j], v)
			}
		}
		step++
	})
	return err
}

// loopOf begins a method's loop outside Solve.
func loopOf(t *testing.T, p *Problem, m Method, s solvers.Settings) run.Loop {
	t.Helper()
	if err := family.Check(m); err != nil {
		t.Fatal(err)
	}
	full := newObjective(p)
	start := append([]float64(nil), s.Initial...)
	full.r.Prox(start, 0)
	loop, _, err := m.begin(&task{p: p, settings: s, shape: p.F.Shape(), full: full, random: random.New(s.Seed), start: start})
	if err != nil {
		t.Fatal(err)
	}
	return loop
}
