package sdca

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
	"github.com/lanes-go/lanes/sparse"
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
}

// Name returns adfsdca.
func (Adaptive) Name() string { return "adfsdca" }

func (m Adaptive) check() error {
	switch m.Margins {
	case "", "auto", "full", "columns":
		return nil
	}
	return fmt.Errorf("margins is %q; it may be auto, full or columns", m.Margins)
}

func (m Adaptive) checkProblem(p *erm.Problem) error { return averageConvex(p, m.AverageConvex) }

func (m Adaptive) begin(t *task) (dualLoop, string, error) {
	free, err := newDualFree(t, m.AverageConvex, false)
	if err != nil {
		return nil, "", err
	}
	n := t.p.X.Rows()
	l := &adaptiveLoop{
		dualFree: free, residues: newResidues(free),
		tree: sampling.NewTree(n), squares: sampling.NewTree(n),
	}
	if m.Margins != "full" {
		shared := 0.0 // entries that a step touches, by n
		for _, c := range columnLengths(t.p.X) {
			shared += float64(c) * float64(c)
		}
		// Adding costs about two products an entry, on one core.
		if m.Margins == "columns" || 2*shared <= float64(n)*float64(t.p.X.NNZ()) {
			l.columns = t.p.X.ByColumns(t.pool)
		}
		// With few rows touched, only their residues are computed, one by one.
		l.few = l.columns != nil && t.p.X.Bias() == 0 && 16*shared < float64(n)*float64(n)
		if l.few {
			l.seen = make([]bool, n)
		}
	}
	return l, fmt.Sprintf("%+v", m), nil
}

// columnLengths counts the entries of every column but that of the bias.
func columnLengths(x *sparse.Matrix) []int {
	lengths := make([]int, x.Cols())
	var columns []uint32
	for i := range x.Rows() {
		columns = x.AppendColumns(columns[:0], i)
		for _, j := range columns {
			lengths[j]++
		}
	}
	if x.Bias() != 0 {
		lengths = lengths[:len(lengths)-1]
	}
	return lengths
}

// residues computes kappa and what the probabilities are made of, row block after
// row block on all workers.
type residues struct {
	*dualFree
	z, kappa []float64
	root     []float64 // sqrt(cost_i), (17) without the factor lambda sqrt(n)
	tree     []float64 // takes the weights of (17)
	squares  []float64 // takes kappa^2
}

func newResidues(l *dualFree) *residues {
	r := &residues{dualFree: l, z: make([]float64, len(l.alpha)), kappa: make([]float64, len(l.alpha)), root: make([]float64, len(l.alpha))}
	for i, c := range l.cost {
		r.root[i] = math.Sqrt(c)
	}
	return r
}

// Block computes one block.
func (r *residues) Block(b int) {
	first, end := b*lossBlock, min((b+1)*lossBlock, len(r.z))
	var s []float64
	if r.p.SampleWeight != nil {
		s = r.p.SampleWeight[first:end]
	}
	kappa := r.kappa[first:end]
	direct.LossGradient(r.p.Loss, kappa, r.z[first:end], r.p.Y[first:end], s, r.p.Threshold())
	for k, a := range r.alpha[first:end] {
		kappa[k] += a
		r.tree[first+k] = float64(r.root[first+k] * math.Abs(kappa[k]))
		if r.squares != nil {
			r.squares[first+k] = float64(kappa[k] * kappa[k])
		}
	}
}

// all computes every residue from the margins, and the margins from w first where
// they are not known.
func (r *residues) all(known bool) {
	if !known {
		r.x.MulVec(r.z, r.w)
	}
	r.x.Pool.Run((len(r.z)+lossBlock-1)/lossBlock, r)
}

type adaptiveLoop struct {
	*dualFree
	residues      *residues
	tree, squares *sampling.Tree
	columns       *sparse.ByColumns // nil: a product in every iteration
	few           bool

	features []uint32
	coef     []float64
	touched  []uint32
	seen     []bool // all false between iterations

	done  int64 // iterations
	fresh bool  // the margins are those of w
}

// Next does one iteration. The line numbers are algorithm 1's.
func (l *adaptiveLoop) Next(c *engine.Control) {
	n := int64(len(l.alpha))
	r := l.residues
	evaluated := len(l.alpha)
	if l.done%n == 0 {
		if l.done > 0 && l.done%(refreshEvery*n) == 0 {
			l.refresh()
		}
		l.fresh = false
	}
	// line 5
	if l.few && l.fresh {
		evaluated = 0
	} else {
		r.tree, r.squares = l.tree.Weights(), l.squares.Weights()
		r.all(l.columns != nil && l.fresh)
		l.tree.Build()
		l.squares.Build()
		l.fresh = true
	}
	// lines 6 to 8: theta/p_i = sum kappa^2/(sum root |kappa|) / (root_i |kappa_i|)
	total, square := l.tree.Total(), l.squares.Total()
	if math.IsNaN(total) || math.IsInf(total, 0) || math.IsInf(square, 0) {
		c.Diverge()
	}
	l.touched = l.touched[:0]
	if total > 0 && square > 0 {
		i := l.tree.Draw(l.random)
		// lines 9 and 10
		factor := square / total / l.tree.Weights()[i]
		if change := l.move(i, float64(factor*r.kappa[i])); l.columns != nil {
			l.follow(i, change)
		}
	}
	l.done++
	c.Iteration(1, evaluated+len(l.touched))
}

// follow brings the margins, and where few rows change the residues, up to date
// with w += change x_i.
func (l *adaptiveLoop) follow(i uint32, change float64) {
	r := l.residues
	l.features, l.coef = l.features[:0], l.coef[:0]
	stored := l.columns.Cols()
	if l.p.X.Bias() != 0 {
		stored--
	}
	for j, x := range l.p.X.Row(int(i)) {
		if j < stored {
			l.features, l.coef = append(l.features, uint32(j)), append(l.coef, float64(change*x))
		}
	}
	direct.Must(l.columns.AddColumns(r.z, l.features, l.coef))
	if b := l.p.X.Bias(); b != 0 {
		direct.AddScalar(r.z, float64(float64(change*b)*b), r.z)
	}
	if !l.few {
		return
	}
	// The row itself: it may have no entries.
	all := l.columns.AppendRows(append(l.touched, i), l.features)
	l.touched = all[:0]
	for _, k := range all {
		if !l.seen[k] {
			l.seen[k] = true
			l.touched = append(l.touched, k)
		}
	}
	for _, k := range l.touched {
		l.seen[k] = false
		kappa := l.alpha[k] + l.slope(k, r.z[k])
		r.kappa[k] = kappa
		l.tree.Set(k, float64(r.root[k]*math.Abs(kappa)))
		l.squares.Set(k, float64(kappa*kappa))
	}
}

// State visits the loop's state.
func (l *adaptiveLoop) State(c *engine.Coder) {
	l.state(c)
	c.Count64(&l.done)
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
