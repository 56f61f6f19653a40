package main

import (
	"fmt"
	"os"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/dispatch"
)

// speed compares the iterations per second of a method with other ways to run the same
// algorithm on one core: plain Go as one writes it without this library, and lanes' own
// portable kernels, which give the same bits. Rounds alternate; the figures are medians.
func (f *family) speed(folder string, rounds int) error {
	fmt.Printf("\nIterations per second of %s on one core, medians of %d rounds in turn. Plain Go has math.Exp and loops over slices. A step of it costs the columns, one of lanes the non-zeros of the batch.\n\n", f.raced, rounds)
	w8a, err := datasets.Load(folder, "w8a")
	if err != nil {
		return err
	}
	wide, err := datasets.Generated("wide", f.wide)
	if err != nil {
		return err
	}
	rows := [][]string{{"data", "batch", "loss", "iterations/s"}}
	for _, name := range append(names(f.races[0].plain), "portable kernels") {
		rows[0] = append(rows[0], name, "ratio")
	}
	best := dispatch.Current()
	for _, s := range []*datasets.Split{w8a, wide} {
		for _, r := range f.races {
			ways := []func(n int) error{func(n int) error { return r.on(best, s, n) }}
			for _, p := range r.plain {
				if p.narrow && s == wide {
					ways = append(ways, nil)
					continue
				}
				ways = append(ways, func(n int) error { p.run(s, n); return nil })
			}
			ways = append(ways, func(n int) error { return r.on("generic", s, n) })
			times, ratios := make([][]float64, len(ways)), make([][]float64, len(ways))
			for round := range rounds {
				for k, way := range ways {
					if way == nil {
						continue
					}
					t, err := contest.PerIteration(way)
					if err != nil {
						return err
					}
					times[k] = append(times[k], t)
					ratios[k] = append(ratios[k], t/times[0][round])
				}
			}
			row := []string{s.Name, fmt.Sprintf("%d + %d", r.batch, r.batch), r.loss, fmt.Sprintf("%.0f", 1/contest.Median(times[0]))}
			for k := 1; k < len(ways); k++ {
				if times[k] == nil {
					row = append(row, "-", "-")
					continue
				}
				row = append(row, fmt.Sprintf("%.0f", 1/contest.Median(times[k])), fmt.Sprintf("%.1f", contest.Median(ratios[k])))
			}
			rows = append(rows, row)
		}
	}
	contest.Table(os.Stdout, rows)
	return nil
}

func names(ways []plainWay) (list []string) {
	for _, w := range ways {
		list = append(list, w.name)
	}
	return list
}
