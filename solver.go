package lanes

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
)

// Auto is the name of the choice of a solver by the problem, which "" means too.
const Auto = "auto"

// AutoAbout says what the choice falls on.
const AutoAbout = "sdca-newton, newton or proximal-newton, by the problem"

// autoAccepts are the parts that a choice is found for.
const autoAccepts = solvers.Shards | solvers.Intercept | solvers.Offsets | solvers.Losses | solvers.NonconvexLosses | solvers.SteepLosses | solvers.PlainLosses | solvers.PrimalLosses | solvers.KinkedLosses | solvers.NoRegulariser | solvers.Weights | solvers.Gap

// SolverNames lists the names for Options.Solver.
func SolverNames() []string {
	names := []string{Auto}
	for _, s := range registry.All() {
		if s.Objective != solvers.Composition { // those are for portfolios
			names = append(names, s.Name)
		}
	}
	return names
}

// Solver returns the description of a solver by its name; for Auto, and for names that are
// unknown, is what the choices of Auto share.
func Solver(name string) solvers.Description {
	if name != Auto && name != "" {
		if s, err := registry.Find(name); err == nil {
			return s.Description
		}
	}
	return solvers.Description{Name: Auto, About: AutoAbout, Accepts: autoAccepts}
}

// solver finds the solver of the options, with its parameters.
func (o *Options) solver(s *Search) (solvers.Ready, error) {
	own := *s
	own.Options = *o
	name := own.SolverName()
	if name == Auto {
		if len(o.Parameters) > 0 {
			return solvers.Ready{}, badOption("Parameters", o.Parameters, "auto has no parameters; name the {Solver} that they are for")
		}
		return solvers.Ready{Description: Solver(Auto), Text: Auto, Solve: func(ctx context.Context, t *solvers.Task, s solvers.Settings) (*solvers.Result, error) {
			found, err := findSolver(auto.ChooseFor(t, s), nil)
			if err != nil {
				return nil, err
			}
			return found.Solve(ctx, t, s)
		}}, nil
	}
	parameters := o.Parameters
	if o.Paper && parameters["paper"] == "" {
		parameters = maps.Clone(parameters)
		if parameters == nil {
			parameters = map[string]string{}
		}
		if slices.ContainsFunc(Solver(name).Parameters, func(p solvers.Parameter) bool { return p.Name == "paper" }) {
			parameters["paper"] = "true"
		}
	}
	return findSolver(name, parameters)
}

// findSolver finds a solver by its name and sets its parameters.
func findSolver(name string, parameters map[string]string) (solvers.Ready, error) {
	found, err := registry.Find(name)
	switch {
	case err != nil:
		return solvers.Ready{}, badOption("Solver", name, "unknown solver; want one of: %s", strings.Join(SolverNames(), ", "))
	case found.Objective == solvers.Composition:
		return solvers.Ready{}, badOption("Solver", name, "it is for portfolios: see package compositional")
	}
	m, err := found.New(parameters)
	if err == nil {
		return m, nil
	}
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if _, wrong := found.New(map[string]string{key: parameters[key]}); wrong != nil {
			return m, badOption("Parameters", key+"="+parameters[key], "%v", plain(wrong))
		}
	}
	return m, badOption("Parameters", parameters, "%v", plain(err))
}

// plain takes the name of the package from the beginning of an error.
func plain(err error) error {
	head, rest, found := strings.Cut(err.Error(), ": ")
	if found && !strings.ContainsAny(head, " \t/") {
		return &plainError{rest, err}
	}
	return err
}

type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.err }

// standsFor is the solver that Auto stands for.
func (p *Problem) standsFor(s solvers.Settings) string {
	return auto.ChooseFor(&solvers.Task{Problem: p.Problem, Rows: p.stream}, s)
}

// SolverName is the name of the solver that the search asks for, or Auto where the problem
// decides among the solvers of mean losses.
func (s Search) SolverName() string {
	switch {
	case s.Solver != "" && s.Solver != Auto:
		return s.Solver
	case s.Penalty.L1 > 0 || s.OverL1 || len(s.PenaltyFactors)+len(s.Bounds)+len(s.monotone) > 0 && s.Kind != Softmax:
		return elasticnet.ProximalNewton{}.Name()
	case s.Settings.Ranks != nil && s.Kind != Softmax:
		return erm.Newton{}.Name()
	}
	return Auto
}
