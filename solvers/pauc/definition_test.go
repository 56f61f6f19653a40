package pauc

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers/erm"
)

// TestReportedLossAgainstDefinition computes the mean loss of the pairs in the range, and the
// norm of its gradient with the regulariser, from all pairs. No sample is needed here.
func TestReportedLossAgainstDefinition(t *testing.T) {
	p := sample(t, 150)
	p.Lambda = 0.3
	two := *p
	two.MinTPR = 0.7
	w, x, d := randomWeights(p.X.Cols()), denseRows(p.X), p.X.Cols()
	s := scoresOf(t, p.X, w)
	for name, c := range map[string]struct {
		task  *task
		m     Method
		slope func(z float64) (loss, slope float64)
	}{
		"sigmoid": {p.task(), AGDSBCD{Scale: 3}, func(z float64) (float64, float64) {
			v := 1 / (1 + math.Exp(-3*z))
			return v, 3 * v * (1 - v)
		}},
		"logistic": {p.task(), DCA{}, func(z float64) (float64, float64) {
			return math.Log1p(math.Exp(z)), 1 / (1 + math.Exp(-z))
		}},
		"ranked range": {(&RangeProblem{X: p.X, Y: p.Y, M: 7, N: 60, Lambda: 0.3}).task(), SoRRDCA{}, func(z float64) (float64, float64) {
			return math.Log1p(math.Exp(z)), 1 / (1 + math.Exp(-z))
		}},
		"two-way": {two.task(), AGDSBCD{Scale: 3}, func(z float64) (float64, float64) {
			v := 1 / (1 + math.Exp(-3*z))
			return v, 3 * v * (1 - v)
		}},
	} {
		// heads and others are scores with their gradients; others by falling score.
		type entry struct {
			s float64
			x []float64
		}
		var heads, others []entry
		for i, y := range p.Y {
			switch {
			case name == "ranked range":
				negated := make([]float64, d)
				for j, v := range x[i] {
					negated[j] = -y * v
				}
				others = append(others, entry{-y * s[i], negated})
			case y > 0:
				heads = append(heads, entry{s[i], x[i]})
			default:
				others = append(others, entry{s[i], x[i]})
			}
		}
		if name == "ranked range" {
			heads = []entry{{0, make([]float64, d)}}
		}
		slices.SortStableFunc(others, func(a, b entry) int {
			switch {
			case a.s > b.s:
				return -1
			case a.s < b.s:
				return 1
			}
			return 0
		})
		if name == "two-way" {
			slices.SortFunc(heads, func(a, b entry) int { return cmp.Compare(a.s, b.s) })
			heads = heads[:int(math.Ceil((1-two.MinTPR)*float64(len(heads))))]
		}
		value, g := 0.0, make([]float64, d)
		pairs := float64(len(heads) * (c.task.n - c.task.m))
		for _, h := range heads {
			for _, o := range others[c.task.m:c.task.n] {
				loss, slope := c.slope(o.s - h.s)
				value += loss / pairs
				for j := range g {
					g[j] += slope * (o.x[j] - h.x[j]) / pairs
				}
			}
		}
		norm := 0.0
		for j := range g {
			g[j] += 0.3 * w[j]
			norm += g[j] * g[j]
		}
		pool := matrix.NewPool(1)
		t.Cleanup(pool.Close)
		l := newCommon(c.task, pool, c.m.plan(c.task), 1)
		if err := l.score(pool, w); err != nil {
			t.Fatal(err)
		}
		gotNorm, gotValue, err := l.gradientNorm(w)
		if err != nil || !near(gotValue, value) || !near(gotNorm, math.Sqrt(norm)) {
			t.Errorf("%s: mean loss %v and gradient %v (%v), by the definition %v and %v", name, gotValue, gotNorm, err, value, math.Sqrt(norm))
		}
	}
}

// TestStartWeights: classes of equal weight from a middle of the range of 0.1 on, and
// none below or where there is one list.
func TestStartWeights(t *testing.T) {
	p := sample(t, 400)
	negative, positive, err := erm.BalancedWeights(p.Y)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		low, high float64
		weighted  bool
	}{{0, 0.05, false}, {0.02, 0.17, false}, {0, 0.2, true}, {0.05, 0.5, true}, {0.9, 1, true}} {
		p.Low, p.High = c.low, c.high
		weight, err := p.task().startWeights()
		if err != nil || (weight != nil) != c.weighted {
			t.Fatalf("range %v to %v: weights %t, %v", c.low, c.high, weight != nil, err)
		}
		for i, v := range weight {
			want := negative
			if p.Y[i] > 0 {
				want = positive
			}
			if v != want {
				t.Fatalf("range %v to %v: weight %d is %v, want %v", c.low, c.high, i, v, want)
			}
		}
	}
	if weight, err := (&RangeProblem{X: p.X, Y: p.Y, M: 100, N: 300}).task().startWeights(); err != nil || weight != nil {
		t.Errorf("one list has weights (%v)", err)
	}
}

// TestLowerBoundNeverSinks: the dual of the planes at hand may prove less than was
// proved before, as it is not solved to the end; what was proved stays so.
func TestLowerBoundNeverSinks(t *testing.T) {
	p := sample(t, 400)
	p.Lambda = 1e-4
	l := newTestCutting(t, p)
	l.begun = true
	var c run.Control
	for range 5 {
		l.Next(&c)
	}
	proved := l.lower + 0.9*(l.value-l.lower)
	l.lower = proved
	l.Next(&c)
	if l.lower < proved {
		t.Errorf("the lower bound went from %v to %v", proved, l.lower)
	}
}
