package catalog

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/solvers"
)

// Solvers lists a family's solvers. describe tells what one makes small and accepts,
// solve runs one on a task.
func (f Family[M]) Solvers(
	describe func(M) (solvers.Objective, solvers.Parts),
	solve func(ctx context.Context, t *solvers.Task, m M, settings solvers.Settings) (*solvers.Result, error),
) []solvers.Solver {
	list := make([]solvers.Solver, len(f.Entries))
	for i, d := range f.descriptions() {
		e := f.Entries[i]
		d.Objective, d.Accepts = describe(e.Zero)
		list[i] = solvers.Solver{Description: d, New: func(parameters map[string]string) (solvers.Ready, error) {
			m, err := f.build(e, parameters)
			if err != nil {
				return solvers.Ready{}, err
			}
			solve := func(ctx context.Context, t *solvers.Task, settings solvers.Settings) (*solvers.Result, error) {
				if t == nil {
					return nil, fmt.Errorf("%s: no task", f.Name)
				}
				if err := risk.Refuse(f.Name, d.Name, d.Accepts, t.Asks()|settings.Asks(), &t.Problem); err != nil {
					return nil, err
				}
				return solve(ctx, t, m, settings)
			}
			return solvers.Ready{Description: d, Text: fmt.Sprintf("%s %+v", d.Name, m), Method: m, Solve: solve}, nil
		}}
	}
	return list
}
