package ranking

import (
	"strings"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

func TestCheck(t *testing.T) {
	x, err := sparse.NewCSR(10, []int64{0, 1, 1, 3, 4}, []uint32{2, 0, 9, 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := sparse.NewCSR(0, []int64{0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(x, []float64{1, -1, -1, 1}); err != nil {
		t.Error(err)
	}
	for want, err := range map[string]error{
		"no matrix":             Check(nil, nil),
		"3 labels for 4 rows":   Check(x, make([]float64, 3)),
		"no columns":            Check(empty, []float64{1}),
		"row 2 has the label 0": Check(x, []float64{1, -1, 0, 1}),
		"0 of 4 rows":           Check(x, []float64{-1, -1, -1, -1}),
		"4 of 4 rows":           Check(x, []float64{1, 1, 1, 1}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestSplit(t *testing.T) {
	p, n := Split([]float64{-1, 1, 1, -1, 1})
	if len(p) != 3 || p[0] != 1 || p[2] != 4 || len(n) != 2 || n[1] != 3 {
		t.Errorf("%v, %v", p, n)
	}
}
