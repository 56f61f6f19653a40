package pauc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

func randomWeights(d int) []float64 {
	random := rand.New(rand.NewPCG(5, 6))
	w := make([]float64, d)
	for j := range w {
		w[j] = random.NormFloat64() * 0.4
	}
	return w
}

func scoresOf(t testing.TB, x *sparse.Matrix, w []float64) []float64 {
	t.Helper()
	s := make([]float64, x.Rows())
	if err := x.MulVec(nil, s, w); err != nil {
		t.Fatal(err)
	}
	return s
}

// topOf is phi_l by the definition.
func topOf(losses []float64, l int) float64 {
	sorted := slices.Clone(losses)
	slices.Sort(sorted)
	sum := 0.0
	for _, v := range sorted[len(sorted)-l:] {
		sum += v
	}
	return sum
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

func TestExactAgainstDefinition(t *testing.T) {
	for _, minTPR := range []float64{0, 0.3, 0.97, 0.999} {
		againstDefinition(t, minTPR)
	}
}

func againstDefinition(t *testing.T, minTPR float64) {
	p := sample(t, 400)
	p.MinTPR = minTPR
	w := randomWeights(p.X.Cols())
	s := scoresOf(t, p.X, w)
	var lists [][]float64
	negatives := 0
	for i, yi := range p.Y {
		if yi < 0 {
			negatives++
			continue
		}
		var list []float64
		for j, yj := range p.Y {
			if yj < 0 {
				list = append(list, math.Log1p(math.Exp(s[j]-s[i])))
			}
		}
		lists = append(lists, list)
	}
	m, n := ranks(p.Low, p.High, negatives)
	want := func(l int) float64 {
		// Of a two-way partial AUC the largest of the sums count.
		var sums []float64
		for _, list := range lists {
			sums = append(sums, topOf(list, l))
		}
		return topOf(sums, int(math.Ceil((1-minTPR)*float64(len(lists))))) / float64(len(lists)*negatives)
	}
	for _, l := range []int{0, 1, m, n, negatives} {
		if got, err := p.TopSum(nil, w, l); err != nil || !near(got, want(l)) {
			t.Errorf("f^%d is %v (%v), by the definition %v", l, got, err, want(l))
		}
	}
	if got, err := p.Loss(nil, w); err != nil || !near(got, want(n)-want(m)) {
		t.Errorf("F is %v (%v), by the definition %v", got, err, want(n)-want(m))
	}
	if _, err := p.TopSum(nil, w, negatives+1); err == nil {
		t.Error("more losses than there are: no error")
	}
	if _, err := p.Loss(nil, w[1:]); err == nil {
		t.Error("too few weights: no error")
	}
}

func TestRangeAgainstDefinition(t *testing.T) {
	p := sample(t, 400)
	w := randomWeights(p.X.Cols())
	var list []float64
	for j, s := range scoresOf(t, p.X, w) {
		list = append(list, math.Log1p(math.Exp(-p.Y[j]*s)))
	}
	q := &RangeProblem{X: p.X, Y: p.Y, M: 7, N: 120}
	want := (topOf(list, q.N) - topOf(list, q.M)) / float64(len(list))
	if got, err := q.Loss(nil, w); err != nil || !near(got, want) {
		t.Errorf("F is %v (%v), by the definition %v", got, err, want)
	}
	if got, err := q.TopSum(nil, w, q.M); err != nil || !near(got, topOf(list, q.M)/float64(len(list))) {
		t.Errorf("f^m is %v (%v)", got, err)
	}
}

// lossAs is the exact loss of another pair loss.
type lossAs struct {
	*task
	loss pairLoss
}

func (l lossAs) Loss(pool *sparse.Pool, w []float64) (float64, error) {
	c, err := l.at(pool, w)
	if err != nil {
		return 0, err
	}
	c.loss = l.loss
	return c.value(l.m, l.n)
}

func (l lossAs) Gradient(pool *sparse.Pool, dst, w []float64) error {
	c, err := l.at(pool, w)
	if err != nil {
		return err
	}
	c.loss = l.loss
	return c.gradient(dst, w, l.m, l.n)
}

func TestGradientsAgainstDifferences(t *testing.T) {
	p := sample(t, 300)
	w := randomWeights(p.X.Cols())
	perceptron := *p
	m, err := score.NewPerceptron(p.X, score.Network{Features: p.X.Cols(), Hidden: []int{2}})
	if err != nil {
		t.Fatal(err)
	}
	perceptron.Model = m
	q, two := &RangeProblem{X: p.X, Y: p.Y, M: 7, N: 120}, *p
	two.MinTPR = 0.6
	for name, f := range map[string]interface {
		Loss(*sparse.Pool, []float64) (float64, error)
		Gradient(pool *sparse.Pool, dst, w []float64) error
	}{"pAUC": p, "two-way": &two, "range": q, "sigmoid": lossAs{p.task(), pairLoss{3}}, "perceptron": &perceptron} {
		w := w
		if name == "perceptron" {
			w = randomWeights(m.Parameters())
		}
		g := make([]float64, len(w))
		if err := f.Gradient(nil, g, w); err != nil {
			t.Fatal(err)
		}
		for j := range w {
			const h = 1e-6
			moved := slices.Clone(w)
			moved[j] = w[j] + h
			up, _ := f.Loss(nil, moved)
			moved[j] = w[j] - h
			down, _ := f.Loss(nil, moved)
			if d := (up - down) / (2 * h); math.Abs(d-g[j]) > 1e-8 {
				t.Errorf("%s: component %d is %v, differences give %v", name, j, g[j], d)
			}
		}
	}
}
