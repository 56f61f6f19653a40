package command

import (
	"os"
	"strings"
	"testing"
)

// TestGroupsOfColumns: --l1-groups trains a group lasso, of a table's columns and of numbered ones; the
// model and the report say so, and a receipt repeats it.
func TestGroupsOfColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "town,day,sold\n"
	for i := range 200 {
		sold := "no"
		if i%5 < 2 {
			sold = "yes"
		}
		text += strings.Join([]string{[]string{"Ulm", "Bonn", "Kiel", "Hof", "Lahr"}[i%5], []string{"Mon", "Tue", "Wed"}[i/5%3], sold}, ",") + "\n"
	}
	if err := os.WriteFile("shops.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	v := object(t, succeed(t, "train", "shops.csv", "--target", "sold", "--l1", "0.01", "--l1-groups", "table", "--json", "--model", "shops.model", "--receipt", "shops.json"))
	if v["groups"] != 2.0 || v["l1"] != 0.01 || v["nonzero_weights"] != 5.0 || v["status"] != "converged" {
		t.Errorf("a table with two categories: %v groups, %v weights, %v", v["groups"], v["nonzero_weights"], v["status"])
	}
	if out := succeed(t, "info", "shops.model"); !strings.Contains(out, "l1 0.01 of 2 groups") {
		t.Errorf("the model says %s", out)
	}
	succeed(t, "verify", "shops.json", "shops.csv")
	rowsOf(t, "rows", "onehot:n=200,d=10", relabel("1", "-1"))
	listed := object(t, succeed(t, "train", "rows", "--l1", "0.01", "--l1-groups", "1-3,5+7", "--json"))
	zeroBased := object(t, succeed(t, "train", "rows", "--zero-based", "--l1", "0.01", "--l1-groups", "1-3,5+7", "--json"))
	single := object(t, succeed(t, "train", "rows", "--l1", "0.01", "--l1-groups", "4", "--json"))
	plain := object(t, succeed(t, "train", "rows", "--l1", "0.01", "--json"))
	if listed["groups"] != 7.0 || zeroBased["groups"] != 8.0 || single["groups"] != 10.0 || plain["groups"] != nil {
		t.Errorf("%v, %v, %v and %v groups", listed["groups"], zeroBased["groups"], single["groups"], plain["groups"])
	}
	if a, b := single["objective"].(float64), plain["objective"].(float64); !(a-b < 2e-6 && b-a < 2e-6) || listed["objective"] == plain["objective"] {
		t.Errorf("objectives %v of groups, %v of single groups, %v without", listed["objective"], a, b)
	}
	for flags, want := range map[string]string{
		"--l1 0.1 --l1-groups 1-3,2": "column 2 stands there twice", "--l1 0.1 --l1-groups 9-11": "has column 10", "--l1-groups 1-3": "goes with --l1",
		"--l1 0.1 --l1-groups table": "only a table", "--l1 0.1 --l1-groups 1-3 --solver newton": "proximal-newton",
	} {
		o := inside(append([]string{"train", "rows"}, strings.Fields(flags)...)...)
		if o.status != 2 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: status %d, %s", flags, o.status, o.stderr)
		}
	}
}
