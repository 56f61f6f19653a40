package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/dispatch"
)

// fused is the name of a plain loop with math.FMA: it gives what lanes promises, a product
// and a sum rounded once, where "plain" rounds twice.
const fused = "fused"

// A way does the work of its task a given number of times.
type way struct {
	name string
	run  func(times int)
}

// repeat is inlined where it is called, and so is f, which has to be written there:
// TestRepeatIsInlined holds it to that.
func repeat(times int, f func(k int)) {
	for k := range times {
		f(k)
	}
}

// A task is one kernel. At length n it gives lanes first, then the others.
type task struct {
	name    string
	longest int // the greatest length that it is measured at
	ways    func(n int) []way
}

// A size is a row of a table: a length, or what n stands for.
type size struct {
	label string
	n     int
	units int // that a call goes through, for the time of one
}

// A table is what a task comes to at some sizes.
type table struct {
	task
	unit  string
	sizes []size
}

// publicTasks time all functions of package kernels. What gives them is called by
// value: where Go inlines it, it inlines no call of repeat in it.
func publicTasks() (list []task) {
	for _, of := range []func() []task{denseTasks, singleTasks, vectorTasks, vectorElementTasks, batchTasks, sparseTasks, elementTasks, lossTasks, softmaxTasks, thresholdTasks, pairTasks, matrixTasks} {
		list = append(list, of()...)
	}
	return list
}

// rowTables time the kernels behind a sparse matrix.
func rowTables() []table {
	return append(productTables(), checkedTable())
}

// times are the results of one task at one size: lanes on each path, then the others.
type times struct {
	paths int
	all   []contest.Result
}

// result is what a task came to at each size, by label.
type result struct {
	table
	at map[string]times
}

// measure gives every way, and lanes on every path, a slice of time in each round, one after the
// other. The clock counts this program alone. Other programs that share a core or a cache with it
// slow it down for seconds, and not all loops alike. So rounds are many and short, and the least
// of each way counts.
func measure(ways []way, paths []string) times {
	var all []contest.Contender
	for _, path := range paths {
		all = append(all, contest.Contender{Name: path, Repeat: func(times int) {
			restore, err := dispatch.Force(path)
			check(err)
			ways[0].run(times)
			restore()
		}})
	}
	for _, w := range ways[1:] {
		all = append(all, contest.Contender{Name: w.name, Repeat: w.run})
	}
	return times{len(paths), contest.Run(all...)}
}

// write writes a row for each size. The first path is what all others are compared with.
func (r *result) write(w io.Writer) {
	var names []string // of the size that has most ways
	for _, t := range r.at {
		if len(t.all) > len(names) {
			names = nil
			for _, of := range t.all {
				names = append(names, of.Name)
			}
		}
	}
	if names == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n\n| | %s, ns %s | %s |\n|%s\n", r.name, names[0], r.unit, strings.Join(names[1:], " | "), strings.Repeat("---|", 1+len(names)))
	for _, s := range r.sizes {
		t := r.at[s.label]
		fmt.Fprintf(w, "| %s | %.3f |", s.label, t.all[0].Nanoseconds/float64(s.units))
		for _, name := range names[1:] {
			cell := "-"
			if i := t.index(name); i >= 0 {
				cell = fmt.Sprintf("**%.2f** (%.2f-%.2f)", t.ratio(i, 0), t.all[i].Low, t.all[i].High)
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		fmt.Fprintln(w)
	}
}

func (t times) index(name string) int {
	return slices.IndexFunc(t.all, func(r contest.Result) bool { return r.Name == name })
}

// ratio is how many times longer way i takes than lanes on a path.
func (t times) ratio(i, path int) float64 { return t.all[i].Nanoseconds / t.all[path].Nanoseconds }

// others returns the ratios on a path of the ways that are not lanes by another way.
func (t times) others(path int) (ratios []float64) {
	for i := t.paths; i < len(t.all); i++ {
		if !strings.HasPrefix(t.all[i].Name, "lanes") {
			ratios = append(ratios, t.ratio(i, path))
		}
	}
	return ratios
}

// fused is the ratio of the plain loop that rounds as lanes does on a path, 0 without one.
func (t times) fused(path int) float64 {
	if i := t.index(fused); i >= 0 {
		return t.ratio(i, path)
	}
	return 0
}
