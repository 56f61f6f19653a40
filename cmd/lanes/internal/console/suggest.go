package console

import (
	"strings"

	"github.com/lanes-go/lanes/internal/base/nearest"
)

// Suggest returns "; did you mean a or b?" for the names nearest to typed, each after a prefix,
// or "" if no name, or more than three, are near: see nearest.Names.
func Suggest(typed, prefix string, names []string) string {
	near := nearest.Names(typed, names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}
