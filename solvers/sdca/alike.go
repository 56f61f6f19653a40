package sdca

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

const (
	// The equal start is taken where the mean gap of alikeRows rows is at most alikeGap; a row
	// has log 2 at alpha = 0.
	alikeRows, alikeGap = 64, 0.15
	// alikeLong is the q, in means, above which a row stays at alpha = 0.
	alikeLong = 4
)

// closely is for what is solved once in a run.
var closely = accuracy{share: 1e-9}

// alike begins the run at the best point at which all rows have the same dual variable a, if
// that point is near the optimum: where one label is rare and rows have much in common, and
// where few rows have little in common, as their margins are about equal then. It costs half a
// pass. mean is the mean of q.
//
// With v = sum_i c_i x_i the dual is largest where logit(a) + K a = 0, and
// K = ||v||^2 / sum_i |c_i|.
func (l *proxLoop) alike(mean float64) {
	if len(l.dual) < alikeRows || int64(len(l.w)) > l.p.X.NNZ() {
		return // w is too long to be made in vain
	}
	long, weight := float64(alikeLong*mean), 0.0
	coef := l.full.alpha
	clear(coef)
	for i := range l.dual {
		if d := &l.dual[i]; d.q <= long {
			weight += max(d.c, -d.c)
			coef[i] = d.c
		}
	}
	if !(weight > 0) {
		return
	}
	l.x.AddTrans(l.w, coef)
	common := dualRow{q: kernels.SquaredNorm(l.w) / weight}
	common.solve(0, closely)
	if !(l.apartFrom(common) <= alikeGap) {
		clear(l.w)
		return
	}
	for i := range l.dual {
		if d := &l.dual[i]; d.q <= long {
			d.a, d.u = common.a, common.u
		}
	}
	direct.Scale(l.w, common.a, l.w)
}

// apartFrom estimates the mean gap where all rows have the dual variable of common, by the
// margins of some rows at w, the weights for dual variables of 1.
func (l *proxLoop) apartFrom(common dualRow) float64 {
	var rows [alikeRows]uint32
	var z [alikeRows]float64
	for k := range rows {
		rows[k] = uint32(k * len(l.dual) / alikeRows)
	}
	l.x.MulRows(z[:], rows[:], l.w)
	gap := 0.0
	for k, i := range rows {
		m := z[k]
		if l.dual[i].c < 0 {
			m = -m
		}
		gap += common.divergence(float64(common.a * m))
	}
	return gap / alikeRows
}
