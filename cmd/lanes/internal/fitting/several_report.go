package fitting

import (
	"strconv"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
)

// RelatedReport is what several fits add to the report of a training.
type RelatedReport struct {
	Classes         []FitReport  `json:"classes,omitempty"`
	Path            []FitReport  `json:"path,omitempty"`
	CrossValidation *FoldsReport `json:"cross_validation,omitempty"`
	// Wanted is the search of --for.
	Wanted *WantedReport `json:"for,omitempty"`
	// Unsolved counts the fits that ended without meeting a tolerance.
	Unsolved int `json:"unsolved,omitempty"`
	// AtEdge says that the best point of a path is its first or last one.
	AtEdge *bool `json:"best_at_edge,omitempty"`

	Metric string `json:"metric,omitempty"` // the metric of the path

	// Profiles holds the weights of some columns along a sparse path; MoreProfiles counts the
	// other columns whose weight is not 0 at some point.
	Profiles     []Profile `json:"-"`
	MoreProfiles int       `json:"-"`
}

// FitReport is one class, or one point of a path.
type FitReport struct {
	Label        *float64 `json:"label,omitempty"`
	Rows         int      `json:"rows,omitempty"`
	Lambda       *float64 `json:"lambda,omitempty"` // or the weight of the L1 norm, on a path of these
	NonZeros     *int     `json:"nonzero_weights,omitempty"`
	Solver       string   `json:"solver"`
	Status       string   `json:"status"`
	Objective    *float64 `json:"objective"`
	Rounding     *float64 `json:"objective_error,omitempty"`
	GradientNorm *float64 `json:"gradient_norm"`
	Gap          *float64 `json:"duality_gap"`
	Passes       float64  `json:"passes"`
	Metric       *float64 `json:"metric,omitempty"`
	F1           *float64 `json:"train_f1,omitempty"`
}

// report is what all reports of fits say.
func (p *Prepared) report(fit *solvers.Result) FitReport {
	var count *int
	if p.L1() > 0 {
		nonZeros := p.NonZeros(fit.Weights)
		count = &nonZeros
	}
	return FitReport{
		NonZeros: count,
		Solver:   fit.Solver, Status: fit.Status.String(), Passes: fit.Total.Epochs,
		Objective: console.Finite(fit.Objective), Rounding: Rounding(&fit.Point), GradientNorm: console.Finite(fit.GradientNorm), Gap: console.Finite(fit.Gap),
	}
}

// Rounding is the bound of an objective's error, nil where none is known.
func Rounding(p *solvers.Point) *float64 {
	if p.ObjectiveError == 0 {
		return nil
	}
	return console.Finite(p.ObjectiveError)
}

// FoldsReport is a cross-validation.
type FoldsReport struct {
	Folds          int          `json:"folds"`
	Metric         string       `json:"metric"`
	HigherIsBetter bool         `json:"higher_is_better"`
	BestLambda     float64      `json:"best_lambda"`
	OneErrorLambda float64      `json:"one_standard_error_lambda"`
	Chosen         float64      `json:"chosen_lambda"`
	Points         []FoldsPoint `json:"points"`
}

// FoldsPoint is one lambda of a cross-validation.
type FoldsPoint struct {
	Lambda float64   `json:"lambda"`
	Mean   *float64  `json:"mean"`
	Error  *float64  `json:"standard_error"`
	Values []float64 `json:"folds"`
	// NonZeros is the mean number of weights that are not 0.
	NonZeros *float64 `json:"nonzero_weights,omitempty"`
}

// FitTrace is the trace of a fit, with what tells it from the others.
type FitTrace struct {
	Name   string
	Points []solvers.Point
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
