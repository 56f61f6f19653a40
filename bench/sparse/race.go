package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
)

// tolerances are what LIBLINEAR is tried with, and gaps, relative to the minimum, are the
// same for lanes, whose gap is far above the suboptimality of the same point.
var gaps = []float64{3, 1, 0.95, 0.9, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6}
var tolerances = []float64{1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 5e-3, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7}

// times are those of contest.Targets.
type times = contest.Times

// solve runs to a gap for so many seconds at most.
func solve(p *problem, gap, limit float64) (*solvers.Result, error) {
	return elasticnet.Solve(context.Background(), &p.Problem, nil, solvers.Settings{
		GapTolerance: gap, MaxPasses: 1e5, MaxTime: time.Duration(limit * float64(time.Second)), Workers: 1,
	})
}

// run trains once, with a tolerance or a gap relative to the optimum, and returns seconds
// and objective.
type run func(tolerance float64) (seconds, value float64, err error)

// loosest returns the first place of a grid, from one on, at which a run reaches a target,
// and whether there is one within the time limit.
func (o *options) loosest(p *problem, target float64, grid []float64, from int, once run) (at int, found bool, err error) {
	spent := 0.0
	for at = from; at < len(grid) && spent < o.limit; at++ {
		seconds, value, err := once(grid[at])
		switch {
		case errors.Is(err, peers.ErrTooLong):
			return len(grid), false, nil
		case err != nil:
			return at, false, err
		case p.reaches(value, target):
			return at, true, nil
		}
		spent += seconds
	}
	return at, false, nil
}

// result is what a race came to: lanes and LIBLINEAR at what reaches a target, and lanes
// where it also proves it.
type result struct{ ours, proved, theirs, ratios times }

// race times lanes and LIBLINEAR in turn.
func (o *options) race(p *problem, peer *peers.Trainer) (r result, err error) {
	r = result{contest.Never(), contest.Never(), contest.Never(), contest.Never()}
	mine := func(gap float64) (float64, float64, error) {
		runtime.GC()
		return o.timeLanes(p, gap*p.optimum)
	}
	yours := func(tolerance float64) (float64, float64, error) { return o.timePeer(p, peer, tolerance) }
	var ourAt, theirAt int
	for i, target := range contest.Targets {
		var found, theirs bool
		if ourAt, found, err = o.loosest(p, target, gaps, ourAt, mine); err != nil || !found {
			return r, err
		}
		if o.liblinear != nil {
			if theirAt, theirs, err = o.loosest(p, target, tolerances, theirAt, yours); err != nil {
				return r, err
			}
		}
		var list [4][]float64
		for range o.rounds {
			a, _, fault := mine(gaps[ourAt])
			b, value, err := mine(target)
			proves := !errors.Is(err, peers.ErrTooLong)
			if !proves {
				b, err = math.Inf(1), nil
			}
			if errors.Is(fault, peers.ErrTooLong) { // this time
				return r, nil
			}
			if err = errors.Join(fault, err); err != nil {
				return r, err
			}
			if proves && !p.reaches(value, target) {
				return r, fmt.Errorf("lanes: %v is no objective near %v", value, p.optimum)
			}
			list[0], list[1] = append(list[0], a), append(list[1], b)
			if theirs {
				c, _, err := yours(tolerances[theirAt])
				if errors.Is(err, peers.ErrTooLong) { // this time
					theirs = false
					continue
				}
				if err != nil {
					return r, err
				}
				list[2], list[3] = append(list[2], c), append(list[3], c/a)
			}
		}
		r.ours[i], r.proved[i] = contest.Median(list[0]), contest.Median(list[1])
		if theirs {
			r.theirs[i], r.ratios[i] = contest.Median(list[2]), contest.Median(list[3])
		}
	}
	return r, nil
}

// timeLanes returns seconds and objective of a run to a duality gap.
func (o *options) timeLanes(p *problem, gap float64) (seconds, value float64, err error) {
	if !o.whole {
		begun := contest.Seconds()
		r, err := solve(p, gap, o.limit)
		if err != nil {
			return 0, 0, err
		}
		if r.Status == solvers.TimeReached {
			return 0, 0, peers.ErrTooLong
		}
		return contest.Seconds() - begun, p.value(r.Weights), nil
	}
	file := filepath.Join(o.folder, "lanes.model")
	args := []string{"train", p.file, "--model", file, "--quiet", "--loss", strings.ReplaceAll(p.Loss.String(), " ", "-"),
		"--l1", fmt.Sprint(p.L1), "--lambda", "0", "--gap", fmt.Sprint(gap), "--passes", "100000", "--workers", "1"}
	if p.Intercept {
		args = append(args, "--intercept")
	}
	if _, seconds, err = contest.Process(exec.Command(o.lanes, args...)); err != nil {
		return 0, 0, err
	}
	value, err = p.valueOf(file)
	return seconds, value, err
}

// valueOf is the objective of a model in LIBLINEAR's format.
func (p *problem) valueOf(file string) (float64, error) {
	w, _, err := datasets.ReadWeights(file)
	if err != nil {
		return 0, err
	}
	return p.value(w), nil
}

// timePeer does the same for LIBLINEAR at a tolerance.
func (o *options) timePeer(p *problem, peer *peers.Trainer, tolerance float64) (seconds, value float64, err error) {
	if !o.whole {
		took, w, err := peer.Train(peers.Request{Solver: fmt.Sprint(p.solver), C: p.c, Tolerance: tolerance, Intercept: p.Intercept})
		if err != nil {
			return 0, 0, err
		}
		return took.Processor, p.value(w), nil
	}
	file := filepath.Join(o.folder, "liblinear.model")
	args := []string{"-q", "-s", fmt.Sprint(p.solver), "-c", fmt.Sprint(p.c), "-e", fmt.Sprint(tolerance)}
	if p.Intercept {
		args = append(args, "-B", "1", "-R")
	}
	if _, seconds, err = contest.Process(exec.Command(o.liblinear.Command, append(args, p.file, file)...)); err != nil {
		return 0, 0, err
	}
	value, err = p.valueOf(file)
	return seconds, value, err
}
