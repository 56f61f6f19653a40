// Package lanes trains linear models on sparse data at the speed the memory bus allows,
// with the same bits on every CPU.
//
// Each step is one call. Read reads rows. Train fits a model to them. CrossValidate and Path
// choose its penalty, and For the best way to train for a metric. Evaluate measures the model.
// Their results belong to the packages that do the work:
//
//   - sparse reads, stores and multiplies matrices; sparse.Builder makes them from code,
//     and sparse/gonum of gonum's matrices;
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
// A run to a duality gap has converged only by a bound of the distance between its objective and
// the minimum. The bound is computed from the returned weights and includes rounding. A run to a
// gradient norm has converged only if the norm and its rounding are within the tolerance. The
// gradients of ranking solvers are estimates.
//
// Bad input is an error that says what was wrong, where, and what to do. No function
// panics on data.
package lanes

import (
	"context"

	"github.com/lanes-go/lanes/sparse"
)

// Read reads a file of rows: LIBSVM text, plain or compressed by gzip, bzip2, xz or zstd,
// or a cache that 'lanes convert' made. The content decides, not the name. Labels may be
// words. Errors of the content are a *sparse.FormatError with the line.
func Read(ctx context.Context, path string) (*sparse.Data, error) {
	return sparse.ReadFile(ctx, path, sparse.ReadOptions{WordLabels: true})
}
