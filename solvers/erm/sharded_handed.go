package erm

import (
	"slices"
	"time"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// gather returns the oracle of all rows in memory, on every rank.
func (f *sharded) gather() (*inMemory, error) {
	p, err := f.collect()
	if f.swept(err) != nil {
		return nil, err
	}
	full := newObjective(p, f.pool, nil)
	full.settings = f.settings
	return newInMemory(full), nil
}

// collect returns the problem with all rows in memory, on every rank. It takes a sweep, which
// is not left before its end.
func (f *sharded) collect() (*Problem, error) {
	n, d := f.n, f.d
	width := d + 3 // a row's entries, its label, its sample weight and its offset
	all := make([]float64, n*width)
	f.patient, f.begun = true, time.Time{}
	defer func() { f.patient = false }()
	err := f.sum(make([]float64, 1), func(_ int, b *shards.Block, _ []float64) error {
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
	p := *f.p
	p.Y, p.SampleWeight, p.Offset = make([]float64, n), make([]float64, n), make([]float64, n)
	begins := make([]int64, 1, n+1)
	columns, values := make([]uint32, 0, f.from.NNZ()), make([]float64, 0, f.from.NNZ())
	for i := range n {
		row := all[i*width:][:width]
		for j, v := range row[:d] {
			if v != 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		begins = append(begins, int64(len(values)))
		p.Y[i], p.SampleWeight[i], p.Offset[i] = row[d], row[d+1], row[d+2]
	}
	if !slices.ContainsFunc(p.SampleWeight, func(s float64) bool { return s != 1 }) {
		p.SampleWeight = nil
	}
	if kernels.MaxAbs(p.Offset) == 0 {
		p.Offset = nil
	}
	p.X, err = sparse.NewCSR(d, begins, columns, values)
	return &p, err
}
