// Package inference tells how far the weights of a model may be off by chance: standard errors,
// intervals, tests, and how well the model fits. It is for minima without a penalty, of losses that are
// likelihoods (loss.Likelihood): generalised linear models.
package inference

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/internal/base/contexts"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// The ways to estimate the covariance of weights. A is the sum of s_i I_i x_i x_i', with the expected
// second derivatives I_i of the loss; c_i are the slopes, with the weights of the rows.
const (
	// Fisher is the dispersion times A^-1, as R's summary of a glm has it. It holds if the loss is the
	// true likelihood.
	Fisher = "fisher"
	// HC0 is A^-1 (sum of c_i^2 x_i x_i') A^-1, which holds for any variances (White 1980, "A
	// heteroskedasticity-consistent covariance matrix estimator", Econometrica 48). HC1 is n/(n-k)
	// times it, for k weights. HC2 divides c_i^2 by 1-h_i, and HC3 by its square, for the leverages h_i =
	// s_i I_i x_i'A^-1 x_i (MacKinnon, White 1985, J. Econometrics 29).
	HC0 = "hc0"
	HC1 = "hc1"
	HC2 = "hc2"
	HC3 = "hc3"
	// Cluster adds slopes within groups of rows first, times g/(g-1) (n-1)/(n-k) for g groups. It holds
	// for any dependence within groups (Liang, Zeger 1986, Biometrika 73).
	Cluster = "cluster"
)

// Covariances lists the ways to estimate the covariance.
func Covariances() []string { return []string{Fisher, HC0, HC1, HC2, HC3, Cluster} }

// Options say what is estimated. The zero value is Fisher's covariance with intervals of 95 %. Several
// goroutines may read them.
type Options struct {
	// Covariance is a name of Covariances; "" means Fisher, or Cluster if there are Clusters.
	Covariance string `json:"covariance,omitempty"`
	// Clusters has the group of each row, for Cluster.
	Clusters []int64 `json:"clusters,omitempty"`
	// Level is the share of samples whose intervals hold the true weight, above 0 and below 1; 0 means
	// 0.95.
	Level float64 `json:"level,omitempty"`
	// Sets are sets of columns, counted from 0, each tested as a whole: whether all of its weights are 0.
	Sets []Set `json:"sets,omitempty"`
}

// Set is a set of columns with a name.
type Set struct {
	Name    string `json:"name"`
	Columns []int  `json:"columns"`
}

// Problem is a minimum of a mean loss without a penalty. Several goroutines may read it.
type Problem struct {
	// Problem has rows and a loss, which has to be a loss.Likelihood, and no penalty that weighs. Where
	// Intercept is set, the last column is the intercept.
	solvers.Problem
	// Rows, where set, are the rows, which stay in their file; X and what goes with it is nil then. Its bias is 1
	// where Intercept is set. Rows.Memory bounds the memory, without what Options has, for which Rows.Beside counts.
	Rows *solvers.Rows
	// Shards is the number of parts of the rows whose sums are added; 0 means the usual number. Equal rows in
	// memory, in a file and with Ranks give the same bits with the same Shards.
	Shards int
	// Ranks are the processes that share the rows, each of which calls Of; nil means this one alone.
	Ranks solvers.Ranks
	// W are the weights of the minimum, one a column of X.
	W []float64
	// Names are names of the columns. Width and Shift say that column j is (x - Shift[j])/Width[j] of what
	// weights are to be told of; nil for 1 and 0. Shifts need an Intercept.
	Names        []string
	Width, Shift []float64
	// Last are columns that give way where columns depend on one another: their weights become 0, as
	// weights of reference categories are. Of other columns the later one gives way, and an intercept never.
	Last []int
}

// Coefficient is a weight with its error.
type Coefficient struct {
	Name string `json:"name"`
	// Column is the column of X.
	Column int `json:"column"`
	// Estimate is the weight, for x as it was before it was scaled. It is 0, with no error, where
	// Reference says that other columns make up for the column.
	Estimate  Number `json:"estimate"`
	Reference bool   `json:"reference,omitempty"`
	Error     Number `json:"std_error"`
	// Statistic is Estimate/Error: a z, or a t if the dispersion was estimated. P is the probability of
	// a larger one by chance, in size, if the true weight is 0.
	Statistic Number `json:"statistic"`
	P         Number `json:"p"`
	// Low and High are the ends of the interval.
	Low  Number `json:"low"`
	High Number `json:"high"`
}

// Test is Wald's test of whether all weights of a set are 0.
type Test struct {
	Name string `json:"name"`
	// Statistic is w'V^-1 w for the covariance V of the weights, with DF degrees of freedom: a chi^2, or
	// divided by DF an F if the dispersion was estimated. P is the probability of a larger one.
	Statistic Number `json:"statistic"`
	DF        int    `json:"df"`
	P         Number `json:"p"`
}

// Table is what the weights of a model tell. It is JSON; what cannot be computed is null.
type Table struct {
	Covariance   string        `json:"covariance"`
	Level        float64       `json:"level"`
	Coefficients []Coefficient `json:"coefficients"` // the intercept first
	Tests        []Test        `json:"tests,omitempty"`
	// Rows are the rows of weights above 0, Weights the coefficients that are no references, and Clusters
	// the groups of Cluster.
	Rows     int `json:"rows"`
	Weights  int `json:"weights"`
	Clusters int `json:"clusters,omitempty"`
	// Dispersion is Pearson's: the mean of the squared residuals in units of their variance, over Rows -
	// Weights degrees of freedom. Estimated tells whether errors count it; it is 1 for other losses, where
	// Pearson tells how far the true variance is from theirs.
	Dispersion Number `json:"dispersion"`
	Estimated  bool   `json:"dispersion_estimated"`
	Pearson    Number `json:"pearson"`
	// Deviance is twice the sum of the loss. NullDeviance is the deviance of the best model of an intercept
	// alone, with the offsets; without an intercept, of the offsets alone.
	Deviance     Number `json:"deviance"`
	NullDeviance Number `json:"null_deviance"`
	// LogLikelihood is the logarithm of the likelihood; AIC is 2 k and BIC k log(n) minus twice it, where
	// an estimated dispersion is one of the k parameters.
	LogLikelihood Number `json:"log_likelihood"`
	AIC           Number `json:"aic"`
	BIC           Number `json:"bic"`

	columns []int // of X, of each coefficient that is no reference, in their order
	v       []float64
}

// CovarianceOf returns the covariance of the estimates of two columns of X, 0 for references.
func (t *Table) CovarianceOf(i, j int) float64 {
	a, b := slices.Index(t.columns, i), slices.Index(t.columns, j)
	if a < 0 || b < 0 {
		return 0
	}
	return t.v[a*len(t.columns)+b]
}

// Of estimates the errors of weights. It is an error if the loss is no likelihood, if the weights are
// no minimum, if rows are no more than weights, or if there are more than 2,048 columns. Fisher's
// scoring goes on from the weights to the minimum, so that estimates have all digits that rounding
// leaves, whatever the tolerance of the training was. Once ctx is done, the error wraps ctx.Err().
//
// It costs some steps, each of a sweep over the rows with a Gram matrix and a factor of the d columns (d^3/3), then
// an inverse (d^3) and a sweep; HC2 and HC3 cost n d^2 more, and Cluster a sweep by one goroutine. It takes memory
// for 5 d^2 numbers, for some 10 sums of d^2/2, and with Cluster for 64 bytes a group, and for d numbers and 128
// bytes a group that has begun and not ended in the order of the rows. A limit of Problem.Rows that is too small is an
// error before anything is read. Ranks do not look at ctx once they have begun. workers is the number of goroutines, 0 for one a core.
func Of(ctx context.Context, p *Problem, o Options, workers int) (*Table, error) {
	ctx = contexts.Given(ctx)
	e, err := begin(p, o)
	if err != nil {
		return nil, err
	}
	if err := p.checkWeights(e.d); err != nil {
		return nil, err
	}
	pool := matrix.NewPool(workers)
	defer pool.Close()
	if err := e.open(ctx, pool); err != nil {
		return nil, err
	}
	for _, step := range []func() error{e.solve, e.fit, e.spread} {
		if err := step(); err != nil {
			if ctx.Err() != nil {
				err = fmt.Errorf("inference: %w", contexts.Err(ctx))
			}
			return nil, err
		}
	}
	e.unscale()
	return e.table(), nil
}

// begin checks all but the weights.
func begin(p *Problem, o Options) (*estimate, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	likely, err := loss.LikelihoodOf(p.Loss)
	if err != nil {
		return nil, fmt.Errorf("inference: %w: errors of its weights are not known", err)
	}
	n, d := p.shape()
	if err := o.Check(n, d); err != nil {
		return nil, err
	}
	o = o.filled()
	e := &estimate{p: p, o: &o, likely: likely, n: n, d: d}
	switch {
	case o.Clusters != nil && p.Ranks != nil && p.Ranks.Size() > 1:
		return nil, errors.New("inference: errors by groups take the rows in their order, in one process: leave ranks out, or take another covariance")
	case o.Clusters != nil:
		limit := int64(0)
		if p.Rows != nil {
			limit = p.Rows.Memory
		}
		e.clusters = clustersOf(o.Clusters, limit)
	}
	return e, nil
}
