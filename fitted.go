package lanes

import (
	"context"

	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
)

// Fitted is a model with what its training showed. It is safe for concurrent use as long as
// nobody writes to its fields.
type Fitted struct {
	// Model scores, labels and saves. Its weights are the weights of Result.
	model.Model
	// Result says how the run ended: its status, its gap, and what it cost. Of several classes
	// it is the sum, with the weights of one class after the other.
	Result *solvers.Result
	// Problem is what was solved, and Used are the settings of each fit.
	Problem *Problem
	Used    solvers.Settings
	// Method is the solver that was asked for; Result.Solver is the one that ran.
	Method solvers.Ready
	// Metrics are measured on the training rows (train_), on the rows of Options.Validation
	// (valid_) and on folds (cv_). Metrics of rows that were held out begin with holdout_.
	Metrics map[string]float64
	// Notes say what of the data is not used as it stands, and what to know of the fit.
	Notes []notes.Note
	// Seconds is the time that training took.
	Seconds float64

	// Fits are the classes, each against the rest, or the points of a path; nil for a single fit.
	Fits []Fit
	// Best is the place of the model in Fits of a path, in Folds.Lambdas or in Tried.Tried.
	Best int
	// AtEdge says that the best weight of a path or of folds is its first or its last one: a
	// better one may lie beyond.
	AtEdge bool
	// NotBegun counts the fits that the run ended before.
	NotBegun int
	// Folds is what a cross-validation measured, and Tried what For tried; nil elsewhere.
	Folds *Folds
	Tried *related.Chosen

	// HeldOut are the rows that Options.Holdout kept from the training, and the measures of the model
	// on them; nil without.
	HeldOut *HeldOut

	// Inference are the errors of the weights that Options.Inference asks for; nil without, and for a run
	// that did not converge.
	Inference *inference.Table

	// Calibration says how Options.Calibrate made scores log odds; nil without.
	Calibration *Calibration

	// Unsolved counts the fits that met no tolerance, of Made, which are called What; Worst is the
	// gravest end of them.
	Unsolved, Made int
	What           string
	Worst          solvers.Status
}

// Fit is one of several fits.
type Fit struct {
	// Number is its place among all that were to be made, from 0 on.
	Number int
	// Label is the label of a class, and Rows the number of its rows.
	Label float64
	Rows  int
	// Weight is the weight of the penalty at a point of a path.
	Weight float64
	// F1 is the class's, on the training rows.
	F1     float64
	Result *solvers.Result
}

// PointModel makes the model of Fits[k], a point of a path. Fitted.Model is the model of Fits[Best].
// Its weights are shared with Fits. The error names a fit that does not exist, or weights that
// are not finite.
func (f *Fitted) PointModel(k int) (model.Model, error) {
	if k < 0 || k >= len(f.Fits) || f.Fits[k].Weight == 0 {
		return nil, badOption("PointModel", k, "the path has %d points, from 0 on", len(f.Fits))
	}
	return f.Problem.chosen(f.Fits[k].Weight).modelOf(f.Fits[k].Result)
}

// Read reads the rows of a file as the model wants them: see ReadFor.
func (f *Fitted) Read(ctx context.Context, path string) (*sparse.Data, error) {
	return ReadFor(ctx, path, f.Model)
}

// Evaluate measures the model on data: see the function Evaluate.
func (f *Fitted) Evaluate(ctx context.Context, data *sparse.Data) (*Report, error) {
	return Evaluate(ctx, f.Model, data, EvaluateOptions{})
}

// WriteFile writes the model to a file: see model.WriteFile.
func (f *Fitted) WriteFile(path string) error { return model.WriteFile(path, f.Model) }
