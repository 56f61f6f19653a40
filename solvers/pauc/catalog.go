package pauc

import "github.com/lanes-go/lanes/solvers"

var abouts = [algorithms]string{
	"partial AUC: gradients of Moreau envelopes (AGD-SBCD, algorithms 1 and 2)",
	"partial AUC: difference of convex functions (DCA, algorithm 4)",
	"partial AUC: proximal DCA",
	"sum of ranked range: gradients of Moreau envelopes (AGD-SGD, algorithm 3)",
	"sum of ranked range: DCA",
	"sum of ranked range: proximal DCA",
}

func build(a Algorithm) func(solvers.Setter) (Method, error) {
	return func(set solvers.Setter) (Method, error) {
		m := Method{Algorithm: a}
		fields := []solvers.Field{
			{Name: "inner", Usual: "5", About: "first inner step size c", Value: &m.Inner},
			{Name: "outer", Usual: "5", About: "outer iterations", Value: &m.Outer},
			{Name: "length", Usual: "50", About: "inner iterations of the first outer one", Value: &m.Length},
			{Name: "constant", Usual: "false", About: "the same step and number of inner iterations in each outer one", Value: &m.Constant},
			{Name: "negatives", Usual: "100", About: "negative rows in a batch", Value: &m.Negatives},
		}
		if a.Range() {
			fields[4].About = "rows in a batch"
			fields[4].Name = "rows"
		} else {
			fields = append(fields, solvers.Field{Name: "positives", Usual: "100", About: "positive rows in a batch", Value: &m.Positives})
		}
		switch {
		case a.proximal():
			fields = append(fields, solvers.Field{Name: "mu", Usual: "100", About: "1/mu is the weight of the proximal term", Value: &m.Mu})
		case !a.linearises():
			fields = append(fields, solvers.Field{Name: "mu", Usual: "100", About: "parameter of the Moreau envelopes", Value: &m.Mu},
				solvers.Field{Name: "step", Usual: "1", About: "outer step, gamma/mu", Value: &m.Step})
		}
		err := set(fields...)
		return m, err
	}
}

var family = func() solvers.Family[Method] {
	f := solvers.Family[Method]{Name: "pauc", Check: Method.check}
	for a, about := range abouts {
		f.Entries = append(f.Entries, solvers.Entry[Method]{About: about, Build: build(Algorithm(a))})
	}
	return f
}()

func init() { solvers.Register(Names()...) }

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description { return family.Descriptions() }

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}
