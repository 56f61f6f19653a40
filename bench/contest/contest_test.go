package contest

import (
	"strings"
	"testing"
	"time"
)

// TestBefore reads the tables that a program wrote, and shows them beside others: of the
// row and the table of that name only.
func TestBefore(t *testing.T) {
	defer func(rounds int, slice time.Duration) { Before, Rounds, Slice = nil, rounds, slice }(Rounds, Slice)
	var earlier strings.Builder
	for title, nanoseconds := range map[string]float64{"one": 30, "two": 50} {
		table := NewTable(&earlier, title, "an element", "lanes", "plain")
		table.Row("a", 10, []Result{{Name: "lanes", Nanoseconds: nanoseconds}, {Name: "plain", Ratio: 7}})
	}
	times, err := ReadEarlier(strings.NewReader("CPU path x\n" + earlier.String()))
	if err != nil || len(times) != 2 {
		t.Fatalf("%v, %v", times, err)
	}
	Before = times
	var now strings.Builder
	table := NewTable(&now, "one", "an element", "lanes", "plain")
	table.Row("a", 10, []Result{{Name: "lanes", Nanoseconds: 20}, {Name: "plain", Ratio: 3, Low: 2, High: 4}})
	table.Row("b", 10, []Result{{Name: "lanes", Nanoseconds: 20}})
	const want = `
one

| | lanes, ns an element | plain / lanes | before, ns / now |
|---|---|---|---|
| a | 2.000 | **3.00** (2.00-4.00) | 3.000 / **1.50** |
| b | 2.000 | - | - |
`
	if now.String() != want {
		t.Errorf("%s\nwanted %s", now.String(), want)
	}
}

// TestRun holds a contest to the order and the sizes of its times.
func TestRun(t *testing.T) {
	defer func(rounds int, slice time.Duration) { Rounds, Slice = rounds, slice }(Rounds, Slice)
	Rounds, Slice = 3, 100*time.Microsecond
	calls := [2]int{}
	results := Run(Contender{"a", func() { calls[0]++ }}, Contender{"b", func() { calls[1]++ }})
	if len(results) != 2 || results[0].Name != "a" || results[0].Ratio != 1 || results[1].Nanoseconds <= 0 || calls[0] < 3 || calls[1] < 3 {
		t.Errorf("%+v after %v calls", results, calls)
	}
}
