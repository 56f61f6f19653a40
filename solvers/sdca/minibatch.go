package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// Minibatch is the mini-batch adfSDCA (algorithm 4): in every iteration the
// residues of all rows give the probabilities, and b = Settings.BatchSize rows move
// together, drawn by algorithm 3. An iteration costs a product with the matrix and
// O(n log n).
//
// In (34), |J_j| is the number of rows that have feature j. (The bias column makes
// that n, and v' = b v.)
type Minibatch struct {
	// AverageConvex is as for DualFree.
	AverageConvex bool
}

// Name returns adfsdca-minibatch.
func (Minibatch) Name() string { return "adfsdca-minibatch" }

func (Minibatch) check() error { return nil }

func (m Minibatch) checkProblem(p *erm.Problem) error { return averageConvex(p, m.AverageConvex) }

func (m Minibatch) begin(t *task) (dualLoop, string, error) {
	free, err := newDualFree(t, m.AverageConvex, false)
	if err != nil {
		return nil, "", err
	}
	n := t.p.X.Rows()
	l := &minibatchLoop{dualFree: free, size: min(t.settings.BatchSize, n), q: make([]float64, n), coef: make([]float64, 0, n)}
	if l.batch, err = sampling.NewBatch(n, l.size); err != nil {
		return nil, "", err
	}
	shared := int64(n)
	if t.p.X.Bias() == 0 {
		shared = longestColumn(t.p)
	}
	overlap := float64(min(int64(l.size), max(shared, 1)))
	for i, c := range l.cost {
		l.cost[i] = math.FMA(c-1, overlap, 1) // with v' of (34) for v
	}
	l.residues = newResidues(free)
	return l, fmt.Sprintf("%+v", m), nil
}

func longestColumn(p *erm.Problem) int64 {
	count, longest := make([]int64, p.X.Cols()), int64(0)
	for i := range p.X.Rows() {
		for j := range p.X.Row(i) {
			count[j]++
			longest = max(longest, count[j])
		}
	}
	return longest
}

type minibatchLoop struct {
	*dualFree
	residues *residues
	batch    *sampling.Batch
	size     int
	q        []float64
	coef     []float64
	done     int64 // rows moved
	passes   int64 // begun
}

// Next does one iteration. The line numbers are algorithm 4's.
func (l *minibatchLoop) Next(c *engine.Control) {
	n := int64(len(l.alpha))
	if l.done >= l.passes*n {
		if l.passes > 0 && l.passes%refreshEvery == 0 {
			l.refresh()
		}
		l.passes++
	}
	// lines 4 and 5
	r := l.residues
	r.tree = l.q
	r.all(false)
	if c.Ended() || sampling.Cap(l.q, l.size) != nil {
		return
	}
	// line 7: theta/b of (75), with cost relative to n lambda^2
	squares, weighted := 0.0, 0.0
	for i, kappa := range r.kappa {
		if square := float64(kappa * kappa); square > 0 {
			squares += square
			weighted += float64(l.cost[i]*square) / l.q[i]
		}
	}
	if math.IsNaN(weighted) || math.IsInf(weighted, 0) {
		c.Diverge()
		return
	}
	if squares > 0 && weighted > 0 {
		for i := range l.q {
			l.q[i] *= float64(l.size)
		}
		if l.batch.Set(l.q) != nil {
			c.Diverge()
			return
		}
		// line 6
		rows := l.batch.Draw(l.random)
		// lines 8 to 11: theta/(b p_i)
		theta := float64(float64(l.size)*squares) / weighted
		l.coef = l.coef[:0]
		for _, i := range rows {
			old := l.alpha[i]
			l.alpha[i] -= float64(theta / l.q[i] * r.kappa[i])
			l.coef = append(l.coef, float64((l.alpha[i]-old)*l.unit))
		}
		l.x.AddRows(l.w, rows, l.coef)
	}
	l.done += int64(l.size)
	c.Iteration(l.size, len(l.alpha))
}

// State visits the loop's state.
func (l *minibatchLoop) State(c *engine.Coder) {
	l.state(c)
	c.Count64(&l.done)
	c.Count64(&l.passes)
}
