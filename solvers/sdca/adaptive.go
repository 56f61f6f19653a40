package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// Adaptive is adfSDCA (algorithm 1): in every iteration the residues of all rows
// give the probabilities (17) and the step (18). An iteration costs O(n) at the
// least; it needs the fewest passes of the family, and is meant for comparison and
// for data where a row is dear and n small.
type Adaptive struct {
	// Margins says how the margins Xw are found in every iteration: auto (or ""),
	// the cheaper of the others by the number of entries; full, by a product with
	// the matrix; columns, by adding to those rows that share a feature with the row
	// that moved, out of a copy by columns. The two round differently: they give the
	// same numbers to about 1e-12, for as long as no draw falls between them.
	Margins string
	// AverageConvex is as for DualFree.
	AverageConvex bool
	// Paper is for the problem that the function PaperProblem poses. The paper's setting has no other
	// parameters: a run on one problem is the same with it.
	Paper bool
}

// Name returns adfsdca.
func (Adaptive) Name() string { return "adfsdca" }

func (m Adaptive) checkProblem(p *erm.Problem) error { return averageConvex(p, m.AverageConvex) }

func (m Adaptive) begin(t *task) (dualLoop, any, error) {
	free, err := newDualFree(t, m.AverageConvex, false)
	if err != nil {
		return nil, nil, err
	}
	n := len(free.alpha)
	return &adaptiveLoop{
		dualFree: free, residues: newResidues(free), near: newNeighbours(t, m.Margins),
		tree: sampling.NewTree(n), squares: sampling.NewTree(n),
	}, m, nil
}

type adaptiveLoop struct {
	*dualFree
	residues *residues
	near     *neighbours    // nil: a product with the matrix in every iteration
	tree     *sampling.Tree // of sqrt(cost_i) |kappa_i|, which the probabilities are made of
	squares  *sampling.Tree // of kappa_i^2
	fresh    bool           // the margins are up to date with w
}

// Next does one iteration. The line numbers are algorithm 1's.
func (l *adaptiveLoop) Next(c *run.Control) {
	evaluated := l.find() // line 5
	total, square := l.tree.Total(), l.squares.Total()
	if math.IsNaN(total) || math.IsInf(total, 0) || math.IsInf(square, 0) {
		c.End(solvers.Diverged)
	}
	if total > 0 && square > 0 {
		i := l.tree.Draw((*sampling.Random)(l.random))           // lines 6 and 7
		factor := square / total / l.tree.Weights()[i]           // line 8: theta/p_i
		change := l.move(i, float64(factor*l.residues.kappa[i])) // lines 9 and 10
		evaluated += l.follow(i, change)
	}
	l.done++
	c.Iterations(1, 1, evaluated)
}

// find brings the residues and the trees up to date with w and alpha, and returns how many residues
// it computed.
func (l *adaptiveLoop) find() int {
	l.upkeep(1)
	if l.done%int64(len(l.alpha)) == 0 {
		l.fresh = false // rounding adds up
	}
	if l.fresh && l.near.few {
		return 0 // follow has done it
	}
	r := l.residues
	r.weights, r.squares = l.tree.Weights(), l.squares.Weights()
	if l.fresh {
		r.fromMargins()
	} else {
		r.find()
	}
	l.tree.Build()
	l.squares.Build()
	l.fresh = l.near != nil
	return len(l.alpha)
}

// follow brings the margins, and where few rows change the residues, up to date with
// w += change x_i, and tells how many residues it computed.
func (l *adaptiveLoop) follow(i uint32, change float64) int {
	if l.near == nil {
		return 0
	}
	r := l.residues
	rows := l.near.follow(r.z, l.p.X, i, change)
	for _, k := range rows {
		kappa := l.alpha[k] + l.slope(k, r.z[k])
		r.kappa[k] = kappa
		l.tree.Set(k, float64(r.root[k]*math.Abs(kappa)))
		l.squares.Set(k, float64(kappa*kappa))
	}
	return len(rows)
}

// State visits the loop's state.
func (l *adaptiveLoop) State(c *checkpoint.Coder) {
	l.state(c)
	c.Bool(&l.fresh)
	c.Floats(l.residues.z)
	c.Floats(l.residues.kappa)
	c.Floats(l.tree.Weights())
	c.Floats(l.squares.Weights())
	if c.Restoring() {
		l.tree.Build()
		l.squares.Build()
	}
}
