package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// narrow is the width that a line of progress never passes: it fits any terminal.
const narrow = 79

// display shows a line again and again: rewritten on a terminal, as plain lines at
// growing distances elsewhere.
type display struct {
	app      *app
	terminal bool
	line     func(width int) string
	start    time.Time
	done     chan struct{}
	stopped  sync.WaitGroup
}

// show begins to show what line returns, which has to be at most as wide as it is
// told; quiet shows nothing. line is called from another goroutine.
func (a *app) show(line func(width int) string) *display {
	d := &display{app: a, terminal: isTerminal(a.err), line: line, start: time.Now(), done: make(chan struct{})}
	if !a.quiet {
		d.stopped.Go(d.run)
	}
	return d
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

func (d *display) run() {
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
				d.app.rewrite(d.line(columns(d.app.err)))
			// Plain lines come at growing distances: the tenth part of the time so far.
			case now.Sub(printed) >= max(5*time.Second, now.Sub(d.start)/10):
				printed = now
				d.app.tell("lanes: " + d.line(narrow-len("lanes: ")))
			}
		}
	}
}

// stop ends the showing.
func (d *display) stop() {
	close(d.done)
	d.stopped.Wait()
	if d.terminal {
		d.app.rewrite("")
	}
}

// columns is the room on a line of the terminal.
func columns(w io.Writer) int {
	if file, ok := w.(*os.File); ok {
		if wide, _, err := term.GetSize(int(file.Fd())); err == nil && wide > 1 {
			return min(wide-1, narrow)
		}
	}
	return narrow
}

// tell writes a line to stderr, in place of a line of progress.
func (a *app) tell(line string) {
	a.telling.Lock()
	defer a.telling.Unlock()
	if a.shown > 0 {
		fmt.Fprintf(a.err, "\r%*s\r", a.shown, "")
		a.shown = 0
	}
	fmt.Fprintln(a.err, line)
}

// rewrite replaces the line of progress.
func (a *app) rewrite(line string) {
	a.telling.Lock()
	defer a.telling.Unlock()
	if line == "" && a.shown == 0 {
		return
	}
	fmt.Fprintf(a.err, "\r%-*s", a.shown, line)
	if line == "" {
		fmt.Fprint(a.err, "\r")
	}
	a.shown = len(line)
}

// part is a piece of a line of progress. Where room is short, those of the highest
// ranks are left out.
type part struct {
	rank int
	text string
}

// fitted joins the parts that a width has room for.
func fitted(width int, parts []part) string {
	highest := 0
	for _, p := range parts {
		highest = max(highest, p.rank)
	}
	for ; ; highest-- {
		var kept []string
		for _, p := range parts {
			if p.rank <= highest && p.text != "" {
				kept = append(kept, p.text)
			}
		}
		if text := strings.Join(kept, ", "); len(text) <= width || highest == 0 {
			return text[:min(len(text), max(width, 0))]
		}
	}
}

// remaining is a part that tells the time left.
func remaining(rank int, left float64) part {
	if !(left > 0) || left > float64(1000*time.Hour) {
		return part{}
	}
	return part{rank, short(time.Duration(left)) + " left"}
}

func short(d time.Duration) string {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// loading is how far the reading of a file is.
type loading struct {
	name        string
	total       int64 // bytes of the file, 0 where unknown
	start       time.Time
	bytes, rows atomic.Int64
}

func newLoading(path string) *loading {
	l := &loading{name: filepath.Base(path), start: time.Now()}
	if path == "-" {
		l.name = "standard input"
	} else if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		l.total = info.Size()
	}
	if len(l.name) > 24 {
		l.name = l.name[:21] + "..."
	}
	l.name = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) && c != utf8.RuneError {
			return c
		}
		return -1
	}, l.name)
	return l
}

// record is told by the reader.
func (l *loading) record(bytes, rows int64) {
	l.bytes.Store(bytes)
	l.rows.Store(rows)
}

func (l *loading) line(width int) string {
	elapsed := time.Since(l.start)
	bytes, rows := l.bytes.Load(), l.rows.Load()
	size := megabytes(bytes)
	left := math.Inf(1)
	if l.total > 0 {
		size = fmt.Sprintf("%s of %s", size, megabytes(l.total))
		if bytes > 0 {
			left = float64(elapsed) * (float64(l.total)/float64(bytes) - 1)
		}
	}
	parts := []part{{0, "reading " + l.name}, {1, size}, {3, fmt.Sprintf("%d rows", rows)}}
	if bytes > 0 {
		parts = append(parts, part{4, megabytes(int64(float64(bytes)/elapsed.Seconds())) + "/s"})
	}
	return fitted(width, append(parts, part{5, short(elapsed)}, remaining(2, left)))
}

func megabytes(v int64) string { return fmt.Sprintf("%.1f MB", float64(v)/1e6) }
