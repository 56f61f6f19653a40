package command

import (
	"strings"
	"testing"
)

// TestReceiptOpensNothing: verify opens no file because a receipt names it, and prints nothing of
// it. The caller names the labels of a run, and only where the run had a file of them.
func TestReceiptOpensNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := file(t, "rows", strings.Repeat("1 1:1 3:0.5\n1 2:2\n", 3))
	labels := file(t, "labels", strings.Repeat("1\n-1\n", 3))
	secret := file(t, "secret", "password\n")
	succeed(t, "train", "--quiet", rows, "--labels", labels, "--receipt", "named")
	succeed(t, "train", "--quiet", rows, "--labels", labels, "--receipt", "r")
	set := func(list any, from, to string) {
		for k, v := range list.([]any) {
			if v == from {
				list.([]any)[k] = to
			}
		}
	}
	hostile := edited(t, read(t, "r"), func(r map[string]any) { set(r["flags"], "labels="+labels, "labels="+secret) })
	succeed(t, "verify", "--quiet", "named", "--labels", labels, rows)
	succeed(t, "verify", "--quiet", hostile, "--labels", labels, rows)
	for _, args := range [][]string{{"named", rows}, {hostile, rows}} {
		o := inside(append([]string{"verify", "--quiet"}, args...)...)
		if o.status != exitUsage || strings.Contains(o.stderr, "password") || !strings.Contains(o.stderr, "name it by --labels") {
			t.Errorf("verify %v: exit status %d: %s", args, o.status, o.stderr)
		}
	}
	rows = file(t, "rows", strings.Repeat("1 1:1 3:0.5\n-1 2:2\n", 3))
	succeed(t, "train", "--quiet", rows, "--receipt", "r")
	if o := inside("verify", "--quiet", "r", "--labels", labels, rows); o.status != exitUsage {
		t.Errorf("labels for a run without: exit status %d: %s", o.status, o.stderr)
	}
	hostile = edited(t, read(t, "r"), func(r map[string]any) { set(r["defaults"], "labels=", "labels="+secret) })
	if o := inside("verify", "--quiet", hostile, rows); o.status != exitUsage || strings.Contains(o.stderr, "password") {
		t.Errorf("labels among the defaults: exit status %d: %s", o.status, o.stderr)
	}
}
