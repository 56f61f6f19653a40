// Package console is what all commands share: the streams, messages and the line of
// progress, JSON, exit statuses, and the files that are written.
package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/notes"
)

// App holds the streams and what is common to all commands.
type App struct {
	In       io.Reader
	Out, Err io.Writer
	JSON     bool
	Quiet    bool
	Full     bool // tables are printed whole
	Strict   bool // what is not used, or can be read in two ways, is an error
	Seed     uint64
	Workers  int
	// Ranks are the processes that the command runs on, nil for this one alone.
	Ranks   Ranks
	printed bool // a JSON object went out
	Start   time.Time
	Args    []string // of the command line, after the program's name
	Points  int      // of a run that its outputs need, at most

	notes     notes.List
	temporary []string // directories
	ending    sync.Mutex

	telling sync.Mutex // held by who writes to err
	shown   int        // width of the line of progress on the terminal
}

// Temporary makes a directory for files that are removed when the command ends, however it does:
// by its return, or interrupted.
func (a *App) Temporary() (path string, err error) {
	a.ending.Lock()
	defer a.ending.Unlock()
	if path, err = os.MkdirTemp("", "lanes-"); err == nil {
		a.temporary = append(a.temporary, path)
	}
	return path, err
}

// End removes temporary files.
func (a *App) End() {
	a.ending.Lock()
	defer a.ending.Unlock()
	for _, path := range a.temporary {
		for range 10 { // files may be made meanwhile
			if os.RemoveAll(path) == nil {
				break
			}
		}
	}
	a.temporary = nil
}

// Note tells people something on stderr.
func (a *App) Note(format string, args ...any) {
	if !a.Quiet {
		a.tell(fmt.Sprintf("lanes: "+format, args...))
	}
}

// Warn tells people on stderr what went wrong without ending the command, also where they
// asked for quiet.
func (a *App) Warn(err error) { a.tell(fmt.Sprintf("lanes: warning: %v", err)) }

// Fail says what went wrong, to people and, with --json, to programs.
func (a *App) Fail(err error, status int) {
	text := ofCommand(err.Error())
	if memory.IsShort(err) {
		text += "; give the process more memory, or make a cache by 'lanes convert' and stream it by --memory"
	}
	a.tell("lanes: " + text)
	if a.JSON && !a.printed {
		object := map[string]any{"status": "error", "error": text, "exit_status": status}
		var flag *flagError
		if errors.As(err, &flag) {
			object["flag"], object["value"], object["expected"] = flag.flag, flag.value, flag.expected
		}
		a.PrintJSON(object)
	}
}

// PrintJSON writes the one object of --json, with the notes.
func (a *App) PrintJSON(object any) error {
	a.printed = true
	text, err := json.MarshalIndent(object, "", "  ")
	if err == nil {
		text, err = a.withNotes(text)
	}
	if err != nil {
		return err
	}
	return a.Print("%s\n", text)
}

// PrintDocument writes an object that is read again, as it is: without notes.
func (a *App) PrintDocument(object any) error {
	a.printed = true
	text, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		return err
	}
	return a.Print("%s\n", text)
}

// Print writes a part of the result to standard output.
func (a *App) Print(format string, args ...any) error {
	_, err := io.WriteString(a.Output(), Printable(fmt.Sprintf(format, args...), paragraphs))
	return err
}

// Output is standard output, whose errors say so.
func (a *App) Output() io.Writer { return output{a.Out} }

type output struct{ to io.Writer }

func (o output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if err != nil {
		err = fmt.Errorf("standard output cannot be written: %w", WriteTrouble(err))
	}
	return n, err
}

// Finite is null in JSON where there is no finite number.
func Finite(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}
