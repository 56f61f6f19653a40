package sdca

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// startGap is the largest mean gap of a sample of rows at which the equal start is taken; a row
// has a gap of log 2 at alpha = 0.
const startGap = 0.15

// equalStart begins the run at the best point at which all rows have the same dual variable a, if
// that point is near the optimum. It is near if one label is rare and rows have much in common,
// or if few rows have little in common: margins are then about equal. It costs half a pass, unless
// few rows show that the point is far from the optimum.
//
// With v = sum_i c_i x_i the dual is largest where logit(a) + K a = 0, and
// K = ||v||^2 / sum_i |c_i|.
func (l *proxLoop) equalStart() {
	if len(l.dual) < blockRows || int64(len(l.w)) > l.p.X.NNZ() {
		return // w is too long to be made in vain
	}
	if l.farFromEqual() {
		return
	}
	weight := 0.0
	coef := l.full.alpha
	for i := range l.dual {
		c := l.dual[i].C
		weight += max(c, -c)
		coef[i] = c
	}
	if !(weight > 0) {
		return
	}
	l.x.AddTrans(l.w, coef)
	common := loss.DualRow{Q: kernels.SquaredNorm(l.w) / weight}
	common.Solve(0, 1e-9)
	if !(l.sampledGap(common) <= startGap) {
		clear(l.w)
		return
	}
	for i := range l.dual {
		d := &l.dual[i]
		d.A, d.U = common.A, common.U
	}
	direct.Scale(l.w, common.A, l.w)
}

// farFromEqual needs fewShare times as many rows as its three samples of fewRows have.
const fewRows, fewShare = 64, 16

// farFromEqual estimates the gap of the equal start from few of many rows, and tells whether it is
// above 2 startGap. Two samples of rows estimate the margins of a third sample, independently. So
// their covariance estimates the variance of the margins. The gap is about half of it, times
// a(1-a).
func (l *proxLoop) farFromEqual() bool {
	n := len(l.dual)
	if n < 3*fewRows*fewShare {
		return false
	}
	var lists [3][fewRows]uint32
	for j := range 3 * fewRows {
		lists[j%3][j/3] = uint32(j * n / (3 * fewRows))
	}
	steps, err := matrix.NewSteps(l.features.Matrix, l.full.zeros())
	direct.Must(err)
	var z [2][fewRows]float64
	for h := range z {
		var c [fewRows]float64
		for k, i := range lists[h] {
			c[k] = l.dual[i].C * (float64(n) / fewRows)
		}
		steps.AddEach(lists[h][:], c[:])
		steps.DotEach(z[h][:], lists[2][:])
	}
	mean, covariance := 0.0, 0.0
	for k, i := range lists[2] {
		d := &l.dual[i]
		first, second := z[0][k], z[1][k]-z[0][k]
		if d.C < 0 {
			first, second = -first, -second
		}
		z[0][k], z[1][k] = d.Q+first, d.Q+second
		mean += float64((z[0][k] + z[1][k]) / (2 * fewRows))
	}
	for k := range fewRows {
		covariance += float64(float64((z[0][k]-mean)*(z[1][k]-mean)) / fewRows)
	}
	common := loss.DualRow{Q: max(0, mean)}
	common.Solve(0, 1e-9)
	a := common.A
	return float64(0.5*a*(1-a))*float64(float64(a*a)*covariance) > 2*startGap
}

// sampledGap estimates the mean gap if all rows have the dual variable of common. l.w holds the
// weights for dual variables of 1, which give the margins of a sample of rows.
func (l *proxLoop) sampledGap(common loss.DualRow) float64 {
	rows, z := l.sample()
	gap := 0.0
	for k, i := range rows {
		m := z[k]
		if l.dual[i].C < 0 {
			m = -m
		}
		gap += common.Divergence(float64(common.A * m))
	}
	return gap / blockRows
}

// sample returns some rows, and their products with w without an intercept.
func (l *proxLoop) sample() (rows [blockRows]uint32, z [blockRows]float64) {
	for k := range rows {
		rows[k] = uint32(k * len(l.dual) / blockRows)
	}
	l.features.MulRows(z[:], rows[:], risk.Held(l.p, l.w))
	return rows, z
}
