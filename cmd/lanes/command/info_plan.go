package command

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// What a plan takes from docs/scaling.md: costs that the rows do not change, a network of 10 Gb/s of which 90 %
// are in use, and the share of a core that another worker adds.
var planned = shards.Costs{Column: 9e-9, Add: 0.47e-9, Sums: 1.2, Latency: 30e-6, Byte: 8 / (0.9 * 10e9)}

const (
	coreShare = 0.9
	// A plan measures plannedRuns passes over at least leastPlanned entries. Between two passes it reads as many
	// numbers as the caches hold, and more: a pass over all rows finds neither rows nor weights there.
	leastPlanned = 1 << 22
	plannedRuns  = 5
	cached       = 1 << 24
)

// job is the machines that a plan is made for, and the memory of each.
type job struct {
	memory          int64
	machines, cores int
}

const jobForm = "give the memory of a machine, as in 64GB, or with machines and the cores of each, as in 64GB,8x2"

// parseJob reads MEMORY or MEMORY,MACHINESxCORES; 0 cores stand for the cores of this machine.
func parseJob(text string) (job, error) {
	size, machines, several := strings.Cut(text, ",")
	bytes, err := fitting.ParseMemory("plan", size)
	j := job{memory: bytes, machines: 1}
	if several && err == nil {
		count, cores, _ := strings.Cut(machines, "x")
		m, wrong := strconv.ParseUint(count, 10, 20)
		c, wrongToo := strconv.ParseUint(cores, 10, 16)
		if j.machines, j.cores = int(m), int(c); wrong != nil || wrongToo != nil || m == 0 || c == 0 {
			return j, errors.New(jobForm)
		}
	}
	return j, err
}

func isJob(text string) bool {
	j, err := parseJob(text)
	return err == nil && j.memory > 0
}

// planLine is what a number of machines takes.
type planLine struct {
	Machines int     `json:"machines"`
	Least    int64   `json:"least_memory"`
	Whole    int64   `json:"memory_without_reading"`
	Kept     float64 `json:"rows_kept"`
	Pass     float64 `json:"seconds_a_pass"`
	Moving   float64 `json:"seconds_of_network"`
	Fits     bool    `json:"fits"`
}

// infoPlan says what Newton's method takes on rows of a cache, by the model of docs/scaling.md.
func infoPlan(a *console.App, cmd *cli.Command, args []string, text string) error {
	if len(args) == 0 || args[0] == "-" {
		return console.Usagef("--plan needs a cache in a file: name one, as 'lanes convert' makes it")
	}
	if err := console.RefuseOthers(cmd, "a run without --plan", "plan"); err != nil {
		return err
	}
	j, err := parseJob(text)
	if err != nil {
		return err
	}
	j.cores = cmp.Or(j.cores, a.Workers, runtime.GOMAXPROCS(0))
	path := args[0]
	data, err := input.Open(path)
	if err != nil {
		return err
	}
	defer data.Stream.Close()
	s := data.Stream
	if s.NNZ() == 0 {
		return console.BadData(fmt.Errorf("%s: the rows have no entries: there is nothing to plan", path))
	}
	costs, decoding, measured, err := planCosts(s)
	if err != nil {
		return console.BadData(console.FileTrouble(err, path))
	}
	p := &erm.Streamed{Problem: erm.Problem{Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1}, Intercept: data.Encoder != nil}, Rows: s, Labels: new(sparse.LabelMap)}
	if p.Intercept {
		p.Rows = s.WithBias(1)
	}
	count := p.Shards()
	var lines []planLine
	for machines, most := 1, min(j.machines, count); len(lines) == 0 || lines[len(lines)-1].Machines < most; machines = min(2*machines, most) {
		line, err := j.line(p, machines, costs, decoding)
		if err != nil {
			return console.BadData(err)
		}
		lines = append(lines, line)
	}
	withErrors, tooMany := inference.Needs(&inference.Problem{Problem: p.Problem, Rows: &solvers.Rows{Stream: p.Rows, Labels: p.Labels}}, inference.Options{})
	if a.JSON {
		var errorsTake any = withErrors
		if tooMany != nil {
			errorsTake = nil // there is no such memory
		}
		return a.PrintJSON(map[string]any{
			"inference_memory": errorsTake, "data": data.Name, "n": s.Rows(), "d": s.Cols(), "nnz": s.NNZ(), "shards": count, "memory": j.memory, "cores": j.cores,
			"nanoseconds_an_entry": 1e9 * costs.Entry, "nanoseconds_to_decode_an_entry": 1e9 * decoding, "entries_measured": measured, "plan": lines,
		})
	}
	out := console.NewText()
	out.Row("data", "%s", data.Name)
	out.Row("rows x columns", "%d x %d, %d non-zeros", s.Rows(), s.Cols(), s.NNZ())
	out.Row("shards", "%d: at most so many machines share the rows", count)
	out.Row("measured here", "%.2f ns a non-zero in a pass, %.2f ns to decode it, on one core, from %d of them", 1e9*costs.Entry, 1e9*decoding, measured)
	out.Row("assumed", "%d cores a machine, each behind the first adds %.2g of one; a network of 10 Gb/s and 30 us", j.cores, coreShare)
	fmt.Fprintln(out)
	out.Right()
	fmt.Fprintln(out, "machines\tleast memory\tto read once\tkept in "+memory.Text(j.memory)+"\tseconds a pass\tof it network\t")
	for _, l := range lines {
		if !l.Fits {
			fmt.Fprintf(out, "%d\t%s\t%s\trefused\t\t\t\n", l.Machines, memory.Text(l.Least), memory.Text(l.Whole))
			continue
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t%.0f %%\t%.3g\t%.2g\t\n", l.Machines, memory.Text(l.Least), memory.Text(l.Whole), 100*l.Kept, l.Pass, l.Moving)
	}
	out.Left()
	fmt.Fprintf(out, "\nThe plan is for newton, the solver of several machines, and for a file in the page cache or on a disk as fast.\n")
	fmt.Fprintf(out, "Memory is that of --memory, for each machine. A fit takes some 20 passes, of hashed clicks some 100.\n")
	if tooMany != nil {
		fmt.Fprintf(out, "Errors of weights (--inference): %v.\n", strings.TrimPrefix(tooMany.Error(), "inference: "))
	} else {
		fmt.Fprintf(out, "Errors of weights (--inference) take %s at least on one machine; groups of rows add to that.\n", memory.Text(withErrors))
	}
	return a.PrintText(out)
}

// line is the plan for a number of machines.
func (j *job) line(p *erm.Streamed, machines int, c shards.Costs, decoding float64) (planLine, error) {
	least, whole, err := p.Needs(machines, j.cores)
	if err != nil {
		return planLine{}, err
	}
	l := planLine{Machines: machines, Least: least, Whole: whole, Fits: j.memory >= least}
	if !l.Fits {
		return l, nil
	}
	l.Kept = min(1, float64(j.memory-least)/float64(max(whole-least, 1)))
	c.Entry += float64(decoding * (1 - l.Kept))
	computing, vectors, moving := c.Pass(float64(p.Rows.NNZ()), float64(p.Rows.Cols()), float64(p.Shards()), float64(machines), 1+float64(coreShare*float64(j.cores-1)))
	l.Pass, l.Moving = computing+vectors+moving, moving
	return l, nil
}

// planCosts measures passes over the first rows, and the decoding of these.
func planCosts(s *sparse.Stream) (c shards.Costs, decoding float64, entries int64, err error) {
	c = planned
	var groups []*sparse.StreamGroup
	for k := 0; k < s.Groups() && entries < leastPlanned; k++ {
		g := new(sparse.StreamGroup)
		if err := s.Load(g, k); err != nil {
			return c, 0, 0, err
		}
		groups, entries = append(groups, g), entries+g.Rows().NNZ()
	}
	pool := sparse.NewPool(1)
	defer pool.Close()
	w, sum := make([]float64, s.Cols()), make([]float64, s.Cols())
	for j := range w { // pages of memory that nobody has written are all one page
		w[j] = 1
	}
	pass := func() error {
		for _, g := range groups {
			x := g.Rows()
			z := make([]float64, x.Rows())
			if err := x.MulVec(pool, z, w[:x.Cols()]); err != nil {
				return err
			}
			if err := x.AddTrans(pool, sum[:x.Cols()], z); err != nil {
				return err
			}
		}
		return nil
	}
	others := make([]float64, cached)
	c.Entry, err = median(entries, others, pass)
	if err != nil {
		return c, 0, 0, err
	}
	decoding, err = median(entries, others, func() error {
		for k, g := range groups {
			if err := s.Load(g, k); err != nil {
				return err
			}
		}
		return nil
	})
	return c, decoding, entries, err
}

// median returns the median seconds of f for each of so many entries. Each run of f finds other data in the
// caches.
func median(entries int64, others []float64, f func() error) (float64, error) {
	var times []float64
	for range plannedRuns {
		for i := range others {
			others[i]++
		}
		from := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		times = append(times, time.Since(from).Seconds())
	}
	slices.Sort(times)
	return times[len(times)/2] / float64(entries), nil
}
