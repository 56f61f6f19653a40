package command

import (
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/solvers"
)

// TestNotSolved: a run above its tolerance, the usual one too, fails and says what it reached;
// of several fits it says how many did. A budget that the user has set is no failure.
func TestNotSolved(t *testing.T) {
	t.Parallel()
	four := fourClasses(t, 60, 3)
	const two, tiny = "--generate onehot:n=30,d=12", " --grad 1e-300"
	statuses := func(list any) (missed int) {
		for _, fit := range list.([]any) {
			if fit.(map[string]any)["status"] != "converged" {
				missed++
			}
		}
		return missed
	}
	for _, c := range []struct{ args, says string }{
		{two + tiny, "not solved: gradient norm "},
		{two + " --solver svrg --set step=1e-9", "(wanted 1e-06); budget reached after 1000 epochs"},
		{two + " --shards 2 --solver newton --gap 1e-300", "(wanted 1e-300); numerical precision reached after "},
		{two + " --path --lambdas 1:0.01:3" + tiny, "3 of 3 points of the path (wanted a gradient norm of 1e-300)"},
		{two + " --path --cv 2 --lambdas 1:0.01:3" + tiny, "7 of 7 fits (wanted a gradient norm of 1e-300)"},
		{four + " --multiclass" + tiny, "4 of 4 classes (wanted a gradient norm of 1e-300)"},
		{four + " --multiclass softmax" + tiny, "not solved: gradient norm "},
		{four + " --multiclass --cv 2 --path --lambdas 1:0.1:2" + tiny, "8 of 8 fits (wanted a gradient norm of 1e-300)"},
	} {
		args := append([]string{"train", "--quiet", "--json"}, strings.Fields(c.args)...)
		o := lanes(t, args...)
		if o.status != exitRun || !strings.Contains(o.stderr, "not solved: ") || !strings.Contains(o.stderr, c.says) {
			t.Errorf("%s: exit status %d: %s", c.args, o.status, o.stderr)
			continue
		}
		v := object(t, o.out)
		for _, list := range []string{"path", "classes"} {
			if v[list] != nil && v["cross_validation"] == nil && v["unsolved"] != float64(statuses(v[list])) {
				t.Errorf("%s: %v unsolved, %d by their statuses", c.args, v["unsolved"], statuses(v[list]))
			}
		}
		if v["cross_validation"] != nil && !(v["unsolved"].(float64) >= 1) {
			t.Errorf("%s: %v unsolved", c.args, v["unsolved"])
		}
	}
	o := lanes(t, "train", "--json", "--gap", "1e-9", "--epochs", "2", "--generate", small)
	if o.status != exitDone || !strings.Contains(o.stderr, "not solved: gap ") || !strings.Contains(o.stderr, "(wanted 1e-09); budget reached after 2 epochs") {
		t.Errorf("with a budget: exit status %d: %s", o.status, o.stderr)
	}
	o = lanes(t, "train", "--json", "--generate", "onehot:n=3000,d=60", "--solver", "sgd", "--path", "--lambdas", "1:0.01:9", "--time", "150ms", "--grad", "1e-300")
	if o.status != exitDone || object(t, o.out)["status"] != "time reached" || !strings.Contains(o.stderr, " points of the path were not begun") {
		t.Errorf("a path whose time is over: exit status %d: %s", o.status, o.stderr)
	}
	if o := lanes(t, "train", "--json", "--generate", small, "--path"); o.status != exitDone || strings.Contains(o.stderr, "not solved") || strings.Contains(o.out, "unsolved") {
		t.Errorf("a path that is solved: exit status %d: %s", o.status, o.stderr)
	}
}

// TestCompareNotSolved: solvers above a tolerance that was asked for are counted; a comparison
// within a budget is judged by no tolerance.
func TestCompareNotSolved(t *testing.T) {
	t.Parallel()
	const one = "--solvers newton,svrg --set svrg.step=1e-9"
	for args, says := range map[string]string{
		one + " --gap 1e-9":                     "not solved: 1 of 2 solvers (wanted 1e-09)",
		one + " --grad 1e-9":                    "not solved: 1 of 2 solvers (wanted a gradient norm of 1e-09)",
		one + " --gap 1e-9 --epochs 5":          "",
		"--solvers newton,prox-sdca --gap 1e-6": "",
		one:                                     "",
	} {
		o := lanes(t, append(strings.Fields("compare --quiet --generate onehot:n=60,d=12"), strings.Fields(args)...)...)
		want := exitDone
		if says != "" {
			want = exitRun
		}
		if o.status != want || !strings.Contains(o.stderr, says) || !strings.Contains(o.out, "newton") || strings.Contains(o.stderr, "not solved") != (says != "") {
			t.Errorf("%s: exit status %d: %s", args, o.status, o.stderr)
		}
	}
}

// TestInterruptedSays: the end of an interrupted run says whether the run is saved.
func TestInterruptedSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ model, checkpoint, says string }{
		{"", "", "it was not saved (no --model, no --checkpoint)"}, {"m", "", ", it is saved"}, {"", "c", ", it is saved"}, {"m", "c", ", it is saved"},
	} {
		r := &fitting.Trained{Result: &solvers.Result{Status: solvers.Cancelled}}
		err := ending(&console.App{}, &fitting.RunFlags{Model: c.model, Checkpoint: c.checkpoint}, r, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("model %q, checkpoint %q: %v", c.model, c.checkpoint, err)
		}
	}
}
