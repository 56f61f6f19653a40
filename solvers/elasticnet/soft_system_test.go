package elasticnet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// pairs poses rows of which each has a column of its own, and another column with the next row; all have
// two columns of halves. Every third row has a curvature.
func pairs(t *testing.T, n int) *loop {
	t.Helper()
	ptr, columns, y := []int64{0}, []uint32(nil), make([]float64, n)
	var values []float64
	for i := range n {
		columns = append(columns, uint32(i%2), uint32(2+i), uint32(2+n+i/2))
		values = append(values, 1, 1+float64(i%5), -2)
		ptr = append(ptr, int64(len(columns)))
		y[i] = float64(1 - 2*(i%2))
	}
	x, err := sparse.NewCSR(2+n+(n+1)/2, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	l := newLoop(ProximalNewton{}, newObjective(&Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.L1{Lambda: 1e-4}}, nil), nil)
	for i := range l.h {
		if l.h[i] = 1; i%3 != 0 {
			l.h[i] = 1e-9
		}
	}
	return l
}

// systemOf poses a system on all columns.
func systemOf(l *loop) *softSystem {
	rng := rand.New(rand.NewPCG(3, 4))
	m := &softModel{slope: make([]float64, l.d), curvature: make([]float64, l.d), bend: make([]float64, l.d), held: make([]bool, l.d)}
	l.x.AddSquares(m.curvature, l.h)
	for j := range m.slope {
		m.slope[j] = rng.NormFloat64()
		if j%7 == 0 {
			m.bend[j] = 0.1 * m.curvature[j]
		}
	}
	return l.newSoftSystem(m)
}

// TestClusters: the preconditioner is the diagonal, with the products of the highest row of the columns
// that have the same. Columns that are held get 0 and do not count.
func TestClusters(t *testing.T) {
	l := pairs(t, 60)
	s := systemOf(l)
	size := len(s.columns)
	if size != l.d || len(s.metric.heights) < 15 {
		t.Fatalf("%d columns, %d clusters", size, len(s.metric.heights))
	}
	highest, dense := make([]int, size), make([][]float64, size)
	for j := range size {
		dense[j], highest[j] = make([]float64, size), -1
	}
	rows := make([][]float64, l.n)
	for i := range rows {
		rows[i] = make([]float64, size)
		for j, x := range l.x.Row(i) {
			rows[i][j] = x
			if k := highest[j]; k < 0 || l.h[i]*x*x > l.h[k]*rows[k][j]*rows[k][j] {
				highest[j] = i
			}
		}
	}
	for a := range size {
		for b := range size {
			if i := highest[a]; a != b && i == highest[b] {
				dense[a][b] = l.h[i] * rows[i][a] * rows[i][b]
			}
		}
		i := highest[a]
		own := l.h[i] * rows[i][a] * rows[i][a]
		dense[a][a] = own + max(s.diagonal[a]-own, leastRest*s.diagonal[a])
		if shared := func() bool {
			for b := range size {
				if b != a && highest[b] == i {
					return true
				}
			}
			return false
		}(); !shared {
			dense[a][a] = s.diagonal[a]
		}
	}
	for _, hold := range []bool{false, true} {
		want, r, got := make([]float64, size), make([]float64, size), make([]float64, size)
		for a := range size {
			s.held[a] = hold && a%4 == 1
			want[a] = math.Sin(float64(a + 1))
			if s.held[a] {
				want[a] = 0
			}
		}
		for a := range size {
			r[a] = direct.Dot(dense[a], want)
		}
		s.metric.hold(s.diagonal, s.held)
		s.metric.solve(got, r)
		for a := range size {
			if !(math.Abs(got[a]-want[a]) <= 1e-9) {
				t.Errorf("hold %t, column %d: %v, not %v", hold, a, got[a], want[a])
			}
		}
	}
}

// solvingOnce is a loop that solves a system once.
type solvingOnce struct {
	*loop
	solve func(c *run.Control)
}

func (l solvingOnce) Next(c *run.Control) {
	l.solve(c)
	c.End(solvers.Stalled)
}

// TestSolveSoft: a solution has the residual that it should have, where columns nearly depend on one
// another. Columns that are held keep their steps.
func TestSolveSoft(t *testing.T) {
	l := pairs(t, 900)
	s := systemOf(l)
	by, product := make([]float64, len(s.columns)), make([]float64, len(s.columns))
	for a := range by {
		if s.held[a] = a%11 == 3; s.held[a] {
			by[a] = 0.01
		}
	}
	l.times(s, s.slope, append([]float64(nil), s.slope...)) // there is a solution
	most, enough := s.most(s.slope), 0.0
	_, err := run.Solve(context.Background(), solvers.Settings{GapTolerance: 1e-6}, run.Plan{
		Family: "elasticnet", Solver: "solvingOnce", Columns: l.d, Accepts: accepts, Objective: solvers.SparseLoss,
		Begin: func(session *run.Session) (run.Run, error) {
			return run.Run{Samples: l.n, Loop: solvingOnce{l, func(c *run.Control) {
				enough = float64(softForcing * most)
				if l.solveSoft(c, s, by, 1e-12) {
					t.Error("the run is over")
				}
			}}, Smooth: true, AtZero: l.atZero, Evaluate: newObjective(l.p, session.Pool).evaluate}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l.times(s, product, by)
	direct.Axpy(1, s.slope, product)
	if left := s.most(product); !(left <= enough*(1+1e-9)) {
		t.Errorf("the residual is %v, above %v", left, enough)
	}
	for a := range by {
		if s.held[a] && by[a] != 0.01 {
			t.Errorf("column %d, which is held, moved to %v", a, by[a])
		}
	}
}
