package fitting

import (
	"context"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/softmax"
)

// SolveSoftmax trains one model of all classes.
func SolveSoftmax(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, settings solvers.Settings) (*Trained, error) {
	start := time.Now()
	problem := &softmax.Problem{X: p.X, Class: p.Several.of, Count: len(p.Several.labels), Lambda: p.Lambda}
	var err error
	if problem.SampleWeight, err = f.classWeights(p); err != nil {
		return nil, err
	}
	method := softmax.Newton{}
	watch := NewProgress(a, method.Name(), settings)
	settings.Recorder = watch
	result, err := softmax.Solve(ctx, problem, method, settings)
	watch.Stop()
	if result == nil {
		return nil, refused(err)
	}
	r := &Trained{Result: result, Problem: p, Used: settings, Points: watch.Points(), Seconds: time.Since(start).Seconds()}
	if wrong := measure(ctx, a, r, registry.Ready{}); err == nil {
		err = wrong
	}
	return r, err
}
