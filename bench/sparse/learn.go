package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/peers"
)

// learn times scikit-learn's solvers on the cells of a data set, but for squared hinges and
// intercepts, which its liblinear regularises.
func (o *options) learn(cells []*problem) [][]times {
	all := make([][]times, len(cells))
	for i := range all {
		for range o.learners {
			all[i] = append(all[i], contest.Never())
		}
	}
	if len(o.learners) == 0 {
		return all
	}
	learner, err := peers.Learn(o.python, o.folder)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sparse: scikit-learn left out:", err)
		return all
	}
	trainer := learner.Trainer(cells[0].file, o.limit)
	defer trainer.End()
	for i, p := range cells {
		if p.solver != 6 || p.Intercept {
			continue
		}
		for k, name := range o.learners {
			if err := learnOne(&all[i][k], p, trainer, name); err != nil && !errors.Is(err, peers.ErrTooLong) {
				fmt.Fprintf(os.Stderr, "sparse: C = %v: scikit-learn's %s ended early: %v\n", p.c, name, err)
			}
		}
	}
	return all
}

// learnOne tries ever finer tolerances until one reaches the finest target or takes too long.
func learnOne(t *times, p *problem, trainer *peers.Trainer, name string) error {
	for _, tolerance := range []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7} {
		took, w, err := trainer.Train(peers.Request{Solver: "l1/" + name, C: p.c, Tolerance: tolerance})
		if err != nil {
			return err
		}
		value, reached := p.value(w), true
		for k, target := range contest.Targets {
			if p.reaches(value, target) {
				t[k] = min(t[k], took.Processor)
			} else {
				reached = false
			}
		}
		if reached {
			break
		}
	}
	return nil
}
