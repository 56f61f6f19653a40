package erm

import (
	"errors"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/sparse"
)

// A run by shards that stops progressing continues without shards, from its point, if the data
// are small enough for orthogonal steps. Every process then has all rows and does the same work,
// so the result does not depend on where the rows were.

// hands tells whether the run is to go on so: its own steps improve nothing, which stuck
// says, or took as much work as without shards before orthogonal ones.
func (l *shardedNewton) hands(e run.Evaluation, stuck bool) bool {
	f := l.f
	return (stuck || l.work > truncated.Patience(f.d)) && f.part == nil && f.p.Ridge() > 0 && f.settings.GapTolerance > 0 &&
		fitsOrthogonal(f.n, f.d) && !run.Reaches(&f.settings, e)
}

// hand makes the loop that continues from w.
func (l *shardedNewton) hand(w []float64) error {
	p, err := l.f.collect()
	if err != nil {
		return err
	}
	settings := l.f.settings
	settings.Initial = nil // w is no worse
	l.whole = newtonFrom(p, l.pool, settings, w).(*newtonLoop)
	l.whole.goOrthogonal()
	return nil
}

// restoreWhole makes the loop that a checkpoint is of.
func (l *shardedNewton) restoreWhole(c *checkpoint.Coder) {
	if !(l.f.p.Ridge() > 0) || !fitsOrthogonal(l.f.n, l.f.d) {
		c.Fail(errors.New("a run that went on without shards, which this one does not"))
		return
	}
	if err := l.hand(l.w); err != nil {
		c.Fail(err)
	}
}

// collect returns the problem with all rows in memory, on every rank. It takes a sweep, which
// is not left before its end.
func (f *sharded) collect() (*Problem, error) {
	n, d := f.n, f.d
	width := d + 3 // a row's entries, its label, its sample weight and its offset
	all := make([]float64, n*width)
	f.use(nil)
	f.patient = true
	defer func() { f.patient = false }()
	err := f.group.Sum(make([]float64, 1), func(_ int, b *shards.Block, _ []float64) error {
		for k, y := range b.Y {
			row := all[(b.Row+k)*width:][:width]
			for j, v := range b.X.Row(b.First + k) {
				row[j] = v
			}
			row[d], row[d+1] = y, 1
			if s := b.Weights(k, k+1); s != nil {
				row[d+1] = s[0]
			}
			row[d+2] = direct.Offset(b.Offset, k)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Every element is 0 on all ranks but one.
	if err := shards.Total(f.group.Ranks(), all); err != nil {
		return nil, err
	}
	p := &Problem{Loss: f.p.Loss, Penalty: f.p.Penalty, Intercept: f.p.Intercept}
	begins := make([]int64, 1, n+1)
	columns, values := make([]uint32, 0, f.rows.NNZ()), make([]float64, 0, f.rows.NNZ())
	weighted := false
	for i := range n {
		row := all[i*width:][:width]
		for j, v := range row[:d] {
			if v != 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		begins = append(begins, int64(len(values)))
		p.Y, p.SampleWeight = append(p.Y, row[d]), append(p.SampleWeight, row[d+1])
		weighted = weighted || row[d+1] != 1
		if f.p.Offset != nil {
			p.Offset = append(p.Offset, row[d+2])
		}
	}
	if !weighted {
		p.SampleWeight = nil
	}
	p.X, err = sparse.NewCSR(d, begins, columns, values)
	return p, err
}
