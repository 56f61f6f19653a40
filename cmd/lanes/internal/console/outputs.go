package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/lanes-go/lanes/internal/base/aside"
)

// Outputs are the files that a command was asked to write, by flag; "output" is
// one that an argument names.
type Outputs map[string]string

var outputFlags = []string{"model", "checkpoint", "trace", "plot", "html", "receipt", "coefficients", "out", "output"}

// Files returns the named files by flag, without the checkpoint that a run resumes from.
func (o Outputs) Files() map[string]string {
	files := map[string]string{}
	for _, flag := range outputFlags {
		if o[flag] != "" {
			files[flag] = o[flag]
		}
	}
	return files
}

// Check finds before a long run what would fail at its end. No output may replace an input or
// another output. An input "-" is stdin. The checkpoint may be the file that "resumed" names.
func (o Outputs) Check(stdin io.Reader, inputs ...string) error {
	var before []string // flags of the outputs checked so far
	for _, flag := range outputFlags {
		path := o[flag]
		if path == "" {
			continue
		}
		said := "--" + flag + " " + path
		if flag == "output" {
			said = path
		}
		for _, other := range before {
			if SameFile(path, o[other]) {
				return Usagef("--%s and --%s both name %s", other, flag, path)
			}
		}
		before = append(before, flag)
		if flag != "checkpoint" || !SameFile(path, o["resumed"]) {
			for _, input := range inputs {
				if input == "-" && isFile(stdin, path) || input != "-" && SameFile(path, input) {
					return Usagef("%s would replace the data that are read", said)
				}
			}
		}
		if flag == "plot" {
			if extension := strings.ToLower(filepath.Ext(path)); extension != ".png" && extension != ".svg" {
				return BadFlag("plot", path, "the name must end in .png or .svg")
			}
		}
		if flag == "checkpoint" {
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
				return BadFlag("checkpoint", path, "it is not a regular file; name one that can be replaced")
			}
		}
		if err := aside.Check(path); err != nil {
			return fmt.Errorf("%s cannot be written: %w", said, WriteTrouble(err))
		}
	}
	return nil
}

// SameFile tells whether two names are of one file, by whatever links, or will be when
// it is there. Devices and pipes are written to, not replaced: they are never the same.
func SameFile(a, b string) bool {
	first, err1 := os.Stat(a)
	second, err2 := os.Stat(b)
	if err1 == nil && err2 == nil {
		return first.Mode().IsRegular() && os.SameFile(first, second)
	}
	return err1 != nil && err2 != nil && a != "" && b != "" && resolved(a) == resolved(b)
}

// resolved is the path of a file that may not be there yet, with links followed.
func resolved(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	if target, err := aside.Target(path); err == nil {
		path = target
	}
	return path
}

// isFile tells whether r reads the file at path.
func isFile(r io.Reader, path string) bool {
	file, is := r.(*os.File)
	if !is {
		return false
	}
	first, err := file.Stat()
	if err != nil {
		return false
	}
	second, err := os.Stat(path)
	return err == nil && first.Mode().IsRegular() && os.SameFile(first, second)
}

// Write makes a file whose name holds the whole new content or still the old one.
func (a *App) Write(what, path string, fill func(io.Writer) error) error {
	if err := aside.Write(path, fill); err != nil {
		return Unwritten(what, path, err)
	}
	a.Note("%s written to %s", what, path)
	return nil
}

// Unwritten says why a file was not written. Errors of other files, which were read meanwhile, name
// them.
func Unwritten(what, path string, err error) error {
	if failed := (*fs.PathError)(nil); !errors.As(err, &failed) || failed.Path == path || errors.Is(err, syscall.ENOSPC) {
		err = WriteTrouble(err)
	}
	return fmt.Errorf("the %s was not written to %s: %w", what, path, err)
}
