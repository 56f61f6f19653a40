package softmax

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestFormed: products with a matrix, and slopes after steps with it, are those by rows. Rows come in more
// than one chunk.
func TestFormed(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	for _, c := range append(normedCases(t), newNormedCase(tableProblem(t, 4000), 1e-4, 0, false)) {
		l := newSparseLoop(ProximalNewton{}, newNormed(c.Problem, nil), nil)
		for a := range l.w {
			if random.IntN(3) == 0 {
				l.w[a] = random.NormFloat64()
			}
		}
		for j := range l.d {
			l.list = append(l.list, uint32(j))
		}
		l.margins()
		l.place(l.z)
		s := l.newPart(l.list)
		s.caution = 0.5
		s.gather(s.to, l.w)
		s.pull(s.slope, s.work, 1/float64(s.n), s.to)
		s.model()
		m := s.newFormed(0)
		s.form(m)
		if len(m.places) == 0 || !c.grouped && c.l1 == 0.02 && len(m.places) == len(s.to) {
			t.Fatalf("%v: %d of %d weights", c, len(m.places), len(s.to))
		}
		by, want, got := make([]float64, len(s.to)), make([]float64, len(s.to)), make([]float64, len(s.to))
		for _, at := range m.places {
			by[at] = random.NormFloat64()
		}
		s.times(want, by)
		s.matrix = m
		s.times(got, by)
		most := maxAbs(want)
		for _, at := range m.places {
			if !(math.Abs(got[at]-want[at]) <= 1e-12*most) {
				t.Fatalf("%v: element %d of a product is %v, not %v", c, at, got[at], want[at])
			}
		}
		from := append([]float64(nil), s.to...)
		for _, a := range m.live {
			s.move(int(a), math.Inf(1))
		}
		s.matrix = nil
		direct.ScaleAdd(by, -1, from, 1, s.to)
		s.times(want, by)
		direct.Axpy(1/float64(s.n), s.work, s.slopes)
		s.pull(want, s.slopes, 1, s.to)
		for _, at := range m.places {
			a := int(at) / s.k
			m.at(s.row(got, a), a)
			if v := got[at] + s.lambda(a)*s.to[at]; !(math.Abs(v-want[at]) <= 1e-11*maxAbs(want)) {
				t.Fatalf("%v: slope %d after steps is %v, not %v", c, at, v, want[at])
			}
		}
	}
}

// tableProblem has rows of categories, whose columns depend on one another and on the intercept.
func tableProblem(t *testing.T, n int) *Problem {
	const columns, values, k = 5, 9, 4
	random := rand.New(rand.NewPCG(8, 1))
	ptr, index, classes := []int64{0}, []uint32(nil), make([]uint32, n)
	for i := range classes {
		first := random.IntN(values)
		for a := range columns {
			v := random.IntN(values)
			if random.IntN(3) > 0 {
				v = first
			}
			index = append(index, uint32(a*values+v))
		}
		ptr = append(ptr, int64(len(index)))
		if classes[i] = uint32(first % k); random.IntN(4) == 0 {
			classes[i] = uint32(random.IntN(k))
		}
	}
	x, err := sparse.NewCSR(columns*values, ptr, index, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Problem{X: x.WithBias(1), Class: classes, Count: k, Intercept: true}
}

// TestNormsOnTable: where columns depend on one another, conjugate gradients reach no end, and matrices do.
// The weights fulfil the conditions of the minimum.
func TestNormsOnTable(t *testing.T) {
	for _, l1 := range []float64{3e-3, 3e-4, 1e-5} {
		c := newNormedCase(tableProblem(t, 4000), l1, 0, false)
		r := solveNormed(t, c, 1e-10, 60)
		_, least := c.at(r.Weights)
		if most := maxAbs(least); r.Status != solvers.Converged || most > 1e-5 {
			t.Errorf("%v: %v, a violation of %v after %v epochs", c, r.Status, most, r.Epochs)
		}
	}
}
