package golden

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/solvers"
)

const file = "testdata/weights"

var update = flag.Bool("update", false, "write "+file+" afresh")

// run is a line of the list. Runs of one name must agree, for example on layouts that differ in the
// width of indices alone.
type run struct {
	name  string
	solve func(t *testing.T) []float64
}

// TestGolden compares every run with the file, on every CPU path that this machine has,
// in short runs on the one in force.
func TestGolden(t *testing.T) {
	runs := list(t)
	if *update {
		write(t, runs)
	}
	want := read(t)
	check := func(path string) {
		kept := make([][]float64, len(runs))
		for k, r := range runs {
			kept[k] = r.solve(t)
			if got := solvers.HashWeights(kept[k]); got != want[r.name] {
				t.Errorf("%s: %s: %s, the file has %q", path, r.name, got, want[r.name])
			}
		}
		for k, r := range runs { // runs lend one another their vectors, but no result
			if got := solvers.HashWeights(kept[k]); got != want[r.name] {
				t.Errorf("%s: %s: later runs changed the weights", path, r.name)
			}
		}
	}
	if testing.Short() {
		check(dispatch.Current())
	} else {
		for path := range pathtest.Paths(t) {
			check(path)
		}
	}
	names := map[string]bool{}
	for _, r := range runs {
		names[r.name] = true
	}
	for name := range want {
		if !names[name] {
			t.Errorf("the file has %s, of which there is no run", name)
		}
	}
}

// same are runs that have the bits of others: the margins are updated by columns where
// that is cheaper, the paper's setting of adfsdca poses the problem alone, no loop of
// ai-sarah needed its guard, and a working set of all columns is fitted as it would be without shards.
var same = map[string]string{
	"adfsdca columns":    "adfsdca on bias",
	"adfsdca paper":      "adfsdca on bias",
	"ai-sarah unguarded": "ai-sarah on bias",

	"proximal-newton expectile by shards beside an intercept":         "proximal-newton expectile beside an intercept",
	"proximal-newton negative-binomial by shards beside an intercept": "proximal-newton negative-binomial beside an intercept",
}

// TestGoldenRunsMove: no two other lines of the file have the same bits, as runs would
// that end where they began, or parameters that do nothing.
func TestGoldenRunsMove(t *testing.T) {
	by := map[string]string{}
	for name, hash := range read(t) {
		if other, met := by[hash]; met && cmp.Or(same[name], name) != cmp.Or(same[other], other) {
			t.Errorf("%s and %s have the same weights", min(name, other), max(name, other))
		}
		by[hash] = name
	}
}

func read(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		hash, name, found := strings.Cut(lines.Text(), "  ")
		if !found || want[name] != "" {
			t.Fatalf("%s: %q has no name, or one that stood there before", file, lines.Text())
		}
		want[name] = hash
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return want
}

func write(t *testing.T, runs []run) {
	t.Helper()
	var lines []string
	for _, r := range runs {
		if line := fmt.Sprintf("%s  %s\n", solvers.HashWeights(r.solve(t)), r.name); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
}
