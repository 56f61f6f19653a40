package main

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/solvers"
)

// What each is tried with. Gaps of lanes are relative to the optimum.
var (
	gaps        = []float64{10, 3, 1, 0.9, 0.8, 0.6, 0.4, 0.3, 0.2, 0.1, 0.05, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6}
	steps       = []float64{3, 1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 5e-3, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7} // LIBLINEAR
	dualityGaps = []float64{1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}                                      // Cyanure
	gradients   = []float64{1, 0.1, 3e-2, 1e-2, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}                                           // scikit-learn, glum
	violations  = []float64{0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8}                            // celer, skglm
	thresholds  = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}                                      // glmnet
)

// contenders are lanes on the first number of threads, the same with a certificate, lanes on
// the other numbers of threads, and the peers.
func (o *options) contenders(file string) ([]*contender, error) {
	lanes := func(workers int, gaps []float64) *contender {
		return &contender{solvers: []string{fmt.Sprint(workers)}, tolerances: gaps, train: func(c *cell, _ string, gap float64) (peers.Seconds, []float64, error) {
			return c.lanesTrain(workers, gap*c.optimum)
		}}
	}
	all := []*contender{lanes(o.workers[0], gaps), lanes(o.workers[0], contest.Targets[:])}
	all[1].proves = true
	for _, w := range o.workers[1:] {
		all = append(all, lanes(w, gaps))
	}
	most := 20 * o.limit // by the clock, on a machine that may have other work
	// name is what a solver is called for a cell, "" where it is not asked.
	peer := func(trainer *peers.Trainer, solvers []string, tolerances []float64, name func(c *cell, solver string) string, command func(r peers.Request) *exec.Cmd) {
		all = append(all, &contender{solvers: solvers, tolerances: tolerances, end: trainer.End, train: func(c *cell, solver string, tolerance float64) (peers.Seconds, []float64, error) {
			r := peers.Request{Solver: name(c, solver), C: c.c, Tolerance: tolerance, Intercept: c.intercept}
			switch {
			case r.Solver == "":
				return peers.Seconds{}, nil, errNotAsked
			case o.whole:
				return c.process(command(r))
			}
			return trainer.Train(r)
		}})
	}
	same := func(_ *cell, solver string) string { return solver }
	if o.liblinear != nil {
		for _, s := range o.newtons {
			name := func(c *cell, _ string) string {
				if c.intercept && !o.liblinear.FreeIntercept {
					return ""
				}
				return cmp.Or(s, c.liblinear)
			}
			peer(o.liblinear.Trainer(file, most), []string{s}, steps, name, func(r peers.Request) *exec.Cmd {
				args := []string{"-q", "-s", r.Solver, "-c", fmt.Sprint(r.C), "-e", fmt.Sprint(r.Tolerance)}
				if r.Intercept {
					args = append(args, "-B", "1", "-R")
				}
				return exec.Command(o.liblinear.Command, append(args, file, file+".model")...)
			})
		}
	}
	learner := func(p *peers.Python, names []string, tolerances []float64, name func(c *cell, solver string) string) {
		peer(p.Trainer(file, most), names, tolerances, name, func(r peers.Request) *exec.Cmd {
			command := p.Command(file)
			command.Stdin = strings.NewReader(fmt.Sprintln(r.Solver, r.C, r.Tolerance, 0, file+".model"))
			return command
		})
	}
	if o.cyanure != nil {
		learner(o.cyanure, o.descents, dualityGaps, same)
	}
	if o.glum != nil {
		learner(o.glum, []string{"irls-ls", "lbfgs"}, gradients, same)
	}
	if o.learn != nil {
		_, groups := o.groups()
		for _, names := range groups {
			learner(o.learn, names, gradients, func(c *cell, solver string) string {
				if c.learn == "-" {
					return ""
				}
				return c.learn + solver
			})
		}
	}
	for _, p := range o.columns {
		trainer := p.Trainer(file, most)
		for _, from := range []string{"columns", "rows"} {
			peer(trainer, []string{from}, violations, same, nil)
			all[len(all)-1].copies = from == "rows"
		}
	}
	if o.glmnet {
		trainer, err := peers.Glmnet(filepath.Dir(file), most)
		if err != nil {
			return nil, err
		}
		peer(trainer, []string{"alone", "path"}, thresholds, same, nil)
	}
	return all, nil
}

// errNotAsked is returned where a program does not solve the problem of a cell.
var errNotAsked = errors.New("it does not solve this problem")

// lanesTrain trains by lanes to a gap, as a user would call it, or by lanes train.
func (c *cell) lanesTrain(workers int, gap float64) (took peers.Seconds, w []float64, err error) {
	if c.whole {
		args := append([]string{"train", c.file, "--model", c.file + ".model", "--quiet", "--gap", fmt.Sprint(gap / float64(max(c.fits, 1))), "--passes", "100000", "--workers", fmt.Sprint(workers)}, c.train...)
		return c.process(exec.Command(c.lanes, args...))
	}
	begun, processor := time.Now(), contest.Seconds()
	result, err := c.solve(workers, gap)
	took = peers.Seconds{Processor: contest.Seconds() - processor, Clock: time.Since(begun).Seconds()}
	if err == nil && result.Status == solvers.TimeReached {
		err = peers.ErrTooLong
	}
	if err != nil {
		return took, nil, err
	}
	return took, result.Weights, nil
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

// groups are the solvers of scikit-learn that have a column together, the best of them.
func (o *options) groups() (titles []string, groups [][]string) {
	if o.problem != "l1" {
		return []string{o.learn.Title + ", best"}, [][]string{o.learners}
	}
	for _, name := range o.learners {
		titles, groups = append(titles, o.learn.Title+" "+name), append(groups, []string{name})
	}
	return titles, groups
}
