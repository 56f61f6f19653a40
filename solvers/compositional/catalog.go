package compositional

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/solvers"
)

// entry is one solver of the catalogue. build names the fields that can be set
// and returns the method they were set in.
type entry struct {
	about string
	build func(set solvers.Setter) (Method, error)
}

func field(name, usual, about string, value any) solvers.Field {
	return solvers.Field{Name: name, Usual: usual, About: about, Value: value}
}

func samples(inner, outer *int) []solvers.Field {
	return []solvers.Field{
		field("inner-sample", "5", "inner functions sampled in an iteration (a)", inner),
		field("outer-sample", "5", "outer functions sampled in an iteration (b)", outer),
	}
}

var entries = []entry{
	{"variance-reduced compositional gradients, epochs that double (algorithm 1)", func(set solvers.Setter) (Method, error) {
		var m SCVRG
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "from samples", "last step size (eta)", &m.Step),
			field("first", "10", "iterations of the first epoch (k_0)", &m.FirstEpoch),
			field("epochs", "16", "epochs (S)", &m.Epochs),
			field("auto", "off", "accuracy from which theorem 3 gives all others", &m.Auto))...)
		return m, err
	}},
	{"variance-reduced compositional gradients, constant step and epochs", func(set solvers.Setter) (Method, error) {
		var m VRSCPG
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "from samples", "step size", &m.Step),
			field("inner", "cube root of n", "iterations between reference points", &m.Inner))...)
		return m, err
	}},
	{"stochastic compositional gradients, proximal", func(set solvers.Setter) (Method, error) {
		var m SCGD
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "1/L", "first step size", &m.Step))...)
		return m, err
	}},
	{"accelerated stochastic compositional gradients, proximal", func(set solvers.Setter) (Method, error) {
		var m ASCPG
		err := set(append(samples(&m.InnerSample, &m.OuterSample),
			field("step", "1/L", "first step size", &m.Step),
			field("ninths", "false", "powers 5/9 and 4/9 in place of 5/7 and 4/7", &m.Ninths))...)
		return m, err
	}},
	{"accelerated proximal gradients; a pass over the data an iteration", func(set solvers.Setter) (Method, error) {
		var m AGD
		err := set(field("step", "1/L", "step size", &m.Step),
			field("no-restart", "false", "keep the momentum where it points uphill", &m.NoRestart))
		return m, err
	}},
}

func init() { solvers.Register(Names()...) }

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description {
	list := make([]solvers.Description, len(entries))
	for i, e := range entries {
		d := solvers.Description{Family: "compositional", About: e.about}
		m, _ := e.build(func(fields ...solvers.Field) error {
			for _, f := range fields {
				d.Parameters = append(d.Parameters, f.Parameter())
			}
			return nil
		})
		d.Name = m.Name()
		list[i] = d
	}
	return list
}

// ByName returns a solver with the parameters given as text; the others keep
// their defaults. Numbers may be written as fractions, as in 1/32.
func ByName(name string, parameters map[string]string) (Method, error) {
	var known []string
	for _, e := range entries {
		m, err := e.build(solvers.SetFrom(nil))
		if err != nil {
			return nil, err
		}
		if m.Name() != name {
			known = append(known, m.Name())
			continue
		}
		if m, err = e.build(solvers.SetFrom(parameters)); err == nil {
			err = m.check()
		}
		if err != nil {
			return nil, fmt.Errorf("compositional: %s: %w", name, err)
		}
		return m, nil
	}
	return nil, fmt.Errorf("compositional: unknown solver %q; there are %s", name, strings.Join(known, ", "))
}
