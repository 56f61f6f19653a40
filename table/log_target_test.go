package table

import (
	"context"
	"math"
	"strings"
	"testing"
)

// TestLogTarget: labels of log(COLUMN) are logarithms of the column; a column of that whole name is
// itself. Numbers of 0 or less and words are refused, with the line.
func TestLogTarget(t *testing.T) {
	t.Parallel()
	learn := func(text, target string, o Options) (y []float64, scale string, err error) {
		s, err := Open(write(t, "table.csv", text), o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Infer(context.Background(), s, Wanted{Target: target})
		if err != nil {
			return nil, "", err
		}
		e, err := Fit(context.Background(), s, r)
		if err != nil {
			return nil, "", err
		}
		for _, c := range e.Recipe().Columns {
			if c.Kind == Target {
				scale = c.Scale
			}
		}
		for block, err := range e.Blocks(context.Background(), s, BlockOptions{}) {
			if err != nil {
				return nil, scale, err
			}
			y = append(y, block.Y...)
		}
		return y, scale, nil
	}
	const rows = "a,b,p\n1,2,3\n2,1,0.5\n3,5,20\n4,4,1\n"
	y, scale, err := learn(rows, "log(p)", Options{})
	if err != nil || scale != ScaleLog || len(y) != 4 {
		t.Fatalf("%v, scale %q, error %v", y, scale, err)
	}
	for i, want := range []float64{3, 0.5, 20, 1} {
		if math.Abs(y[i]-math.Log(want)) > 1e-15 {
			t.Errorf("row %d: %v, not the logarithm of %v", i, y[i], want)
		}
	}
	if y, scale, err = learn(strings.Replace(rows, ",p", ",log(p)", 1), "log(p)", Options{}); err != nil || scale != "" || y[2] != 20 {
		t.Errorf("a column that is called log(p): %v, scale %q, error %v", y, scale, err)
	}
	for cell, want := range map[string]string{
		"0": "not above 0", "-3": "not above 0", "x": "no numbers",
	} {
		_, _, err := learn(rows+"5,5,"+cell+"\n", "log(p)", Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"p"`) || cell != "x" && !strings.Contains(err.Error(), "table.csv:6") {
			t.Errorf("a target of %s: %v", cell, err)
		}
	}
	// A row that is left out teaches nothing.
	bad, _, err := learn(rows+"500,5,0\n", "log(p)", Options{BadRows: 1, Skipped: func(error) {}})
	if err != nil || len(bad) != 4 {
		t.Errorf("%v, error %v", bad, err)
	}
	s, _ := Open(write(t, "table.csv", rows+"500,5,0\n"), Options{BadRows: 1, Skipped: func(error) {}})
	r, err := Infer(context.Background(), s, Wanted{Target: "log(p)"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Fit(context.Background(), s, r)
	if err != nil || e.Recipe().Columns[0].Learned.Greatest != 4 {
		t.Errorf("numbers up to %v, error %v", e.Recipe().Columns[0].Learned, err)
	}
	if err := (&Recipe{Version: 2, Columns: []Column{{Name: "a", Kind: Number, Scale: ScaleLog}}}).Check(); err == nil {
		t.Error("a number with the scale log")
	}
	if _, _, err := learn(rows, "log(q)", Options{}); err == nil || !strings.Contains(err.Error(), `"q"`) {
		t.Errorf("a column that is not there: %v", err)
	}
}
