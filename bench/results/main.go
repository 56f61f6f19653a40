// Command results runs make targets and keeps what they print in RESULTS.md, each in a
// section with its command, the CPU and the date. Other sections stay as they are.
//
//	go run ./results -file RESULTS.md bench-kernels bench-reading
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

func main() {
	file := flag.String("file", "RESULTS.md", "the page to rewrite")
	root := flag.String("root", "..", "the folder of the Makefile")
	flag.Parse()
	for _, target := range flag.Args() {
		if err := rewrite(*file, *root, target); err != nil {
			fmt.Fprintf(os.Stderr, "results: %s: %v\n", target, err)
			os.Exit(1)
		}
	}
}

// rewrite runs one target; a target that fails leaves the page as it was.
func rewrite(file, root, target string) error {
	var out bytes.Buffer
	cmd := exec.Command("make", "--no-print-directory", target)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Stdout = io.MultiWriter(&out, os.Stderr)
	if err := cmd.Run(); err != nil {
		return err
	}
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(replaced(string(page), target, section(target, out.String()))), 0o666)
}

func section(target, text string) string {
	report := dispatch.Report()
	command := "make " + target
	if data := os.Getenv("LANES_DATA"); data != "" {
		command = "LANES_DATA=... " + command
	}
	return fmt.Sprintf("## %s\n\n`%s`, %s, %d cores, CPU path %s, %s, %s.\n\n```text\n%s\n```\n",
		target, command, report.Name, report.Cores, report.Path, runtime.Version(), time.Now().Format(time.DateOnly), strings.TrimSpace(text))
}

// replaced puts a section in the place of the one of that name, or at the end.
func replaced(page, name, text string) string {
	begin, end := fmt.Sprintf("<!-- begin %s -->\n", name), fmt.Sprintf("<!-- end %s -->", name)
	before, rest, found := strings.Cut(page, begin)
	if !found {
		return strings.TrimRight(page, "\n") + "\n\n" + begin + text + end + "\n"
	}
	_, after, found := strings.Cut(rest, end)
	if !found {
		after = "\n\n" + rest
	}
	return before + begin + text + end + after
}
