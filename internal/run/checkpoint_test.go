package run

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/solvers"
)

var testIdentity = checkpoint.Identity{{Name: "solver", Value: "halving"}, {Name: "lambda", Value: "0.5"}}

func driveFile(ctx context.Context, h *halving, s solvers.Settings) (*solvers.Result, error) {
	s, err := Check(s, 1)
	if err != nil {
		return nil, err
	}
	return Drive(ctx, Run{
		Solver: "halving", Identity: testIdentity, Samples: 4, Columns: 1, Loop: h, Reports: h.reports, Evaluate: evaluateHalving,
	}, s)
}

func onlyFiles(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the directory holds %v, not %v", got, names)
	}
}

// TestCheckpointIsNotReplaced: a file that is there is kept, unless it is resumed or
// may be replaced; files of like names are nobody's business.
func TestCheckpointIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run")
	bystander := path + ".tmp"
	if err := os.WriteFile(bystander, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := solvers.Settings{MaxIterations: 3, Checkpoint: path, CheckpointEvery: 1}
	if _, err := driveFile(context.Background(), &halving{w: 1}, s); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := driveFile(context.Background(), &halving{w: 1}, s); !errors.Is(err, solvers.ErrCheckpointExists) {
		t.Errorf("a file that exists: %v", err)
	}
	other := s
	if other.Resume = filepath.Join(dir, "other"); os.WriteFile(other.Resume, first, 0o600) != nil {
		t.Fatal("no copy")
	}
	if _, err := driveFile(context.Background(), &halving{w: 1}, other); !errors.Is(err, solvers.ErrCheckpointExists) {
		t.Errorf("a file that exists, another being resumed: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, first) {
		t.Errorf("it was replaced (%v)", err)
	}
	other.Overwrite = true
	other.MaxIterations = 5
	if r, err := driveFile(context.Background(), &halving{w: 1}, other); err != nil || r.Total.Iterations != 5 {
		t.Errorf("with leave to replace it: %v", err)
	}
	s.Resume, s.MaxIterations = path, 6
	if r, err := driveFile(context.Background(), &halving{w: 1}, s); err != nil || r.Total.Iterations != 6 || r.GradientNorm != 1./64 {
		t.Errorf("resumed: %v", err)
	}
	if text, err := os.ReadFile(bystander); err != nil || string(text) != "mine" {
		t.Errorf("a file of the user's: %q, %v", text, err)
	}
	onlyFiles(t, dir, "other", "run", "run.tmp")
}

// blocking is a loop that waits in its third iteration.
type blocking struct {
	halving
	reached, release chan struct{}
}

func (b *blocking) Next(c *Control) {
	b.halving.Next(c)
	if c.iterations == 3 {
		close(b.reached)
		<-b.release
	}
}

func TestCheckpointInUse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no locks")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "run")
	b := &blocking{halving{w: 1}, make(chan struct{}), make(chan struct{})}
	s, err := Check(solvers.Settings{MaxIterations: 9, Checkpoint: path, CheckpointEvery: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, err := Drive(context.Background(), Run{Solver: "halving", Identity: testIdentity, Samples: 4, Columns: 1, Loop: b, Evaluate: evaluateHalving}, s)
		ended <- err
	}()
	<-b.reached
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	for _, other := range []solvers.Settings{
		{Checkpoint: path, Overwrite: true}, {Checkpoint: path, Resume: path}, {Checkpoint: link, Overwrite: true},
	} {
		if _, err := driveFile(context.Background(), &halving{w: 1}, other); !errors.Is(err, solvers.ErrCheckpointInUse) {
			t.Errorf("a second run: %v", err)
		}
	}
	if r, err := driveFile(context.Background(), &halving{w: 1}, solvers.Settings{Resume: path, MaxIterations: 4}); err != nil || r.Total.Iterations != 4 {
		t.Errorf("resumed from it without saving to it: %v", err)
	}
	close(b.release)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	onlyFiles(t, dir, "run")
	if err := os.WriteFile(path+".99999999-0.tmp", []byte("of a killed process"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err := driveFile(context.Background(), &halving{w: 1}, solvers.Settings{Resume: path, Checkpoint: path, MaxIterations: 12}); err != nil || r.Total.Iterations != 12 {
		t.Errorf("resumed after it: %v", err)
	}
	onlyFiles(t, dir, "run")
}

const lockEnv = "LANES_TEST_LOCK"

// TestLockHelper is the process that TestKilledRunLeavesNoLock kills.
func TestLockHelper(t *testing.T) {
	path := os.Getenv(lockEnv)
	if path == "" {
		t.Skip("only a child runs this")
	}
	driveFile(context.Background(), &halving{w: 1, floor: 0.5}, solvers.Settings{MaxEpochs: math.Inf(1), Checkpoint: path, CheckpointEvery: 1, Overwrite: true, RecordEvery: math.Inf(1)})
}

func TestKilledRunLeavesNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run")
	for range 3 {
		os.Remove(path)
		child := exec.Command(os.Args[0], "-test.run=^TestLockHelper$")
		child.Env = append(os.Environ(), lockEnv+"="+path)
		if err := child.Start(); err != nil {
			t.Skipf("cannot start a process: %v", err)
		}
		for range 1000 {
			if _, err := os.Stat(path); err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		_, inUse := driveFile(context.Background(), &halving{w: 1}, solvers.Settings{Checkpoint: path, Overwrite: true})
		child.Process.Kill()
		child.Wait()
		if runtime.GOOS != "windows" && !errors.Is(inUse, solvers.ErrCheckpointInUse) {
			t.Errorf("beside a run of another process: %v", inUse)
		}
		if _, err := driveFile(context.Background(), &halving{w: 1, floor: 0.5}, solvers.Settings{Checkpoint: path, Resume: path, MaxIterations: 1}); err != nil {
			t.Errorf("after a run was killed: %v", err)
		}
	}
}

// TestFailedSaves: a failed save is reported once, and the run continues. Only a failure at the
// end is an error; the earlier save stays.
func TestFailedSaves(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dir")
	path := filepath.Join(dir, "run")
	var told []string
	s := solvers.Settings{MaxIterations: 9, Checkpoint: path, CheckpointEvery: 1, Warn: func(err error) { told = append(told, err.Error()) }}
	r, err := driveFile(context.Background(), &halving{w: 1}, s)
	if !errors.Is(err, os.ErrNotExist) || r == nil || r.Total.Iterations != 9 {
		t.Errorf("a directory that is missing: %v, result %v", err, r)
	}
	if len(told) != 2 || !strings.Contains(told[0], "not locked") || !strings.Contains(told[1], path) {
		t.Errorf("told: %q", told)
	}
	// A directory that comes in time mends it.
	s.Recorder = recorderFunc(func(p solvers.Point) error {
		if p.Iterations == 4 {
			return os.Mkdir(dir, 0o700)
		}
		return nil
	})
	if r, err := driveFile(context.Background(), &halving{w: 1}, s); err != nil || r.Status != solvers.BudgetReached {
		t.Errorf("a directory that comes later: %v", err)
	}
	s.Recorder = nil
	onlyFiles(t, dir, "run")
}

type recorderFunc func(solvers.Point) error

func (f recorderFunc) Record(p solvers.Point) error { return f(p) }

// TestBatchIsPartOfTheRun: if the batch size counts, a resumed run must have the batch size that
// it began with.
func TestBatchIsPartOfTheRun(t *testing.T) {
	for _, counts := range []bool{true, false} {
		plan := Plan{Family: "test", Solver: "halving", Columns: 1, Accepts: solvers.Batch, Batch: counts, Begin: func(*Session) (Run, error) {
			return Run{Samples: 4, Loop: &halving{w: 1}, Evaluate: evaluateHalving, Data: func(*matrix.Pool) (checkpoint.Identity, error) { return testIdentity, nil }}, nil
		}}
		s := solvers.Settings{BatchSize: 8, MaxIterations: 2, Checkpoint: filepath.Join(t.TempDir(), "run")}
		if _, err := Solve(t.Context(), s, plan); err != nil {
			t.Fatal(err)
		}
		s.Resume = s.Checkpoint
		for s.BatchSize = 8; s.BatchSize < 10; s.BatchSize++ {
			if _, err := Solve(t.Context(), s, plan); errors.Is(err, solvers.ErrResume) != (counts && s.BatchSize == 9) {
				t.Errorf("batches of 8 count is %v, and go on with %d: %v", counts, s.BatchSize, err)
			}
		}
	}
}
