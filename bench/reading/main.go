//go:build linux

// Command reading compares what lanes and LIBLINEAR need to read a LIBSVM file
// (seconds) and to train on it (peak memory). It runs both commands in turn on
// the same file and prints medians.
//
// LIBLINEAR has no command that only reads: it counts as reading until its solver
// prints its first line, which the first gradient precedes. lanes train reports
// its load_seconds.
//
// Files are LIBSVM text of two classes, or what datasets.Open takes: a class of a packed
// file by FILE@LABEL, its first rows by #ROWS.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
)

func main() {
	lanes := flag.String("lanes", "bin/lanes", "the lanes command")
	write := flag.String("write", "", "only write what the one argument names as text to this file")
	rounds := flag.Int("rounds", 5, "runs of each command")
	var shapes []string
	flag.Func("generate", "a shape to generate a file of, e.g. text:n=180000; repeatable", func(shape string) error {
		shapes = append(shapes, shape)
		return nil
	})
	flag.Parse()
	if *write != "" {
		x, y, err := datasets.Open(flag.Arg(0))
		check(err)
		check(datasets.WriteText(*write, x, y))
		return
	}
	dir, err := os.MkdirTemp("", "lanes-reading")
	check(err)
	defer os.RemoveAll(dir)
	liblinear, err := peers.NewLIBLINEAR(dir)
	check(err)
	self, err := os.Executable()
	check(err)
	var files []string
	for _, source := range flag.Args() {
		// In a process of its own: a child's peak memory begins at the peak of its parent.
		path := filepath.Join(dir, filepath.Base(source))
		_, err := measure(self, "-write", path, source)
		check(err)
		files = append(files, path)
	}
	for _, shape := range shapes {
		path := filepath.Join(dir, shape)
		_, err = measure(*lanes, "convert", "--quiet", "--to", "libsvm", "--generate", shape, path)
		check(err)
		files = append(files, path)
	}
	if len(files) == 0 {
		check(errors.New("name a LIBSVM file with two classes, or give --generate SHAPE"))
	}
	fmt.Printf("| file | MB | lanes reads, MB/s | %[1]s reads, MB/s | times faster | lanes train, peak MB | %[1]s, peak MB | share |\n|---|---|---|---|---|---|---|---|\n", liblinear.Title)
	for _, file := range files {
		check(compare(*lanes, liblinear.Command, file, *rounds))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading:", err)
		os.Exit(1)
	}
}

func compare(lanes, liblinear, file string, rounds int) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	model := filepath.Join(os.TempDir(), fmt.Sprintf("lanes-reading-%d.model", os.Getpid()))
	defer os.Remove(model)
	var lanesRead, peerRead, lanesPeak, peerPeak []float64
	for range rounds {
		ours, err := measure(lanes, "train", "--quiet", "--json", "--passes", "3", "--model", model, file)
		if err != nil {
			return err
		}
		var report struct {
			Load float64 `json:"load_seconds"`
		}
		if err := json.Unmarshal(ours.output, &report); err != nil {
			return fmt.Errorf("%s train --json: %w", lanes, err)
		}
		theirs, err := measure(liblinear, "-s", "0", "-e", "0.1", file, model)
		if err != nil {
			return err
		}
		lanesRead, lanesPeak = append(lanesRead, report.Load), append(lanesPeak, ours.peakMB)
		peerRead, peerPeak = append(peerRead, theirs.firstOutput), append(peerPeak, theirs.peakMB)
	}
	mb := float64(info.Size()) / 1e6
	a, b := contest.Median(lanesRead), contest.Median(peerRead)
	p, q := contest.Median(lanesPeak), contest.Median(peerPeak)
	fmt.Printf("| %s | %.0f | %.0f | %.0f | **%.1f** | %.0f | %.0f | **%.2f** |\n", filepath.Base(file), mb, mb/a, mb/b, b/a, p, q, p/q)
	return nil
}

// usage is the time and memory of a command; firstOutput is the time until its first line.
type usage struct {
	firstOutput, peakMB float64
	output              []byte
}

func measure(name string, args ...string) (usage, error) {
	command := exec.Command(name, args...)
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		return usage{}, err
	}
	start := time.Now()
	if err := command.Start(); err != nil {
		return usage{}, err
	}
	lines := bufio.NewReader(stdout)
	lines.Peek(1)
	u := usage{firstOutput: time.Since(start).Seconds()}
	if u.output, err = io.ReadAll(lines); err != nil {
		return usage{}, err
	}
	if err := command.Wait(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w", name, args, err)
	}
	var known bool
	if u.peakMB, known = contest.PeakMB(command.ProcessState); !known {
		return usage{}, errors.New("this system does not report a child's peak memory")
	}
	return u, nil
}
