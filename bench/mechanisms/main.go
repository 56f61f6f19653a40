// Command mechanisms measures what each mechanism of the default solvers gains. A
// mechanism is anything that the textbook algorithm does not have: a sample to start
// from, a threshold, an order of the rows, a copy, a group.
//
// It copies the source tree, wraps the condition of every mechanism in a switch, and builds
// itself there. It trains every cell (data set, rows, C, tolerance) with the mechanism on and
// off, in turn, in one process. A cell counts for a mechanism only if its condition was true
// there; five other cells serve as controls. The table has the ratio of processor seconds, off to
// on: above 1 the mechanism gains.
//
// The tree is the one that the command is run in, from the folder bench.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// inner is set where the command runs in the patched tree.
const inner = "LANES_MECHANISMS_INNER"

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 7, "rounds in turn, of which the medians count")
	only := flag.String("only", "", "names of mechanisms, separated by commas; empty for all")
	families := flag.String("families", "smooth,l1,softmax", "what is trained")
	costs := flag.String("C", "0.1,1,10", "values of C = 1/(lambda n)")
	splices := flag.String("splices", "1000,5000,20000", "numbers of first rows that are cells of their own; empty for none")
	flag.Float64Var(&o.limit, "limit", 2, "seconds after which a cell is left out")
	flag.Parse()
	o.only, o.families, o.splices = list(*only), list(*families), list(*splices)
	err := o.setCosts(list(*costs))
	o.sources = flag.Args()
	switch {
	case err != nil:
	case len(o.sources) == 0:
		err = fmt.Errorf("name data sets, as in a9a.xz, news20.multi.xz@3 or generate:text")
	case os.Getenv(inner) == "":
		err = rerun()
	default:
		err = o.measure(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mechanisms:", err)
		os.Exit(1)
	}
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// rerun builds this command in a patched copy of the tree and runs it with the same arguments.
func rerun() error {
	dir, err := os.MkdirTemp("", "lanes-mechanisms")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := patch("..", dir); err != nil {
		return err
	}
	binary := filepath.Join(dir, "mechanisms.bin")
	build := exec.Command("go", "build", "-o", binary, "./mechanisms")
	build.Dir, build.Stderr = filepath.Join(dir, "bench"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("the patched tree does not build: %w", err)
	}
	command := exec.Command(binary, os.Args[1:]...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	command.Env = append(os.Environ(), inner+"=1")
	return command.Run()
}
