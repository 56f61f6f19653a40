package fitting

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
)

// Values of --l1-groups: groups that a table tells, and the columns with all classes of a softmax.
const byTable, byColumn = "table", "columns"

// mostGrouped bounds the columns that --l1-groups may list.
const mostGrouped = 1 << 24

// readGroups reads --l1-groups: table, columns, or groups of column indices as in 1-3,4+6,7-9.
func (f *ProblemFlags) readGroups() error {
	switch {
	case f.groups == "":
		return nil
	case f.how == "softmax" && f.groups != byColumn:
		return console.BadFlag("l1-groups", f.groups, "the groups of --multiclass softmax are the columns, with all classes of each: give %s", byColumn)
	case f.how != "softmax" && f.groups == byColumn:
		return console.BadFlag("l1-groups", f.groups, "it goes with --multiclass softmax; a column of other models is one weight, which --l1 holds by itself")
	case f.groups == byTable || f.groups == byColumn:
		return nil
	case f.Data.Table.Target != "":
		return console.BadFlag("l1-groups", f.groups, "the rows are of a table: give %s", byTable)
	}
	first, seen := input.FirstIndex(f.Data.Zero), map[int]bool{}
	for text := range strings.SplitSeq(f.groups, ",") {
		var group []int
		for part := range strings.SplitSeq(text, "+") {
			from, to, isRange := strings.Cut(part, "-")
			if !isRange {
				to = from
			}
			low, err := strconv.Atoi(from)
			high, wrong := strconv.Atoi(to)
			if err != nil || wrong != nil || low < first || high < low {
				return console.BadFlag("l1-groups", f.groups, "%q is no column from %d on, and no range of columns: give %s, or groups as 1-3,4-9 or 1+5,7-9", part, first, byTable)
			}
			for j := low; j <= high; j++ {
				switch {
				case seen[j]:
					return console.BadFlag("l1-groups", f.groups, "column %d stands there twice; a column is in one group", j)
				case len(seen) == mostGrouped:
					return console.BadFlag("l1-groups", f.groups, "groups may list at most %d columns", mostGrouped)
				}
				seen[j] = true
				group = append(group, j-first)
			}
		}
		f.groupsOf = append(f.groupsOf, group)
	}
	return nil
}

// OfGroups says of a weight of the L1 norm that it weighs the norms of groups; "" for 0.
func OfGroups(groups int) string {
	if groups == 0 {
		return ""
	}
	return fmt.Sprintf(" of %d groups", groups)
}
