package command

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/scoretest"
	"github.com/lanes-go/lanes/sparse"
)

func TestTrainPerceptron(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	files := []string{filepath.Join(folder, "train"), filepath.Join(folder, "test")}
	for k, path := range files {
		d, err := scoretest.Interactions(1500, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		if err := sparse.WriteLIBSVMFile(path, d); err != nil {
			t.Fatal(err)
		}
	}
	model := filepath.Join(folder, "m")
	train := func(args ...string) map[string]any {
		t.Helper()
		return object(t, succeed(t, append([]string{"train", files[0], "--json", "--solver", "adap"}, args...)...))
	}
	linear := train()["metrics"].(map[string]any)["train_ap"].(float64)
	for _, hidden := range []string{"16", "12,6"} {
		v := train("--hidden", hidden, "--valid", files[1], "--model", model, "--normalize", "unit")
		measured := v["metrics"].(map[string]any)
		valid := measured["valid_ap"].(float64)
		if !(valid > linear+0.3) || v["activation"] != "tanh" || len(v["hidden"].([]any)) != strings.Count(hidden, ",")+1 || v["bias"] != 0.0 {
			t.Errorf("linear %v: %v", linear, v)
		}
		e := object(t, succeed(t, "eval", "--json", "--model", model, files[1]))
		if e["average_precision"] != valid {
			t.Errorf("eval gives %v, --valid gave %v", e["average_precision"], valid)
		}
		labels := strings.Fields(succeed(t, "predict", "--labels", "--model", model, files[1]))
		if len(labels) != 1500 || !slices.Contains(labels, "1") || !slices.Contains(labels, "-1") {
			t.Errorf("%d labels", len(labels))
		}
	}
	v := train("--solver", "agd-sbcd", "--fpr", "0.05,0.5", "--hidden", "16", "--valid", files[1])
	if valid := v["metrics"].(map[string]any)["valid_pauc:0.05,0.5"].(float64); !(valid > 0.8) {
		t.Errorf("agd-sbcd: %v", v)
	}
	args := []string{files[0], "--solver", "moap-v2", "--hidden", "8", "--activation", "softplus", "--set", "iterations=100"}
	if hash(t, nil, append(args, "--workers", "1")...) != hash(t, []string{"LANES_CPU=generic"}, args...) {
		t.Error("another hash with other workers on another path")
	}
	for _, wrong := range [][]string{
		{"--hidden", "8"}, {"--hidden", "8", "--solver", "newton"}, {"--hidden", "8", "--solver", "svm-pauc-tight"}, {"--activation", "relu", "--solver", "adap"},
		{"--hidden", "0", "--solver", "adap"}, {"--hidden", "1,2,3", "--solver", "adap"},
		{"--hidden", "8", "--activation", "step", "--solver", "adap"}, {"--hidden", "8", "--bias", "--solver", "adap"},
	} {
		o := lanes(t, append([]string{"train", files[0]}, wrong...)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, "--hidden") && !strings.Contains(o.stderr, "--activation") {
			t.Errorf("%v: exit status %d: %s", wrong, o.status, o.stderr)
		}
	}
	text := read(t, model)
	broken := file(t, "broken", text[:len(text)-9])
	if o := lanes(t, "eval", "--model", broken, files[1]); o.status != exitData || !strings.Contains(o.stderr, "truncated") {
		t.Errorf("a broken model: exit status %d: %s", o.status, o.stderr)
	}
	if o := lanes(t, "predict", "--probability", "--model", model, files[1]); o.status != exitUsage {
		t.Errorf("probabilities from a ranking: exit status %d", o.status)
	}
}
