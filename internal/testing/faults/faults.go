// Package faults runs the command lanes while calls of the system fail, or files change, and judges
// what the command leaves behind.
//
// A run is one command line on small files. A process of its own executes it. By a filter of
// seccomp the parent stops every call of the system that reads or writes one of the run's files. It
// then decides about the call. Undisturbed runs give the list of these calls, and what the outputs
// are. A case is a run with one fault: call k fails, is cut short, or finds the file changed; or no
// file may be longer than some bytes.
package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Call is a call of the system on one of a run's files.
type Call struct {
	Name string // of the call: read, write, openat, ...
	Path string // relative to the folder of the run
}

func (c Call) String() string { return c.Name + " " + c.Path }

// writes tells whether the call changes a file.
func (c Call) writes() bool {
	switch c.Name {
	case "write", "pwrite64", "fsync", "ftruncate", "fchmod", "fchown", "rename":
		return true
	}
	return false
}

// subject is the name that a message about the call has to hold.
func (c Call) subject() string {
	if c.Path == stdout {
		return "standard output"
	}
	return unfinished.ReplaceAllString(filepath.Base(c.Path), "")
}

// spills tells whether the file holds what is on the way to an output. It has no name for people.
func (c Call) spills() bool { return strings.HasPrefix(filepath.Base(c.Path), ".lanes-") }

// unfinished ends the name of a file that is written beside another.
var unfinished = regexp.MustCompile(`\.[0-9]+-[0-9]+\.tmp$`)

// Kind is what happens at a call.
type Kind string

const (
	None     Kind = ""
	IO       Kind = "EIO"               // the call fails once
	Denied   Kind = "EACCES"            // the same
	Full     Kind = "ENOSPC"            // the same
	Stays    Kind = "ENOSPC from there" // so do all later calls that write
	Again    Kind = "EINTR"             // the call is to be repeated
	Short    Kind = "short"             // half of the bytes are read or written
	Halved   Kind = "halved"            // the file loses its second half before the call
	Emptied  Kind = "emptied"           // the file loses all bytes
	Grown    Kind = "grown"             // the file gets further rows
	Changed  Kind = "changed"           // other rows are written to the file
	Dated    Kind = "changed, date kept"
	Replaced Kind = "replaced" // another file gets the name
	Removed  Kind = "removed"
	Limited  Kind = "limit" // no file may be longer than Fault.At bytes
)

// changes are the kinds that change a file.
var changes = []Kind{Halved, Emptied, Grown, Changed, Dated, Replaced, Removed}

// Fault is a fault at call At of a run, or a limit of At bytes.
type Fault struct {
	Kind Kind
	At   int
}

// Case is a run with a fault. Old tells whether the outputs are there before.
type Case struct {
	Run   *Run
	Fault Fault
	Old   bool
}

func (c Case) String() string {
	before := ""
	if c.Old {
		before = ", outputs are there"
	}
	if c.Fault.Kind == Limited {
		return fmt.Sprintf("%s, files of at most %d bytes%s", c.Run.Name, c.Fault.At, before)
	}
	return fmt.Sprintf("%s, call %d: %s%s", c.Run.Name, c.Fault.At, c.Fault.Kind, before)
}

// outcome is what a run has left.
type outcome struct {
	status         int // -1 after a signal
	stdout, stderr string
	hung           bool
	files          map[string]file // of the folder of outputs, by name
	calls          []Call          // of the run, in their order
	hit            []Call          // those at which something happened
}

type file struct {
	content string
	mode    os.FileMode
}
