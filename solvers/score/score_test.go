package score

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

func generated(t testing.TB, n, d int) *sparse.Data {
	t.Helper()
	g, err := sparse.Shape{Name: "imbalanced", N: n, D: d, Seed: 7}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &sparse.Data{X: g.X, Y: g.Y}
}

func TestCheck(t *testing.T) {
	x := generated(t, 4, 10).X
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

// At the minimum of the regularised logistic loss the gradient is 0, up to what the
// duality gap allows.
func TestLinearStart(t *testing.T) {
	data := generated(t, 2000, 30)
	weight := make([]float64, 2000)
	for i, y := range data.Y {
		weight[i] = 2 + y
	}
	for _, x := range []*sparse.Matrix{data.X.WithBias(1), data.X} {
		m := Linear{x}
		w := make([]float64, m.Parameters())
		passes, err := m.Start(context.Background(), w, data.Y, weight, solvers.Settings{Workers: 1})
		if err != nil || passes < 1 {
			t.Fatal(passes, err)
		}
		if x.Bias() == 0 {
			if ConstantOf(m) != -1 {
				t.Error("a constant without a bias")
			}
			continue
		}
		if ConstantOf(m) != len(w)-1 {
			t.Error("the bias is no constant")
		}
		z, g := make([]float64, x.Rows()), make([]float64, len(w))
		if err := m.All(nil, z, w); err != nil {
			t.Fatal(err)
		}
		if _, err := kernels.LossGradient(kernels.Logistic, z, z, data.Y, weight, 0); err != nil {
			t.Fatal(err)
		}
		if err := x.AddTrans(nil, g, z); err != nil {
			t.Fatal(err)
		}
		for j := range g {
			if g := (g[j] + w[j]) / float64(x.Rows()); math.Abs(g) > 3e-3 {
				t.Errorf("gradient %v in column %d", g, j)
			}
		}
	}
}
