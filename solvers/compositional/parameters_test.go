package compositional

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestEveryParameter lays every solver beside its listing with each parameter off its default, and
// with all defaults. Default steps come from the loop if the composition does not determine them.
func TestEveryParameter(t *testing.T) {
	t.Parallel()
	const seed = 4
	p := &Problem{F: portfolio(t, 61, 5), R: penalty.L1Box{Lambda: 0.01, Low: -0.2, High: 0.3}}
	start := []float64{0.1, 0.15, 0.2, 0.25, 0.3}
	smooth := p.F.(Smooth).Smoothness()
	var runs []solvetest.Listed[Method]
	// add has a listing that is given the loop, and is to end where that ends.
	add := func(name string, list func(loop run.Loop, l *listing, after func([]float64)) error, set ...string) {
		runs = append(runs, solvetest.Listed[Method]{Solver: name, Set: set, Follows: func(m Method) error {
			loop := loopOf(t, p, m, solvers.Settings{Seed: seed, Initial: start})
			var wrong error
			err := explicit(p, start, seed).lead(loop, func(l *listing, after func([]float64)) { wrong = list(loop, l, after) })
			return errors.Join(wrong, err)
		}})
	}
	// halves checks a step that the samples around the start bear: no more than 1/(2L).
	halves := func(eta float64) error {
		if !(eta > 0 && eta <= 0.5/smooth*(1+1e-9)) {
			return fmt.Errorf("a default step of %v, where the curvature is %v", eta, smooth)
		}
		return nil
	}
	ends := func(loop run.Loop) error {
		var c run.Control
		if loop.Next(&c); !c.Ended() {
			return errors.New("goes on after the last epoch")
		}
		return nil
	}
	// usual is a step as it is given, or the loop's where that is 0.
	usual := func(given, eta float64) (float64, error) {
		if given > 0 {
			return given, nil
		}
		return eta, halves(eta)
	}
	scvrg := func(step float64, first, epochs, most, a, b int, set ...string) {
		add("scvrg", func(loop run.Loop, l *listing, after func([]float64)) error {
			run := loop.(*scvrgLoop)
			eta, err := usual(step, run.eta)
			if l.scvrg(eta, first, epochs, most, a, b, after); most == epochs {
				err = errors.Join(err, ends(loop))
			}
			return err
		}, set...)
	}
	scvrg(0.05, 3, 4, 4, 2, 7, "step=0.05", "first=3", "epochs=4", "inner-sample=2", "outer-sample=7")
	scvrg(0.01, 10, 3, 3, 5, 5, "paper=true", "epochs=3")
	scvrg(0, 12, 16, 2, 5, 5) // (61+61)/(5+5)
	// Theorem 3, for an accuracy that takes four epochs.
	square := 0.0
	for _, v := range start {
		square += math.Pow(math.Max(v+0.2, 0.3-v), 2)
	}
	decrease := newObjective(p).evaluate(start).Gap
	accuracy := (6*decrease + 15*smooth*square) / 10
	b := math.Min(61, math.Ceil(810*math.Pow(smooth*square/accuracy, 2)))
	a := math.Min(61, math.Ceil(1620*math.Pow(smooth*square/accuracy, 2)))
	scvrg(square/(10*decrease+25*smooth*square), 10, 4, 4, int(a), int(b), fmt.Sprintf("auto=%v", accuracy))

	for _, c := range []struct {
		step        float64
		inner, a, b int
		set         []string
	}{{0.05, 6, 2, 7, []string{"step=0.05", "inner=6", "inner-sample=2", "outer-sample=7"}}, {0, 3, 5, 5, nil}} {
		add("vrsc-pg", func(loop run.Loop, l *listing, after func([]float64)) error {
			eta, err := usual(c.step, loop.(*vrscLoop).eta)
			l.vrsc(eta, c.inner, c.a, c.b, 4, after)
			return err
		}, c.set...)
	}
	for _, c := range []struct {
		step float64
		a, b int
		set  []string
	}{{0.05, 2, 7, []string{"step=0.05", "inner-sample=2", "outer-sample=7"}}, {1 / smooth, 5, 5, nil}} {
		add("scgd", func(_ run.Loop, l *listing, after func([]float64)) error {
			l.scgd(c.step, c.a, c.b, 30, after)
			return nil
		}, c.set...)
		add("asc-pg", func(_ run.Loop, l *listing, after func([]float64)) error {
			l.ascpg(c.step, 5./7, 4./7, c.a, c.b, 30, after)
			return nil
		}, c.set...)
	}
	add("asc-pg", func(_ run.Loop, l *listing, after func([]float64)) error {
		l.ascpg(1/smooth, 5./9, 4./9, 5, 5, 30, after)
		return nil
	}, "ninths=true")
	for _, c := range []struct {
		step    float64
		restart bool
		set     []string
	}{{0.05, true, []string{"step=0.05"}}, {1 / smooth, true, nil}, {1 / smooth, false, []string{"no-restart=true"}}} {
		add("agd", func(_ run.Loop, l *listing, after func([]float64)) error {
			l.agd(c.step, c.restart, 60, after)
			return nil
		}, c.set...)
	}
	solvetest.EveryParameter(t, Solvers(), ByName, runs)

	// Samples that do not differ bear 1/(2L).
	p, start = &Problem{F: newCurved(1, 1, 3, 4)}, start[:4]
	allowing, _ := newObjective(p).smoothness(start)
	smooth = allowing / 1.1
	for _, eta := range []float64{
		loopOf(t, p, SCVRG{}, solvers.Settings{Initial: start}).(*scvrgLoop).eta, loopOf(t, p, VRSCPG{}, solvers.Settings{Initial: start}).(*vrscLoop).eta,
	} {
		if !(eta >= 0.49/smooth && eta <= 0.55/smooth) {
			t.Errorf("a step of %v, where the curvature is %v", eta, smooth)
		}
	}
}
