package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// times holds seconds to each target; +Inf where it was not reached.
type times [len(targets)]float64

func never() times { return times{math.Inf(1), math.Inf(1)} }

func (t times) String() string {
	cells := make([]string, len(t))
	for i, v := range t {
		if cells[i] = "-"; !math.IsInf(v, 1) {
			cells[i] = fmt.Sprintf("%.3f", v)
		}
	}
	return strings.Join(cells, " / ")
}

// take lowers t where an objective reached in the given seconds is good enough.
func (t *times) take(seconds, objective, optimum float64) {
	for i, target := range targets {
		if objective-optimum <= target*optimum {
			t[i] = math.Min(t[i], seconds)
		}
	}
}

// over returns the ratios of t to u.
func (t times) over(u times) string {
	ratios := make([]string, len(t))
	for i := range t {
		ratios[i] = fmt.Sprintf("**%.1f**", t[i]/u[i])
	}
	return strings.Join(ratios, " / ")
}

func (t times) best(u times) times {
	for i := range t {
		t[i] = math.Min(t[i], u[i])
	}
	return t
}

func optimum(p *erm.Problem) (float64, error) {
	result, err := auto.Solve(context.Background(), p, solvers.Settings{MaxPasses: 20000, GapTolerance: 1e-13})
	if err != nil {
		return 0, err
	}
	if result.Gap > 1e-10*result.Objective {
		return 0, fmt.Errorf("no optimum: gap %v after %v passes", result.Gap, result.Total.Passes)
	}
	return result.Objective, nil
}

// solve runs a solver of lanes by name; auto chooses first.
func solve(ctx context.Context, p *erm.Problem, name string, settings solvers.Settings) error {
	if name == "auto" {
		name = auto.Choose(p)
	}
	if method, err := sdca.ByName(name, nil); err == nil {
		// It would evaluate the points at which it expects the target only.
		settings.RecordEvery = 1
		_, err := sdca.Solve(ctx, p, method, settings)
		return err
	}
	method, err := erm.ByName(name, nil)
	if err != nil {
		return err
	}
	_, err = erm.Solve(ctx, p, method, settings)
	return err
}

func (r *round) timeLanes(v variant, file string) (times, error) {
	if r.whole {
		return r.timeCommand(v.workers, file)
	}
	p, name, optimum := r.p, v.name, r.optimum
	var all [len(targets)][]float64
	for range r.rounds {
		runtime.GC()
		var trace solvers.Trace
		// The relative target in terms of the gap would be later; the record
		// tells when the objective itself was there.
		ctx, cancel := context.WithCancel(context.Background())
		recorder := recorderFunc(func(point solvers.Point) error {
			if point.Objective-optimum <= targets[len(targets)-1]*optimum {
				cancel()
			}
			return trace.Record(point)
		})
		choosing := time.Now()
		if name == "auto" {
			auto.Choose(p)
		}
		chosen := time.Since(choosing).Seconds()
		err := solve(ctx, p, name, solvers.Settings{MaxPasses: 1000, Workers: v.workers, Recorder: recorder})
		cancel()
		if err != nil {
			return never(), err
		}
		t := never()
		for _, point := range trace {
			t.take(chosen+point.Seconds, point.Objective, optimum)
		}
		for i := range t {
			all[i] = append(all[i], t[i])
		}
	}
	var t times
	for i := range t {
		t[i] = contest.Median(all[i])
	}
	return t, nil
}

type recorderFunc func(solvers.Point) error

func (f recorderFunc) Record(p solvers.Point) error { return f(p) }
