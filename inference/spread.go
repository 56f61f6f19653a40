package inference

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/shards"
)

// robust tells whether the covariance takes the sum of squares of single rows.
func (e *estimate) robust() bool { return e.o.Covariance != Fisher && e.o.Covariance != Cluster }

// spread makes the covariance of the kept weights of A^-1.
func (e *estimate) spread() error {
	n, k := e.totals.Rows, float64(len(e.kept))
	factor := 1.0
	switch e.o.Covariance {
	case Fisher:
		direct.Scale(e.v, e.dispersion(), e.v)
		return nil
	case Cluster:
		var err error
		if e.meat, err = e.clustered(); err != nil {
			return err
		}
		g := float64(e.groups)
		factor = g / (g - 1) * (n - 1) / (n - k)
	case HC1:
		factor = n / (n - k)
	}
	e.sandwich(e.meat, factor)
	return nil
}

// square squares the slopes c of rows of a block, of HC2 and HC3 with what they are divided by. A row that its weights
// fit alone, of a leverage of 1, has a slope of 0.
func (e *estimate) square(k *buffers, b *shards.Block, from int, c, h []float64) {
	how := e.o.Covariance
	for i, slope := range c {
		c[i] = float64(slope * slope)
		if slope == 0 || how != HC2 && how != HC3 {
			continue
		}
		rest := 1 - e.leverage(k, b, from+i, h[i])
		if how == HC3 {
			rest *= rest
		}
		c[i] /= rest
	}
}

// leverage is h x_i'A^-1 x_i, for the information h of a row of a block.
func (e *estimate) leverage(b *buffers, block *shards.Block, i int, h float64) float64 {
	b.columns, b.values = b.columns[:0], b.values[:0]
	for j, x := range block.X.Row(block.First + i) {
		if p := e.places[j]; p >= 0 {
			b.columns, b.values = append(b.columns, p), append(b.values, x)
		}
	}
	k, sum := len(e.kept), 0.0
	for a, p := range b.columns {
		row := e.v[p*k : (p+1)*k]
		for c, q := range b.columns {
			sum += float64(row[q] * b.values[a] * b.values[c])
		}
	}
	return float64(h * sum)
}

// sandwich replaces A^-1 by factor A^-1 M A^-1, where the lower triangle of M is in meat.
func (e *estimate) sandwich(meat []float64, factor float64) {
	k := len(e.kept)
	for i := range k {
		for j := range i {
			meat[j*k+i] = meat[i*k+j]
		}
	}
	half, v := make([]float64, k*k), make([]float64, k*k)
	for i := range k {
		for j := range k {
			half[i*k+j] = direct.Dot(e.v[i*k:(i+1)*k], meat[j*k:(j+1)*k])
		}
	}
	for i := range k {
		for j := range i + 1 {
			v[i*k+j] = factor * direct.Dot(half[i*k:(i+1)*k], e.v[j*k:(j+1)*k])
			v[j*k+i] = v[i*k+j]
		}
	}
	e.v = v
}

// unscale turns weights of scaled columns into weights of columns as they were: w/width, and the
// intercept less the sum of w shift/width.
func (e *estimate) unscale() {
	p, k := e.p, len(e.kept)
	at := func(list []float64, j int, usual float64) float64 {
		if j < len(list) {
			return list[j]
		}
		return usual
	}
	for a, j := range e.kept {
		width := at(p.Width, j, 1)
		e.w[a] /= width
		for b := range k {
			e.v[a*k+b] /= width
			e.v[b*k+a] /= width
		}
	}
	if !p.Intercept || p.Shift == nil {
		return
	}
	for b, j := range e.kept[1:] {
		shift := at(p.Shift, j, 0)
		e.w[0] -= float64(shift * e.w[b+1])
		direct.Axpy(-shift, e.v[(b+1)*k:(b+2)*k], e.v[:k])
	}
	// The first row is that of the new intercept and the old weights.
	own := e.v[0]
	for b, j := range e.kept[1:] {
		own -= float64(at(p.Shift, j, 0) * e.v[b+1])
		e.v[(b+1)*k] = e.v[b+1]
	}
	e.v[0] = own
}
