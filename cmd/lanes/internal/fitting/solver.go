package fitting

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/nearest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/registry"
)

// CompleteSolvers gives the shell the names of solvers, when it asks for them: a run needs
// few of their descriptions.
func CompleteSolvers([]string, string) []string {
	return lanes.SolverNames()
}

// FindSolver finds the solver of a training that a flag names, with parameters that were set.
func FindSolver(flag, name string, parameters map[string]string) (solvers.Ready, error) {
	if lanes.Solver(name).Objective == solvers.Composition {
		return solvers.Ready{}, console.BadFlag(flag, name, "it is for portfolios: lanes portfolio --solver %s", name)
	}
	return findSolver(flag, name, parameters)
}

// findSolver finds the solver that a flag names, with parameters that were set.
func findSolver(flag, name string, parameters map[string]string) (solvers.Ready, error) {
	if name == lanes.Auto {
		if len(parameters) > 0 {
			key := slices.Sorted(maps.Keys(parameters))[0]
			return solvers.Ready{}, console.BadFlag("set", key+"="+parameters[key], "auto has no parameters; name the solver that they are for")
		}
		return solvers.Ready{Description: lanes.Solver(name), Text: lanes.Auto, Solve: func(ctx context.Context, t *solvers.Task, s solvers.Settings) (*solvers.Result, error) {
			return auto.Solve(ctx, &t.Problem, s)
		}}, nil
	}
	found, err := registry.Find(name)
	if err != nil {
		return solvers.Ready{}, UnknownSolver(flag, name, lanes.SolverNames())
	}
	m, err := found.New(parameters)
	if err != nil {
		return m, BadSet(parameters, err, func(one map[string]string) error {
			_, err := found.New(one)
			return err
		})
	}
	return m, nil
}

// UnknownSolver returns the error of a flag that names none of the known solvers.
func UnknownSolver(flag, name string, known []string) error {
	if near := nearest.Suggest(name, "", known); near != "" {
		return console.BadFlag(flag, name, "unknown solver%s", near)
	}
	return console.BadFlag(flag, name, "unknown solver; want one of: %s", strings.Join(known, ", "))
}

// BadSet says which of the parameters a solver refuses, by trying each alone.
func BadSet(parameters map[string]string, err error, try func(one map[string]string) error) error {
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if wrong := try(map[string]string{name: parameters[name]}); wrong != nil {
			return console.BadFlag("set", name+"="+parameters[name], "%v", console.Plain(wrong))
		}
	}
	return console.BadUsage(fmt.Errorf("--set: %w", console.Plain(err)))
}

// Posing is the solver that poses the problem: the first one whose paper says how, where that is
// asked for, else the first one.
func Posing(names []string, parameters map[string]string) string {
	for _, name := range names {
		on, _ := strconv.ParseBool(parameters["paper"] + parameters[name+".paper"])
		if on && lanes.Solver(name).PaperSetting.Section != "" {
			return name
		}
	}
	return names[0]
}

// CommonIntercept leaves out the usual intercept of a table if one of several solvers of a mean
// loss cannot train it. All solvers then have the same problem. It returns the name of that
// solver, "" for none.
func CommonIntercept(o *lanes.Options, names []string) string {
	lacks := slices.IndexFunc(names, func(name string) bool { return !lanes.Solver(name).Accepts.Has(solvers.Intercept) })
	if lacks < 0 || o.Intercept != lanes.UsualIntercept || Special(names[lacks]) {
		return ""
	}
	o.Intercept = lanes.NoIntercept
	return names[lacks]
}

// SolverNames lists what --solver takes.
func SolverNames() []string { return lanes.SolverNames() }

// Solver is lanes.Solver.
func Solver(name string) solvers.Description { return lanes.Solver(name) }
