package elasticnet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// full is a matrix of rows of d values, one after the other, none of which is 0.
func full(t *testing.T, d int, values []float64) *sparse.Matrix {
	t.Helper()
	begins, index := []int64{0}, make([]uint32, len(values))
	for k := range index {
		if index[k] = uint32(k % d); (k+1)%d == 0 {
			begins = append(begins, int64(k+1))
		}
	}
	x, err := sparse.NewCSR(d, begins, index, values)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFlat: runs go on where no row that they are at has any curvature: Huber's loss far from
// the targets, and the squared hinge where a step went too far, from where the norm alone
// leads back. The optimality conditions are written down again.
func TestFlat(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	far := &Problem{Penalty: penalty.L1{Lambda: 0.016}}
	far.Loss = loss.Huber{Delta: 10}
	var rows [][]float64
	for range 60 {
		row, y := make([]float64, 6), 9000.0
		for j := range row {
			row[j] = random.Float64()
			y += 5000 * row[j] * float64(j-2)
		}
		rows, far.Y = append(rows, row), append(far.Y, y+1000*random.Float64())
	}
	two := &Problem{Penalty: penalty.L1{Lambda: 0.00815}}
	two.Intercept, two.Loss, two.SampleWeight = true, loss.SquaredHinge{}, []float64{5, 0.25}
	two.Y = []float64{1, -1}
	for _, c := range []struct {
		what string
		p    *Problem
		rows [][]float64
		gap  float64
	}{{"far targets", far, rows, 1e-4}, {"two rows", two, [][]float64{{0}, {1}}, 1e-9}} {
		p, begins, values, index := c.p, []int64{0}, []float64(nil), []uint32(nil)
		for _, row := range c.rows {
			for j, v := range row {
				if v != 0 {
					index, values = append(index, uint32(j)), append(values, v)
				}
			}
			begins = append(begins, int64(len(index)))
		}
		var err error
		if p.X, err = sparse.NewCSR(len(c.rows[0]), begins, index, values); err != nil {
			t.Fatal(err)
		}
		setIntercept(p, p.Intercept)
		r, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: c.gap, MaxEpochs: 3000, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged {
			t.Errorf("%s: %v at %v, gap %v", c.what, r.Status, r.Objective, r.Gap)
		}
		d, slopes := penalised(p), make([]float64, penalised(p)+1)
		for i, row := range c.rows {
			z := 0.0
			if p.Intercept {
				z = r.Weights[d]
			}
			for j, v := range row {
				z += v * r.Weights[j]
			}
			slope := -p.Y[i] * max(0, 1-z*p.Y[i])
			if p.Loss.String() == "huber" {
				delta := p.Loss.Parameter()
				slope = max(-delta, min(delta, z-p.Y[i]))
			}
			slope *= direct.Weight(p.SampleWeight, i) / float64(len(c.rows))
			for j, v := range row {
				slopes[j] += slope * v
			}
			slopes[d] += slope
		}
		for j, w := range r.Weights[:d] {
			if v := math.Abs(penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty)}.Violation(0, slopes[j], w)); v > 0.01*penalty.WeightOf(p.Penalty) {
				t.Errorf("%s: the slope of weight %d, %v, is %v, with a norm of %v", c.what, j, w, slopes[j], penalty.WeightOf(p.Penalty))
			}
		}
		if p.Intercept && math.Abs(slopes[d]) > 0.01*penalty.WeightOf(p.Penalty) {
			t.Errorf("%s: the slope of the intercept is %v", c.what, slopes[d])
		}
	}
}

// TestFlatPath: so do paths, whose points begin where the one before had no curvature.
func TestFlatPath(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	p := &Problem{Penalty: penalty.L1{Lambda: 1}}
	p.Loss = loss.Huber{Delta: 1}
	var values []float64
	for range 30 {
		y := 300 * random.Float64()
		for j := range 5 {
			v := random.Float64()
			y += 1000 * v * float64(j-1)
			values = append(values, v)
		}
		p.Y = append(p.Y, y)
	}
	p.X = full(t, 5, values)
	most, _, err := MaxL1(nil, p)
	if err != nil {
		t.Fatal(err)
	}
	path, err := NewPath(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := solvers.Settings{GapTolerance: 1e-3, MaxEpochs: 1000, Workers: 1}
	for l1 := most; l1 > 1e-4*most; l1 *= 0.4 {
		r, err := path.Solve(context.Background(), penalty.L1{Lambda: l1}, s)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged {
			t.Errorf("l1 %v of %v: %v at %v, gap %v", l1, most, r.Status, r.Objective, r.Gap)
		}
	}
}

// TestScaledColumns: the curvature of a column counts, however small beside others: weights of
// columns that differ by 1e7 come to their places.
func TestScaledColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 4))
	for _, phi := range []loss.Loss{loss.Squared{}, loss.Logistic{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.4}} {
		p := &Problem{Penalty: penalty.L1{Lambda: 1e-6}}
		p.Loss = phi
		var values []float64
		for range 40 {
			y := random.Float64() - 0.5
			for _, scale := range []float64{1e-4, 1, 1e3} {
				v := random.Float64() - 0.5
				y += v
				values = append(values, v*scale)
			}
			if phi == (loss.Logistic{}) || phi == (loss.SquaredHinge{}) {
				y = math.Copysign(1, y)
			}
			p.Y = append(p.Y, y)
		}
		p.X = full(t, 3, values)
		setIntercept(p, true)
		r, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 1e-7, MaxEpochs: 300, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged {
			t.Errorf("%v: %v at %v after %v passes, gap %v", phi, r.Status, r.Objective, r.Total.Epochs, r.Gap)
		}
		if w := r.Weights; !(w[0] > 1e3 && w[1] > 0.1 && w[2] > 1e-4) { // all near 1 over their scales, or above
			t.Errorf("%v: weights %v", phi, w)
		}
	}
}

// TestTinyColumns: a dual point whose slopes are beyond the norm's weight by so little that
// the square is below all float64 numbers bounds nothing. With one row of the target 1, the
// minimum is near l1/x.
func TestTinyColumns(t *testing.T) {
	for _, c := range []struct{ x, l1, lambda float64 }{{1e-170, 1e-180, 0}, {1e-170, 1e-180, 5e-324}, {1e-165, 0, 1e-320}, {1e-130, 1e-136, 0}} {
		p := &Problem{Penalty: penalty.L1{Lambda: c.l1}}
		p.Loss, p.Y, p.Penalty = loss.Squared{}, []float64{1}, penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: c.lambda}
		p.X = full(t, 1, []float64{c.x})
		r, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 100, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		w := r.Weights[0]
		value := 0.5*(c.x*w-1)*(c.x*w-1) + c.l1*math.Abs(w) + 0.5*c.lambda*w*w
		other := (c.x - c.l1) / c.x / (c.x + c.lambda/c.x) // the minimiser
		best := 0.5*(c.x*other-1)*(c.x*other-1) + c.l1*math.Abs(other) + 0.5*c.lambda*other*other
		if r.Gap < value-best-1e-16 {
			t.Errorf("x %v, l1 %v, lambda %v: %v with a gap of %v at %v, where %v has %v", c.x, c.l1, c.lambda, r.Status, r.Gap, value, other, best)
		}
	}
}

// TestFewRows: fewer rows than columns of all scales, whose models cost less than what
// solves them.
func TestFewRows(t *testing.T) {
	for _, phi := range []loss.Loss{loss.Squared{}, loss.Huber{}, loss.SquaredHinge{}} {
		for seed := range uint64(6) {
			random := rand.New(rand.NewPCG(seed, 21))
			p := &Problem{Penalty: penalty.L1{Lambda: 1e-3}}
			p.Loss = phi
			var values []float64
			for i := range 3 {
				y := 100 * random.Float64()
				for j := range 15 {
					values = append(values, (random.Float64()-0.5)*[]float64{1e-4, 1e-2, 1, 1e2, 1e4}[j%5])
				}
				if phi == (loss.SquaredHinge{}) {
					y = float64(2*(i%2) - 1)
				}
				p.Y = append(p.Y, y)
			}
			p.X = full(t, 15, values)
			setIntercept(p, seed%2 == 0)
			r, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 1e-5, MaxEpochs: 2000, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if r.Status != solvers.Converged {
				t.Errorf("%v, seed %d: %v at %v after %v passes, gap %v", phi, seed, r.Status, r.Objective, r.Total.Epochs, r.Gap)
			}
		}
	}
}

// TestInterceptToTheEnd: where no weight is left to move, the intercept is moved to its best
// place before a run ends short of its target.
func TestInterceptToTheEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		p := &Problem{Penalty: penalty.L1{Lambda: 0.002}}
		p.Loss = loss.Huber{Delta: 10}
		var values []float64
		for range 20 {
			values, p.Y = append(values, 0.01), append(p.Y, 40*random.Float64()-20)
		}
		p.X = full(t, 1, values)
		setIntercept(p, true)
		r, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 5e-5, MaxEpochs: 500, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != solvers.Converged {
			t.Errorf("%v at %v after %v passes, gap %v, weights %v", r.Status, r.Objective, r.Total.Epochs, r.Gap, r.Weights)
		}
	}
}

// TestColumnLikeTheIntercept: a constant column does not take the intercept's place, from
// which its norm would bring it back in steps of l1 over its curvature.
func TestColumnLikeTheIntercept(t *testing.T) {
	for _, n := range []int{60, 6000} { // without samples of the rows, and with them
		p := &Problem{Penalty: penalty.L1{Lambda: 0.0217}}
		p.Loss, p.Penalty = loss.Logistic{}, penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 8e-5}
		var values []float64
		for i := range n {
			values, p.Y = append(values, 1e4), append(p.Y, 1)
			if i%6 == 0 {
				p.Y[i] = -1
			}
		}
		p.X = full(t, 1, values)
		setIntercept(p, true)
		r, err := Solve(context.Background(), p, nil, solvers.Settings{GapTolerance: 1e-7, MaxEpochs: 100, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if w := r.Weights; r.Status != solvers.Converged || w[0] != 0 || math.Abs(w[1]-math.Log(5)) > 1e-3 {
			t.Errorf("%d rows: %v after %v passes, gap %v, weights %v, and not 0 and log 5", n, r.Status, r.Total.Epochs, r.Gap, w)
		}
	}
}
