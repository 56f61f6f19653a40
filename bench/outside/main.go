// Command outside measures the public kernels as a program of somebody else's would: a
// module of its own that imports lanes, gonum and vek, and calls each of them at lengths
// from 1 on. It prints how many times longer the others take, for every CPU path.
//
//	go run . -only 'Dot|Axpy' -lengths 1,8,64
//
// The plain Go loops are functions of their own that are not inlined, as are gonum's and
// vek's. The checks of arguments are those that each of them makes. With -summary the listing
// goes to standard error, and standard output has a Markdown table for each path: how many
// times longer the quickest of the others takes; and the cells that lanes lost, by what
// binds them.
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

	"github.com/lanes-go/lanes/dispatch"
)

// fused is the name of a plain loop with math.FMA: it gives what lanes promises, a product
// and a sum rounded once, where "plain" rounds twice.
const fused = "fused"

// A way does the same work as the others of its task, so many times.
type way struct {
	name string
	run  func(times int)
}

// A task is one kernel. At length n it gives lanes first, then the others.
type task struct {
	name    string
	longest int // the greatest length that it is measured at
	ways    func(n int) []way
}

// worst is the least ratio that counts as keeping up.
const worst = 0.95

func main() {
	only := flag.String("only", "", "a regular expression of the kernels to measure")
	lengths := flag.String("lengths", "1,2,4,8,14,16,32,64,256,1024,1048576,4194304,8388608", "the lengths")
	paths := flag.String("paths", "", "the CPU paths; all with assembly where empty")
	rounds := flag.Int("rounds", 30, "rounds of every contest; the least counts")
	slice := flag.Duration("slice", 100*time.Microsecond, "time that a contender gets in a round")
	short := flag.Bool("summary", false, "print a table for each path")
	flag.Parse()
	list := io.Writer(os.Stdout)
	if *short {
		list = os.Stderr
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fail(err)
	}
	var sizes []int
	for _, text := range strings.Split(*lengths, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			fail(fmt.Errorf("-lengths: %q is not a length", text))
		}
		sizes = append(sizes, n)
	}
	var names []string
	for _, path := range dispatch.Paths() {
		wanted := path.Name != "generic"
		if *paths != "" {
			wanted = slices.Contains(strings.Split(*paths, ","), path.Name)
		}
		if wanted && path.Available {
			names = append(names, path.Name)
		}
	}
	if len(names) == 0 {
		fail(fmt.Errorf("-paths: this machine has none of %q", *paths))
	}
	runtime.GOMAXPROCS(1)
	runtime.LockOSThread()
	machine := dispatch.Report()
	fmt.Fprintf(list, "%s, %s, one thread, the least of %d rounds of %v.\n", machine.Name, runtime.Version(), *rounds, *slice)
	fmt.Fprintf(list, "lanes: ns a call. The others: their time / lanes'; below %v is marked *.\n", worst)
	var lost []cell
	var results []result
	tasks := slices.Concat(denseTasks(), sparseTasks(), elementTasks(), thresholdTasks(), pairTasks(), matrixTasks())
	for _, task := range tasks {
		if !pattern.MatchString(task.name) {
			continue
		}
		fmt.Fprintf(list, "\n%s\n", task.name)
		r := result{name: task.name, at: map[int]times{}}
		for i, n := range sizes {
			if n > task.longest {
				continue
			}
			t := measure(task.ways(n), names, *rounds, *slice)
			if i == 0 {
				t.header(list)
			}
			lost = append(lost, t.row(list, task.name, n)...)
			r.at[n] = t
		}
		results = append(results, r)
	}
	runtime.KeepAlive(sink)
	runtime.KeepAlive(count)
	fmt.Fprintf(list, "\n%d cells below %v\n", len(lost), worst)
	for _, cell := range lost {
		fmt.Fprintln(list, cell)
	}
	if *short {
		fmt.Printf("The quickest of plain Go, gonum and vek over lanes at each length, one thread, the least of %d rounds of %v; below %v in bold. With each of these programs counted for itself, %d are below.\n", *rounds, *slice, worst, len(lost))
		for p, path := range names {
			summary(os.Stdout, path, p, sizes, results)
		}
		byReason(os.Stdout, lost)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "outside:", err)
	os.Exit(2)
}
