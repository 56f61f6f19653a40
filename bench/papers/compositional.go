package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/testing/quadratic"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

var compositionalStudy = study{
	name:    "scvrg",
	title:   "Improved Sample Complexity for Stochastic Compositional Variance Reduced Gradient",
	authors: "Lin, Fan, Wang, Jordan",
	claim:   "On sparse mean-variance portfolios SCVRG outperforms AGD, SCGD, ASC-PG and VRSC-PG on all data sets, in plots of the gap against samples/N; AGD is the worst on the large sets.",
	setting: "Section V: min over x in a box of (1/N) sum (r_i'x - mean)^2 - mean + lambda ||x||_1 on daily returns of Ken French's portfolios, A = B = 5, eta = 0.01, lambda by cross-validation. " +
		"The section leaves out the units of the returns (here per cent), the folds (here five parts of the time), the box (here [-1, 1]), the start (here 1/d for each weight, as in a public copy of the authors' code), returns that are missing (here the mean of the portfolio's other returns) and the first epoch (here 10, as in theorem 3). " +
		"Epochs are half as long as printed: with the printed lengths the last step is infinite, and the proof halves them too. " +
		"Phi* comes from coordinate descent with a Cholesky factorisation; it meets the optimality conditions within 1e-10. The paper takes the last value of a long run of SCVRG instead. " +
		"Each data set is run in three settings. First, eta = 0.01 for SCVRG and VRSC-PG and as the first step of SCGD and ASC-PG, whose steps shrink; AGD has steps 1/L. The paper gives the other methods their authors' default parameters, which it does not print. " +
		"Second, lanes' defaults. Third, with returns as fractions, lambda = 5e-7 and the steps of that copy, here called the authors' steps: 0.4 over the largest eigenvalue of R'R for SCVRG and VRSC-PG, 0.01 over it for AGD, 40 times less, and first steps of 1e-4 for SCGD and 1e-5 for ASC-PG. " +
		"That copy shrinks the weights by lambda where it should by lambda times the step, and so do the runs here: they need not come to the minimum. " +
		"It is of an earlier version of the paper, with 21 data sets, and differs from the paper: its epochs grow by 3/2 from 5, it samples one f_i, and it takes Phi* from 5,000 iterations of AGD. Whether the paper's figures were made with it is not known.",
	parts: compositionalParts,
	answer: func(parts map[string]shown) string {
		large := parts["Figure 1"].found
		var eta span
		var medium, coarse tally
		for _, name := range []string{"Figure 2", "Figure 3", "Figure 4"} {
			medium, coarse = medium.plus(parts[name].found[0]), coarse.plus(parts[name].found[1])
			eta.join(parts[name].eta)
		}
		return fmt.Sprintf("%s on 25 portfolios, where eta = 0.01 is %s times 1/L: SCVRG needs the fewest samples to a small gap on %s. "+
			"%s on 100 portfolios, where eta = 0.01 is %s times 1/L: SCVRG needs the fewest on %s, and AGD with steps 1/L on %s; with steps from the data (lanes' defaults) SCVRG needs the fewest on %s. "+
			"To only a hundredth of the first gap, SCVRG needs the fewest on %d of the %d sets of 25 portfolios.",
			sentence(medium.word()), eta.text("%.2g"), medium.counts(), sentence(large[0].word()), parts["Figure 1"].eta.text("%.2g"), large[0].counts(), large[4].counts(), large[7].counts(), coarse.holds, coarse.of)
	},
}

var markets = []struct{ figure, name, file string }{
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

// portfolioBox is the box constraint of compositional.PaperProblem.
const portfolioBox = 1

// portfolioLevels are the shares of the distance at the start that the tables ask for.
var portfolioLevels = []float64{1e-2, 1e-4, 1e-6}

// portfolio is a data set under one way to set the solvers.
type portfolio struct {
	figure, name, mode string
	n, d               int
	problem            *compositional.Problem
	lambda             float64
	first, least       float64 // Phi(x_0), Phi*
	longest            float64 // 1/L
	start              []float64
	budget             float64 // samples/N
	contenders         []portfolioContender
}

type portfolioContender struct {
	label  string
	method compositional.Method
}

const (
	paperMode   = "eta = 0.01"
	defaultMode = "lanes' defaults"
	authorsMode = "the authors' steps"
)

var portfolioModes = []string{paperMode, defaultMode, authorsMode}

func compositionalParts(l *laboratory) ([]part, error) {
	captions := map[string]string{"1": "large sets of 100 portfolios", "2": "25 portfolios by size and book-to-market", "3": "25 portfolios by size and operating profitability", "4": "25 portfolios by size and investment"}
	var parts []part
	var all []*portfolio
	for _, figure := range []string{"1", "2", "3", "4"} {
		var own []*portfolio
		for _, m := range markets {
			if m.figure != figure || l.quick && len(own) == 3 {
				continue
			}
			for _, mode := range portfolioModes {
				p, err := l.portfolio(m.figure, m.name, m.file, mode)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", m.name, err)
				}
				own = append(own, p)
			}
		}
		all = append(all, own...)
		parts = append(parts, portfolioPart("Figure "+figure, "Phi(x) - Phi* against samples/N, "+captions[figure], own, l.runs(3)))
	}
	return append([]part{
		portfolioTable(all)}, append(parts, portfolioTheorem(all, l.runs(3)))...), nil
}

// portfolio reads a set, or generates one of its size, and poses the problem.
func (l *laboratory) portfolio(figure, name, file, mode string) (*portfolio, error) {
	authors := mode == authorsMode
	r, err := returns.ReadFile(context.Background(), filepath.Join(l.data, file), returns.Options{Missing: returns.ImputeMean, Fraction: authors})
	if errors.Is(err, fs.ErrNotExist) {
		r, err = marketLike(name, authors)
		name += " (generated)"
	}
	if err != nil {
		return nil, err
	}
	p := &portfolio{figure: figure, name: name, mode: mode, n: r.Periods, d: len(r.Assets), lambda: 5e-7, budget: 400}
	if l.quick {
		p.budget = 100
	}
	if !authors {
		if p.lambda, err = portfolioWeight(r); err != nil {
			return nil, err
		}
	}
	if p.problem, p.start, err = compositional.PaperProblem(r.Values, p.n, p.d, p.lambda); err != nil {
		return nil, err
	}
	p.problem.UnitThreshold = authors
	exact := quadratic.MeanVariance(r.Values, p.d, 1, p.lambda, -portfolioBox, portfolioBox)
	best, err := exact.Solve(optimumPrecision)
	if err != nil {
		return nil, err
	}
	p.first, p.least = exact.Value(p.start), exact.Value(best)
	p.longest = 1 / p.problem.F.(compositional.Smooth).Smoothness()
	p.line()
	return p, nil
}

func marketLike(name string, fraction bool) (*returns.Table, error) {
	market := returns.Market{Seed: 1}
	if strings.HasPrefix(name, "US") {
		market.Periods, market.Assets = 13781, 100
	}
	r, err := market.Generate()
	if err == nil && fraction {
		for k := range r.Values {
			r.Values[k] /= 100
		}
	}
	return r, err
}

// portfolioWeight returns the best weight of the l1 norm by five-fold cross-validation over the
// periods, among weights whose portfolio is not empty.
func portfolioWeight(r *returns.Table) (float64, error) {
	d := len(r.Assets)
	const folds = 5
	best, chosen := math.Inf(1), 0.0
	for _, lambda := range []float64{5e-7, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2} {
		loss, held := 0.0, 0.0
		for fold := range folds {
			first, end := fold*r.Periods/folds, (fold+1)*r.Periods/folds
			rest := slices.Concat(r.Values[:first*d], r.Values[end*d:])
			x, err := quadratic.MeanVariance(rest, d, 1, lambda, -portfolioBox, portfolioBox).Solve(1e-8)
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

// line sets the solvers as the mode says.
func (p *portfolio) line() {
	switch p.mode {
	case authorsMode:
		// their eta is 0.4 (AGD: 0.01) over the largest eigenvalue of R'R
		scale := 2 * p.longest / float64(p.n)
		p.contenders = []portfolioContender{
			{"SCVRG", compositional.SCVRG{Step: 0.4 * scale, FirstEpoch: 10}},
			{"VRSC-PG", compositional.VRSCPG{Step: 0.4 * scale}},
			{"SCGD", compositional.SCGD{Step: 1e-4}},
			{"ASC-PG", compositional.ASCPG{Step: 1e-5, Ninths: true}},
			{"AGD", compositional.AGD{Step: 0.01 * scale, NoRestart: true}},
		}
	case paperMode:
		const eta = 0.01
		p.contenders = []portfolioContender{
			{"SCVRG", compositional.SCVRG{Paper: true}},
			{"VRSC-PG", compositional.VRSCPG{Step: eta}},
			{"SCGD", compositional.SCGD{Step: eta}},
			{"ASC-PG", compositional.ASCPG{Step: eta}},
			{"AGD", compositional.AGD{NoRestart: true}},
		}
	default:
		p.contenders = []portfolioContender{
			{"SCVRG", compositional.SCVRG{}},
			{"VRSC-PG", compositional.VRSCPG{}},
			{"SCGD", compositional.SCGD{}},
			{"ASC-PG", compositional.ASCPG{}},
			{"AGD", compositional.AGD{}},
		}
	}
}

func (p *portfolio) places() []float64 {
	var places []float64
	for k := range 101 {
		places = append(places, p.budget*float64(k)/100)
	}
	return places
}

func (p *portfolio) key(c portfolioContender, seed int) string {
	return fmt.Sprintf("%s; %s; lambda %g; %s %+v; %g samples/N; seed %d", p.name, p.mode, p.lambda, c.method.Name(), c.method, p.budget, seed)
}

// run is one solver from one seed: the gap along the samples, and the samples/N at which
// each level was reached.
func (p *portfolio) run(c portfolioContender, seed int) run {
	return run{p.key(c, seed), p.budget * float64(p.n*p.d), func(ctx context.Context) (record, error) {
		var trace solvers.Trace
		s := settings(seed, p.budget/2) // a pass is 2N samples
		s.RecordEvery, s.Initial, s.Recorder = p.budget/400, p.start, &trace
		result, err := compositional.Solve(ctx, p.problem, c.method, s)
		if err != nil {
			return nil, err
		}
		samples, gap := make([]float64, len(trace)), make([]float64, len(trace))
		for i, point := range trace {
			samples[i], gap[i] = float64(point.GradientEvaluations)/float64(p.n), point.Objective-p.least
		}
		r := record{"gap": sampled(samples, gap, p.places())}
		for _, level := range portfolioLevels {
			at := slices.IndexFunc(gap, func(g float64) bool { return g <= level*(p.first-p.least) })
			if at < 0 {
				r["reached"] = append(r["reached"], math.Inf(1))
			} else {
				r["reached"] = append(r["reached"], samples[at])
			}
		}
		if result.Status == solvers.Diverged {
			r["gap"][len(r["gap"])-1] = math.Inf(1)
		}
		return r, nil
	}}
}
