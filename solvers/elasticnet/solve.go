package elasticnet

import (
	"context"

	"github.com/lanes-go/lanes/internal/catalog"
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// Method is a solver with its parameters: ProximalNewton, whose zero value is ready for
// use. Solvers are values that goroutines may share.
type Method interface {
	// Name is the solver's name, as in proximal-newton.
	Name() string
	newton() ProximalNewton
}

// Solve minimises p by a method, the zero value of ProximalNewton where it is nil. The
// result's weights are w, followed by b where there is an intercept. Its gap bounds
// P(w, b) - P*, rounding included, by a dual point that is made of the losses' slopes; it
// supposes of the best intercept only that it is not thousands of times as large as the
// margins. GradientNorm is the norm of the least subgradient.
//
// With an intercept, columns whose mean is more than 32 standard deviations from 0 are centred,
// on a copy of the rows: an offset, as of a year or a time stamp, changes no minimum.
//
// Memory beside the data: this copy; a copy of X by columns if a working set has more than 2048
// columns; the entries of the working set's columns, up to three times, or 8 bytes each once for
// full rows and squared losses; 64 bytes a row, 40 a column, 300 with soft steps and the entries once more, and up to 32 MiB for the model, or twice
// that with the products of dense columns.
//
// With Settings.Shards the rows are swept over for the gradient of all columns alone, and the columns of working
// sets are copied: see gathered.go. Settings.Ranks are refused.
func Solve(ctx context.Context, p *Problem, method Method, settings solvers.Settings) (*solvers.Result, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	newton, err := newtonOf(method)
	if err != nil {
		return nil, err
	}
	if settings.Shards > 0 {
		return solveTask(ctx, &solvers.Task{Problem: *p}, newton, settings)
	}
	return run.Solve(ctx, settings, run.Plan{
		Family: "elasticnet", Solver: newton.Name(), Columns: p.X.Cols(), Accepts: accepts, Objective: solvers.SparseLoss, NoGap: noGap(p),
		Begin: func(s *run.Session) (run.Run, error) {
			o := newObjective(risk.Ordered(p, s.Pool), s.Pool)
			l := newLoop(newton, o, o.offsets.inward(s.Settings.Initial))
			l.settings = &s.Settings
			var other *objective // of points that the loop does not know, where there are any
			return run.Run{
				Samples: p.X.Rows(), Loop: l, Smooth: true, Reports: true,
				AtZero: func() float64 { return l.whole.ceiling(l.whole.atZero()) },
				Settle: func(w []float64, e run.Evaluation) run.Evaluation {
					return compensated(p, w, e, l.newtons == nil) // Newton's method bounds the gap otherwise
				},
				Evaluate: func(w []float64) run.Evaluation {
					if other == nil {
						other = o.offsets.objective(o.p, s.Pool)
					}
					return other.evaluate(w)
				},
				Parameters: newton, NonZeros: func(w []float64) int { return nonZeros(p, w) },
				Data: func(pool *matrix.Pool) (checkpoint.Identity, error) { return risk.Identity(p, pool) },
			}, nil
		},
	})
}

var family = catalog.Family[Method]{Name: "elasticnet", Entries: []catalog.Entry[Method]{
	{About: "working sets and proximal Newton steps, for L1 penalties", Zero: ProximalNewton{}, Fields: []catalog.Field{
		catalog.NewField("max-sweeps", "100", "most epochs of coordinate descent in a step"),
	}},
}}

// ByName returns a solver with the parameters given as text; the others keep their
// defaults.
func ByName(name string, parameters map[string]string) (Method, error) {
	return family.ByName(name, parameters)
}

// accepts are the parts that proximal Newton takes.
const accepts = solvers.Shards | solvers.Intercept | solvers.Offsets | solvers.Losses | solvers.SteepLosses | solvers.PrimalLosses | solvers.L1 | solvers.NoRegulariser | solvers.Weights | solvers.Gap

// Solvers lists the solvers of this package, with what they accept and what can be set.
func Solvers() []solvers.Solver {
	return family.Solvers(func(Method) (solvers.Objective, solvers.Parts) {
		return solvers.SparseLoss, accepts
	}, func(ctx context.Context, t *solvers.Task, m Method, settings solvers.Settings) (*solvers.Result, error) {
		if t.Rows != nil {
			return solveTask(ctx, t, m, settings)
		}
		return Solve(ctx, &t.Problem, m, settings)
	})
}
