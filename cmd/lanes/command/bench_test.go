package command

import (
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/bench"
)

func TestBenchLists(t *testing.T) {
	t.Parallel()
	all := strings.Fields(inside("bench", "--list").out)
	some := inside("bench", "--list", "--filter", "DENSE.d")
	if len(all) < 150 || some.status != exitDone || some.out != "dense.Dot\n" {
		t.Errorf("%d kernels; the dense kernels that begin with d: %q %s", len(all), some.out, some.stderr)
	}
	if v := object(t, inside("bench", "--list", "--json", "--filter", "^dense.Axpy$").out)["kernels"].([]any); len(v) != 1 || v[0] != "dense.Axpy" {
		t.Errorf("as JSON: %v", v)
	}
}

// TestBenchAgainst: a file that is not what it should be ends the command before it
// measures.
func TestBenchAgainst(t *testing.T) {
	t.Chdir(t.TempDir())
	one := []float64{1}
	other, err := json.Marshal(bench.Report{Format: "lanes bench 1", Machine: bench.Machine{Name: "Z80"}, Sizes: []int{4096}, Latencies: bench.Latencies{Load: one},
		Limits:  []bench.Limits{{Path: "generic", Read: one, Write: one, Copy: one, Update: one, Accumulate: one, Gather: one, Scatter: one}},
		Results: []bench.Result{{Kernel: "dense.Dot", Path: "generic", Place: "L1", Limit: "call", Elements: 8, Time: 2, Median: 3, Repeats: 1, Samples: []float64{2, 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ content, says string }{
		"damaged.json":   {string(other[:len(other)/2]), "damaged"},
		"another.json":   {`{"solver": "newton"}`, "format"},
		"elsewhere.json": {string(other), "measured on another machine: Z80"},
	} {
		if err := os.WriteFile(name, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		if o := inside("bench", "--against", name); o.status != exitData || o.out != "" || !strings.Contains(o.stderr, c.says) || !strings.Contains(o.stderr, name) {
			t.Errorf("%s: exit status %d\n%s%s", name, o.status, o.out, o.stderr)
		}
	}
	// It can be shown all the same.
	if o := inside("bench", "--from", "elsewhere.json"); o.status != exitDone || !strings.Contains(o.out, "Z80") || !strings.Contains(o.out, "dense.Dot") {
		t.Errorf("--from elsewhere.json: exit status %d\n%s%s", o.status, o.out, o.stderr)
	}
	o := inside("bench", "--against", "absent", "--json")
	if v := object(t, o.out); o.status != exitData || v["exit_status"] != 3.0 || !strings.Contains(o.stderr, "absent: there is no such file") {
		t.Errorf("no file: exit status %d, %s", o.status, o.stderr)
	}
}

// TestBench measures in earnest, and looks at what comes out, not at how fast it was. With
// little memory the command measures the machine with short streams.
func TestBench(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Chdir(t.TempDir())
	i := invocation{args: []string{"bench", "--quick", "--paths", "generic", "--filter", "^dense.(Sum|Dot)$", "--lengths", "8,100", "--json", "--html", "page.html"}}
	cmd := i.command()
	if runtime.GOOS == "linux" {
		cmd = i.limited("-d 400000")
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	v := object(t, string(out))
	results := v["results"].([]any)
	if first := results[0].(map[string]any); len(results) != 4 || first["ns"].(float64) <= 0 || first["share"].(float64) <= 0 || v["version"] == "" {
		t.Errorf("%d results, the first is %v", len(results), first)
	}
	if page := read(t, "page.html"); !strings.Contains(page, "dense.Sum") {
		t.Error("the page does not show dense.Sum")
	}
	if err := os.WriteFile("old.json", out, 0o666); err != nil {
		t.Fatal(err)
	}
	// The file shows the same as what was measured.
	for _, line := range []string{"--json", "--json --html again.html", "--format go", "--against old.json"} {
		o := inside(append([]string{"bench", "--quiet", "--from", "old.json"}, strings.Fields(line)...)...)
		if o.status != exitDone || !strings.Contains(o.out, map[bool]string{true: "Dense.Sum", false: "dense.Sum"}[line == "--format go"]) {
			t.Errorf("--from old.json %s: exit status %d\n%s%s", line, o.status, o.stderr, o.out)
		}
	}
	if read(t, "again.html") != read(t, "page.html") {
		t.Error("another page of the same results")
	}
	// It has nothing of other lengths: nothing is measured.
	o := inside("bench", "--against", "old.json", "--lengths", "9")
	if o.status != exitData || !strings.Contains(o.stderr, "no result") {
		t.Errorf("nothing in common: exit status %d\n%s%s", o.status, o.out, o.stderr)
	}
}
