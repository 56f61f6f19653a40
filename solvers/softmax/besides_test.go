package softmax

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// learnt are the weights and the intercept of class after class by scikit-learn 1.2.1:
//
//	n = 40
//	x = np.array([[np.sin(i), 3 * np.cos(2 * i) + 10] for i in range(n)])
//	y = np.array([2 if i % 10 == 0 else 1 if i % 4 == 1 else 0 for i in range(n)])
//	s = np.array([1.0 + i % 3 for i in range(n)])
//	for C, weight in [(1, None), (0.01, None), (100, None), (1, s), (0.01, s)]:
//	    fit = LogisticRegression(C=C, multi_class="multinomial", solver="newton-cg", tol=1e-14, max_iter=10000)
//	    fit.fit(x, y, sample_weight=weight)
//	    print([v for c in range(3) for v in [*fit.coef_[c], fit.intercept_[c]]])
var learnt = []struct {
	c        float64
	weighted bool
	w        []float64
}{
	{1, false, []float64{0.144465690728, 0.0544481944135, 0.401014394975, 0.0414420165165, -0.0420345530055, 0.408235412837, -0.185907707244, -0.0124136414079, -0.809249807812}},
	{0.01, false, []float64{0.00838258945521, 0.0220496424826, 0.721784802018, -0.00123981468888, -0.0175544437246, 0.161975327594, -0.00714277476633, -0.00449519875798, -0.883760129612}},
	{100, false, []float64{0.180326988719, 0.0543067292588, 0.40583275375, 0.0727506936991, -0.0437957153451, 0.429740107306, -0.253077682418, -0.0105110139136, -0.835572861056}},
	{1, true, []float64{0.245074670806, 0.0788481418517, 0.216518865065, -0.377463984973, -0.0266029335603, 0.276350014789, 0.132389314168, -0.0522452082914, -0.492868879853}},
	{0.01, true, []float64{0.0404167031688, 0.0411758904347, 0.579530041367, -0.0451945193149, -0.0245367752901, 0.273905560849, 0.0047778161462, -0.0166391151451, -0.853435602216}},
}

// learntRows are the rows of learnt.
func learntRows(t *testing.T) *Problem {
	t.Helper()
	p := &Problem{Count: 3, Intercept: true}
	var all [][]float64
	for i := range 40 {
		all = append(all, []float64{math.Sin(float64(i)), 3*math.Cos(float64(2*i)) + 10})
		class := uint32(0)
		switch {
		case i%10 == 0:
			class = 2
		case i%4 == 1:
			class = 1
		}
		p.Class = append(p.Class, class)
	}
	p.X = matrixOf(t, all)
	return p
}

// TestInterceptsOfScikitLearn: weights and intercepts are scikit-learn's.
func TestInterceptsOfScikitLearn(t *testing.T) {
	for _, c := range learnt {
		p := learntRows(t)
		p.Lambda = 1 / (c.c * 40)
		if c.weighted {
			for i := range p.Class {
				p.SampleWeight = append(p.SampleWeight, float64(1+i%3))
			}
		}
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-14})
		for j, v := range r.Weights {
			if math.Abs(v-c.w[j]) > 1e-6 {
				t.Errorf("C %g, weights %v: number %d is %v, not %v", c.c, c.weighted, j, v, c.w[j])
			}
		}
	}
}

// TestSharesOfClasses: beside columns of zeros the intercepts are the logarithms of the classes'
// shares, less their mean, to rounding.
func TestSharesOfClasses(t *testing.T) {
	for _, weights := range [][]float64{nil, {1, 3, 0, 2, 0.5, 1e-9, 7, 1}} {
		p := &Problem{Count: 3, Lambda: 0.1, Intercept: true, Class: []uint32{0, 0, 0, 0, 1, 1, 2, 2}, SampleWeight: weights}
		p.X = matrixOf(t, make2(8, 2))
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-13})
		mass, mean := make([]float64, 3), 0.0
		for i, c := range p.Class {
			mass[c] += direct.Weight(weights, i)
		}
		for _, v := range mass {
			mean += math.Log(v) / 3
		}
		for c, v := range mass {
			if got := r.Weights[3*c+2]; math.Abs(got-(math.Log(v)-mean)) > 4e-15 || r.Weights[3*c] != 0 || r.Weights[3*c+1] != 0 {
				t.Errorf("weights %v: class %d has %v, not 0 0 %v", weights, c, r.Weights[3*c:3*c+3], math.Log(v)-mean)
			}
		}
		if r.Status != solvers.Converged || r.Total.Iterations > 1 {
			t.Errorf("weights %v: %v after %d steps", weights, r.Status, r.Total.Iterations)
		}
	}
}

func make2(n, d int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
	}
	return rows
}

// TestInterceptsFollow: classes in another order have the same weights in that order. A column that
// is shifted changes nothing but the intercepts, by the shift times the weights.
func TestInterceptsFollow(t *testing.T) {
	p := learntRows(t)
	p.Lambda = 0.01
	d, want := p.X.Cols(), solve(t, p, solvers.Settings{GapTolerance: 1e-14}).Weights
	turned := *p
	turned.Class = nil
	for _, c := range p.Class {
		turned.Class = append(turned.Class, (c+1)%3)
	}
	got := solve(t, &turned, solvers.Settings{GapTolerance: 1e-14}).Weights
	for j := range want {
		if at := (j + d) % (3 * d); math.Abs(got[at]-want[j]) > 1e-7 {
			t.Errorf("in another order weight %d is %v, not %v", at, got[at], want[j])
		}
	}
	shifted := *p
	var all [][]float64
	for i := range p.Class {
		row := make([]float64, d-1)
		for j, v := range p.X.WithBias(0).Row(i) {
			row[j] = v
		}
		row[1] -= 10
		all = append(all, row)
	}
	shifted.X = matrixOf(t, all)
	got = solve(t, &shifted, solvers.Settings{GapTolerance: 1e-14}).Weights
	for c := range 3 {
		w, v := want[c*d:(c+1)*d], got[c*d:(c+1)*d]
		if math.Abs(v[0]-w[0]) > 1e-7 || math.Abs(v[1]-w[1]) > 1e-7 || math.Abs(v[2]-(w[2]+10*w[1])) > 1e-6 {
			t.Errorf("class %d: %v after a shift of column 1 by -10, before %v", c, v, w)
		}
	}
}

// TestInterceptDerivatives: along each weight and each intercept the gradient is the slope of the
// exact objective. A product with the Hessian is the change of the gradient.
func TestInterceptDerivatives(t *testing.T) {
	p := weighted(learntRows(t))
	p.Lambda = 0.3
	o, d := newObjective(p, nil), p.X.Cols()
	size := d * p.Count
	w := make([]float64, size)
	for j := range w {
		w[j] = math.Sin(float64(3*j+1)) / 2
	}
	o.evaluate(w)
	g := make([]float64, size)
	o.byClass(g, o.g)
	const h = 0x1p-40
	for j := range w {
		ahead, behind := slices.Clone(w), slices.Clone(w)
		ahead[j] += h
		behind[j] -= h
		slope := exactly(p, ahead).Minus(exactly(p, behind)).Over(ct.R(ahead[j] - behind[j])).Float()
		if math.Abs(g[j]-slope) > 1e-12 {
			t.Errorf("weight %d has the slope %v, not %v", j, g[j], slope)
		}
		v, columns, product, got := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
		v[j] = 1
		o.byColumn(columns, v)
		o.product(product, make([]float64, o.n*o.k), columns)
		o.byClass(got, product)
		const step = 1e-5
		moved := func(by float64) []float64 {
			other, at := newObjective(p, nil), slices.Clone(w)
			at[j] += by
			other.evaluate(at)
			g := make([]float64, size)
			other.byClass(g, other.g)
			return g
		}
		up, down := moved(step), moved(-step)
		for k := range got {
			if want := (up[k] - down[k]) / (2 * step); math.Abs(got[k]-want) > 1e-8 {
				t.Errorf("the Hessian has %v at %d, %d, not %v", got[k], k, j, want)
			}
		}
	}
}

// TestTwoClassesBesideIntercepts: two classes are logistic regression with half of lambda and a free
// intercept, which is the difference of theirs.
func TestTwoClassesBesideIntercepts(t *testing.T) {
	for _, lambda := range []float64{1e-5, 0.02, 10} {
		p := weighted(randomProblem(t, 80, 6, 2, 11))
		p.Lambda, p.Intercept = lambda, true
		y := make([]float64, len(p.Class))
		for i, c := range p.Class {
			y[i] = float64(c)*2 - 1
		}
		want, err := erm.Solve(context.Background(), &erm.Problem{X: p.X, Y: y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: lambda / 2}, Intercept: true, SampleWeight: p.SampleWeight}, erm.Newton{}, solvers.Settings{GapTolerance: 1e-13 * min(1, lambda)})
		if err != nil {
			t.Fatal(err)
		}
		r := solve(t, p, solvers.Settings{GapTolerance: 1e-13 * min(1, lambda)})
		d := p.X.Cols()
		for j, w := range want.Weights {
			if math.Abs(r.Weights[d+j]-w/2) > 1e-5*(1+math.Abs(w)) || math.Abs(r.Weights[j]+w/2) > 1e-5*(1+math.Abs(w)) {
				t.Errorf("lambda %g, weight %d: %v and %v, not -+%v", lambda, j, r.Weights[j], r.Weights[d+j], w/2)
			}
		}
		if math.Abs(r.Objective-want.Objective) > 1e-12 {
			t.Errorf("lambda %g: an objective of %v, not %v", lambda, r.Objective, want.Objective)
		}
	}
}

// TestInterceptBits: every CPU path and number of workers gives the bits of the file, with diagonals
// and with a factor as the preconditioner.
func TestInterceptBits(t *testing.T) {
	for _, c := range []struct {
		lambda float64
		want   string
	}{{0.01, "4c15d6450c489eb5"}, {1e-7, "17d851814882e922"}} {
		p := weighted(randomProblem(t, 900, 30, 20, 12))
		p.Lambda, p.Intercept = c.lambda, true
		for path := range pathtest.Paths(t) {
			for _, workers := range repeat.Size([]int{1, 2, 5}, []int{2}) {
				r := solve(t, p, solvers.Settings{GapTolerance: 1e-7, Workers: workers, MaxEpochs: 300})
				if got := solvers.HashWeights(r.Weights)[:16]; got != c.want {
					t.Errorf("lambda %g, %s, %d workers: %s, not %s", c.lambda, path, workers, got, c.want)
				}
			}
		}
	}
}

// TestInterceptResume cuts a run after every iteration, from a start of its own and from a point
// whose intercepts have another sum. A checkpoint of a run with intercepts is not one of a run
// without.
func TestInterceptResume(t *testing.T) {
	p := randomProblem(t, 100, 8, 5, 13)
	p.Intercept, p.Lambda = true, 1e-4
	first := make([]float64, 5*p.X.Cols())
	for j := range first {
		first[j] = math.Cos(float64(j))
	}
	for _, initial := range [][]float64{nil, first} {
		saved := filepath.Join(t.TempDir(), "run")
		settings := solvers.Settings{GapTolerance: 1e-9, Initial: initial, MaxEpochs: 2000}
		want := solve(t, p, settings)
		settings.Checkpoint, settings.Overwrite = saved, true
		cuts := 0
		for passes := 0.5; ; passes++ {
			settings.MaxEpochs = passes
			r := solve(t, p, settings)
			settings.Resume = saved
			if cuts++; r.Status == solvers.Converged {
				if solvers.HashWeights(r.Weights) != solvers.HashWeights(want.Weights) || r.Total.Epochs != want.Total.Epochs || r.Gap != want.Gap {
					t.Errorf("other weights after %d cuts", cuts)
				}
				break
			}
			if r.Status != solvers.BudgetReached || cuts > 400 {
				t.Fatalf("%v after %d cuts", r.Status, cuts)
			}
		}
		if cuts < 10 {
			t.Errorf("only %d cuts", cuts)
		}
		without := *p
		without.Intercept = false
		if _, err := Solve(context.Background(), &without, Newton{}, settings); err == nil || !strings.Contains(err.Error(), "intercepts") {
			t.Errorf("a run without intercepts resumes one with: %v", err)
		}
	}
}

// TestInterceptRefusals: what has no minimum is refused.
func TestInterceptRefusals(t *testing.T) {
	for what, change := range map[string]func(p *Problem){
		"class 3 of 4 has no row":  func(p *Problem) { p.Count = 4 },
		"class 1 of 3 has no row":  func(p *Problem) { p.SampleWeight = weightsBut(p, 1) },
		"the bias of X is 0":       func(p *Problem) { p.X = p.X.WithBias(0) },
		"the bias of X is 2":       func(p *Problem) { p.X = p.X.WithBias(2) },
		"lambda is 0; it must be ": func(p *Problem) { p.Lambda = 0 },
	} {
		p := learntRows(t)
		p.Lambda = 1
		change(p)
		if r, err := Solve(context.Background(), p, Newton{}, solvers.Settings{}); err == nil || r != nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// weightsBut are 1 for the rows of all classes but one.
func weightsBut(p *Problem, class uint32) []float64 {
	weights := make([]float64, len(p.Class))
	for i, c := range p.Class {
		if c != class {
			weights[i] = 1
		}
	}
	return weights
}

// TestGapOfIntercepts compares gaps near the minimum with their formula.
func TestGapOfIntercepts(t *testing.T) {
	p := learntRows(t)
	p.Lambda = 0.02
	p = weighted(p)
	w := solve(t, p, solvers.Settings{GapTolerance: 1e-13}).Weights
	for _, off := range []float64{1e-9, 1e-6, 1e-4} {
		moved := slices.Clone(w)
		for c := range 3 {
			moved[3*c+2] += off * float64(c*c)
		}
		o := newObjective(p, nil)
		e := o.evaluate(moved)
		longest := 0.0
		for i := range p.Class {
			for _, x := range p.X.Row(i) {
				longest += direct.Weight(p.SampleWeight, i) * x * x / float64(2*len(p.Class))
			}
		}
		at := certificate.Intercepts{Slopes: o.g[o.held:], Errors: o.beside.errs, Ties: o.beside.ties, Longest: longest}
		if want := at.Gap(e.GradientNorm+e.GradientError, p.Lambda, len(w)); !(e.Gap >= want && e.Gap <= 1.02*want) || !(want < e.Objective) {
			t.Errorf("off by %g: a gap of %v, not %v", off, e.Gap, want)
		}
	}
}

// TestInterceptSteps: a large penalty does not hold back intercepts, which begin at 0. The problem is
// too large for numbers of more bits.
func TestInterceptSteps(t *testing.T) {
	p := randomProblem(t, 4000, 4, 5, 3)
	p.Lambda, p.Intercept = 1e6, true
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-10, Initial: make([]float64, 5*p.X.Cols())})
	if r.Status != solvers.Converged || r.Total.Iterations > 8 {
		t.Errorf("%v after %d steps, gap %v", r.Status, r.Total.Iterations, r.Gap)
	}
}
