package command

import (
	"os"
	"strings"
	"testing"
)

// TestBoundsOfColumns: --nonnegative and --bounds keep weights of columns of a table within bounds, by names, patterns
// and names of categories. The report counts them, and info names the weights that a bound holds.
func TestBoundsOfColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "town,age,sold\n"
	for i := range 200 {
		sold := "no"
		if i%5 < 2 && i%3 > 0 || i%7 == 0 {
			sold = "yes"
		}
		text += strings.Join([]string{[]string{"Ulm", "Bonn", "Kiel", "Hof", "Lahr"}[i%5], []string{"31", "47.5", "22"}[i*i%3], sold}, ",") + "\n"
	}
	for name, text := range map[string]string{"shops.csv": text, "zero": "town*\t0\tinf\n", "both": "town,-1,1\nage,0.01,0.01\n", "short": "town,1\n", "words": "town,a,b\n", "twice": "age,0,1\nage\t0\t2\n", "wrong": "age,1,0\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	of := func(flags string) map[string]any {
		return object(t, succeed(t, append([]string{"train", "shops.csv", "--target", "sold", "--json"}, strings.Fields(flags)...)...))
	}
	plain, flag, file, both := of(""), of("--nonnegative town"), of("--bounds zero"), of("--bounds both --l1 0.001")
	if plain["bounded_columns"] != nil || flag["bounded_columns"] != 5.0 || both["bounded_columns"] != 6.0 || flag["status"] != "converged" || both["status"] != "converged" {
		t.Errorf("%v and %v columns: %v and %v", flag["bounded_columns"], both["bounded_columns"], flag["status"], both["status"])
	}
	if flag["weights_sha256"] != file["weights_sha256"] || flag["weights_sha256"] == plain["weights_sha256"] || !(flag["objective"].(float64) > plain["objective"].(float64)) {
		t.Errorf("weights %v by a flag, %v by a file, %v without", flag["weights_sha256"], file["weights_sha256"], plain["weights_sha256"])
	}
	if out := succeed(t, "train", "shops.csv", "--target", "sold", "--bounds", "both", "--model", "m"); !strings.Contains(out, "columns with bounds: 6") {
		t.Errorf("the report says %s", out)
	}
	if out := succeed(t, "info", "m"); !strings.Contains(out, "weights at a bound") || !strings.Contains(out, "age") {
		t.Errorf("info says %s", out)
	}
	for flags, want := range map[string]string{
		"--nonnegative twon": "did you mean town?", "--nonnegative town --solver newton": "proximal-newton", "--nonnegative town,,age": "has no name", "--nonnegative age,age": "has bounds already",
		"--bounds short": "line 1", "--bounds words": `is "b", and no number`, "--bounds twice": "line 2", "--bounds wrong": "no weight is between them", "--bounds none": "none", "--bounds zero --nonnegative town*": "has bounds already",
		"--nonnegative town --for ap": "leave --nonnegative out", "--bounds zero --nonnegative age": "", "--nonnegative town --l1 0.1 --l1-groups table": "", "--lambda 0 --bounds both --inference": "a bound holds the weight",
	} {
		o := inside(append([]string{"train", "shops.csv", "--target", "sold"}, strings.Fields(flags)...)...)
		if want != "" && (o.status == 0 || !strings.Contains(o.stderr, want)) || want == "" && o.status != 0 {
			t.Errorf("%s: status %d, %s", flags, o.status, o.stderr)
		}
	}
}
