package main

import (
	"fmt"
	"io"
	"slices"
)

// result is what a task came to at each length.
type result struct {
	name string
	at   map[int]times
}

// summary writes the table of a path: a row for each kernel, the least ratio at each length.
func summary(w io.Writer, path string, p int, lengths []int, results []result) {
	fmt.Fprintf(w, "\n| %s |", path)
	rule := "|---|"
	for _, n := range lengths {
		fmt.Fprintf(w, " %d |", n)
		rule += "---|"
	}
	fmt.Fprintf(w, "\n%s\n", rule)
	for _, r := range results {
		fmt.Fprintf(w, "| %s |", r.name)
		for _, n := range lengths {
			t, measured := r.at[n]
			cell := "-"
			if measured && len(t.ratios[p]) > 0 {
				least := slices.Min(t.ratios[p])
				cell = fmt.Sprintf("%.2f", least)
				if least < worst {
					cell = "**" + cell + "**"
				}
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		fmt.Fprintln(w)
	}
}
