package console

import (
	"github.com/spf13/cobra"
)

// Use says whether a flag has an effect beside the others, and what it goes with.
type Use struct {
	flag  string
	works bool
	with  string
}

// Goes says that a flag goes with something, and whether that is there.
func Goes(flag string, works bool, with string) Use { return Use{flag, works, with} }

// RefuseIdle refuses flags that were given and would have no effect: whoever gives one
// expects another result than the one without it.
func RefuseIdle(cmd *cobra.Command, uses ...Use) error {
	for _, u := range uses {
		if !u.works && cmd.Flags().Changed(u.flag) {
			return Usagef("--%s would have no effect here: it goes with %s", u.flag, u.with)
		}
	}
	return nil
}
