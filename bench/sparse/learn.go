package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
)

//go:embed driver/learn.py
var learnSource []byte

// learn times scikit-learn's solvers on the cells of a data set, in a process that reads
// the file once.
func (o *options) learn(cells []*problem) [][]times {
	all := make([][]times, len(cells))
	for i := range all {
		for range o.learners {
			all[i] = append(all[i], contest.Never())
		}
	}
	if len(o.learners) == 0 {
		return all
	}
	script := filepath.Join(o.folder, "learn.py")
	args := []string{script, cells[0].file, fmt.Sprint(o.limit), strings.Join(o.learners, ",")}
	for _, p := range cells {
		args = append(args, fmt.Sprintf("%d:%t:%v:%v", p.solver, p.Intercept, p.c, p.optimum))
	}
	err := os.WriteFile(script, learnSource, 0o600)
	command := contest.Python(o.python, args...)
	lines, fault := command.StdoutPipe()
	if err == nil {
		err = fault
	}
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sparse: scikit-learn left out:", err)
		return all
	}
	for scan := bufio.NewScanner(lines); scan.Scan(); {
		var i, k int
		var seconds, value float64
		if _, err := fmt.Sscan(scan.Text(), &i, &k, &seconds, &value); err == nil && i < len(all) {
			for t, target := range contest.Targets {
				if cells[i].reaches(value, target) {
					all[i][k][t] = math.Min(all[i][k][t], seconds)
				}
			}
		}
	}
	io.Copy(io.Discard, lines)
	if err := command.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, "sparse: scikit-learn ended early:", err)
	}
	return all
}
