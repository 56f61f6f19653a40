package shardstest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// InFile returns a problem as a task whose rows are in a file, with a limit of memory. Labels are 1 and -1.
func InFile(t testing.TB, p *solvers.Problem, memory int64) *solvers.Task {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.lanes")
	if err := sparse.WriteCacheFile(path, &sparse.Data{X: p.X.WithBias(0), Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset}); err != nil {
		t.Fatal(err)
	}
	s, err := sparse.OpenStream(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	task := &solvers.Task{Problem: solvers.Problem{Loss: p.Loss, Penalty: p.Penalty, Intercept: p.Intercept}}
	task.Rows = &solvers.Rows{Stream: s.WithBias(p.X.Bias()), Memory: memory}
	if p.Loss.Labels() {
		task.Rows.Labels = &sparse.LabelMap{Positive: 1, Negative: -1}
	}
	return task
}
