package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTrainRanking(t *testing.T) {
	const data = "imbalanced:n=3000,d=60"
	model := filepath.Join(t.TempDir(), "m")
	v := object(t, succeed(t, "train", "--json", "--solver", "adap", "--generate", data, "--model", model))
	measured := v["metrics"].(map[string]any)
	if measured["train_ap"] == nil || measured["train_auc"] == nil || v["solver"] != "adap" || v["bias"] != 1.0 || v["duality_gap"] != nil {
		t.Errorf("%v", v)
	}
	if o := lanes(t, "predict", "--probability", "--model", model, "--quiet", "no-such-file"); o.status == exitDone {
		t.Error("probabilities from a ranking")
	}
	args := []string{"--solver", "moap-v2", "--generate", data, "--set", "iterations=100"}
	if hash(t, nil, append(args, "--workers", "1")...) != hash(t, []string{"LANES_CPU=generic"}, args...) {
		t.Error("another hash with other workers on another path")
	}
	for _, wrong := range [][]string{{"--loss", "squared"}, {"--class-weight", "balanced"}, {"--gap", "1e-6"}, {"--batch", "20"}, {"--set", "beta=7"}} {
		o := lanes(t, append([]string{"train", "--solver", "adap", "--generate", data}, wrong...)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, wrong[0]) {
			t.Errorf("%v: exit status %d: %s", wrong, o.status, o.stderr)
		}
	}
	if o := lanes(t, "compare", "--solvers", "adap,svrg", "--generate", data); o.status != exitUsage {
		t.Errorf("compare: exit status %d", o.status)
	}
}
