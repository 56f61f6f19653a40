package compositional

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// BenchmarkIteration times an inner iteration on as many assets as the paper has.
func BenchmarkIteration(b *testing.B) {
	for _, assets := range []int{25, 100} {
		p := &Problem{F: portfolio(b, 5000, assets), R: penalty.L1Box{Lambda: 0.01, Low: -1, High: 1}}
		for _, m := range methods(b) {
			if _, ends := m.(SCVRG); ends {
				m = SCVRG{Epochs: 30}
			}
			b.Run(fmt.Sprintf("%d/%s", assets, m.Name()), func(b *testing.B) {
				shape := p.F.Shape()
				loop, _, err := m.begin(&task{
					p: p, shape: shape, full: newObjective(p), random: random.New(1), start: make([]float64, shape.Columns),
				})
				if err != nil {
					b.Fatal(err)
				}
				var c run.Control
				loop.Next(&c)
				b.ReportAllocs()
				for b.Loop() {
					loop.Next(&c)
				}
			})
		}
	}
}

const killEnv = "LANES_TEST_COMPOSITIONAL_CHECKPOINT"

func killedRun(t testing.TB) (*Problem, Method, solvers.Settings) {
	p := &Problem{F: portfolio(t, 1000, 20), R: penalty.L1Box{Lambda: 0.01, Low: -1, High: 1}}
	return p, SCVRG{}, solvers.Settings{MaxIterations: 300000, MaxEpochs: 1e9, Seed: 4}
}

// TestKilledHelper is the process that TestKilled kills.
func TestKilledHelper(t *testing.T) {
	path := os.Getenv(killEnv)
	if path == "" {
		t.Skip("only a child of TestKilled runs this")
	}
	p, m, s := killedRun(t)
	s.Checkpoint, s.CheckpointEvery, s.MaxIterations = path, time.Millisecond, 1<<40
	Solve(context.Background(), p, m, s)
}

// TestKilled kills runs at any moment (kill -9) and continues them.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	p, m, s := killedRun(t)
	want := mustSolve(t, p, m, s)
	for round := range 2 {
		path := filepath.Join(t.TempDir(), "run")
		child := exec.Command(os.Args[0], "-test.run=^TestKilledHelper$")
		child.Env = append(os.Environ(), killEnv+"="+path)
		if err := child.Start(); err != nil {
			t.Fatalf("no process can be started: %v", err)
		}
		for range 500 {
			if _, err := os.Stat(path); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Duration(7*round) * time.Millisecond)
		child.Process.Kill()
		child.Wait()
		// However far the child came, the run goes on from there, and a run that is left
		// alone is as long.
		saved, alone := s, s
		saved.Resume, saved.MaxIterations = path, 1
		reached := mustSolve(t, p, m, saved).Total.Iterations
		s.Resume, s.MaxIterations = path, max(s.MaxIterations, reached+5000)
		if alone.MaxIterations = s.MaxIterations; want.Total.Iterations != s.MaxIterations {
			want = mustSolve(t, p, m, alone)
		}
		got := mustSolve(t, p, m, s)
		solvetest.SameBits(t, fmt.Sprintf("killed, round %d", round), got, want)
	}
}
