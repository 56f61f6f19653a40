package softmax

import (
	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// balance moves the intercepts to the best ones for the other weights, by Newton's method on k
// numbers, which needs no pass over X. The slopes of intercepts count much in the gap: it divides
// their effect on all weights by lambda.
type balance struct {
	*objective
	parts []float64 // of blocks of rows: the lower triangle of sum s p p', as k by k; the sums of s p and of the slopes
	sums  []float64 // of all rows
	shift []float64
}

const (
	// mostShifts bounds the steps. Each rounds margins and intercepts once more. The bound of the
	// rounding of margins has room for 15 roundings.
	mostShifts = 3
	// farShift bounds the range of a step. Up to 1.79 Newton's step is sure to lower the loss: its
	// curvature changes by less than the factor that would need.
	farShift = 1.5
	// settled is the share of the loss that a step must promise.
	settled = 1e-16
	// mostBalanced bounds the classes: sums of blocks take at most half of a number for each margin.
	mostBalanced = 64
)

// newBalance returns nil where steps are dear beside a pass.
func newBalance(o *objective) *balance {
	if o.k > mostBalanced || 2*cost.Intercepts(o.n, o.k) > int64(o.k)*cost.Pass(o.p.X.NNZ(), o.n) {
		return nil
	}
	size := o.k * (o.k + 2)
	return &balance{objective: o, parts: make([]float64, len(o.sums)*size), sums: make([]float64, size), shift: make([]float64, o.k)}
}

// run moves the intercepts of w, and the margins z, whose slopes have been computed, and computes
// them again.
func (b *balance) run(w, z []float64) {
	before, moved := direct.Norm(w), false
	intercepts := w[b.held:]
	for range mostShifts {
		if !b.step() {
			break
		}
		direct.Axpy(1, b.shift, intercepts)
		matrix.Run(b.x.Pool, len(b.objective.sums), (*shifted)(b))
		b.slopes(z)
		moved = true
	}
	// The rounding of z is bounded by the norm of w. Where that has shrunk, the margins begin anew.
	if moved && direct.Norm(w) < float64(before*(1-1/float64(b.d+16))) {
		direct.Must(matrix.MulDense(b.x.Matrix, b.x.Pool, z, w, b.k))
		b.slopes(z)
	}
}

// step computes the shift of a step, and tells whether it is worth taking.
func (b *balance) step() bool {
	matrix.Run(b.x.Pool, len(b.objective.sums), b)
	size, k := len(b.sums), b.k
	clear(b.sums)
	for at := 0; at < len(b.parts); at += size {
		direct.Axpy(1, b.parts[at:at+size], b.sums)
	}
	// The curvature is diag(sum s p) - sum s p p'. It is 0 for equal shifts, which get some.
	bend, total, slopes := b.sums[:k*k], b.sums[k*k:k*k+k], b.sums[k*k+k:]
	direct.Scale(bend, -1, bend)
	trace := 0.0
	for c, v := range total {
		bend[c*k+c] += v
		trace += bend[c*k+c]
	}
	direct.AddScalar(bend, trace/float64(k*k), bend)
	if dependent := cholesky.FactorBy(nil, bend, k); dependent != nil {
		return false
	}
	direct.Scale(b.shift, -1, slopes)
	cholesky.Solve(b.shift, bend, b.shift)
	centre(b.shift)
	promise, low, high := -direct.Dot(b.shift, slopes), 0.0, 0.0
	for _, v := range b.shift {
		low, high = min(low, v), max(high, v)
	}
	if reach := high - low; reach > farShift {
		direct.Scale(b.shift, farShift/reach, b.shift)
	}
	return promise > float64(settled*b.lossOfRows()) && high-low < 1e300
}

// lossOfRows is the sum of the last losses.
func (b *balance) lossOfRows() float64 { return kernels.Sum(b.objective.sums) }

// Block sums over a block of rows.
func (b *balance) Block(i int) {
	first, end := b.rows(i)
	k, size, path := b.k, len(b.sums), asm.Active()
	part := b.parts[i*size:][:size]
	clear(part)
	bend, total, slopes := part[:k*k], part[k*k:k*k+k], part[k*k+k:]
	var weights [64]float64
	for first < end {
		s := weights[:min(len(weights), end-first)]
		for e := range s {
			s[e] = direct.Weight(b.p.SampleWeight, first+e)
			path.Dense.Axpy(s[e], b.row(b.prob, first+e), total)
			path.Dense.Axpy(1, b.row(b.work, first+e), slopes)
		}
		path.Rows.Wide.Gram(bend, k, b.prob[first*k:(first+len(s))*k], k, s, 0, k)
		first += len(s)
	}
}

// shifted adds the shift to the margins of a block of rows.
type shifted balance

func (b *shifted) Block(i int) {
	first, end := b.rows(i)
	for ; first < end; first++ {
		z := b.row(b.at, first)
		asm.Active().Dense.Axpy(1, b.shift, z)
	}
}
