package command

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// TestNormalizeStd compares --normalize std with rows that are divided by the standard
// deviations of their columns, in every way to train and to measure.
func TestNormalizeStd(t *testing.T) {
	t.Chdir(t.TempDir())
	const n, d = 240, 5
	state := uint64(5)
	uniform := func() float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return float64(state>>40) / (1 << 24)
	}
	rows := make([][d]float64, n)
	var deviation [d]float64
	for i := range rows {
		rows[i] = [d]float64{uniform() - 0.5, 1000 + 10*uniform(), 0, 3, float64(i % 2)}
		if i%4 == 0 {
			rows[i][2] = 1e-3 * uniform()
		}
	}
	for j := range d {
		mean := 0.0
		for i := range rows {
			mean += rows[i][j] / n
		}
		for i := range rows {
			deviation[j] += (rows[i][j] - mean) * (rows[i][j] - mean) / n
		}
		if deviation[j] = math.Sqrt(deviation[j]); j == 3 {
			deviation[j] = 1 // as the column is constant
		}
	}
	var read, divided strings.Builder
	for i, row := range rows {
		label := 1 - 2*(i/3%2)
		if row[0] > 0.2 {
			label = 1
		}
		fmt.Fprintf(&read, "%d", label)
		fmt.Fprintf(&divided, "%d", label)
		for j, x := range row {
			if x != 0 {
				fmt.Fprintf(&read, " %d:%v", j+1, x)
				fmt.Fprintf(&divided, " %d:%v", j+1, x/deviation[j])
			}
		}
		read.WriteByte('\n')
		divided.WriteByte('\n')
	}
	for name, text := range map[string]string{"read": read.String(), "divided": divided.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		succeed(t, "convert", "--quiet", name, name+".lanes")
	}
	for _, line := range []string{
		"%s --gap 1e-10", "%s --bias --lambda 0.01 --gap 1e-10", "%s --l1 1e-3 --intercept --gap 1e-10", "%s.lanes --memory 30MB --bias --gap 1e-10", "%s --valid %[1]s --epochs 30 --solver newton",
	} {
		std := strings.Fields(fmt.Sprintf("train --json --quiet --model read.model --normalize std "+line, "read"))
		got := object(t, succeed(t, std...))
		want := object(t, succeed(t, strings.Fields(fmt.Sprintf("train --json --quiet --model divided.model "+line, "divided"))...))
		if a, b := got["objective"].(float64), want["objective"].(float64); math.Abs(a-b) > 1e-9 || got["normalize"] != "std" {
			t.Errorf("%s: %v, %v by divided rows", line, a, b)
		}
		if one := object(t, succeed(t, append(std, "--workers", "1")...)); one["weights_sha256"] != got["weights_sha256"] {
			t.Errorf("%s: other bits with one worker", line)
		}
		a, b := strings.Fields(succeed(t, "predict", "read.model", "read")), strings.Fields(succeed(t, "predict", "divided.model", "divided"))
		for i := range a {
			if x, y := numberOf(t, a[i]), numberOf(t, b[i]); math.Abs(x-y) > 1e-3*max(1, math.Abs(y)) {
				t.Fatalf("%s: row %d has the score %v, %v by divided rows", line, i, x, y)
			}
		}
		if out := succeed(t, "eval", "read.model", "read"); out != succeed(t, "eval", "read.model", "read.lanes") {
			t.Errorf("%s: eval of text and cache differ", line)
		}
	}
}
