package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTimeCapsTheTarget: --time alone leaves the default target as it is.
func TestTimeCapsTheTarget(t *testing.T) {
	t.Parallel()
	plain := object(t, succeed(t, "train", "--json", "--generate", small))
	for _, args := range [][]string{{"--time", "10m"}, {"--time", "10m", "--gap", "1e-6"}} {
		v := object(t, succeed(t, append([]string{"train", "--json", "--generate", small}, args...)...))
		if v["status"] != "converged" || v["weights_sha256"] != plain["weights_sha256"] {
			t.Errorf("%v: %v at a gap of %v, without at %v", args, v["status"], v["duality_gap"], plain["duality_gap"])
		}
	}
	if v := object(t, succeed(t, "train", "--json", "--generate", small, "--time", "10m", "--lambda", "0", "--loss", "squared")); v["status"] != "converged" || v["gradient_norm"].(float64) > 1e-6 {
		t.Errorf("without a regulariser: %v at a gradient of %v", v["status"], v["gradient_norm"])
	}
}

// TestStalledRuns: a run that float64 cannot improve ends long before its time is
// over; that is a failure where it has a tolerance.
func TestStalledRuns(t *testing.T) {
	t.Parallel()
	for _, solver := range []string{"newton", "ai-sarah", "prox-sdca", "sdca-newton"} {
		args := []string{"train", "--json", "--generate", "onehot:n=300", "--solver", solver, "--time", "10m", "--epochs", "inf"}
		o := lanes(t, args...)
		const ended = "numerical precision reached"
		if o.status != exitDone || object(t, o.out)["status"] != ended || !strings.Contains(o.stderr, ended) {
			t.Errorf("%s without a target: exit status %d: %s", solver, o.status, o.stderr)
		}
		o = lanes(t, append(args, "--gap", "1e-200")...)
		if o.status != exitRun || object(t, o.out)["status"] != ended || !strings.Contains(o.stderr, "not solved: gap") || !strings.Contains(o.stderr, "(wanted 1e-200); "+ended) {
			t.Errorf("%s with a target: exit status %d: %s", solver, o.status, o.stderr)
		}
	}
}

// TestTimeCountsReading: data that do not come end the command as well.
func TestTimeCountsReading(t *testing.T) {
	t.Parallel()
	in, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	defer in.Close()
	model := filepath.Join(t.TempDir(), "model")
	o := invocation{args: []string{"train", "-", "--json", "--time", "200ms", "--model", model}, stdin: in}.run(t)
	if o.status != exitRun || !strings.Contains(o.stderr, "--time 200ms") || object(t, o.out)["exit_status"] != float64(exitRun) {
		t.Errorf("exit status %d: %s%s", o.status, o.stderr, o.out)
	}
	if _, err := os.Stat(model); err == nil {
		t.Error("a model was written")
	}
}
