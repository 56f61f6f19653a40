package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/inference"
)

// TestIntervals: pictures of intervals are where the numbers are. They are cut off beyond half as far
// again as the largest weight beside the intercept, and said so.
func TestIntervals(t *testing.T) {
	of := &inference.Table{Level: 0.9, Coefficients: []inference.Coefficient{
		{Name: "(intercept)", Estimate: -40, Error: 1, Low: -42, High: -38},
		{Name: "a", Estimate: 2, Error: 0.5, Low: 1, High: 3},
		{Name: "b", Estimate: -1, Error: 5, Low: -9, High: 7},
		{Name: "c", Reference: true},
		{Name: "d", Estimate: -1, Error: 0.5, Low: -2, High: -0.5},
		{Name: "e", Estimate: 1, Error: inference.Number(math.NaN()), Low: inference.Number(math.NaN()), High: inference.Number(math.NaN())},
	}, Tests: []inference.Test{{Name: "c", Statistic: 3, DF: 1, P: 0.1}}}
	s := newIntervals(of)
	got := ""
	for _, r := range s.Rows {
		got += fmt.Sprintf("%s %s %s %v %s\n", r.From, r.Width, r.At, r.Inside, r.Side)
	}
	const want = `0.00% 0.00% 0.00% false left
66.67% 33.33% 83.33% true right
0.00% 100.00% 33.33% true 
   false 
16.67% 25.00% 33.33% true left
   false 
`
	if got != want || s.Zero != "50.00%" {
		t.Errorf("zero at %s\n%swant\n%s", s.Zero, got, want)
	}
	if !strings.Contains(s.About, "cut off at -3 and 3") || s.More != "" || len(s.Tests) != 2 {
		t.Errorf("%q %q %v", s.About, s.More, s.Tests)
	}
	for k := range 300 {
		of.Coefficients = append(of.Coefficients, inference.Coefficient{Name: fmt.Sprint(k)})
		of.Tests = append(of.Tests, of.Tests[0])
	}
	if s = newIntervals(of); len(s.Rows) != mostIntervals || !strings.Contains(s.More, "The first 200 of 306 weights are shown") || len(s.Tests) != 201 || !strings.Contains(s.More, "The first 200 of 301 tests are shown") {
		t.Errorf("%d lines, %q", len(s.Rows), s.More)
	}
	if s = newIntervals(&inference.Table{Coefficients: of.Coefficients[6:8]}); s.Zero != "50.00%" {
		t.Errorf("weights of 0: zero at %s", s.Zero)
	}
}
