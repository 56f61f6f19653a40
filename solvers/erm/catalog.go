package erm

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/solvers"
)

// entry is one solver of the catalogue. build names the fields that can be set
// and returns the method they were set in.
type entry struct {
	about string
	build func(set setter) (Method, error)
}

// field is a parameter as text meets it; value is a *float64, *int or *bool.
type field struct {
	name, usual, about string
	value              any
}

type setter func(...field) error

var entries = []entry{
	{"adaptive recursive gradients, nothing to tune (algorithm 2)", func(set setter) (Method, error) {
		var m AISARAH
		err := set(field{"gamma", "1/32", "an inner loop ends at this share of its first squared direction", &m.Gamma},
			field{"beta", "0.999", "smoothing of the cap on the step", &m.Beta})
		return m, err
	}},
}

func init() { solvers.Register(Names()...) }

// Names lists this family's solvers with what can be set.
func Names() []solvers.Description {
	list := make([]solvers.Description, len(entries))
	for i, e := range entries {
		d := solvers.Description{Family: "erm", About: e.about}
		m, _ := e.build(func(fields ...field) error {
			for _, f := range fields {
				d.Parameters = append(d.Parameters, solvers.Parameter{Name: f.name, Default: f.usual, About: f.about})
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
		m, err := e.build(setFrom(nil))
		if err != nil {
			return nil, err
		}
		if m.Name() != name {
			known = append(known, m.Name())
			continue
		}
		if m, err = e.build(setFrom(parameters)); err == nil {
			err = m.check()
		}
		if err != nil {
			return nil, fmt.Errorf("erm: %s: %w", name, err)
		}
		return m, nil
	}
	return nil, fmt.Errorf("erm: unknown solver %q; there are %s", name, strings.Join(known, ", "))
}

func setFrom(parameters map[string]string) setter {
	return func(fields ...field) error {
		rest := maps.Clone(parameters)
		var names []string
		for _, f := range fields {
			names = append(names, f.name)
			text, given := rest[f.name]
			delete(rest, f.name)
			if !given {
				continue
			}
			if err := f.set(text); err != nil {
				return fmt.Errorf("%s=%s: %w", f.name, text, err)
			}
		}
		if unknown := slices.Sorted(maps.Keys(rest)); len(unknown) > 0 {
			if len(names) == 0 {
				names = []string{"nothing"}
			}
			return fmt.Errorf("no parameter %q; %s can be set", unknown[0], strings.Join(names, ", "))
		}
		return nil
	}
}

func (f field) set(text string) (err error) {
	switch v := f.value.(type) {
	case *float64:
		*v, err = parseNumber(text)
	case *int:
		if *v, err = strconv.Atoi(text); err != nil {
			err = fmt.Errorf("not a whole number")
		}
	case *bool:
		if *v, err = strconv.ParseBool(text); err != nil {
			err = fmt.Errorf("neither true nor false")
		}
	}
	return err
}

func parseNumber(text string) (float64, error) {
	top, bottom, fraction := strings.Cut(text, "/")
	v, err := strconv.ParseFloat(top, 64)
	if err == nil && fraction {
		var w float64
		w, err = strconv.ParseFloat(bottom, 64)
		v /= w
	}
	if err != nil {
		return 0, fmt.Errorf("not a number")
	}
	return v, nil
}
