package command

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestSeparableTables: a table whose rows are separable has no minimum without a penalty: the run
// names the column, and fails. A penalty, however small, has a minimum.
func TestSeparableTables(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString("age,job,y,w,tiny\n")
	for i := range 200 {
		y, job := i*i%7%2, []string{"cook", "smith"}[i%2]
		if i%10 == 3 {
			y, job = 1, "king"
		}
		fmt.Fprintf(&text, "%d,%s,%d,1,1e-9\n", 20+i*13%50, job, y)
	}
	if err := os.WriteFile("t.csv", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	train := func(flags string) outcome {
		return inside(strings.Fields("train t.csv --target y --json --ignore " + flags)...)
	}
	o := train("w,tiny --lambda 0")
	if v := object(t, o.out); o.status != exitRun || v["status"] != "no minimum" || !strings.Contains(o.stderr, "separable by job=king; add a penalty by --lambda") {
		t.Errorf("exit status %d, %s%s", o.status, o.out, o.stderr)
	}
	for flags, want := range map[string]string{
		"--nonnegative age": "no minimum: the rows are separable by job=king; add a penalty by --lambda", "--nonnegative *": "separable by job=king", "--bounds most": "",
	} {
		if err := os.WriteFile("most", []byte("job=*,-3,3\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		o := train("w,tiny --lambda 0 " + flags)
		if v := object(t, o.out); want != "" && (o.status != exitRun || v["status"] != "no minimum" || !strings.Contains(o.stderr, want)) || want == "" && (o.status != exitDone || v["status"] != "converged") {
			t.Errorf("%s: exit status %d, %s%s", flags, o.status, o.out, o.stderr)
		}
	}
	for flags, want := range map[string]string{
		"--loss cloglog --solver svrg":     "take the solver proximal-newton or newton\n",
		"--loss probit --solver prox-sdca": "the probit loss has no step in a dual variable; take the solver proximal-newton, ai-sarah-importance, ai-sarah-uniform, adam or newton\n",
		"--loss hinge --nonnegative age":   "take the solver prox-sdca or sdca-newton, which takes no penalty but a ridge\n",
	} {
		if o := train("w,tiny " + flags); o.status != exitUsage || !strings.HasSuffix(o.stderr, want) {
			t.Errorf("%s: exit status %d, %s", flags, o.status, o.stderr)
		}
	}
	one, tiny := train("tiny --weight w --C 1"), train("w --weight tiny --C 1e9")
	a, b := object(t, one.out), object(t, tiny.out)
	if one.status != exitDone || tiny.status != exitDone || a["passes"] != b["passes"] || a["status"] != "converged" || b["status"] != "converged" {
		t.Errorf("weights of 1 and 1e-9: %s%s", one.out, tiny.out)
	}
	if o := train("w,tiny --C 1e9"); o.status != exitDone || object(t, o.out)["status"] != "converged" || strings.Contains(o.stderr, "separable") {
		t.Errorf("a small penalty: %s%s", o.out, o.stderr)
	}
}
