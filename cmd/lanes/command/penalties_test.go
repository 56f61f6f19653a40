package command

import (
	"os"
	"strings"
	"testing"
)

// TestFactorsOfColumns: --penalty and --penalties multiply the penalties of columns of a table, by names,
// patterns and names of categories, and of numbered columns. The report says so.
func TestFactorsOfColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "town,age,sold\n"
	for i := range 200 {
		sold := "no"
		if i%5 < 2 && i%3 > 0 || i%7 == 0 {
			sold = "yes"
		}
		text += strings.Join([]string{[]string{"Ulm", "Bonn", "Kiel", "Hof", "Lahr"}[i%5], []string{"31", "47.5", "22"}[i*i%3], sold}, ",") + "\n"
	}
	if err := os.WriteFile("shops.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("factors", []byte("town*\t0\nage,3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	of := func(flags string) map[string]any {
		return object(t, succeed(t, append([]string{"train", "shops.csv", "--target", "sold", "--l1", "0.05", "--json"}, strings.Fields(flags)...)...))
	}
	plain, free, file, one := of(""), of("--penalty town=0,age=3"), of("--penalties factors"), of("--penalty town=Ulm=0")
	if plain["status"] != "converged" || free["status"] != "converged" || one["status"] != "converged" {
		t.Errorf("%v, %v and %v", plain["status"], free["status"], one["status"])
	}
	if free["weights_sha256"] != file["weights_sha256"] || free["weights_sha256"] == plain["weights_sha256"] || one["weights_sha256"] == plain["weights_sha256"] {
		t.Errorf("weights %v by a flag, %v by a file, %v of one town, %v without", free["weights_sha256"], file["weights_sha256"], one["weights_sha256"], plain["weights_sha256"])
	}
	if !(free["nonzero_weights"].(float64) >= 4) || !(plain["nonzero_weights"].(float64) < 5) {
		t.Errorf("%v weights, and %v without factors", free["nonzero_weights"], plain["nonzero_weights"])
	}
	if out := succeed(t, "train", "shops.csv", "--target", "sold", "--penalty", "town=0"); !strings.Contains(out, "columns with factors: 5 (5 unpenalised)") {
		t.Errorf("the report says %s", out)
	}
	for flags, want := range map[string]string{
		"--penalty twon=0": "did you mean town?", "--penalty town=0 --penalties factors": "not both", "--penalties shops.csv": "shops.csv", "--penalty town=0 --solver newton": "proximal-newton",
		"--penalty town=0,town*=1": "", "--penalty t*=0,*n=1": "has the factor", "--penalty *=0": "all columns have the factor 0", "--penalty town=0 --for ap": "leave --penalty out",
	} {
		o := inside(append([]string{"train", "shops.csv", "--target", "sold"}, strings.Fields(flags)...)...)
		if want != "" && (o.status == 0 || !strings.Contains(o.stderr, want)) || want == "" && o.status != 0 {
			t.Errorf("%s: status %d, %s", flags, o.status, o.stderr)
		}
	}
}
