package command

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
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
	for line, want := range map[string]string{
		"train t.csv --target claims --loss poisson --inference":                                               "set --lambda to 0",
		"train t.csv --target claims --loss huber --lambda 0 --inference":                                      "has no likelihood",
		"train t.csv --target claims --loss poisson --lambda 0 --inference --covariance cluster":               "the rows have no groups",
		"train t.csv --target claims --loss poisson --covariance hc3":                                          "--covariance",
		"info t.csv --inference t.csv":                                                                         "--inference",
		"info m --inference t.csv --level 2":                                                                   "give a share above 0 and below 1",
		"info m --covariance hc3":                                                                              "--covariance",
		"train t.csv --target claims --loss poisson --lambda 0 --inference --cv 3":                             "--cv needs",
		"train t.csv --target claims --loss poisson --exposure years --lambda 0 --inference --covariance none": "--covariance",
	} {
		if o := inside(strings.Fields(line)...); o.status == 0 || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
	}
	done(t, "train t.csv --target claims --loss poisson --exposure years --model p --quiet")
	if o := inside("info", "p", "--inference", "t.csv"); o.status != exitData || !strings.Contains(o.stderr, "without a penalty") {
		t.Errorf("a penalised model: %d, %s", o.status, o.stderr)
	}
}
