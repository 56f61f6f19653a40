package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/kernels"
)

// use says whether a flag has an effect beside the others, and what it goes with.
type use struct {
	flag  string
	works bool
	with  string
}

// refuseIdle refuses flags that were given and would have no effect: whoever gives one
// expects another result than the one without it.
func refuseIdle(cmd *cobra.Command, uses ...use) error {
	for _, u := range uses {
		if !u.works && cmd.Flags().Changed(u.flag) {
			return usagef("--%s would have no effect here: it goes with %s", u.flag, u.with)
		}
	}
	return nil
}

// idle refuses the flags of a problem and its run that would have no effect with any of
// the solvers.
func (f *problemFlags) idle(cmd *cobra.Command, run *runFlags, solvers []string) error {
	batches, losses := false, true
	for _, name := range solvers {
		batches = batches || description(name).Accepts.Batch
		losses = losses && !description(name).Objective.Ranks()
	}
	return refuseIdle(cmd,
		use{"huber", f.kind == kernels.Huber, "--loss huber"},
		use{"loss", losses, "solvers of the mean loss; the surrogate of a ranking is chosen by --set"},
		use{"batch", batches || special(solvers[0]), "solvers of stochastic steps, as ai-sarah, svrg or adam"},
		use{"force", run.checkpoint != "", "--checkpoint"},
		use{"checkpoint-every", run.checkpoint != "", "--checkpoint"},
	)
}

// givenJSON tells whether --json stands among arguments that cannot be parsed.
func givenJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--" {
			return false
		}
		if value, is := strings.CutPrefix(arg, "--json"); is && (value == "" || value == "=true" || value == "=1") {
			return true
		}
	}
	return false
}
