package solvers

// Description has the name of a solver, what it minimises, what it accepts, and its parameters. It
// is safe for concurrent reading.
type Description struct {
	Name   string // as in ai-sarah
	Family string // the package that holds it, as in erm
	About  string // one line
	// Objective is what Result.Objective is of.
	Objective Objective
	// Accepts are the parts of a task and of the settings that have an effect on the solver. It refuses
	// others by a LacksError.
	Accepts Parts
	// PaperSetting is how the experiments of the solver's paper pose a problem, where its
	// parameter paper selects their setting.
	PaperSetting PaperSetting
	// Parameters lists what can be set by name, with defaults.
	Parameters []Parameter
}

// Parameter is one setting of a solver. It is safe for concurrent reading.
type Parameter struct {
	Name, Default, About string
}

// PaperSetting is how the experiments of a paper pose a problem, beside the parameters of a
// solver. It is safe for concurrent reading.
type PaperSetting struct {
	// Section is where the paper says so, as in section 4.1; "" where no setting is known.
	Section string
	// Lambda is the weight of the regulariser Lambda/2 ||w||^2. PerRow says that it is
	// divided by the number of rows.
	Lambda float64
	PerRow bool
	// Scaled says that features are scaled to [0, 1], by their ranges in the training rows,
	// Unit that rows are scaled to length 1.
	Scaled, Unit bool
	// Bias says that a column of ones follows the features, scaled or not.
	Bias bool
	// Low and High bound the false-positive rates, for solvers of a partial AUC.
	Low, High float64
	// M and N are the ranks between which losses count, for solvers of the ranked range.
	M, N int
}

// Objective is what a solver makes small. Objectives of one kind can be compared. It is safe
// for concurrent use.
type Objective uint8

const (
	// MeanLoss: the mean loss of the rows and the regulariser.
	MeanLoss Objective = iota
	// AveragePrecision: 1 minus the average precision.
	AveragePrecision
	// PartialAUC: 1 minus the normalised area under the ROC curve over a range of
	// false-positive rates and above a true-positive rate.
	PartialAUC
	// RankedRange: the mean of the losses of a range of ranks.
	RankedRange
	// StructuralSVM: the regularised tight surrogate of a partial AUC.
	StructuralSVM
	// Composition: a function of an expectation of functions.
	Composition
	// SparseLoss: the mean loss of the rows, an L1 norm and the regulariser.
	SparseLoss
)

var objectiveNames = [...]string{"mean loss", "1 - average precision", "1 - partial AUC", "mean loss of the range", "structural SVM", "composition", "mean loss and L1 norm"}

// String returns the objective in words.
func (o Objective) String() string {
	if int(o) >= len(objectiveNames) {
		return "unknown objective"
	}
	return objectiveNames[o]
}

// IsRanking tells whether scores are trained for their order alone: they are no log odds.
func (o Objective) IsRanking() bool {
	return o == AveragePrecision || o == PartialAUC || o == StructuralSVM
}
