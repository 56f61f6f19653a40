package fitting

import (
	"math"
	"os"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
)

// Form returns the format of the model file.
func (f *RunFlags) Form() string {
	if f.Sparse {
		return input.SparseForm
	}
	return input.FormOf(f.Model)
}

// ComparePasses is the usual budget of compare. With a tolerance a run may take targetPasses.
const (
	DefaultPasses = 1000
	ComparePasses = 50
	targetPasses  = 10000
)

// given are the settings that stand in the flags.
func (f *RunFlags) given() solvers.Settings {
	batch := 0
	if f.batchSet {
		batch = f.batch
	}
	return solvers.Settings{
		MaxEpochs: f.passes, MaxTime: f.Time, GapTolerance: f.Gap, GradientTolerance: f.Gradient,
		BatchSize: batch, Shards: f.Shards, RecordEvery: f.recordEvery,
		Checkpoint: f.Checkpoint, CheckpointEvery: f.CheckpointTime, Resume: f.Resume, Patience: f.Patience, Overwrite: f.Force,
	}
}

// Compared returns the settings of each run of compare.
func (f *RunFlags) Compared() solvers.Settings {
	s := f.given()
	switch {
	case f.passes > 0:
	case f.Time > 0:
		s.MaxEpochs = math.Inf(1)
	case f.Gap > 0 || f.Gradient > 0:
		s.MaxEpochs = targetPasses
	default:
		s.MaxEpochs = ComparePasses
	}
	return s
}

// Checkpoints finds out before a long run what cannot be resumed or replaced.
func (f *RunFlags) Checkpoints() error {
	if f.Resume != "" && f.Leads() {
		info, err := os.Stat(f.Resume)
		if err != nil {
			return console.BadData(console.FileTrouble(err, f.Resume))
		}
		if !info.Mode().IsRegular() {
			return console.BadFlag("resume", f.Resume, "it is not a regular file; name the checkpoint of a run")
		}
	}
	if info, err := os.Stat(f.Checkpoint); f.Leads() && err == nil && info.Mode().IsRegular() && !f.Force && !console.SameFile(f.Checkpoint, f.Resume) {
		return console.BadFlag("checkpoint", f.Checkpoint, "the file exists: --resume %s continues its run, --force replaces it", f.Checkpoint)
	}
	return nil
}

// Budgeted tells whether the user has set a budget.
func (f *RunFlags) Budgeted() bool { return f.passes > 0 || f.Time > 0 }

// ParseSet reads name=value settings; in compare, solver.name=value is meant for
// one solver.
func ParseSet(set []string) (map[string]string, error) {
	parameters := make(map[string]string)
	for _, text := range set {
		name, value, found := strings.Cut(text, "=")
		if !found || name == "" {
			return nil, console.BadFlag("set", text, "write name=value, as in --set gamma=1/32")
		}
		if _, twice := parameters[name]; twice {
			return nil, console.BadFlag("set", text, "%s is set twice; set it once", name)
		}
		parameters[name] = value
	}
	return parameters, nil
}
