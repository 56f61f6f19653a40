package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/liblinear"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
)

// The tolerances that the peers are tried with.
var tolerances = []float64{1, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6}

// timeLiblinear times LIBLINEAR's -s 0 or -s 7.
func (r *round) timeLiblinear(peer *liblinear.Problem, solver int, file string) times {
	if r.whole {
		return r.timeLiblinearCommand(solver, file)
	}
	if !liblinear.Available {
		return never()
	}
	return r.overGrid(tolerances, func(tolerance float64) (seconds, objective float64, err error) {
		w, seconds := peer.Train(solver, r.c, tolerance)
		return seconds, evaluate(r.p, w), nil
	})
}

// overGrid runs something with ever finer tolerances, until it meets all targets or
// takes too long.
func (r *round) overGrid(grid []float64, once func(tolerance float64) (seconds, objective float64, err error)) times {
	t := never()
	for _, tolerance := range grid {
		var all []float64
		var objective float64
		for range r.rounds {
			seconds, value, err := once(tolerance)
			if err != nil {
				fmt.Fprintln(os.Stderr, "trainers:", err)
				return t
			}
			all, objective = append(all, seconds), value
			if seconds > r.limit/float64(r.rounds) {
				break
			}
		}
		t.take(contest.Median(all), objective, r.optimum)
		if !math.IsInf(t[len(t)-1], 1) || contest.Median(all) > r.limit {
			break
		}
	}
	return t
}

func evaluate(p *erm.Problem, w []float64) float64 {
	z := make([]float64, p.X.Rows())
	if err := p.X.MulVec(nil, z, w); err != nil {
		return math.NaN()
	}
	loss, err := kernels.LossSum(p.Loss, z, p.Y, nil, 1)
	if err != nil {
		return math.NaN()
	}
	return loss/float64(len(z)) + p.Lambda/2*kernels.SquaredNorm(w)
}

//go:embed sklearn.py
var sklearn string

// learned is what scikit-learn reached, and by which solver.
type learned struct {
	times
	name string
}

// learn times scikit-learn on all rounds of a data set, which read the file once;
// with -whole once for every run.
func learn(rounds []*round, file string) []learned {
	all := make([]learned, len(rounds))
	for i := range all {
		all[i].times = never()
	}
	o := rounds[0].options
	if o.python == "" {
		return all
	}
	script := filepath.Join(filepath.Dir(file), "sklearn_peer.py")
	if err := os.WriteFile(script, []byte(sklearn), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, "trainers: scikit-learn left out:", err)
		return all
	}
	if o.whole {
		for i, r := range rounds {
			for _, solver := range o.learners {
				r.learnWhole(&all[i], script, file, solver)
			}
		}
		return all
	}
	args := []string{script, file, fmt.Sprint(o.limit), strings.Join(o.learners, ",")}
	for _, r := range rounds {
		args = append(args, fmt.Sprintf("%v:%v", r.c, r.optimum))
	}
	command := contest.Python(o.python, args...)
	lines, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainers: scikit-learn left out:", err)
		return all
	}
	for scan := bufio.NewScanner(lines); scan.Scan(); {
		var i int
		var solver string
		var tolerance, seconds, objective float64
		if _, err := fmt.Sscan(scan.Text(), &i, &solver, &tolerance, &seconds, &objective); err == nil && i < len(all) {
			all[i].take(solver, seconds, objective, rounds[i].optimum)
		}
	}
	io.Copy(io.Discard, lines)
	if err := command.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, "trainers: scikit-learn ended early:", err)
	}
	return all
}

func (l *learned) take(solver string, seconds, objective, optimum float64) {
	before := l.times
	if l.times.take(seconds, objective, optimum); l.times[len(l.times)-1] < before[len(before)-1] {
		l.name = "(" + solver + ")"
	}
}
