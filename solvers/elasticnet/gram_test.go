package elasticnet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/gonum"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// TestMatrixOfModel: the matrix of a model belongs to the curvatures that it holds. These are as
// near as they have to be, and a step that begins again finds the same curvatures.
func TestMatrixOfModel(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 300, 5, 8)
	p.Penalty = penalty.ElasticNet{L1: penalty.WeightOf(p.Penalty), L2: 0.25}
	setIntercept(p, true)
	l := newLoop(ProximalNewton{}, newObjective(p, nil), nil)
	s := l.newPart([]uint32{0, 1, 3})
	if !s.pays(1 << 20) {
		t.Fatal("no matrix")
	}
	h := make([]float64, 300)
	for step, slack := range []float64{0.3, 0.3, 0.1, 0} {
		for i := range h {
			h[i] = math.Abs(math.Sin(float64((i+1)*(step+1)))) * math.Pow(0.4, float64(i%9))
		}
		s.form(h, l.work, slack, p.Ridge())
		held := slices.Clone(s.held)
		s.form(h, l.work, 0, p.Ridge())
		if !slices.Equal(held, s.held) {
			t.Fatal("a step that is begun again has another matrix")
		}
		s.formed = false
		mean, kept := kernels.Sum(h)/300, 0
		for i, v := range held {
			if v != h[i] {
				kept++
			}
			if !(math.Abs(v-h[i]) <= slack*mean*1.000001 || v <= 1.2000001*h[i] && h[i] <= 1.2000001*v) {
				t.Fatalf("step %d: row %d has %v, for %v", step, i, v, h[i])
			}
		}
		if step > 0 && step < 3 && kept < 60 {
			t.Errorf("step %d: only %d rows stayed", step, kept)
		}
		columns := []int{0, 1, 3, 5}
		for a, ja := range columns {
			for b, jb := range columns {
				want := 0.0
				for i, v := range held {
					x := func(j int) float64 {
						if j == 5 {
							return 1
						}
						return gonum.View(p.X).At(i, j)
					}
					want += v * x(ja) * x(jb)
				}
				if a == b && ja < 5 {
					want += p.Ridge()
				}
				if got := s.gram[a*len(columns)+b]; math.Abs(got-want) > 1e-12 {
					t.Errorf("step %d: element %d, %d is %v, not %v", step, a, b, got, want)
				}
			}
		}
	}
}

// TestMarginsOfFullSteps: margins after a full step have the bits of the margins that a check of
// all columns computes, also after shortened steps.
func TestMarginsOfFullSteps(t *testing.T) {
	p := randomProblem(t, loss.Logistic{}, 400, 12, 4)
	start := make([]float64, 12)
	for j := range start {
		start[j] = 3 * float64(1-j%3)
	}
	l := newLoop(ProximalNewton{}, newObjective(p, nil), start)
	full, short := 0, 0
	for range 12 {
		l.x.MulVec(l.z, l.w)
		l.slopes(l.z)
		l.gradient(l.w)
		l.list, l.known = ascending(l.d), sloped
		before := slices.Clone(l.w)
		l.newton(new(run.Control))
		want := make([]float64, 400)
		l.x.MulVec(want, l.w)
		switch {
		case l.known == computed && !slices.Equal(want, l.z):
			t.Fatal("other margins")
		case slices.Equal(l.w, l.part.to):
			full++
		case !slices.Equal(before, l.w):
			short++
		}
	}
	if full == 0 || short == 0 {
		t.Errorf("%d full steps, %d shortened", full, short)
	}
}

// TestExtrapolations: extrapolations over columns, without a matrix, make the model fall. They end
// where the model has no slopes in the directions of the weights that are not 0.
func TestExtrapolations(t *testing.T) {
	for _, intercept := range []bool{false, true} {
		p := randomProblem(t, loss.Logistic{}, 40, 400, 5)
		p.Penalty = penalty.ElasticNet{L1: 0.004, L2: 0.003}
		setIntercept(p, intercept)
		l := newLoop(ProximalNewton{MaxSweeps: 3}, newObjective(p, nil), nil)
		l.slopes(l.z)
		l.gradient(l.w)
		l.curvatures()
		l.list = ascending(l.d)
		l.part = l.newPart(l.list)
		s := l.part
		copy(s.slope, l.g)
		s.begin(l.h, l.work, l.w, 0, p.Ridge(), &l.scaled)
		l.descend(new(run.Control), 1e-13)
		if s.dense {
			t.Fatal("a matrix")
		}
		value := func() float64 { // from the definition, at weights that begin at 0
			step, sum := make([]float64, 40), 0.0
			l.x.MulVec(step, s.to)
			for i, v := range step {
				sum += l.h[i] * v * v / 2
			}
			for a, v := range s.to {
				if sum += l.g[a] * v; a < 400 {
					sum += penalty.WeightOf(p.Penalty)*math.Abs(v) + p.Ridge()*v*v/2
				}
			}
			return sum
		}
		before, extrapolations := value(), 1
		for budget := int64(1e9); l.extrapolate(1e-12, &budget); extrapolations++ {
		}
		if after := value(); !(after < before) {
			t.Errorf("intercept %t: %d extrapolations from %v to %v", intercept, extrapolations, before, after)
		}
		for a, v := range s.to {
			g := s.at(a, v, p.Ridge())
			if a < 400 {
				g += math.Copysign(penalty.WeightOf(p.Penalty), v)
			}
			if (a == 400 || v != 0) && math.Abs(g) > 1e-10 {
				t.Fatalf("intercept %t: a slope of %v after %d extrapolations", intercept, g, extrapolations)
			}
		}
	}
}

// TestExtrapolationsOfMatrix: each extrapolation over columns, with a matrix, makes the model fall, or changes
// nothing, wherever it begins. The columns are groups of which each row has one, so that
// weights may move along lines on which only the L1 norm changes.
func TestExtrapolationsOfMatrix(t *testing.T) {
	const rows = 300
	shape, err := synthetic.ParseShape("onehot:n=300", 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 15))
	shortened, rounds := 0, repeat.Size(30, 6)
	for range rounds {
		p := &erm.Problem{X: data.X, Y: data.Y, Loss: loss.SquaredHinge{}, Penalty: penalty.L1{Lambda: 0.02 * r.Float64()}}
		l := newLoop(ProximalNewton{}, newObjective(p, nil), nil)
		l.slopes(l.z)
		l.gradient(l.w)
		l.curvatures()
		l.list = ascending(l.d)
		l.part = l.newPart(l.list)
		s := l.part
		copy(s.slope, l.g)
		if s.begin(l.h, l.work, l.w, 0, p.Ridge(), &l.scaled); !s.dense {
			t.Fatal("no matrix")
		}
		for a := range s.to {
			if r.IntN(3) > 0 {
				s.to[a] = r.NormFloat64()
				s.move(a, s.to[a])
			}
		}
		value := func() float64 { // from the definition, at weights that begin at 0
			step, sum := make([]float64, rows), 0.0
			l.x.MulVec(step, s.to)
			for i, v := range step {
				sum += l.h[i] * v * v / 2
			}
			for a, v := range s.to {
				sum += l.g[a]*v + penalty.WeightOf(p.Penalty)*math.Abs(v) + p.Ridge()*v*v/2
			}
			return sum
		}
		before := value()
		for budget := int64(1e9); l.extrapolate(1e-9, &budget); shortened++ {
			after := value()
			if !(after < before+1e-12) {
				t.Fatalf("from %v to %v", before, after)
			}
			before = after
		}
		if after := value(); !(after < before+1e-12) {
			t.Fatalf("from %v to %v", before, after)
		}
	}
	if shortened < rounds {
		t.Errorf("%d extrapolations to a weight of 0", shortened)
	}
}
