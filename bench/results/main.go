// Command results runs make targets and puts what they print into RESULTS.md, each in its
// own section, which begins and ends with a marker:
//
//	<!-- begin bench-cores -->
//	## bench-cores
//
//	What the Makefile says of the target; the command, machine, commit and date; how busy
//	other programs were meanwhile; the commands that make ran, and what they printed.
//
//	<!-- reasons -->
//
//	What people wrote about it.
//	<!-- end bench-cores -->
//
// What stands before "reasons" is replaced, what stands after it is kept, as is the rest of
// the page. A target that fails, or prints nothing, leaves the page as it was, and so does
// a page whose markers are not in order. Only standard output counts: progress and remarks
// belong to standard error. Tables are Markdown; output without any is shown as text.
//
//	go run ./results -file RESULTS.md bench-kernels bench-reading
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	file := flag.String("file", "RESULTS.md", "the page to rewrite")
	root := flag.String("root", "..", "the folder of the Makefile")
	remark := flag.String("remark", "", "a remark for the line about the machine")
	flag.Parse()
	failed := false
	for _, target := range flag.Args() {
		if err := rewrite(*file, *root, target, *remark); err != nil {
			fmt.Fprintf(os.Stderr, "results: %s: %v\n", target, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// rewrite runs one target and replaces its section.
func rewrite(file, root, target, remark string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if _, err := replaced(string(page), target, "tried before hours are spent\n"); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	s, err := run(root, target, remark)
	if err != nil {
		return err
	}
	if page, err = os.ReadFile(file); err != nil { // others may have written meanwhile
		return err
	}
	text, err := replaced(string(page), target, s.markdown())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return write(file, text)
}

// run makes a target and returns what it printed, with all that its section says.
func run(root, target, remark string) (*section, error) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		return nil, err
	}
	variables := overrides(os.Getenv("MAKEFLAGS"))
	s := &section{target: target, title: title(string(makefile), target), variables: variables, remark: remark, begun: time.Now()}
	make := func(args ...string) *exec.Cmd {
		cmd := exec.Command("make", append(append([]string{"--no-print-directory"}, args...), variables...)...)
		cmd.Dir, cmd.Stderr = root, os.Stderr
		for _, v := range os.Environ() {
			// The flags of the make that runs this program are its own; its variables are
			// arguments.
			if name, _, _ := strings.Cut(v, "="); name != "MAKEFLAGS" && name != "MFLAGS" && name != "MAKELEVEL" && name != "MAKEOVERRIDES" {
				cmd.Env = append(cmd.Env, v)
			}
		}
		return cmd
	}
	commands, err := make("--dry-run", target).Output()
	if err != nil {
		return nil, fmt.Errorf("make --dry-run: %w", err)
	}
	s.describe(root)
	busy, known := busySeconds()
	var out bytes.Buffer
	cmd := make(target)
	cmd.Stdout = io.MultiWriter(&out, os.Stderr)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("make: %w", err)
	}
	if after, _ := busySeconds(); known {
		own := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		s.setOthers(after-busy-own, time.Since(s.begun))
	}
	s.commands, s.output = string(commands), out.String()
	if len(s.printed()) == 0 {
		return nil, errors.New("it printed nothing")
	}
	return s, nil
}

// write replaces a file, or leaves it as it was.
func write(file, text string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".part-")
	if err != nil {
		return err
	}
	_, err = part.WriteString(text)
	if err = errors.Join(err, part.Chmod(info.Mode().Perm()), part.Close()); err == nil {
		err = os.Rename(part.Name(), file)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(part.Name()))
	}
	return err
}
