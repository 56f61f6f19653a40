package truncated

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
)

// diagonal divides by a diagonal.
type diagonal []float64

func (m diagonal) Solve(_ *direct.Vectors, dst, r []float64) {
	for j, v := range m {
		dst[j] = r[j] / v
	}
}

// multiply is H = diag(1, 2, 3, ...) + 1 1'.
func multiply(dst, v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for j, x := range v {
		dst[j] = float64(j+1)*x + sum
	}
}

// TestSolves: the step is Newton's, whatever the metric, and the model is its decrease; a good
// metric takes fewer iterations, and a coarse loop ends sooner.
func TestSolves(t *testing.T) {
	const d = 7
	g, one, own := make([]float64, d), make(diagonal, d), make(diagonal, d)
	for j := range g {
		g[j], one[j], own[j] = math.Sin(float64(j+1)), 1, float64(j+1)
	}
	run := func(m Metric, forcing float64) (*Inner, int) {
		l := New(d, m, nil, nil, forcing, 100)
		l.Open(g)
		for !l.Ready {
			multiply(l.Product, l.Direction)
			if _, curved := l.Advance(); !curved {
				t.Fatal("no curvature")
			}
		}
		return &l, l.Iterations
	}
	for _, m := range []Metric{one, own} {
		l, count := run(m, 1e-13)
		product, slope := make([]float64, d), 0.0
		multiply(product, l.Step)
		for j, v := range product {
			if math.Abs(v+g[j]) > 1e-10 {
				t.Errorf("element %d: %v, not %v", j, v, -g[j])
			}
			slope += g[j] * l.Step[j]
		}
		if math.Abs(l.Model+0.5*slope) > 1e-12 || count > d+1 {
			t.Errorf("the model falls by %v, not %v, in %d iterations", l.Model, -0.5*slope, count)
		}
	}
	_, fine := run(own, 1e-13)
	_, plain := run(one, 1e-13)
	_, coarse := run(one, 0.5)
	if !(fine < plain && coarse < plain) || fine > 3 { // H is the metric and one vector more
		t.Errorf("%d, %d and %d iterations", fine, plain, coarse)
	}
}

// TestLast: a step whose last iteration uses the curvature alone equals the step of whole products,
// and an iteration that is not the last changes nothing.
func TestLast(t *testing.T) {
	const d = 40
	g, one, same := make([]float64, d), make(diagonal, d), make(diagonal, d)
	for j := range g {
		g[j], one[j], same[j] = math.Sin(float64(j*j+1)), 1, float64(j+1)
	}
	for _, forcing := range []float64{0.9, 0.5, 1e-3} {
		plain, short := New(d, one, nil, nil, forcing, 30), New(d, one, nil, nil, forcing, 30)
		for _, l := range []*Inner{&plain, &short} {
			l.Open(g)
		}
		for !plain.Ready {
			multiply(plain.Product, plain.Direction)
			multiply(short.Product, short.Direction)
			foreseen, before := short.Foreseen, append([]float64(nil), short.Step...)
			_, done := short.Last(short.Vectors.Dot(short.Direction, short.Product))
			plain.Advance()
			if !done {
				if short.Ready || short.Iterations != plain.Iterations-1 || !slices.Equal(short.Step, before) {
					t.Fatalf("forcing %v: an iteration that was not the last had an effect", forcing)
				}
				short.Advance()
			}
			if done && !foreseen && plain.Iterations > 1 && forcing == 0.9 {
				t.Errorf("forcing %v: iteration %d was the last, which nobody foresaw", forcing, plain.Iterations)
			}
			if short.Ready != plain.Ready || short.Model != plain.Model || !slices.Equal(short.Step, plain.Step) {
				t.Fatalf("forcing %v: iteration %d leads elsewhere", forcing, plain.Iterations)
			}
		}
	}
	l := New(d, same, nil, nil, 0.5, 30)
	l.Open(g)
	for j, v := range l.Direction {
		l.Product[j] = float64(j+1) * v
	}
	bend := l.Vectors.Dot(l.Direction, l.Product)
	if _, done := l.Last(bend); done {
		t.Error("the first iteration is taken for the last")
	}
	if _, done := l.Last(math.NaN()); done {
		t.Error("an iteration without curvature is taken for the last")
	}
}

// TestFlat: where there is no curvature, the step is the first direction.
func TestFlat(t *testing.T) {
	l := New(2, diagonal{1, 1}, nil, nil, 0.5, 10)
	l.Open([]float64{3, -4})
	clear(l.Product)
	if alpha, curved := l.Advance(); curved || alpha != 0 || !l.Ready || l.Step[0] != -3 || l.Step[1] != 4 {
		t.Errorf("a step of %v, ready %v", l.Step, l.Ready)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		forcing float64
		most    int
		right   bool
	}{{0, 0, true}, {0.9, 3, true}, {1, 0, false}, {-1, 0, false}, {math.NaN(), 0, false}, {0, -1, false}} {
		if err := Check(c.forcing, c.most); (err == nil) != c.right {
			t.Errorf("%v, %d: %v", c.forcing, c.most, err)
		}
	}
	if forcing, most := Defaults(0, 0); forcing != 0.5 || most != 250 {
		t.Errorf("%v, %d", forcing, most)
	}
}
