// Command kernels times the kernels against plain Go, gcc and the field's
// libraries, and prints Markdown tables of ratios.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/dispatch"
)

func main() {
	flag.IntVar(&contest.Rounds, "rounds", contest.Rounds, "rounds of every contest")
	flag.DurationVar(&contest.Slice, "slice", contest.Slice, "time a contender gets in a round")
	only := flag.String("only", "", "one group: sparse, numbered, wide, vector, element, softmax, dense, single, threshold or pairs")
	before := flag.String("before", "", "a file with what an earlier program printed, to show beside")
	flag.Parse()
	if *before != "" {
		file, err := os.Open(*before)
		if err != nil {
			fail(err)
		}
		if contest.Before, err = contest.ReadEarlier(file); err != nil {
			fail(err)
		}
		if len(contest.Before) == 0 {
			fail(fmt.Errorf("-before: %s has no tables", *before))
		}
	}
	if err := dispatch.Err(); err != nil {
		fail(err)
	}
	runtime.LockOSThread()
	fmt.Printf("CPU path %s, %s, one thread, medians of %d rounds (quartiles in brackets)\n",
		dispatch.Current(), runtime.Version(), contest.Rounds)
	groups := []struct {
		name string
		run  func()
	}{
		{"sparse", sparseTables}, {"numbered", numberedTable}, {"wide", wideTables}, {"vector", vectorTable}, {"element", elementTables}, {"softmax", softmaxTables}, {"dense", denseTables}, {"single", singleTables},
		{"threshold", thresholdTables}, {"pairs", pairTables},
	}
	for _, g := range groups {
		if *only == "" || *only == g.name {
			g.run()
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "kernels:", err)
	os.Exit(2)
}
