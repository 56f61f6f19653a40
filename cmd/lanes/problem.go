package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// problemFlags say which problem the data pose.
type problemFlags struct {
	data        dataFlags
	loss        string
	huber       float64
	lambda, c   float64
	bias        bool
	normalize   string
	positive    string
	classWeight string
	networkFlags
	relatedFlags
	fpr       string
	rankRange string

	lambdaSet, cSet bool
	kind            kernels.Loss
	positiveLabel   *float64
	weights         [2]float64 // of positives and negatives, where given as numbers
	rates           [2]float64
	ranks           func(rows int) (m, n int)
	maxMemory       string
	mostMemory      int64    // bytes, 0 where the machine and the data decide
	solvers         []string // that are to run
}

var lossNames = []string{"logistic", "squared", "squared-hinge", "huber"}

func (f *problemFlags) register(cmd *cobra.Command) {
	f.data.register(cmd, true)
	flags := cmd.Flags()
	flags.StringVar(&f.loss, "loss", "logistic", "loss: "+strings.Join(lossNames, ", "))
	flags.Float64Var(&f.huber, "huber", 1, "where the Huber loss turns linear")
	flags.Float64Var(&f.lambda, "lambda", 0, "weight of the regulariser lambda/2 ||w||^2 beside the mean loss (default 1/n)")
	flags.Float64Var(&f.c, "C", 0, "as in LIBLINEAR, in place of --lambda: lambda = 1/(C n)")
	flags.BoolVar(&f.bias, "bias", false, "append a constant column of 1 (regularised like the rest)")
	flags.StringVar(&f.normalize, "normalize", model.NormalizeNone, "none; unit: rows of length 1; minmax: columns from 0 to 1")
	flags.StringVar(&f.positive, "positive", "", "label of the positive class, against all others (default the larger of two)")
	flags.StringVar(&f.classWeight, "class-weight", "", "balanced, or POS:NEG as in 5:1")
	flags.StringVar(&f.maxMemory, "max-memory", "", "memory that a run may take, as in 8GB (default what is free, and no more than 4 GiB or 1000 times the data)")
	cmd.RegisterFlagCompletionFunc("loss", cobra.FixedCompletions(lossNames, cobra.ShellCompDirectiveNoFileComp))
	cmd.RegisterFlagCompletionFunc("normalize", cobra.FixedCompletions(
		[]string{model.NormalizeNone, model.NormalizeUnit, model.NormalizeMinMax}, cobra.ShellCompDirectiveNoFileComp))
}

// registerRanges adds the flags of solvers that rank.
func (f *problemFlags) registerRanges(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.fpr, "fpr", "0,0.05", "range LO,HI of false-positive rates, for solvers of the partial AUC")
	cmd.Flags().StringVar(&f.rankRange, "range", "0.02,0.6", "range M,N of ranked losses, or of shares of the rows (with a point), for the sorr solvers")
}

// check turns the flags into values before anything is read.
func (f *problemFlags) check(cmd *cobra.Command) (err error) {
	if f.kind, err = kernels.ParseLoss(f.loss); err != nil {
		return usagef("--loss %s: there are %s", f.loss, strings.Join(lossNames, ", "))
	}
	f.lambdaSet, f.cSet = cmd.Flags().Changed("lambda"), cmd.Flags().Changed("C")
	switch {
	case f.lambdaSet && f.cSet:
		return usagef("give --lambda or --C, not both: lambda = 1/(C n)")
	case f.lambdaSet && !(f.lambda >= 0 && f.lambda <= math.MaxFloat64):
		return usagef("--lambda %v: it must be 0 or more", f.lambda)
	case f.cSet && !(f.c > 0 && f.c <= math.MaxFloat64 && 1/f.c <= math.MaxFloat64):
		return usagef("--C %v: it must be positive, and lambda = 1/(C n) finite", f.c)
	case !(f.huber > 0 && f.huber <= math.MaxFloat64):
		return usagef("--huber %v: it must be positive", f.huber)
	}
	switch f.normalize {
	case model.NormalizeNone, model.NormalizeUnit, model.NormalizeMinMax:
	default:
		return usagef("--normalize %s: there are none, unit and minmax", f.normalize)
	}
	if v, err := strconv.ParseFloat(f.positive, 64); err == nil && v-v != 0 {
		return usagef("--positive %s: a label is finite", f.positive)
	}
	if f.mostMemory, err = parseMemory(f.maxMemory); err != nil {
		return err
	}
	if f.classWeight != "" && f.classWeight != "balanced" {
		left, right, found := strings.Cut(f.classWeight, ":")
		positive, err1 := strconv.ParseFloat(left, 64)
		negative, err2 := strconv.ParseFloat(right, 64)
		if !found || err1 != nil || err2 != nil || !(positive >= 0 && negative >= 0) || positive+negative == 0 || math.IsInf(positive+negative, 0) {
			return usagef("--class-weight %s: give balanced, or two numbers POS:NEG as in 5:1", f.classWeight)
		}
		f.weights = [2]float64{positive, negative}
	}
	return nil
}

// prepared is a data set made ready for a solver.
type prepared struct {
	erm.Problem
	data       *dataset
	columns    int // without the bias
	labels     sparse.LabelMap
	regression bool
	positives  int
	scaler     *sparse.Scaler
	model      score.Model // nil for a linear one
	several    *classSet   // nil for two classes or a regression
	rates      [2]float64  // of false positives, for solvers that take them
	ranks      func(rows int) (m, n int)
}

// prepare scales the rows, sorts the labels into classes and fixes lambda.
func (f *problemFlags) prepare(data *dataset) (*prepared, error) {
	p := &prepared{data: data, rates: f.rates, ranks: f.ranks, columns: data.X.Cols()}
	p.Loss, p.Delta = f.kind, f.huber
	n := float64(data.X.Rows())
	switch {
	case f.cSet:
		p.Lambda = 1 / (f.c * n)
	case f.lambdaSet:
		p.Lambda = f.lambda
	default:
		p.Lambda = 1 / n
	}
	if p.columns == 0 && !f.bias {
		return nil, dataError{fmt.Errorf("%s has no features: there is nothing to train on", data.name)}
	}
	if err := f.findPositive(data); err != nil {
		return nil, err
	}
	if err := f.classes(p); err != nil {
		return nil, err
	}
	if err := f.checkRoom(p); err != nil {
		return nil, err
	}
	p.X = data.X
	switch f.normalize {
	case model.NormalizeUnit:
		p.X = p.X.NormalizeUnit()
	case model.NormalizeMinMax:
		scaler, err := sparse.FitMinMax(p.X)
		if err == nil {
			p.X, err = scaler.Apply(p.X)
		}
		if err != nil {
			return nil, dataError{fmt.Errorf("%s: %w", data.name, err)}
		}
		p.scaler = scaler
	}
	if f.bias {
		p.X = p.X.WithBias(1)
	}
	var err error
	p.model, err = f.over(p.X)
	return p, err
}

// classes turns labels into signs, or leaves them as targets: the squared and
// the Huber loss fit targets where there are more than two distinct labels.
func (f *problemFlags) classes(p *prepared) error {
	y := p.data.Y
	if f.findClasses(p) {
		return nil
	}
	canRegress := f.kind == kernels.Squared || f.kind == kernels.Huber
	if canRegress && f.positiveLabel == nil && !f.multiclass && p.data.LabelNames == nil && len(sparse.CountClasses(y)) != 2 {
		p.regression, p.Y = true, y
		if f.classWeight != "" {
			return usagef("--class-weight goes with two classes; %s has targets for a regression", p.data.name)
		}
		return nil
	}
	signs, labels, err := sparse.BinaryLabels(y, f.positiveLabel)
	if err != nil {
		hint := ""
		if f.positiveLabel == nil && len(sparse.CountClasses(y)) > 2 {
			hint = ", train each against the rest (--multiclass)"
			if p.data.LabelNames == nil {
				hint += ", or fit the labels as targets of a regression (--loss squared)"
			}
		}
		hint += p.data.legend()
		return dataError{fmt.Errorf("%s: %w%s", p.data.name, err, hint)}
	}
	p.Y, p.labels = signs, labels
	for _, s := range signs {
		if s > 0 {
			p.positives++
		}
	}
	if f.classWeight == "" {
		return nil
	}
	positive, negative := f.weights[0], f.weights[1]
	if f.classWeight == "balanced" {
		if negative, positive, err = erm.BalancedWeights(signs); err != nil {
			return dataError{fmt.Errorf("%s: %w", p.data.name, err)}
		}
	}
	p.SampleWeight, err = erm.ClassWeight(signs, nil, negative, positive)
	return err
}

// words are what the labels of a model are called, nil where they are numbers.
func (p *prepared) words() []string {
	switch names := p.data.LabelNames; {
	case names == nil || p.several != nil:
		return names
	case p.labels.Rest:
		return []string{p.data.word(p.labels.Positive), p.data.restWord()}
	}
	return []string{p.data.word(p.labels.Positive), p.data.word(p.labels.Negative)}
}

// labelText says what the signs stand for.
func (p *prepared) labelText() string {
	if p.regression {
		return "targets of a regression"
	}
	if p.several != nil {
		return p.several.String()
	}
	text := p.labels.String()
	if p.data.LabelNames != nil {
		negative := "the rest"
		if !p.labels.Rest {
			negative = p.data.word(p.labels.Negative)
		}
		text = p.data.word(p.labels.Positive) + " against " + negative
	}
	return text + fmt.Sprintf(" (%d and %d rows)", p.positives, p.X.Rows()-p.positives)
}

// trained is the model of a result.
func (f *problemFlags) trained(p *prepared, r *solvers.Result) (model.Model, error) {
	t := model.Training{
		X: p.X, Labels: p.labels, Regression: p.regression, LabelNames: p.words(),
		Loss: p.Loss, Delta: p.Delta, Lambda: p.Lambda, Normalize: f.normalize, Scaler: p.scaler,
		ZeroBased: f.data.zero, Program: "lanes " + version(),
	}
	if p.several != nil {
		t.Classes = p.several.labels
	}
	if p.model != nil {
		t.Network = &f.network
	}
	return model.New(r, t)
}
