// Package handover has a loop that one family of solvers hands its run over to another's.
package handover

import (
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
)

// Newton returns the loop of Newton's method from w, for methods that hand over to
// it in the middle of a run. It evaluates w first, and reports its points. If w is worse
// than 0, it begins at Settings.Initial or at 0. Package erm sets it.
var Newton func(p *solvers.Problem, pool *matrix.Pool, settings solvers.Settings, w []float64) run.Loop
