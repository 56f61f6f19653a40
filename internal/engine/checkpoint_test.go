package engine

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

var testIdentity = Identity{{"solver", "halving"}, {"lambda", "0.5"}}

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

// TestManyWantOneCheckpoint: of runs that begin at the same time one has the file.
func TestManyWantOneCheckpoint(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no locks")
	}
	path := filepath.Join(t.TempDir(), "run")
	held := make(chan bool, 1)
	ended := make(chan int)
	const runs = 8
	for range runs {
		go func() {
			got := 0
			for range 200 {
				unlock, err := lockFile(path)
				if err != nil {
					continue
				}
				select {
				case held <- true:
				default:
					t.Error("two runs have the lock")
				}
				got++
				<-held
				unlock()
			}
			ended <- got
		}()
	}
	sum := 0
	for range runs {
		sum += <-ended
	}
	if sum == 0 {
		t.Error("nobody had the lock")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock's file is left: %v", err)
	}
}

const lockEnv = "LANES_TEST_LOCK"

// TestLockHelper is the process that TestKilledRunLeavesNoLock kills.
func TestLockHelper(t *testing.T) {
	path := os.Getenv(lockEnv)
	if path == "" {
		t.Skip("only a child runs this")
	}
	driveFile(context.Background(), &halving{w: 1, floor: 0.5}, solvers.Settings{MaxPasses: math.Inf(1), Checkpoint: path, CheckpointEvery: 1, Overwrite: true, RecordEvery: math.Inf(1)})
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

// TestFailedSaves: a save that fails is told once, the run goes on, and only a
// failure at the end is an error; what was saved before stays.
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
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A state that cannot be encoded leaves the file before, and nothing beside it.
	s.Resume, s.MaxIterations = path, 12
	c, err := OpenCheckpoint(&s, testIdentity, func(k *Coder) {
		if !k.Restoring() {
			k.Fail(errors.New("the disk is full"))
		}
		k.rest = nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Try()
	if err := c.Save(); err == nil || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("a failing save: %v", err)
	}
	c.Close()
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it did not leave the file as it was (%v)", err)
	}
	onlyFiles(t, dir, "run")
}

type recorderFunc func(solvers.Point) error

func (f recorderFunc) Record(p solvers.Point) error { return f(p) }

func TestIdentity(t *testing.T) {
	saved := Identity{}.With("solver", "sarah").With("parameters of sarah", struct{ Step, Inner int }{1, 2}).With("seed", 1).With("lambda", 0.5)
	for _, c := range []struct {
		now  Identity
		want string
	}{
		{saved, ""},
		{Identity{}.With("solver", "sarah").With("parameters of sarah", struct{ Step, Inner int }{1, 3}).With("seed", 1).With("lambda", 0.25),
			"parameters of sarah Inner:2, here Inner:3; lambda 0.5, here 0.25"},
		{Identity{}.With("solver", "svrg").With("parameters of svrg", "").With("seed", 1).With("lambda", 0.5), "solver sarah, here svrg"},
		{saved[:3], "lambda 0.5, here none"},
		{saved.With("range", 3), "range is not in it, here 3"},
		{saved.startingAt([]float64{1}), "starting point is not in it, here " + solvers.HashWeights([]float64{1})},
	} {
		var file bytes.Buffer
		if err := writeCheckpoint(&file, saved, func(*Coder) {}); err != nil {
			t.Fatal(err)
		}
		err := readCheckpoint(file.Bytes(), &c.now, func(*Coder) {})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), "of another run: "+c.want)) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

// TestBatchIsPartOfTheRun: a run goes on with the batch size that it began with, where that counts.
func TestBatchIsPartOfTheRun(t *testing.T) {
	for _, counts := range []bool{true, false} {
		plan := Plan{Family: "test", Solver: "halving", Columns: 1, Batch: counts, Begin: func(*Session) (Run, error) {
			return Run{Samples: 4, Loop: &halving{w: 1}, Evaluate: evaluateHalving, Data: func(*sparse.Pool) (Identity, error) { return testIdentity, nil }}, nil
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

// TestBytesTooMany: what is left over after the state is another state's.
func TestBytesTooMany(t *testing.T) {
	var file bytes.Buffer
	v := 1.0
	if err := writeCheckpoint(&file, testIdentity, func(k *Coder) { k.Float64(&v); k.Float64(&v) }); err != nil {
		t.Fatal(err)
	}
	if err := readCheckpoint(file.Bytes(), &testIdentity, func(k *Coder) { k.Float64(&v) }); err == nil || !strings.Contains(err.Error(), "8 bytes too many") {
		t.Errorf("a longer state: %v", err)
	}
}

// TestRestoredNumbers: counts are refused outside of their range, and numbers that an
// int does not hold are not cut.
func TestRestoredNumbers(t *testing.T) {
	restore := func(saved int64, visit func(*Coder)) error {
		var file bytes.Buffer
		if err := writeCheckpoint(&file, testIdentity, func(c *Coder) { c.Int64(&saved) }); err != nil {
			t.Fatal(err)
		}
		return readCheckpoint(file.Bytes(), &testIdentity, visit)
	}
	for _, saved := range []int64{0, 5, 6, -1, 1<<32 + 3, math.MinInt64, math.MaxInt64} {
		count, long, whole := 4, int64(4), 4
		err := restore(saved, func(c *Coder) { c.Count(&count, 5) })
		if good := saved >= 0 && saved <= 5; good != (err == nil) || good && count != int(saved) || !good && count != 4 {
			t.Errorf("%d of 5 gives %d and %v", saved, count, err)
		}
		err = restore(saved, func(c *Coder) { c.Count64(&long) })
		if good := saved >= 0 && saved < math.MaxInt64; good != (err == nil) || good && long != saved {
			t.Errorf("%d gives %d and %v", saved, long, err)
		}
		err = restore(saved, func(c *Coder) { c.Int(&whole) })
		if err == nil && int64(whole) != saved || err != nil && strconv.IntSize == 64 {
			t.Errorf("%d gives the int %d and %v", saved, whole, err)
		}
	}
}

// TestResultsAreSavedWhole: a finished fit that comes from a checkpoint has all that it had.
func TestResultsAreSavedWhole(t *testing.T) {
	var want solvers.Result
	number := 1
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		number++
		switch {
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case v.Kind() == reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(1))
		case v.Kind() == reflect.String:
			v.SetString(strconv.Itoa(number))
		case v.CanFloat():
			v.SetFloat(float64(number))
		case v.CanUint():
			v.SetUint(uint64(number))
		default:
			v.SetInt(int64(number))
		}
	}
	fill(reflect.ValueOf(&want).Elem())
	want.Status, want.Minimised = solvers.Stalled, solvers.SparseLoss
	var file bytes.Buffer
	if err := writeCheckpoint(&file, testIdentity, func(c *Coder) { VisitResult(&want, c) }); err != nil {
		t.Fatal(err)
	}
	got := solvers.Result{Weights: make([]float64, len(want.Weights))}
	if err := readCheckpoint(file.Bytes(), &testIdentity, func(c *Coder) { VisitResult(&got, c) }); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v became %+v, error %v", want, got, err)
	}
}

// TestRunningTwice: a run within a larger one that was restored is saved as it is then, not as it
// was restored.
func TestRunningTwice(t *testing.T) {
	saved, state := []byte(nil), 0
	for want := range 3 {
		r := NewRunning(time.Hour, func(change func()) { change() })
		if saved != nil {
			if err := Decode(saved, r.State); err != nil {
				t.Fatal(err)
			}
		}
		state = 0
		if err := r.Live(testIdentity, func(c *Coder) { c.Int(&state) }); err != nil || state != want {
			t.Fatalf("restored %d, not %d: %v", state, want, err)
		}
		r.Change(func() { state++ })
		saved = Encode(r.State)
	}
}

// TestPartOfAnotherRun: what is saved of a run that came before in the place of this one is
// neither restored nor an error.
func TestPartOfAnotherRun(t *testing.T) {
	part, state := NewRunning(time.Hour, func(change func()) { change() }), 7
	open := func(id Identity) (*Checkpoint, error) {
		return OpenPart(part, func() (Identity, error) { return id, nil }, func(c *Coder) { c.Int(&state) })
	}
	first, err := open(testIdentity)
	if err != nil || first.Save() != nil {
		t.Fatal(err)
	}
	state = 1
	if _, err := open(testIdentity.With("another", true)); err != nil || state != 1 {
		t.Errorf("another run has the state %d: %v", state, err)
	}
	if _, err := open(testIdentity); err != nil || state != 7 {
		t.Errorf("the run has the state %d: %v", state, err)
	}
}

// TestRunningWithoutEnd: a file of runs within runs within runs is refused.
func TestRunningWithoutEnd(t *testing.T) {
	for _, depth := range []int{deepestPart, deepestPart + 1} {
		saved := Encode(func(c *Coder) {
			for level := range depth + 1 {
				text, count, number := "", 1, 0
				c.Text(&text)
				if level == depth {
					count = 0
				}
				if c.Int(&count); count > 0 {
					c.Int(&number)
				}
			}
		})
		err := Decode(saved, NewRunning(time.Hour, func(change func()) { change() }).State)
		if (err != nil) != (depth > deepestPart) {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}
