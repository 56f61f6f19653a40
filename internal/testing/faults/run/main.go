// Command run judges the command lanes under faults: see package faults.
//
//	go run ./internal/testing/faults/run -seed 1 -cases 2000
//
// It prints each case that ends wrong, and a table of cases by command. Its exit status is 1 if a
// case ended wrong.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/lanes-go/lanes/internal/testing/faults"
)

func main() {
	faults.Child()
	seed := flag.Uint64("seed", 1, "seed of the choice of cases")
	cases := flag.Int("cases", 2000, "number of cases")
	only := flag.String("only", "", "judge runs whose command line contains this text")
	flag.Parse()
	if err := faults.Supported(); err != nil {
		fmt.Printf("faults: skipped: %v\n", err)
		return
	}
	wrong, err := judge(*seed, *cases, *only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

func judge(seed uint64, cases int, only string) (wrong int, err error) {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	j, err := faults.NewJudge(dir)
	if err != nil {
		return 0, err
	}
	var runs []*faults.Run
	for _, r := range faults.Runs() {
		if strings.Contains(r.Name, only) {
			runs = append(runs, r)
		}
	}
	list, err := j.Cases(runs, cases, seed)
	if err != nil {
		return 0, err
	}
	type tally struct{ cases, hit, wrong int }
	tallies, order := map[string]*tally{}, []string{}
	for _, c := range list {
		name := c.Run.Args[0]
		if tallies[name] == nil {
			tallies[name], order = new(tally), append(order, name)
		}
		t := tallies[name]
		text, hit, err := j.Judge(c)
		if err != nil {
			return wrong, fmt.Errorf("%v: %w", c, err)
		}
		t.cases++
		if hit {
			t.hit++
		}
		if text != "" {
			t.wrong++
			wrong++
			fmt.Printf("WRONG %v:\n\t%s\n", c, text)
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "command\tcases\tfault reached\twrong")
	for _, name := range order {
		t := tallies[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", name, t.cases, t.hit, t.wrong)
	}
	w.Flush()
	fmt.Printf("%d cases, %d wrong\n", len(list), wrong)
	return wrong, nil
}
