package direct

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// Vectors holds vector operations that share the workers of a pool. They work on blocks of
// vectorBlock elements, and sums add the sums of the blocks in order, so results do not depend on
// the workers. Up to vectorBlock elements they equal the functions of this package. It serves one
// goroutine.
type Vectors struct {
	Pool *matrix.Pool // nil for the calling goroutine alone
	task vectorTask
}

// vectorBlock is enough elements to make up for handing a block out.
const vectorBlock = 1 << 14

type vectorTask struct {
	operation operation
	dst, x, y []float64
	a, b      float64
	sums      []float64
}

type operation uint8

const (
	scaleAdd operation = iota
	scaleAddNorm
	axpy
	scale
	mul
	dot
	squaredNorm
	set
)

// sums tells whether the blocks have sums.
func (o operation) sums() bool { return o == dot || o == squaredNorm || o == scaleAddNorm }

// Block does the operation on one block.
func (t *vectorTask) Block(i int) {
	first := i * vectorBlock
	end := min(first+vectorBlock, len(t.x))
	x := t.x[first:end]
	switch t.operation {
	case scaleAdd:
		ScaleAdd(t.dst[first:end], t.a, x, t.b, t.y[first:end])
	case scaleAddNorm:
		// The block is still near when its squares are added.
		ScaleAdd(t.dst[first:end], t.a, x, t.b, t.y[first:end])
		t.sums[i] = kernels.SquaredNorm(t.dst[first:end])
	case axpy:
		Axpy(t.a, x, t.dst[first:end])
	case scale:
		Scale(t.dst[first:end], t.a, x)
	case mul:
		Mul(t.dst[first:end], x, t.y[first:end])
	case dot:
		t.sums[i] = Dot(x, t.y[first:end])
	case squaredNorm:
		t.sums[i] = kernels.SquaredNorm(x)
	case set:
		copy(t.dst[first:end], x)
	}
}

// run does an operation on vectors that are as long as x.
func (v *Vectors) run(t vectorTask) {
	for _, other := range [...][]float64{t.dst, t.y} {
		if other != nil && len(other) != len(t.x) {
			misfit(fmt.Errorf("%d and %d elements", len(other), len(t.x)))
		}
	}
	blocks := (len(t.x) + vectorBlock - 1) / vectorBlock
	t.sums = v.task.sums
	if t.operation.sums() && len(t.sums) < blocks {
		t.sums = make([]float64, blocks)
	}
	v.task = t
	matrix.Run(v.Pool, blocks, &v.task)
	v.task = vectorTask{sums: t.sums}
}

// sum is the sum over the blocks of vectors of n elements.
func (v *Vectors) sum(n int) float64 {
	blocks := (n + vectorBlock - 1) / vectorBlock
	if blocks == 0 {
		return 0
	}
	sum := v.task.sums[0]
	for _, s := range v.task.sums[1:blocks] {
		sum += s
	}
	return sum
}

// ScaleAdd computes dst = a x + b y.
func (v *Vectors) ScaleAdd(dst []float64, a float64, x []float64, b float64, y []float64) {
	v.run(vectorTask{operation: scaleAdd, dst: dst, x: x, y: y, a: a, b: b})
}

// ScaleAddNorm computes dst = a x + b y, and returns the squared norm of dst.
func (v *Vectors) ScaleAddNorm(dst []float64, a float64, x []float64, b float64, y []float64) float64 {
	v.run(vectorTask{operation: scaleAddNorm, dst: dst, x: x, y: y, a: a, b: b})
	return v.sum(len(x))
}

// Axpy computes y += a x.
func (v *Vectors) Axpy(a float64, x, y []float64) {
	v.run(vectorTask{operation: axpy, dst: y, x: x, a: a})
}

// Scale computes dst = a x.
func (v *Vectors) Scale(dst []float64, a float64, x []float64) {
	v.run(vectorTask{operation: scale, dst: dst, x: x, a: a})
}

// Mul computes dst = x y, element by element.
func (v *Vectors) Mul(dst, x, y []float64) {
	v.run(vectorTask{operation: mul, dst: dst, x: x, y: y})
}

// Copy writes x to dst.
func (v *Vectors) Copy(dst, x []float64) { v.run(vectorTask{operation: set, dst: dst, x: x}) }

// Dot returns the sum of the products.
func (v *Vectors) Dot(x, y []float64) float64 {
	v.run(vectorTask{operation: dot, x: x, y: y})
	return v.sum(len(x))
}

// SquaredNorm returns the sum of the squares.
func (v *Vectors) SquaredNorm(x []float64) float64 {
	v.run(vectorTask{operation: squaredNorm, x: x})
	return v.sum(len(x))
}

// Norm returns the Euclidean norm, the root of SquaredNorm.
func (v *Vectors) Norm(x []float64) float64 { return math.Sqrt(v.SquaredNorm(x)) }
