// Command papers repeats the figures and tables of the five papers, as far as linear models can
// show them. It takes the papers' own settings on the data sets at hand. It writes a page and a
// table of numbers for each.
//
//	go run ./papers -data ../../shared/data -out ../docs/papers ai-sarah adfsdca
//
// It keeps every finished run and continues when it is started again. To measure anew, delete the
// folder of -state.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// studies in the order in which they are done: the short ones first.
var studies = []study{aisarahStudy, compositionalStudy, apStudy, paucStudy, sdcaStudy}

func main() {
	l := &laboratory{log: os.Stderr, sets: make(map[string]*set)}
	flag.StringVar(&l.data, "data", "../../shared/data", "folder of the data sets; generated ones take the place of those that are not there")
	flag.StringVar(&l.state, "state", "../out/papers", "folder of finished runs")
	out := flag.String("out", "../docs/papers", "folder for the pages")
	flag.BoolVar(&l.quick, "quick", false, "fewer seeds, settings and passes: minutes instead of hours")
	flag.IntVar(&l.seeds, "seeds", 0, "runs of each setting; 0 for the paper's number, or 3 with -quick")
	flag.IntVar(&l.rows, "rows", 8124, "rows that adfsdca keeps of each set, evenly spread, 0 for all: adfSDCA takes time in proportion to their square, an hour for all")
	flag.StringVar(&l.remark, "remark", "", "a remark on the machine, for the pages")
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: papers [flags] [%s]\n", strings.Join(names(), " | "))
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := do(ctx, l, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "papers:", err)
		os.Exit(1)
	}
}

func names() []string {
	list := make([]string, len(studies))
	for k, s := range studies {
		list[k] = s.name
	}
	return list
}

// do does the studies of the given names, all studies if no name is given.
func do(ctx context.Context, l *laboratory, out string, chosen []string) error {
	for _, name := range chosen {
		if !slices.Contains(names(), name) {
			return fmt.Errorf("no paper is called %q; there are %s", name, strings.Join(names(), ", "))
		}
	}
	if l.seeds < 0 || l.rows < 0 {
		return fmt.Errorf("-seeds %d, -rows %d: they may not be negative", l.seeds, l.rows)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, s := range studies {
		if len(chosen) > 0 && !slices.Contains(chosen, s.name) {
			continue
		}
		if err := s.do(ctx, l, out); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (s study) do(ctx context.Context, l *laboratory, out string) error {
	parts, err := s.parts(l)
	if err != nil {
		return err
	}
	all, err := l.carryOut(ctx, s.name, parts)
	if err != nil {
		return err
	}
	command := "make papers PAPER=" + s.name
	if l.quick {
		command += " QUICK=1"
	}
	if s.name == sdcaStudy.name && !l.quick {
		command += fmt.Sprintf(" ROWS=%d", l.rows)
	}
	if l.seeds > 0 {
		command += fmt.Sprintf(" SEEDS=%d", l.seeds)
	}
	remark := l.remark
	if l.quick {
		remark = strings.TrimPrefix(remark+"; fewer seeds, settings and sets than at full size", "; ")
	}
	var html, numbers bytes.Buffer
	if err := s.write(&html, &numbers, parts, all, command, remark); err != nil {
		return err
	}
	path := filepath.Join(out, s.name)
	if err := os.WriteFile(path+".html", html.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(path+".csv", numbers.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %s.html, %d KB\n", s.name, path, html.Len()>>10)
	return nil
}

// runs is the number of seeds, where the paper has that many.
func (l *laboratory) runs(paper int) int {
	switch {
	case l.seeds > 0:
		return l.seeds
	case l.quick:
		return min(3, paper)
	default:
		return paper
	}
}
