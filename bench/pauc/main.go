// Command pauc measures what the solvers of partial AUC are worth, with nothing tuned,
// beside logistic regression, and beside the same algorithms in plain Go:
//
//	cd bench && go run ./pauc -data ../../shared/data
//
// The parts are test, speed and bits. Data sets that are absent are generated. The figures
// and tables of the paper are those of bench/papers.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/dispatch"
)

type options struct {
	data   string
	seeds  int
	sets   []string // nil for those of each part
	loaded map[string]*datasets.Split
}

func main() {
	o := options{loaded: make(map[string]*datasets.Split)}
	flag.StringVar(&o.data, "data", "../../shared/data", "folder of the data sets")
	flag.IntVar(&o.seeds, "seeds", 3, "runs of each tuned or untouched method")
	part := flag.String("part", "test,speed,bits", "parts to run")
	sets := flag.String("sets", "", "data sets (default those of each part)")
	flag.Parse()
	if *sets != "" {
		o.sets = strings.Split(*sets, ",")
	}
	if err := o.run(strings.Split(*part, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "pauc:", err)
		os.Exit(1)
	}
}

func (o *options) run(parts []string) error {
	if o.seeds < 1 {
		return fmt.Errorf("%d seeds; there must be one at least", o.seeds)
	}
	known := map[string]func() error{
		"test": o.heldOut, "speed": o.speed, "bits": o.bits,
	}
	fmt.Printf("CPU path %s. Areas are normalised: divided by the width of their range.\n", dispatch.Current())
	for _, name := range parts {
		run, found := known[name]
		if !found {
			return fmt.Errorf("there is no part %q", name)
		}
		begun := time.Now()
		if err := run(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(os.Stderr, "pauc: %s took %.0f s\n", name, time.Since(begun).Seconds())
	}
	return nil
}

// choose returns the data sets of a part.
func (o *options) choose(usual ...string) ([]*datasets.Split, error) {
	if o.sets != nil {
		usual = o.sets
	}
	list := make([]*datasets.Split, len(usual))
	for k, name := range usual {
		if o.loaded[name] == nil {
			s, err := o.load(name)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			o.loaded[name] = s
		}
		list[k] = o.loaded[name]
	}
	return list, nil
}

// load reads a data set. generated is the imbalanced shape with 1e5 negative training
// rows, wide the shape of that name.
func (o *options) load(name string) (*datasets.Split, error) {
	switch name {
	case "generated":
		return datasets.Generated(name, "imbalanced:n=154700")
	case "wide":
		return datasets.Generated(name, "wide:n=6000")
	}
	return datasets.Load(o.data, name)
}

// describe says what a data set is in a heading.
func describe(s *datasets.Split) string {
	name := s.Name
	if s.Placeholder {
		name += " (generated in its place)"
	}
	return fmt.Sprintf("%s: %d positive and %d negative training rows, %d columns", name, s.Positives(), len(s.Y)-s.Positives(), s.X.Cols())
}
