package elasticnet

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
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
	size := len(l.w)
	m := &softModel{slope: make([]float64, size), curvature: make([]float64, size), bend: make([]float64, l.d), held: make([]bool, size)}
	l.x.AddSquares(m.curvature, l.h)
	for j := range m.slope {
		m.slope[j] = rng.NormFloat64()
		if j%7 == 0 && j < l.d {
			m.bend[j] = 0.1 * m.curvature[j]
		}
	}
	return l.newSoftSystem(m)
}

// TestClusters: the preconditioner is the diagonal, with all products of the heavy columns, and those of the
// highest row of other columns that have the same. Heavy columns have the largest elements of the diagonal.
// Columns that are held get 0 and do not count.
func TestClusters(t *testing.T) {
	for k := range 3 {
		l := pairs(t, 60)
		if k == 2 {
			setIntercept(l.p, true)
			l = newLoop(ProximalNewton{}, newObjective(l.p, nil), nil)
			for i := range l.h {
				l.h[i] = 1 / float64(1+i%3)
			}
		}
		l.soft.heavy = k > 0
		testClusters(t, l)
	}
}

func testClusters(t *testing.T, l *loop) {
	s := systemOf(l)
	size, heavy := len(s.columns), make([]bool, len(s.columns))
	if size != len(l.w) || len(s.metric.heights) < 15 {
		t.Fatalf("%d columns, %d clusters", size, len(s.metric.heights))
	}
	if l.soft.heavy {
		order := make([]int, size)
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.diagonal[b], s.diagonal[a]) })
		if len(s.metric.heavy.list) < 10 || len(s.metric.heavy.list) > size/2 {
			t.Fatalf("%d heavy columns of %d", len(s.metric.heavy.list), size)
		}
		for _, j := range order[:len(s.metric.heavy.list)] {
			heavy[j] = true
		}
	}
	highest, dense := make([]int, size), make([][]float64, size)
	for j := range size {
		dense[j], highest[j] = make([]float64, size), -1-j
	}
	rows := make([][]float64, l.n)
	for i := range rows {
		rows[i] = make([]float64, size)
		for j, x := range l.x.WithBias(0).Row(i) {
			rows[i][j] = x
			if k := highest[j]; k < 0 || l.h[i]*x*x > l.h[k]*rows[k][j]*rows[k][j] {
				highest[j] = i
			}
		}
		if l.p.Intercept {
			rows[i][l.d] = 1
		}
	}
	shared := func(a, b int) bool { return highest[a] == highest[b] && !heavy[a] && !heavy[b] }
	for a := range size {
		dense[a][a] = s.diagonal[a]
		for b := range size {
			switch i := highest[a]; {
			case a == b:
			case heavy[a] && heavy[b]:
				for i := range rows {
					dense[a][b] += l.h[i] * rows[i][a] * rows[i][b]
				}
			case shared(a, b):
				own := l.h[i] * rows[i][a] * rows[i][a]
				dense[a][a] = own + max(s.diagonal[a]-own, leastRest*s.diagonal[a])
				dense[a][b] = l.h[i] * rows[i][a] * rows[i][b]
			}
		}
	}
	for _, hold := range []bool{false, true, false} {
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
			if !(math.Abs(got[a]-want[a]) <= 1e-6) {
				t.Errorf("heavy %t, hold %t, column %d: %v, not %v", l.soft.heavy, hold, a, got[a], want[a])
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
	for _, heavy := range []bool{false, true} {
		l := pairs(t, 900)
		l.soft.heavy = heavy
		testSolveSoft(t, l)
	}
}

func testSolveSoft(t *testing.T, l *loop) {
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

// TestHeavy: on four fields with categories of many rows, and one with rare ones, conjugate gradients with heavy
// columns take less than two thirds of the steps to a residual of 1e-8 of the largest one.
func TestHeavy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ptr, columns, y := []int64{0}, []uint32(nil), make([]float64, 4000)
	for i := range y {
		first := 0
		for _, count := range []int{5, 10, 30, 60, 1500} {
			columns = append(columns, uint32(first+rng.IntN(count)))
			first += count
		}
		ptr, y[i] = append(ptr, int64(len(columns))), float64(1-2*rng.IntN(2))
	}
	x, err := sparse.NewCSR(5+10+30+60+1500, ptr, columns, slices.Repeat([]float64{1}, len(columns)))
	if err != nil {
		t.Fatal(err)
	}
	var steps [2]int
	for k := range steps {
		l := newLoop(ProximalNewton{}, newObjective(&Problem{X: x, Y: y, Loss: loss.Logistic{}, Penalty: penalty.L1{Lambda: 1e-4}}, nil), nil)
		for i := range l.h {
			l.h[i] = math.Exp(-float64(i % 5))
		}
		l.soft.heavy = k > 0
		s := systemOf(l)
		size := len(s.columns)
		residual, scaled, direction, product := make([]float64, size), make([]float64, size), make([]float64, size), make([]float64, size)
		s.metric.hold(s.diagonal, s.held)
		l.times(s, residual, s.slope)
		least, square := 1e-8*s.most(residual), 0.0
		for s.most(residual) > least && steps[k] < 2000 {
			s.metric.solve(scaled, residual)
			next := direct.Dot(residual, scaled)
			for a := range direction {
				if direction[a] *= next / max(square, 1e-300); square == 0 {
					direction[a] = 0
				}
				direction[a] += scaled[a]
			}
			l.times(s, product, direction)
			direct.Axpy(-next/direct.Dot(direction, product), product, residual)
			square = next
			steps[k]++
		}
	}
	if 3*steps[1] > 2*steps[0] {
		t.Errorf("%d steps with heavy columns, %d without", steps[1], steps[0])
	}
}
