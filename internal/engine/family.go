package engine

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/solvers"
)

// Family is the catalogue of one package: solvers of type M, by name.
type Family[M interface{ Name() string }] struct {
	Name    string // the package's
	Entries []Entry[M]
	// Check says which parameter of a solver is out of its range.
	Check func(M) error
	// Paper is how a solver's paper poses a problem; nil where none has a parameter paper.
	Paper func(M) solvers.Paper
}

// Entry is one solver of a family. Build gives set the fields that can be set,
// with their defaults in words, and returns the solver they were set in.
type Entry[M interface{ Name() string }] struct {
	About string
	Build func(set Setter) (M, error)
}

// EntryOf is the entry of the solvers of type T, which is an M: fields are those of one of
// them that can be set.
func EntryOf[M interface{ Name() string }, T any](about string, fields func(*T) []Field) Entry[M] {
	return Entry[M]{About: about, Build: func(set Setter) (M, error) {
		m := new(T)
		err := set(fields(m)...)
		return any(*m).(M), err
	}}
}

// Descriptions lists the solvers with what can be set.
func (f Family[M]) Descriptions() []solvers.Description {
	list := make([]solvers.Description, len(f.Entries))
	for i, e := range f.Entries {
		d := solvers.Description{Family: f.Name, About: e.About}
		// This setter cannot fail, so neither does Build.
		m, _ := e.Build(func(fields ...Field) error {
			for _, field := range fields {
				d.Parameters = append(d.Parameters, field.Parameter())
			}
			return nil
		})
		d.Name = m.Name()
		if f.Paper != nil {
			d.Paper = f.Paper(m)
		}
		list[i] = d
	}
	return list
}

// ByName builds and checks a solver with the parameters given as text; the others
// keep their defaults. Numbers may be written as fractions, as in 1/32.
func (f Family[M]) ByName(name string, parameters map[string]string) (M, error) {
	var none M
	known := make([]string, len(f.Entries))
	for i, d := range f.Descriptions() {
		if known[i] = d.Name; d.Name != name {
			continue
		}
		return f.build(i, name, parameters)
	}
	return none, fmt.Errorf("%s: unknown solver %q; there are %s", f.Name, name, strings.Join(known, ", "))
}

// build builds and checks the solver of a place in Entries.
func (f Family[M]) build(place int, name string, parameters map[string]string) (M, error) {
	m, err := f.Entries[place].Build(SetFrom(parameters))
	if err == nil {
		err = f.Check(m)
	}
	if err != nil {
		var none M
		return none, fmt.Errorf("%s: %s: %w", f.Name, name, err)
	}
	return m, nil
}
