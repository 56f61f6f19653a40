// Command trainers times solvers of lanes, LIBLINEAR and scikit-learn to the same
// relative suboptimality of the same objective: logistic regression without a
// bias, lambda = 1/(C n). It prints a Markdown table.
//
// The optimum comes from a solve to a relative gap of 1e-12. LIBLINEAR and
// scikit-learn have no target of that kind, so each is run over a grid of
// tolerances and the quickest run that is good enough counts; only training is
// timed, not reading.
//
// With -whole it times processes from their start to their end instead: `lanes
// train`, `liblinear-train` and a Python script read the same text file, which is in
// the page cache for all of them, train and save. lanes is then run over a grid of
// gaps, as the others are over tolerances.
//
// With -out the rows of a data set are kept in that folder when it is done, and a
// data set whose rows are there is not run again.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/liblinear"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/erm"
)

// The relative suboptimalities that are timed.
var targets = [...]float64{1e-3, 1e-6}

type options struct {
	names, costs, learners   []string
	workers                  []int
	rounds                   int
	whole                    bool
	limit                    float64
	lanes, liblinear, python string
	out, temporary           string
}

func main() {
	var o options
	names := flag.String("solvers", "auto,newton,prox-sdca", "solvers of lanes; the first is the one compared")
	workers := flag.String("workers", "1", "threads of lanes; with several, as in 1,2, the first solver runs with each")
	flag.IntVar(&o.rounds, "rounds", 5, "runs of each, of which the median counts")
	costs := flag.String("C", "1,0.1,10", "values of C = 1/(lambda n)")
	flag.BoolVar(&o.whole, "whole", false, "time whole processes: read, train, save")
	flag.StringVar(&o.lanes, "lanes", "../bin/lanes", "the lanes command, for -whole")
	flag.StringVar(&o.liblinear, "liblinear", "liblinear-train", "LIBLINEAR's command, for -whole")
	flag.StringVar(&o.python, "python", "/usr/bin/python3", "a Python with scikit-learn, empty for none")
	learners := flag.String("sklearn", "liblinear,lbfgs,newton-cg,saga", "solvers of scikit-learn")
	flag.Float64Var(&o.limit, "limit", 20, "seconds after which a peer's finer tolerances are not tried")
	flag.StringVar(&o.out, "out", "", "folder that keeps the rows of finished data sets")
	flag.StringVar(&o.temporary, "tmp", "", "folder for text files (default the system's)")
	flag.Parse()
	o.names, o.costs, o.learners = strings.Split(*names, ","), strings.Split(*costs, ","), strings.Split(*learners, ",")
	for _, text := range strings.Split(*workers, ",") {
		w, err := strconv.Atoi(text)
		if err != nil || w < 1 {
			fmt.Fprintf(os.Stderr, "trainers: -workers %s: a list of positive numbers\n", *workers)
			os.Exit(2)
		}
		o.workers = append(o.workers, w)
	}
	o.head()
	failed := false
	for _, source := range flag.Args() {
		if err := o.print(source); err != nil {
			fmt.Fprintln(os.Stderr, "trainers:", source+":", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// columns are the ways in which lanes is run.
func (o *options) columns() []variant {
	var list []variant
	for _, w := range o.workers {
		list = append(list, variant{o.names[0], w})
	}
	if !o.whole {
		for _, name := range o.names[1:] {
			list = append(list, variant{name, o.workers[0]})
		}
	}
	return list
}

// variant is a solver of lanes with a number of threads.
type variant struct {
	name    string
	workers int
}

func (v variant) String() string {
	if v.workers == 1 {
		return v.name
	}
	return fmt.Sprintf("%s, %d threads", v.name, v.workers)
}

func (o *options) head() {
	what := "training"
	if o.whole {
		what = "reading, training and saving"
	}
	fmt.Printf("Seconds of %s to relative suboptimality 1e-3 / 1e-6; peers have one thread.\n\n| data | C |", what)
	rule := "|---|---|"
	titles := []string{}
	for _, v := range o.columns() {
		titles = append(titles, v.String())
	}
	titles = append(titles, "LIBLINEAR -s 0", "LIBLINEAR -s 7", "scikit-learn, best", "best peer / "+o.columns()[0].String())
	if len(o.workers) > 1 {
		titles = append(titles, fmt.Sprintf("%d thread(s) / %d", o.workers[0], o.workers[len(o.workers)-1]))
	}
	for _, title := range titles {
		fmt.Printf(" %s |", title)
		rule += "---|"
	}
	fmt.Println("\n" + rule)
}

// print writes the rows of a data set, from the folder where they are there.
func (o *options) print(source string) error {
	name := filepath.Base(source)
	if o.out == "" {
		return o.run(source, os.Stdout)
	}
	kind := "train"
	if o.whole {
		kind = "whole"
	}
	file := filepath.Join(o.out, strings.NewReplacer(":", "-", ",", "-", "=", "").Replace("trainers-"+kind+"-"+name)+".md")
	if rows, err := os.ReadFile(file); err == nil {
		_, err = os.Stdout.Write(rows)
		return err
	}
	var rows bytes.Buffer
	if err := o.run(source, io.MultiWriter(os.Stdout, &rows)); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", rows.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// round is one data set at one C.
type round struct {
	*options
	p       *erm.Problem
	c       float64
	optimum float64
}

func (o *options) run(source string, to io.Writer) error {
	x, y, err := datasets.Open(source)
	if err != nil {
		return err
	}
	rounds := make([]*round, len(o.costs))
	for i, text := range o.costs {
		c, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return err
		}
		r := &round{options: o, c: c, p: &erm.Problem{X: x, Y: y, Loss: kernels.Logistic, Lambda: 1 / (c * float64(len(y)))}}
		if r.optimum, err = optimum(r.p); err != nil {
			return err
		}
		rounds[i] = r
	}
	file := ""
	if o.whole || o.python != "" {
		dir, err := os.MkdirTemp(o.temporary, "lanes-trainers")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		file = filepath.Join(dir, "data.svm")
		if err := datasets.WriteText(file, x, y); err != nil {
			return err
		}
	}
	peer := &liblinear.Problem{}
	if !o.whole && liblinear.Available {
		if peer, err = liblinear.NewProblem(x, y); err != nil {
			return err
		}
		defer peer.Free()
	}
	learned := learn(rounds, file)
	for i, r := range rounds {
		var ours []times
		cells := []string{filepath.Base(source), fmt.Sprint(r.c)}
		for _, v := range o.columns() {
			t, err := r.timeLanes(v, file)
			if err != nil {
				return err
			}
			ours, cells = append(ours, t), append(cells, t.String())
		}
		rival := learned[i].times
		for _, s := range []int{0, 7} {
			t := r.timeLiblinear(peer, s, file)
			rival, cells = rival.best(t), append(cells, t.String())
		}
		cells = append(cells, strings.TrimSpace(learned[i].String()+" "+learned[i].name), rival.over(ours[0]))
		if len(o.workers) > 1 {
			cells = append(cells, ours[0].over(ours[len(o.workers)-1]))
		}
		fmt.Fprintf(to, "| %s |\n", strings.Join(cells, " | "))
	}
	return nil
}
