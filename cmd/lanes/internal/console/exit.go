package console

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/sparse"
)

// The exit statuses that scripts can rely on.
const (
	ExitDone  = 0
	exitRun   = 1 // a run that failed or did not finish
	ExitUsage = 2
	exitData  = 3
)

// usageError says that the command line was wrong, dataError that something that
// was read was.
type (
	usageError struct{ error }
	dataError  struct{ error }
)

func (e usageError) Unwrap() error { return e.error }
func (e dataError) Unwrap() error  { return e.error }

// BadUsage marks an error as one of the command line.
func BadUsage(err error) error { return usageError{err} }

// Usagef makes an error of the command line.
func Usagef(format string, args ...any) error { return BadUsage(fmt.Errorf(format, args...)) }

// BadData marks an error as one of something that was read.
func BadData(err error) error { return dataError{err} }

// ExitStatus is the status that an error ends the command with.
func ExitStatus(err error) int {
	var usage usageError
	var data dataError
	var format *sparse.FormatError
	switch {
	case err == nil:
		return ExitDone
	case memory.IsShort(err):
		return exitRun
	case errors.As(err, &usage):
		return ExitUsage
	case errors.As(err, &data) || errors.As(err, &format):
		return exitData
	}
	return exitRun
}

// Bare drops the name that the system gives a failed file operation, for
// messages that name the file themselves.
func Bare(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// FileTrouble puts the failure to open a file in a person's words.
func FileTrouble(err error, path string) error {
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		path = failed.Path // it may be another file
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to read it", path)
	}
	return err
}

// WriteTrouble puts the failure to write a file in a person's words.
func WriteTrouble(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return errors.New("no space is left on the device")
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("its directory does not exist")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("no permission")
	}
	return Bare(err)
}

// packages are those whose names stand before their errors.
var packages = []string{"lanes: ", "solvers: ", "erm: ", "sdca: ", "ap: ", "pauc: ", "score: ", "related: ", "model: ", "table: ", "sparse: ", "metrics: ", "compositional: ", "returns: "}

// goNames finds the fields of Go structs that stand beside flags in messages: (Options.Quotes), and
// (ReadOptions.Labels / --labels FILE), of which the flag stays.
var goNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` \((?:\w*Options|Wanted|Settings|Search|Meta|Card)\.\w+(?: / (--[^)]*))?\)`)
})

// ofCommand returns a message without names of Go.
func ofCommand(text string) string {
	return goNames().ReplaceAllStringFunc(text, func(found string) string {
		if flag := goNames().FindStringSubmatch(found)[1]; flag != "" {
			return " (" + flag + ")"
		}
		return ""
	})
}

// Plain drops the names of the packages that an error comes from.
func Plain(err error) error {
	text := err.Error()
	for again := true; again; {
		again = false
		for _, name := range packages {
			var found bool
			text, found = strings.CutPrefix(text, name)
			again = again || found
		}
	}
	if text == err.Error() {
		return err
	}
	return &plainError{text, err}
}

// plainError is an error without the names of packages.
type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.err }
