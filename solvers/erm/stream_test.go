package erm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/shardstest"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// streamedCase is a problem in a file, and in memory.
type streamedCase struct {
	p    *Streamed
	data *sparse.Data
	same *Problem // in memory
	path string
}

// streamed writes rows of several groups with the labels 1 and 4, or targets.
func streamed(t testing.TB, spec string, phi loss.Loss) *streamedCase {
	t.Helper()
	g := solvetest.Generate(t, spec, 3)
	c := &streamedCase{data: &sparse.Data{X: g.X, Y: g.Y}, path: filepath.Join(t.TempDir(), "rows.lanes")}
	c.p = &Streamed{Problem: Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: 1 / float64(g.X.Rows())}}}
	if phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{}) {
		for i, y := range g.Y {
			c.data.Y[i] = (5 + 3*y) / 2
		}
		c.p.Labels = &sparse.LabelMap{Positive: 4, Negative: 1}
	}
	if err := sparse.WriteCacheFile(c.path, c.data); err != nil {
		t.Fatal(err)
	}
	s, err := sparse.OpenStream(context.Background(), c.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	c.p.Rows = s
	if c.data, err = sparse.ReadFile(context.Background(), c.path, sparse.ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	c.same = &Problem{X: c.data.X, Y: c.data.Y, Loss: phi, Penalty: c.p.Penalty}
	if c.p.Labels != nil {
		c.same.Y, _, err = sparse.BinaryLabels(c.data.Y, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// need returns the least memory with which a problem is solved.
func need(t testing.TB, p *Streamed, s solvers.Settings) int64 {
	t.Helper()
	small := *p
	small.Memory = 1
	r, err := SolveStreamed(context.Background(), &small, Newton{}, s)
	short := (*MemoryError)(nil)
	if r != nil || !errors.As(err, &short) || short.Limit != 1 {
		t.Fatalf("with a byte of memory: error %v", err)
	}
	return short.Need
}

// TestStreamedNodes: a plan has the nodes of a tree and, for every worker, of a shard that it sums
// and of the next one; with the least memory, of a tree alone, and no more workers than the memory
// allows.
func TestStreamedNodes(t *testing.T) {
	t.Parallel()
	c := streamed(t, "dense:n=1000,d=30", loss.Logistic{})
	size := 30 * 31 / 2 // of the lower half of the Hessian
	for _, workers := range []int{1, 3, 40} {
		s := solvers.Settings{Shards: 16, Workers: workers}
		tree := 5 // a level each of 16, 8, 4, 2 and 1
		p := *c.p
		_, o, err := p.open(s)
		if want := (tree + 2*min(workers, 16)) * size; err != nil || o.NodeElements != want {
			t.Errorf("%d workers: %d elements of nodes, not %d: %v", workers, o.NodeElements, want, err)
		}
		p.Memory = need(t, c.p, s)
		rows, o, err := p.open(s)
		if err != nil || o.NodeElements != tree*size {
			t.Fatalf("%d workers in the least memory: %d elements of nodes, not %d: %v", workers, o.NodeElements, tree*size, err)
		}
		if o.Workers != 1 || rows.Workers() != 1 {
			t.Errorf("%d workers in the least memory: room for %d, and %d at work", workers, rows.Workers(), o.Workers)
		}
		_, err = shards.NewFile(p.Rows, shards.FileOptions{Shards: s.Shards, Ranks: 1, Workers: 1, MemoryBytes: 1})
		short, vectors := new(shards.MemoryError), streamVectors*30+30*30+(1+tree)*size // a Hessian, what it is summed to, and nodes
		if fitsOrthogonal(1000, 30) {
			vectors += handedCopies * (1000 + 30) * (30 + 8)
		}
		if !errors.As(err, &short) || p.Memory != shards.OtherMemory+8*int64(vectors)+short.Need {
			t.Errorf("%d workers: %d bytes are needed, not %d numbers and %v bytes of rows", workers, p.Memory, vectors, short.Need)
		}
	}
}

// TestStreamedSameBits: a streamed run has the bits of a run in memory. The memory limit, the
// view of the rows and the number of workers and processes change nothing. A run resumed from a
// checkpoint that was written under another limit has them too.
func TestStreamedSameBits(t *testing.T) {
	ctx := context.Background()
	specs, views := []string{"text:n=3000,d=400", "onehot:n=6000,d=60"}, []string{"plain", "bias", "unit", "minmax", "std", "weighted", "intercept"}
	if testing.Short() {
		specs, views = []string{"text:n=1200,d=150"}, views[2:]
	}
	for _, spec := range specs {
		for _, view := range views {
			c := streamed(t, spec, loss.Logistic{})
			switch view {
			case "bias":
				c.p.Rows, c.same.X = c.p.Rows.WithBias(1), c.same.X.WithBias(1)
			case "intercept":
				c.p.Rows, c.same.X = c.p.Rows.WithBias(1), c.same.X.WithBias(1)
				c.p.Intercept, c.same.Intercept = true, true
			case "unit":
				c.p.Rows, c.same.X = c.p.Rows.NormalizeUnit().WithBias(1), c.same.X.NormalizeUnit().WithBias(1)
			case "minmax", "std":
				fit := c.p.Rows.FitMinMax
				if view == "std" {
					fit = c.p.Rows.FitStd
				}
				scaler, err := fit(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if c.p.Rows, err = c.p.Rows.Scaled(scaler); err != nil {
					t.Fatal(err)
				}
				if c.same.X, err = scaler.Apply(c.same.X.WithValues(sparse.ValuesFloat64)); err != nil {
					t.Fatal(err)
				}
			case "weighted":
				c.p.ClassWeights = &[2]float64{0.5, 3}
				var err error
				if c.same.SampleWeight, err = ClassWeight(c.same.Y, nil, 0.5, 3); err != nil {
					t.Fatal(err)
				}
			}
			s := solvers.Settings{MaxEpochs: 300, GapTolerance: 1e-8, Shards: 16, Workers: 1}
			want := mustSolve(t, c.same, Newton{}, s)
			if want.Status != solvers.Converged {
				t.Fatalf("%s, %s: %v", spec, view, want.Status)
			}
			least := need(t, c.p, s)
			for _, memory := range []int64{least, least + least/2, least + 8*int64(c.p.Rows.Rows()) + 4*c.p.Rows.NNZ(), 0} {
				for workers := 1; workers <= 2; workers++ {
					c.p.Memory, s.Workers = memory, workers
					r, err := SolveStreamed(ctx, c.p, Newton{}, s)
					if err != nil {
						t.Fatal(err)
					}
					solvetest.SameBits(t, fmt.Sprintf("%s, %s, memory %d, %d workers", spec, view, memory, workers), r, want)
				}
			}
			c.p.Memory, s.Checkpoint, s.MaxEpochs = least, filepath.Join(t.TempDir(), "run"), 4
			if _, err := SolveStreamed(ctx, c.p, Newton{}, s); err != nil {
				t.Fatal(err)
			}
			s.Resume, s.Checkpoint, s.MaxEpochs, c.p.Memory = s.Checkpoint, "", 300, 0
			r, err := SolveStreamed(ctx, c.p, Newton{}, s)
			if err != nil {
				t.Fatal(err)
			}
			solvetest.SameBits(t, spec+", "+view+", resumed with more memory", r, want)
			solvetest.SameBits(t, spec+", "+view+", resumed in memory", mustSolve(t, c.same, Newton{}, s), want)

			got, err := c.p.Measure(ctx, want.Weights, s)
			if err != nil {
				t.Fatal(err)
			}
			right, square := 0.0, 0.0
			z := make([]float64, c.same.X.Rows())
			if err := c.same.X.MulVec(nil, z, want.Weights); err != nil {
				t.Fatal(err)
			}
			for i, y := range c.same.Y {
				if z[i]*y > 0 || z[i] == 0 && y < 0 {
					right++
				}
				square += (z[i] - y) * (z[i] - y)
			}
			if n := float64(len(z)); got.Accuracy != right/n || math.Abs(got.MeanSquare-square/n) > 1e-12*square/n {
				t.Errorf("%s, %s: measured %v, not %v and %v", spec, view, got, right/n, square/n)
			}
		}
	}
}

// Without a number of shards a run takes the default for the data, and all losses run.
func TestStreamedLosses(t *testing.T) {
	for _, phi := range losses {
		c := streamed(t, "text:n=2500,d=300", phi)
		s := solvers.Settings{MaxEpochs: 500, GapTolerance: 1e-9}
		r, err := SolveStreamed(context.Background(), c.p, Newton{}, s)
		if err != nil {
			t.Fatal(err)
		}
		if s.Shards = c.p.Shards(); s.Shards < 2 {
			t.Errorf("%d shards", s.Shards)
		}
		solvetest.SameBits(t, phi.String(), r, mustSolve(t, c.same, Newton{}, s))
		if r.Status != solvers.Converged {
			t.Errorf("%v: %v", phi, r.Status)
		}
	}
}

// A file that is damaged, that shrinks and that changes under the run end it, with an
// error that names the rows and no result; the checkpoint from before serves.
func TestStreamedTrouble(t *testing.T) {
	ctx := context.Background()
	c := streamed(t, "text:n=3000,d=400", loss.Logistic{})
	s := solvers.Settings{MaxEpochs: 300, GapTolerance: 1e-9, Shards: 8, Workers: 2}
	want := mustSolve(t, c.same, Newton{}, s)
	c.p.Memory = need(t, c.p, s)
	whole, err := os.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(f *os.File) error{
		"the file ends before rows":             func(f *os.File) error { return f.Truncate(int64(len(whole) / 2)) },
		"the file has changed since it was ope": func(f *os.File) error { _, err := f.WriteAt([]byte{1, 2, 3, 4}, int64(len(whole)/3)); return err },
	} {
		run := s
		run.Checkpoint, run.Overwrite = filepath.Join(t.TempDir(), "run"), true
		points := 0
		run.Recorder = recorder(func(solvers.Point) error {
			if points++; points != 3 {
				return nil
			}
			f, err := os.OpenFile(c.path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			return errors.Join(spoil(f), f.Close())
		})
		r, err := SolveStreamed(ctx, c.p, Newton{}, run)
		if format := (*sparse.FormatError)(nil); r != nil || !errors.As(err, &format) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: result %v, error %v", what, r, err)
		}
		if err := os.WriteFile(c.path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		run.Resume, run.Recorder = run.Checkpoint, nil
		if r, err = SolveStreamed(ctx, c.p, Newton{}, run); err != nil {
			t.Fatal(err)
		}
		solvetest.SameBits(t, what, r, want)
	}
}

type recorder func(solvers.Point) error

func (r recorder) Record(p solvers.Point) error { return r(p) }

func TestStreamedRefused(t *testing.T) {
	ctx := context.Background()
	c := streamed(t, "onehot:n=500,d=40", loss.Logistic{})
	for want, change := range map[string]func(p *Streamed, s *solvers.Settings){
		"no rows":    func(p *Streamed, _ *solvers.Settings) { p.Rows = nil },
		"set Labels": func(p *Streamed, _ *solvers.Settings) { p.Labels = nil },
		"class weights need": func(p *Streamed, _ *solvers.Settings) {
			p.Labels, p.Loss, p.ClassWeights = nil, loss.Huber{}, &[2]float64{1, 1}
		},
		"has no":                       func(p *Streamed, _ *solvers.Settings) { p.Penalty = penalty.L1{Lambda: 1} },
		"leave X, Y, SampleWeight":     func(p *Streamed, _ *solvers.Settings) { p.Y = []float64{1} },
		"a class weight is -1":         func(p *Streamed, _ *solvers.Settings) { p.ClassWeights = &[2]float64{1, -1} },
		"lambda is":                    func(p *Streamed, _ *solvers.Settings) { p.Penalty = penalty.Ridge{Lambda: -1} },
		"Huber's delta":                func(p *Streamed, _ *solvers.Settings) { p.Loss = loss.Huber{Delta: -1} },
		"Memory is -1":                 func(p *Streamed, _ *solvers.Settings) { p.Memory = -1 },
		"power of two":                 func(_ *Streamed, s *solvers.Settings) { s.Shards = 6 },
		"label 1 is neither 4 nor 2":   func(p *Streamed, _ *solvers.Settings) { p.Labels = &sparse.LabelMap{Positive: 4, Negative: 2} },
		"needs 10 MB of memory at lea": func(p *Streamed, _ *solvers.Settings) { p.Memory = 1 << 20 },
	} {
		p, s := *c.p, solvers.Settings{}
		change(&p, &s)
		if r, err := SolveStreamed(ctx, &p, Newton{}, s); r != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := SolveStreamed(ctx, nil, Newton{}, solvers.Settings{}); err == nil {
		t.Error("no problem was solved")
	}
	if err := shards.Label(c.p.rows())(100, []float64{4, 7}, nil); !errors.As(err, new(*sparse.FormatError)) || !strings.Contains(err.Error(), "row 101: label 7") {
		t.Errorf("a label of no class: error %v", err)
	}
	// What several ranks tell one another is planned too.
	need := func(ranks solvers.Ranks) int64 {
		p, short := *c.p, new(MemoryError)
		p.Memory = 1 << 20
		if _, err := SolveStreamed(ctx, &p, Newton{}, solvers.Settings{Shards: 2, Workers: 1, Ranks: ranks}); !errors.As(err, &short) {
			t.Errorf("error %v", err)
		}
		return short.Need
	}
	alone := need(nil)
	shardstest.Run(2, func(ranks solvers.Ranks) error {
		if two := need(ranks); two < alone+shards.OtherMemory {
			t.Errorf("one of two processes needs %d bytes, one alone %d", two, alone)
		}
		return nil
	})
	if _, err := SolveStreamed(ctx, c.p, Newton{Forcing: 2}, solvers.Settings{}); err == nil {
		t.Error("a forcing of 2 was taken")
	}
	if _, err := c.p.Measure(ctx, make([]float64, 3), solvers.Settings{}); err == nil {
		t.Error("three weights were taken")
	}
}
