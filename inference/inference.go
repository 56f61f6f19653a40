// Package inference tells how far the weights of a model may be off by chance: standard errors,
// intervals, tests, and how well the model fits. It is for minima without a penalty, of losses that are
// likelihoods (loss.Likelihood): generalised linear models.
package inference

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
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

// Options say what is estimated. The zero value is Fisher's covariance with intervals of 95 %.
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

// Problem is a minimum of a mean loss without a penalty.
type Problem struct {
	// Problem has rows and a loss, which has to be a loss.Likelihood, and no penalty that weighs. Where
	// Intercept is set, the last column is the intercept.
	solvers.Problem
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

// Steps to the minimum: the first one may lead as far as farthest, in standard errors, and the last one
// is at most nearest long. There are mostSteps at most.
const (
	farthest  = 0.5
	nearest   = 1e-8
	mostSteps = 30
)

// ErrNotMinimum is the error of weights that are no minimum of the mean loss without a penalty.
var ErrNotMinimum = errors.New("the weights are no minimum of the mean loss")

// Of estimates the errors of weights. It is an error if the loss is no likelihood, if the weights are
// no minimum, if rows are no more than weights, or if there are more than 2,048 columns. Fisher's
// scoring goes on from the weights to the minimum, so that estimates have all digits that rounding
// leaves, whatever the tolerance of the training was.
//
// It costs some steps, each of a Gram matrix of X, a factor of the d columns (d^3/3) and two passes
// over the rows, then an inverse (d^3); HC2 and HC3 cost n d^2 more. It takes memory for 4 d^2 numbers
// and 4 n. workers is the number of goroutines, 0 for one a core.
func Of(p *Problem, o Options, workers int) (*Table, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	likely, err := loss.LikelihoodOf(p.Loss)
	if err != nil {
		return nil, fmt.Errorf("inference: %w: errors of its weights are not known", err)
	}
	if err := o.Check(p.X.Rows(), p.X.Cols()); err != nil {
		return nil, err
	}
	o = o.filled()
	pool := sparse.NewPool(workers)
	defer pool.Close()
	e := &estimate{p: p, o: &o, likely: likely, x: direct.Matrix{Matrix: p.X, Pool: pool}, d: p.X.Cols()}
	if err := e.solve(); err != nil {
		return nil, err
	}
	if err := e.spread(); err != nil {
		return nil, err
	}
	e.unscale()
	return e.table(), nil
}

// estimate is the work on a table.
type estimate struct {
	p      *Problem
	o      *Options
	likely loss.Likelihood
	x      direct.Matrix
	d      int

	z, c, h []float64 // margins; slopes and information, with the weights of rows
	kept    []int     // columns that are no references, the intercept first
	w       []float64 // their weights
	v       []float64 // A^-1 of the kept columns, then the covariance
	rows    int       // of weights above 0
	pearson float64
	groups  int

	places  []int // of the columns of X in kept, -1 for none
	columns []int // of row
	values  []float64
}

// solve chooses the columns that are kept, moves the weights of the others to them, and steps to the
// minimum.
func (e *estimate) solve() error {
	p, n, d := e.p, e.p.X.Rows(), e.d
	e.z, e.c, e.h = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		if direct.Weight(p.SampleWeight, i) > 0 {
			e.rows++
		}
	}
	w, g, a := slices.Clone(p.W), make([]float64, d), make([]float64, d*d)
	for step := range mostSteps {
		e.x.MulVec(e.z, w)
		for i := range e.z {
			e.z[i] += direct.Offset(p.Offset, i)
		}
		p.Loss.Gradient(e.c, e.z, p.Y, p.SampleWeight)
		e.likely.Information(e.h, e.z, p.SampleWeight)
		e.x.Gram(a, e.h)
		if step == 0 {
			e.keep(a)
		}
		k := len(e.kept)
		if e.rows <= k {
			return fmt.Errorf("inference: %d rows count, for %d weights: errors need more rows than weights", e.rows, k)
		}
		u := pick(a, d, e.kept)
		if cholesky.FactorBy(e.x.Pool, u, k) != nil {
			return errors.New("inference: columns depend on one another as far as rounding tells: leave out columns that say nearly the same")
		}
		if step == 0 {
			e.move(a, u)
		}
		e.invert(u)
		clear(g)
		e.x.AddTrans(g, e.c)
		length, longest := e.step(g)
		switch {
		case step == 0 && !(length <= farthest):
			return fmt.Errorf("inference: %w: the weight of %s is %.2g standard errors off. Errors of weights are for models without a penalty, trained to the end on these rows", ErrNotMinimum, e.name(longest), length)
		case length <= nearest:
			return nil
		}
		clear(w)
		for i, j := range e.kept {
			w[j] = e.w[i]
		}
	}
	return fmt.Errorf("inference: %w: %d steps did not end near one", ErrNotMinimum, mostSteps)
}

// keep lists the columns that do not depend on those before them, where the lower triangle of A is in a.
func (e *estimate) keep(a []float64) {
	e.kept = e.order()
	dependent := cholesky.FactorBy(e.x.Pool, pick(a, e.d, e.kept), e.d)
	for k := len(dependent) - 1; k >= 0; k-- {
		e.kept = slices.Delete(e.kept, dependent[k], dependent[k]+1)
	}
}

// move sets the weights of kept columns so that all margins stay, where u is the factor of A of these.
func (e *estimate) move(a, u []float64) {
	e.w = make([]float64, len(e.kept))
	for k, i := range e.kept {
		for j, w := range e.p.W {
			e.w[k] += float64(a[max(i, j)*e.d+min(i, j)] * w)
		}
	}
	cholesky.Solve(e.w, u, e.w)
}

// invert sets v to the inverse of A of the kept columns, by its factor.
func (e *estimate) invert(u []float64) {
	k := len(e.kept)
	e.v = make([]float64, k*k)
	for i := range k {
		row := e.v[i*k : (i+1)*k]
		row[i] = 1
		cholesky.Solve(row, u, row)
	}
}

// step takes Newton's step, with expected second derivatives. It returns the largest change of a weight
// in standard errors, and the column.
func (e *estimate) step(g []float64) (length float64, longest int) {
	k := len(e.kept)
	e.pearson = 0
	for i, c := range e.c {
		if e.h[i] > 0 {
			e.pearson += float64(c * c / e.h[i])
		}
	}
	e.pearson /= float64(e.rows - k)
	slopes := make([]float64, k)
	for i, j := range e.kept {
		slopes[i] = g[j]
	}
	for i, j := range e.kept {
		row := e.v[i*k : (i+1)*k]
		move := direct.Dot(row, slopes)
		err := max(math.Sqrt(e.dispersion()*row[i]), 1e-9*math.Abs(e.w[i]))
		if size := math.Abs(move) / err; move != 0 && !(size <= length) {
			length, longest = size, j
		}
		e.w[i] -= move
	}
	return length, longest
}

// dispersion is what the covariance by Fisher has as a factor.
func (e *estimate) dispersion() float64 {
	if e.likely.Dispersed() {
		return e.pearson
	}
	return 1
}

// order lists all columns: the intercept, other columns, and the columns that give way.
func (e *estimate) order() []int {
	order := make([]int, 0, e.d)
	if e.p.Intercept {
		order = append(order, e.d-1)
	}
	last := make([]bool, e.d)
	for _, j := range e.p.Last {
		last[j] = true
	}
	for _, late := range []bool{false, true} {
		for j := range e.d {
			if last[j] == late && !(e.p.Intercept && j == e.d-1) {
				order = append(order, j)
			}
		}
	}
	return order
}

// pick returns the lower triangle of a symmetric matrix of d columns, whose lower triangle is a, for
// some columns in their order.
func pick(a []float64, d int, columns []int) []float64 {
	k := len(columns)
	b := make([]float64, k*k)
	for i, row := range columns {
		for j, column := range columns[:i+1] {
			b[i*k+j] = a[max(row, column)*d+min(row, column)]
		}
	}
	return b
}

func (e *estimate) name(j int) string {
	switch {
	case e.p.Intercept && j == e.d-1:
		return "(intercept)"
	case j < len(e.p.Names) && e.p.Names[j] != "":
		return e.p.Names[j]
	}
	return fmt.Sprintf("column %d", j+1)
}
