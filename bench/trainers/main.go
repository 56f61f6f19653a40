// Command trainers times lanes, LIBLINEAR, Cyanure, glum, scikit-learn and glmnet to the same
// relative suboptimality of the same objective. Objectives are logistic regression without a bias
// (-problem ridge) and problems with an L1 norm (l1, and with -peak against celer and skglm).
// Others are all classes in one model (softmax) and one-vs-rest (classes). It prints a Markdown
// table.
//
// Everybody reads the same text and is tried with a grid of solvers and tolerances (of
// duality gaps for lanes and Cyanure); what reaches a target soonest is then run in turn
// with all others, and medians count, of seconds and of the ratios within a round. Seconds
// are the processor's, so that other work on the machine does not count, and ratios are
// shown by the clock too. Only training is timed, not reading: LIBLINEAR's train() called
// from C, and fit of the Python modules. lanes has a second column in
// which the target itself is its gap: there it has proved where it is. The optimum comes
// from a solve to a relative gap of 1e-12.
//
// With -whole processes are timed instead, from their start to their end: they read the
// same text file, which is in the page cache for all of them, train and save. With -path it is
// glmnet's path of a hundred L1 norms that is compared, point by point and weight by weight.
//
// Peers run as the machine has them installed, on one thread. A line says which are absent.
//
// With -out the rows of a finished data set are kept in that folder, with what the summary needs.
// A data set whose rows are there is not run again.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
)

type options struct {
	costs, learners, descents, newtons []string
	splices                            []string
	workers                            []int
	kinds                              []string // of L1 problems
	problem                            string
	rounds                             int
	whole, unit, peak                  bool
	limit, reference                   float64
	lanes, python                      string
	out, temporary                     string

	liblinear            *peers.LIBLINEAR
	cyanure, glum, learn *peers.Python
	columns              []*peers.Python // that walk columns
	glmnet               bool
	glmnetTitle          string

	below  []string
	ratios map[string][]float64
}

func main() {
	o := options{ratios: map[string][]float64{}}
	workers := flag.String("workers", "1", "threads of lanes; with 1,2 it runs with either")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds in turn, of which the medians count")
	flag.StringVar(&o.problem, "problem", "ridge", "ridge, l1, softmax or classes")
	kinds := flag.String("kinds", "logistic,logistic+intercept,squared-hinge", "losses of L1 problems")
	path := flag.Bool("path", false, "compare 100 points of L1 norms with glmnet instead (R with glmnet)")
	flag.BoolVar(&o.unit, "unit", false, "scale rows to length 1")
	flag.Float64Var(&o.reference, "reference", 60, "seconds for the minimum that L1 problems are measured by")
	flag.BoolVar(&o.peak, "peak", false, "L1 norms are the shares -C (default 0.1,0.01) of the least one without non-zeros, and peers are celer and skglm")
	costs := flag.String("C", "", "values of C = 1/(lambda n) (default 1,0.1,10, and 1 for softmax and classes)")
	splices := flag.String("splices", "", "numbers of first rows that are raced as sets of their own, as in 1000,5000")
	flag.BoolVar(&o.whole, "whole", false, "time whole processes: read, train, save")
	flag.StringVar(&o.lanes, "lanes", "../bin/lanes", "the lanes command, for -whole")
	newtons := flag.String("liblinear", "0,7", "solvers of LIBLINEAR, a column each")
	descents := flag.String("cyanure", "qning-miso/1,qning-miso/5,qning-svrg/1,qning-svrg/5,catalyst-miso/1,catalyst-miso/5,catalyst-svrg/1,catalyst-svrg/5",
		"solvers of Cyanure, and after how many iterations each they look at the gap; empty for none")
	flag.StringVar(&o.python, "python", "/usr/bin/python3", "a Python with scikit-learn, SciPy, and perhaps cyanure, glum, celer and skglm; empty for none")
	learners := flag.String("sklearn", "", "solvers of scikit-learn (default those that the problem has)")
	flag.BoolVar(&o.glmnet, "glmnet", true, "race glmnet (not with -whole: it reads no such text)")
	flag.Float64Var(&o.limit, "limit", 20, "seconds after which a solver's finer tolerances are not tried")
	flag.StringVar(&o.out, "out", "", "folder that keeps the rows of finished data sets")
	flag.StringVar(&o.temporary, "tmp", "", "folder for text files (default the system's)")
	flag.Parse()
	u, known := usual[o.problem]
	if !known {
		fmt.Fprintf(os.Stderr, "trainers: -problem %s: ridge, l1, softmax or classes\n", o.problem)
		os.Exit(2)
	}
	o.costs, o.learners, o.splices, o.kinds = list(cmp.Or(*costs, u.costs)), list(cmp.Or(*learners, u.learners)), list(*splices), list(*kinds)
	switch o.problem {
	case "ridge":
		o.descents, o.newtons = list(*descents), list(*newtons)
	case "classes":
		o.newtons, o.python, o.whole = list(*newtons), "", true
	case "l1":
		o.newtons = []string{""} // one for each loss
	}
	if o.peak {
		if o.problem != "l1" || o.whole {
			fmt.Fprintln(os.Stderr, "trainers: -peak is for -problem l1 without -whole")
			os.Exit(2)
		}
		o.costs, o.kinds, o.learners, o.newtons = list(cmp.Or(*costs, "0.1,0.01")), []string{"logistic"}, nil, nil
	}
	o.glmnet = o.glmnet && o.problem == "ridge"
	for _, text := range list(*workers) {
		w, err := strconv.Atoi(text)
		if err != nil || w < 1 {
			fmt.Fprintf(os.Stderr, "trainers: -workers %s: a list of positive numbers\n", *workers)
			os.Exit(2)
		}
		o.workers = append(o.workers, w)
	}
	if *path {
		if err := o.path(flag.Args()); err != nil {
			fmt.Fprintln(os.Stderr, "trainers:", err)
			os.Exit(1)
		}
		return
	}
	folder, err := os.MkdirTemp(o.temporary, "lanes-peers")
	if err != nil {
		fmt.Fprintln(os.Stderr, "trainers:", err)
		os.Exit(1)
	}
	o.find(folder)
	o.head()
	failed := false
	for _, source := range flag.Args() {
		if err := o.print(source); err != nil {
			fmt.Fprintln(os.Stderr, "trainers:", source+":", err)
			failed = true
		}
	}
	for _, what := range []string{best, proved, clock, copying, share} {
		if len(o.ratios[what]) > 0 {
			contest.Summary(what, o.ratios[what])
		}
	}
	if len(o.below) > 0 {
		fmt.Printf("\n%s below 2: %s\n", best, strings.Join(o.below, "; "))
	}
	os.RemoveAll(folder)
	if failed {
		os.Exit(1)
	}
}

// usual are the values of C and the solvers of scikit-learn for a problem.
var usual = map[string]struct{ costs, learners string }{
	"ridge":   {"1,0.1,10", "liblinear,lbfgs,newton-cg,newton-cholesky,saga"},
	"l1":      {"0.1,1,10", "liblinear,saga"},
	"softmax": {"1", "lbfgs,newton-cg,saga"},
	"classes": {"1", ""},
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// find prepares the installed peers in a folder, and prints which are absent.
func (o *options) find(folder string) {
	absent := func(name string, err error) bool {
		if err != nil {
			fmt.Printf("%s is absent: %v\n\n", name, err)
		}
		return err != nil
	}
	var err error
	if len(o.newtons) > 0 {
		o.liblinear, err = peers.NewLIBLINEAR(folder)
		absent("LIBLINEAR", err)
	}
	module := func(name string) (p *peers.Python) {
		p, err = peers.NewPython(o.python, name, folder)
		if absent(name, err) {
			return nil
		}
		return p
	}
	if o.python != "" && len(o.descents) > 0 {
		o.cyanure, o.glum = module("cyanure"), module("glum")
	}
	if o.python != "" && len(o.learners) > 0 && !(o.whole && o.problem != "ridge") {
		o.learn = module("sklearn")
	}
	if o.peak && o.python != "" {
		for _, name := range []string{"celer", "skglm"} {
			if p := module(name); p != nil {
				o.columns = append(o.columns, p)
			}
		}
	}
	if o.glmnet = o.glmnet && !o.whole; o.glmnet {
		o.glmnetTitle, err = peers.GlmnetTitle()
		o.glmnet = !absent("glmnet", err)
	}
}

// The columns that hold ratios.
const (
	best   = "best peer / lanes"
	proved = "best peer / lanes, certified"
	clock  = "best peer / lanes, by the clock"
	share  = "1 thread / 2, by the clock"
	// Peers that walk columns are given them; here they copy the rows, as lanes may.
	copying = "best peer / lanes, their copy by columns counted"
)

func (o *options) head() {
	what := "training"
	if o.whole {
		what = "reading, training and saving"
	}
	fmt.Printf("Processor seconds of %s to relative suboptimality 1e-3 / 1e-6, one thread.\n\n| data | rows | problem | C |", what)
	titles := []string{"lanes", "lanes, certified"}
	if o.liblinear != nil {
		for _, s := range o.newtons {
			titles = append(titles, strings.TrimSuffix(o.liblinear.Title+" -s "+s, " -s "))
		}
	}
	if o.cyanure != nil {
		titles = append(titles, o.cyanure.Title+", best")
	}
	if o.glum != nil {
		titles = append(titles, o.glum.Title+", best")
	}
	if o.learn != nil {
		more, _ := o.groups()
		titles = append(titles, more...)
	}
	if o.glmnet {
		titles = append(titles, o.glmnetTitle)
	}
	for _, p := range o.columns {
		titles = append(titles, p.Title, p.Title+", from rows")
	}
	titles = append(titles, best, proved, clock)
	if len(o.columns) > 0 {
		titles = append(titles, copying)
	}
	if len(o.workers) > 1 {
		titles = append(titles, share)
	}
	rule := "|---|---|---|---|"
	for _, title := range titles {
		fmt.Printf(" %s |", title)
		rule += "---|"
	}
	fmt.Println("\n" + rule)
}

// print writes the rows of a data set and of its splices, from the folder where they are
// there.
func (o *options) print(source string) error {
	all := []string{source}
	for _, rows := range o.splices {
		all = append(all, source+"#"+rows)
	}
	for _, s := range all {
		err := o.printOne(s)
		if s != source && errors.Is(err, datasets.ErrFewer) {
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *options) printOne(source string) error {
	if o.out == "" {
		return o.run(source, os.Stdout)
	}
	kind := "train"
	if o.whole {
		kind = "whole"
	}
	if o.peak {
		kind = "peak"
	}
	base := filepath.Join(o.out, strings.NewReplacer(":", "-", ",", "-", "=", "").Replace("trainers-"+kind+"-"+o.problem+"-"+filepath.Base(source)))
	text, err := os.ReadFile(base + ".json")
	var kept finished
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err == nil {
		fmt.Print(kept.Rows)
		o.below = append(o.below, kept.Below...)
		for what, list := range kept.Ratios {
			o.ratios[what] = append(o.ratios[what], list...)
		}
		return nil
	}
	var rows bytes.Buffer
	below, before := len(o.below), map[string]int{}
	for what, list := range o.ratios {
		before[what] = len(list)
	}
	if err := o.run(source, io.MultiWriter(os.Stdout, &rows)); err != nil {
		return err
	}
	kept = finished{Rows: rows.String(), Below: o.below[below:], Ratios: map[string][]float64{}}
	for what, list := range o.ratios {
		kept.Ratios[what] = list[before[what]:]
	}
	if text, err = json.Marshal(kept); err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(base+".part", text, 0o644); err != nil {
		return err
	}
	return os.Rename(base+".part", base+".json")
}

// finished is what the folder keeps of a data set.
type finished struct {
	Rows   string
	Below  []string
	Ratios map[string][]float64
}
