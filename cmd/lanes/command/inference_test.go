package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
)

// TestInference: train and info print the same errors of weights, as text and as JSON.
func TestInference(t *testing.T) {
	playground(t)
	text := "claims,age,area,years,agent\n"
	for i := range 200 {
		text += fmt.Sprintf("%d,%d,%s,%v,%d\n", i*i%5*(1+i%3)/2, 20+i%37, []string{"city", "land", "coast"}[i%3], 0.25*float64(1+i%4), i%11)
	}
	if err := os.WriteFile("t.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	train := "train t.csv --target claims --loss poisson --exposure years --group agent --lambda 0 --inference --model m --quiet"
	v := object(t, done(t, train+" --covariance cluster --level 0.9 --json").out)["inference"].(map[string]any)
	list := v["coefficients"].([]any)
	if len(list) != 5 || v["clusters"] != 11.0 || v["level"] != 0.9 || v["weights"] != 4.0 || v["rows"] != 200.0 || v["dispersion_estimated"] != false {
		t.Fatalf("%v", v)
	}
	age := list[1].(map[string]any)
	if half := age["high"].(float64) - age["estimate"].(float64); age["name"] != "age" || math.Abs(half/age["std_error"].(float64)-1.6448536) > 1e-6 {
		t.Errorf("%v", age)
	}
	if city := list[2].(map[string]any); city["name"] != "area=city" || city["reference"] != true {
		t.Errorf("%v", city)
	}
	later := object(t, done(t, "info m --inference t.csv --covariance cluster --level 0.9 --json").out)
	if fmt.Sprint(later["coefficients"]) != fmt.Sprint(list) {
		t.Errorf("info: %v, train: %v", later["coefficients"], list)
	}
	out := done(t, train).out
	for _, want := range []string{"standard errors", "area=city", "reference", "columns together", "Pearson's is", "AIC", "(intercept)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if got := done(t, "info m --inference t.csv").out; !strings.Contains(got, strings.SplitAfter(out, "intervals of")[1]) {
		t.Errorf("info prints\n%s\ntrain\n%s", got, out)
	}
	coefficientFiles(t, train, list)
	for line, want := range map[string]string{
		"train t.csv --target claims --loss poisson --exposure years --lambda 0 --epochs 1 --inference --coefficients x.csv": "no coefficients were written to x.csv",
		"train t.csv --target claims --loss poisson --lambda 0 --coefficients x.csv":                                         "--inference",
		"train t.csv --target claims --loss poisson --inference":                                                             "set --lambda to 0",
		"train t.csv --target claims --loss huber --lambda 0 --inference":                                                    "has no likelihood",
		"train t.csv --target claims --loss poisson --lambda 0 --inference --covariance cluster":                             "the rows have no groups",
		"train t.csv --target claims --loss poisson --covariance hc3":                                                        "--covariance",
		"info t.csv --inference t.csv":                                                                                       "--inference",
		"info m --inference t.csv --level 2":                                                                                 "give a share above 0 and below 1",
		"info m --covariance hc3":                                                                                            "--covariance",
		"train t.csv --target claims --loss poisson --lambda 0 --inference --cv 3":                                           "--cv needs",
		"train t.csv --target claims --loss poisson --exposure years --lambda 0 --inference --covariance none":               "--covariance",
	} {
		if o := inside(strings.Fields(line)...); o.status == 0 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
	}
	done(t, "train t.csv --target claims --loss poisson --exposure years --model p --quiet")
	if o := inside("info", "p", "--inference", "t.csv"); o.status != exitData || !strings.Contains(o.stderr, "without a penalty") || !strings.Contains(o.stderr, "set --lambda of the training to 0") {
		t.Errorf("a penalised model: %d, %s", o.status, o.stderr)
	}
}

// TestInferencePastMemory: errors of weights of a table with words, weights, exposure and groups are the same past
// memory, by any limit, as in memory with as many shards; a run that is resumed has them too. A limit that is too small
// for them is refused before the training.
func TestInferencePastMemory(t *testing.T) {
	playground(t)
	text := "claims,age,area,years,agent,count\n"
	for i := range 900 {
		text += fmt.Sprintf("%d,%d,%s,%v,%d,%d\n", i*i%5*(1+i%3)/2, 20+i%37, []string{"city", "land", "coast"}[i%3], 0.25*float64(1+i%4), i%11, 1+i%3)
	}
	if err := os.WriteFile("t.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "convert t.csv t.lanes --target claims --exposure years --group agent --weight count --quiet")
	for _, how := range []string{"fisher", "hc3", "cluster"} {
		train := "train t.lanes --loss poisson --lambda 0 --shards 8 --inference --json --quiet --covariance " + how
		want := object(t, done(t, train).out)["inference"]
		if v := want.(map[string]any); v["weights"] != 4.0 || v["rows"] != 900.0 {
			t.Fatalf("%v", v)
		}
		for _, limit := range []string{"12MB --workers 1", "13MB --workers 2", "1GB"} {
			if got := object(t, done(t, train+" --memory "+limit).out)["inference"]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, %s: %v\nin memory %v", how, limit, got, want)
			}
		}
		stopped := inside(strings.Fields(train + " --memory 20MB --checkpoint state --force --epochs 1")...)
		if got := object(t, stopped.out)["inference"]; got != nil {
			t.Errorf("a run that stopped: %v", got)
		}
		if got := object(t, done(t, train+" --memory 20MB --resume state").out)["inference"]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s, resumed: %v\nin memory %v", how, got, want)
		}
	}
	for line, want := range map[string]string{
		"train t.lanes --loss poisson --lambda 0 --inference --memory 8400KB":                                  "needs",
		"train t.lanes --loss poisson --lambda 0 --inference --memory 50MB --cv 3":                             "--cv",
		"train t.lanes --loss poisson --inference --memory 50MB":                                               "set --lambda to 0",
		"train t.csv --target claims --ignore agent --loss huber --lambda 0 --inference --memory 50MB":         "has no likelihood",
		"train t.csv --target claims --loss poisson --lambda 0 --inference --memory 50MB --covariance cluster": "the rows have no groups",
	} {
		if o := inside(strings.Fields(line)...); o.status == 0 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
	}
	past := object(t, done(t, "train t.csv --target claims --loss poisson --exposure years --weight count --ignore agent --lambda 0 --inference --memory 50MB --json --quiet --model past").out)
	later := object(t, done(t, "info past --inference t.csv --json").out)
	for k, c := range later["coefficients"].([]any) {
		a, b := c.(map[string]any), past["inference"].(map[string]any)["coefficients"].([]any)[k].(map[string]any)
		if a["name"] != b["name"] || a["reference"] != b["reference"] || a["reference"] == nil && !(math.Abs(a["std_error"].(float64)-b["std_error"].(float64)) <= 1e-9*a["std_error"].(float64)) {
			t.Errorf("%v past memory, later %v", b, a)
		}
	}
}

// coefficientFiles: the CSV of train and of info has the numbers of JSON, of other rows by their names
// alone, and the page of a training shows them.
func coefficientFiles(t *testing.T, train string, list []any) {
	t.Helper()
	v := object(t, done(t, train+" --covariance cluster --level 0.9 --coefficients a.csv --html page.html --json").out)
	if v["files"].(map[string]any)["coefficients"] != "a.csv" {
		t.Errorf("files %v", v["files"])
	}
	lines, err := csv.NewReader(strings.NewReader(read(t, "a.csv"))).ReadAll()
	if err != nil || len(lines) != 1+len(list) {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	said := map[string][2]string{"(intercept)": {"", ""}, "age": {"age", ""}, "area=city": {"area", "city"}, "area=coast": {"area", "coast"}, "area=land": {"area", "land"}}
	for k, c := range list {
		of := c.(map[string]any)
		line := lines[k+1]
		if line[0] != of["name"] || said[line[0]] != [2]string{line[1], line[2]} || line[9] != fmt.Sprint(of["reference"] == true) {
			t.Errorf("line %q of %v", line, of)
		}
		for j, key := range lines[0][3:9] {
			got, _ := strconv.ParseFloat(line[3+j], 64)
			if want := of[key].(float64); got != want || (line[3+j] == "") != (of["reference"] == true && key != "estimate") {
				t.Errorf("%s of %s: %q, want %v", key, line[0], line[3+j], want)
			}
		}
	}
	page := plotstest.ParsePage(t, read(t, "page.html"))
	if !slices.Contains(page.IDs, "inference") || !slices.Contains(page.IDs, "tests") || page.Elements["b"] < 4 {
		t.Errorf("sections %v, %d dots", page.IDs, page.Elements["b"])
	}
	for _, want := range []string{"area=land", "reference", "columns together", "interval of 90 %", "11 groups", "AIC"} {
		if !strings.Contains(page.Text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	done(t, "info m --inference t.csv --covariance cluster --level 0.9 --coefficients b.csv")
	if read(t, "a.csv") != read(t, "b.csv") {
		t.Errorf("info writes\n%s\ntrain\n%s", read(t, "b.csv"), read(t, "a.csv"))
	}
	if err := os.WriteFile("rows", []byte("1.5 1:1\n2 1:2 2:1\n4 1:3\n3 1:1 2:2\n2 2:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "train rows --loss squared --intercept --lambda 0 --inference --coefficients a.csv")
	if got := read(t, "a.csv"); !strings.Contains(got, "\ncolumn 2,,,") {
		t.Errorf("rows of no table:\n%s", got)
	}
}
