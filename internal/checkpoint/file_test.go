package checkpoint

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/solvers"
)

var testIdentity = Identity{{"solver", "halving"}, {"lambda", "0.5"}}

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
		{saved.StartingAt([]float64{1}), "starting point is not in it, here " + solvers.HashWeights([]float64{1})},
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

// TestBytesTooMany: bytes after the end of the state belong to another state.
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
	open := func(id Identity) (*File, error) {
		return OpenSubrun(part, func() (Identity, error) { return id, nil }, func(c *Coder) { c.Int(&state) })
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
	for _, depth := range []int{deepestSubrun, deepestSubrun + 1} {
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
		if (err != nil) != (depth > deepestSubrun) {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}

// TestFailedSaveLeavesTheFile: where the state cannot be saved, the file before stays, and there
// is nothing beside it.
func TestFailedSaveLeavesTheFile(t *testing.T) {
	dir := t.TempDir()
	s := solvers.Settings{Checkpoint: filepath.Join(dir, "run")}
	full := false
	file, err := Open(&s, testIdentity, func(c *Coder) {
		if full {
			c.Fail(errors.New("the disk is full"))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Save(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(s.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	full = true
	file.Try()
	if err := file.Save(); err == nil || !strings.Contains(err.Error(), "disk is full") {
		t.Errorf("a failing save: %v", err)
	}
	file.Close()
	if after, err := os.ReadFile(s.Checkpoint); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it did not leave the file as it was (%v)", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v (%v)", entries, err)
	}
}
