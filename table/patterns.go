package table

import (
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
