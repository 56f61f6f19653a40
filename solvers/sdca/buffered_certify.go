package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/kernels"
)

// The sums of a certificate beside X'c and X'alpha: the losses, the squared slopes, the Fenchel-Young
// losses, the squared dual variables, and the curvature.
const (
	sumLosses = iota
	sumSlopes
	sumYoung
	sumAlpha
	sumCurvature
	bufferedSums = sumCurvature + len(certificate.Curvature{})
)

// evaluate evaluates w with the dual variables, as objective.evaluate. It costs a sweep, with two products
// with the transpose.
func (l *bufferedLoop) evaluate(w []float64) (run.Evaluation, error) {
	d, n := len(w), float64(l.rows.Rows())
	held := risk.Held(l.p, w)
	square := kernels.SquaredNorm(held)
	size := math.Sqrt(kernels.SquaredNorm(w))
	above, below, rest := 1.0, 1.0, 0.0
	if l.intercept != nil {
		above, below, rest = certificate.Balance(l.alpha)
	}
	for k := range l.work {
		l.work[k].most = 0
	}
	err := l.sums.Group.Sum(l.total, func(worker int, b *shards.Block, node []float64) error {
		work, sums := &l.work[worker], node[2*d:]
		for from, to := range b.Pieces {
			z, c, alpha, squares := work.z[:to-from], work.c[:to-from], work.alpha[:to-from], work.squares[:to-from]
			y, s := b.Y[from:to], b.Weights(from, to)
			direct.Must(b.X.MulRun(z, b.First+from, w))
			if b.Offset != nil {
				direct.Axpy(1, b.Offset[from:to], z)
			}
			direct.Must(b.X.SquaredNormsRun(squares, b.First+from))
			sums[sumLosses] += l.p.Loss.Gradient(c, z, y, s)
			sums[sumSlopes] += kernels.SquaredNorm(c)
			if l.p.Intercept {
				(*certificate.Curvature)(sums[sumCurvature:]).Add(l.p.Loss, y, c, s)
			}
			work.most = max(work.most, kernels.MaxAbs(z))
			for k := range z {
				a := l.alpha[b.Row+from+k]
				if alpha[k] = a * above; a < 0 {
					alpha[k] = a * below
				}
				rounding := l.sums.Bounds.MarginOf(squares[k], direct.Offset(b.Offset, from+k), size)
				sums[sumYoung] += fenchelYoungBound(l.dual, alpha[k], z[k], y[k], direct.Weight(s, k), c[k], rounding)
			}
			sums[sumAlpha] += kernels.SquaredNorm(alpha)
			direct.Must(b.X.AddRun(node[:d], b.First+from, c))
			direct.Must(b.X.AddRun(node[d:2*d], b.First+from, alpha))
		}
		return nil
	})
	if err != nil {
		return run.Evaluation{}, err
	}
	sums := l.total[2*d:]
	g, v := risk.Held(l.p, l.total[:d]), risk.Held(l.p, l.total[d:2*d])
	direct.ScaleAdd(g, 1/n, g, l.p.Ridge(), held)
	norm := direct.Norm(g)
	var at *certificate.Intercept
	if l.intercept != nil {
		at = &certificate.Intercept{Slope: l.total[d-1] / n, Curvature: certificate.Curvature(sums[sumCurvature:])}
		norm = math.Sqrt(math.FMA(norm, norm, float64(at.Slope*at.Slope)))
	}
	e, _ := l.sums.Bounds.Evaluation(sums[sumLosses]/n, square, norm, math.Sqrt(sums[sumSlopes]), size, at)
	most := 0.0
	for k := range l.work {
		most = max(most, l.work[k].most)
	}
	if l.intercept != nil {
		rest *= 1 + math.Abs(w[d-1]) + most
	}
	direct.ScaleAdd(v, l.unit, v, -1, held)
	distance := direct.Norm(v)
	distance += l.sums.Bounds.Combination(math.Sqrt(sums[sumAlpha]), size, distance)
	gap := (sums[sumYoung] + rest) / n
	if gap += float64(float64(0.5*l.p.Ridge()) * float64(distance*distance)); gap < e.Gap {
		e.Gap = gap
	}
	return e, nil
}
