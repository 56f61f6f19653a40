// Command sparse times the elastic net of lanes against LIBLINEAR and scikit-learn on
// problems with an L1 norm, to the same relative suboptimality of the same objective
//
//	(1/n) sum_i phi(y_i, x_i'w + b) + ||w||_1/(C n)
//
// which is LIBLINEAR's -s 6 (logistic) and -s 5 (squared hinge, whose half lanes has: there
// the L1 norm counts half as well), without an intercept or with one that is not
// regularised (-B 1 -R). All have one thread.
//
// LIBLINEAR 2.50 is built from its folder of the peers into a temporary one; without it its
// columns stay empty. Each has the time of the loosest tolerance, for lanes the largest
// duality gap, at which it gets there, and lanes a second column with the target as its gap:
// there it has proved where it is. Seconds are those of the processor. With -whole
// processes are timed, from their start to their end. With -path it is glmnet's path of a
// hundred points that is compared, point by point and weight by weight.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/peers"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

type options struct {
	costs, kinds, learners []string
	rounds                 int
	limit, reference       float64
	whole                  bool
	lanes, peers, python   string
	folder                 string           // temporary
	liblinear              *peers.LIBLINEAR // nil: it is not there
}

func main() {
	log.SetFlags(0)
	var o options
	costs := flag.String("C", "0.1,1,10", "values of C: the L1 norm counts 1/(C n)")
	kinds := flag.String("kinds", "logistic,logistic+intercept,squared-hinge", "losses")
	learners := flag.String("sklearn", "liblinear,saga", "solvers of scikit-learn, empty for none")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds in turn, of which the medians count")
	flag.Float64Var(&o.limit, "limit", 20, "seconds that a run may take, and after which finer tolerances are not tried")
	flag.Float64Var(&o.reference, "reference", 60, "seconds for the minimum that all are measured by")
	flag.BoolVar(&o.whole, "whole", false, "time whole processes: read, train, save")
	path := flag.Bool("path", false, "compare 100 points of L1 norms with glmnet instead (R with glmnet)")
	flag.StringVar(&o.lanes, "lanes", "../bin/lanes", "the lanes command, for -whole")
	flag.StringVar(&o.peers, "peers", "", "folder with liblinear-2.50")
	flag.StringVar(&o.python, "python", "/usr/bin/python3", "a Python with scikit-learn, empty for none")
	flag.Parse()
	o.costs, o.kinds = strings.Split(*costs, ","), strings.Split(*kinds, ",")
	if o.python != "" && *learners != "" && !o.whole {
		o.learners = strings.Split(*learners, ",")
	}
	work := o.run
	if *path {
		work = o.runPath
	}
	if err := work(flag.Args()); err != nil {
		log.Fatal("sparse: ", err)
	}
}

func (o *options) runPath(sources []string) (err error) {
	if !peers.HasGlmnet() {
		fmt.Println("glmnet left out: install r-cran-glmnet")
		return nil
	}
	if o.folder, err = os.MkdirTemp("", "lanes-sparse"); err != nil {
		return err
	}
	defer os.RemoveAll(o.folder)
	return o.path(sources)
}

func (o *options) run(sources []string) (err error) {
	if o.folder, err = os.MkdirTemp("", "lanes-sparse"); err != nil {
		return err
	}
	defer os.RemoveAll(o.folder)
	if o.liblinear, err = peers.BuildLIBLINEAR(o.peers, o.folder); err != nil {
		fmt.Printf("LIBLINEAR 2.50 left out: %v\n\n", err)
	}
	fmt.Print("Processor seconds to a relative suboptimality of 1e-3 / 1e-6, one thread")
	if o.whole {
		fmt.Print("; reading and saving included")
	}
	fmt.Print(".\n\n| data | loss | C | non-zeros | lanes | lanes, proved | LIBLINEAR 2.50 | LIBLINEAR / lanes |")
	rule := "|---|---|---|---|---|---|---|---|"
	for _, name := range o.learners {
		fmt.Printf(" scikit-learn %s |", name)
		rule += "---|"
	}
	fmt.Println("\n" + rule)
	var all []float64
	for _, source := range sources {
		if err := o.compare(source, &all); err != nil {
			fmt.Fprintf(os.Stderr, "sparse: %s: %v\n", source, err)
		}
	}
	if len(all) > 0 {
		contest.Summary("LIBLINEAR / lanes", all)
	}
	return nil
}

// problem is one cell: its data, loss and C, and what they come to.
type problem struct {
	elasticnet.Problem
	c       float64
	file    string
	solver  int // of LIBLINEAR
	optimum float64
	zeros   int
}

// compare prints the rows of a data set.
func (o *options) compare(source string, all *[]float64) error {
	x, y, err := datasets.Open(source)
	if err != nil {
		return err
	}
	file := filepath.Join(o.folder, "data.svm")
	if err := datasets.WriteText(file, x, y); err != nil {
		return err
	}
	var peer *peers.Trainer
	if o.liblinear != nil && !o.whole {
		peer = o.liblinear.Trainer(file, o.limit)
		defer peer.End()
	}
	var cells []*problem
	for _, kind := range o.kinds {
		for _, text := range o.costs {
			c, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return err
			}
			p, err := o.pose(x, y, kind, c)
			if err != nil {
				return err
			}
			p.file = file
			cells = append(cells, p)
		}
	}
	learned := o.learn(cells)
	for i, p := range cells {
		r := result{contest.Never(), contest.Never(), contest.Never(), contest.Never()}
		if p.optimum > 0 {
			if r, err = o.race(p, peer); err != nil {
				return err
			}
		}
		*all = append(*all, r.ratios.Known()...)
		fmt.Printf("| %s | %s | %v | %d | %v | %v | %v | %v |", filepath.Base(source), o.kinds[i/len(o.costs)], p.c,
			p.X.Cols()-p.zeros, r.ours, r.proved, r.theirs, r.ratios.Bold())
		for _, t := range learned[i] {
			fmt.Printf(" %v |", t)
		}
		fmt.Println()
	}
	return nil
}

// pose makes a cell and solves it. The minimum is 0 where that takes too long.
func (o *options) pose(x *sparse.Matrix, y []float64, kind string, c float64) (*problem, error) {
	p := &problem{c: c, solver: 6}
	name, with, _ := strings.Cut(kind, "+")
	p.Problem = elasticnet.Problem{
		Problem: erm.Problem{X: x, Y: y, Loss: kernels.Logistic}, L1: 1 / (c * float64(len(y))), Intercept: with != "",
	}
	if name == "squared-hinge" {
		p.solver, p.Loss, p.L1 = 5, kernels.SquaredHinge, p.L1/2
	}
	result, err := solve(p, 1e-12, o.reference)
	if err != nil {
		return nil, err
	}
	switch {
	case result.Gap <= 1e-7*result.Objective:
		p.optimum = result.Objective - result.Gap
	case result.Status == solvers.Stalled: // no step makes it any less, and rounding hides the rest of the gap
		p.optimum = result.Objective
	case result.Status == solvers.TimeReached:
		fmt.Fprintf(os.Stderr, "sparse: %s, C = %v: not raced, as its minimum is known to %.1g only after %v s\n", kind, c, result.Gap/result.Objective, o.reference)
	default:
		return nil, fmt.Errorf("%s, C = %v: no optimum: %v with a gap of %v", kind, c, result.Status, result.Gap)
	}
	for _, w := range result.Weights[:x.Cols()] {
		if w == 0 {
			p.zeros++
		}
	}
	return p, nil
}

// value is the objective at weights, which may be fewer than the columns where the last
// columns are empty; an intercept is the last of them.
func (p *problem) value(w []float64) float64 {
	all := make([]float64, p.X.Cols())
	b := 0.0
	if p.Intercept {
		b, w = w[len(w)-1], w[:len(w)-1]
	}
	copy(all, w)
	z := make([]float64, p.X.Rows())
	if err := p.X.MulVec(nil, z, all); err != nil {
		log.Fatal(err)
	}
	norm := 0.0
	for _, v := range all {
		norm += max(v, -v)
	}
	for i := range z {
		z[i] += b
	}
	loss, err := kernels.LossSum(p.Loss, z, p.Y, nil, 1)
	if err != nil {
		log.Fatal(err)
	}
	return loss/float64(len(z)) + p.L1*norm
}

// reaches tells whether an objective is within a target.
func (p *problem) reaches(value, target float64) bool { return value-p.optimum <= target*p.optimum }
