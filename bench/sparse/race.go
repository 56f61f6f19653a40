package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
)

//go:embed driver/train.c
var driverSource []byte

// tolerances are what LIBLINEAR is tried with, and gaps, relative to the minimum, are the
// same for lanes, whose gap is far above the suboptimality of the same point.
var gaps = []float64{3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 1e-4, 1e-5, 1e-6}
var tolerances = []float64{1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7}

// times holds seconds to each target, or ratios of them; +Inf where it was not reached.
type times [len(targets)]float64

func never() times {
	var t times
	for i := range t {
		t[i] = math.Inf(1)
	}
	return t
}

func (t times) cells(format string) string {
	cells := make([]string, len(t))
	for i, v := range t {
		if cells[i] = "-"; !math.IsInf(v, 1) {
			cells[i] = fmt.Sprintf(format, v)
		}
	}
	return strings.Join(cells, " / ")
}

func (t times) String() string { return t.cells("%.3f") }
func (t times) bold() string   { return t.cells("**%.1f**") }

func (t times) known() (list []float64) {
	for _, v := range t {
		if !math.IsInf(v, 1) {
			list = append(list, v)
		}
	}
	return list
}

func summary(what string, all []float64) {
	fmt.Printf("\n%s: least %.2f, median %.2f, of %d\n", what, slices.Min(all), contest.Median(all), len(all))
}

func solve(p *problem, gap float64) (*solvers.Result, error) {
	return elasticnet.Solve(context.Background(), &p.Problem, nil, solvers.Settings{GapTolerance: gap, MaxPasses: 1e5, Workers: 1})
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
		case errors.Is(err, errTooLong):
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
func (o *options) race(p *problem, peer *driver) (r result, err error) {
	r = result{never(), never(), never(), never()}
	mine := func(gap float64) (float64, float64, error) {
		runtime.GC()
		return o.timeLanes(p, gap*p.optimum)
	}
	yours := func(tolerance float64) (float64, float64, error) { return o.timePeer(p, peer, tolerance) }
	var ourAt, theirAt int
	for i, target := range targets {
		var found, theirs bool
		if ourAt, found, err = o.loosest(p, target, gaps, ourAt, mine); err != nil || !found {
			return r, err
		}
		if o.built {
			if theirAt, theirs, err = o.loosest(p, target, tolerances, theirAt, yours); err != nil {
				return r, err
			}
		}
		var list [4][]float64
		for range o.rounds {
			a, _, fault := mine(gaps[ourAt])
			b, value, err := mine(target)
			if err = errors.Join(fault, err); err != nil {
				return r, err
			}
			if !p.reaches(value, target) {
				return r, fmt.Errorf("lanes: %v is no objective near %v", value, p.optimum)
			}
			list[0], list[1] = append(list[0], a), append(list[1], b)
			if theirs {
				c, _, err := yours(tolerances[theirAt])
				if errors.Is(err, errTooLong) { // this time
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
		r, err := solve(p, gap)
		if err != nil {
			return 0, 0, err
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
func (o *options) timePeer(p *problem, peer *driver, tolerance float64) (seconds, value float64, err error) {
	if !o.whole {
		seconds, w, err := peer.train(p, tolerance)
		if err != nil {
			return 0, 0, err
		}
		return seconds, p.value(w), nil
	}
	file := filepath.Join(o.folder, "liblinear.model")
	args := []string{"-q", "-s", fmt.Sprint(p.solver), "-c", fmt.Sprint(p.c), "-e", fmt.Sprint(tolerance)}
	if p.Intercept {
		args = append(args, "-B", "1", "-R")
	}
	if _, seconds, err = contest.Process(exec.Command(filepath.Join(o.folder, "train"), append(args, p.file, file)...)); err != nil {
		return 0, 0, err
	}
	value, err = p.valueOf(file)
	return seconds, value, err
}

// driver is a process that holds a data set in LIBLINEAR's layout.
type driver struct {
	program, file, weights string
	limit                  time.Duration
	command                *exec.Cmd
	in                     io.WriteCloser
	out                    *bufio.Reader
}

func (o *options) start(file string) *driver {
	return &driver{
		program: filepath.Join(o.folder, "driver"), file: file, weights: filepath.Join(o.folder, "weights"),
		limit: time.Duration(o.limit * float64(time.Second)),
	}
}

func (d *driver) begin() error {
	d.command = exec.Command(d.program, d.file)
	d.command.Stderr = os.Stderr
	in, err := d.command.StdinPipe()
	if err != nil {
		return err
	}
	out, err := d.command.StdoutPipe()
	if err != nil {
		return err
	}
	d.in, d.out = in, bufio.NewReader(out)
	return d.command.Start()
}

func (d *driver) end() {
	if d.command != nil {
		d.command.Process.Kill()
		d.command.Wait()
		d.command = nil
	}
}

// train returns errTooLong where the time limit is over.
func (d *driver) train(p *problem, tolerance float64) (seconds float64, w []float64, err error) {
	if d.command == nil {
		if err := d.begin(); err != nil {
			return 0, nil, err
		}
	}
	with := 0
	if p.Intercept {
		with = 1
	}
	if _, err := fmt.Fprintln(d.in, p.solver, p.c, tolerance, with, d.weights); err != nil {
		return 0, nil, err
	}
	answer := make(chan error, 1)
	go func() {
		_, err := fmt.Fscanln(d.out, &seconds)
		answer <- err
	}()
	select {
	case err = <-answer:
	case <-time.After(d.limit): // reading the file included
		d.end()
		<-answer
		return 0, nil, errTooLong
	}
	if err != nil {
		return 0, nil, err
	}
	w, err = datasets.ReadFloats(d.weights)
	return seconds, w, err
}

var errTooLong = errors.New("it takes too long")
