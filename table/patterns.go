package table

import (
	"fmt"
	"slices"
	"strings"
)

// Expand replaces patterns in lists of columns by the columns of a table that they match. A pattern is no
// name of a column, and has a * for any characters, also none: price* for price_old and price_new. It
// leaves out columns that a list names without a pattern, or that are in named. A pattern may have =FORMAT
// behind it, as one of Wanted.Times; each column then gets it. A pattern that matches nothing stays as it
// is, and nil is no list. It costs O(len(names)) for each pattern.
func Expand(names, named []string, lists ...*[]string) {
	lists = slices.DeleteFunc(slices.Clone(lists), func(list *[]string) bool { return list == nil })
	plain := make(map[string]bool)
	for _, name := range named {
		plain[name] = true
	}
	for _, list := range lists {
		for _, text := range *list {
			name, _ := CutFormat(text, names)
			plain[name] = true
		}
	}
	for _, list := range lists {
		var all []string
		for _, text := range *list {
			n := len(all)
			pattern, format, formatted := strings.Cut(text, "=")
			if strings.Contains(text, "*") && !slices.Contains(names, text) {
				for _, name := range names {
					if plain[name] || !Matches(pattern, name) {
						continue
					}
					if formatted {
						name += "=" + format
					}
					all = append(all, name)
				}
			}
			if len(all) == n {
				all = append(all, text)
			}
		}
		*list = all
	}
}

// Matches tells whether a name matches a pattern, in which each * stands for any characters, also none.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, begins := strings.CutPrefix(name, parts[0])
	if !begins || len(parts) == 1 {
		return begins && rest == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		_, behind, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = behind
	}
	return strings.HasSuffix(rest, parts[last])
}

// figured reads a list of columns of numbers, COLUMN or COLUMN=TEXT, and makes these columns numbers. read
// reads what stands behind a column, "" for nothing; only says of which columns the list is.
func figured[T comparable](list, names []string, kinds map[string]Kind, only string, read func(text, behind string) (T, error)) (map[string]T, error) {
	var named []string
	for name, kind := range kinds {
		if kind != Number {
			named = append(named, name)
		}
	}
	Expand(names, named, &list)
	values := make(map[string]T)
	for _, text := range list {
		column, behind := CutFormat(text, names)
		if !slices.Contains(names, column) {
			if at := strings.LastIndexByte(column, '='); at > 0 {
				column = column[:at]
			}
			return nil, fmt.Errorf("table: the table has no column %s", suggested([]string{column}, names))
		}
		if kind := kinds[column]; kind != "" && kind != Number {
			return nil, fmt.Errorf("table: the column %q is named as %s, and %s", column, kind, only)
		}
		v, err := read(text, behind)
		if err != nil {
			return nil, err
		}
		if before, twice := values[column]; twice && before != v {
			return nil, fmt.Errorf("table: the column %q has %v and %v: name it once", column, before, v)
		}
		kinds[column], values[column] = Number, v
	}
	return values, nil
}
