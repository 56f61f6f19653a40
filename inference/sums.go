package inference

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
)

// squaresHeld is how many matrices of d^2 numbers an estimate holds at a time, beside sums over rows.
const squaresHeld = 5

// facts are the sums of a visit beside A and the gradient.
const (
	pearson = iota
	deviance
	mass
	counted
	labels
	facts = labels + len(risk.Labels{})
)

// buffers is what a worker needs for a piece of rows.
type buffers struct {
	z, c, h, rest [shards.Piece]float64

	columns []int // of a row
	values  []float64
}

// Needs returns the memory in bytes that Of takes at least for rows in a file, with what else Problem.Rows counts,
// and 0 for rows in memory. Of the problem it takes all but the weights, and of the rows their number and the index of
// the file. It is safe for concurrent use.
func Needs(p *Problem, o Options) (int64, error) {
	e, err := begin(p, o)
	if err != nil || p.Rows == nil {
		return 0, err
	}
	rows := *p.Rows
	rows.Memory = 1
	_, _, err = shards.Open(&rows, solvers.Settings{Shards: e.shards(), Ranks: p.Ranks, Workers: 1}, e.fixed(), e.size(), false)
	if short := (*shards.MemoryError)(nil); errors.As(err, &short) {
		return short.Need, nil
	}
	return 0, err
}

// fixed is the number of bytes that are taken beside rows and sums over them.
func (e *estimate) fixed() int64 {
	d := int64(e.d)
	bytes := 8 * (squaresHeld*d*d + e.size())
	if e.clusters != nil {
		bytes += e.clusters.bytes(e.d)
	}
	return bytes
}

// size is the number of elements of a sum over rows.
func (e *estimate) size() int64 {
	d := int64(e.d)
	return d*(d+1)/2 + d + int64(facts)
}

func (e *estimate) shards() int {
	if e.p.Shards > 0 {
		return e.p.Shards
	}
	if e.p.Rows != nil {
		return shards.Count(e.n, e.d, e.p.Rows.Stream.NNZ())
	}
	return shards.Count(e.n, e.d, e.p.X.NNZ())
}

// open plans the sums over the rows.
func (e *estimate) open(ctx context.Context, pool *matrix.Pool) error {
	p := e.p
	e.pool = pool
	if p.Rows == nil {
		e.from = &shards.Memory{X: p.X, Y: p.Y, Weight: p.SampleWeight, Offset: p.Offset, Shards: e.shards()}
	} else {
		file, how, err := shards.Open(p.Rows, solvers.Settings{Shards: e.shards(), Ranks: p.Ranks, Workers: pool.Workers()}, e.fixed(), e.size(), false)
		if err = shards.Agree(p.Ranks, err); err != nil {
			return fmt.Errorf("inference: %w", err)
		}
		e.from, e.how = file, how
	}
	e.how.Shards, e.how.Ranks, e.how.Pool = e.shards(), p.Ranks, pool
	e.how.Stop = func() bool { return ctx.Err() != nil }
	e.group = shards.NewGroup(e.from, e.how)
	e.work = make([]buffers, e.group.Workers())
	e.sums = make([]float64, e.size())
	return nil
}

// slopes computes the margins, slopes and information of rows of a block at e.at, with the weights of the rows, and
// returns the sum of their losses.
func (e *estimate) slopes(k *buffers, b *shards.Block, from, to int) (z, c, h []float64, losses float64) {
	z, c, h = k.z[:to-from], k.c[:to-from], k.h[:to-from]
	direct.Must(b.X.MulRun(z, b.First+from, e.at))
	if b.Offset != nil {
		direct.Axpy(1, b.Offset[from:to], z)
	}
	losses = e.p.Loss.Gradient(c, z, b.Y[from:to], b.Weights(from, to))
	e.likely.Information(h, z, b.Weights(from, to))
	return z, c, h, losses
}

// visit takes a sweep for the lower triangle of A and the gradient at e.at, and for what the rows are.
func (e *estimate) visit() (a, g []float64, err error) {
	triangle, d := e.d*(e.d+1)/2, e.d
	err = e.group.Sum(e.sums, func(worker int, b *shards.Block, node []float64) error {
		a, g, of := node[:triangle], node[triangle:triangle+d], node[triangle+d:]
		for from, to := range b.Pieces {
			y, s := b.Y[from:to], b.Weights(from, to)
			if bad, err := e.p.Loss.Check(y); err != nil {
				return fmt.Errorf("inference: row %d has %w", b.Row+from+bad, err)
			}
			_, c, h, losses := e.slopes(&e.work[worker], b, from, to)
			direct.Must(b.X.AddGramRun(a, b.First+from, h))
			direct.Must(b.X.AddRun(g, b.First+from, c))
			of[deviance] += 2 * losses
			for i, c := range c {
				if h[i] > 0 {
					of[pearson] += float64(c * c / h[i])
				}
				if weight := direct.Weight(s, i); weight > 0 {
					of[mass] += weight
					of[counted]++
				}
			}
			(*risk.Labels)(of[labels:]).Add(e.p.Loss, y, s, direct.Weights(b.Offset, from, to))
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	of := e.sums[triangle+d:]
	e.pearson, e.labels = of[pearson], risk.Labels(of[labels:])
	e.totals.Deviance, e.totals.Weight, e.totals.Rows = of[deviance], of[mass], of[counted]
	return e.sums[:triangle], e.sums[triangle : triangle+d], nil
}

// fit takes a sweep for the likelihood, the deviance of an intercept alone, and the sum of c_i^2 x_i x_i'. More sweeps
// follow while the best intercept is not known, as beside offsets.
func (e *estimate) fit() error {
	triangle := 0
	if e.robust() {
		triangle = e.d * (e.d + 1) / 2
	}
	b := 0.0
	if e.p.Intercept {
		b = e.labels.Constant(e.p.Loss, e.n)
	}
	sums := e.sums[:triangle+1+constants]
	err := e.group.Sum(sums, func(worker int, block *shards.Block, node []float64) error {
		k := &e.work[worker]
		for from, to := range block.Pieces {
			z, c, h, _ := e.slopes(k, block, from, to)
			node[triangle] += e.likely.LogLikelihood(z, block.Y[from:to], block.Weights(from, to), e.totals)
			if triangle > 0 {
				e.square(k, block, from, c, h)
				direct.Must(block.X.AddGramRun(node[:triangle], block.First+from, c))
			}
			e.constant(k, block, from, to, b, node[triangle+1:])
		}
		return nil
	})
	if err != nil {
		return err
	}
	if triangle > 0 {
		e.meat = pick(sums, e.kept)
	}
	e.likelihood = sums[triangle]
	var known [constants]float64
	copy(known[:], sums[triangle+1:])
	if e.p.Intercept {
		summed := b
		_, _ = risk.Least(b, func(b float64) (slope, bend float64) {
			if b != summed {
				summed = b
				err = e.group.Sum(known[:], func(worker int, block *shards.Block, node []float64) error {
					for from, to := range block.Pieces {
						e.constant(&e.work[worker], block, from, to, b, node)
					}
					return nil
				})
			}
			if err != nil {
				return math.NaN(), math.NaN()
			}
			return known[slopeOf], known[bendOf]
		})
	}
	e.null = 2 * known[lossOf]
	return err
}

// Sums at margins of a constant and the offsets.
const (
	lossOf = iota
	slopeOf
	bendOf
	constants
)

// constant adds to the sums of rows of a block at the margins b and the offsets.
func (e *estimate) constant(k *buffers, block *shards.Block, from, to int, b float64, node []float64) {
	z, c, y, s := k.z[:to-from], k.c[:to-from], block.Y[from:to], block.Weights(from, to)
	for i := range z {
		z[i] = b + direct.Offset(block.Offset, from+i)
	}
	node[lossOf] += e.p.Loss.Gradient(c, z, y, s)
	e.p.Loss.Curvature(k.h[:to-from], k.rest[:to-from], z, y, s)
	for i, v := range c {
		node[slopeOf] += v
		node[bendOf] += k.h[i]
	}
}
