package cli

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Value is the value of a flag as text.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// List is a Value of several texts. Setting it first replaces the default, then appends.
type List interface {
	Value
	Texts() []string
}

const boolType = "bool"

// scalar is one value of type T.
type scalar[T any] struct {
	to    *T
	name  string
	parse func(string) (T, error)
	text  func(T) string
}

func (s *scalar[T]) String() string { return s.text(*s.to) }
func (s *scalar[T]) Type() string   { return s.name }

func (s *scalar[T]) Set(text string) error {
	v, err := s.parse(text)
	if err == nil {
		*s.to = v
	}
	return err
}

// list is a list of values of type T; split cuts a text into their texts, and join writes them.
type list[T any] struct {
	scalar[T] // of an element; to is nil
	all       *[]T
	split     func(string) ([]string, error)
	set       bool
}

func (l *list[T]) Set(text string) error {
	texts, err := l.split(text)
	if err != nil {
		return err
	}
	var values []T
	for _, text := range texts {
		v, err := l.parse(text)
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	if l.set {
		values = append(*l.all, values...)
	}
	*l.all, l.set = values, true
	return nil
}

// restart has the next Set replace the list.
func (l *list[T]) restart() { l.set = false }

func (l *list[T]) Texts() []string {
	texts := make([]string, len(*l.all))
	for k, v := range *l.all {
		texts[k] = l.text(v)
	}
	return texts
}

func (l *list[T]) String() string { return "[" + joinTexts(l.Texts()) + "]" }

func same(s string) string             { return s }
func text(s string) (string, error)    { return s, nil }
func whole(s string) ([]string, error) { return []string{s}, nil }
func parseInt(s string) (int, error) {
	v, err := strconv.ParseInt(s, 0, strconv.IntSize)
	return int(v), err
}
func parseFloat(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
func floatText(v float64) string           { return strconv.FormatFloat(v, 'g', -1, 64) }
func splitNumbers(s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	return strings.Split(s, ","), nil
}

// splitTexts cuts a list at commas; an element with a comma stands in double quotes.
func splitTexts(s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	return csv.NewReader(strings.NewReader(s)).Read()
}

func joinTexts(texts []string) string {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write(texts)
	w.Flush()
	return strings.TrimSuffix(out.String(), "\n")
}

// wholeTexts is the value of AddWhole.
func wholeTexts(to *[]string) Value {
	return &list[string]{scalar: scalar[string]{nil, "strings", text, same}, all: to, split: whole}
}

// valueOf is the Value of a variable.
func valueOf(to any) Value {
	switch v := to.(type) {
	case *bool:
		return &scalar[bool]{v, boolType, strconv.ParseBool, strconv.FormatBool}
	case *string:
		return &scalar[string]{v, "string", text, same}
	case *int:
		return &scalar[int]{v, "int", parseInt, strconv.Itoa}
	case *uint64:
		return &scalar[uint64]{v, "uint64",
			func(s string) (uint64, error) { return strconv.ParseUint(s, 0, 64) },
			func(v uint64) string { return strconv.FormatUint(v, 10) }}
	case *float64:
		return &scalar[float64]{v, "float64", parseFloat, floatText}
	case *time.Duration:
		return &scalar[time.Duration]{v, "duration", time.ParseDuration, time.Duration.String}
	case *[]string:
		return &list[string]{scalar: scalar[string]{nil, "strings", text, same}, all: v, split: splitTexts}
	case *[]int:
		return &list[int]{scalar: scalar[int]{nil, "ints", strconv.Atoi, strconv.Itoa}, all: v, split: splitNumbers}
	case *[]float64:
		return &list[float64]{scalar: scalar[float64]{nil, "float64s", parseFloat, floatText}, all: v, split: splitNumbers}
	}
	panic(fmt.Sprintf("a flag has the type %T", to))
}
