package fitting

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/registry"
)

// AutoName names the choice of a solver by the problem.
const AutoName = "auto"

// SolverNames lists what --solver takes.
func SolverNames() []string {
	names := []string{AutoName}
	for _, s := range registry.All() {
		if s.Objective != solvers.Composition { // those are for lanes portfolio
			names = append(names, s.Name)
		}
	}
	return names
}

// CompleteSolvers gives the shell the names of solvers, when it asks for them: a run needs
// few of their descriptions.
func CompleteSolvers(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return SolverNames(), cobra.ShellCompDirectiveNoFileComp
}

// Description returns the description of a solver; that of auto is what its choices share.
func Description(name string) solvers.Description {
	if name != AutoName {
		if s, err := registry.Find(name); err == nil {
			return s.Description
		}
	}
	return solvers.Description{Name: AutoName, About: AutoAbout, Accepts: solvers.Accepts{Losses: true, Weights: true, NoRegulariser: true, Gap: true, Intercept: true}}
}

// FindSolver finds the solver that a flag names, with parameters that were set.
func FindSolver(flag, name string, parameters map[string]string) (registry.Ready, error) {
	if name == AutoName {
		if len(parameters) > 0 {
			key := slices.Sorted(maps.Keys(parameters))[0]
			return registry.Ready{}, console.BadFlag("set", key+"="+parameters[key], "auto has no parameters; name the solver that they are for")
		}
		return registry.Ready{Description: Description(name), Text: AutoName, Solve: func(ctx context.Context, t *registry.Task, s solvers.Settings) (*solvers.Result, error) {
			return auto.Solve(ctx, &t.Problem, s)
		}}, nil
	}
	found, err := registry.Find(name)
	switch {
	case err != nil:
		return registry.Ready{}, UnknownSolver(flag, name, SolverNames())
	case found.Objective == solvers.Composition:
		return registry.Ready{}, console.BadFlag(flag, name, "it is for portfolios: lanes portfolio --solver %s", name)
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
	if near := console.Suggest(name, "", known); near != "" {
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

// AutoAbout says what the choice falls on.
const AutoAbout = "sdca-newton, newton or proximal-newton, by the problem"

// Methods finds the solvers with the parameters meant for each.
func Methods(names []string, parameters map[string]string) ([]registry.Ready, error) {
	used := make(map[string]bool)
	var list []registry.Ready
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, console.BadFlag("solvers", strings.Join(names, ","), "%s is named twice; name it once", name)
		}
		if Description(name).Objective != Description(names[0]).Objective {
			return nil, console.BadFlag("solvers", strings.Join(names, ","), "the objectives of %s and %s cannot be compared. Train them, and compare models with lanes eval", names[0], name)
		}
		if _, err := FindSolver("solvers", name, nil); err != nil {
			return nil, err
		}
		own := make(map[string]string)
		for _, p := range Description(name).Parameters {
			for _, key := range []string{p.Name, name + "." + p.Name} {
				if value, found := parameters[key]; found {
					own[p.Name], used[key] = value, true
				}
			}
		}
		method, err := FindSolver("solvers", name, own)
		if err != nil {
			return nil, err
		}
		list = append(list, method)
	}
	for key, value := range parameters {
		if !used[key] {
			return nil, console.BadFlag("set", key+"="+value, "none of these solvers has such a parameter (train --list shows them)")
		}
	}
	return list, nil
}
