package softmax

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/solvers"
)

// rowDual is the function that a row's step minimises over distributions v: sum v log v + (q/2)
// ||v||^2 - t'v.
func rowDual(v, t []float64, q float64) float64 {
	sum := 0.0
	for k, x := range v {
		if x > 0 {
			sum += x * math.Log(x)
		}
		sum += x * (q/2*x - t[k])
	}
	return sum
}

// rowMinimum finds the smallest by bisection: of mu, so that the variables sum to 1, and of
// each variable's logarithm.
func rowMinimum(t []float64, q float64) []float64 {
	v := make([]float64, len(t))
	low, high := -1e7, 1e7
	for range 80 {
		mu, sum := (low+high)/2, 0.0
		for k := range v {
			from, to := -1e8, 1.0
			for range 80 {
				if log := (from + to) / 2; log+q*math.Exp(log) < t[k]-mu {
					from = log
				} else {
					to = log
				}
			}
			v[k] = math.Exp(from)
			sum += v[k]
		}
		if sum > 1 {
			low = mu
		} else {
			high = mu
		}
	}
	return v
}

// TestRowStep: a step makes up for nearly all that a row's variables lack, for rows of all
// lengths and margins of all sizes. Its part of the gap is the divergence by its definition.
func TestRowStep(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, q := range []float64{0, 1e-3, 1, 40, 1e3, 1e6} {
		for _, scale := range []float64{0, 1, 30, 3e3} {
			for _, k := range []int{2, 20} {
				s := newRowStep(k)
				logs, z, before := make([]float64, k), make([]float64, k), make([]float64, k)
				own := uint32(k - 1)
				for round := range 4 {
					for c := range z {
						z[c] = scale * normal(r)
					}
					copy(before, s.v)
					if round == 0 {
						clear(before)
						before[own] = 1
					}
					part, want, total := s.maximise(logs, z, own, q, round == 0), 0.0, 0.0
					for _, v := range z {
						total += math.Exp(v - z[own])
					}
					total, margins := math.Log(total)+z[own], make([]float64, k)
					for c, v := range before {
						if v > 0 {
							want += v * (math.Log(v) - (z[c] - total))
						}
						margins[c] = z[c] + q*v
					}
					if math.Abs(part-want) > 1e-9*(1+math.Abs(want)+scale) {
						t.Errorf("q %v, margins of %v, %d classes: a part of %v, not %v", q, scale, k, part, want)
					}
					sum := 0.0
					for c, v := range s.v {
						sum += v
						if math.Abs(math.Exp(logs[c])-v) > 1e-12 {
							t.Fatalf("q %v, margins of %v, %d classes: logarithm %v of %v", q, scale, k, logs[c], v)
						}
					}
					first, last, least := rowDual(before, margins, q), rowDual(s.v, margins, q), rowDual(rowMinimum(margins, q), margins, q)
					if !(math.Abs(sum-1) < 1e-12) || !(last-least <= 0.02*(first-least)+1e-9*(1+scale+q)) {
						t.Errorf("q %v, margins of %v, %d classes, round %d: sum %v; %v of %v is left", q, scale, k, round, sum, last-least, first-least)
					}
				}
			}
		}
	}
}

// TestAscentKeepsItsWeights: W is W(V) by its definition, and the dual there is a bound of
// the minimum, which it comes near.
func TestAscentKeepsItsWeights(t *testing.T) {
	p := weighted(randomProblem(t, 60, 150, 4, 21))
	least := solve(t, p, solvers.Settings{GapTolerance: 1e-13}).Objective
	settings, err := run.Check(solvers.Settings{MaxEpochs: 12}, p.X.Cols()*p.Count)
	if err != nil {
		t.Fatal(err)
	}
	o := newObjective(p, nil)
	l := newLoop(Newton{}.withDefaults(), o, settings, random.New(3))
	a := l.start
	if _, err := run.Drive(context.Background(), run.Run{
		Samples: p.X.Rows(), Columns: p.X.Cols() * p.Count, Loop: l, Reports: true, Evaluate: o.evaluate,
	}, settings); err != nil || a == nil || l.start != a {
		t.Fatalf("%v; the ascent is over", err)
	}
	d, n, value := p.X.Cols(), float64(p.X.Rows()), 0.0
	w := make([]float64, d*p.Count)
	for i := range p.X.Rows() {
		for c := range p.Count {
			v := math.Exp(a.logs[i*p.Count+c])
			u := -v
			if p.Class[i] == uint32(c) {
				u++
			}
			if direct.Weight(p.SampleWeight, i) == 0 {
				continue
			}
			if v > 0 {
				value -= direct.Weight(p.SampleWeight, i) * v * math.Log(v) / n
			}
			for j, x := range p.X.Row(i) {
				w[j*p.Count+c] += direct.Weight(p.SampleWeight, i) * u * x / (p.Lambda * n)
			}
		}
	}
	for j, v := range w {
		value -= p.Lambda / 2 * v * v
		if math.Abs(v-a.w[j]) > 1e-12 {
			t.Fatalf("weight %d: %v, not %v", j, a.w[j], v)
		}
	}
	if below := least - value; !(below >= -1e-13 && below <= 1e-5) {
		t.Errorf("the dual is %v below the minimum %v", below, least)
	}
}

// TestAscentBits: every CPU path and number of workers gives the recorded bits, through the
// ascent and Newton's method after it.
func TestAscentBits(t *testing.T) {
	const want = "a8292596f13391ec"
	p := weighted(randomProblem(t, 120, 400, 21, 12))
	p.Lambda = 1e-4
	for path := range pathtest.Paths(t) {
		for _, workers := range []int{1, 3} {
			r := solve(t, p, solvers.Settings{GapTolerance: 1e-9, Workers: workers})
			if got := solvers.HashWeights(r.Weights)[:16]; got != want {
				t.Errorf("%s, %d workers: %s, not %s", path, workers, got, want)
			}
		}
	}
}

// TestAscentResume cuts a run within its passes, at their ends, and beyond the ascent.
func TestAscentResume(t *testing.T) {
	p := randomProblem(t, 50, 130, 5, 13)
	p.Lambda = 1e-5
	for _, initial := range [][]float64{nil, solve(t, p, solvers.Settings{GapTolerance: 1e-2}).Weights} {
		const end = 75
		every := 0.7
		if testing.Short() {
			every = 2.3
		}
		settings := solvers.Settings{GapTolerance: 1e-30, Initial: initial, MaxEpochs: end}
		want := solve(t, p, settings)
		settings.Checkpoint, settings.Overwrite = filepath.Join(t.TempDir(), "run"), true
		for passes := 0.3; ; passes += every {
			settings.MaxEpochs = min(passes, end)
			r := solve(t, p, settings)
			if settings.Resume = settings.Checkpoint; passes >= end {
				if solvers.HashWeights(r.Weights) != solvers.HashWeights(want.Weights) || r.Total.Epochs != want.Total.Epochs || r.Gap > 1e-9 {
					t.Errorf("other weights after cuts, %v and %v passes, gap %v", r.Total.Epochs, want.Total.Epochs, r.Gap)
				}
				break
			}
		}
	}
}

// TestAscentBegins: wherever a run begins, it ends at the minimum. From a point near the minimum
// it takes a few passes.
func TestAscentBegins(t *testing.T) {
	p := randomProblem(t, 60, 150, 4, 23)
	want := solve(t, p, solvers.Settings{GapTolerance: 1e-13})
	r := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct {
		away, most float64
	}{{0, 1}, {1e-4, 20}, {0.05, 30}, {50, 200}, {1e150, 1000}} {
		initial := append([]float64(nil), want.Weights...)
		for j := range initial {
			initial[j] += c.away * normal(r)
		}
		got := solve(t, p, solvers.Settings{GapTolerance: 1e-11, Initial: initial, MaxEpochs: 1000})
		if got.Status != solvers.Converged || math.Abs(got.Objective-want.Objective) > 1e-11 || got.Total.Epochs > c.most {
			t.Errorf("%v away: %v after %v passes, %v above the minimum", c.away, got.Status, got.Total.Epochs, got.Objective-want.Objective)
		}
	}
}

// TestAscentHostile: rows of very different lengths end in the truth: converged where the
// gap says so, and no worse than 0.
func TestAscentHostile(t *testing.T) {
	for _, power := range []float64{1, 4, 8, 40} {
		p := randomProblem(t, 40, 120, 3, 27)
		r, scale := rand.New(rand.NewPCG(6, 6)), make([]float64, 40)
		for i := range scale {
			scale[i] = math.Pow(10, power*normal(r))
		}
		p.X = p.X.WithBias(0)
		x, err := matrix.ScaleRows(p.X, scale)
		if err != nil {
			t.Fatal(err)
		}
		p.X = x
		got, err := Solve(context.Background(), p, Newton{}, solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 2000})
		if err != nil {
			t.Fatal(err)
		}
		value, _ := byDefinition(p, got.Weights)
		if got.Status == solvers.Converged && !(got.Gap <= 1e-8) || power < 4 && got.Status != solvers.Converged || value > math.Log(3)*(1+1e-12) {
			t.Errorf("10^%v: %v, objective %v, gap %v", power, got.Status, value, got.Gap)
		}
	}
}
