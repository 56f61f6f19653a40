package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// times are the results of one task at one length.
type times struct {
	paths, others []string
	nanoseconds   []float64   // of lanes, a path
	ratios        [][]float64 // of the others, a path
}

// measure gives every way, and lanes on every path, a slice of time in each round, one
// after the other, and takes the least of each. The clock counts this program alone, but
// others slow it down where they share a core or a cache with it, for seconds and not all
// loops alike, so that ratios of single rounds are worth little: rounds are many and short.
func measure(ways []way, paths []string, rounds int, slice time.Duration) times {
	t := times{paths: paths, ratios: make([][]float64, len(paths))}
	var runs []func(times int)
	for _, path := range paths {
		runs = append(runs, func(times int) {
			restore, err := dispatch.Force(path)
			if err != nil {
				fail(err)
			}
			ways[0].run(times)
			restore()
		})
	}
	for _, w := range ways[1:] {
		t.others = append(t.others, w.name)
		runs = append(runs, w.run)
	}
	repeats := make([]int, len(runs))
	for i, run := range runs {
		repeats[i] = repeatsFor(run, slice)
	}
	least := make([]float64, len(runs))
	for round := range rounds {
		for i, run := range runs {
			begun := now()
			run(repeats[i])
			if took := float64(now()-begun) / float64(repeats[i]); round == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	t.nanoseconds = least[:len(paths)]
	for p, ours := range t.nanoseconds {
		for _, other := range least[len(paths):] {
			t.ratios[p] = append(t.ratios[p], other/ours)
		}
	}
	return t
}

// repeatsFor returns how many calls fill the slice.
func repeatsFor(run func(times int), slice time.Duration) int {
	run(1)
	for n := 1; ; n *= 4 {
		took := time.Hour // the least of three, as others use the machine too
		for range 3 {
			begun := now()
			run(n)
			took = min(took, now()-begun)
		}
		if took > slice/8 || took > 100*time.Microsecond && n == 1 {
			return max(1, int(float64(n)*float64(slice)/float64(took)))
		}
	}
}

func (t times) header(w io.Writer) {
	fmt.Fprintf(w, "%9s", "")
	for _, path := range t.paths {
		fmt.Fprintf(w, "  %11s", path)
		for _, name := range t.others {
			fmt.Fprintf(w, " %8s", name)
		}
	}
	fmt.Fprintln(w)
}

// fused is the ratio of the plain loop that rounds as lanes does on a path, 0 without one.
func (t times) fused(p int) float64 {
	if i := slices.Index(t.others, fused); i >= 0 {
		return t.ratios[p][i]
	}
	return 0
}

// row writes a line and returns the cells that lanes lost.
func (t times) row(w io.Writer, name string, n int) (lost []cell) {
	var line strings.Builder
	for p, path := range t.paths {
		fmt.Fprintf(&line, "  %11.1f", t.nanoseconds[p])
		for i, ratio := range t.ratios[p] {
			mark := " "
			if ratio < worst {
				mark = "*"
				lost = append(lost, cell{name, n, path, t.others[i], ratio, t.fused(p) >= worst})
			}
			fmt.Fprintf(&line, " %7.2f%s", ratio, mark)
		}
	}
	fmt.Fprintf(w, "%9d%s\n", n, line.String())
	return lost
}
