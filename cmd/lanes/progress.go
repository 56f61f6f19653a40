package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/lanes-go/lanes/solvers"
)

// progress records a run and shows where it stands: one line that is rewritten
// on a terminal, a plain line now and then elsewhere.
type progress struct {
	solvers.Trace
	out      io.Writer
	terminal bool
	limits   solvers.Settings
	label    string

	mu      sync.Mutex
	start   time.Time
	last    solvers.Point
	some    bool
	seen    time.Time // when last came
	printed time.Time
	width   int
	done    chan struct{}
	stopped sync.WaitGroup
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// newProgress starts to watch a run; quiet shows nothing.
func (a *app) newProgress(label string, limits solvers.Settings) *progress {
	p := &progress{out: a.err, limits: limits, label: label, start: time.Now(), printed: time.Now(), done: make(chan struct{})}
	if a.quiet {
		p.out = nil
		return p
	}
	if p.terminal = isTerminal(a.err); p.terminal {
		p.stopped.Go(p.tick)
	}
	return p
}

func (p *progress) tick() {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-p.done:
			return
		case <-ticker.C:
			p.mu.Lock()
			p.rewrite(p.line())
			p.mu.Unlock()
		}
	}
}

// Record keeps a point.
func (p *progress) Record(point solvers.Point) error {
	p.Trace = append(p.Trace, point)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.some, p.seen = point, true, time.Now()
	// Plain lines come at growing distances: the tenth part of the run so far.
	wait := max(5*time.Second, time.Since(p.start)/10)
	if p.out != nil && !p.terminal && time.Since(p.printed) >= wait {
		p.printed = time.Now()
		fmt.Fprintf(p.out, "lanes: %s\n", p.line())
	}
	return nil
}

// stop ends the line.
func (p *progress) stop() {
	if !p.terminal {
		return
	}
	close(p.done)
	p.stopped.Wait()
	p.rewrite("")
	fmt.Fprint(p.out, "\r")
}

func (p *progress) rewrite(line string) {
	if file, ok := p.out.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 1 && len(line) > columns-1 {
			line = line[:columns-1]
		}
	}
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
	p.width = len(line)
}

func (p *progress) line() string {
	elapsed := time.Since(p.start)
	if !p.some {
		return fmt.Sprintf("%s: starting, %s", p.label, short(elapsed))
	}
	text := fmt.Sprintf("%s: %.4g passes, loss %.6g", p.label, p.last.Passes, p.last.Objective)
	if p.last.Gap-p.last.Gap == 0 {
		text += fmt.Sprintf(", gap %.2e", p.last.Gap)
	} else {
		text += fmt.Sprintf(", gradient %.2e", p.last.GradientNorm)
	}
	if p.last.Metric-p.last.Metric == 0 && p.limits.Validation != nil {
		text += fmt.Sprintf(", %s %.5g", p.limits.Validation.Name(), p.last.Metric)
	}
	if p.last.Seconds > 0 {
		text += fmt.Sprintf(", %.3g passes/s", p.last.Passes/p.last.Seconds)
	}
	text += ", " + short(elapsed)
	if left, known := p.left(elapsed); known {
		text += ", at most " + short(left) + " left"
	}
	return text
}

// left is the time to the nearer of the two budgets.
func (p *progress) left(elapsed time.Duration) (time.Duration, bool) {
	left := math.Inf(1)
	if p.limits.MaxTime > 0 {
		left = float64(p.limits.MaxTime - elapsed)
	}
	if p.last.Passes > 0 && p.last.Seconds > 0 {
		perPass := p.last.Seconds / p.last.Passes * float64(time.Second)
		left = min(left, (p.limits.MaxPasses-p.last.Passes)*perPass-float64(time.Since(p.seen)))
	}
	if left > float64(1000*time.Hour) {
		return 0, false
	}
	return time.Duration(max(left, 0)), true
}

func short(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// writeTrace writes the recorded points as CSV; a number that is not there is an
// empty field.
func writeTrace(w io.Writer, points []solvers.Point) error {
	out := bufio.NewWriter(w)
	out.WriteString("passes,gradient_evaluations,seconds,objective,gradient_norm,duality_gap,metric\n")
	number := func(v float64) string {
		if v-v != 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, p := range points {
		fmt.Fprintf(out, "%s,%d,%s,%s,%s,%s,%s\n", number(p.Passes), p.GradientEvaluations, number(p.Seconds),
			number(p.Objective), number(p.GradientNorm), number(p.Gap), number(p.Metric))
	}
	return out.Flush()
}
