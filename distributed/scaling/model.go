//go:build mpi

package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/lanes-go/lanes/internal/shards"
)

// best are the figures of the fastest run, and the least of what was measured beside it:
// what others do on a machine only adds to them.
func best(list []figures) figures {
	f := list[0]
	for _, other := range list[1:] {
		if other.Pass < f.Pass {
			other.talking = least(f.talking, other.talking)
			f = other
		} else {
			f.talking = least(f.talking, other.talking)
		}
	}
	return f
}

func least(a, b talking) talking {
	return talking{min(a.Latency, b.Latency), min(a.Byte, b.Byte), min(a.Meeting, b.Meeting), min(a.Vector, b.Vector), min(a.Add, b.Add)}
}

// costs are what the model is made of.
type costs struct {
	shards.Costs
	second float64 // how much faster two workers are than one
}

// problem is what the model is asked about.
type problem struct{ entries, columns, shards float64 }

func (c *costs) pass(p problem, ranks, speed float64) (computing, vectors, moving float64) {
	return c.Pass(p.entries, p.columns, p.shards, ranks, speed)
}

// fit takes the costs from what was measured on one rank, and of messages on two. Where
// others use the machine, the time that its processors were busy tells more than the clock.
func fit(o *options, f map[setup]figures, thin figures) costs {
	one, two, pair := f[setup{1, 1, false}], f[setup{1, 2, false}], f[setup{2, 1, false}]
	c := costs{Costs: shards.Costs{Add: one.Add, Sums: one.Sums, Latency: pair.Latency, Byte: pair.Byte}}
	c.Column = thin.CPU/float64(o.columns) - c.Add
	vectors := c.Column * float64(o.columns)
	c.Entry = (one.CPU - vectors - float64(o.shards)*c.Add*float64(o.columns)) / float64(o.rows*o.entries)
	c.second = 2 * (one.CPU - vectors) / (two.CPU - vectors)
	return c
}

func table(head string) *tabwriter.Writer {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, head+"\t")
	return w
}

func printMeasured(setups []setup, f map[setup]figures) {
	w := table("ranks x workers\ts a Newton iteration\tpasses in it\tms a pass\tcomputing\twaiting\tmoving\tprocessors, ms a pass\tlatency, us\tGB/s\tmeeting, us\tsum of a vector, ms")
	for _, s := range setups {
		m := f[s]
		fmt.Fprintf(w, "%v\t%.2f\t%.2f\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f", s, m.Pass*m.Passes, m.Passes, 1e3*m.Pass, 1e3*m.Computing, 1e3*m.Waiting, 1e3*m.Moving, 1e3*m.CPU)
		if s.Ranks > 1 {
			fmt.Fprintf(w, "\t%.2f\t%.2f\t%.1f\t%.2f\t\n", 1e6*m.Latency, 1e-9/m.Byte, 1e6*m.Meeting, 1e3*m.Vector)
		} else {
			fmt.Fprint(w, "\t\t\t\t\t\n")
		}
	}
	w.Flush()
}

// printModel compares the time of processors, of all ranks together, with the model, and
// the time of a sum of one vector.
func printModel(o *options, setups []setup, f map[setup]figures, c costs) {
	fmt.Printf("\nmodel: %.2f ns a non-zero in a pass on one worker, %.2f times as fast on two; %.2f ns a column in a pass, %.2f ns a column of a shard; %.1f sums in a pass\n\n",
		1e9*c.Entry, c.second, 1e9*c.Column, 1e9*c.Add, c.Sums)
	p := problem{float64(o.rows * o.entries), float64(o.columns), float64(o.shards)}
	w := table("ranks x workers\tprocessors, ms a pass\tby the model\tshare\tsum of a vector, ms\tby the model")
	for _, s := range setups {
		c := c
		if s.Ranks > 1 {
			c.Latency, c.Byte = f[s].Latency, f[s].Byte
		}
		computing, vectors, _ := c.pass(p, 1, 1)
		if s.Workers == 2 || s.Ranks > 1 { // both processors want their share of the memory's speed
			computing *= 2 / c.second
		}
		one := c
		one.Sums = 1
		_, _, sum := one.pass(p, float64(s.Ranks), 1)
		moving := float64(s.Ranks) * sum
		model := computing + float64(s.Ranks)*vectors + moving
		fmt.Fprintf(w, "%v\t%.0f\t%.0f\t%.2f\t%.2f\t%.2f\t\n", s, 1e3*f[s].CPU, 1e3*model, model/f[s].CPU, 1e3*f[s].Vector, 1e3*sum)
	}
	w.Flush()
}

// printPredictions is for machines of two cores like this one, with networks of two
// speeds: 90 % of what they carry, and the latency of a kernel's TCP or of a card that
// needs none.
func printPredictions(c costs) {
	p := problem{40e9, 1e6, 256}
	for _, net := range []struct {
		name          string
		latency, byte float64
	}{{"10 Gb/s, 30 us", 30e-6, 8 / (0.9 * 10e9)}, {"100 Gb/s, 3 us", 3e-6, 8 / (0.9 * 100e9)}} {
		c := c
		c.Latency, c.Byte = net.latency, net.byte
		fmt.Printf("\npredicted, %s: 1e9 rows of 40 non-zeros, 1e6 columns, 256 shards\n\n", net.name)
		w := table("ranks\ts a pass\tcomputing\tvectors\tmoving\ts a Newton iteration of 8 passes\ttimes as fast as one\tefficiency")
		first := 0.0
		for ranks := 1.0; ranks <= 256; ranks *= 2 {
			computing, vectors, moving := c.pass(p, ranks, c.second)
			total := computing + vectors + moving
			if ranks == 1 {
				first = total
			}
			fmt.Fprintf(w, "%.0f\t%.3f\t%.3f\t%.4f\t%.4f\t%.2f\t%.1f\t%.0f %%\t\n", ranks, total, computing, vectors, moving, 8*total, first/total, 100*first/total/ranks)
		}
		w.Flush()
		c.printEnds()
	}
}

// printEnds says how many ranks are worth it for fewer rows: the most, of powers of two up
// to the shards that such data have, that are used by half.
func (c *costs) printEnds() {
	fmt.Println()
	w := table("rows\tshards\tranks used by half\ts a pass there")
	for _, rows := range []int{1e6, 1e7, 1e8, 1e9} {
		p := problem{entries: 40 * float64(rows), columns: 1e6}
		p.shards = float64(shards.Count(rows, 1e6, 40*int64(rows)))
		one, vectors, _ := c.pass(p, 1, c.second)
		one += vectors
		most, at := 1.0, one
		for ranks := 2.0; ranks <= p.shards; ranks *= 2 {
			computing, vectors, moving := c.pass(p, ranks, c.second)
			if total := computing + vectors + moving; one/total/ranks >= 0.5 {
				most, at = ranks, total
			}
		}
		fmt.Fprintf(w, "%.0e\t%.0f\t%.0f\t%.3f\t\n", float64(rows), p.shards, most, at)
	}
	w.Flush()
}
