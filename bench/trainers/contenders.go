package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
)

// What each is tried with. Gaps of lanes are relative to the optimum.
var (
	gaps        = []float64{10, 3, 1, 0.3, 0.1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6}
	steps       = []float64{3, 1, 0.5, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6} // LIBLINEAR
	dualityGaps = []float64{1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}   // Cyanure
	gradients   = []float64{1, 0.1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6}              // scikit-learn
	thresholds  = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}   // glmnet
)

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

// contenders are lanes on the first number of threads, the same with a certificate, lanes on
// the other numbers of threads, and the peers.
func (o *options) contenders(file string) ([]*contender, error) {
	lanes := func(workers int, gaps []float64) *contender {
		return &contender{solvers: []string{fmt.Sprint(workers)}, tolerances: gaps, train: func(c *cell, _ string, gap float64) (peers.Seconds, []float64, error) {
			if o.whole {
				return c.command(workers, gap*c.optimum)
			}
			return c.solve(workers, gap*c.optimum)
		}}
	}
	all := []*contender{lanes(o.workers[0], gaps), lanes(o.workers[0], contest.Targets[:])}
	for _, w := range o.workers[1:] {
		all = append(all, lanes(w, gaps))
	}
	most := 20 * o.limit // by the clock, on a machine that may have other work
	peer := func(trainer *peers.Trainer, command func(r peers.Request) *exec.Cmd, solvers []string, tolerances []float64) {
		all = append(all, &contender{solvers: solvers, tolerances: tolerances, end: trainer.End, train: func(c *cell, solver string, tolerance float64) (peers.Seconds, []float64, error) {
			request := peers.Request{Solver: solver, C: c.c, Tolerance: tolerance}
			if !o.whole {
				return trainer.Train(request)
			}
			return c.process(command(request))
		}})
	}
	if o.liblinear != nil {
		for _, s := range o.newtons {
			peer(o.liblinear.Trainer(file, most), func(r peers.Request) *exec.Cmd {
				return exec.Command(o.liblinear.Command, "-q", "-s", r.Solver, "-c", fmt.Sprint(r.C), "-e", fmt.Sprint(r.Tolerance), file, file+".model")
			}, []string{s}, steps)
		}
	}
	learner := func(p *peers.Python, names []string, tolerances []float64) {
		if p != nil {
			peer(p.Trainer(file, most), func(r peers.Request) *exec.Cmd {
				command := p.Command(file)
				command.Stdin = strings.NewReader(fmt.Sprintln(r.Solver, r.C, r.Tolerance, 0, file+".model"))
				return command
			}, names, tolerances)
		}
	}
	learner(o.cyanure, o.descents, dualityGaps)
	learner(o.learn, o.learners, gradients)
	if o.glmnet {
		trainer, err := peers.Glmnet(filepath.Dir(file), most)
		if err != nil {
			return nil, err
		}
		peer(trainer, nil, []string{"alone", "path"}, thresholds)
	}
	return all, nil
}

// solve trains by lanes to a gap, as a user would call it.
func (c *cell) solve(workers int, gap float64) (took peers.Seconds, w []float64, err error) {
	begun, processor := time.Now(), contest.Seconds()
	result, err := auto.Solve(context.Background(), c.p, solvers.Settings{MaxPasses: 2000, GapTolerance: gap, Workers: workers})
	took = peers.Seconds{Processor: contest.Seconds() - processor, Clock: time.Since(begun).Seconds()}
	if err != nil {
		return took, nil, err
	}
	return took, result.Weights, nil
}

// command trains by `lanes train`.
func (c *cell) command(workers int, gap float64) (peers.Seconds, []float64, error) {
	return c.process(exec.Command(c.lanes, "train", c.file, "--model", c.file+".model", "--quiet",
		"--C", fmt.Sprint(c.c), "--gap", fmt.Sprint(gap), "--passes", "2000", "--workers", fmt.Sprint(workers)))
}

// process times a command that writes a model, of LIBLINEAR's format or as raw weights.
func (c *cell) process(command *exec.Cmd) (took peers.Seconds, w []float64, err error) {
	took.Clock, took.Processor, err = contest.Process(command)
	if err != nil {
		return took, nil, err
	}
	if command.Stdin != nil {
		w, err = datasets.ReadFloats(c.file + ".model")
	} else {
		w, _, err = datasets.ReadWeights(c.file + ".model")
	}
	return took, w, err
}
