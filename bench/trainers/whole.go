package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
)

// gaps are what lanes is tried with: they bound the suboptimality.
var gaps = []float64{3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}

// timeCommand times `lanes train` as a process.
func (r *round) timeCommand(workers int, file string) (times, error) {
	model := filepath.Join(filepath.Dir(file), "lanes.model")
	var failure error
	t := r.overGrid(gaps, func(gap float64) (float64, float64, error) {
		seconds, _, err := contest.Process(exec.Command(r.lanes, "train", file, "--model", model, "--quiet",
			"--C", fmt.Sprint(r.c), "--gap", fmt.Sprint(gap), "--passes", "2000", "--workers", fmt.Sprint(workers)))
		if err != nil {
			failure = err
			return 0, 0, err
		}
		objective, err := r.evaluateModel(model)
		return seconds, objective, err
	})
	return t, failure
}

func (r *round) timeLiblinearCommand(solver int, file string) times {
	model := filepath.Join(filepath.Dir(file), "liblinear.model")
	return r.overGrid(tolerances, func(tolerance float64) (float64, float64, error) {
		seconds, _, err := contest.Process(exec.Command(r.liblinear, "-q", "-s", fmt.Sprint(solver), "-c", fmt.Sprint(r.c), "-e", fmt.Sprint(tolerance), file, model))
		if err != nil {
			return 0, 0, err
		}
		objective, err := r.evaluateModel(model)
		return seconds, objective, err
	})
}

// learnWhole times one solver of scikit-learn, one run for each tolerance.
func (r *round) learnWhole(l *learned, script, file, solver string) {
	model := filepath.Join(filepath.Dir(file), "sklearn.model")
	for _, tolerance := range []float64{1e-2, 1e-4, 1e-6} {
		seconds, _, err := contest.Process(contest.Python(r.python, script, file, solver, fmt.Sprint(r.c), fmt.Sprint(tolerance), model))
		if err != nil {
			fmt.Fprintln(os.Stderr, "trainers: scikit-learn:", err)
			return
		}
		content, err := datasets.ReadFloats(model)
		if err != nil {
			fmt.Fprintln(os.Stderr, "trainers: scikit-learn:", err)
			return
		}
		w := make([]float64, r.p.X.Cols())
		copy(w, content)
		objective := evaluate(r.p, w)
		l.take(solver, seconds, objective, r.optimum)
		if seconds > r.limit || objective-r.optimum <= targets[len(targets)-1]*r.optimum {
			return
		}
	}
}

// evaluateModel returns the objective of a model file.
func (r *round) evaluateModel(file string) (float64, error) {
	weights, bias, err := datasets.ReadWeights(file)
	if err != nil {
		return 0, err
	}
	w := make([]float64, r.p.X.Cols())
	if len(weights) > len(w) || bias > 0 {
		return 0, fmt.Errorf("%s: %d weights for %d columns", file, len(weights), len(w))
	}
	copy(w, weights)
	return evaluate(r.p, w), nil
}
