package command

import (
	"strings"
	"testing"
)

// TestTableRanks: several processes refuse a table and name lanes convert. They train on the
// cache that convert makes.
func TestTableRanks(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCSV(t, "t.csv", ',', people(300))
	const columns = " --target pay --ignore person --weight importance"
	status, o := onRanks(t, 2, strings.Fields("train t.csv"+columns))
	if status[0] == exitDone || status[1] == exitDone || strings.Count(o.stderr, "make one of the table by 'lanes convert TABLE OUT.lanes --target COLUMN'") != 1 {
		t.Errorf("exit statuses %v: %s", status, o.stderr)
	}
	if status, o = onRanks(t, 2, strings.Fields("train t.csv")); status[0] == exitDone || !strings.Contains(o.stderr, "lanes convert") {
		t.Errorf("without a target: exit statuses %v: %s", status, o.stderr)
	}
	done(t, "convert t.csv t.lanes --quiet"+columns)
	want := weightsOf(t, "train t.csv --memory 1GB"+columns)
	status, o = onRanks(t, 2, strings.Fields("train t.lanes --json --quiet --model m"))
	if status[0] != exitDone || object(t, o.out)["weights_sha256"] != want {
		t.Errorf("exit statuses %v: %s%s, want the weights %s", status, o.out, o.stderr, want)
	}
	if scored := readCSV(t, done(t, "predict m t.csv --quiet").out); len(scored) != 301 {
		t.Errorf("%d lines of predictions", len(scored))
	}
}
