package elasticnet

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// polish goes from near the minimum to it, by Newton steps on the weights that are not 0, with
// dense elimination. It tells whether the optimality conditions hold to 1e-13.
func polish(p *Problem, near []float64) (w []float64, optimal bool) {
	n, d := p.X.Rows(), penalised(p)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d+1)
		for j, x := range features(p).Row(i) {
			rows[i][j] = x
		}
		rows[i][d] = 1
	}
	w = slices.Clone(near)
	var free []int
	for j, v := range w {
		if j < d && math.Abs(v) > 1e-5 || j == d && p.Intercept {
			free = append(free, j)
		} else {
			w[j] = 0
		}
	}
	gradient := func() (g, h []float64) {
		g, h = make([]float64, d+1), make([]float64, n)
		for i, row := range rows {
			z := 0.0
			for j, x := range row {
				z += x * w[j]
			}
			s := direct.Weight(p.SampleWeight, i) / float64(n)
			c := s * slope(p.Loss, z, p.Y[i], p.Loss.Parameter())
			switch h[i] = s; p.Loss.String() {
			case "logistic":
				q := 1 / (1 + math.Exp(-z))
				h[i] *= q * (1 - q)
			case "squared-hinge":
				if p.Y[i]*z >= 1 {
					h[i] = 0
				}
			case "huber":
				if math.Abs(z-p.Y[i]) > p.Loss.Parameter() {
					h[i] = 0
				}
			}
			for j, x := range row {
				g[j] += c * x
			}
		}
		for j := range d {
			g[j] += p.Ridge() * w[j]
		}
		return g, h
	}
	residual := func(g []float64, j int) float64 {
		if j == d {
			return g[j]
		}
		return penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty)}.Violation(0, g[j], w[j])
	}
	for range 40 {
		g, h := gradient()
		a := make([][]float64, len(free)) // of the Newton equations
		for r, j := range free {
			a[r] = make([]float64, len(free)+1)
			for c, k := range free {
				for i, row := range rows {
					a[r][c] += h[i] * row[j] * row[k]
				}
				if j == k && j < d {
					a[r][c] += p.Ridge()
				}
			}
			a[r][len(free)] = -residual(g, j)
		}
		for r := range a {
			best := r
			for k := r + 1; k < len(a); k++ {
				if math.Abs(a[k][r]) > math.Abs(a[best][r]) {
					best = k
				}
			}
			a[r], a[best] = a[best], a[r]
			for k := range a {
				if k != r {
					by := a[k][r] / a[r][r]
					for c := r; c <= len(a); c++ {
						a[k][c] -= by * a[r][c]
					}
				}
			}
		}
		for r, j := range free {
			w[j] += a[r][len(a)] / a[r][r]
		}
	}
	g, _ := gradient()
	for j := range d {
		if math.Abs(residual(g, j)) > 1e-13 {
			return w, false
		}
	}
	return w, !p.Intercept || math.Abs(g[d]) <= 1e-13
}

// TestToTheLastDigits compares objective, weights and zeros with Newton's method on dense rows.
// It takes every loss, with and without an intercept, a squared norm and weights, alone and along
// a path. The certificate holds against that minimum.
func TestToTheLastDigits(t *testing.T) {
	t.Parallel()
	variants(t, func(t *testing.T, p *Problem) {
		want, optimal := polish(p, independent(p, 3000))
		if !optimal {
			t.Fatal("the reference does not fulfil the optimality conditions")
		}
		least := value(p, want)
		check := func(what string, r *solvers.Result) {
			if got := value(p, r.Weights); math.Abs(got-least) > 1e-12 || got-least > r.Gap+1e-15 || !(r.Gap < 1e-11) {
				t.Errorf("%s: objective %v, not %v, with a gap of %v", what, got, least, r.Gap)
			}
			for j, v := range r.Weights {
				if math.Abs(v-want[j]) > 1e-8 || j < penalised(p) && (v == 0) != (want[j] == 0) {
					t.Errorf("%s: weight %d is %.12g, not %.12g", what, j, v, want[j])
				}
			}
		}
		settings := solvers.Settings{GapTolerance: 1e-15, MaxEpochs: 1e5, Workers: 1}
		check("single", solve(t, p, settings))
		s := newPath(t, p)
		var last *solvers.Result
		for _, by := range []float64{8, 4, 2, 1} {
			r, err := s.Solve(t.Context(), penalty.ElasticNet{L1: by * penalty.WeightOf(p.Penalty), L2: p.Ridge()}, settings)
			if err != nil {
				t.Fatal(err)
			}
			last = r
		}
		check("path", last)
	})
}
