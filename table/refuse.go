package table

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// refusal says why a row with this cell in a column of a kind cannot be taken; "" if it can. Fit
// leaves out the rows that Encode leaves out.
func refusal(kind Kind, cell []byte, comma bool, none *missing) string {
	absent := none.has(cell)
	switch kind {
	case Target:
		if absent {
			return "the target is missing"
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
	case Time:
		if _, ok := timeCell(cell, comma); !ok && !absent {
			return quoted(cell) + " is not a time, as 2017-11-07 09:30:15 is"
		}
	}
	return ""
}

// quoted writes text for a message, cut to a length that fits.
func quoted(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(string(text[:most]), ""))
	}
	return fmt.Sprintf("%q", text)
}

// timeCell reads a cell of a Time: what timeOf reads, or a number, the time since 1970. It is in
// seconds below 1e11, in milliseconds below 1e14, in microseconds below 1e17, and in nanoseconds
// from there on.
func timeCell(cell []byte, comma bool) (moment, bool) {
	if m, ok := timeOf(cell); ok {
		return m, true
	}
	x, ok := number(cell, comma)
	if !ok || math.Abs(x) >= 1e20 {
		return moment{}, false
	}
	for math.Abs(x) >= 1e11 {
		x /= 1e3
	}
	at := time.Unix(int64(math.Floor(x)), 0).UTC()
	return moment{x, [3]uint8{uint8(at.Hour()), uint8(23 + at.Month()), weekdayParts[(at.Weekday()+3)%7]}}, true
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
