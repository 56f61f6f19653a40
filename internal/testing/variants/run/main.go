// Command run judges how lanes reads the variants of real files: see package variants.
//
//	go run ./internal/testing/variants/run -seed 1 -cases 400 -only dates/
//
// It prints one line for each bad verdict, with the folder that keeps the files, and a table of
// verdicts by family. Its exit status is 1 if a verdict is bad.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/lanes-go/lanes/cmd/lanes/command"
	"github.com/lanes-go/lanes/internal/testing/variants"
)

func main() {
	seed := flag.Uint64("seed", 1, "seed of values, sizes and places; each further round takes the next seed")
	cases := flag.Int("cases", 0, "number of cases, in rounds over the variants; 0 means one for each variant")
	only := flag.String("only", "", "judge variants whose family/name contains this text")
	keep := flag.String("keep", filepath.Join(os.TempDir(), "variants"), "folder that keeps the files of bad verdicts")
	lanes := flag.String("lanes", "", "run this command; the default runs the command of this repository in this process")
	all := flag.Bool("all", false, "print a line for each case, not only for bad verdicts")
	flag.Parse()
	run := inProcess
	if *lanes != "" {
		run = func(args ...string) (int, string, string) { return process(*lanes, args) }
	}
	chosen := variants.Chosen(*only)
	if len(chosen) == 0 {
		fmt.Fprintf(os.Stderr, "no variant contains %q\n", *only)
		os.Exit(2)
	}
	if *cases == 0 {
		*cases = len(chosen)
	}
	tally, unmade := variants.Tally{}, 0
	for k := range *cases {
		v := chosen[k%len(chosen)]
		r, err := tally.Try(os.Stdout, run, v, *seed+uint64(k/len(chosen)), *keep)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			unmade++
			continue
		}
		if *all && r.Verdict.Good() {
			fmt.Printf("%-10s %s: %s\n", r.Verdict, v, r.Seen)
		}
	}
	tally.Table(os.Stdout)
	if unmade > 0 {
		os.Exit(2)
	}
	if tally.Bad() > 0 {
		os.Exit(1)
	}
}

func inProcess(args ...string) (int, string, string) {
	var out, stderr bytes.Buffer
	status := command.Run(args, bytes.NewReader(nil), &out, &stderr)
	return status, out.String(), stderr.String()
}

func process(lanes string, args []string) (int, string, string) {
	var out, stderr bytes.Buffer
	cmd := exec.Command(lanes, args...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return cmd.ProcessState.ExitCode(), out.String(), stderr.String()
}
