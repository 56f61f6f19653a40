package command

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestMonotoneColumns: predictions of a real table rise with a number that --monotone names, and fall without
// it; the model says so, a cache of the rows trains the same weights, and a receipt repeats the run.
func TestMonotoneColumns(t *testing.T) {
	t.Parallel()
	adult := data(t, "tables/adult.csv.xz")
	dir := t.TempDir() + "/"
	in := func(line string) string { return strings.ReplaceAll(line, "@", dir) }
	// The score of the first row for every age.
	first := "38,Private,89814,HS-grad,9,Married-civ-spouse,Farming-fishing,Husband,White,Male,0,0,50,United-States"
	rows := "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,capital-loss,hours-per-week,native-country\n"
	for age := 10; age < 100; age++ {
		rows += strconv.Itoa(age) + strings.TrimPrefix(first, "38") + "\n"
	}
	if err := os.WriteFile(dir+"ages.csv", []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, shape := range []string{"--bins 12", "--spline age=6,hours-per-week=4", ""} {
		of := map[string]int{}
		for _, direction := range []string{"", " --monotone age=up,hours*=up", " --monotone age=down"} {
			train := "train " + adult + " --target income-per-year " + shape + direction + " --model @m --json"
			got := object(t, succeed(t, strings.Fields(in(train))...))
			if got["status"] != "converged" || (got["bounded_columns"] != nil) != (direction != "") {
				t.Errorf("%s: %v, %v columns with bounds", train, got["status"], got["bounded_columns"])
			}
			falls, rises, before := 0, 0, 0.0
			for k, line := range strings.Fields(succeed(t, "predict", dir+"m", dir+"ages.csv", "--probability")) {
				var v float64
				if _, err := fmt.Sscan(line, &v); err != nil {
					t.Fatal(err)
				}
				if k > 0 && v < before-1e-7 {
					falls++
				} else if k > 0 && v > before+1e-7 {
					rises++
				}
				before = v
			}
			of[direction+" falls"], of[direction+" rises"] = falls, rises
			if direction == "" {
				continue
			}
			if info := succeed(t, "info", dir+"m"); !strings.Contains(info, "whose effect never ") {
				t.Errorf("info says %s", info)
			}
		}
		if of[" --monotone age=up,hours*=up falls"] > 0 || of[" --monotone age=down rises"] > 0 || of[" --monotone age=up,hours*=up rises"] == 0 || shape != "" && of[" falls"] == 0 || of[" rises"] == 0 {
			t.Errorf("%s: %v", shape, of)
		}
	}
	const flags = " --target income-per-year --bins 4 --monotone age=up"
	weights := object(t, succeed(t, strings.Fields(in("train "+adult+flags+" --json --receipt @r"))...))["weights_sha256"]
	succeed(t, strings.Fields(in("convert "+adult+" @a.lanes"+flags))...)
	if cached := object(t, succeed(t, strings.Fields(in("train @a.lanes --json"))...))["weights_sha256"]; cached != weights {
		t.Errorf("weights %v of a cache, not %v", cached, weights)
	}
	succeed(t, strings.Fields(in("verify @r "+adult))...)
}

// TestMonotoneRefused: each refusal names the column and the way out.
func TestMonotoneRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "town,age,sold\n"
	for i := range 200 {
		text += []string{"Ulm", "Bonn", "Kiel", "Hof", "Lahr"}[i%5] + "," + []string{"31", "47.5", "22"}[i*i%3] + "," + []string{"no", "yes"}[i%7/3%2] + "\n"
	}
	if err := os.WriteFile("shops.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for flags, want := range map[string]string{
		"--monotone age=upward": "want COLUMN=up or COLUMN=down", "--monotone ago=up": "did you mean age?", "--monotone town=up": `column "town": half of the values or more are not numbers`,
		"--monotone age=up --category age": `"age" is named as category, and monotone columns are numbers`, "--monotone age=up,age=down": "has up and down",
		"--monotone age=up --cross age*town": `the column "age" is monotone (up), and the cross "age*town" would let its effect turn`, "--monotone age=up --solver newton": "take the solver proximal-newton, or leave --monotone out",
		"--monotone age=up --for ap": "--monotone age=up: a search tries solvers without bounds", "--monotone age=up --memory 1MB": "--monotone age=up: it needs all rows in memory: leave --monotone or --memory out",
		"--monotone age=up --normalize unit": "--normalize unit divides a row by its length", "--monotone age=up --l1 0.1 --l1-groups table --bins 4": "",
		"--monotone age=up --multiclass": "not all can rise: name one class as --positive, or leave --monotone out", "--monotone age=up --bins 2 --cv 2 --path": "",
	} {
		o := inside(append([]string{"train", "shops.csv", "--target", "sold"}, strings.Fields(flags)...)...)
		if strings.Contains(o.stderr, "the encoded rows are in") {
			t.Errorf("%s: the table was encoded before", flags)
		}
		if want != "" && (o.status == 0 || !strings.Contains(o.stderr, want)) || want == "" && o.status != 0 {
			t.Errorf("%s: status %d, %s", flags, o.status, o.stderr)
		}
	}
}
