package kernels

import (
	"math"
	"testing"
)

func TestScalarsHaveTheBitsOfTheSlices(t *testing.T) {
	same := func(what string, x, got, want float64) {
		t.Helper()
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s(%v) = %v, the slice function gives %v", what, x, got, want)
		}
	}
	out := make([]float64, 1)
	for x := -800.0; x <= 800; x += 0.37 {
		in := []float64{x}
		if err := Sigmoid(out, in); err != nil {
			t.Fatal(err)
		}
		same("SigmoidOf", x, SigmoidOf(x), out[0])
		if err := Exp(out, in); err != nil {
			t.Fatal(err)
		}
		same("ExpOf", x, ExpOf(x), out[0])
		if err := Log(out, in); err != nil {
			t.Fatal(err)
		}
		same("LogOf", x, LogOf(x), out[0])
		if err := Log1p(out, in); err != nil {
			t.Fatal(err)
		}
		same("Log1pOf", x, Log1pOf(x), out[0])
		for _, l := range []Loss{Logistic, Squared, SquaredHinge, Huber} {
			sum, err := LossGradient(l, out, in, []float64{-1}, nil, 0.7)
			if err != nil {
				t.Fatal(err)
			}
			phi, slope := LossAt(l, x, -1, 0.7)
			same(l.String(), x, phi, sum)
			same(l.String()+" slope", x, slope, out[0])
		}
	}
}
