package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/model"
)

// PrintInference reports the errors of a model's weights, by the rows of its training.
func PrintInference(a *console.App, path string, m model.Model, data *input.Dataset, o inference.Options) error {
	t, err := lanes.Inference(context.Background(), m, data.Data, o, a.Workers)
	var option *lanes.OptionError
	switch {
	case errors.As(err, &option):
		return console.BadData(fmt.Errorf("%s: %s", path, option.In(func(option string) string { return option })))
	case err != nil:
		return console.BadData(fmt.Errorf("%s: %w", data.Name, console.Plain(err)))
	}
	if a.JSON {
		return a.PrintJSON(struct {
			Model string `json:"model"`
			*inference.Table
		}{path, t})
	}
	text := console.NewText()
	text.Row("model", "%s", path)
	printInference(text, t, true)
	return a.PrintText(text)
}

// covariances says how a covariance is estimated.
var covariances = map[string]string{
	inference.Fisher: "by the expected information", inference.Cluster: "robust, rows of a group may depend on one another",
	inference.HC0: "robust (HC0)", inference.HC1: "robust (HC1)", inference.HC2: "robust (HC2)", inference.HC3: "robust (HC3)",
}

// printInference adds the table of weights with their errors, the tests and the fit. Without all, the
// middle of a long table is left out, and said so.
func printInference(text *console.Text, t *inference.Table, all bool) {
	if t == nil {
		return
	}
	statistic := "z"
	if t.Estimated {
		statistic = "t"
	}
	groups := ""
	if t.Clusters > 0 {
		groups = fmt.Sprintf(", %d groups", t.Clusters)
	}
	text.Row("standard errors", "%s%s; intervals of %.4g %%", covariances[t.Covariance], groups, 100*t.Level)
	rows := [][]string{{"column", "estimate", "std. error", statistic, "p", "from", "to"}}
	for _, c := range t.Coefficients {
		row := []string{c.Name, "0", "reference", "", "", "", ""}
		if !c.Reference {
			row = []string{c.Name, number(c.Estimate), number(c.Error), fmt.Sprintf("%.2f", float64(c.Statistic)), probability(c.P), number(c.Low), number(c.High)}
		}
		rows = append(rows, row)
	}
	left := 0
	if !all {
		rows, left = excerpt(rows, nil)
	}
	text.Left()
	printRows(text, rows)
	if left > 0 {
		text.Left()
		fmt.Fprintf(text, "%d more columns: --full prints them\n", left)
	}
	if len(t.Tests) > 0 {
		rows = [][]string{{"columns together", map[bool]string{false: "chi^2", true: "F"}[t.Estimated], "df", "p"}}
		for _, test := range t.Tests {
			rows = append(rows, []string{test.Name, fmt.Sprintf("%.2f", float64(test.Statistic)), fmt.Sprint(test.DF), probability(test.P)})
		}
		text.Left()
		printRows(text, rows)
	}
	text.Left()
	if t.Estimated {
		text.Row("dispersion", "%s, estimated on %d degrees of freedom", number(t.Dispersion), t.Rows-t.Weights)
	} else {
		text.Row("dispersion", "1; Pearson's is %s, on %d degrees of freedom", number(t.Pearson), t.Rows-t.Weights)
	}
	text.Row("deviance", "%s, without columns %s", number(t.Deviance), number(t.NullDeviance))
	if v := float64(t.LogLikelihood); v-v == 0 {
		text.Row("log likelihood", "%s; AIC %s, BIC %s", number(t.LogLikelihood), number(t.AIC), number(t.BIC))
	}
}

// printRows adds the cells of rows, whose names may have marks that a terminal would obey.
func printRows(text *console.Text, rows [][]string) {
	for _, row := range rows {
		fmt.Fprintln(text, console.Printable(row[0], "")+"\t"+strings.Join(row[1:], "\t"))
	}
}

func number(v inference.Number) string { return fmt.Sprintf("%.6g", float64(v)) }

// probability writes a p-value; those below 2e-16 are not told apart, as errors are no exact normal
// variables.
func probability(p inference.Number) string {
	if float64(p) < 2e-16 {
		return "< 2e-16"
	}
	if math.IsNaN(float64(p)) {
		return "-"
	}
	return fmt.Sprintf("%.3g", float64(p))
}
