package bench

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"unicode"
)

// WriteTable lays the report out for reading.
func (r *Report) WriteTable(out io.Writer) error {
	b := bufio.NewWriter(out)
	for _, fact := range r.Facts() {
		fmt.Fprintf(b, "%-10s %s\n", fact[0], fact[1])
	}
	r.writeMachine(b)
	r.writeResults(b)
	r.writeChanges(b)
	if len(r.Warnings) > 0 {
		fmt.Fprintf(b, "\nwarning: %s\n", strings.Join(r.Warnings, "\nwarning: "))
	}
	return b.Flush()
}

// Facts are what was measured on, and how, for people.
func (r *Report) Facts() [][2]string {
	core := "whatever core the system chose"
	if r.Core >= 0 {
		core = fmt.Sprintf("core %d", r.Core)
	}
	if r.Noise.Fastest > 0 {
		core += fmt.Sprintf(" at %.2f GHz", r.Noise.Fastest)
	}
	how := "full"
	if r.Quick {
		how = "quick"
	}
	lanes := "lanes"
	if r.Version != "" {
		lanes += " " + r.Version
	}
	return [][2]string{
		{"machine", fmt.Sprintf("%s, %s/%s; %s", r.Machine.title(), r.Machine.OS, r.Machine.Arch, core)},
		{"caches", fmt.Sprintf("L1 %s, L2 %s, L3 %s", sizeText(r.Machine.L1), sizeText(r.Machine.L2), sizeText(r.Machine.L3))},
		{"measured", fmt.Sprintf("%s, %s, %.0f s, by %s and %s", r.Date.Format("2006-01-02 15:04 UTC"), how, r.Seconds, lanes, r.Go)},
		{"noise", fmt.Sprintf("the median sample takes %.1f %% longer than the best; 95 of 100 results repeat within %s; %d of %d samples interrupted",
			100*r.Noise.Spread, r.driftText(), r.Noise.Interrupted, r.Noise.Samples)},
	}
}

func (r *Report) driftText() string {
	var parts []string
	for _, place := range placeNames {
		if drift, has := r.Noise.Drift[place]; has {
			parts = append(parts, fmt.Sprintf("%.1f %% (%s)", 100*drift, place))
		}
	}
	return strings.Join(parts, ", ")
}

// places are where operands lie, with a size in bytes that stands for each: half of a
// cache, or the greatest size.
func (r *Report) places() (names []string, sizes []int) {
	for _, p := range []struct {
		name string
		size int
	}{{"L1", r.Machine.L1 / 2}, {"L2", r.Machine.L2 / 2}, {"L3", r.Machine.L3 / 2}, {"memory", r.Sizes[len(r.Sizes)-1]}} {
		if p.size > 0 && p.size <= r.Sizes[len(r.Sizes)-1] {
			names, sizes = append(names, p.name), append(sizes, p.size)
		}
	}
	return names, sizes
}

func (r *Report) writeMachine(b io.Writer) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := []string{"\nthe machine gives", ""}
	for _, l := range r.Limits {
		head = append(head, l.Path)
	}
	row := func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")+"\t") }
	row(head...)
	names, sizes := r.places()
	line := func(what, where string, of func(l *Limits) float64, scale float64) {
		cells := []string{what, where}
		for k := range r.Limits {
			cells = append(cells, three(of(&r.Limits[k])*scale))
		}
		row(cells...)
	}
	for _, rate := range []struct {
		what string
		of   func(l *Limits) []float64
	}{
		{"read, GB/s", func(l *Limits) []float64 { return l.Read }},
		{"write, GB/s", func(l *Limits) []float64 { return l.Write }},
		{"copy, GB/s", func(l *Limits) []float64 { return l.Copy }},
		{"update, GB/s", func(l *Limits) []float64 { return l.Update }},
		{"accumulate, GB/s", func(l *Limits) []float64 { return l.Accumulate }},
		{"scattered loads, G/s", func(l *Limits) []float64 { return l.Gather }},
		{"scattered updates, G/s", func(l *Limits) []float64 { return l.Scatter }},
	} {
		for k, size := range sizes {
			what := ""
			if k == 0 {
				what = rate.what
			}
			line(what, names[k], func(l *Limits) float64 { return rate.of(l)[at(r.Sizes, float64(size))] }, 1e-9)
		}
	}
	line("vector loads, G/s", "", func(l *Limits) float64 { return l.Loads }, 1e-9)
	line("multiply-adds, G/s", "", func(l *Limits) float64 { return l.MultiplyAdds }, 1e-9)
	line("divisions, G/s", "", func(l *Limits) float64 { return l.Divisions }, 1e-9)
	line("square roots, G/s", "", func(l *Limits) float64 { return l.Roots }, 1e-9)
	line("empty call, ns", "", func(l *Limits) float64 { return l.Call }, 1)
	w.Flush()
	fmt.Fprintf(b, "\nDependent operations: an addition takes %.2f ns, a multiply-add %.2f ns", r.Latencies.Add, r.Latencies.MultiplyAdd)
	for k, size := range sizes {
		fmt.Fprintf(b, ", a load from %s %s ns", names[k], three(r.Latencies.Load[at(r.Sizes, float64(size))]))
	}
	fmt.Fprintln(b, ".")
}

func (r *Report) writeResults(b io.Writer) {
	if len(r.Results) == 0 {
		return
	}
	paths := r.paths()
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\nkernel\tlength\t%s\tspread\tns/element\tGB/s\twhere\tlimit\tshare\t\n", strings.Join(paths, "\t"))
	for k := 0; k < len(r.Results); {
		first := &r.Results[k]
		times := make([]string, len(paths))
		for p, path := range paths {
			times[p] = "-"
			if k < len(r.Results) && r.Results[k].Name() == first.Name() && r.Results[k].Path == path {
				times[p] = timeText(r.Results[k].Time)
				k++
			}
		}
		best := &r.Results[k-1] // of the best path
		name := best.Kernel
		if best.Variant != "" {
			name += "/" + best.Variant
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.1f %%\t%s\t%s\t%s\t%s\t%s\t\n", name, best.Size, strings.Join(times, "\t"), 100*best.spread(),
			three(best.Time/best.Elements), three(best.Bytes/best.Time), best.Place, best.Limit, best.shareText())
	}
	w.Flush()
	fmt.Fprintf(b, "\nTimes are of the best sample. Spread is how much longer the median took; it and the columns after it are of %s.\nShare is the least time that the limit allows, in per cent of the time that was taken.\n", paths[len(paths)-1])
}

// paths returns the CPU paths of the results, in ascending preference.
func (r *Report) paths() (list []string) {
	has := make(map[string]bool)
	for k := range r.Results {
		has[r.Results[k].Path] = true
	}
	for _, l := range r.Limits {
		if has[l.Path] {
			list = append(list, l.Path)
		}
	}
	return list
}

func (r *Result) shareText() string {
	if r.Limit == limitNone {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*r.Share)
}

func (r *Report) writeChanges(b io.Writer) {
	if r.Against == "" {
		return
	}
	if len(r.Changes) == 0 {
		fmt.Fprintf(b, "\nNothing changed against %s by more than the noise.\n", r.Against)
		return
	}
	fmt.Fprintf(b, "\n%d of %d results changed against %s by more than the noise:\n", len(r.Changes), len(r.Results), r.Against)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "kernel\tpath\told\tnew\tchange\tnoise\t")
	for _, c := range r.Changes {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%+.1f %%\t%.1f %%\t\n", c.Name, c.Path, timeText(c.Old), timeText(c.New), 100*(c.Ratio-1), 100*c.Noise)
	}
	w.Flush()
}

// WriteGo writes the samples in the format of Go's benchmarks, a line each.
func (r *Report) WriteGo(out io.Writer) error {
	b := bufio.NewWriter(out)
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\npkg: github.com/lanes-go/lanes\ncpu: %s\n", r.Machine.OS, r.Machine.Arch, r.Machine.Name)
	for k := range r.Results {
		result := &r.Results[k]
		name := []rune("Benchmark" + result.Kernel)
		name[len("Benchmark")] = unicode.ToUpper(name[len("Benchmark")])
		text := string(name)
		if result.Variant != "" {
			text += "/variant=" + result.Variant
		}
		text += fmt.Sprintf("/length=%d", result.Length)
		if result.Columns > 0 {
			text += fmt.Sprintf("/columns=%d/nonzeros=%d", result.Columns, result.NonZeros)
		}
		for _, ns := range result.Samples {
			fmt.Fprintf(b, "%s/path=%s\t%d\t%.5g ns/op\t%.5g MB/s\t%.5g ns/element\n",
				text, result.Path, result.Repeats, ns, result.Bytes/ns*1e3, ns/result.Elements)
		}
	}
	return b.Flush()
}

// three writes three digits or so.
func three(v float64) string {
	switch {
	case v == 0 || v-v != 0:
		return "-"
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	case math.Abs(v) >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

// timeText writes nanoseconds with a unit.
func timeText(ns float64) string {
	switch {
	case ns >= 1e6:
		return three(ns/1e6) + " ms"
	case ns >= 1e3:
		return three(ns/1e3) + " µs"
	}
	return three(ns) + " ns"
}

func sizeText(bytes int) string {
	switch {
	case bytes <= 0:
		return "none"
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
