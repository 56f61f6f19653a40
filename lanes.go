// Package lanes trains linear models on sparse data at the speed the memory bus allows,
// with the same bits on every CPU.
//
// Read, Train and Evaluate are the short way: one call each to read rows, to fit a model
// to them and to measure it. What they return belongs to the packages that do the work:
//
//   - sparse reads, stores and multiplies matrices; sparse.Builder makes them from code,
//     and a *sparse.Matrix is one of gonum's;
//   - model saves, loads and applies models: model.ReadFile, model.WriteFile;
//   - metrics measures scores: average precision, ROC and PR curves, partial AUC;
//   - solvers has the settings and the results of runs, and below it a package for each
//     family of solvers: erm for logistic and least-squares problems, sdca for their
//     duals, ap for average precision, pauc for partial AUC, compositional for
//     portfolios; registry finds each of them by its name, auto chooses, related fits
//     classes, paths and folds;
//   - kernels has the checked numeric kernels beneath all of these, dispatch tells which
//     CPU path runs them, and asm has them unchecked.
//
// # Promises
//
// The same data, settings and seed give the same weights to the bit: on AVX2, AVX-512,
// NEON and without assembly, for any number of workers, and after a run was killed and
// resumed. The environment variable LANES_CPU forces a path, the build tag purego leaves
// the assembly out.
//
// A run to a duality gap is called converged only by a bound on how far its objective is
// from the minimum, computed from the weights that it returns, rounding included; one to
// a gradient norm only with the rounding of the gradient in it. The gradients of rankings
// are estimates.
//
// Bad input is an error that says what was wrong, where, and what to do. No function
// panics on data.
package lanes

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Options say what Train trains. The zero value is logistic regression with the
// regulariser 1/(2n) ||w||^2 beside the mean loss, to a duality gap of 1e-6.
type Options struct {
	// Loss is the loss of a row: kernels.Logistic, SquaredHinge, Squared or Huber. The
	// last two fit targets where there are more than two distinct labels.
	Loss kernels.Loss
	// Lambda is the weight of the regulariser, 0 for 1/n.
	Lambda float64
	// Bias appends a constant column of 1, which is regularised like the others.
	Bias bool
	// Positive is the label of the positive class, against all others; nil takes the
	// larger of two labels.
	Positive *float64
	// Initial is a model to begin at, of the same columns and labels (model.Start); nil
	// begins at Settings.Initial.
	Initial model.Model
	// Settings are those of the run. Where they have no target and no budget, the run
	// ends at a gap of 1e-6.
	Settings solvers.Settings
}

// usualGap and mostPasses end a run for which nothing else was asked.
const (
	usualGap   = 1e-6
	mostPasses = 10000
)

// Read reads a file of rows: LIBSVM text, plain or compressed by gzip, bzip2, xz or zstd,
// or a cache that 'lanes convert' made. The content decides, not the name.
func Read(path string) (*sparse.Data, error) {
	return sparse.ReadFile(context.Background(), path, sparse.ReadOptions{})
}

// Train fits a linear model to data of two classes, or to targets, by the solver that
// suits them (solvers/auto). The result tells how the run went: look at its Status and
// its Gap. For several classes see related.OneVsRest, for rankings ap and pauc.
func Train(ctx context.Context, data *sparse.Data, o Options) (model.Model, *solvers.Result, error) {
	if data == nil || data.X == nil || data.X.Rows() == 0 {
		return nil, nil, errors.New("lanes: Train: there are no rows")
	}
	x := data.X
	if o.Bias {
		x = x.WithBias(1)
	}
	trained := model.Training{X: x, Loss: o.Loss, Lambda: o.Lambda}
	if trained.Lambda == 0 {
		trained.Lambda = 1 / float64(x.Rows())
	}
	y := data.Y
	targets := o.Loss == kernels.Squared || o.Loss == kernels.Huber
	if targets && o.Positive == nil && len(sparse.CountClasses(y)) != 2 {
		trained.Regression = true
	} else {
		var err error
		if y, trained.Labels, err = sparse.BinaryLabels(data.Y, o.Positive); err != nil {
			return nil, nil, fmt.Errorf("lanes: Train: %w", err)
		}
	}
	s := o.Settings
	if s.GapTolerance == 0 && s.GradientTolerance == 0 && s.MaxPasses == 0 && s.MaxTime == 0 && s.MaxIterations == 0 && s.Validation == nil {
		s.GapTolerance, s.MaxPasses = usualGap, mostPasses
	}
	if o.Initial != nil {
		var err error
		if s.Initial, err = model.Start(o.Initial, trained); err != nil {
			return nil, nil, fmt.Errorf("lanes: Train: %w", err)
		}
	}
	problem := &erm.Problem{X: x, Y: y, Loss: o.Loss, Lambda: trained.Lambda}
	result, err := auto.Solve(ctx, problem, s)
	if result == nil {
		return nil, nil, err
	}
	m, wrong := model.New(result, trained)
	return m, result, errors.Join(err, wrong)
}
