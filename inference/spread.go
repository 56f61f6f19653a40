package inference

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
)

// spread makes the covariance of the kept weights of A^-1.
func (e *estimate) spread() error {
	n, k := float64(e.rows), float64(len(e.kept))
	factor := 1.0
	var meat []float64
	var err error
	switch e.o.Covariance {
	case Fisher:
		direct.Scale(e.v, e.dispersion(), e.v)
		return nil
	case Cluster:
		if meat, err = e.clustered(); err != nil {
			return err
		}
		g := float64(e.groups)
		factor = g / (g - 1) * (n - 1) / (n - k)
	case HC1:
		factor = n / (n - k)
		fallthrough
	default:
		meat = e.squares()
	}
	e.sandwich(meat, factor)
	return nil
}

// squares is the sum of c_i^2 x_i x_i' over rows, as a lower triangle; of HC2 and HC3 with what they
// divide by. A row that its weights fit alone, of a leverage of 1, has a slope of 0.
func (e *estimate) squares() []float64 {
	power := map[string]float64{HC2: 1, HC3: 2}[e.o.Covariance]
	weights := make([]float64, len(e.c))
	for i, c := range e.c {
		weights[i] = float64(c * c)
		if power > 0 && c != 0 {
			weights[i] /= math.Pow(1-e.leverage(i), power)
		}
	}
	a := make([]float64, e.d*e.d)
	e.x.Gram(a, weights)
	return pick(a, e.d, e.kept)
}

// leverage is s_i I_i x_i'A^-1 x_i.
func (e *estimate) leverage(i int) float64 {
	k := len(e.kept)
	columns, values := e.row(i)
	sum := 0.0
	for a, p := range columns {
		row := e.v[p*k : (p+1)*k]
		for b, q := range columns {
			sum += float64(row[q] * values[a] * values[b])
		}
	}
	return float64(e.h[i] * sum)
}

// row returns the entries of a row in kept columns, as places in kept. The slices serve until the next
// call.
func (e *estimate) row(i int) (columns []int, values []float64) {
	if e.places == nil {
		e.places = make([]int, e.d)
		for j := range e.places {
			e.places[j] = -1
		}
		for k, j := range e.kept {
			e.places[j] = k
		}
	}
	e.columns, e.values = e.columns[:0], e.values[:0]
	for j, x := range e.p.X.Row(i) {
		if e.places[j] >= 0 {
			e.columns, e.values = append(e.columns, e.places[j]), append(e.values, x)
		}
	}
	return e.columns, e.values
}

// clustered is the sum of u u' over groups, as a lower triangle, where u is the sum of c_i x_i over the
// rows of a group.
func (e *estimate) clustered() ([]float64, error) {
	k, of := len(e.kept), e.o.Clusters
	var rows []int
	for i := range e.c {
		if direct.Weight(e.p.SampleWeight, i) > 0 {
			rows = append(rows, i)
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(of[a], of[b]) })
	meat, u := make([]float64, k*k), make([]float64, k)
	for n, i := range rows {
		columns, values := e.row(i)
		for a, p := range columns {
			u[p] += float64(e.c[i] * values[a])
		}
		if n+1 < len(rows) && of[rows[n+1]] == of[i] {
			continue
		}
		for p, v := range u {
			if v != 0 {
				direct.Axpy(v, u[:p+1], meat[p*k:p*k+p+1])
			}
		}
		clear(u)
		e.groups++
	}
	if e.groups < 2 {
		return nil, errors.New("inference: all rows are of one group: errors by groups need two or more")
	}
	return meat, nil
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
