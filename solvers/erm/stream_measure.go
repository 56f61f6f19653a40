package erm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Measured is how weights do on the rows of a problem. It is safe for concurrent reading.
type Measured struct {
	// Accuracy is the share of rows whose score is above 0 where the label is +1, and 0 or below
	// where it is -1. MeanSquare is the mean of (score - label)^2, for a linked loss of
	// (Mean(score) - label)^2. Both weigh rows by their
	// weights, without class weights; scores include the offsets of rows.
	Accuracy, MeanSquare float64
}

// Measure scores the rows of p by weights, in one sweep over the file with a few blocks
// in memory.
func (p *Streamed) Measure(ctx context.Context, w []float64, settings solvers.Settings) (Measured, error) {
	if err := p.check(); err != nil {
		return Measured{}, err
	}
	if len(w) != p.Rows.Cols() {
		return Measured{}, fmt.Errorf("erm: %d weights for %d columns", len(w), p.Rows.Cols())
	}
	sums := make([]float64, 3)
	err := p.sweep(ctx, settings, shards.Label(p.rows()), sums, func(work *pieceBuffers, b *shards.Block, node []float64) error {
		for from, to := range b.Pieces {
			z := work.z[:to-from]
			margins(z, b, from, w)
			ys, weight := b.Y[from:to], b.Weights(from, to)
			for i, y := range ys {
				if (z[i] > 0) == (y > 0) {
					node[0] += direct.Weight(weight, i)
				}
			}
			loss.Means(p.Loss, z)
			for i, y := range ys {
				s := direct.Weight(weight, i)
				node[1] = math.FMA(float64(s*(z[i]-y)), z[i]-y, node[1])
				node[2] += s
			}
		}
		return nil
	})
	return Measured{sums[0] / sums[2], sums[1] / sums[2]}, err
}

// MeasureClasses gives every row the class of its largest score, the first of equal ones, and counts for each class
// of labels, against the rest, how that does, by the weights of rows. Of p it takes Rows alone, whose labels, or the
// places of words, are among labels. w has Rows.Cols() weights a class, one class after the other. It takes one
// sweep over the file, with a few blocks in memory. A row of another label is a *sparse.FormatError.
func (p *Streamed) MeasureClasses(ctx context.Context, w, labels []float64, settings solvers.Settings) ([]metrics.Confusion, error) {
	switch {
	case p == nil || p.Rows == nil || p.Rows.Cols() == 0:
		return nil, errors.New("erm: the problem has no rows with columns")
	case len(labels) == 0 || len(w) != len(labels)*p.Rows.Cols():
		return nil, fmt.Errorf("erm: %d weights for %d classes and %d columns", len(w), len(labels), p.Rows.Cols())
	}
	number, d := make(map[float64]float64, len(labels)), p.Rows.Cols()
	for k, label := range labels {
		number[label] = float64(k)
	}
	place := func(row int, y, _ []float64) error {
		for i, label := range y {
			k, is := number[label]
			if !is {
				return &sparse.FormatError{Name: p.Rows.Name(), Message: fmt.Sprintf("row %d has the label %v, which is no class: the file has changed since its labels were counted", row+i, label)}
			}
			y[i] = k
		}
		return nil
	}
	const right, missed, mistaken = 0, 1, 2
	sums := make([]float64, 3*len(labels)+1)
	err := p.sweep(ctx, settings, place, sums, func(work *pieceBuffers, b *shards.Block, node []float64) error {
		for from, to := range b.Pieces {
			best, called, z := work.m[:to-from], work.c[:to-from], work.z[:to-from]
			for k := range labels {
				direct.Must(b.X.MulRun(z, b.First+from, w[k*d:(k+1)*d]))
				for i, v := range z {
					if k == 0 || v > best[i] {
						best[i], called[i] = v, float64(k)
					}
				}
			}
			weight := b.Weights(from, to)
			for i, y := range b.Y[from:to] {
				s, own, other := direct.Weight(weight, i), 3*int(y), 3*int(called[i])
				if node[3*len(labels)] += s; own == other {
					node[own+right] += s
					continue
				}
				node[own+missed] += s
				node[other+mistaken] += s
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	tables := make([]metrics.Confusion, len(labels))
	for k := range tables {
		v := sums[3*k:]
		tables[k] = metrics.Confusion{TruePositive: v[right], FalseNegative: v[missed], FalsePositive: v[mistaken]}
		tables[k].TrueNegative = sums[3*len(labels)] - v[right] - v[missed] - v[mistaken]
	}
	return tables, nil
}

// sweep sums over the rows, with as much memory as a sweep needs.
func (p *Streamed) sweep(ctx context.Context, settings solvers.Settings, label func(row int, y, weight []float64) error, sums []float64, add func(work *pieceBuffers, b *shards.Block, node []float64) error) error {
	if settings.Shards == 0 {
		settings.Shards = p.Shards()
	}
	if _, err := run.Check(solvers.Settings{Shards: settings.Shards}, p.Rows.Cols()); err != nil {
		return err
	}
	pool := matrix.NewPool(settings.Workers)
	defer pool.Close()
	ranks := cmp.Or[solvers.Ranks](settings.Ranks, shards.Alone{})
	file := shards.FileOptions{
		Shards: settings.Shards, Rank: ranks.Rank(), Ranks: ranks.Size(), Workers: pool.Workers(),
		Label: label, MemoryBytes: shards.OtherMemory,
	}
	rows, err := shards.NewFile(p.Rows, file)
	if short := (*shards.MemoryError)(nil); errors.As(err, &short) {
		file.MemoryBytes = short.Need
		rows, err = shards.NewFile(p.Rows, file)
	}
	if err != nil {
		return err
	}
	g := shards.NewGroup(rows, shards.Options{
		Shards: settings.Shards, Ranks: settings.Ranks, Pool: pool, Workers: rows.Workers(),
		Stop: func() bool { return ctx != nil && ctx.Err() != nil },
	})
	work := make([]pieceBuffers, g.Workers())
	return g.Sum(sums, func(worker int, b *shards.Block, node []float64) error { return add(&work[worker], b, node) })
}
