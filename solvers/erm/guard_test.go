package erm

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/passes"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// rawCounts is a problem whose rows differ in length by e^4.
func rawCounts(t *testing.T) *Problem {
	t.Helper()
	p := randomProblem(t, loss.Logistic{}, 60, 12, 4, 0.01, false)
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	for i := range 60 {
		length := math.Exp(2 * math.Sin(float64(i*i)))
		for j, v := range p.X.Row(i) {
			if j < 12 {
				columns, values = append(columns, uint32(j)), append(values, math.Abs(v)*length)
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := sparse.NewCSR(12, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	return p
}

// guardedListing is algorithm 2 on dense rows with what the documentation of AISARAH says
// of the guard, or without. after is called with the iterate after every full gradient and
// every step.
func (r *reference) guardedListing(m AISARAH, batches *passes.Batches, steps int, after func(w []float64)) (strayed, long int) {
	w := make([]float64, r.X.Cols())
	var kept []float64
	var lastObjective, lastNorm, began, delta, first, floor float64
	for step := 0; step < steps; {
		objective, v := r.objective(r.all(), w), r.gradient(r.all(), w)
		norm := math.Sqrt(dot(v, v))
		step++
		if kept == nil {
			began = objective
		} else if worse := objective > lastObjective+1e-9*math.Abs(lastObjective); !m.Unguarded && worse && (norm > lastNorm || objective > began) {
			strayed++
			copy(w, kept)
			floor = 2 * math.Max(floor, first) // half of the cap
			after(w)
			continue
		}
		kept, lastObjective, lastNorm = slices.Clone(w), objective, norm
		floor *= 3. / 4
		after(w)
		for t := 1; step < steps; t++ {
			rows := batches.Next()
			alpha := r.newton(rows, w, v)
			if delta == 0 {
				delta = 1 / alpha
			} else {
				delta = 0.999*delta + (1-0.999)/alpha
			}
			delta = math.Max(delta, floor)
			if t == 1 {
				first = delta
			}
			r.recursiveStep(rows, w, v, math.Min(alpha, 1/delta))
			step++
			after(w)
			passes := 20
			if floor > 0 {
				passes = 3
			}
			if dot(v, v) < norm*norm/32 {
				break
			}
			if !m.Unguarded && t == passes*batches.PerPass() {
				long++
				break
			}
		}
	}
	return strayed, long
}

// TestGuardedListing lays the guard, on and off, beside its description.
func TestGuardedListing(t *testing.T) {
	for _, m := range []AISARAH{{}, {Unguarded: true}} {
		const seed, size = 2, 7
		p := rawCounts(t)
		loop := loopOf(t, p, m, solvers.Settings{BatchSize: size, Seed: seed})
		steps := 1200
		if m.Unguarded {
			steps = 25 // the way that it goes astray on magnifies rounding
		}
		var c run.Control
		step := 0
		strayed, long := newReference(p).guardedListing(m, passes.NewBatches(60, size, passes.FoldTail, random.New(seed)), steps, func(w []float64) {
			loop.Next(&c)
			compare(t, fmt.Sprintf("unguarded %v, step %d", m.Unguarded, step), current(loop, len(w)), w, 1e-10)
			if step++; t.Failed() {
				t.FailNow()
			}
		})
		if m.Unguarded != (strayed == 0) || !m.Unguarded && (strayed < 3 || long < 3) {
			t.Errorf("unguarded %v: %d loops strayed, %d were too long", m.Unguarded, strayed, long)
		}
	}
}

// guarded returns a loop that has begun its first inner loop, at 0.
func guarded(t *testing.T, m AISARAH) (*aisarahLoop, *Problem, *run.Control) {
	t.Helper()
	p := newtonProblem(t, "onehot:n=120", loss.Logistic{}, 1e-2)
	loop, _, err := m.begin(&task{p: p, settings: solvers.Settings{BatchSize: 10}, full: newObjective(p, nil, nil), random: random.New(2)})
	if err != nil {
		t.Fatal(err)
	}
	l, c := loop.(*aisarahLoop), new(run.Control)
	l.Next(c)
	if !l.inner {
		t.Fatal("no inner loop begins")
	}
	return l, p, c
}

// stray puts the loop at the end of an inner loop that led far away, whose cap on the
// step was 1/begun.
func stray(l *aisarahLoop, columns int, begun float64) {
	far := make([]float64, columns)
	for j := range far {
		far[j] = 50 * float64(1-2*(j%2))
	}
	l.start(far, make([]float64, columns), 0)
	l.inner, l.guard.begun = false, begun
}

// TestStrayedLoopsAreTakenBack: the point is the one before the loop, and the step's cap is half
// the smaller of the loop's cap and the present cap.
func TestStrayedLoopsAreTakenBack(t *testing.T) {
	l, p, c := guarded(t, AISARAH{})
	for range 5 {
		l.Next(c)
	}
	before := slices.Clone(l.guard.kept)
	w := make([]float64, p.X.Cols())
	for _, step := range []struct{ begun, floor float64 }{{0.7, 1.4}, {0.1, 2.8}, {5, 10}} {
		stray(l, len(w), step.begun)
		l.Next(c)
		if l.Current(w); !slices.Equal(w, before) || l.inner {
			t.Fatalf("a loop that strayed is not taken back: at %v, from %v", w, before)
		}
		if math.Abs(l.guard.floor-step.floor) > 1e-15 {
			t.Fatalf("the cap is 1/%v after a loop with 1/%v, not 1/%v", l.guard.floor, step.begun, step.floor)
		}
	}
	// From there on all is well: the floor sinks by a quarter a loop, and the steps keep
	// to it.
	l.Next(c)
	if l.guard.floor != 7.5 || !l.inner {
		t.Fatalf("the cap is 1/%v as the next loop begins, not 1/7.5", l.guard.floor)
	}
	l.Next(c)
	if l.delta < 7.5 {
		t.Errorf("a step was capped by 1/%v, not 1/7.5", l.delta)
	}

	l, _, c = guarded(t, AISARAH{Unguarded: true})
	stray(l, len(w), 0.7)
	l.Next(c)
	if l.Current(w); w[0] != 50 || l.guard.floor != 0 {
		t.Error("the algorithm as printed takes a loop back")
	}
}

// TestInnerLoopsEnd: where v_t never gets small, after twenty passes, after three once
// a loop strayed, and never in the algorithm as printed.
func TestInnerLoopsEnd(t *testing.T) {
	for _, c := range []struct {
		m           AISARAH
		floor       float64
		passes, try int
	}{{AISARAH{Gamma: 1e-300}, 0, 20, 30}, {AISARAH{Gamma: 1e-300}, 3, 3, 30}, {AISARAH{Gamma: 1e-300, Unguarded: true}, 0, 25, 25}} {
		l, _, control := guarded(t, c.m)
		l.guard.floor = c.floor
		steps := 0
		for l.inner && steps < c.try*l.batches.PerPass() {
			l.Next(control)
			steps++
		}
		if steps != c.passes*l.batches.PerPass() {
			t.Errorf("%+v, floor %v: %d steps, want %d passes of %d", c.m, c.floor, steps, c.passes, l.batches.PerPass())
		}
	}
}

// TestGuardResumes: a run with undone inner loops resumes to the same bits, wherever it was cut.
func TestGuardResumes(t *testing.T) {
	p := rawCounts(t)
	for _, initial := range [][]float64{nil, start(p.X.Cols())} {
		s := solvers.Settings{BatchSize: 7, Seed: 2, MaxIterations: 240, MaxEpochs: 1000, Initial: initial}
		want := mustSolve(t, p, AISARAH{}, s)
		for cut := int64(5); cut < s.MaxIterations; cut += 15 {
			first, second := s, s
			first.MaxIterations, first.Checkpoint = cut, filepath.Join(t.TempDir(), "run")
			second.Resume, second.Initial = first.Checkpoint, nil
			mustSolve(t, p, AISARAH{}, first)
			solvetest.SameBits(t, fmt.Sprintf("cut after %d iterations", cut), mustSolve(t, p, AISARAH{}, second), want)
		}
	}
}
