package command

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/model"
)

// The columns of these rows agree to 12 digits.
var largeColumns = [][3]float64{
	{-0.44, 985227119195.8098, 985227119199.9395}, {-32.89, 985227119197.9398, 985227119199.7461},
	{-0.83, 985227119195.2892, 985227119201.0923}, {0.24, 985227119196.5415, 985227119194.9972},
	{7.32, 985227119203.5859, 985227119202.3407}, {-1207.25, 985227119199.8125, 985227119198.0625},
}

// TestObjectiveReported: train reports the objective of the weights in the model. It agrees with
// its definition in 200 bits within the reported error.
func TestObjectiveReported(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for _, row := range largeColumns {
		fmt.Fprintf(&lines, "%v 1:%v 2:%v\n", row[0], row[1], row[2])
	}
	path := filepath.Join(t.TempDir(), "model")
	trace := path + ".csv"
	args := []string{"train", file(t, "rows", lines.String()), "--quiet", "--loss", "squared", "--lambda", "0.1", "--epochs", "40", "--model", path, "--trace", trace}
	v := object(t, succeed(t, append(args, "--json")...))
	read, err := model.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	times := func(x, y *big.Float) *big.Float { return number(0).Mul(x, y) }
	w := read.(*model.Linear).Weights
	want := number(0)
	for _, row := range largeColumns {
		r := number(-row[0])
		r.Add(r, times(number(row[1]), number(w[0])))
		r.Add(r, times(number(row[2]), number(w[1])))
		want.Add(want, times(r, r))
	}
	want.Quo(want, number(float64(len(largeColumns))))
	for _, x := range w {
		want.Add(want, times(number(0.1), times(number(x), number(x))))
	}
	want.Mul(want, number(0.5))
	said, wrong := v["objective"].(float64), v["objective_error"].(float64)
	off, _ := number(0).Sub(number(said), want).Float64()
	if !(off <= wrong && -off <= wrong && wrong < 1e-7*said) {
		t.Errorf("the objective %v with the error %v is off by %v", said, wrong, off)
	}
	// The trace has the plain sums, with their errors.
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	records := strings.Split(strings.TrimSpace(string(text)), "\n")
	if header := strings.Split(records[0], ","); header[3] != "objective" || header[4] != "objective_error" {
		t.Fatalf("the trace has the columns %v", header)
	}
	last := strings.Split(records[len(records)-1], ",")
	off, _ = number(0).Sub(number(numberOf(t, last[3])), want).Float64()
	if bound := numberOf(t, last[4]); !(math.Abs(off) <= bound && math.Abs(off) > wrong) {
		t.Errorf("the trace ends with the objective %s and the error %s: it is off by %v", last[3], last[4], off)
	}
	if text := succeed(t, args...); strings.Contains(text, "rounding") {
		t.Errorf("an error below the digits shown is reported: %s", text)
	}
}
