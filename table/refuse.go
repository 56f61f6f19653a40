package table

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/notes"
)

// refusal says why a row with this cell in a column of a kind cannot be taken; "" if it can. Fit
// leaves out the rows that Encode leaves out.
func refusal(kind Kind, cell []byte, comma bool, none *missing) string {
	absent := none.has(cell)
	switch kind {
	case Target:
		if absent {
			return noTarget
		}
	case Weight, Offset:
		if absent {
			return fmt.Sprintf("the %s is missing", kind)
		}
		if x, ok := number(cell, comma); !ok {
			return fmt.Sprintf("the %s %s is not a number", kind, quoted(cell))
		} else if kind == Weight && x < 0 {
			return fmt.Sprintf("the weight %s is negative", quoted(cell))
		}
	case Number:
		if _, ok := number(cell, comma); !ok && !absent {
			return quoted(cell) + " is not a number"
		}
	}
	return ""
}

// noTarget is the reason of rows without a target, which are left out and do not count as malformed.
const noTarget = "the target is missing"

// noteWithout notes the rows without a target, if there are any.
func (s *Source) noteWithout(rows *example) {
	if rows.count > 0 {
		s.notes.Set(notes.Note{Kind: notes.NoTarget, Count: rows.count, Place: s.where(rows.place), Then: "left out"})
	}
}

// quoted writes text for a message, cut to a length that fits.
func quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(string(text[:most]), ""))
	}
	return fmt.Sprintf("%q", text)
}

// refuser is a column that can make a row malformed.
type refuser struct {
	name  string
	kind  Kind
	place int // among the columns that are read
}

// refused returns why a row of a block cannot be taken, and the first of the refusers that says so;
// "" if the row can be taken.
func refused(b *block, row int, refusers []refuser, none *missing) (int, string) {
	for k, r := range refusers {
		if why := refusal(r.kind, b.cell(row, r.place), b.comma, none); why != "" {
			return k, fmt.Sprintf("column %q: %s", r.name, why)
		}
	}
	return 0, ""
}
