package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/sparse"
)

var paucStudy = study{
	name:    "pauc",
	title:   "Large-scale Optimization of Partial AUC in a Range of False Positive Rates",
	authors: "Yao, Lin, Yang",
	claim:   "AGD-SBCD reduces the loss much faster than DCA and proximal DCA and ends with the better partial AUC. It passes SVMpAUC-tight's area in a small share of its time and ends at least 12 % above it. It has the highest partial AUC on test rows.",
	setting: "Section 6 and appendix E with linear models: logistic loss of the pairs, false-positive rates of 0.05 to 0.5, batches of 100 + 100 (100 for ranges), the grids of appendix E, w = 0 at the start. " +
		"The paper's data are features of a deep network on X-rays (CheXpert), which are not at hand: a9a, w8a, ijcnn1 and a generated set of 100,000 negatives take their place. For the ranked range a9a, w8a and ijcnn1 are the paper's own. " +
		"Batches are parts of shuffled passes, where algorithm 1 draws every batch from all rows. The weights are those of the last outer iteration, where algorithm 2 takes a random one. " +
		"mu, gamma and c are given as multiples of the paper's unit 1/(N+ N-), or 1/N for ranges. Proximal DCA has the paper's largest L, 1, or L = N+ N-/1000, which gives its term the weight of AGD-SBCD's 1/mu. Areas are normalised to 1.",
	parts: paucParts,
	answer: func(parts map[string]shown) string {
		phi, area, test, ranks := parts["Figures 1 and 3"].found[0], parts["Figures 1 and 3"].found[2], parts["Table 2"].head(), parts["Figure 2"].head()
		return fmt.Sprintf("%s, on other data and with linear models only: AGD-SBCD ends with the lowest training loss on %s; with the highest training area on %s; with the highest test area on %s. Its loss in a ranked range is the lowest throughout on %s.",
			sentence(phi.word()), phi.counts(), area.counts(), test.counts(), ranks.counts())
	},
}

const (
	rateLow, rateHigh = 0.05, 0.5
	pairEpochs        = 60
	rangeEpochs       = 50
)

// paucSetting is a solver with some of its parameters.
type paucSetting struct {
	name string
	set  map[string]string
}

func (s paucSetting) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.set)) {
		if name != "paper" && name != "outer" {
			parts = append(parts, name+"="+s.set[name])
		}
	}
	return s.name + " " + strings.Join(parts, " ")
}

// paperSetting is a solver in the paper's setting, for runs that end with their epochs.
func paperSetting(name string, parameters map[string]float64) paucSetting {
	s := paucSetting{name, map[string]string{"paper": "true"}}
	if name != "mb-pauc" && name != "auc-m" && name != "svm-pauc-tight" {
		s.set["outer"] = "10000"
	}
	if name == "svm-pauc-tight" {
		delete(s.set, "paper")
	}
	for k, v := range parameters {
		s.set[k] = fmt.Sprint(v)
	}
	return s
}

// paucFamily is an algorithm as the figures name it, with the settings it is tuned over.
type paucFamily struct {
	label string
	grid  []paucSetting
}

// proximalWeights are one over the weight of proximal DCA's term: 0 stands for the paper's
// L = 1, which is so small beside a loss of all pairs that nothing changes; 1000 is the mu of
// AGD-SBCD.
var proximalWeights = []float64{0, 1000}

// pairFamilies is appendix E.2.
func pairFamilies(quick bool) []paucFamily {
	steps, lengths := []float64{0.1, 1, 5, 10, 20, 30}, []float64{100, 200, 500}
	envelopes := [][2]float64{{100, 20}, {100, 50}, {1000, 2}, {1000, 5}}
	if quick {
		steps, lengths, envelopes = []float64{5, 30}, []float64{100}, [][2]float64{{100, 20}, {1000, 5}}
	}
	list := []paucFamily{{label: "AGD-SBCD"}, {label: "DCA"}, {label: "proximal DCA"}}
	for _, c := range steps {
		for _, e := range envelopes {
			list[0].grid = append(list[0].grid, paperSetting("agd-sbcd", map[string]float64{"inner": c, "length": 50, "mu": e[0], "step": e[1]}))
		}
		for _, length := range lengths {
			list[1].grid = append(list[1].grid, paperSetting("dca", map[string]float64{"inner": c, "length": length}))
			for _, mu := range proximalWeights {
				set := map[string]float64{"inner": c, "length": length}
				if mu > 0 {
					set["mu"] = mu
				}
				list[2].grid = append(list[2].grid, paperSetting("prox-dca", set))
			}
		}
	}
	return list
}

// rangeFamilies is appendix E.1.
func rangeFamilies(quick bool) []paucFamily {
	steps, lengths := []float64{0.1, 1, 2, 5, 10}, []float64{30, 50, 100}
	gammas, constants, counts := []float64{200, 500, 800, 4000, 20000}, []float64{0.01, 0.1, 0.5, 1}, []float64{2000, 3000}
	if quick {
		steps, lengths, gammas, constants, counts = []float64{2, 10}, []float64{50}, []float64{800, 4000}, []float64{0.1, 1}, []float64{2000}
	}
	list := []paucFamily{{label: "AGD-SBCD"}, {label: "DCA.Constant.lr"}, {label: "DCA.Changing.lr"}}
	for _, c := range steps {
		for _, length := range lengths {
			for _, mu := range []float64{200, 1000} {
				for _, gamma := range gammas {
					list[0].grid = append(list[0].grid, paperSetting("sorr-agd", map[string]float64{"inner": c, "length": length, "mu": mu, "step": gamma / mu}))
				}
			}
			list[2].grid = append(list[2].grid, paperSetting("sorr-dca", map[string]float64{"inner": c, "length": length}))
		}
	}
	for _, c := range constants {
		for _, count := range counts {
			s := paperSetting("sorr-dca", map[string]float64{"inner": c, "length": count})
			s.set["constant"] = "true"
			list[1].grid = append(list[1].grid, s)
		}
	}
	return list
}

// paucSet is a data set with its problems.
type paucSet struct {
	name         string
	train, test  rowsOf
	fit, valid   rowsOf // nine tenths and one tenth of train
	pairs        *pauc.Problem
	ranges       *pauc.RangeProblem
	pairFamilies []paucFamily
	others       []paucFamily // that only the test has
	ranked       []paucFamily
	seeds        int
}

// rowsOf are rows with their labels.
type rowsOf struct {
	x *sparse.Matrix
	y []float64
}

func (r rowsOf) area(w []float64) (float64, error) {
	return measured(r.x, r.y, w[:r.x.Cols()], func(scores, labels, weights []float64) (float64, error) {
		_, area, err := metrics.PartialAUC(scores, labels, weights, rateLow, rateHigh, 0)
		return area, err
	})
}

func (l *laboratory) paucSet(name string) (*paucSet, error) {
	var split *datasets.Split
	var err error
	if name == "generated" {
		split, err = datasets.Generated(name, "imbalanced:n=154700")
	} else {
		split, err = datasets.Load(l.data, name)
	}
	if err != nil {
		return nil, err
	}
	s := &paucSet{name: split.Name, train: rowsOf{split.X, split.Y}, test: rowsOf{split.TestX, split.TestY}, seeds: l.runs(5)}
	if split.Placeholder {
		s.name += " (generated)"
	}
	order := rand.New(rand.NewPCG(9, 1)).Perm(len(split.Y))
	cut := len(order) * 9 / 10
	if s.fit.x, s.fit.y, err = datasets.Pick(split.X, split.Y, order[:cut]); err != nil {
		return nil, err
	}
	if s.valid.x, s.valid.y, err = datasets.Pick(split.X, split.Y, order[cut:]); err != nil {
		return nil, err
	}
	if s.pairs, err = pauc.Paper(split.X, split.Y); err != nil {
		return nil, err
	}
	if s.ranges, err = pauc.PaperRange(split.X, split.Y); err != nil {
		return nil, err
	}
	s.pairFamilies, s.ranked = pairFamilies(l.quick), rangeFamilies(l.quick)
	rates := []float64{1e-2, 1e-1, 1, 10, 100}
	if l.quick {
		rates = []float64{1, 10}
	}
	mb, margin := paucFamily{label: "MB"}, paucFamily{label: "AUC-M"}
	for _, rate := range rates {
		mb.grid = append(mb.grid, paperSetting("mb-pauc", map[string]float64{"step": rate, "stages": 20}))
		for _, mu := range []float64{100, 500, 1000} {
			margin.grid = append(margin.grid, paperSetting("auc-m", map[string]float64{"step": rate, "mu": mu, "stages": 20}))
		}
	}
	svm := paucFamily{label: "SVMpAUC-tight"}
	for _, lambda := range []float64{1, 10, 100, 1000} { // 1/C
		svm.grid = append(svm.grid, paucSetting{"svm-pauc-tight", map[string]string{"lambda": fmt.Sprint(lambda)}})
	}
	s.others = []paucFamily{svm, mb, margin, {label: "CE", grid: []paucSetting{{"logistic", map[string]string{"lambda": "0.1"}}, {"logistic", map[string]string{"lambda": "1"}}, {"logistic", map[string]string{"lambda": "10"}}}}}
	return s, nil
}

// solvePairs runs a setting, whose lambda is not one of the solver's parameters.
func solvePairs(ctx context.Context, p *pauc.Problem, s paucSetting, settings solvers.Settings) (*solvers.Result, error) {
	own, parameters := *p, maps.Clone(s.set)
	if text, has := parameters["lambda"]; has {
		if _, err := fmt.Sscan(text, &own.Lambda); err != nil {
			return nil, err
		}
		delete(parameters, "lambda")
	}
	m, err := pauc.ByName(s.name, parameters)
	if err != nil {
		return nil, err
	}
	return pauc.Solve(ctx, &own, m, settings)
}

func (s *paucSet) start() []float64 { return make([]float64, s.train.x.Cols()) }

// training is a run on all training rows: loss, area and test area at every outer iterate.
func (s *paucSet) training(c paucSetting, seed int) run {
	return run{fmt.Sprintf("%s; %v; seed %d", s.name, c, seed), pairEpochs * float64(s.train.x.Rows()), func(ctx context.Context) (record, error) {
		r := make(record)
		w := new(watch)
		w.metric = func(at []float64) (float64, error) {
			phi, err := s.pairs.Loss(nil, at)
			if err != nil {
				phi = math.Inf(1)
			}
			area, err := s.train.area(at)
			if err != nil {
				return 0, err
			}
			test, err := s.test.area(at)
			r["loss"], r["area"], r["test"] = append(r["loss"], phi/(rateHigh-rateLow)), append(r["area"], area), append(r["test"], test)
			return float64(len(r["loss"])), err
		}
		_, err := solvePairs(ctx, s.pairs, c, solvers.Settings{
			MaxEpochs: pairEpochs, Seed: uint64(seed), Workers: 1, Initial: s.start(), Recorder: w, Validation: w, Patience: math.MaxInt})
		if err != nil {
			return nil, err
		}
		for _, p := range w.trace {
			r["passes"], r["seconds"] = append(r["passes"], p.Epochs), append(r["seconds"], p.Seconds)
		}
		return r, nil
	}}
}

// testing is a run on nine tenths of the training rows that keeps the point with the
// highest area on the others.
func (s *paucSet) testing(c paucSetting, seed int) run {
	return run{fmt.Sprintf("test: %s; %v; seed %d", s.name, c, seed), pairEpochs / 2 * float64(s.train.x.Rows()), func(ctx context.Context) (record, error) {
		weights, valid, err := s.kept(ctx, c, seed)
		if err != nil {
			return nil, err
		}
		test, err := s.test.area(weights)
		if err != nil {
			return nil, err
		}
		r := record{"valid": {valid}, "test": {test}}
		r["false"], r["true"], err = rates(s.test, weights)
		return r, err
	}}
}

func (s *paucSet) kept(ctx context.Context, c paucSetting, seed int) (weights []float64, valid float64, err error) {
	if c.name == "logistic" {
		p := &erm.Problem{X: s.fit.x.WithBias(1), Y: s.fit.y, Loss: loss.Logistic{}}
		var lambda float64
		if _, err := fmt.Sscan(c.set["lambda"], &lambda); err != nil {
			return nil, 0, err
		}
		p.Penalty = penalty.Ridge{Lambda: lambda / float64(len(s.fit.y))}
		got, err := erm.Solve(ctx, p, erm.Newton{}, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 1000, Workers: 1})
		if err != nil {
			return nil, 0, err
		}
		weights = got.Weights[:s.fit.x.Cols()]
	} else {
		p, err := pauc.Paper(s.fit.x, s.fit.y)
		if err != nil {
			return nil, 0, err
		}
		w := &watch{metric: s.valid.area}
		got, err := solvePairs(ctx, p, c, solvers.Settings{
			MaxEpochs: pairEpochs / 2, Seed: uint64(seed), Workers: 1, Initial: s.start(), Recorder: w, Validation: w, Patience: math.MaxInt})
		if err != nil {
			return nil, 0, err
		}
		weights = got.Weights
	}
	valid, err = s.valid.area(weights)
	return weights, valid, err
}

// rates is the ROC curve, at as many points as one can see.
func rates(r rowsOf, w []float64) (falsePositive, truePositive []float64, err error) {
	ranking, err := ranked(r.x, r.y, w)
	if err != nil {
		return nil, nil, err
	}
	points, err := ranking.ROCCurve()
	if err != nil {
		return nil, nil, err
	}
	nextFalse, nextTrue := 0.0, 0.0
	for _, p := range points {
		if p.FalsePositiveRate >= nextFalse || p.TruePositiveRate >= nextTrue {
			falsePositive, truePositive = append(falsePositive, p.FalsePositiveRate), append(truePositive, p.TruePositiveRate)
			nextFalse, nextTrue = p.FalsePositiveRate+2./mostPoints, p.TruePositiveRate+2./mostPoints
		}
	}
	return falsePositive, truePositive, nil
}

// ranking is a run on the sum of ranked range: its loss at every outer iterate.
func (s *paucSet) ranking(c paucSetting, seed int) run {
	return run{fmt.Sprintf("range: %s; %v; seed %d", s.name, c, seed), rangeEpochs * float64(s.train.x.Rows()), func(ctx context.Context) (record, error) {
		m, err := pauc.ByName(c.name, c.set)
		if err != nil {
			return nil, err
		}
		var w watch
		if _, err := pauc.SolveRange(ctx, s.ranges, m, solvers.Settings{MaxEpochs: rangeEpochs, Seed: uint64(seed), Workers: 1, Initial: s.start(), Recorder: &w}); err != nil {
			return nil, err
		}
		r := make(record)
		for _, p := range w.trace {
			r["passes"], r["loss"] = append(r["passes"], p.Epochs), append(r["loss"], p.Objective)
		}
		return r, nil
	}}
}
