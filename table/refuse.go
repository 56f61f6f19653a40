package table

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/notes"
)

// refusal says why a row with this cell in a column of a kind cannot be taken; "" if it can. Fit
// leaves out the rows that Encode leaves out. marks are how numbers are written; words says that the
// target is words.
func refusal(kind Kind, cell []byte, marks *Marks, words bool, none *missing) string {
	absent := none.has(cell)
	switch kind {
	case Target, logTarget:
		if !absent && !words {
			_, what := none.number(cell, marks)
			absent = what == aGap
		}
		if absent {
			return noTarget
		}
		if kind != logTarget {
			break
		}
		if v, what := none.number(cell, marks); what == aNumber && !(v > 0) {
			return noLogarithm(cell)
		}
	case Weight, Offset, Exposure:
		x, what := none.number(cell, marks)
		switch {
		case absent || what == aGap:
			return fmt.Sprintf("the %s is missing", kind)
		case what != aNumber:
			return fmt.Sprintf("the %s %s is not a number", kind, quoted(cell))
		case kind == Weight && x < 0:
			return fmt.Sprintf("the weight %s is negative", quoted(cell))
		case kind == Exposure && !(x > 0):
			return fmt.Sprintf("the exposure %s is not above 0", quoted(cell))
		}
	}
	return ""
}

// noTarget is the reason of rows without a target, which are left out and do not count as malformed.
const noTarget = "the target is missing"

// noLogarithm is the reason of rows whose target has no logarithm.
func noLogarithm(cell []byte) string {
	return fmt.Sprintf("the target %s is not above 0 and has no logarithm: take the target as it stands, with the loss tweedie or squared, or leave such rows out", quoted(cell))
}

// noteWithout notes the rows without a target, if there are any.
func (s *Source) noteWithout(rows *example) {
	if rows.count > 0 {
		s.note(notes.Note{Kind: notes.NoTarget, Then: "left out"}, rows)
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
	marks *Marks
	words bool // a target is words
	open  bool // marks and words are not known
}

// refused returns why a row of a block cannot be taken, and the first of the refusers that says so;
// "" if the row can be taken. A refuser that is open takes what some marks make a number, and words
// that may be labels.
func refused(b *block, row int, refusers []refuser, none *missing) (int, string) {
	for k, r := range refusers {
		cell := b.cell(row, r.place)
		if why := refusal(r.kind, cell, b.marksOf(row, r.place, r.marks), r.words, none); why != "" && !(r.open && r.mayBeNumber(cell, none)) {
			return k, why
		}
	}
	return 0, ""
}

// mayBeNumber says whether a cell that is no plain decimal can be a number of a weight or an offset.
func (r *refuser) mayBeNumber(cell []byte, none *missing) bool {
	if _, what := none.number(cell, nil); r.kind != Weight && !r.kind.offsets() || what != noNumber {
		return false
	}
	_, fit := writtenFits(cell)
	return fit != 0
}
