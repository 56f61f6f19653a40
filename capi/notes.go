package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/notes"
)

// noteList is written as JSON objects with kind, class, column, count, of, example, place and text. The
// text names options as the JSON of options has them.
type noteList []notes.Note

// MarshalJSON writes the notes.
func (l noteList) MarshalJSON() ([]byte, error) {
	var texts []json.RawMessage
	for _, n := range l {
		text, err := n.JSON(jsonOption)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return json.Marshal(texts)
}

// jsonOption writes an option that a note names as a field of the JSON of options.
func jsonOption(option, value string) string {
	path := ""
	of := []reflect.Type{reflect.TypeFor[learning](), reflect.TypeFor[lanes.Options]()}
	for part := range strings.SplitSeq(option, ".") {
		var next []reflect.Type
		name, list := strings.ToLower(part), false
		for _, t := range of {
			if field, ok := t.FieldByName(part); t.Kind() == reflect.Struct && ok {
				if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag != "" && tag != "-" {
					name = tag
				}
				list, next = field.Type.Kind() == reflect.Slice, append(next, field.Type)
				break
			}
		}
		if of = next; path != "" {
			path += "."
		}
		if path += name; list && value != "" {
			return fmt.Sprintf("%q: [%q]", path, value)
		}
	}
	if value == "" {
		return fmt.Sprintf("%q", path)
	}
	return fmt.Sprintf("%q: %q", path, value)
}
