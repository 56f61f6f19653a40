package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// summary writes the table of a path: a row for each kernel with the least ratio at each length.
// If a plain loop rounds like lanes, it writes a row with the ratio to it.
func summary(w io.Writer, path string, p int, lengths []size, results []result) {
	fmt.Fprintf(w, "\n| %s |", path)
	rule := "|---|"
	for _, s := range lengths {
		fmt.Fprintf(w, " %s |", s.label)
		rule += "---|"
	}
	fmt.Fprintf(w, "\n%s\n", rule)
	line := func(name string, r result, ratio func(t times) float64) {
		fmt.Fprintf(w, "| %s |", name)
		for _, s := range lengths {
			cell := "-"
			if t, measured := r.at[s.label]; measured {
				least := ratio(t)
				cell = fmt.Sprintf("%.2f", least)
				if least < worst {
					cell = "**" + cell + "**"
				}
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		fmt.Fprintln(w)
	}
	for _, r := range results {
		line(r.name, r, func(t times) float64 { return slices.Min(t.others(p)) })
		if slices.ContainsFunc(slices.Collect(maps.Values(r.at)), func(t times) bool { return t.fused(p) > 0 }) {
			line(r.name+": plain Go with math.FMA", r, func(t times) float64 { return t.fused(p) })
		}
	}
}
