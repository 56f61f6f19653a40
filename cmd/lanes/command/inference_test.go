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

// TestInferencePastMemory: rows that stay in a file have no errors of weights; the model of such a training
// has them later, where the rows fit.
func TestInferencePastMemory(t *testing.T) {
	playground(t)
	done(t, "convert --generate dense:n=300,d=5 rows.lanes --quiet")
	o := inside(strings.Fields("train rows.lanes --memory 50MB --lambda 0 --inference")...)
	if o.status != exitUsage || !strings.Contains(o.stderr, "needs all rows in memory") || !strings.Contains(o.stderr, "'lanes info MODEL --inference DATA'") {
		t.Errorf("%d, %s", o.status, o.stderr)
	}
	done(t, "train rows.lanes --memory 50MB --lambda 0 --model past --quiet")
	done(t, "train rows.lanes --lambda 0 --model in --quiet")
	past, in := object(t, done(t, "info past --inference rows.lanes --json").out), object(t, done(t, "info in --inference rows.lanes --json").out)
	for k, c := range in["coefficients"].([]any) {
		a, b := c.(map[string]any)["std_error"].(float64), past["coefficients"].([]any)[k].(map[string]any)["std_error"].(float64)
		if !(math.Abs(a-b) <= 1e-9*a) {
			t.Errorf("weight %d: errors of %v and %v", k, b, a)
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
