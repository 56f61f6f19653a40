// Command softmax times the multinomial logistic regression of lanes against scikit-learn's
// solvers, to the same relative suboptimality of the same objective, lambda = 1/(C n) and
// no intercept, in processor seconds of one thread. Each has the time of the loosest
// tolerance, for lanes the largest gap, at which it gets there.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/softmax"
)

// targets are the relative suboptimalities that are timed.
var targets = []float64{1e-3, 1e-6}

// patience is how many times the limit a fit of a peer may take by the clock.
const patience = 5

func main() {
	log.SetFlags(0)
	c := flag.Float64("C", 1, "1/(lambda n)")
	rounds := flag.Int("rounds", 3, "runs of lanes, of which the median counts")
	unit := flag.Bool("unit", false, "scale rows to length 1")
	passes := flag.Float64("passes", 1000, "passes that lanes has")
	limit := flag.Float64("limit", 60, "seconds after which finer tolerances are not tried")
	python := flag.String("python", "/usr/bin/python3", "a Python with scikit-learn, empty for none")
	learners := flag.String("sklearn", "lbfgs,newton-cg,saga", "solvers of scikit-learn")
	flag.Parse()
	fmt.Printf("Processor seconds to a relative suboptimality of 1e-3 / 1e-6, one thread, C = %g. Of scikit-learn, the best of %s,\n"+
		"with ten times finer tolerances until 1e-6 is reached or a fit takes %g s or 2000 iterations: what was not reached by then is +Inf.\n\n", *c, *learners, *limit)
	fmt.Print("| data | classes | lanes | accuracy | scikit-learn, best | accuracy | best / lanes |\n|---|---|---|---|---|---|---|\n")
	for _, source := range flag.Args() {
		if err := compare(source, *unit, *c, *rounds, *passes, *limit, *python, *learners); err != nil {
			log.Printf("softmax: %s: %v", source, err)
		}
	}
}

func compare(source string, unit bool, c float64, rounds int, passes, limit float64, python, learners string) error {
	x, y, err := datasets.Open(source)
	if err != nil {
		return err
	}
	name := filepath.Base(source)
	if unit {
		scale := x.SquaredNorms()
		for i, v := range scale {
			if scale[i] = 0; v > 0 {
				scale[i] = 1 / math.Sqrt(v)
			}
		}
		if x, err = x.ScaleRows(scale); err != nil {
			return err
		}
		name += ", rows of length 1"
	}
	labels := slices.Compact(slices.Sorted(slices.Values(y)))
	p := &softmax.Problem{X: x, Count: len(labels), Lambda: 1 / (c * float64(len(y)))}
	for _, v := range y {
		k, _ := slices.BinarySearch(labels, v)
		p.Class = append(p.Class, uint32(k))
	}
	solve := func(gap float64) (*solvers.Result, float64, error) {
		begun := contest.Seconds()
		r, err := softmax.Solve(context.Background(), p, softmax.Newton{}, solvers.Settings{GapTolerance: gap, MaxPasses: passes, Workers: 1})
		return r, contest.Seconds() - begun, err
	}
	best, _, err := solve(1e-12)
	if err != nil {
		return err
	}
	if !(best.Gap <= 1e-7*best.Objective) {
		return fmt.Errorf("no optimum: %v with objective %v and a gap of %v", best.Status, best.Objective, best.Gap)
	}
	optimum := best.Objective
	ours := []float64{math.Inf(1), math.Inf(1)}
	for _, relative := range []float64{10, 1, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6} {
		var all []float64
		var r *solvers.Result
		for range rounds {
			var seconds float64
			if r, seconds, err = solve(relative * optimum); err != nil {
				return err
			}
			all = append(all, seconds)
		}
		take(ours, contest.Median(all), r.Objective, optimum)
	}
	_, right, err := measure(p, best.Weights)
	if err != nil {
		return err
	}
	theirs, solver, accuracy := []float64{math.Inf(1), math.Inf(1)}, "", 0.0
	if python != "" {
		if theirs, solver, accuracy, err = learn(p, y, c, limit, optimum, python, learners); err != nil {
			fmt.Fprintln(os.Stderr, "softmax: scikit-learn left out:", err)
		}
	}
	fmt.Printf("| %s | %d | %.3f / %.3f | %.6f | %.3f / %.3f %s | %.6f | **%.1f** / **%.1f** |\n", name, p.Count,
		ours[0], ours[1], right, theirs[0], theirs[1], solver, accuracy, theirs[0]/ours[0], theirs[1]/ours[1])
	return nil
}

// take lowers the times to the targets that an objective reached in some seconds.
func take(times []float64, seconds, objective, optimum float64) {
	for i, target := range targets {
		if objective-optimum <= target*optimum {
			times[i] = min(times[i], seconds)
		}
	}
}

// measure returns the objective of weights, class by class, which may be fewer than the
// columns where the last columns are empty, and their accuracy.
func measure(p *softmax.Problem, w []float64) (objective, accuracy float64, err error) {
	columns, rows := len(w)/p.Count, p.X.Rows()
	if len(w) != columns*p.Count || columns > p.X.Cols() {
		return 0, 0, fmt.Errorf("%d weights for %d classes of %d columns", len(w), p.Count, p.X.Cols())
	}
	byColumn := make([]float64, p.X.Cols()*p.Count)
	for k := range p.Count {
		for j, v := range w[k*columns : (k+1)*columns] {
			byColumn[j*p.Count+k] = v
		}
	}
	scores := make([]float64, rows*p.Count)
	if err := p.X.MulDense(nil, scores, byColumn, p.Count); err != nil {
		return 0, 0, err
	}
	for i, class := range p.Class {
		row := scores[i*p.Count : (i+1)*p.Count]
		objective += kernels.LogSumExp(row) - row[class]
		if slices.Index(row, slices.Max(row)) == int(class) {
			accuracy++
		}
	}
	return objective/float64(rows) + p.Lambda/2*kernels.SquaredNorm(w), accuracy / float64(rows), nil
}

// learn runs scikit-learn, and returns its best times, the solver of the finer one and its
// accuracy.
func learn(p *softmax.Problem, y []float64, c, limit, optimum float64, python, learners string) (times []float64, name string, accuracy float64, err error) {
	times = []float64{math.Inf(1), math.Inf(1)}
	folder, err := os.MkdirTemp("", "lanes-softmax")
	if err != nil {
		return times, "", 0, err
	}
	defer os.RemoveAll(folder)
	data := filepath.Join(folder, "data.svm")
	if err := datasets.WriteText(data, p.X, y); err != nil {
		return times, "", 0, err
	}
	learner, err := peers.Learn(python, folder)
	if err != nil {
		return times, "", 0, err
	}
	trainer := learner.Trainer(data, patience*limit)
	defer trainer.End()
	for _, solver := range strings.Split(learners, ",") {
		var before []float64
		for _, tolerance := range []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6} {
			took, w, err := trainer.Train(peers.Request{Solver: "softmax/" + solver, C: c, Tolerance: tolerance})
			if errors.Is(err, peers.ErrTooLong) {
				break
			}
			if err != nil {
				return times, name, accuracy, err
			}
			objective, right, err := measure(p, w)
			if err != nil {
				return times, name, accuracy, err
			}
			sooner := times[1]
			if take(times, took.Processor, objective, optimum); times[1] < sooner {
				name, accuracy = "("+solver+")", right
			}
			// Where a finer tolerance changes nothing, the number of iterations ended the fit.
			if took.Processor > limit || objective-optimum <= targets[1]*optimum || slices.Equal(w, before) {
				break
			}
			before = w
		}
	}
	return times, name, accuracy, nil
}
