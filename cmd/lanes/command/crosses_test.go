package command

import (
	"fmt"
	"strings"
	"testing"
)

// TestCrosses: crosses without a hash have the columns of pairs that the test counts, and the same weights
// from a table, a cache, rows in memory or in a file, and for any number of workers. Unseen pairs are said.
func TestCrosses(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(400)[1:]
	for i := range rows {
		rows[i][4] += fmt.Sprintf(" %02d:30", i%5)
	}
	pairs := map[[2]string]bool{}
	for i, row := range rows {
		if row[2] == "Lima" && row[6] == "2" || row[2] == "Oslo" && i%5 == 4 {
			row[2] = "Rome, IT"
		}
		pairs[[2]string{row[2], row[6]}] = true
	}
	writeCSV(t, "t.csv", ',', rows)
	fresh := [][]string{rows[0], rows[1], rows[2], rows[3]}
	for i := range fresh {
		fresh[i] = append([]string(nil), fresh[i]...)
		fresh[i][2], fresh[i][6] = "Lima", []string{"1", "2", "3", "2"}[i]
	}
	writeCSV(t, "new.csv", ',', fresh)
	const flags = " --no-header --target 6 --ignore 1,4 --category 3,7 --cross 3*7 --cross 3*5.hour"
	for _, c := range object(t, done(t, "info t.csv --json"+flags).out)["columns"].([]any)[7:] {
		column := c.(map[string]any)
		if want := map[string]float64{"3*7": float64(len(pairs)), "3*5.hour": 19}[column["name"].(string)]; column["kind"] != "cross" || column["distinct"] != want || column["encoded"] != fmt.Sprint(want) {
			t.Errorf("%v, not %v pairs", column, want)
		}
	}
	want := weightsOf(t, "train t.csv --model direct --workers 1 --receipt r.json --html p.html"+flags)
	if got := weightsOf(t, "train t.csv --workers 3"+flags); got != want {
		t.Error("3 workers: other weights")
	}
	done(t, "convert t.csv t.lanes --quiet"+flags)
	if got := weightsOf(t, "train t.lanes --model cached"); got != want {
		t.Error("a cache: other weights")
	}
	if a, b := weightsOf(t, "train t.lanes --shards 2"), weightsOf(t, "train t.csv --memory 1GB --shards 2 --model streamed"+flags); a != b {
		t.Error("rows in a file: other weights")
	}
	if o := inside("verify", "--json", "--quiet", "r.json", "t.csv"); o.status != exitDone || object(t, o.out)["same_bits"] != true {
		t.Errorf("verify: %s%s", o.out, o.stderr)
	}
	if page := read(t, "p.html"); !strings.Contains(page, "7 columns of 400 rows; the model uses 4 of them.") || !strings.Contains(page, "a column for each pair of values: 3*7, 3*5.hour") {
		t.Error("the page does not tell the crosses")
	}
	for _, line := range []string{"predict direct new.csv", "predict cached new.csv", "predict streamed new.csv", "eval direct new.csv"} {
		if o := done(t, line); !strings.Contains(o.stderr, "column 3*7: 2 values were not seen in training") {
			t.Errorf("%s: %s", line, o.stderr)
		}
	}
	if names := namesOf(t, "train t.csv --quiet"+flags+" --min-count 40"); !strings.Contains(strings.Join(names, " "), "3*7=(rare)") {
		t.Errorf("no pool of rare pairs: %q", names)
	}
	if o := inside(strings.Fields("train t.csv" + flags + " --max-memory 1KB")...); o.status == exitDone || !strings.Contains(o.stderr, "--hash") {
		t.Errorf("a kilobyte: exit status %d, %s", o.status, o.stderr)
	}
}
