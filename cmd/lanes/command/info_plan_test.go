package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/memory"
)

// TestPlanOfJob: the least memory of a plan is what train asks for that may take a byte, of rows and of the rows of a
// table, which have an intercept. More machines hold fewer rows and move more; less memory is refused.
func TestPlanOfJob(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCSV(t, "t.csv", ',', people(300))
	for _, line := range []string{"t.csv t.lanes --target pay", "--generate text:n=4000,d=300 x.lanes", "--generate dense:n=2000,d=30 d.lanes"} {
		succeed(t, strings.Fields("convert --quiet "+line)...)
	}
	for _, name := range []string{"t.lanes", "x.lanes", "d.lanes"} {
		list := func(job string) (lines []map[string]any) {
			for _, v := range object(t, succeed(t, "info", "--json", name, "--plan", job))["plan"].([]any) {
				lines = append(lines, v.(map[string]any))
			}
			return lines
		}
		one := list("1GB")
		if len(one) != 1 || one[0]["machines"] != 1.0 || one[0]["fits"] != true || one[0]["rows_kept"] != 1.0 || !(one[0]["seconds_a_pass"].(float64) > 0) || one[0]["seconds_of_network"] != 0.0 {
			t.Errorf("%s: %v", name, one)
		}
		short := lanes(t, "train", "--quiet", "--solver", "newton", "--memory", "1B", name)
		if want := fmt.Sprintf("needs %s at least", strings.Replace(memory.Text(int64(one[0]["least_memory"].(float64))), " ", "", 1)); !strings.Contains(short.stderr, want) {
			t.Errorf("%s: train says %s; the plan has %s", name, short.stderr, want)
		}
		more := object(t, succeed(t, "info", "--json", name, "--plan", "1GB"))["inference_memory"].(float64)
		if name == "x.lanes" && more <= one[0]["least_memory"].(float64) {
			t.Errorf("%s: errors of weights take %v bytes", name, more)
		}
		more = max(more, one[0]["least_memory"].(float64))
		if short := lanes(t, "train", "--quiet", "--lambda", "0", "--inference", "--memory", fmt.Sprintf("%.0fB", more-1), name); !strings.Contains(short.stderr, fmt.Sprintf("needs %s at least", strings.Replace(memory.Text(int64(more)), " ", "", 1))) {
			t.Errorf("%s: errors of weights take %v bytes; train with a byte less says %s", name, more, short.stderr)
		}
		if less := list("1MB,1x2"); less[0]["fits"] != false || less[0]["seconds_a_pass"] != 0.0 {
			t.Errorf("%s: %v with 1 MB", name, less)
		}
	}
	lines := object(t, succeed(t, "info", "--json", "x.lanes", "--plan", "1GB,3x2"))["plan"].([]any)
	if len(lines) != 3 {
		t.Fatalf("%d lines for 1, 2 and 3 machines", len(lines))
	}
	for k, v := range lines {
		line := v.(map[string]any)
		if line["machines"] != float64(k+1) || (line["seconds_of_network"].(float64) > 0) != (k > 0) {
			t.Errorf("line %d: %v", k, line)
		}
	}
	out := succeed(t, "info", "x.lanes", "--plan", "1MB,2x2")
	for _, want := range []string{"refused", "2 cores a machine", "kept in 1 MB", "4000 x 300"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if out := succeed(t, "info", "t.lanes", "--plan", "1GB,1000x2"); !strings.Contains(out, "at most so many machines") {
		t.Errorf("no word of machines beyond the shards:\n%s", out)
	}
}
