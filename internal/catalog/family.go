// Package catalog lists solvers by name: what text can set of them, what they make small and
// accept, and how to run them.
package catalog

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/solvers"
)

// Family is the catalogue of one package: solvers of type M, by name.
type Family[M interface{ Name() string }] struct {
	Name    string // the package's
	Entries []Entry[M]
	// Own says what else is wrong with a solver whose parameters are within their bounds; nil where
	// nothing can be.
	Own func(M) error
	// PaperSetting is how a solver's paper poses a problem; nil where none has a parameter paper.
	PaperSetting func(M) solvers.PaperSetting
}

// Entry is one solver of a family: a line about it, its zero value, and what can be set.
type Entry[M interface{ Name() string }] struct {
	About  string
	Zero   M
	Fields []Field
}

// descriptions lists the solvers with what can be set.
func (f Family[M]) descriptions() []solvers.Description {
	list := make([]solvers.Description, len(f.Entries))
	for i, e := range f.Entries {
		d := solvers.Description{Name: e.Zero.Name(), Family: f.Name, About: e.About}
		for _, field := range e.Fields {
			d.Parameters = append(d.Parameters, solvers.Parameter{Name: field.Name, Default: field.Usual, About: field.About})
		}
		if f.PaperSetting != nil {
			d.PaperSetting = f.PaperSetting(e.Zero)
		}
		list[i] = d
	}
	return list
}

// ByName builds and checks a solver with the parameters given as text; the others
// keep their defaults. Numbers may be written as fractions, as in 1/32.
func (f Family[M]) ByName(name string, parameters map[string]string) (M, error) {
	known := make([]string, len(f.Entries))
	for i, e := range f.Entries {
		if known[i] = e.Zero.Name(); known[i] == name {
			return f.build(e, parameters)
		}
	}
	var none M
	return none, fmt.Errorf("%s: unknown solver %q; want one of: %s", f.Name, name, strings.Join(known, ", "))
}

// build builds and checks the solver of an entry.
func (f Family[M]) build(e Entry[M], parameters map[string]string) (m M, err error) {
	v := reflect.New(reflect.TypeOf(e.Zero)).Elem()
	if err = setFields(v, e.Fields, parameters); err != nil {
		return m, fmt.Errorf("%s: %s: %w", f.Name, e.Zero.Name(), err)
	}
	built := v.Interface().(M)
	if err = f.Check(built); err == nil {
		m = built
	}
	return m, err
}

// Check says which parameter of a solver is out of its range.
func (f Family[M]) Check(m M) error {
	var err error
	for _, e := range f.Entries {
		if e.Zero.Name() == m.Name() {
			err = within(reflect.Indirect(reflect.ValueOf(m)), e.Fields)
		}
	}
	if err == nil && f.Own != nil {
		err = f.Own(m)
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", f.Name, m.Name(), err)
	}
	return nil
}

// setFields sets fields of a solver from text; a parameter that is no field is an error.
func setFields(solver reflect.Value, fields []Field, parameters map[string]string) error {
	rest := maps.Clone(parameters)
	names := []string{"nothing"}
	for i, f := range fields {
		names = append(names[:i], f.Name)
		text, given := rest[f.Name]
		delete(rest, f.Name)
		if !given {
			continue
		}
		if err := f.set(solver, text); err != nil {
			return err
		}
	}
	if unknown := slices.Sorted(maps.Keys(rest)); len(unknown) > 0 {
		return fmt.Errorf("no parameter %q; %s can be set", unknown[0], strings.Join(names, ", "))
	}
	return nil
}
