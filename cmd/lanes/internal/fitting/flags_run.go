package fitting

import (
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
)

// RunFlags control a run.
type RunFlags struct {
	passes         float64
	Time           time.Duration
	Gap, Gradient  float64
	batch          int
	Shards         int
	memory         string
	Memory         int64 // bytes that the run may take, 0 for rows in memory
	app            *console.App
	ranks          console.Ranks // that share the run, nil for this process alone
	Set            []string
	recordEvery    float64
	CheckpointTime time.Duration
	Initial, Names string
	Valid, Metric  string
	Patience       int
	Model, Trace   string
	Sparse         bool // the form of Model
	Receipt        string
	Plot           string
	Checkpoint     string
	Resume         string
	Force          bool
}

// Form is that of the model which is written.
func (f *RunFlags) Form() string {
	if f.Sparse {
		return input.SparseForm
	}
	return input.FormOf(f.Model)
}

// Without budgets and targets train ends at a gap (or gradient norm) of
// defaultTarget, or after defaultPasses, and compare after comparePasses. With a
// target a run may take targetPasses.
const (
	defaultTarget = 1e-6
	DefaultPasses = 1000
	ComparePasses = 50
	targetPasses  = 10000
)

// Register adds the flags to a command whose usual budget is passes.
func (f *RunFlags) Register(cmd *cobra.Command, passes int) {
	flags := cmd.Flags()
	flags.Float64Var(&f.passes, "passes", 0, fmt.Sprintf("budget in passes over the data (default %d; with a target %d; with --time none)", passes, targetPasses))
	flags.DurationVar(&f.Time, "time", 0, "budget of time, as in 30s or 5m")
	flags.Float64Var(&f.Gap, "gap", 0, "end at this duality gap, absolute")
	flags.Float64Var(&f.Gradient, "grad", 0, "end at this norm of the gradient")
	flags.IntVar(&f.batch, "batch", 64, "rows in a stochastic step")
	flags.StringArrayVar(&f.Set, "set", nil, "solver parameter name=value, repeatable (train --list shows them)")
	flags.Float64Var(&f.recordEvery, "record-every", 0, "passes between recorded points (default: where the solver knows the objective anyway)")
	flags.StringVar(&f.Plot, "plot", "", "draw the run to FILE.png or FILE.svg")
}

// Check fills in the settings that stand in the flags.
func (f *RunFlags) Check(cmd *cobra.Command, a *console.App, passes int) (solvers.Settings, error) {
	flags := cmd.Flags()
	f.share(a)
	s := solvers.Settings{
		MaxPasses: f.passes, MaxTime: f.Time, GapTolerance: f.Gap, GradientTolerance: f.Gradient,
		BatchSize: f.batch, Seed: a.Seed, Workers: a.Workers, Shards: f.Shards, RecordEvery: f.recordEvery,
		Checkpoint: f.Checkpoint, CheckpointEvery: f.CheckpointTime, Resume: f.Resume, Patience: f.Patience,
		Overwrite: f.Force, Ranks: f.ranks, Warn: func(err error) { a.Warn(console.Plain(err)) },
	}
	for _, v := range []struct {
		flag  string
		value float64
	}{{"passes", f.passes}, {"time", float64(f.Time)}, {"gap", f.Gap}, {"grad", f.Gradient}, {"batch", float64(f.batch)}, {"record-every", f.recordEvery},
		{"patience", float64(f.Patience)}, {"checkpoint-every", float64(f.CheckpointTime)}} {
		if flags.Changed(v.flag) && !(v.value > 0) {
			return s, console.BadFlag(v.flag, flags.Lookup(v.flag).Value, "it must be above 0")
		}
		if math.IsInf(v.value, 0) && v.flag != "passes" {
			return s, console.BadFlag(v.flag, flags.Lookup(v.flag).Value, "it must be finite")
		}
	}
	if flags.Changed("shards") && (f.Shards <= 0 || f.Shards&(f.Shards-1) != 0 || f.Shards > solvers.MostShards) {
		return s, console.BadFlag("shards", f.Shards, "it must be a power of two, at most %d", solvers.MostShards)
	}
	target := f.Gap > 0 || f.Gradient > 0
	if f.passes == 0 {
		switch {
		case f.Time > 0:
			s.MaxPasses = math.Inf(1)
		case target:
			s.MaxPasses = targetPasses
		default:
			s.MaxPasses = float64(passes)
		}
	}
	return s, nil
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

// CheckTarget refuses a target that the problem does not have.
func (f *RunFlags) CheckTarget(p *Prepared) error {
	if f.Gap > 0 && !p.Regularised() {
		return console.BadFlag("gap", f.Gap, "with lambda = 0 there is no duality gap; use --grad")
	}
	return nil
}

// DefaultTarget sets the target of a run for which nothing was asked but, perhaps, a
// limit of its time.
func (f *RunFlags) DefaultTarget(s *solvers.Settings, p *Prepared) {
	switch {
	case f.passes > 0 || f.Gap > 0 || f.Gradient > 0 || f.Valid != "":
	case p.Regularised():
		s.GapTolerance = defaultTarget
	default:
		s.GradientTolerance = defaultTarget
	}
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
