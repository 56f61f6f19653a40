package pauc

import (
	"fmt"

	"github.com/lanes-go/lanes/solvers"
)

// Method is AGD-SBCD (algorithms 1 and 2) with its parameters. What is 0 has a
// default.
type Method struct {
	// Mu is the parameter of the Moreau envelopes; 0 means 100.
	Mu float64
	// Step is the outer step as a share of the distance between the two proximal
	// points, at most 2; 0 means 1.
	Step float64
	// Inner is c: the steps of outer iteration k are c/(k+1); 0 means 5.
	Inner float64
	// Outer is the number of outer iterations, after which the run ends; 0 means 5.
	// Outer iteration k = 0, 1, ... does Length (k+1)^2 inner ones for each of the
	// two proximal points; 0 means 50.
	Outer, Length int
	// Positives and Negatives make up a batch; 0 means 100 each.
	Positives, Negatives int
}

// Name returns agd-sbcd.
func (Method) Name() string { return "agd-sbcd" }

func fillIn[T int | float64](v *T, usual T) {
	if *v == 0 {
		*v = usual
	}
}

func (m Method) withDefaults() Method {
	fillIn(&m.Mu, 100)
	fillIn(&m.Step, 1)
	fillIn(&m.Inner, 5)
	fillIn(&m.Outer, 5)
	fillIn(&m.Length, 50)
	fillIn(&m.Positives, 100)
	fillIn(&m.Negatives, 100)
	return m
}

func (m Method) check() error {
	for _, v := range []struct {
		name        string
		value, most float64
	}{
		{"mu", m.Mu, 1e9}, {"step", m.Step, 2}, {"inner", m.Inner, 1e9}, {"outer", float64(m.Outer), 10000},
		{"length", float64(m.Length), 1e6}, {"positives", float64(m.Positives), 1 << 20}, {"negatives", float64(m.Negatives), 1 << 20},
	} {
		if !(v.value >= 0 && v.value <= v.most) {
			return fmt.Errorf("%s is %v; it must be positive and at most %v, or 0 for the default", v.name, v.value, v.most)
		}
	}
	return nil
}

var family = solvers.Family[Method]{Name: "pauc", Check: Method.check, Entries: []solvers.Entry[Method]{{
	About: "partial AUC: approximate gradients of Moreau envelopes (AGD-SBCD)",
	Build: func(set solvers.Setter) (Method, error) {
		var m Method
		err := set(
			solvers.Field{Name: "mu", Usual: "100", About: "parameter of the Moreau envelopes", Value: &m.Mu},
			solvers.Field{Name: "step", Usual: "1", About: "outer step, gamma/mu", Value: &m.Step},
			solvers.Field{Name: "inner", Usual: "5", About: "first inner step size c", Value: &m.Inner},
			solvers.Field{Name: "outer", Usual: "5", About: "outer iterations", Value: &m.Outer},
			solvers.Field{Name: "length", Usual: "50", About: "inner iterations of the first outer one", Value: &m.Length},
			solvers.Field{Name: "positives", Usual: "100", About: "positive rows in a batch", Value: &m.Positives},
			solvers.Field{Name: "negatives", Usual: "100", About: "negative rows in a batch", Value: &m.Negatives},
		)
		return m, err
	},
}}}

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description { return family.Descriptions() }

// ByName returns a solver with the parameters given as text; the others keep
// their defaults.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}
