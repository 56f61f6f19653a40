package sdca

import (
	"math"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// certified is what is known of a class.
type certified struct {
	w            []float64
	size         float64    // ||w||
	loss, square float64    // sum of the losses, and of the squares of their slopes
	young        float64    // bound of the Fenchel-Young losses in sum
	duals        float64    // sum of alpha^2
	seems        float64    // the gap, but for what rounding took
	keep         [2]float64 // shares that dual variables of the rest and of the class keep
	rest, far    float64    // of certificate.Balance, and the largest |margin|
	slopes       certificate.Intercept
	run.Evaluation
}

// certify evaluates all classes as the objective of Prox does.
func (s *together) certify(settings solvers.Settings) []*solvers.Result {
	classes := make([]certified, s.Count)
	bounds := s.shared()
	for j := range classes {
		c := &classes[j]
		c.w = s.column(s.w, j)
		c.size = direct.Norm(c.w)
	}
	sums := make([]float64, len(s.w))
	s.sweep(bounds, classes, sums)
	open := false // a class whose target only its dual variables show to be reached
	for j := range classes {
		c := &classes[j]
		s.evaluate(bounds, c, s.column(sums, j))
		open = open || c.young < c.Gap && run.Seems(&settings, c.Evaluation, c.young) && !run.Reaches(&settings, c.Evaluation)
	}
	if open {
		s.distances(bounds, classes, sums)
	}
	out := make([]*solvers.Result, s.Count)
	for j := range classes {
		c := &classes[j]
		if run.Seems(&settings, c.Evaluation, c.seems) && !run.Reaches(&settings, c.Evaluation) {
			s.bounds(j).Sharpen(&c.Evaluation, c.w, settings.GapTolerance)
		}
		c.Evaluation = run.Settled(&settings, c.Evaluation, func(e run.Evaluation) run.Evaluation {
			return s.bounds(j).Settle(c.w, e)
		})
		out[j] = s.result(c, settings)
	}
	return out
}

// shared returns the bounds of rounding that all classes share: margins of several classes are
// sums of one entry after the other.
func (s *together) shared() *certificate.Bounds {
	return certificate.New(certificate.Problem{Problem: erm.Problem{X: s.X, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: s.Lambda}, Intercept: s.Intercept}, Sequential: true})
}

// column copies the numbers of one class out of the numbers of all classes.
func (s *together) column(of []float64, class int) []float64 {
	out := make([]float64, len(of)/s.Count)
	for c := range out {
		out[c] = of[c*s.Count+class]
	}
	return out
}

// label returns 1 for the rows of a class, -1 for the others.
func (s *together) label(row, class int) float64 {
	if int(s.Class[row]) == s.First+class {
		return 1
	}
	return -1
}

// alpha returns the dual variable of a row and a class.
func (s *together) alpha(c *certified, row, class int) float64 {
	y := s.label(row, class)
	keep := c.keep[0]
	if y > 0 {
		keep = c.keep[1]
	}
	return float64(y*s.a[row*s.Count+class]) * keep
}

// sweep sums up the losses of all classes, and X' times their slopes.
func (s *together) sweep(bounds *certificate.Bounds, classes []certified, sums []float64) {
	n, k := len(s.q), s.Count
	margins := make([]float64, blockRows*k)
	z, y, slope := make([]float64, blockRows), make([]float64, blockRows), make([]float64, blockRows)
	rows := make([]uint32, blockRows)
	dual := loss.Logistic{}
	for j := range classes {
		s.balance(&classes[j], j)
	}
	for first := 0; first < n; first += blockRows {
		count := min(blockRows, n-first)
		block := margins[:count*k]
		clear(block)
		direct.Must(matrix.AddMulMatrixFrom(s.X, block, first, s.w, k))
		for j := range classes {
			c := &classes[j]
			for r := range count {
				z[r], y[r], rows[r] = block[r*k+j], s.label(first+r, j), uint32(first+r)
			}
			c.loss += loss.Logistic{}.Gradient(slope[:count], z[:count], y[:count], nil)
			c.square += kernels.SquaredNorm(slope[:count])
			if s.Intercept {
				c.slopes.Add(dual, y[:count], slope[:count], nil)
				c.far = max(c.far, kernels.MaxAbs(z[:count]))
			}
			for r := range count {
				alpha := s.alpha(c, first+r, j)
				c.young += fenchelYoungBound(dual, alpha, z[r], y[r], 1, slope[r], bounds.Margin(first+r, c.size))
				c.duals = math.FMA(alpha, alpha, c.duals)
				block[r*k+j] = slope[r]
			}
		}
		direct.Must(matrix.AddOuter(s.X, sums, rows[:count], block, k))
	}
}

// evaluate evaluates a class by its gradient, given X' times the slopes.
func (s *together) evaluate(bounds *certificate.Bounds, c *certified, g []float64) {
	n := float64(len(s.q))
	held, w := g[:s.features.Cols()], c.w[:s.features.Cols()]
	direct.ScaleAdd(held, 1/n, held, s.Lambda, w)
	var at *certificate.Intercept
	if s.Intercept {
		last := len(held)
		g[last] /= n
		at = &c.slopes
		at.Slope = g[last]
		c.young += float64(c.rest * (1 + math.Abs(c.w[last]) + c.far))
	}
	c.young /= n
	var bare float64
	c.Evaluation, bare = bounds.Evaluation(c.loss/n, kernels.SquaredNorm(w), direct.Norm(g), math.Sqrt(c.square), c.size, at)
	c.seems = min(bare, c.young)
}

// distances adds (lambda/2) ||w - X'alpha/(lambda n)||^2 to the Fenchel-Young losses, which
// are then a gap. It overwrites sums.
func (s *together) distances(bounds *certificate.Bounds, classes []certified, sums []float64) {
	n, k := len(s.q), s.Count
	clear(sums)
	rows, block := make([]uint32, blockRows), make([]float64, blockRows*k)
	for first := 0; first < n; first += blockRows {
		count := min(blockRows, n-first)
		for r := range count {
			rows[r] = uint32(first + r)
			for j := range k {
				block[r*k+j] = s.alpha(&classes[j], first+r, j)
			}
		}
		direct.Must(matrix.AddOuter(s.X, sums, rows[:count], block[:count*k], k))
	}
	for j := range classes {
		c := &classes[j]
		v := s.column(sums, j)[:s.features.Cols()]
		direct.ScaleAdd(v, 1/(s.Lambda*float64(n)), v, -1, c.w[:len(v)])
		distance := direct.Norm(v)
		distance += bounds.Combination(math.Sqrt(c.duals), c.size, distance)
		if gap := c.young + float64(float64(0.5*s.Lambda)*float64(distance*distance)); gap < c.Gap {
			c.Gap = gap
		}
	}
}

// bounds returns the certificate bounds of one class.
func (s *together) bounds(class int) *certificate.Bounds {
	y := make([]float64, len(s.q))
	for i := range y {
		y[i] = s.label(i, class)
	}
	return certificate.New(certificate.Problem{Problem: erm.Problem{X: s.X, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: s.Lambda}, Intercept: s.Intercept}})
}

// result makes a result of what is known of a class. At w = 0 the objective is log 2.
func (s *together) result(c *certified, settings solvers.Settings) *solvers.Result {
	e := &c.Evaluation
	r := &solvers.Result{Weights: c.w, Status: solvers.BudgetReached, Solver: Prox{}.Name(), Seed: settings.Seed, Workers: 1, CPUPath: dispatch.Current()}
	r.Objective, r.ObjectiveError, r.GradientNorm, r.Gap, r.Metric = e.Objective, e.ObjectiveError, e.GradientNorm, e.Gap, math.NaN()
	n := float64(len(s.q))
	r.Epochs, r.GradientEvaluations, r.Iterations = float64(s.steps)/n, s.steps, s.steps
	r.Total.Epochs, r.Total.GradientEvaluations, r.Total.Iterations = r.Epochs, s.steps, s.steps
	switch {
	case e.Objective-e.Objective != 0 || e.GradientNorm-e.GradientNorm != 0:
		r.Status = solvers.Diverged
	case run.Reaches(&settings, *e) && e.Objective-e.ObjectiveError <= math.Ln2*(1+1e-12):
		r.Status = solvers.Converged
	}
	return r
}
