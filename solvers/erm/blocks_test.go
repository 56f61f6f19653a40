package erm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// oneColumn is a problem of more than two blocks of rows, with targets and weights that tell
// the rows of blocks apart.
func oneColumn(t *testing.T) *Problem {
	t.Helper()
	const n = 2*risk.Block + 300
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 1})
	p := &Problem{Loss: loss.Huber{Delta: 0.7}, Penalty: penalty.Ridge{Lambda: 0.01}}
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		if err := b.AddRow([]int{0}, []float64{0.5 + r.Float64()}); err != nil {
			t.Fatal(err)
		}
		p.Y, p.SampleWeight = append(p.Y, 3*r.NormFloat64()), append(p.SampleWeight, 0.1+3*r.Float64())
	}
	var err error
	if p.X, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestImplicitBlocks: every row of every block has the L_i of its own target and weight. For
// Huber's loss the curvature is 1 on the way where a residual up to delta is on it, else 0.
func TestImplicitBlocks(t *testing.T) {
	t.Parallel()
	p := oneColumn(t)
	m := newImplicit(&task{p: p})
	r := rand.New(rand.NewPCG(3, 4))
	for i := range m.z {
		m.z[i], m.q[i] = 3*r.NormFloat64(), 0.01*r.NormFloat64()
	}
	sum, largest := m.solve()
	total, most := 0.0, 0.0
	delta := p.Loss.Parameter()
	near := func(r float64) bool { return math.Abs(r) <= delta }
	for i, l := range m.l {
		x := 0.0
		for _, v := range p.X.Row(i) {
			x = v
		}
		// The least L for which no curvature on the way from z to z - q/L is above L: lambda
		// alone where the way with that L meets no residual up to delta.
		from, to := m.z[i]-p.Y[i], m.z[i]-m.q[i]/p.Ridge()-p.Y[i]
		high := p.SampleWeight[i]*x*x + p.Ridge()
		want := high
		switch {
		case near(from):
		case from > 0 && to > delta, from < 0 && to < -delta:
			want = p.Ridge()
		default:
			// The way ends where the kink is, or the whole curvature counts.
			want = min(high, m.q[i]/(from-math.Copysign(delta, from)))
		}
		if math.Abs(l-want) > 1e-9*want {
			t.Fatalf("row %d: L is %v, not %v", i, l, want)
		}
		total, most = total+want, max(most, want)
	}
	if math.Abs(sum-total) > 1e-9*total || math.Abs(largest-most) > 1e-9*most {
		t.Errorf("%v in all and %v at most, not %v and %v", sum, largest, total, most)
	}
}

// TestTheoreticalBlocks: rows are drawn in proportion to their L_i across blocks, and slopes use
// each row's own target and weight.
func TestTheoreticalBlocks(t *testing.T) {
	t.Parallel()
	p := oneColumn(t)
	l := loopOf(t, p, AISARAHImportance{}, solvers.Settings{MaxEpochs: 1}).(*theoreticalLoop)
	n := len(l.z)
	for i := range l.z {
		l.z[i] = math.Sin(float64(i))
	}
	delta := p.Loss.Parameter()
	for i := range n {
		want := p.SampleWeight[i] * max(-delta, min(delta, l.z[i]-p.Y[i]))
		if got := l.slope(uint32(i)); math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Fatalf("row %d: a slope of %v, not %v", i, got, want)
		}
	}
	rows := []int{7, risk.Block + 11, n - 1}
	sizes := []float64{1, 2, 5}
	l.sum, l.lipschitz = 8, 8/float64(n)
	clear(l.l)
	clear(l.sums)
	for k, i := range rows {
		l.l[i], l.sums[i/risk.Block] = sizes[k], sizes[k]
	}
	const draws = 4000
	counts := map[int]int{}
	for range draws {
		i, weight := l.sample()
		counts[int(i)]++
		if want := l.lipschitz / l.l[i]; weight != want {
			t.Fatalf("row %d: a weight of %v, not %v", i, weight, want)
		}
	}
	for k, i := range rows {
		if want := draws * sizes[k] / 8; math.Abs(float64(counts[i])-want) > 5*math.Sqrt(want) {
			t.Errorf("row %d: drawn %d times, not about %v", i, counts[i], want)
		}
	}
}
