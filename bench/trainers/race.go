package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/sparse"
)

// contender is a way to train, by solvers that are tried with ever finer tolerances.
type contender struct {
	solvers    []string
	tolerances []float64
	copies     bool // walks columns, and copies the rows by columns in its time
	proves     bool // tolerances are targets, each of which counts for its own and looser ones
	train      func(c *cell, solver string, tolerance float64) (peers.Seconds, []float64, error)
	end        func()

	chosen [len(contest.Targets)]choice // what reaches the targets of the cell
}

// choice is a run that reached a target, with its seconds of processor time.
type choice struct {
	solver    string
	tolerance float64
	seconds   float64
	remark    string
}

// try finds what reaches the targets of a cell soonest.
func (d *contender) try(c *cell) {
	for t := range d.chosen {
		d.chosen[t] = choice{seconds: math.Inf(1)}
	}
	if c.optimum <= 0 {
		return
	}
	for _, solver := range d.solvers {
		spent := 0.0
		for _, tolerance := range d.tolerances {
			if spent > c.limit {
				break
			}
			took, w, err := d.train(c, solver, tolerance)
			if err == nil && took.Processor < 0.05 { // the first run is often a slow one
				var again peers.Seconds
				again, w, err = d.train(c, solver, tolerance)
				took.Processor = min(took.Processor, again.Processor)
			}
			if err != nil {
				if !errors.Is(err, peers.ErrTooLong) && !errors.Is(err, errNotAsked) {
					fmt.Fprintf(os.Stderr, "trainers: %s, C = %v: %s: %v\n", c.name, c.c, solver, err)
				}
				break
			}
			spent += took.Processor
			reached := true
			value := c.value(w)
			for t, target := range contest.Targets {
				if !(value-c.optimum <= target*c.optimum) || d.proves && tolerance > target {
					reached = false
				} else if took.Processor < d.chosen[t].seconds {
					d.chosen[t] = choice{solver, tolerance, took.Processor, ""}
					if c.remark != nil {
						d.chosen[t].remark = c.remark(w)
					}
				}
			}
			// A finer tolerance takes no less than this one.
			if reached || took.Processor > d.chosen[len(d.chosen)-1].seconds {
				break
			}
		}
	}
}

// run trains once as chosen for a target, several times where that is quick.
func (d *contender) run(c *cell, target int) (peers.Seconds, error) {
	chosen := d.chosen[target]
	n := min(max(int(0.02/chosen.seconds), 1), 10)
	if c.whole {
		n = 1
	}
	var sum peers.Seconds
	runtime.GC() // what others left
	for range n {
		took, _, err := d.train(c, chosen.solver, chosen.tolerance)
		if err != nil {
			return sum, err
		}
		sum.Processor += took.Processor / float64(n)
		sum.Clock += took.Clock / float64(n)
	}
	return sum, nil
}

// outcome is the result of one contender: the median of its seconds, and of the ratio of its
// seconds to the first contender's in the same round.
type outcome struct {
	seconds, ratio, clockRatio contest.Times
}

// race runs all contenders in turn; the first is compared with.
func (c *cell) race(all []*contender) ([]outcome, error) {
	results := make([]outcome, len(all))
	for k, d := range all {
		d.try(c)
		results[k] = outcome{contest.Never(), contest.Never(), contest.Never()}
	}
	for t := range contest.Targets {
		seconds := make([][3][]float64, len(all))
		for range c.rounds {
			var first peers.Seconds
			for k, d := range all {
				if math.IsInf(d.chosen[t].seconds, 1) {
					continue
				}
				took, err := d.run(c, t)
				if errors.Is(err, peers.ErrTooLong) {
					continue
				}
				if err != nil {
					return nil, err
				}
				if k == 0 {
					first = took
				}
				for i, v := range []float64{took.Processor, took.Processor / first.Processor, took.Clock / first.Clock} {
					seconds[k][i] = append(seconds[k][i], v)
				}
			}
		}
		for k := range all {
			if len(seconds[k][0]) == 0 {
				continue
			}
			r := &results[k]
			r.seconds[t], r.ratio[t], r.clockRatio[t] = contest.Median(seconds[k][0]), contest.Median(seconds[k][1]), contest.Median(seconds[k][2])
		}
	}
	return results, nil
}

// run prints the rows of a data set.
func (o *options) run(source string, to io.Writer) error {
	x, y, err := datasets.Open(source)
	if err != nil {
		return err
	}
	if o.unit {
		if x, err = unitRows(x); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp(o.temporary, "lanes-trainers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "data.svm")
	if err := datasets.WriteText(file, x, y); err != nil {
		return err
	}
	// What everybody reads: a splice may have fewer columns, and another layout.
	again := file
	if strings.Contains(source, "@*") {
		again += "@*"
	}
	if x, y, err = datasets.Open(again); err != nil {
		return err
	}
	if o.glmnet {
		if err := datasets.WriteTriplets(dir, x, y); err != nil {
			return err
		}
	}
	all, err := o.contenders(file)
	if err != nil {
		return err
	}
	defer func() {
		for _, d := range all {
			if d.end != nil {
				d.end()
			}
		}
	}()
	name := filepath.Base(source)
	if o.unit {
		name += ", rows of length 1"
	}
	for _, text := range o.costs {
		cost, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		if o.peak {
			if cost, err = atPeak(x, y, cost); err != nil {
				return err
			}
			text += " of the peak"
		}
		list, err := posed[o.problem](o, x, y, cost)
		if err != nil {
			return err
		}
		for _, c := range list {
			c.options, c.c, c.file = o, cost, file
			runtime.GC()
			results, err := c.race(all)
			if err != nil {
				return err
			}
			fmt.Fprintf(to, "| %s | %d | %s | %s | %s |\n", name, len(y), c.name, text, strings.Join(o.cells(name+" "+c.name, text, all, results), " | "))
		}
	}
	return nil
}

// cells are the columns of a row: lanes, certified, with more threads, then the peers.
func (o *options) cells(name, cost string, all []*contender, results []outcome) (list []string) {
	ours := 1 + len(o.workers)
	list = append(list, results[0].seconds.String()+all[0].remark(), results[1].seconds.String())
	least, ahead, certified := contest.Never(), contest.Never(), contest.Never()
	byClock, copied, fewest := contest.Never(), contest.Never(), contest.Never()
	for k := ours; k < len(all); k++ {
		r := results[k]
		text := r.seconds.String() + all[k].by()
		list = append(list, text)
		for t := range least {
			if all[k].copies {
				if r.seconds[t] < fewest[t] {
					fewest[t], copied[t] = r.seconds[t], r.ratio[t]
				}
				continue
			}
			if r.seconds[t] < least[t] {
				least[t], ahead[t], byClock[t] = r.seconds[t], r.ratio[t], r.clockRatio[t]
				if c := results[1].ratio[t]; !math.IsInf(c, 1) { // both are where lanes did not arrive
					certified[t] = r.ratio[t] / c
				}
			}
		}
	}
	type column struct {
		what string
		contest.Times
	}
	columns := []column{{best, ahead}, {proved, certified}, {clock, byClock}}
	if len(o.columns) > 0 {
		columns = append(columns, column{copying, copied})
	}
	if len(o.workers) > 1 {
		gain := contest.Never()
		for t := range gain {
			gain[t] = 1 / results[2].clockRatio[t]
		}
		columns = append(columns, column{share, gain})
	}
	for _, column := range columns {
		list = append(list, column.Bold())
		o.ratios[column.what] = append(o.ratios[column.what], column.Known()...)
	}
	for t, v := range ahead {
		if v < 2 {
			o.below = append(o.below, fmt.Sprintf("%s C = %s at %g: %.2f", name, cost, contest.Targets[t], v))
		}
	}
	return list
}

// by names the fastest solvers, if there are several solvers, with the remark of the finest
// target.
func (d *contender) by() string {
	var names []string
	for t, chosen := range d.chosen {
		if len(d.solvers) > 1 && chosen.solver != "" && (t == 0 || chosen.solver != d.chosen[0].solver) {
			names = append(names, chosen.solver)
		}
	}
	text := d.remark()
	if len(names) > 0 {
		text = " (" + strings.Join(names, ", ") + ")" + text
	}
	return text
}

// remark says what the weights of the finest target are worth.
func (d *contender) remark() string {
	if r := d.chosen[len(d.chosen)-1].remark; r != "" {
		return ", " + r
	}
	return ""
}

// unitRows scales rows to length 1.
func unitRows(x *sparse.Matrix) (*sparse.Matrix, error) {
	scale := matrix.SquaredNorms(x)
	for i, v := range scale {
		if scale[i] = 0; v > 0 {
			scale[i] = 1 / math.Sqrt(v)
		}
	}
	return matrix.ScaleRows(x, scale)
}
