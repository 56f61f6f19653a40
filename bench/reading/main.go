//go:build linux

// Command reading compares what lanes and LIBLINEAR need to read a LIBSVM file
// (seconds) and to train on it (peak memory). It runs both commands in turn on
// the same file and prints medians.
//
// LIBLINEAR has no command that only reads, so its reading time is that of
// liblinear-train with a tolerance that stops it after the first gradient.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

func main() {
	lanes := flag.String("lanes", "bin/lanes", "the lanes command")
	liblinear := flag.String("liblinear", "liblinear-train", "LIBLINEAR's training command")
	rounds := flag.Int("rounds", 5, "runs of each command")
	generate := flag.String("generate", "", "shapes to generate where no FILE is given, e.g. text:n=180000")
	flag.Parse()
	files := flag.Args()
	if *generate != "" {
		dir, err := os.MkdirTemp("", "lanes-reading")
		check(err)
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "generated.svm")
		_, err = measure(*lanes, "convert", "--quiet", "--generate", *generate, path)
		check(err)
		files = append(files, path)
	}
	if len(files) == 0 {
		check(errors.New("name a LIBSVM file, or give --generate SHAPE"))
	}
	fmt.Printf("| file | MB | lanes reads, MB/s | LIBLINEAR reads, MB/s | times faster | lanes train, peak MB | liblinear-train, peak MB | share |\n|---|---|---|---|---|---|---|---|\n")
	for _, file := range files {
		check(compare(*lanes, *liblinear, file, *rounds))
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
		steps := []struct {
			seconds, peak *[]float64
			command       []string
		}{
			{&lanesRead, nil, []string{lanes, "info", "--quiet", file}},
			{&peerRead, &peerPeak, []string{liblinear, "-q", "-s", "0", "-e", "1e30", file, model}},
			{nil, &lanesPeak, []string{lanes, "train", "--quiet", "--passes", "3", "--model", model, file}},
		}
		for _, s := range steps {
			u, err := measure(s.command[0], s.command[1:]...)
			if err != nil {
				return err
			}
			if s.seconds != nil {
				*s.seconds = append(*s.seconds, u.seconds)
			}
			if s.peak != nil {
				*s.peak = append(*s.peak, u.peakMB)
			}
		}
	}
	mb := float64(info.Size()) / 1e6
	a, b := median(lanesRead), median(peerRead)
	p, q := median(lanesPeak), median(peerPeak)
	fmt.Printf("| %s | %.0f | %.0f | %.0f | **%.1f** | %.0f | %.0f | **%.2f** |\n", filepath.Base(file), mb, mb/a, mb/b, b/a, p, q, p/q)
	return nil
}

type usage struct{ seconds, peakMB float64 }

func measure(name string, args ...string) (usage, error) {
	command := exec.Command(name, args...)
	command.Stderr = os.Stderr
	start := time.Now()
	if err := command.Run(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w", name, args, err)
	}
	seconds := time.Since(start).Seconds()
	rusage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return usage{}, errors.New("this system does not report a child's peak memory")
	}
	return usage{seconds, float64(rusage.Maxrss) * 1024 / 1e6}, nil
}

func median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }
