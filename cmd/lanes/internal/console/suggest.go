package console

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Suggest returns "; did you mean a or b?" for the names nearest to typed, each after a prefix,
// or "" if no name, or more than three, are near. A near name begins with typed, or differs
// from typed by at most two edits and by at most half the letters of typed.
func Suggest(typed, prefix string, names []string) string {
	var near []string
	if k := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, typed) }); k >= 0 {
		near = names[k : k+1]
	}
	var c cobra.Command // suggests its subcommands
	for _, name := range names {
		c.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for ; len(near) == 0 && c.SuggestionsMinimumDistance <= min(2, len(typed)/2); c.SuggestionsMinimumDistance++ {
		near = c.SuggestionsFor(typed)
	}
	if len(near) == 0 || len(near) > 3 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}
