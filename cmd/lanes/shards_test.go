package main

import (
	"strings"
	"testing"
)

// A run by shards has the same bits for any number of workers, other bits for another
// number of shards, and says how many there were.
func TestTrainByShards(t *testing.T) {
	t.Chdir(t.TempDir())
	rowsOf(t, "rows", "text:n=400,d=60,seed=5", relabel("1", "-1"))
	want := hash(t, nil, "rows", "--solver", "newton", "--C", "1", "--gap", "1e-7", "--shards", "16")
	for _, args := range []string{"--solver newton --workers 1", "--workers 2", "--solver newton --workers 3"} {
		if got := hash(t, nil, append(strings.Fields(args), "rows", "--C", "1", "--gap", "1e-7", "--shards", "16")...); got != want {
			t.Errorf("%s: %s, not %s", args, got, want)
		}
	}
	for _, args := range []string{"--solver newton", "--shards 8", "--shards 1"} {
		if got := hash(t, nil, append(strings.Fields(args), "rows", "--C", "1", "--gap", "1e-7")...); got == want {
			t.Errorf("%s has the bits of 16 shards", args)
		}
	}
	v := object(t, succeed(t, "train", "--json", "--shards", "16", "rows"))
	if v["shards"] != 16.0 || v["solver"] != "newton" {
		t.Errorf("shards %v, solver %v", v["shards"], v["solver"])
	}
	if v := object(t, succeed(t, "train", "--json", "rows")); v["shards"] != nil {
		t.Errorf("shards %v where none were asked for", v["shards"])
	}
	o := inside("train", "rows", "--solver", "svrg", "--shards", "4")
	if o.status != exitUsage || !strings.Contains(o.stderr, "newton") {
		t.Errorf("exit status %d: %s", o.status, o.stderr)
	}
}
