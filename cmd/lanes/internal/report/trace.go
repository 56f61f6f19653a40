package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/solvers"
)

// WriteTrace writes the recorded points as CSV; a missing number is an empty field.
// objective_error bounds the rounding error of objective, a plain sum. counted adds a column
// with the number of non-zero weights.
func WriteTrace(w io.Writer, points []solvers.Point, counted bool) error {
	out := bufio.NewWriter(w)
	out.WriteString("passes,gradient_evaluations,seconds,objective,objective_error,gradient_norm,duality_gap,metric")
	if counted {
		out.WriteString(",nonzero_weights")
	}
	out.WriteByte('\n')
	number := func(v float64) string {
		if v-v != 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, p := range points {
		fmt.Fprintf(out, "%s,%d,%s,%s,%s,%s,%s,%s", number(p.Epochs), p.GradientEvaluations, number(p.Seconds),
			number(p.Objective), number(p.ObjectiveError), number(p.GradientNorm), number(p.Gap), number(p.Metric))
		if counted {
			fmt.Fprintf(out, ",%d", p.NonZeros)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// WriteTraces writes the traces of several fits, told apart by a first column.
func WriteTraces(w io.Writer, column string, traces []fitting.FitTrace, counted bool) error {
	out := bufio.NewWriter(w)
	for k, t := range traces {
		var text strings.Builder
		if err := WriteTrace(&text, t.Points, counted); err != nil {
			return err
		}
		lines := strings.SplitAfter(text.String(), "\n")
		if k == 0 {
			out.WriteString(column + "," + lines[0])
		}
		for _, line := range lines[1:] {
			if line != "" {
				out.WriteString(t.Name + "," + line)
			}
		}
	}
	return out.Flush()
}
