package run

import "github.com/lanes-go/lanes/solvers"

// Stepped reports one step of a loop that chooses its step sizes.
func (c *Control) Stepped(size, bound, squaredNorm float64) {
	if steps, wanted := c.settings.Recorder.(solvers.StepRecorder); wanted {
		steps.RecordStep(solvers.Step{Passes: c.passes(), Size: size, Bound: bound, SquaredNorm: squaredNorm})
	}
}
