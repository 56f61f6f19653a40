package erm

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// TestResume ends runs at several iterations and continues them from their
// checkpoints.
func TestResume(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, true)
	for _, m := range methods(t) {
		s := solvers.Settings{MaxIterations: min(200, enough(m)), Seed: 3, BatchSize: testBatch, Workers: 2}
		want := mustSolve(t, p, m, s)
		for _, part := range []int64{1, 2, s.MaxIterations/3 + 1, s.MaxIterations - 1} {
			first := s
			first.MaxIterations, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
			mustSolve(t, p, m, first)
			second := s
			second.Resume, second.Workers = first.Checkpoint, 1
			got := mustSolve(t, p, m, second)
			solvetest.SameBits(t, fmt.Sprintf("%s resumed after %d iterations", m.Name(), part), got, want)
		}
	}
}

const killEnv = "LANES_TEST_CHECKPOINT"

func killedRun(m Method) (*Problem, Method, solvers.Settings) {
	p := randomProblem(&testing.T{}, loss.Logistic{}, 2000, 60, 5, 0.001, false)
	return p, m, solvers.Settings{MaxIterations: 6000, MaxEpochs: math.Inf(1), Seed: 4, BatchSize: 16}
}

// TestKilledHelper is the process that TestKilled kills.
func TestKilledHelper(t *testing.T) {
	path := os.Getenv(killEnv)
	if path == "" {
		t.Skip("only a child of TestKilled runs this")
	}
	p, m, s := killedRun(AISARAH{})
	s.MaxIterations, s.Checkpoint, s.CheckpointEvery = 0, path, time.Nanosecond
	Solve(context.Background(), p, m, s)
}

// TestKilled kills a process in the middle of its run, checkpoints being written
// after every iteration, and continues from what it left.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	p, m, s := killedRun(AISARAH{})
	want := mustSolve(t, p, m, s)
	for round := range 3 {
		path := filepath.Join(t.TempDir(), "run")
		child := exec.Command(os.Args[0], "-test.run=^TestKilledHelper$")
		child.Env = append(os.Environ(), killEnv+"="+path)
		if err := child.Start(); err != nil {
			t.Fatalf("cannot start a process: %v", err)
		}
		for wait := 0; wait < 1000; wait++ {
			if _, err := os.Stat(path); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Duration(20+37*round) * time.Millisecond)
		child.Process.Kill()
		child.Wait()
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("no checkpoint: %v", err)
		}
		s.Resume = path
		// However far the child came, the run goes on from there, and a run that is left
		// alone is as long.
		saved := s
		saved.MaxIterations = 1
		reached := mustSolve(t, p, m, saved).Total.Iterations
		s.MaxIterations = max(s.MaxIterations, reached+500)
		alone := s
		alone.Resume = ""
		if want.Total.Iterations != s.MaxIterations {
			want = mustSolve(t, p, m, alone)
		}
		r := mustSolve(t, p, m, s)
		solvetest.SameBits(t, fmt.Sprintf("killed, round %d", round), r, want)
	}
}

func TestBadCheckpoints(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 40, 5, 0.01, false)
	good := filepath.Join(t.TempDir(), "run")
	s := solvers.Settings{MaxIterations: 20, BatchSize: testBatch, Checkpoint: good}
	mustSolve(t, p, AISARAH{}, s)
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	s.Checkpoint = ""
	broken := filepath.Join(t.TempDir(), "broken")
	refuse := func(what string, p *Problem, m Method, s solvers.Settings, wanted string) {
		t.Helper()
		if _, err := Solve(context.Background(), p, m, s); err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("%s: %v", what, err)
		}
	}
	s.Resume = broken
	refuse("no file", p, AISARAH{}, s, "broken")
	for _, cut := range []int{0, 5, 30, len(data) / 2, len(data) - 1} {
		os.WriteFile(broken, data[:cut], 0o600)
		refuse(fmt.Sprintf("%d bytes", cut), p, AISARAH{}, s, "resume from")
	}
	for _, at := range []int{9, 40, len(data) / 2, len(data) - 3} {
		bad := append([]byte(nil), data...)
		bad[at] ^= 16
		os.WriteFile(broken, bad, 0o600)
		refuse(fmt.Sprintf("byte %d", at), p, AISARAH{}, s, "resume from")
	}
	s.Resume = good
	refuse("another solver", p, SVRG{}, s, "of another run")
	refuse("another parameter", p, AISARAH{Gamma: 0.1}, s, "of another run")
	other := *p
	other.Penalty = penalty.Ridge{Lambda: 0.02}
	refuse("another lambda", &other, AISARAH{}, s, "of another run")
	other = *p
	other.Y = append([]float64(nil), p.Y...)
	other.Y[7] = -other.Y[7]
	refuse("another label", &other, AISARAH{}, s, "of another run")
	s.Seed = 9
	refuse("another seed", p, AISARAH{}, s, "of another run")
	s.Resume, s.Checkpoint = "", filepath.Join(t.TempDir(), "absent", "run")
	r, err := Solve(context.Background(), p, AISARAH{}, s)
	if err == nil || r == nil {
		t.Errorf("a checkpoint that cannot be written: %v, result %v", err, r != nil)
	}
}

// TestDiagonalResumes: the diagonal of a Hessian that is never formed serves as long where a run
// is cut.
func TestDiagonalResumes(t *testing.T) {
	t.Parallel()
	p := randomProblem(t, loss.Logistic{}, 60, 400, 20, 1e-3, true)
	for _, count := range []int{0, 4} {
		s := solvers.Settings{GapTolerance: 1e-10, Shards: count, Workers: 1}
		want := mustSolve(t, p, Newton{}, s)
		for part := int64(1); part < want.Total.Iterations; part++ {
			first, second := s, s
			first.MaxIterations, first.Checkpoint = part, filepath.Join(t.TempDir(), "run")
			mustSolve(t, p, Newton{}, first)
			second.Resume = first.Checkpoint
			solvetest.SameBits(t, fmt.Sprintf("%d shards, resumed after %d iterations", count, part), mustSolve(t, p, Newton{}, second), want)
		}
	}
}
