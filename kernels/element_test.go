package kernels_test

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/kernels"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-14*max(1, math.Abs(b)) }

func TestElementaryAgainstMath(t *testing.T) {
	for path := range pathtest.Paths(t) {
		for name, f := range map[string]struct {
			kernel func(dst, x []float64) error
			plain  func(float64) float64
		}{
			"Exp":      {kernels.Exp, math.Exp},
			"Log":      {kernels.Log, math.Log},
			"Log1p":    {kernels.Log1p, math.Log1p},
			"Sigmoid":  {kernels.Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
			"Softplus": {kernels.Softplus, func(x float64) float64 { return math.Log1p(math.Exp(x)) }},
			"Tanh":     {kernels.Tanh, math.Tanh},
		} {
			x := []float64{0.1, 0.5, 1, 2, 3.75, 0.001, 5, 0.9, 1.1}
			dst := make([]float64, len(x))
			if err := f.kernel(dst, x); err != nil {
				t.Fatal(err)
			}
			for i, v := range x {
				if !near(dst[i], f.plain(v)) {
					t.Errorf("%s: %s(%v) = %v, want %v", path, name, v, dst[i], f.plain(v))
				}
			}
			if err := f.kernel(dst[:3], x); err == nil {
				t.Errorf("%s took slices of different lengths", name)
			}
			if err := f.kernel(x[1:], x[:len(x)-1]); err == nil {
				t.Errorf("%s took shifted slices", name)
			}
		}
	}
}

func TestLossAgainstFormulas(t *testing.T) {
	z, y, weight := []float64{0.5, -2, 3}, []float64{1, 1, -1}, []float64{1, 2, 0.5}
	coef, h, third := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	const delta = 1.5
	s := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for loss, want := range map[kernels.Loss]struct {
		sum            float64
		coef, h, third []float64
	}{
		kernels.Logistic: {math.Log1p(math.Exp(-0.5)) + 2*math.Log1p(math.Exp(2)) + 0.5*math.Log1p(math.Exp(3)),
			[]float64{-s(-0.5), -2 * s(2), 0.5 * s(3)},
			[]float64{s(0.5) * s(-0.5), 2 * s(2) * s(-2), 0.5 * s(3) * s(-3)},
			[]float64{s(0.5) * s(-0.5) * (1 - 2*s(0.5)), 2 * s(2) * s(-2) * (1 - 2*s(-2)), 0.5 * s(3) * s(-3) * (1 - 2*s(3))}},
		kernels.Squared:      {0.125 + 9 + 4, []float64{-0.5, -6, 2}, weight, []float64{0, 0, 0}},
		kernels.SquaredHinge: {0.125 + 9 + 4, []float64{-0.5, -6, 2}, weight, []float64{0, 0, 0}},
		kernels.Huber:        {0.125 + 2*(1.5*(3-0.75)) + 0.5*(1.5*(4-0.75)), []float64{-0.5, -3, 0.75}, []float64{1, 0, 0}, []float64{0, 0, 0}},
	} {
		sum, err := kernels.LossGradient(loss, coef, z, y, weight, delta)
		if err != nil {
			t.Fatal(err)
		}
		if alone, err := kernels.LossSum(loss, z, y, weight, delta); err != nil || alone != sum || !near(sum, want.sum) {
			t.Errorf("%v: sums %v, %v, %v; want %v", loss, sum, alone, err, want.sum)
		}
		if err := kernels.LossCurvature(loss, h, third, z, y, weight, delta); err != nil {
			t.Fatal(err)
		}
		for i := range z {
			if !near(coef[i], want.coef[i]) || !near(h[i], want.h[i]) || !near(third[i], want.third[i]) {
				t.Errorf("%v, element %d: derivatives %v, %v, %v; want %v, %v, %v", loss, i, coef[i], h[i], third[i], want.coef[i], want.h[i], want.third[i])
			}
		}
	}
}

func TestLossErrors(t *testing.T) {
	a, b, c, d := make([]float64, 4), make([]float64, 4), make([]float64, 4), make([]float64, 4)
	gradient := func(loss kernels.Loss, coef, z, y, weight []float64, delta float64) error {
		_, err := kernels.LossGradient(loss, coef, z, y, weight, delta)
		return err
	}
	sum := func(loss kernels.Loss, z, y, weight []float64, delta float64) error {
		_, err := kernels.LossSum(loss, z, y, weight, delta)
		return err
	}
	for what, err := range map[string]error{
		"a short coef":          gradient(kernels.Logistic, a[:3], b, c, nil, 0),
		"a short y":             gradient(kernels.Logistic, a, b, c[:3], nil, 0),
		"a short weight":        sum(kernels.Logistic, b, c, d[:3], 0),
		"an empty weight":       sum(kernels.Logistic, b, c, []float64{}, 0),
		"a shifted coef":        gradient(kernels.Squared, a[1:], a[:3], b[:3], nil, 0),
		"an unknown loss":       sum(kernels.Loss(200), b, c, nil, 0),
		"delta 0":               sum(kernels.Huber, b, c, nil, 0),
		"delta NaN":             sum(kernels.Huber, b, c, nil, math.NaN()),
		"delta Inf":             sum(kernels.Huber, b, c, nil, math.Inf(1)),
		"h that is t":           kernels.LossCurvature(kernels.Logistic, a, a, b, c, nil, 0),
		"h that is z":           kernels.LossCurvature(kernels.Logistic, a, b, a, c, nil, 0),
		"a short t":             kernels.LossCurvature(kernels.Logistic, a, b[:3], c, d, nil, 0),
		"slices beyond h and t": kernels.LossCurvature(kernels.Logistic, a[:3], b[:3], c, d, nil, 0),
	} {
		if err == nil {
			t.Errorf("no error for %s", what)
		}
	}
	if err := gradient(kernels.Huber, a, a, b, c, 1); err != nil {
		t.Errorf("coef may be z: %v", err)
	}
	if n, err := kernels.LossSum(kernels.Logistic, nil, nil, nil, 0); n != 0 || err != nil {
		t.Errorf("nothing sums to %v, %v", n, err)
	}
}

func TestLossNames(t *testing.T) {
	for _, loss := range []kernels.Loss{kernels.Logistic, kernels.Squared, kernels.SquaredHinge, kernels.Huber} {
		if got, err := kernels.ParseLoss(loss.String()); err != nil || got != loss {
			t.Errorf("%v is read as %v, %v", loss, got, err)
		}
	}
	if _, err := kernels.ParseLoss("hinge"); err == nil {
		t.Error("hinge was taken for a loss")
	}
	if got := (kernels.Huber + 1).String(); got != "Loss(4)" {
		t.Errorf("the loss after the last is called %s", got)
	}
	if got := kernels.Loss(9).String(); got != "Loss(9)" {
		t.Errorf("an unknown loss is called %q", got)
	}
}

func TestElementDoesNotAllocate(t *testing.T) {
	a, b, c, d, e := make([]float64, 37), make([]float64, 37), make([]float64, 37), make([]float64, 37), make([]float64, 37)
	allocations := allocations.Count(10, func() {
		for _, f := range []func(dst, x []float64) error{kernels.Exp, kernels.Log, kernels.Log1p, kernels.Sigmoid, kernels.Softplus} {
			if f(a, b) != nil {
				t.Fail()
			}
		}
		for _, loss := range []kernels.Loss{kernels.Logistic, kernels.Squared, kernels.SquaredHinge, kernels.Huber} {
			_, err1 := kernels.LossGradient(loss, a, b, c, d, 1)
			_, err2 := kernels.LossSum(loss, b, c, d, 1)
			if err1 != nil || err2 != nil || kernels.LossCurvature(loss, a, e, b, c, d, 1) != nil {
				t.Fail()
			}
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}

// A loss that does not exist is not a number; no function panics on it.
func TestLossAtUnknown(t *testing.T) {
	for _, loss := range []kernels.Loss{5, 255, kernels.Loss(len(lossNamesOf(t)))} {
		if phi, slope := kernels.LossAt(loss, 1, 1, 1); !math.IsNaN(phi) || !math.IsNaN(slope) {
			t.Errorf("loss %d: %v, %v", loss, phi, slope)
		}
	}
}

// lossNamesOf lists the losses that there are, by the names that ParseLoss takes.
func lossNamesOf(t *testing.T) (names []string) {
	for l := range kernels.Loss(255) {
		if back, err := kernels.ParseLoss(l.String()); err == nil && back == l {
			names = append(names, l.String())
		}
	}
	if len(names) < 4 {
		t.Fatalf("only %v", names)
	}
	return names
}
