package erm

import (
	"math"

	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
)

// curvature computes the curvatures of rows at margins z, divided by n.
func (f *sharded) curvature(buffers *pieceBuffers, h, z, y, s []float64) {
	curvatureOf(f.p, f.wide, f.count(), h, buffers.rest[:len(h)], z, y, s)
}

func (f *sharded) curve(w []float64, wide bool) { f.w, f.wide = w, wide }

// bends tells of an intercept alone, by the curvature along it.
func (f *sharded) bends() bool { return f.beside.Total() != 0 }

// keeps tells whether a block has the curvatures at f.w.
func (f *sharded) keeps(b *shards.Block) bool {
	k := f.kept
	return b.Kept != nil && len(k.at) > 0 && &k.at[0] == &f.w[0] && k.part == f.part && k.wide == f.wide
}

// curvatures returns the curvatures of rows of a block at f.w.
func (f *sharded) curvatures(buffers *pieceBuffers, b *shards.Block, from, to int) []float64 {
	if f.keeps(b) {
		return b.Kept[from:to]
	}
	z, h := buffers.z[:to-from], buffers.h[:to-from]
	margins(z, b, from, f.w)
	f.curvature(buffers, h, z, b.Y[from:to], b.Weights(from, to))
	return h
}

// product costs a pass by halves too: there is no bend.
func (f *sharded) product(dst, v []float64) error {
	err := f.sum(dst, func(worker int, b *shards.Block, node []float64) error {
		buffers := &f.work[worker]
		for from, to := range f.pieces(b) {
			m := buffers.m[:to-from]
			var h []float64
			if f.keeps(b) {
				h = b.Kept[from:to]
				direct.Must(b.X.MulRun(m, b.First+from, v))
			} else {
				z := buffers.z[:to-from]
				h = buffers.h[:to-from]
				direct.Must(b.X.MulRun2(z, m, b.First+from, f.w, v))
				addOffsets(z, b, from)
				f.curvature(buffers, h, z, b.Y[from:to], b.Weights(from, to))
			}
			direct.Mul(m, h, m)
			direct.Must(b.X.AddRun(node, b.First+from, m))
		}
		return nil
	})
	if err == nil {
		direct.Axpy(f.p.Ridge(), risk.Held(f.p, v), risk.Held(f.p, dst))
	}
	return f.swept(err)
}

func (f *sharded) bend([]float64) (bend float64, cheaper bool) { return 0, false }

func (f *sharded) follow(float64, bool, bool) {}

// diagonal writes the diagonal of the Hessian at f.w, without the regulariser, and the sums of
// its columns' curvatures, unless sums is nil.
func (f *sharded) diagonal(squares, sums []float64) error {
	both := squares
	if sums != nil {
		both = make([]float64, 2*f.d)
	}
	err := f.sum(both, func(worker int, b *shards.Block, node []float64) error {
		buffers := &f.work[worker]
		for from, to := range f.pieces(b) {
			h := f.curvatures(buffers, b, from, to)
			direct.Must(b.X.AddSquaresRun(node[:f.d], b.First+from, h))
			if sums != nil {
				direct.Must(b.X.AddRun(node[f.d:], b.First+from, h))
			}
		}
		return nil
	})
	if err == nil && sums != nil {
		copy(squares, both)
		copy(sums, both[f.d:])
	}
	return err
}

func (f *sharded) gramCost() float64 {
	if f.d > shards.MostDense {
		return math.Inf(1)
	}
	gram := cost.Gram(f.products, f.n, f.d)
	share := float64(f.count()) / float64(f.n)
	return (float64(share*float64(gram)) + float64(cost.Factor(f.d))) / float64(share*float64(cost.Pass(f.from.NNZ(), f.n)))
}

// gram writes the lower triangle of the Hessian at f.w, without the regulariser.
func (f *sharded) gram(dst []float64) error {
	triangle := make([]float64, f.d*(f.d+1)/2)
	err := f.sum(triangle, func(worker int, b *shards.Block, node []float64) error {
		buffers := &f.work[worker]
		for from, to := range f.pieces(b) {
			direct.Must(b.X.AddGramRun(node, b.First+from, f.curvatures(buffers, b, from, to)))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for a := range f.d {
		copy(dst[a*f.d:][:a+1], triangle[a*(a+1)/2:])
	}
	return nil
}

// alphas is how many step lengths one sweep of a line search tries.
const alphas = 16

// line is a search along a step.
type line struct {
	e      run.Evaluation // of the full step
	losses [alphas]float64
	left   int // of losses, at steps that were not asked for yet
}

// along evaluates the full step with its gradient: it is mostly taken. Where it is too long, a
// sweep tries many shorter ones.
func (f *sharded) along(at *points, s []float64, alpha float64) (mean float64, err error) {
	l := &f.line
	if alpha == 1 {
		l.left = 0
		l.e, err = f.try(at, s, 1)
		return f.mean, err
	}
	if l.left == 0 {
		if l.losses, err = f.losses(alpha, s); f.swept(err) != nil {
			return 0, err
		}
		l.left = alphas
	}
	l.left--
	return l.losses[alphas-1-l.left], nil
}

// try evaluates w + alpha s, with its gradient.
func (f *sharded) try(at *points, s []float64, alpha float64) (run.Evaluation, error) {
	direct.ScaleAdd(at.next, alpha, s, 1, at.w)
	return f.visit(at.slope, at.next)
}

func (f *sharded) move(at *points, s []float64, alpha float64, _ int) (run.Evaluation, error) {
	if alpha == 1 {
		return f.line.e, nil
	}
	return f.try(at, s, alpha)
}

// losses returns the mean losses at f.w + alpha 2^-k s. It costs one pass.
func (f *sharded) losses(alpha float64, s []float64) (losses [alphas]float64, err error) {
	err = f.sum(losses[:], func(worker int, b *shards.Block, node []float64) error {
		buffers := &f.work[worker]
		for from, to := range f.pieces(b) {
			z, m, at := buffers.z[:to-from], buffers.m[:to-from], buffers.c[:to-from]
			direct.Must(b.X.MulRun2(z, m, b.First+from, f.w, s))
			addOffsets(z, b, from)
			for k := range node {
				direct.ScaleAdd(at, math.Ldexp(alpha, -k), m, 1, z)
				node[k] += f.p.Loss.Sum(at, b.Y[from:to], b.Weights(from, to))
			}
		}
		return nil
	})
	for k := range losses {
		losses[k] /= float64(f.count())
	}
	return losses, err
}
