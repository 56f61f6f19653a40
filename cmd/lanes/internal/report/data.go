package report

import (
	"context"
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// PrintData describes a data set, and with lipschitz how smooth its objective is.
func PrintData(a *console.App, data *input.Dataset, f *fitting.ProblemFlags, lipschitz bool) error {
	about := data.X.Describe()
	classes := sparse.CountClasses(data.Y)
	var positives *int
	if f.PositiveLabel != nil || len(classes) == 2 {
		signs, _, err := sparse.BinaryLabels(data.Y, f.PositiveLabel)
		if err != nil {
			return console.BadData(fmt.Errorf("%s: %w", data.Name, err))
		}
		count := 0
		for _, s := range signs {
			if s > 0 {
				count++
			}
		}
		positives = &count
	}
	var smoothness *float64
	lambda := 0.0
	if lipschitz {
		numbered := *data // whose words have become numbers
		numbered.Data = &sparse.Data{X: data.X, Y: data.Y}
		if positives == nil && f.ClassWeight == "" {
			// L does not depend on the labels: any of two classes will do. Nor on how often a row is there.
			if about.Rows == 1 {
				var err error
				if numbered.X, err = data.X.PickRows(nil, []uint32{0, 0}); err != nil {
					return err
				}
			}
			numbered.Y = make([]float64, numbered.X.Rows())
			for i := range numbered.Y {
				numbered.Y[i] = float64(i&1)*2 - 1
			}
		}
		o := f.Options(&fitting.RunFlags{})
		if o.Positive = ""; f.PositiveLabel != nil {
			o.Positive = fmt.Sprint(*f.PositiveLabel)
		}
		p, err := f.Prepare(context.Background(), a, &numbered, &fitting.RunFlags{}, o, fitting.Beside{})
		if err != nil {
			return err
		}
		l, err := erm.Smoothness(&p.Problem.Problem, a.Workers)
		if err != nil {
			return console.Plain(err)
		}
		smoothness, lambda = console.Finite(l), p.Ridge()
	}
	if a.JSON {
		object := map[string]any{
			"data": data.Name, "n": about.Rows, "d": about.Columns, "nnz": about.NonZeros,
			"classes": len(classes), "positives": positives, "rows_without_features": about.EmptyRows,
			"longest_row": about.LongestRow, "used_columns": about.UsedColumns,
			"layout": about.Layout, "bytes_per_nnz": console.Finite(about.BytesPerNonZero), "load_seconds": data.Seconds,
		}
		if data.Encoder != nil {
			object["table"] = NewTableReport("", "", data.Encoder).Columns
		}
		if lipschitz {
			object["lipschitz"], object["lambda"] = smoothness, lambda
		}
		return a.PrintJSON(object)
	}
	text := console.NewText()
	text.Row("data", "%s, loaded in %.3g s", data.Name, data.Seconds)
	text.Row("rows n", "%d (%d without features)", about.Rows, about.EmptyRows)
	text.Row("columns d", "%d (%d used)", about.Columns, about.UsedColumns)
	text.Row("non-zeros", "%d (%.4g a row, at most %d)", about.NonZeros, float64(about.NonZeros)/float64(max(about.Rows, 1)), about.LongestRow)
	text.Row("values", "%.6g to %.6g", about.Least, about.Greatest)
	text.Row("classes", "%s", listClasses(data, classes))
	if positives != nil {
		text.Row("positives", "%d (%.3g %%)", *positives, 100*float64(*positives)/float64(about.Rows))
	}
	text.Row("layout", "%s, %.3g bytes a non-zero", about.Layout, about.BytesPerNonZero)
	if smoothness != nil {
		text.Row("smoothness L", "%.9g (%s loss, lambda %.6g)", *smoothness, f.Loss, lambda)
	}
	if data.Encoder != nil {
		fmt.Fprintf(text, "\nthe table that the rows were made of\n")
		addColumns(text, NewTableReport("", "", data.Encoder).Columns)
	}
	return a.PrintText(text)
}

func listClasses(data *input.Dataset, classes []sparse.Class) string {
	const most = 8
	var parts []string
	for _, c := range classes[:min(len(classes), most)] {
		parts = append(parts, fmt.Sprintf("%s (%d rows)", data.Word(c.Label), c.Count))
	}
	if len(classes) > most {
		parts = append(parts, "...")
	}
	return fmt.Sprintf("%d: %s", len(classes), strings.Join(parts, ", "))
}
