package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// narrow is the width that a line of progress never passes: it fits any terminal.
const narrow = 79

// Display shows a line again and again: rewritten on a terminal, as plain lines at
// growing distances elsewhere.
type Display struct {
	app      *App
	terminal bool
	line     func(width int) string
	start    time.Time
	done     chan struct{}
	stopped  sync.WaitGroup
}

// Show begins to show the result of line, which must be at most width characters wide; quiet
// shows nothing. line is called from another goroutine.
func (a *App) Show(line func(width int) string) *Display { return a.show(line, a.Quiet) }

// ShowBeside is Show while results are printed: on a terminal, which shows those, it shows
// nothing.
func (a *App) ShowBeside(line func(width int) string) *Display {
	return a.show(line, a.Quiet || isTerminal(a.Out))
}

func (a *App) show(line func(width int) string, quiet bool) *Display {
	d := &Display{app: a, terminal: isTerminal(a.Err), line: line, start: time.Now(), done: make(chan struct{})}
	if !quiet {
		d.stopped.Go(d.run)
	}
	return d
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

func (d *Display) run() {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	printed := d.start
	for {
		select {
		case <-d.done:
			return
		case now := <-ticker.C:
			switch {
			case d.terminal:
				d.app.rewrite(d.line(columns(d.app.Err)))
			// Plain lines come at growing distances: the tenth part of the time so far.
			case now.Sub(printed) >= max(5*time.Second, now.Sub(d.start)/10):
				printed = now
				d.app.tell("lanes: " + d.line(narrow-len("lanes: ")))
			}
		}
	}
}

// Stop ends the showing.
func (d *Display) Stop() {
	close(d.done)
	d.stopped.Wait()
	if d.terminal {
		d.app.rewrite("")
	}
}

// columns returns the number of characters of a line of the terminal.
func columns(w io.Writer) int {
	if file, ok := w.(*os.File); ok {
		if wide, _, err := term.GetSize(int(file.Fd())); err == nil && wide > 1 {
			return min(wide-1, narrow)
		}
	}
	return narrow
}

// tell writes a message to stderr, in place of a line of progress. Lines after its first
// one are indented: none of them is a message of its own.
func (a *App) tell(message string) {
	message = strings.ReplaceAll(Printable(message, paragraphs), "\n", "\n  ")
	a.telling.Lock()
	defer a.telling.Unlock()
	if a.shown > 0 {
		fmt.Fprintf(a.Err, "\r%*s\r", a.shown, "")
		a.shown = 0
	}
	fmt.Fprintln(a.Err, message)
}

// rewrite replaces the line of progress.
func (a *App) rewrite(line string) {
	line = Printable(line, "")
	a.telling.Lock()
	defer a.telling.Unlock()
	if line == "" && a.shown == 0 {
		return
	}
	fmt.Fprintf(a.Err, "\r%-*s", a.shown, line)
	if line == "" {
		fmt.Fprint(a.Err, "\r")
	}
	a.shown = len(line)
}

// Phrase is a phrase of a line of progress, such as "12 s left". A narrow terminal drops the
// phrases of the lowest priority: the largest numbers.
type Phrase struct {
	priority int
	Text     string
}

// NewPhrase returns a phrase with its priority; 0 is the highest.
func NewPhrase(priority int, text string) Phrase { return Phrase{priority, text} }

// Fitted joins phrases by commas. It drops phrases of low priority until the line fits width.
func Fitted(width int, phrases []Phrase) string {
	lowest := 0
	for _, p := range phrases {
		lowest = max(lowest, p.priority)
	}
	for ; ; lowest-- {
		var kept []string
		for _, p := range phrases {
			if p.priority <= lowest && p.Text != "" {
				kept = append(kept, p.Text)
			}
		}
		if text := strings.Join(kept, ", "); len(text) <= width || lowest == 0 {
			return strings.ToValidUTF8(text[:min(len(text), max(width, 0))], "")
		}
	}
}

// Remaining returns the phrase of the time left, in nanoseconds; none above 1000 hours.
func Remaining(priority int, left float64) Phrase {
	if !(left > 0) || left > float64(1000*time.Hour) {
		return Phrase{}
	}
	return NewPhrase(priority, Short(time.Duration(left))+" left")
}

// AtMost is Remaining for a run that may end earlier.
func AtMost(priority int, left float64) Phrase {
	p := Remaining(priority, left)
	if p.Text != "" {
		p.Text = "at most " + p.Text
	}
	return p
}

// Short writes a time for people.
func Short(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// Suffixed appends text to a phrase that is not empty.
func Suffixed(p Phrase, text string) Phrase {
	if p.Text != "" {
		p.Text += text
	}
	return p
}
