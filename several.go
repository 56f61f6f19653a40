package lanes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// solveBy is the function that several fits use.
func (p *Problem) solveBy() related.Solve {
	return func(ctx context.Context, q *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
		return p.minimise(ctx, p.method, q, s)
	}
}

// run is how several fits are made. Each runs to a target: without one, the first fit would
// take all the time.
func (p *Problem) run() related.Run {
	s := p.settings
	if s.GapTolerance == 0 && s.GradientTolerance == 0 {
		if s.GapTolerance = p.tolerances.gap; !p.hasGap() {
			s.GapTolerance, s.GradientTolerance = 0, p.tolerances.gradient
		}
	}
	if p.o.Settings.MaxEpochs == 0 {
		s.MaxEpochs = targetPasses // with MaxTime too, so that runs can resume each other
	}
	by := related.Run{Solve: p.solveBy(), Settings: s, Name: p.method.Text, Penalty: p.at, File: p.stream}
	if p.stream != nil {
		by.SolveRows = p.solveRows
	}
	if p.several == nil {
		by.Begin = p.series(nil)
	}
	return by
}

// eachClass is the problem of every class against the rest, and the solver for it.
func (p *Problem) eachClass() (c *related.Classes, solver string) {
	c = &related.Classes{Problem: p.Problem, Class: p.several.of, Count: len(p.several.labels)}
	c.SampleWeight = p.rowWeights // without the weights of the classes
	switch w := p.o.ClassWeight; {
	case w.Balanced:
		c.Weight = erm.BalancedWeights
	case w != ClassWeight{}:
		c.Weight = func([]float64) (float64, float64, error) { return w.Negative, w.Positive, nil }
	}
	if solver = p.method.Name; solver == Auto {
		solver = p.standsFor(p.settings)
	}
	if solver == (sdca.Hybrid{}).Name() {
		c.Finish = func(ctx context.Context, q *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			return erm.Solve(ctx, q, erm.Newton{}, s)
		}
	}
	c.Together = solver == sdca.Hybrid{}.Name() || p.method.Method == any(sdca.Prox{}) // whose parameters steps on several classes do not have
	return c, solver
}

// trainClasses trains every class against the rest.
func (p *Problem) trainClasses(ctx context.Context) (*Fitted, error) {
	if p.stream != nil {
		p = p.besidePath(2 * len(p.several.labels)) // the sum of all has the weights too
	}
	own := *p
	own.found = new(notes.List)
	by := own.run()
	c, name := p.eachClass()
	end := p.stage(Stage{What: "classes", Fits: c.Count, Group: 1, Limits: by.Settings})
	defer end()
	by = p.watched(by)
	c.Finish = p.counted(c.Finish)
	if p.stream != nil {
		if err := p.toldApart(c); err != nil {
			return nil, err
		}
	}
	fits, err := related.OneVsRest(ctx, c, by)
	if fits == nil {
		return nil, err
	}
	end()
	total := related.Total(fits)
	_, columns, _, _ := p.Shape()
	total.Solver, total.Weights = name, make([]float64, 0, columns*len(fits))
	f := &Fitted{Result: &total, Used: by.Settings, Method: p.method, Metrics: map[string]float64{}}
	for k, fit := range fits {
		if fit == nil {
			fit = &solvers.Result{Weights: make([]float64, columns), Point: solvers.Point{Objective: math.NaN(), GradientNorm: math.NaN(), Gap: math.NaN()}, Status: solvers.Cancelled}
			f.NotBegun++
		}
		total.Weights = append(total.Weights, fit.Weights...)
		f.Fits = append(f.Fits, Fit{Number: k, Label: p.several.labels[k], Rows: p.several.counts[k], Result: fit})
	}
	f.What, f.Notes = "classes", own.found.All()
	f.missed(fits)
	if f.NotBegun == len(fits) {
		return nil, cmp.Or(err, ErrNotBegun)
	}
	pool := sparse.NewPool(p.settings.Workers)
	defer pool.Close()
	total.Workers = pool.Workers()
	if p.stream != nil {
		return f, errors.Join(err, p.measureClassesInFile(ctx, f, true))
	}
	if predicted, wrong := p.classesOfRows(pool, total.Weights); wrong == nil {
		f.Metrics["train_accuracy"] = p.several.share(predicted, p.rowWeights)
		f.measureClasses(p.several.of, predicted, p.rowWeights)
	}
	return f, err
}

// measureClasses gives every class its F1. It needs no table of all classes against all.
func (f *Fitted) measureClasses(actual, predicted []uint32, weight []float64) {
	tables := make([]metrics.Confusion, len(f.Fits))
	for i, k := range actual {
		w := weightOf(weight, i)
		if predicted[i] == k {
			tables[k].TruePositive += w
			continue
		}
		tables[k].FalseNegative += w
		tables[predicted[i]].FalsePositive += w
	}
	for k, table := range tables {
		f.Fits[k].F1 = table.F1()
	}
}

// classesOfRows gives each training row the class of its largest score.
func (p *Problem) classesOfRows(pool *sparse.Pool, w []float64) ([]uint32, error) {
	n, d := p.X.Rows(), p.X.Cols()
	best, scores, predicted := make([]float64, n), make([]float64, n), make([]uint32, n)
	for k := range p.several.labels {
		if err := p.X.MulVec(pool, scores, w[k*d:(k+1)*d]); err != nil {
			return nil, err
		}
		for i, s := range scores {
			if k == 0 || s > best[i] {
				best[i], predicted[i] = s, uint32(k)
			}
		}
	}
	return predicted, nil
}

// classWeights are the weights of rows of several classes by their class, times their own;
// nil for 1.
func (p *Problem) classWeights() []float64 {
	if !p.o.ClassWeight.Balanced {
		return p.rowWeights
	}
	c := p.several
	weights := make([]float64, len(c.of))
	for i, k := range c.of {
		weights[i] = balanced(len(weights), len(c.counts), c.counts[k])
		if p.rowWeights != nil {
			weights[i] *= p.rowWeights[i]
		}
	}
	return weights
}

// balanced is the weight of the rows of a class that has a count of all rows.
func balanced(rows, classes, count int) float64 {
	return float64(rows) / float64(classes*count)
}

// jointly has all classes fitted at every point of a path: the labels of the problem are the
// numbers of the classes then.
func (p *Problem) jointly(by related.Run) (*erm.Problem, related.Run) {
	q := p.Problem
	q.Y = make([]float64, len(p.several.of))
	for i, k := range p.several.of {
		q.Y[i] = float64(k)
	}
	by.Classes = len(p.several.labels)
	if p.several.whole {
		q.SampleWeight = p.classWeights()
		by.Name, by.Solve = p.wholeSolver(), p.solveNumbered
		return &q, by
	}
	if p.rowWeights == nil {
		q.SampleWeight = p.classWeights()
	}
	each, solver := p.eachClass()
	text := ""
	switch w := p.o.ClassWeight; {
	case w.Balanced:
		text = "balanced"
	case w != ClassWeight{}:
		text = fmt.Sprintf("%v:%v", w.Positive, w.Negative)
	}
	by.Name = fmt.Sprintf("%s, each against the rest by %s, class weights %q", p.method.Text, solver, text)
	by.Solve, by.Begin = each.Rest(by.Solve), p.series(each)
	return &q, by
}

// series is related.Run.Begin where points of a path share what the solver finds out, or one matrix
// gives all points of a squared loss; nil elsewhere, and of rows in shards. each is the problem of several classes, or nil.
func (p *Problem) series(each *related.Classes) func(*erm.Problem) (related.Series, error) {
	if p.settings.Shards > 0 {
		return nil // each point sweeps over the shards
	}
	method, ok := p.method.Method.(elasticnet.Method)
	if !ok && !(p.method.Name == Auto && each == nil && elasticnet.Shares(&p.Problem)) {
		return nil
	}
	by := related.SparsePath{Method: method}
	if each != nil {
		return each.RestSparse(by)
	}
	return by.Begin
}

// targetMetric is metric for a regression. Scores are predictions but for a linked loss.
func (p *Problem) targetMetric(name string) (metrics.Metric, error) {
	linked, is := p.Loss.(loss.Linked)
	if name == "" {
		switch name = "loss"; {
		case is:
			name = "deviance"
		case p.Loss.Quadratic():
			name = "mse"
		}
	}
	m := p.MeanLoss()
	switch m.Name = name; {
	case name == "deviance" && is:
		m.Compute = meanDeviance(linked)
	case name == "loss":
	case name == "mse":
		m.Compute = p.ofPredictions(metrics.MeanSquaredError)
	case name == "mae":
		m.Compute = p.ofPredictions(metrics.MeanAbsoluteError)
	default:
		return metrics.Metric{}, badOption("Metric", name, "the metrics of a regression are loss, mse, mae, and deviance for %s", strings.Join(linkedLosses(), ", "))
	}
	logged, err := p.logged()
	if logged {
		m.Name += "_of_log"
	}
	return m, err
}

// ofPredictions returns a metric of predictions as one of scores.
func (p *Problem) ofPredictions(compute func(score, target, weight []float64) (float64, error)) func(score, target, weight []float64) (float64, error) {
	return func(score, target, weight []float64) (float64, error) {
		if _, is := p.Loss.(loss.Linked); is {
			score = slices.Clone(score)
			loss.Means(p.Loss, score)
		}
		return compute(score, target, weight)
	}
}

// metric is the metric of a name, "" for the usual one: a function of the score and the label
// of every row, or of the scores of all classes and of the row's.
func (p *Problem) metric() (metrics.Metric, error) {
	name := metrics.Name(p.o.Metric)
	switch {
	case p.several != nil:
		return p.classMetric(name)
	case p.regression:
		return p.targetMetric(name)
	case name == "":
		switch p.method.Objective {
		case solvers.AveragePrecision:
			name = "ap"
		case solvers.PartialAUC, solvers.StructuralSVM:
			name = fmt.Sprintf("pauc:%v,%v,%v", p.rates[0], p.rates[1], p.minTPR)
		}
	}
	binomial, is := p.Loss.(loss.Binomial)
	odds := (p.o.loss().Odds() || is) && !p.ranking()
	usual := "accuracy"
	if odds {
		usual = LogLoss
	}
	m, err := metrics.Find(cmp.Or(name, usual))
	switch {
	case err == nil && is:
		m = ofOdds(m, binomial)
	case err != nil:
		err = badOption("Metric", name, "%v", plain(err))
	case m.Name == LogLoss && !odds && p.ranking():
		err = badOption("Metric", name, "the scores of %s give no probabilities", p.method.Name)
	case m.Name == LogLoss && !odds:
		err = badOption("Metric", name, "the scores of the %v loss give no probabilities", p.Loss)
	}
	return m, err
}

// ofOdds returns a metric of log odds as one of the margins of a loss with a link.
func ofOdds(m metrics.Metric, l loss.Binomial) metrics.Metric {
	compute := m.Compute
	m.Compute = func(score, label, weight []float64) (float64, error) {
		odds := make([]float64, len(score))
		for i, z := range score {
			odds[i] = l.LogOdds(z)
		}
		return compute(odds, label, weight)
	}
	return m
}

// classMetric is a metric of several classes.
func (p *Problem) classMetric(name string) (metrics.Metric, error) {
	usual := "accuracy"
	if p.o.loss().Odds() {
		usual = LogLoss
	}
	if name == LogLoss && usual != name {
		return metrics.Metric{}, badOption("Metric", name, "the scores of the %v loss give no probabilities", p.Loss)
	}
	m, err := model.ClassMetric(cmp.Or(name, usual), p.several.labels, p.several.whole)
	if err != nil {
		err = badOption("Metric", name, "%v", plain(err))
	}
	return m, err
}

// largestL1 is the weight of the L1 norm from which on all weights are 0, of every class. Rows in shards take sweeps.
func (p *Problem) largestL1(ctx context.Context) (float64, error) {
	most := func(y, weight []float64) (high float64, err error) {
		q := p.With(p.Penalty)
		if q.Y, q.SampleWeight = y, weight; p.settings.Shards > 0 {
			high, _, err = elasticnet.MaxL1InShards(ctx, &solvers.Task{Problem: *q, Rows: p.stream}, p.settings)
			return high, err
		}
		high, _, err = elasticnet.MaxL1(nil, q)
		return high, err
	}
	switch {
	case p.several == nil:
		return most(p.Y, p.SampleWeight)
	case p.several.whole:
		return softmax.LargestNorm(p.wholeProblem(&softmax.Problem{X: p.X, Class: p.several.of, SampleWeight: p.classWeights()}, p.at(1)))
	}
	high := 0.0
	each, _ := p.eachClass()
	for k := range p.several.labels {
		y, weight := p.several.signs(k), p.rowWeights
		if each.Weight != nil {
			negative, positive, err := each.Weight(y)
			if err == nil {
				weight, err = erm.ClassWeight(y, weight, negative, positive)
			}
			if err != nil {
				return 0, err
			}
		}
		largest, err := most(y, weight)
		if err != nil {
			return 0, err
		}
		high = max(high, largest)
	}
	return high, nil
}

// at returns the penalty at a point that a path or folds have chosen.
func (p *Problem) at(point float64) penalty.Penalty {
	if p.path {
		return p.posed(point, p.ridge)
	}
	return p.posed(p.l1, point)
}

// chosen is a copy of a problem whose weight a path or folds have chosen.
func (p *Problem) chosen(weight float64) *Problem {
	own := *p
	own.Penalty = p.at(weight)
	if p.path {
		own.l1, own.path = weight, false
	}
	return &own
}
