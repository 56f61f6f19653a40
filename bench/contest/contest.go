// Package contest times several ways of doing the same work in turn, in one process, by processor
// time. So other programs affect all ways equally and little.
package contest

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// Contender is one way of doing the work. Run does it once, Repeat a given number of times.
type Contender struct {
	Name   string
	Run    func()
	Repeat func(times int) // a loop of its own, for work that takes no longer than a call of Run
}

// Result is what one contender needed. Nanoseconds is the least of the rounds. Ratio is the
// median over the rounds of this contender's time over the first contender's in the same round.
// Low and High are the quartiles of this ratio.
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
	runs, repeats := make([]func(times int), len(contenders)), make([]int, len(contenders))
	for i, c := range contenders {
		if runs[i] = c.Repeat; runs[i] == nil {
			runs[i] = func(times int) {
				for range times {
					c.Run()
				}
			}
		}
		repeats[i] = repeatsFor(runs[i])
	}
	times := make([][]float64, len(contenders))
	ratios := make([][]float64, len(contenders))
	for range Rounds {
		for i, run := range runs {
			t := 1e9 * took(run, repeats[i]) / float64(repeats[i])
			times[i] = append(times[i], t)
			ratios[i] = append(ratios[i], t/times[0][len(times[0])-1])
		}
	}
	results := make([]Result, len(contenders))
	for i, c := range contenders {
		results[i] = Result{c.Name, slices.Min(times[i]), quantile(ratios[i], 0.5), quantile(ratios[i], 0.25), quantile(ratios[i], 0.75)}
	}
	return results
}

func took(run func(times int), times int) float64 {
	begun := Seconds()
	run(times)
	return Seconds() - begun
}

// repeatsFor returns how many calls fill the slice.
func repeatsFor(run func(times int)) int {
	run(1)
	for n := 1; ; n *= 4 {
		least := took(run, n)
		if least < Slice.Seconds() { // others use the machine too
			least = min(least, took(run, n), took(run, n))
		}
		if least > Slice.Seconds()/8 {
			return max(1, int(float64(n)*Slice.Seconds()/least))
		}
	}
}

// Median returns the middle element, the upper one of two.
func Median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

func quantile(x []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[int(q*float64(len(s)-1)+0.5)]
}

// Process runs a command and returns its seconds by the clock and by the processor. The text of
// the command is in the error, unless its standard output goes elsewhere.
func Process(command *exec.Cmd) (elapsed, busy float64, err error) {
	var said bytes.Buffer
	if command.Stderr = &said; command.Stdout == nil {
		command.Stdout = &said
	}
	forget()
	start := time.Now()
	if err := command.Run(); err != nil {
		return 0, 0, fmt.Errorf("%v: %w: %s", command.Args, err, said.Bytes())
	}
	elapsed = time.Since(start).Seconds()
	return elapsed, (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds(), nil
}
