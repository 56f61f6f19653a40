// Package nearest finds the names that a mistyped name may have meant.
package nearest

import (
	"slices"
	"strings"
)

// Suggest returns "; did you mean a or b?" for the names nearest to typed, each after a prefix,
// or "" if no name, or more than three, are near: see Names.
func Suggest(typed, prefix string, names []string) string {
	near := Names(typed, names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}

// Names returns the names nearest to typed, in the order of names, or nil if no name, or more
// than three, are near. A near name begins with typed, or differs from typed by at most two edits
// and by at most half the bytes of typed; fewer edits win. Upper and lower case are equal, but a
// name that is equal to typed apart from them is the only near name.
func Names(typed string, names []string) []string {
	if k := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, typed) }); k >= 0 {
		return names[k : k+1 : k+1]
	}
	lower := strings.ToLower(typed)
	for edits := 0; edits <= min(2, len(typed)/2); edits++ {
		var near []string
		for _, name := range names {
			if other := strings.ToLower(name); strings.HasPrefix(other, lower) || distance(lower, other) <= edits {
				near = append(near, name)
			}
		}
		if len(near) > 3 {
			return nil
		}
		if len(near) > 0 {
			return near
		}
	}
	return nil
}

// distance is the number of bytes to insert, delete or change that turn a into b, Levenshtein's.
func distance(a, b string) int {
	if d := len(a) - len(b); d > 2 || d < -2 {
		return 3 // more than Names asks for
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
