package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/lanes-go/lanes/internal/aside"
)

// outputs are the files that a command was asked to write, by flag; "output" is
// one that an argument names.
type outputs map[string]string

// check finds out before a long run what would fail at its end, and that no output
// takes the place of an input, or of another one. An input "-" is stdin. The checkpoint
// may be the file that "resumed" names.
func (o outputs) check(stdin io.Reader, inputs ...string) error {
	var before []string // flags of the outputs that were looked at
	for _, flag := range []string{"model", "checkpoint", "trace", "plot", "html", "receipt", "output"} {
		path := o[flag]
		if path == "" {
			continue
		}
		said := "--" + flag + " " + path
		if flag == "output" {
			said = path
		}
		for _, other := range before {
			if sameFile(path, o[other]) {
				return usagef("--%s and --%s both name %s", other, flag, path)
			}
		}
		before = append(before, flag)
		if flag != "checkpoint" || !sameFile(path, o["resumed"]) {
			for _, input := range inputs {
				if input == "-" && isFile(stdin, path) || input != "-" && sameFile(path, input) {
					return usagef("%s would replace the data that are read", said)
				}
			}
		}
		if flag == "plot" {
			if extension := strings.ToLower(filepath.Ext(path)); extension != ".png" && extension != ".svg" {
				return usagef("--plot %s: the name must end in .png or .svg", path)
			}
		}
		if flag == "checkpoint" {
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
				return usagef("--checkpoint %s is not a regular file; name one that can be replaced", path)
			}
		}
		if err := aside.Check(path); err != nil {
			return fmt.Errorf("%s cannot be written: %w", said, writeTrouble(err))
		}
	}
	return nil
}

// sameFile tells whether two names are of one file, by whatever links, or will be when
// it is there. Devices and pipes are written to, not replaced: they are never the same.
func sameFile(a, b string) bool {
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
	for range 40 { // links that lead nowhere yet, and not in circles
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
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

// write makes a file whose name holds the whole new content or still the old one.
func (a *app) write(what, path string, fill func(io.Writer) error) error {
	if err := aside.Write(path, fill); err != nil {
		return fmt.Errorf("the %s was not written to %s: %w", what, path, writeTrouble(err))
	}
	a.note("%s written to %s", what, path)
	return nil
}

func writeTrouble(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return errors.New("no space is left on the device")
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("its directory does not exist")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("no permission")
	}
	return bare(err)
}
