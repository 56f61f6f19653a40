package main

import (
	"fmt"
	"math"
	"strings"
)

// tally says in how many cases a statement of the paper holds. All verdicts of all pages are
// made of it, by one rule.
type tally struct {
	what string // the statement, in a few words
	// holds counts the cases in which the claim holds. level counts the cases in which the seeds'
	// spread hides the difference. of counts all cases that were tried.
	holds, level, of int
	// cases is what is counted, "sets" where it is empty.
	cases string
}

// count adds a case, in which one method is ahead (-1), level (0) or behind (+1).
func (t *tally) count(order int) {
	t.of++
	switch order {
	case -1:
		t.holds++
	case 0:
		t.level++
	}
}

// counted adds a case in which the statement holds or does not.
func (t *tally) counted(holds bool) {
	if holds {
		t.count(-1)
	} else {
		t.count(1)
	}
}

// word is the verdict: confirmed in all cases, mostly in more than half, partly in some.
func (t tally) word() string {
	switch {
	case t.of == 0:
		return "not judged"
	case t.holds == t.of:
		return "confirmed"
	case 2*t.holds > t.of:
		return "mostly confirmed"
	case t.holds > 0:
		return "partly confirmed"
	case t.level == t.of:
		return "level"
	}
	return "not confirmed"
}

// counts says in how many cases the statement holds, as in "3 of 5 sets, level on 1".
func (t tally) counts() string {
	cases := t.cases
	if cases == "" {
		cases = "sets"
	}
	text := fmt.Sprintf("%d of %d %s", t.holds, t.of, cases)
	if t.level > 0 {
		text += fmt.Sprintf(", level on %d", t.level)
	}
	return text
}

func (t tally) String() string { return t.what + ": " + t.word() + " (" + t.counts() + ")" }

// plus adds the counts of another tally.
func (t tally) plus(other tally) tally {
	t.holds, t.level, t.of = t.holds+other.holds, t.level+other.level, t.of+other.of
	return t
}

// setsAtHand names the data sets that a part's statements are counted on: the number of the
// paper's sets, and the sets that stand for others.
func setsAtHand(own, paper int, standIns ...string) string {
	text := fmt.Sprintf("Sets: %d of the paper's %d", own, paper)
	if len(standIns) > 0 {
		text += ", and stand-ins: " + strings.Join(standIns, ", ")
	}
	return text + "."
}

// head is the first statement of a part, which the page's first sentence is made of.
func (s shown) head() tally {
	if len(s.found) == 0 {
		return tally{}
	}
	return s.found[0]
}

// sentence begins with a capital.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// compare orders two methods by their values over the seeds: -1 where the first is lower by
// more than both standard deviations together, 0 where they are level. Values that are no
// finite numbers are the highest.
func compare(a, b []float64) int {
	first, one := spread(a)
	second, two := spread(b)
	lost, won := math.IsNaN(first) || math.IsInf(first, 1), math.IsNaN(second) || math.IsInf(second, 1)
	switch {
	case lost && won:
		return 0
	case lost:
		return 1
	case won:
		return -1
	case math.Abs(first-second) <= one+two:
		return 0
	case first < second:
		return -1
	}
	return 1
}

// compareLogs is compare for values that span powers of ten.
func compareLogs(a, b []float64) int { return compare(logs(a), logs(b)) }

func logs(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Log10(x)
	}
	return out
}

// ahead orders a method and all others. It returns -1 if the method is lower than each other
// method, +1 if one is lower, and otherwise 0: it is level with one or more and behind none.
func ahead(own []float64, others [][]float64, order func(a, b []float64) int) int {
	worst := -1
	for _, other := range others {
		worst = max(worst, order(own, other))
	}
	return worst
}

// negated turns values whose highest is the best into values whose lowest is the best.
func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = -x
	}
	return out
}

// endsAbove is what a table says of a run that reaches a level and ends above it.
func endsAbove(level float64) string { return fmt.Sprintf(", ends above %.0e", level) }

// risenText says which runs reach a level and end above it; nothing where none does.
func risenText(runs []string) string {
	if len(runs) == 0 {
		return ""
	}
	return " These runs reach a level, which counts, and end above it: " + strings.Join(runs, ", ") + "."
}
