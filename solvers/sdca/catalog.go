package sdca

import (
	"errors"
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

const averageAbout = "bear negative sample weights, where the average loss is convex"

var entries = []entry{
	{"adaptive dual-free SDCA: the best row to move, found anew in every iteration, O(n) each (algorithm 1)", func(set solvers.Setter) (Method, error) {
		var m Adaptive
		columns, full := false, false
		err := set(field("columns", "cheaper", "update the margins by columns", &columns),
			field("full", "cheaper", "compute the margins anew in every iteration", &full),
			field("average-convex", "false", averageAbout, &m.AverageConvex))
		switch {
		case columns && full:
			return m, errors.New("columns and full exclude one another")
		case columns:
			m.Margins = "columns"
		case full:
			m.Margins = "full"
		}
		return m, err
	}},
	{"adaptive dual-free SDCA whose probabilities are computed once an epoch (algorithm 2)", func(set solvers.Setter) (Method, error) {
		var m AdaptivePlus
		err := set(field("shrink", "10", "divisor of a row's probability once it was drawn", &m.Shrink),
			field("unguarded", "false", "take the paper's steps as they are", &m.Unguarded),
			field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{"adaptive dual-free SDCA that moves a batch of rows together (algorithm 4)", func(set solvers.Setter) (Method, error) {
		var m Minibatch
		err := set(field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{"dual-free SDCA with uniform probabilities", func(set solvers.Setter) (Method, error) {
		var m DualFree
		err := set(field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
	{"dual-free SDCA with the best fixed probabilities", func(set solvers.Setter) (Method, error) {
		var m ImportanceSampled
		err := set(field("average-convex", "false", averageAbout, &m.AverageConvex))
		return m, err
	}},
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
