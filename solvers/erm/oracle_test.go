package erm

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestOraclesAlongSteps: along has the mean losses of the points w + alpha s, in each search anew, and
// move evaluates the point that it goes to. By shards the full step costs one sweep, and 16 shorter
// ones another.
func TestOraclesAlongSteps(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 700, 12, 4, 1e-3, true)
	n, d := p.X.Rows(), p.X.Cols()
	f, err := newSharded(&shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Shards: 4}, p,
		&run.Session{Settings: solvers.Settings{Shards: 4}, Ending: func() bool { return false }}, shards.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reference := newObjective(p, nil, nil)
	for _, o := range []oracle{f, newInMemory(newObjective(p, nil, nil))} {
		at := &points{w: make([]float64, d), g: make([]float64, d), next: make([]float64, d), slope: make([]float64, d)}
		s, product := make([]float64, d), make([]float64, d)
		for search := range 4 {
			if _, err := o.visit(at.g, at.w); err != nil {
				t.Fatal(err)
			}
			o.curve(at.w, false)
			for j := range s {
				s[j] = math.Sin(float64(j + 5*search))
			}
			if err := o.product(product, s); err != nil {
				t.Fatal(err)
			}
			o.follow(1, true, true)
			o.used()
			alpha, point := 2.0, make([]float64, d)
			for range 1 + 20*(search%2) {
				alpha /= 2
				for j := range point {
					point[j] = at.w[j] + alpha*s[j]
				}
				got, err := o.along(at, s, alpha)
				if err != nil {
					t.Fatal(err)
				}
				reference.margins(reference.coef, point)
				near(t, "mean loss", []float64{got}, []float64{reference.slopesAt(reference.coef)}, 1e-13)
			}
			e, err := o.move(at, s, alpha, 1)
			if err != nil {
				t.Fatal(err)
			}
			g := make([]float64, d)
			want := reference.gradient(g, point)
			near(t, "next point", at.next, point, 1e-15)
			near(t, "gradient", at.slope, g, 1e-12)
			near(t, "objective", []float64{e.Objective}, []float64{want.Objective}, 1e-13)
			if sweeps := o.used() / n; o.rows() == nil && sweeps != 1+3*(search%2) {
				t.Errorf("search %d took %d sweeps", search, sweeps)
			}
			at.arrive()
		}
	}
}

// TestOrthogonalMargins: after an orthogonal step the margins belong to the weights.
func TestOrthogonalMargins(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 60, 8, 4, 1e-3, true)
	m, d := newInMemory(newObjective(p, nil, nil)), p.X.Cols()
	at := &points{w: make([]float64, d), g: make([]float64, d), next: make([]float64, d), slope: make([]float64, d)}
	s, z := make([]float64, d), make([]float64, p.X.Rows())
	e, _ := m.visit(at.g, at.w)
	m.curve(at.w, false)
	square := m.orthogonalStep(at.w, s)
	if _, err := m.along(at, s, 1); err != nil {
		t.Fatal(err)
	}
	after, _ := m.move(at, s, 1, 0)
	m.margins(z, at.next)
	near(t, "margins", m.z, z, 0)
	if m.cached.operations != 0 || !(after.Objective < e.Objective-0.25*square) {
		t.Errorf("margins of %d operations; the objective falls from %v to %v, and %v was promised", m.cached.operations, e.Objective, after.Objective, square/2)
	}
}
