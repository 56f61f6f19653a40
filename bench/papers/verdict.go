package main

import (
	"fmt"
	"math"
	"strings"
)

// tally says on how many data sets a statement of the paper holds. All verdicts of all pages
// are made of it, by one rule.
type tally struct {
	what string // the statement, in a few words
	// holds counts the sets on which it holds, level the sets on which the seeds' spread hides
	// the difference, and of all sets that were tried.
	holds, level, of int
	// cases is what is counted, where that is not sets, as in "sets and losses".
	cases string
	// paper is the number of sets in the paper, 0 for as many as were tried; standIns names
	// the sets that are not the paper's.
	paper    int
	standIns string
}

// count adds a set, on which one method is ahead (-1), level (0) or behind (+1).
func (t *tally) count(order int) {
	t.of++
	switch order {
	case -1:
		t.holds++
	case 0:
		t.level++
	}
}

// counted adds a set on which the statement holds or does not.
func (t *tally) counted(holds bool) {
	if holds {
		t.count(-1)
	} else {
		t.count(1)
	}
}

// word is the verdict: confirmed on all sets, mostly on more than half, partly on some.
func (t tally) word() string {
	switch {
	case t.of == 0:
		return "shown"
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

// counts says on how many sets the statement holds, as in "3 of 4 sets, level on 1, of the
// paper's 10".
func (t tally) counts() string {
	cases := t.cases
	if cases == "" {
		cases = "sets"
	}
	text := fmt.Sprintf("%d of %d %s", t.holds, t.of, cases)
	if t.level > 0 {
		text += fmt.Sprintf(", level on %d", t.level)
	}
	if t.paper > 0 {
		text += fmt.Sprintf(", of the paper's %d", t.paper)
	}
	if t.standIns != "" {
		text += "; stand-ins: " + t.standIns
	}
	return text
}

func (t tally) String() string {
	text := t.word()
	if t.of > 0 {
		text += " (" + t.counts() + ")"
	}
	if t.what != "" {
		text = t.what + ": " + text
	}
	return text
}

// verdict is what a part shows about the paper's statements.
func (s shown) verdict() string {
	if len(s.found) == 0 {
		return tally{}.word()
	}
	list := make([]string, len(s.found))
	for k, t := range s.found {
		list[k] = t.String()
	}
	return strings.Join(list, "; ")
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

// ahead orders a method and all others: -1 where it is lower than each of them, 0 where it is
// level with one or more and behind none, +1 where one is lower.
func ahead(own []float64, others [][]float64, order func(a, b []float64) int) int {
	worst := -1
	for _, other := range others {
		worst = max(worst, order(own, other))
	}
	return worst
}

// negated turns values of which the highest are the best into values of which the lowest are.
func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = -x
	}
	return out
}
