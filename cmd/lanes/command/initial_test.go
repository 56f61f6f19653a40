package command

import (
	"os"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
)

// Every solver that train names begins at the model that it is given: it ends elsewhere
// than without, and at another model elsewhere again.
func TestEverySolverBeginsAtAModel(t *testing.T) {
	t.Chdir(t.TempDir())
	data := "onehot:n=300,d=40"
	begins := func(name string, more ...string) string {
		args := append([]string{"train", "--json", "--quiet", "--generate", data, "--bias", "--solver", name, "--epochs", "1"}, more...)
		switch name {
		case "proximal-newton":
			args = append(args, "--l1", "1e-3")
		case "svm-pauc-tight": // whose minimum is at 0 for few rates
			args = append(args, "--fpr", "0,0.9")
		}
		o := inside(args...)
		if o.status != exitDone {
			t.Fatalf("%v: exit status %d: %s", args, o.status, o.stderr)
		}
		return object(t, o.out)["weights_sha256"].(string)
	}
	succeed(t, "train", "--quiet", "--generate", data, "--bias", "--lambda", "0.1", "--model", "a")
	succeed(t, "train", "--quiet", "--generate", data, "--bias", "--lambda", "1e-9", "--model", "b")
	for _, name := range fitting.SolverNames() {
		at := []string{begins(name), begins(name, "--initial", "a"), begins(name, "--initial", "b")}
		if at[0] == at[1] || at[0] == at[2] || at[1] == at[2] {
			t.Errorf("%s: %v from 0 and from two models", name, at)
		}
	}
}

// A run that begins where another ended has nothing left to do; its receipt names the
// model, which verify wants and compares; a resumed run takes that start and no other.
func TestInitial(t *testing.T) {
	rows := fourClasses(t, 100, 3)
	t.Chdir(t.TempDir())
	rowsOf(t, "two", "text:n=200,d=60,seed=5", relabel("spam", "ham"))
	for _, c := range []struct{ data, flags string }{
		{"two", "--bias"},
		{"two", "--bias --solver svrg"},
		{"two", "--l1 1e-3 --intercept"},
		{"two", "--normalize unit --loss squared-hinge --shards 2"},
		{rows, "--multiclass --bias"},
		{rows, "--multiclass --l1 1e-3 --intercept"},
		{rows, "--multiclass softmax"},
		{rows, "--multiclass softmax --intercept"},
	} {
		train := append([]string{"train", c.data, "--json", "--quiet", "--gap", "1e-7"}, strings.Fields(c.flags)...)
		first := object(t, succeed(t, append(train, "--model", "m")...))
		second := object(t, succeed(t, append(train, "--initial", "m", "--model", "m", "--receipt", "r")...))
		if second["status"] != "converged" || !(second["passes"].(float64) <= first["passes"].(float64)/2) {
			t.Errorf("%s: %v passes from 0, %v from there", c.flags, first["passes"], second["passes"])
		}
		receipt := object(t, read(t, "r"))
		start, _ := receipt["initial"].(map[string]any)
		if start["name"] != "m" || start["weights_sha256"] != first["weights_sha256"] {
			t.Errorf("%s: the receipt says %v of its start %v", c.flags, start, first["weights_sha256"])
		}
	}

	base := []string{"train", "two", "--quiet", "--bias", "--solver", "svrg", "--grad", "1e-9"}
	succeed(t, "train", "two", "--quiet", "--bias", "--model", "near", "--lambda", "1")
	succeed(t, "train", "two", "--quiet", "--bias", "--model", "far", "--lambda", "1e-5")
	whole := append(base[:len(base):len(base)], "--epochs", "30", "--json", "--initial", "near")
	want := object(t, succeed(t, append(whole, "--receipt", "r")...))["weights_sha256"]
	succeed(t, append(base, "--epochs", "5", "--checkpoint", "c", "--initial", "near")...)
	for _, again := range []string{"--resume c --initial near", "--resume c", "--resume c --checkpoint c", "--resume c --initial near"} {
		got := object(t, succeed(t, append(append(base, "--epochs", "30", "--json"), strings.Fields(again)...)...))
		if got["weights_sha256"] != want {
			t.Errorf("%s: other weights", again)
		}
	}
	for line, says := range map[string]string{
		"train two --bias --solver svrg --epochs 30 --resume c --initial far": "another run: starting point",
		"train two --positive ham --bias --initial near":                      "the model separates spam (positive) from ham; the training separates ham",
		"train two --initial near":                                            "the training has none",
		"train " + rows + " --multiclass --bias --initial near":               "60 columns, the data have 12",
		"train two --bias --normalize unit --initial near":                    "scaled by none",
		"train two --bias --initial absent":                                   "no such file",
		"train two --bias --initial two":                                      "two:1: ",
		"train two --solver adap --hidden 3 --initial near":                   "linear",
		"verify r two --initial far":                                          "other weights than the model \"near\"",
	} {
		if o := inside(strings.Fields(line)...); o.status != exitData || !strings.Contains(o.stderr, says) {
			t.Errorf("lanes %s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
	succeed(t, "verify", "r", "two", "--initial", "near")
	succeed(t, "train", "two", "--quiet", "--receipt", "plain")
	for _, line := range []string{"verify r two", "verify plain two --initial near", "train two --initial near --trace near", "train two --initial near --checkpoint near --force"} {
		if o := inside(strings.Fields(line)...); o.status != exitUsage || !strings.Contains(o.stderr, "initial") && !strings.Contains(o.stderr, "replace") {
			t.Errorf("lanes %s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
	if err := os.Remove("near"); err != nil {
		t.Fatal(err)
	}
	succeed(t, append(base, "--epochs", "30", "--resume", "c")...)
}
