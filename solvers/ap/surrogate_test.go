package ap

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// sharp is sigmoid(scale z).
type sharp struct{ scale float64 }

func (s sharp) String() string { return fmt.Sprint("sigmoid of scale ", s.scale) }
func (s sharp) At(z float64) (value, slope float64) {
	q := 1 / (1 + math.Exp(-s.scale*z))
	return q, s.scale * q * (1 - q)
}

// hinge is max(0, z + 1)^2.
type hinge struct{}

func (hinge) String() string { return "hinge" }
func (hinge) At(z float64) (value, slope float64) {
	m := max(0, z+1)
	return m * m, 2 * m
}

// TestOwnSurrogate: a program's copies of the losses of this package train the same weights.
func TestOwnSurrogate(t *testing.T) {
	t.Parallel()
	shape, err := synthetic.ParseShape("imbalanced:n=800,d=30", 2)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{X: data.X, Y: data.Y, Lambda: 1e-4}
	// One iteration of another order of sums differs by rounding; later ones by what the ranks make of it.
	s := solvers.Settings{MaxEpochs: math.Inf(1)}
	solve := func(m Method, s solvers.Settings) *solvers.Result {
		r, err := Solve(t.Context(), p, m, s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	few := func(c Common) Common {
		c.Iterations = 40
		return c
	}
	for name, pair := range map[string][2]Method{
		"soap, logistic":  {SOAP{Common: few(Common{Scale: 3})}, SOAP{Common: few(Common{Surrogate: sharp{3}})}},
		"soap, hinge":     {SOAP{Common: few(Common{Hinge: true})}, SOAP{Common: few(Common{Surrogate: hinge{}})}},
		"moap-v1":         {MOAPV1{Common: few(Common{Scale: 3}), Bound: 1}, MOAPV1{Common: few(Common{Surrogate: sharp{3}}), Bound: 1}},
		"moap-v2, hinge":  {MOAPV2{Common: few(Common{Hinge: true})}, MOAPV2{Common: few(Common{Surrogate: hinge{}})}},
		"adap, 20 and 30": {ADAP{Common: few(Common{Scale: 2, Positives: 20, Negatives: 30}), Bound: 1}, ADAP{Common: few(Common{Surrogate: sharp{2}, Positives: 20, Negatives: 30}), Bound: 1}},
	} {
		want, got := solve(pair[0], s), solve(pair[1], s)
		if math.Abs(got.Objective-want.Objective) > 1e-9 || math.Abs(got.GradientNorm-want.GradientNorm) > 1e-9*(1+want.GradientNorm) {
			t.Errorf("%s: objective %v, gradient %v; of this package's loss %v, %v", name, got.Objective, got.GradientNorm, want.Objective, want.GradientNorm)
		}
		for j, v := range got.Weights {
			if math.Abs(v-want.Weights[j]) > 1e-8*(1+math.Abs(v)) {
				t.Errorf("%s: weight %d is %v, not %v", name, j, v, want.Weights[j])
			}
		}
	}
	file := filepath.Join(t.TempDir(), "run")
	own := func(scale float64) Method { return SOAP{Common: Common{Surrogate: sharp{scale}}} }
	solve(own(3), solvers.Settings{MaxIterations: 5, Checkpoint: file})
	if _, err := Solve(t.Context(), p, own(4), solvers.Settings{Resume: file}); err == nil {
		t.Error("a run goes on with another surrogate")
	}
	if _, err := Solve(t.Context(), p, SOAP{Common: Common{Surrogate: hinge{}, Scale: 2}}, s); err == nil || !strings.Contains(err.Error(), "leave them out") {
		t.Errorf("a surrogate with a scale: %v", err)
	}
}
