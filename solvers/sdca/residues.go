package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/sparse"
)

// residues finds the residues of all rows, (5), and what the probabilities (17) are made
// of, row block after row block on all workers.
type residues struct {
	*dualFree
	z, kappa []float64
	root     []float64 // sqrt(cost_i), (17) without the factor lambda sqrt(n)
	weights  []float64 // takes root_i |kappa_i|
	squares  []float64 // nil, or takes kappa_i^2
}

func newResidues(l *dualFree) *residues {
	n := len(l.alpha)
	r := &residues{dualFree: l, z: make([]float64, n), kappa: make([]float64, n), root: make([]float64, n)}
	for i, c := range l.cost {
		r.root[i] = math.Sqrt(c)
	}
	return r
}

// find computes the margins and every residue.
func (r *residues) find() {
	r.x.MulVec(r.z, r.w)
	r.fromMargins()
}

// fromMargins computes every residue where the margins are known.
func (r *residues) fromMargins() { matrix.Run(r.x.Pool, risk.Blocks(len(r.z)), r) }

// Block computes one block.
func (r *residues) Block(b int) {
	first, end := risk.Span(b, len(r.z))
	kappa := r.kappa[first:end]
	r.p.Loss.Gradient(kappa, r.z[first:end], r.p.Y[first:end], direct.Weights(r.p.SampleWeight, first, end))
	for k, a := range r.alpha[first:end] {
		kappa[k] += a
		r.weights[first+k] = float64(r.root[first+k] * math.Abs(kappa[k]))
		if r.squares != nil {
			r.squares[first+k] = float64(kappa[k] * kappa[k])
		}
	}
}

// neighbours keeps the margins up to date with single rows that move, by the rows that
// share a feature with them.
type neighbours struct {
	columns *matrix.ByColumns
	// few says that few rows share features, so that residues are brought up to date one
	// by one.
	few bool

	features []uint32
	coef     []float64
	rows     []uint32
	seen     []bool // all false between calls
}

// newNeighbours returns nil where margins are cheaper to find anew: by the number of
// entries, or because a method wants them so.
func newNeighbours(t *task, margins string) *neighbours {
	if margins == "full" {
		return nil
	}
	x, n := t.p.X, float64(t.p.X.Rows())
	shared := 0.0 // entries that a step touches, by n
	for _, c := range columnLengths(x) {
		shared += float64(float64(c) * float64(c))
	}
	// Adding costs about two products an entry, on one core.
	if margins != "columns" && 2*shared > n*float64(x.NNZ()) {
		return nil
	}
	s := &neighbours{columns: matrix.NewByColumns(x, t.pool), few: x.Bias() == 0 && 16*shared < n*n}
	if s.few {
		s.seen = make([]bool, x.Rows())
	}
	return s
}

// columnLengths counts the entries of every column except the bias column.
func columnLengths(x *sparse.Matrix) []int {
	lengths := make([]int, x.Cols())
	var columns []uint32
	for i := range x.Rows() {
		columns = matrix.AppendColumns(x, columns[:0], i)
		for _, j := range columns {
			lengths[j]++
		}
	}
	if x.Bias() != 0 {
		lengths = lengths[:len(lengths)-1]
	}
	return lengths
}

// follow brings the margins z up to date with w += change x_i. If few rows share features, it
// returns row i, which may have no feature, and all rows that share a feature with it.
func (s *neighbours) follow(z []float64, x *sparse.Matrix, i uint32, change float64) []uint32 {
	s.features, s.coef = s.features[:0], s.coef[:0]
	bias, stored := x.Bias(), s.columns.Cols()
	if bias != 0 {
		stored--
	}
	for j, v := range x.Row(int(i)) {
		if j < stored {
			s.features, s.coef = append(s.features, uint32(j)), append(s.coef, float64(change*v))
		}
	}
	direct.Must(s.columns.AddColumns(z, s.features, s.coef))
	if bias != 0 {
		direct.AddScalar(z, float64(float64(change*bias)*bias), z)
	}
	if !s.few {
		return nil
	}
	all := s.columns.AppendRows(append(s.rows[:0], i), s.features)
	s.rows = all[:0]
	for _, k := range all {
		if !s.seen[k] {
			s.seen[k] = true
			s.rows = append(s.rows, k)
		}
	}
	for _, k := range s.rows {
		s.seen[k] = false
	}
	return s.rows
}
