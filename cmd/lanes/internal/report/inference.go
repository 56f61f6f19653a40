package report

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/model"
)

// PrintInference reports the errors of a model's weights, by the rows of its training. It writes them to
// the file coefficients, too, unless that is "".
func PrintInference(a *console.App, path string, m model.Model, data *input.Dataset, o inference.Options, coefficients string) error {
	t, err := lanes.Inference(context.Background(), m, data.Data, o, a.Workers)
	var option *lanes.OptionError
	switch {
	case errors.As(err, &option):
		return console.BadData(fmt.Errorf("%s: %s", path, option.In(func(option string) string {
			if option == "Penalty" {
				return "--lambda of the training"
			}
			return option
		})))
	case err != nil:
		return console.BadData(fmt.Errorf("%s: %w", data.Name, console.Plain(err)))
	}
	if coefficients != "" {
		if err := WriteCoefficients(a, coefficients, t, m); err != nil {
			return err
		}
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

// WriteCoefficients writes the weights of a model with their errors to a file, as CSV. A line has the fields
// that JSON has for a weight, and the column of the table with its value, where the rows were a table. A
// number that is not known is an empty field.
func WriteCoefficients(a *console.App, path string, t *inference.Table, m model.Model) error {
	e, err := input.EncoderOf("", m)
	if err != nil {
		return err
	}
	return a.Write("coefficients", path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		out.Write([]string{"name", "column", "value", "estimate", "std_error", "statistic", "p", "low", "high", "reference"})
		for _, c := range t.Coefficients {
			column, value := "", ""
			if e != nil {
				column, value = e.Column(c.Column), e.Value(c.Column)
			}
			row := []string{c.Name, column, value, field(c.Estimate)}
			for _, v := range []inference.Number{c.Error, c.Statistic, c.P, c.Low, c.High} {
				if c.Reference {
					v = inference.Number(math.NaN())
				}
				row = append(row, field(v))
			}
			out.Write(append(row, strconv.FormatBool(c.Reference)))
		}
		out.Flush()
		return out.Error()
	})
}

// field is a number of CSV, "" for what is not finite.
func field(n inference.Number) string {
	if v := float64(n); v-v == 0 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return ""
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
	facts := inferenceFacts(t)
	text.Row(facts[0][0], "%s", facts[0][1])
	rows, left := coefficientRows(t), 0
	if !all {
		rows, left = excerpt(rows, nil)
	}
	text.Left()
	printRows(text, rows)
	if left > 0 {
		text.Left()
		fmt.Fprintf(text, "%d more columns: --full prints them\n", left)
	}
	if rows := testRows(t); rows != nil {
		text.Left()
		printRows(text, rows)
	}
	text.Left()
	for _, fact := range facts[1:] {
		text.Row(fact[0], "%s", fact[1])
	}
}

// inferenceFacts are how the errors were estimated, and how well the model fits.
func inferenceFacts(t *inference.Table) (facts [][2]string) {
	add := func(name, format string, values ...any) {
		facts = append(facts, [2]string{name, fmt.Sprintf(format, values...)})
	}
	groups := ""
	if t.Clusters > 0 {
		groups = fmt.Sprintf(", %d groups", t.Clusters)
	}
	add("standard errors", "%s%s; intervals of %.4g %%", covariances[t.Covariance], groups, 100*t.Level)
	if t.Estimated {
		add("dispersion", "%s, estimated on %d degrees of freedom", number(t.Dispersion), t.Rows-t.Weights)
	} else {
		add("dispersion", "1; Pearson's is %s, on %d degrees of freedom", number(t.Pearson), t.Rows-t.Weights)
	}
	add("deviance", "%s, without columns %s", number(t.Deviance), number(t.NullDeviance))
	if v := float64(t.LogLikelihood); v-v == 0 {
		add("log likelihood", "%s; AIC %s, BIC %s", number(t.LogLikelihood), number(t.AIC), number(t.BIC))
	}
	return facts
}

// coefficientRows are the weights with their errors, below a head.
func coefficientRows(t *inference.Table) [][]string {
	rows := [][]string{{"column", "estimate", "std. error", map[bool]string{false: "z", true: "t"}[t.Estimated], "p", "from", "to"}}
	for _, c := range t.Coefficients {
		row := []string{c.Name, "0", "reference", "", "", "", ""}
		if !c.Reference {
			row = []string{c.Name, number(c.Estimate), number(c.Error), fmt.Sprintf("%.2f", float64(c.Statistic)), probability(c.P), number(c.Low), number(c.High)}
		}
		rows = append(rows, row)
	}
	return rows
}

// testRows are the tests of sets of columns, below a head; nil without tests.
func testRows(t *inference.Table) [][]string {
	if len(t.Tests) == 0 {
		return nil
	}
	rows := [][]string{{"columns together", map[bool]string{false: "chi^2", true: "F"}[t.Estimated], "df", "p"}}
	for _, test := range t.Tests {
		rows = append(rows, []string{test.Name, fmt.Sprintf("%.2f", float64(test.Statistic)), fmt.Sprint(test.DF), probability(test.P)})
	}
	return rows
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
