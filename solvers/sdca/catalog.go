package sdca

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

var entries = []entry{
	{"dual coordinate ascent, each step exact, in random order (as LIBLINEAR -s 7)", func(set solvers.Setter) (Method, error) {
		var m Prox
		err := set(field("no-shrinking", "false", "visit every row in every pass", &m.NoShrinking))
		return m, err
	}},
}

func field(name, usual, about string, value any) solvers.Field {
	return solvers.Field{Name: name, Usual: usual, About: about, Value: value}
}

func init() { solvers.Register(Names()...) }

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description {
	list := make([]solvers.Description, len(entries))
	for i, e := range entries {
		d := solvers.Description{Family: "sdca", About: e.about}
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
			return nil, fmt.Errorf("sdca: %s: %w", name, err)
		}
		return m, nil
	}
	return nil, fmt.Errorf("sdca: unknown solver %q; there are %s", name, strings.Join(known, ", "))
}
