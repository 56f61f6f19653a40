// Command compositional repeats the experiments of the SCVRG paper (figures 1 to 4) on
// the portfolios at hand: how far the objective is from its minimum against samples
// taken, full passes counted, and against seconds, for SCVRG, VRSC-PG, SCGD, ASC-PG and
// AGD, with the paper's settings (A = B = 5, eta = 0.01) and with nothing tuned.
//
//	cd bench && go run ./compositional -data ../../shared/data -out ../out
//
// The minimum comes from coordinate descent and a Cholesky factorisation, and meets the
// optimality conditions within 1e-10. Without the data it runs on a generated market.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/internal/quadratic"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// sets are the paper's figures, as far as their data are at hand.
var sets = []struct{ figure, name, file string }{
	{"1", "US 100 ME", "US_100_Portfolios_ME_10x10_Daily.txt.xz"},
	{"1", "US 100 INV", "US_100_Portfolios_INV_10x10_Daily.txt.xz"},
	{"2", "Asia ME", "FF_25_Asia_Pacific_ex_Japan_ME_5x5_Daily.txt.xz"},
	{"2", "Global ME", "FF_25_Global_ME_5x5_Daily.txt.xz"},
	{"2", "America ME", "FF_25_North_America_ME_5x5_Daily.txt.xz"},
	{"3", "Asia OP", "FF_25_Asia_Pacific_ex_Japan_OP_5x5_Daily.txt.xz"},
	{"3", "Global OP", "FF_25_Global_OP_5x5_Daily.txt.xz"},
	{"3", "America OP", "FF_25_North_America_OP_5x5_Daily.txt.xz"},
	{"4", "Asia INV", "FF_25_Asia_Pacific_ex_Japan_INV_5x5_Daily.txt.xz"},
	{"4", "Global INV", "FF_25_Global_INV_5x5_Daily.txt.xz"},
	{"4", "America INV", "FF_25_North_America_INV_5x5_Daily.txt.xz"},
}

// levels are the shares of the distance at the start that the table asks for.
var levels = []float64{1e-2, 1e-4, 1e-6}

// bound is that of the box in compositional.Paper.
const bound = 1

func main() {
	data := flag.String("data", "../../shared/data", "folder of the portfolios")
	out := flag.String("out", "../out", "folder for the plots")
	seeds := flag.Int("seeds", 3, "runs of each solver; the table has medians")
	budget := flag.Float64("samples", 400, "budget, in samples/N")
	lambda := flag.Float64("lambda", -1, "weight of the l1 norm; below 0, chosen by cross-validation")
	authors := flag.Bool("authors", false, "repeat the authors' code instead: fractions, lambda 5e-7, threshold lambda, their steps")
	only := flag.String("only", "", "run the sets whose name contains this")
	flag.Parse()
	if err := run(*data, *out, *only, *seeds, *budget, *lambda, *authors); err != nil {
		fmt.Fprintln(os.Stderr, "compositional:", err)
		os.Exit(1)
	}
}

// experiment is one data set under one way to set the solvers.
type experiment struct {
	figure, name string
	n, d         int
	problem      *compositional.Problem
	lambda       float64
	start        []float64
	first, least float64 // Phi(x_0), Phi*
	residual     float64 // of the optimality conditions at x*
	curvature    float64 // L of F
	active       int     // weights of x* that are not 0
}

type contestant struct {
	label  string
	method compositional.Method
}

func run(data, out, only string, seeds int, budget, lambda float64, authors bool) error {
	if seeds < 1 || !(budget > 0) {
		return fmt.Errorf("%d seeds and a budget of %v samples/N", seeds, budget)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var report table
	for _, s := range sets {
		if !strings.Contains(s.name, only) {
			continue
		}
		returns, name, err := load(data, s.name, s.file, authors)
		if err != nil {
			return err
		}
		e, err := prepare(returns, s.figure, name, lambda, authors)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, mode := range e.modes(authors) {
			curves := make([]curve, len(mode.line))
			for k, c := range mode.line {
				if curves[k], err = e.race(c, seeds, budget); err != nil {
					return fmt.Errorf("%s on %s: %w", c.label, name, err)
				}
			}
			report.add(e, mode.name, curves)
			file := fmt.Sprintf("compositional-%s-%s-%s.png", s.figure, strings.ReplaceAll(s.name, " ", "-"), mode.name)
			if err := e.draw(filepath.Join(out, file), mode.name, curves); err != nil {
				return err
			}
		}
	}
	report.print(os.Stdout, seeds, budget)
	fmt.Printf("\nplots: %s\n", filepath.Join(out, "compositional-*.png"))
	return nil
}

// load reads a set, or generates one of its size.
func load(folder, name, file string, fraction bool) (*returns.Table, string, error) {
	r, err := returns.ReadFile(filepath.Join(folder, file), returns.Options{
		Missing: returns.ImputeMean, Fraction: fraction,
	})
	if !os.IsNotExist(err) {
		return r, name, err
	}
	market := returns.Market{Seed: 1}
	if strings.HasPrefix(name, "US") {
		market.Periods, market.Assets = 13781, 100
	}
	if r, err = market.Generate(); err == nil && fraction {
		for k := range r.Values {
			r.Values[k] /= 100
		}
	}
	return r, name + " (generated)", err
}

func prepare(r *returns.Table, figure, name string, lambda float64, authors bool) (*experiment, error) {
	d := len(r.Assets)
	if authors {
		lambda = 5e-7
	} else if lambda < 0 {
		var err error
		if lambda, err = crossValidate(r); err != nil {
			return nil, err
		}
	}
	p, start, err := compositional.Paper(r.Values, r.Periods, d, lambda)
	if err != nil {
		return nil, err
	}
	p.UnitThreshold = authors
	e := &experiment{
		figure: figure, name: name, n: r.Periods, d: d, lambda: lambda, start: start,
		curvature: p.F.(compositional.Smooth).Smoothness(), problem: p,
	}
	exact := quadratic.MeanVariance(r.Values, d, 1, lambda, -bound, bound)
	best, err := exact.Solve(1e-10)
	if err != nil {
		return nil, err
	}
	for _, v := range best {
		if v != 0 {
			e.active++
		}
	}
	e.first, e.least, e.residual = exact.Value(e.start), exact.Value(best), exact.Residual(best)
	return e, nil
}

// crossValidate takes the weight that does best on five parts of the periods, each left
// out in turn, of those that hold anything.
func crossValidate(r *returns.Table) (float64, error) {
	d := len(r.Assets)
	const folds = 5
	best, chosen := math.Inf(1), 0.0
	for _, lambda := range []float64{5e-7, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2} {
		loss, held := 0.0, 0.0
		for fold := range folds {
			first, end := fold*r.Periods/folds, (fold+1)*r.Periods/folds
			rest := slices.Concat(r.Values[:first*d], r.Values[end*d:])
			x, err := quadratic.MeanVariance(rest, d, 1, lambda, -bound, bound).Solve(1e-8)
			if err != nil {
				return 0, err
			}
			out, err := compositional.NewPortfolio(r.Rows(first, end), end-first, d, 1)
			if err != nil {
				return 0, err
			}
			mean, variance, err := out.Moments(x)
			if err != nil {
				return 0, err
			}
			loss += variance - mean
			held += variance
		}
		if loss < best && held > 0 {
			best, chosen = loss, lambda
		}
	}
	return chosen, nil
}

// modes are the ways in which the solvers are set.
func (e *experiment) modes(authors bool) []mode {
	if authors {
		// their eta is 0.4 (AGD: 0.01) over the largest eigenvalue of R'R
		scale := 2 / (e.curvature * float64(e.n))
		return []mode{{"authors", []contestant{
			{"SCVRG", compositional.SCVRG{Step: 0.4 * scale, FirstEpoch: 10}},
			{"VRSC-PG", compositional.VRSCPG{Step: 0.4 * scale}},
			{"SCGD", compositional.SCGD{Step: 1e-4}},
			{"ASC-PG", compositional.ASCPG{Step: 1e-5, Ninths: true}},
			{"AGD", compositional.AGD{Step: 0.01 * scale, NoRestart: true}},
		}}}
	}
	const eta = 0.01
	return []mode{
		{"tuned", []contestant{
			{"SCVRG", compositional.SCVRG{Paper: true}},
			{"VRSC-PG", compositional.VRSCPG{Step: eta}},
			{"SCGD", compositional.SCGD{Step: eta}},
			{"ASC-PG", compositional.ASCPG{Step: eta}},
			{"AGD", compositional.AGD{NoRestart: true}},
		}},
		{"untuned", []contestant{
			{"SCVRG", compositional.SCVRG{}},
			{"VRSC-PG", compositional.VRSCPG{}},
			{"SCGD", compositional.SCGD{}},
			{"ASC-PG", compositional.ASCPG{}},
			{"AGD", compositional.AGD{}},
		}},
	}
}

type mode struct {
	name string
	line []contestant
}

// curve is what the seeds of one solver came to.
type curve struct {
	label   string
	points  []solvers.Point // of the first seed
	reached []float64       // median samples/N at each level, +Inf where not reached
	final   float64         // median distance from the minimum where the budget is spent
	ended   string
}

func (e *experiment) race(c contestant, seeds int, budget float64) (curve, error) {
	out := curve{label: c.label}
	reached := make([][]float64, len(levels))
	var finals []float64
	for seed := range seeds {
		var trace solvers.Trace
		// a pass is 2N samples
		result, err := compositional.Solve(context.Background(), e.problem, c.method, solvers.Settings{
			MaxPasses: budget / 2, RecordEvery: min(0.5, budget/400), Seed: uint64(seed + 1), Initial: e.start, Recorder: &trace,
		})
		if err != nil {
			return out, err
		}
		if seed == 0 {
			out.points = trace
			if result.Status == solvers.Diverged {
				out.ended = "diverged"
			}
		}
		for k, level := range levels {
			at := math.Inf(1)
			for _, p := range trace {
				if p.Objective-e.least <= level*(e.first-e.least) {
					at = float64(p.GradientEvaluations) / float64(e.n)
					break
				}
			}
			reached[k] = append(reached[k], at)
		}
		finals = append(finals, trace[len(trace)-1].Objective-e.least)
	}
	for _, r := range reached {
		out.reached = append(out.reached, contest.Median(r))
	}
	out.final = contest.Median(finals)
	return out, nil
}
