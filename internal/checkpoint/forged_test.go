package checkpoint_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc64"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/related"
)

// resumable is a run that saves and resumes, and its settings for that.
type resumable struct {
	settings solvers.Settings
	solve    func(ctx context.Context, s solvers.Settings) error
}

// resumables are the solvers of the catalog and the fits that belong together.
func resumables(t testing.TB) map[string]resumable {
	list := make(map[string]resumable)
	for name, c := range catalogued(t) {
		s := solvers.Settings{MaxEpochs: 12, MaxIterations: c.iterations, BatchSize: 8, Seed: 5, Workers: 1}
		list[name] = resumable{s, func(ctx context.Context, s solvers.Settings) error {
			_, err := c.solve(ctx, s)
			return err
		}}
	}
	fit := fitters(t)
	all := kinds(t)
	delete(all, "search, once") // whose fits take much memory by themselves, one after the other
	for kind, of := range all {
		for _, solver := range []string{"auto", "newton", "svrg"} {
			s := solvers.Settings{MaxEpochs: 4, MaxIterations: 40, Seed: 3, Workers: 1, CheckpointEvery: 1}
			list[kind+", "+solver] = resumable{s, func(ctx context.Context, s solvers.Settings) error {
				_, _, err := of(ctx, related.Run{Solve: fit[solver], Name: solver, Settings: s})
				return err
			}}
		}
	}
	return list
}

// saved is the checkpoint of a run that was broken off after some iterations.
func (r resumable) saved(t testing.TB, dir string, cut int) []byte {
	s := r.settings
	s.Checkpoint, s.Overwrite = filepath.Join(dir, "saved"), true
	if err := r.solve(cutContext{context.Background(), &cut}, s); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// stateOf is the place where a solver's state begins: after the magic, the version and
// the parts of the identity, each a name and a value with their lengths.
func stateOf(data []byte) int {
	at := 24
	for range 2 * binary.LittleEndian.Uint64(data[16:]) {
		at += 8 + int(binary.LittleEndian.Uint64(data[at:]))
	}
	return at
}

// forge puts hostile words into a solver's state, three bytes of changes for each, and
// the checksum that fits.
func forge(data, changes []byte) []byte {
	data = bytes.Clone(data[:len(data)-8])
	state := data[stateOf(data):]
	for ; len(changes) >= 3 && len(state) >= 8; changes = changes[3:] {
		place := int(binary.LittleEndian.Uint16(changes)) % (len(state) / 8)
		if changes[2] >= 128 { // counts and flags stand at the begin and the end
			place = min(place%16, len(state)/8-1)
		} else if changes[2] >= 64 {
			place = max(0, len(state)/8-1-place%24)
		}
		word := state[8*place:]
		was := binary.LittleEndian.Uint64(word)
		values := []uint64{0, 1, 2, was + 1, was - 1, -was, was << 1, 7, 1000, 1 << 20, 1 << 31, 1 << 32, math.MaxInt64, 1 << 63, math.MaxUint64, was ^ 1<<62,
			math.Float64bits(1), math.Float64bits(-1), math.Float64bits(math.NaN()), math.Float64bits(math.Inf(1)), math.Float64bits(math.Inf(-1)),
			math.Float64bits(math.MaxFloat64), math.Float64bits(-1e300), math.Float64bits(1e-300), 1 << 40, math.MaxInt64 - 1, was ^ 1<<63, was | 1<<32}
		binary.LittleEndian.PutUint64(word, values[int(changes[2])%64%len(values)])
	}
	return binary.LittleEndian.AppendUint64(data, crc64.Checksum(data, crc64.MakeTable(crc64.ECMA)))
}

// FuzzForgedState resumes runs from checkpoints whose words were changed and whose checksum fits:
// an error or a run, but no panic, no hang and no more memory than the run itself takes.
func FuzzForgedState(f *testing.F) {
	const mostMemory, patience = 64 << 20, 20 * time.Second
	list := resumables(f)
	names := slices.Sorted(maps.Keys(list))
	random := random.New(1)
	tries := 24
	if testing.Short() {
		tries = 6
	}
	for which := range names {
		for range tries {
			changes := make([]byte, 3*(1+random.Below(3)))
			for k := range changes {
				changes[k] = byte(random.Below(256))
			}
			f.Add(byte(which), byte(random.Below(256)), changes)
		}
	}
	dir, err := os.MkdirTemp("/dev/shm", "lanes")
	if err != nil {
		dir = f.TempDir()
	}
	f.Cleanup(func() { os.RemoveAll(dir) })
	kept := make(map[string][]byte)
	f.Fuzz(func(t *testing.T, which, cut byte, changes []byte) {
		name, cuts := names[int(which)%len(names)], []int{0, 1, 2, 5, 9, 14, 25}
		r, after := list[name], cuts[int(cut)%len(cuts)]
		key := fmt.Sprintf("%s, cut %d", name, after)
		if kept[key] == nil {
			kept[key] = r.saved(t, dir, after)
		}
		s := r.settings
		s.Resume = filepath.Join(dir, "forged")
		if err := os.WriteFile(s.Resume, forge(kept[key], changes), 0o666); err != nil {
			t.Fatal(err)
		}
		watch := time.AfterFunc(patience, func() { panic(key + " hangs") })
		defer watch.Stop()
		var before, since runtime.MemStats
		runtime.ReadMemStats(&before)
		defer func() {
			if trouble := recover(); trouble != nil {
				t.Errorf("%s panics", key)
				panic(trouble)
			}
		}()
		err := r.solve(context.Background(), s)
		runtime.ReadMemStats(&since)
		if taken := since.TotalAlloc - before.TotalAlloc; taken > mostMemory {
			t.Errorf("%s takes %d bytes: %v", key, taken, err)
		}
	})
}
