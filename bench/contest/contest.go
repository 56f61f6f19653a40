// Package contest times several ways of doing the same work in turn, in one
// process, by the processor's time, so that a busy machine disturbs all of them alike
// and little.
package contest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Contender is one way of doing the work. Run does it once.
type Contender struct {
	Name string
	Run  func()
}

// Result is what one contender needed. Nanoseconds and Ratio are medians over
// the rounds; Ratio is this contender's time over the first contender's in the
// same round, and Low and High are its quartiles.
type Result struct {
	Name             string
	Nanoseconds      float64
	Ratio, Low, High float64
}

// Rounds and Slice set the length of a contest: every round gives every
// contender one time slice.
var (
	Rounds = 15
	Slice  = 15 * time.Millisecond
)

// Run times the contenders, the first one being what the others are compared
// with.
func Run(contenders ...Contender) []Result {
	repeats := make([]int, len(contenders))
	for i, c := range contenders {
		c.Run()
		repeats[i] = repeatsFor(c.Run)
	}
	times := make([][]float64, len(contenders))
	ratios := make([][]float64, len(contenders))
	for range Rounds {
		var first float64
		for i, c := range contenders {
			start := Seconds()
			for range repeats[i] {
				c.Run()
			}
			t := 1e9 * (Seconds() - start) / float64(repeats[i])
			if i == 0 {
				first = t
			}
			times[i] = append(times[i], t)
			ratios[i] = append(ratios[i], t/first)
		}
	}
	results := make([]Result, len(contenders))
	for i, c := range contenders {
		results[i] = Result{
			Name:        c.Name,
			Nanoseconds: quantile(times[i], 0.5),
			Ratio:       quantile(ratios[i], 0.5),
			Low:         quantile(ratios[i], 0.25),
			High:        quantile(ratios[i], 0.75),
		}
	}
	return results
}

// repeatsFor returns how many calls fill the slice.
func repeatsFor(run func()) int {
	for n := 1; ; n *= 4 {
		start := Seconds()
		for range n {
			run()
		}
		if took := Seconds() - start; took > Slice.Seconds()/8 {
			return max(1, int(float64(n)*Slice.Seconds()/took))
		}
	}
}

// Median returns the middle element, the upper one of two.
func Median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

func quantile(x []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[int(q*float64(len(s)-1)+0.5)]
}

// Table writes results as a Markdown table, one contest a row: the first
// contender's time per unit of work and how many times longer each other took.
// Where Before knows other results, that of the first contender in the same row of
// the table of that title is the last column.
type Table struct {
	w     io.Writer
	title string
	names []string
}

// Before is what an earlier program took; nil where none is compared.
var Before Earlier

// NewTable starts a table whose columns are the named contenders; a contest may
// leave some out.
func NewTable(w io.Writer, title, unit string, names ...string) *Table {
	last, line := "", ""
	if Before != nil {
		last, line = " before, ns / now |", "---|"
	}
	fmt.Fprintf(w, "\n%s\n\n| | %s, ns %s | %s |%s\n|---%s|%s\n", title, names[0], unit,
		strings.Join(names[1:], " / "+names[0]+" | ")+" / "+names[0], last, strings.Repeat("|---", len(names)), line)
	return &Table{w: w, title: title, names: names}
}

// Row writes the results of one contest, which did so many units of work a run.
func (t *Table) Row(label string, units int, results []Result) {
	cells := make([]string, len(t.names))
	last := ""
	if Before != nil {
		last = " - |"
	}
	for i, name := range t.names {
		cells[i] = "-"
		for _, r := range results {
			switch {
			case r.Name != name:
			case i == 0:
				now := r.Nanoseconds / float64(units)
				cells[i] = fmt.Sprintf("%.3f", now)
				if before, ok := Before[row{t.title, label}]; ok {
					last = fmt.Sprintf(" %.3f / **%.2f** |", before, before/now)
				}
			default:
				cells[i] = fmt.Sprintf("**%.2f** (%.2f-%.2f)", r.Ratio, r.Low, r.High)
			}
		}
	}
	fmt.Fprintf(t.w, "| %s | %s |%s\n", label, strings.Join(cells, " | "), last)
}

// Earlier are times of first contenders.
type Earlier map[row]float64

type row struct{ title, label string }

// ReadEarlier reads tables that a program wrote by Table; other lines count as titles.
func ReadEarlier(r io.Reader) (Earlier, error) {
	times, title := Earlier{}, ""
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "|")
		if len(cells) < 3 {
			if text := strings.TrimSpace(lines.Text()); text != "" {
				title = text
			}
			continue
		}
		label := strings.TrimSpace(cells[1])
		if v, err := strconv.ParseFloat(strings.TrimSpace(cells[2]), 64); err == nil && label != "" {
			times[row{title, label}] = v
		}
	}
	return times, lines.Err()
}

// Each runs f for 0 to n-1, two at a time. It is for results, not for timings.
func Each(n int, f func(k int)) {
	var group sync.WaitGroup
	limit := make(chan struct{}, 2)
	for k := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			limit <- struct{}{}
			f(k)
			<-limit
		}()
	}
	group.Wait()
}

// PerIteration returns the seconds of an iteration: the difference between a run and
// one of 8 iterations, which leaves out their preparations and evaluations, over
// the iterations between them. The run is as long as makes that a fifth of a
// second or more, and more than the run of 8 took.
func PerIteration(run func(iterations int) error) (float64, error) {
	timed := func(n int) (float64, error) {
		begun := time.Now()
		err := run(n)
		return time.Since(begun).Seconds(), err
	}
	const short, most = 8, 1 << 20
	base, err := timed(short)
	for n := 64; err == nil; n *= 4 {
		var t float64
		if t, err = timed(n); t-base > max(0.2, base) || n >= most {
			return max(t-base, 1e-9) / float64(n-short), err
		}
	}
	return 0, err
}

// Process runs a command and returns the seconds it took, and those of its threads.
func Process(command *exec.Cmd) (elapsed, busy float64, err error) {
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	start := time.Now()
	if err := command.Run(); err != nil {
		return 0, 0, fmt.Errorf("%v: %w: %s", command.Args, err, said.Bytes())
	}
	elapsed = time.Since(start).Seconds()
	return elapsed, (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds(), nil
}

// Python is a command of one thread, which complains where this program does.
func Python(python string, args ...string) *exec.Cmd {
	command := exec.Command(python, args...)
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	command.Stderr = os.Stderr
	return command
}
