package fitting

import (
	"context"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// SolveSoftmax trains one model of all classes.
func SolveSoftmax(ctx context.Context, a *console.App, f *ProblemFlags, p *Prepared, settings solvers.Settings) (*Trained, error) {
	start := time.Now()
	problem := &softmax.Problem{X: p.X, Class: p.Several.of, Count: len(p.Several.labels), Lambda: p.Lambda}
	switch {
	case f.ClassWeight == "balanced":
		problem.SampleWeight = make([]float64, len(problem.Class))
		for i, c := range problem.Class {
			problem.SampleWeight[i] = float64(len(problem.Class)) / float64(problem.Count*p.Several.counts[c])
		}
	case f.ClassWeight != "":
		return nil, console.BadFlag("class-weight", f.ClassWeight, "of several classes there is balanced alone")
	}
	method := softmax.Newton{}
	watch := NewProgress(a, method.Name(), settings)
	settings.Recorder = watch
	result, err := softmax.Solve(ctx, problem, method, settings)
	watch.Stop()
	if result == nil {
		return nil, refused(err)
	}
	r := &Trained{Result: result, Problem: p, Used: settings, Points: watch.Points(), Seconds: time.Since(start).Seconds(), Metrics: map[string]float64{}}
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	if classes, wrong := classesOfRows(pool, p, r.Weights); wrong == nil {
		right := 0
		for i, c := range classes {
			if c == p.Several.of[i] {
				right++
			}
		}
		r.Metrics["train_accuracy"] = float64(right) / float64(len(classes))
	}
	return r, err
}
