package catalog

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Field is a parameter of a solver that text can set: its number or truth value In, or one of a
// few words there, which true chooses.
type Field struct {
	Name, Usual, About string
	// In is the name of the Go field; "" means the same name: FinalScale for final-scale.
	In string
	// Most bounds a number, which is not negative, and may be 0 for its default; 0 for any finite
	// number. Below says that the bound itself is too large.
	Most  float64
	Below bool
}

// NewField returns a field whose numbers may be as large as float64 has them.
func NewField(name, usual, about string) Field {
	return Field{Name: name, Usual: usual, About: about}
}

// Upto returns a field whose numbers are 0 to most.
func Upto(most float64, name, usual, about string) Field {
	return Field{Name: name, Usual: usual, About: about, Most: most}
}

// Below returns a field whose numbers are 0 or more and less than a bound.
func Below(bound float64, name, usual, about string) Field {
	return Field{Name: name, Usual: usual, About: about, Most: bound, Below: true}
}

// of returns the field of a solver.
func (f Field) of(solver reflect.Value) reflect.Value {
	name := f.In
	if name == "" {
		for word := range strings.SplitSeq(f.Name, "-") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return solver.FieldByName(name)
}

func (f Field) set(solver reflect.Value, text string) (err error) {
	switch v := f.of(solver); v.Kind() {
	case reflect.Float64:
		var number float64
		number, err = Number(text)
		v.SetFloat(number)
	case reflect.Int:
		var number int
		if number, err = strconv.Atoi(text); err != nil {
			err = errors.New("not a whole number")
		}
		v.SetInt(int64(number))
	case reflect.Bool, reflect.String:
		var is bool
		switch is, err = strconv.ParseBool(text); {
		case err != nil:
			err = errors.New("neither true nor false")
		case v.Kind() == reflect.Bool:
			v.SetBool(is)
		case is && v.String() != "":
			return fmt.Errorf("%s and %s exclude one another", v.String(), f.Name)
		case is:
			v.SetString(f.Name)
		}
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", f.Name, text, err)
	}
	return nil
}

// Number reads a number, which may be a fraction as in 1/32.
func Number(text string) (float64, error) {
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

// within finds a parameter that is out of its range.
func within(solver reflect.Value, fields []Field) error {
	for _, f := range fields {
		number, most, bound := 0.0, math.MaxFloat64, ""
		switch v := f.of(solver); {
		case v.CanInt():
			number = float64(v.Int())
		case v.CanFloat():
			number = v.Float()
		}
		switch {
		case f.Below:
			most, bound = math.Nextafter(f.Most, 0), fmt.Sprintf(" and below %v", f.Most)
		case f.Most > 0:
			most, bound = f.Most, fmt.Sprintf(" and at most %v", f.Most)
		}
		if !(number >= 0 && number <= most) {
			return fmt.Errorf("%s is %v; it must be positive%s, or 0 for the default", f.Name, number, bound)
		}
	}
	return nil
}
