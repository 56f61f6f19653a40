// Command pauc repeats the experiments of "Large-scale Optimization of Partial AUC in
// a Range of False Positive Rates" on the data sets at hand, and measures what its
// solvers are worth beside logistic regression:
//
//	cd bench && go run ./pauc -data ../../shared/data -out ../out
//
// The parts are sorr (figure 2), pauc (figure 1, table 1), test (tables 2 and 3), mu
// (table 6), speed and bits. Parameters are tuned on a few points of the paper's
// grids, with -full on all of them. Data sets that are absent are generated.
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
	data, out string
	seeds     int
	full      bool
	sets      []string // nil for those of each part
	loaded    map[string]*datasets.Split
}

func main() {
	o := options{loaded: make(map[string]*datasets.Split)}
	flag.StringVar(&o.data, "data", "../../shared/data", "folder of the data sets")
	flag.StringVar(&o.out, "out", "../out", "folder for the plots")
	flag.IntVar(&o.seeds, "seeds", 3, "runs of each tuned or untouched method")
	flag.BoolVar(&o.full, "full", false, "tune on the paper's whole grids")
	part := flag.String("part", "sorr,pauc,test,mu,speed,bits", "parts to run")
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
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	known := map[string]func() error{
		"sorr": o.sorr, "pauc": o.training, "test": o.heldOut, "mu": o.sensitivity, "speed": o.speed, "bits": o.bits,
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
		fmt.Printf("\n(%s took %.0f s)\n", name, time.Since(begun).Seconds())
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
