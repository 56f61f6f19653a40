// Command kernels times every public kernel, and the products of sparse rows, on every CPU path.
// It compares with plain Go, gcc, SLEEF, gonum and vek, and prints a Markdown table for each
// kernel. It calls the kernels as a user's program would: from another module, by their public
// names, at lengths from 1 on. Only rows.go looks behind these names.
//
//	go run ./kernels -only 'Dot|Axpy' -lengths 1,8,64
//
// The plain Go loops are functions of their own that are not inlined, as are gonum's and
// vek's. Each library checks its arguments as it does for its users. With -summary the tables
// go to standard error, and standard output has one for each path with assembly: how many
// times longer the quickest of the others takes than a public kernel at each length.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/dispatch"
)

// worst is the least ratio that counts as keeping up.
const worst = 0.95

func main() {
	only := flag.String("only", "", "a regular expression of the tasks to measure")
	lengths := flag.String("lengths", "1,2,4,8,14,16,32,64,256,1024,32768,1048576,4194304,8388608", "the lengths")
	wanted := flag.String("paths", "", "the CPU paths, all where empty; with -summary all with assembly")
	flag.IntVar(&contest.Rounds, "rounds", 30, "rounds of every contest; the least counts")
	flag.DurationVar(&contest.Slice, "slice", 100*time.Microsecond, "time that a contender gets in a round")
	short := flag.Bool("summary", false, "print a table of the public kernels for each path")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	check(err)
	var all []size
	for _, text := range strings.Split(*lengths, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			fail(fmt.Errorf("-lengths: %q is not a length", text))
		}
		all = append(all, size{text, n, 1})
	}
	var paths []string // the best one first
	for _, path := range slices.Backward(dispatch.Paths()) {
		if path.Available && (*wanted == "" && !(*short && path.Name == "generic") || slices.Contains(strings.Split(*wanted, ","), path.Name)) {
			paths = append(paths, path.Name)
		}
	}
	if len(paths) == 0 {
		fail(fmt.Errorf("-paths: this machine has none of %q", *wanted))
	}
	runtime.GOMAXPROCS(1)
	runtime.LockOSThread()
	var tables []table
	for _, t := range publicTasks() {
		tables = append(tables, table{t, "a call", slices.DeleteFunc(slices.Clone(all), func(s size) bool { return s.n > t.longest })})
	}
	list := io.Writer(os.Stdout)
	if *short {
		list = os.Stderr
	} else {
		tables = append(tables, rowTables()...)
	}
	fmt.Fprintf(list, "%s, %s, one thread. The time of lanes on the best path is the least of %d rounds of %v. The others: their time / that, and the quartiles of this ratio over the rounds.\n",
		dispatch.Report().Name, runtime.Version(), contest.Rounds, contest.Slice)
	var results []result
	for _, of := range tables {
		if !pattern.MatchString(of.name) {
			continue
		}
		r := result{of, map[string]times{}}
		for _, s := range of.sizes {
			r.at[s.label] = measure(of.ways(s.n), paths)
		}
		r.write(list)
		results = append(results, r)
	}
	runtime.KeepAlive(sink)
	runtime.KeepAlive(count)
	if !*short {
		return
	}
	fmt.Printf("The quickest of plain Go, gonum and vek over lanes at each length, one thread, the least of %d rounds of %v; below %v in bold.\n",
		contest.Rounds, contest.Slice, worst)
	for p, path := range paths {
		summary(os.Stdout, path, p, all, results)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "kernels:", err)
	os.Exit(2)
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}
