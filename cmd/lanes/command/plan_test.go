package command

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// planRows writes caches with as many rows as columns, of two classes and of four.
func planRows(t *testing.T) {
	t.Helper()
	const n = 100000
	random := rand.New(rand.NewPCG(3, 4))
	var two, four strings.Builder
	for range n {
		first := 1 + random.IntN(9)
		entries := fmt.Sprintf(" %d:1 %d:%.3f %d:%.3f\n", first, 10+random.IntN(n/2), random.Float64(), n/2+10+random.IntN(n/2), random.Float64())
		fmt.Fprintf(&two, "%d%s", 1-2*((first+random.IntN(3))%3%2), entries)
		fmt.Fprintf(&four, "%d%s", first%4, entries)
	}
	var far strings.Builder // rows of many entries, with a column far from 0
	for range n / 2 {
		fmt.Fprintf(&far, "%d 1:%.4f", 1-2*random.IntN(2), 1e6+random.Float64())
		for column := range 12 {
			fmt.Fprintf(&far, " %d:%.4f", 2+80*column+random.IntN(80), random.Float64())
		}
		far.WriteByte('\n')
	}
	for name, text := range map[string]string{"two": two.String(), "four": four.String(), "far": far.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if o := inside("convert", "--quiet", name, name+".lanes"); o.status != exitDone {
			t.Fatal(o.stderr)
		}
	}
}

// peakOf runs the command and returns the most memory that the kernel counted, in bytes.
func peakOf(t *testing.T, line string) (peak float64, o outcome) {
	t.Helper()
	o = invocation{args: strings.Fields("train --quiet --workers 2 " + line), env: []string{"LANES_TEST_PEAK=1"}}.run(t)
	found := regexp.MustCompile(`(?m)^peak (\d+)$`).FindStringSubmatch(o.stderr)
	if found == nil {
		t.Fatalf("%s: no peak in %s", line, o.stderr)
	}
	return numberOf(t, found[1]), o
}

// TestPlansOfMemory compares what runs are planned to take with what the kernel counted, above
// what reading the data takes. Runs take about what is planned at most, and a fifth of it at
// least: a family is planned by its greediest solver, and the collector is not always as quick.
func TestPlansOfMemory(t *testing.T) {
	if memory.Peak() == nil || allocations.Race {
		t.Skip("the system does not tell what a process takes, or the race detector takes much more")
	}
	t.Chdir(t.TempDir())
	planRows(t)
	t.Run("runs", func(t *testing.T) {
		for _, line := range []string{
			"--epochs 3 two.lanes", "--solver newton --class-weight balanced --epochs 3 two.lanes", "--solver svrg --epochs 2 two.lanes", "--solver prox-sdca --epochs 3 two.lanes", "--solver adfsdca --time 1s two.lanes",
			"--solver adap --epochs 2 two.lanes", "--solver adap --set iterations=100000000 --epochs 2 two.lanes", "--solver sorr-dca --epochs 2 two.lanes", "--l1 1e-5 --epochs 5 two.lanes", "--shards 32 --epochs 3 two.lanes", "--shards 32 --solver newton --epochs 3 two.lanes",
			"--normalize minmax --epochs 3 two.lanes", "--normalize std --epochs 3 two.lanes", "--normalize unit --bias --epochs 3 two.lanes", "--multiclass --epochs 3 four.lanes", "--multiclass softmax --epochs 3 four.lanes",
			"--cv 3 --epochs 3 two.lanes", "--path --lambdas 1:0.5:40 --epochs 2 two.lanes", "--path --multiclass --lambdas 1:0.5:10 --epochs 2 four.lanes", "--for logloss --cv 2 --epochs 2 two.lanes",
			"--l1 1e-5 --intercept --epochs 10 far.lanes", "--path --sparse --intercept --lambdas 1:0.01:4 far.lanes",
			"--for logloss --cv 2 --epochs 2 --checkpoint saved --checkpoint-every 200ms two.lanes",
		} {
			t.Run(line, func(t *testing.T) {
				t.Parallel()
				base, refused := peakOf(t, "--max-memory 1B "+line)
				about := regexp.MustCompile(`would take about (\d+) MB of memory`).FindStringSubmatch(refused.stderr)
				if about == nil {
					t.Fatalf("no plan in %s", refused.stderr)
				}
				plan := 1e6 * numberOf(t, about[1])
				peak, o := peakOf(t, line)
				if o.status != exitDone && o.status != exitRun {
					t.Fatal(o.stderr)
				}
				used := peak - base
				if t.Logf("planned %.0f MB, used %.0f MB: %.2f", plan/1e6, used/1e6, plan/used); used > 1.2*plan || used < plan/5 {
					t.Errorf("planned %.0f MB, used %.0f MB", plan/1e6, used/1e6)
				}
			})
		}
	})
}
