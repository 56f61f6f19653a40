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

// check finds out before a long run what would fail at its end, and that no
// output takes the place of an input.
func (o outputs) check(inputs ...string) error {
	seen := make(map[string]string)
	for _, flag := range []string{"model", "checkpoint", "trace", "plot", "html", "output"} {
		path := o[flag]
		if path == "" {
			continue
		}
		if other, twice := seen[filepath.Clean(path)]; twice {
			return usagef("--%s and --%s both name %s", other, flag, path)
		}
		seen[filepath.Clean(path)] = flag
		for _, input := range inputs {
			if sameFile(path, input) {
				return usagef("--%s %s would replace the data that are read", flag, path)
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
			if flag != "output" {
				path = "--" + flag + " " + path
			}
			return fmt.Errorf("%s cannot be written: %w", path, writeTrouble(err))
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
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
