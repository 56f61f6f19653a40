package fitting

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
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

// Description returns the description of a solver; that of auto is what its choices share.
func Description(name string) solvers.Description {
	if s, err := registry.Find(name); err == nil {
		return s.Description
	}
	return solvers.Description{Name: AutoName, About: AutoAbout, Accepts: solvers.Accepts{Losses: true, Weights: true, NoRegulariser: true, Gap: true}}
}

// FindSolver finds a solver by its name, with parameters that were set.
func FindSolver(name string, parameters map[string]string) (registry.Ready, error) {
	if name == AutoName {
		if len(parameters) > 0 {
			return registry.Ready{}, console.Usagef("--set: auto has no parameters; name the solver that they are for")
		}
		return registry.Ready{Description: Description(name), Text: AutoName, Solve: func(ctx context.Context, t *registry.Task, s solvers.Settings) (*solvers.Result, error) {
			return auto.Solve(ctx, erm.ProblemOf(t), s)
		}}, nil
	}
	found, err := registry.Find(name)
	switch {
	case err != nil:
		return registry.Ready{}, console.Usagef("unknown solver %q; there are: %s", name, strings.Join(SolverNames(), ", "))
	case found.Objective == solvers.Composition:
		return registry.Ready{}, console.Usagef("%s is for portfolios: lanes portfolio --solver %s", name, name)
	}
	m, err := found.New(parameters)
	if err != nil {
		return m, console.BadUsage(fmt.Errorf("--set: %w", console.Plain(err)))
	}
	return m, nil
}

// AutoAbout says what the choice falls on.
const AutoAbout = "sdca-newton or newton, by the problem"

// Methods finds the solvers with the parameters meant for each.
func Methods(names []string, parameters map[string]string) ([]registry.Ready, error) {
	used := make(map[string]bool)
	var list []registry.Ready
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, console.Usagef("--solvers: %s is named twice", name)
		}
		if Description(name).Objective != Description(names[0]).Objective {
			return nil, console.Usagef("--solvers: the objectives of %s and %s cannot be compared. Train them, and compare models with lanes eval", names[0], name)
		}
		if _, err := FindSolver(name, nil); err != nil {
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
		method, err := FindSolver(name, own)
		if err != nil {
			return nil, err
		}
		list = append(list, method)
	}
	for key := range parameters {
		if !used[key] {
			return nil, console.Usagef("--set %s: none of these solvers has such a parameter (train --list shows them)", key)
		}
	}
	return list, nil
}
