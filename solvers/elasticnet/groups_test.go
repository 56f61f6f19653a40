package elasticnet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// grouped is a problem with groups of columns, as its rows are written down.
type grouped struct {
	rows      [][]float64
	y, o      []float64
	logistic  bool
	intercept bool
	groups    [][]int
	weight    float64
	ridge     float64
}

// draw makes rows in which some groups matter: the columns of a group are one-hot or correlated.
func draw(seed uint64, n int, logistic, intercept bool) *grouped {
	r := rand.New(rand.NewPCG(seed, 77))
	sizes := []int{1, 3, 4, 2, 6, 5, 3}
	p := &grouped{logistic: logistic, intercept: intercept}
	d := 0
	for _, size := range sizes {
		d += size
	}
	order, at := r.Perm(d), 0
	for _, size := range sizes {
		p.groups = append(p.groups, order[at:at+size])
		at += size
	}
	for range n {
		row, z := make([]float64, d), 0.3
		for k, group := range p.groups {
			one, common := r.IntN(len(group)), r.NormFloat64()
			for a, j := range group {
				switch {
				case k%2 == 0 && a == one:
					row[j] = 1
				case k%2 == 1:
					row[j] = common + 0.3*r.NormFloat64()
				}
				if k < 3 {
					z += row[j] * float64(a+1) / 2 * float64(1-2*(a%2))
				}
			}
		}
		offset := r.NormFloat64() / 2
		y := z + offset + 0.5*r.NormFloat64()
		if logistic {
			y = math.Copysign(1, y)
		}
		p.rows, p.y, p.o = append(p.rows, row), append(p.y, y), append(p.o, offset)
	}
	return p
}

// posed is the problem for the solver.
func (p *grouped) posed(t *testing.T) *Problem {
	t.Helper()
	ends, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for _, row := range p.rows {
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		ends = append(ends, int64(len(values)))
	}
	x, err := sparse.NewCSR(len(p.rows[0]), ends, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	q := &Problem{X: x, Y: p.y, Offset: p.o, Loss: loss.Squared{}, Intercept: p.intercept}
	if p.logistic {
		q.Loss = loss.Logistic{}
	}
	if p.intercept {
		q.X = x.WithBias(1)
	}
	q.Penalty = &penalty.GroupLasso{Weight: p.weight, Groups: p.groups, Lambda: p.ridge}
	return q
}

// smooth returns the mean loss and the squared norm by their definitions, and the gradient.
func (p *grouped) smooth(w []float64, b float64) (value float64, g []float64, slope float64) {
	g = make([]float64, len(w))
	n := float64(len(p.rows))
	for i, row := range p.rows {
		z := b + p.o[i]
		for j, x := range row {
			z += x * w[j]
		}
		c := z - p.y[i]
		if p.logistic {
			value += math.Log1p(math.Exp(-p.y[i]*z)) / n
			c = -p.y[i] / (1 + math.Exp(p.y[i]*z))
		} else {
			value += c * c / 2 / n
		}
		for j, x := range row {
			g[j] += c * x / n
		}
		slope += c / n
	}
	for j, v := range w {
		value += p.ridge / 2 * v * v
		g[j] += p.ridge * v
	}
	return value, g, slope
}

func (p *grouped) norms(w []float64) (sum float64) {
	for _, group := range p.groups {
		square := 0.0
		for _, j := range group {
			square += w[j] * w[j]
		}
		sum += math.Sqrt(float64(len(group)) * square)
	}
	return p.weight * sum
}

// reference minimises the problem by accelerated proximal gradient steps with restarts.
func (p *grouped) reference() (value float64, w []float64, b float64) {
	d := len(p.rows[0])
	bend := p.ridge
	for _, row := range p.rows {
		square := 1.0
		for _, v := range row {
			square += v * v
		}
		bend += square / float64(len(p.rows))
	}
	w = make([]float64, d)
	y, last, moment := slices.Clone(w), 0.0, 1.0
	yb := 0.0
	for range 20000 {
		_, g, slope := p.smooth(y, yb)
		next, nb := make([]float64, d), 0.0
		if p.intercept {
			nb = yb - slope/bend
		}
		for _, group := range p.groups {
			norm := 0.0
			for _, j := range group {
				next[j] = y[j] - g[j]/bend
				norm += next[j] * next[j]
			}
			keep := max(0, 1-p.weight*math.Sqrt(float64(len(group)))/bend/max(math.Sqrt(norm), 1e-300))
			for _, j := range group {
				next[j] *= keep
			}
		}
		along := (nb - b) * (yb - nb)
		for j := range next {
			along += (next[j] - w[j]) * (y[j] - next[j])
		}
		if along > 0 {
			moment = 1
		}
		grown := (1 + math.Sqrt(1+4*moment*moment)) / 2
		share := (moment - 1) / grown
		for j := range y {
			y[j] = next[j] + share*(next[j]-w[j])
		}
		yb = nb + share*(nb-b)
		w, b, moment = next, nb, grown
	}
	last, _, _ = p.smooth(w, b)
	return last + p.norms(w), w, b
}

// TestGroups: the solution of a group lasso is the reference's, and the gap bounds the distance
// from it. The optimality conditions hold, with groups at 0 and groups that are not.
func TestGroups(t *testing.T) {
	zeros, others := 0, 0
	for seed := range repeat.Size[uint64](12, 4) {
		p := draw(seed, 60+20*int(seed%3), seed%2 == 1, seed%4 < 2)
		p.ridge = []float64{0, 0, 0.05}[seed%3]
		most, _, err := MaxL1(nil, p.posed(t))
		if err != nil {
			t.Fatal(err)
		}
		p.weight = []float64{0.5, 0.1, 0.02}[seed%3] * most
		q := p.posed(t)
		want, w, _ := p.reference()
		r := solve(t, q, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1e4, Workers: 1})
		name := fmt.Sprintf("seed %d", seed)
		if r.Status != solvers.Converged || !(r.Gap <= 1e-9) || r.Objective-want > r.Gap+1e-10 || want-r.Objective > 1e-9 {
			t.Fatalf("%s: %v, an objective of %v with a gap of %v, the reference has %v", name, r.Status, r.Objective, r.Gap, want)
		}
		d, b := len(w), 0.0
		if p.intercept {
			b = r.Weights[d]
		}
		value, g, slope := p.smooth(r.Weights[:d], b)
		if math.Abs(value+p.norms(r.Weights[:d])-r.Objective) > 1e-12 {
			t.Errorf("%s: an objective of %v, not %v", name, r.Objective, value+p.norms(r.Weights[:d]))
		}
		if p.intercept && math.Abs(slope) > 1e-4 {
			t.Errorf("%s: the slope of the intercept is %v", name, slope)
		}
		for _, group := range p.groups {
			norm, pull, off := 0.0, 0.0, 0.0
			for _, j := range group {
				norm += r.Weights[j] * r.Weights[j]
				pull += g[j] * g[j]
			}
			norm, pull = math.Sqrt(norm), math.Sqrt(pull)
			limit := p.weight * math.Sqrt(float64(len(group)))
			if norm == 0 {
				zeros++
				off = max(0, pull-limit)
			} else {
				others++
				for _, j := range group {
					off = max(off, math.Abs(g[j]+limit*r.Weights[j]/norm))
				}
			}
			if off > 1e-3*limit {
				t.Errorf("%s: group %v, of norm %v, violates by %v of %v", name, group, norm, off, limit)
			}
		}
	}
	if zeros < repeat.Size(10, 2) || others < repeat.Size(10, 2) {
		t.Errorf("%d groups are 0, %d are not", zeros, others)
	}
}

// TestGroupsOfScales: groups of columns whose scales differ by 1e4, nearly collinear ones among them, take
// few passes. The proximal gradient steps alone end far from the minimum.
func TestGroupsOfScales(t *testing.T) {
	for seed := range uint64(8) {
		p := draw(seed, 120, seed%2 == 1, seed%4 < 2)
		r := rand.New(rand.NewPCG(seed, 6))
		for j := range p.rows[0] {
			scale := math.Pow(10, 4*r.Float64()-2)
			for _, row := range p.rows {
				row[j] *= scale
			}
		}
		most, _, err := MaxL1(nil, p.posed(t))
		if err != nil {
			t.Fatal(err)
		}
		p.weight = 1e-3 * most
		got := solve(t, p.posed(t), solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1e4, Workers: 1})
		d, b := len(p.rows[0]), 0.0
		if p.intercept {
			b = got.Weights[d]
		}
		value, _, _ := p.smooth(got.Weights[:d], b)
		if got.Status != solvers.Converged || math.Abs(value+p.norms(got.Weights[:d])-got.Objective) > 1e-9*value || got.Epochs > 60 {
			t.Errorf("seed %d: %v after %v passes, gap %v, objective %v, by its definition %v", seed, got.Status, got.Epochs, got.Gap, got.Objective, value+p.norms(got.Weights[:d]))
		}
	}
}

// TestGroupsOfOne: a group lasso of single columns has the objective of the L1 norm, alone and along a
// path.
func TestGroupsOfOne(t *testing.T) {
	for seed := range uint64(3) {
		p := draw(seed, 400, seed%2 == 1, true)
		q := p.posed(t)
		d := penalised(q)
		single := &penalty.GroupLasso{}
		for j := range d {
			single.Groups = append(single.Groups, []int{j})
		}
		q.Penalty = penalty.L1{Lambda: 1}
		most, _, err := MaxL1(nil, q)
		if err != nil {
			t.Fatal(err)
		}
		path, err := NewPath(q, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{0.5, 0.1, 0.01} {
			s := solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 1e4, Workers: 1}
			want := solve(t, q.With(penalty.ElasticNet{L1: share * most, L2: 1e-3}), s)
			other := *single
			other.Weight, other.Lambda = share*most, 1e-3
			got := solve(t, q.With(&other), s)
			along, err := path.Solve(t.Context(), &other, s)
			if err != nil || math.Abs(along.Objective-want.Objective) > 2e-9 || along.Status != solvers.Converged {
				t.Errorf("seed %d, along a path: %v, error %v, not %v", seed, along, err, want.Objective)
			}
			alone, err := path.Solve(t.Context(), penalty.ElasticNet{L1: share * most, L2: 1e-3}, s)
			if err != nil || math.Abs(alone.Objective-want.Objective) > 2e-9 || alone.Status != solvers.Converged {
				t.Errorf("seed %d, single columns after groups: %v, error %v, not %v", seed, alone, err, want.Objective)
			}
			if math.Abs(got.Objective-want.Objective) > 2e-9 {
				t.Errorf("seed %d, share %v: %v, not %v", seed, share, got.Objective, want.Objective)
			}
		}
	}
}

// TestManyGroups: the model of many sparse columns is no matrix, many rows begin on samples, and the gap
// bounds the distance from another solution.
func TestManyGroups(t *testing.T) {
	for _, shape := range [][3]int{{300, 3000, 4}, {9000, 60, 10}} {
		r := rand.New(rand.NewPCG(uint64(shape[0]), 5))
		n, d := shape[0], shape[1]
		ends, columns, values, y := []int64{0}, []uint32(nil), []float64(nil), []float64(nil)
		for range n {
			z := 0.0
			list := r.Perm(d)[:shape[2]]
			slices.Sort(list)
			for _, j := range list {
				v := r.NormFloat64()
				columns, values = append(columns, uint32(j)), append(values, v)
				z += v * float64(1-j%3)
			}
			ends, y = append(ends, int64(len(values))), append(y, math.Copysign(1, z+0.3*r.NormFloat64()))
		}
		x, err := sparse.NewCSR(d, ends, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		lasso := &penalty.GroupLasso{Weight: 1, Lambda: 1e-4}
		for j := 0; j < d; j += 3 {
			lasso.Groups = append(lasso.Groups, []int{j, j + 1, j + 2})
		}
		q := &Problem{X: x.WithBias(1), Y: y, Loss: loss.Logistic{}, Intercept: true, Penalty: lasso}
		most, _, err := MaxL1(nil, q)
		if err != nil {
			t.Fatal(err)
		}
		lasso.Weight = 0.05 * most
		s := solvers.Settings{GapTolerance: 1e-8, MaxEpochs: 1e5, Workers: 1}
		got := solve(t, q, s)
		s.GapTolerance, s.Initial = 1e-11, make([]float64, d+1)
		if want := solve(t, q, s); got.Status != solvers.Converged || got.Objective-want.Objective > got.Gap || want.Status != solvers.Converged {
			t.Errorf("%d rows: %v at %v, gap %v, and %v at %v", n, got.Status, got.Objective, got.Gap, want.Status, want.Objective)
		}
	}
}

// bare is a penalty with rules for neither columns nor groups.
type bare struct{ penalty.Rules }

// TestNoRules: penalties without rules for columns or groups are refused, and so are invalid
// groups.
func TestNoRules(t *testing.T) {
	q := draw(1, 30, false, false).posed(t)
	var lacks *penalty.LacksError
	for _, p := range []penalty.Penalty{bare{penalty.ElasticNet{L1: 1}}, struct{ penalty.Penalty }{penalty.L1{Lambda: 1}}} {
		if _, err := Solve(t.Context(), q.With(p), nil, solvers.Settings{}); !errors.As(err, &lacks) || lacks.Penalty != p {
			t.Errorf("%v: error %v", p, err)
		}
	}
	if _, err := Solve(t.Context(), q.With(&penalty.GroupLasso{Weight: 1, Groups: [][]int{{0}}}), nil, solvers.Settings{}); err == nil {
		t.Error("no error for columns without a group")
	}
}

// TestGroupsLend: more epochs over the groups of a model take no more memory.
func TestGroupsLend(t *testing.T) {
	p := draw(3, 300, true, true)
	p.weight = 0.002
	q := p.posed(t)
	count := func(epochs int) (allocated, objective float64) {
		var r *solvers.Result
		allocated = allocations.Count(3, func() {
			var err error
			if r, err = Solve(context.Background(), q, ProximalNewton{MaxSweeps: epochs}, solvers.Settings{MaxIterations: 4, Workers: 1}); err != nil {
				t.Fatal(err)
			}
		})
		return allocated, r.Objective
	}
	few, before := count(1)
	many, after := count(60)
	if many > few+20 || !(after < before) {
		t.Errorf("%v allocations with one epoch a model, %v with 60, at %v and %v", few, many, before, after)
	}
}
