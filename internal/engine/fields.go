package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/solvers"
)

// Field is a parameter as text meets it.
type Field struct {
	Name, Usual, About string
	Value              any // *float64, *int or *bool
}

// NewField returns a field; value is a *float64, *int or *bool.
func NewField(name, usual, about string, value any) Field {
	return Field{Name: name, Usual: usual, About: about, Value: value}
}

// Parameter describes the field.
func (f Field) Parameter() solvers.Parameter {
	return solvers.Parameter{Name: f.Name, Default: f.Usual, About: f.About}
}

// Setter is given the fields of a solver, and sets or lists them.
type Setter func(...Field) error

// SetFrom returns a Setter that sets fields from text; a parameter that is no
// field is an error. Numbers may be written as fractions, as in 1/32.
func SetFrom(parameters map[string]string) Setter {
	return func(fields ...Field) error {
		rest := maps.Clone(parameters)
		var names []string
		for _, f := range fields {
			names = append(names, f.Name)
			text, given := rest[f.Name]
			delete(rest, f.Name)
			if !given {
				continue
			}
			if err := f.set(text); err != nil {
				return fmt.Errorf("%s=%s: %w", f.Name, text, err)
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

func (f Field) set(text string) (err error) {
	switch v := f.Value.(type) {
	case *float64:
		*v, err = parseNumber(text)
	case *int:
		if *v, err = strconv.Atoi(text); err != nil {
			err = errors.New("not a whole number")
		}
	case *bool:
		if *v, err = strconv.ParseBool(text); err != nil {
			err = errors.New("neither true nor false")
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
		return 0, errors.New("not a number")
	}
	return v, nil
}

// FillIn sets a parameter that was left at 0 to what is usual.
func FillIn[T int | float64](v *T, usual T) {
	if v != nil && *v == 0 {
		*v = usual
	}
}

// Limit bounds a parameter.
type Limit struct {
	name        string
	value, most float64
}

// AtMost bounds a parameter, which may be 0 for its default, from above.
func AtMost[T int | float64](name string, value T, most float64) Limit {
	return Limit{name, float64(value), most}
}

// Within finds a parameter that is out of its range.
func Within(list ...Limit) error {
	for _, v := range list {
		if !(v.value >= 0 && v.value <= v.most) {
			return fmt.Errorf("%s is %v; it must be positive and at most %v, or 0 for the default", v.name, v.value, v.most)
		}
	}
	return nil
}
