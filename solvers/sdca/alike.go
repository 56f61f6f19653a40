package sdca

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

const (
	// alikeFew is the number of rows up to which all are added before it is decided on the
	// start; of more rows it is one in alikeEvery.
	alikeFew, alikeEvery = 2048, 8
	// alikeRows is how many rows are looked at for that, and alikeGap the mean of their parts
	// of the gap, of log 2 at alpha = 0, up to which the start is taken.
	alikeRows, alikeGap = 64, 0.15
	// alikeMost is how much of their margins rows must have in common, in means of q, where
	// there are many of them: with as much as that the start was worth a pass and more, and
	// with less it cost one.
	alikeMost = 8
	// alikeLong is the q, in means, above which a row stays at alpha = 0.
	alikeLong = 4
)

// closely is for what is solved once in a run.
var closely = accuracy{share: 1e-9}

// alike begins the run at the best point at which all rows have the same dual variable a, if
// that is near the optimum. It is where one label is rare and rows have much in common, and
// where few rows have little in common: the margins are about the same then. It is worth one
// to two passes and costs about half a one. mean is that of q.
//
// With v = sum_i c_i x_i the dual is the best where logit(a) + K a = 0, and
// K = ||v||^2 / sum_i |c_i|. A sample tells ||v||^2 but for the squares of single rows, which
// are known: what pairs of rows make of it goes with the number of pairs.
func (l *proxLoop) alike(mean float64) {
	n := len(l.dual)
	if n < alikeEvery*alikeRows || int64(len(l.w)) > l.p.X.NNZ() {
		return // w is too long to be made in vain
	}
	every := 1
	if n > alikeFew {
		every = alikeEvery
	}
	long := float64(alikeLong * mean)
	alone := dualRow{q: mean} // what is best for rows that have nothing in common
	alone.solve(0, closely)
	coef := l.full.alpha
	clear(coef)
	var all, some struct{ weight, own float64 }
	for i := range l.dual {
		d := &l.dual[i]
		if d.q > long {
			continue
		}
		weight := max(d.c, -d.c)
		all.weight += weight
		all.own += float64(weight * d.q)
		if i%every == 0 {
			some.weight += weight
			some.own += float64(weight * d.q)
			coef[i] = float64(alone.a * d.c)
		}
	}
	if !(some.weight > 0) {
		return
	}
	l.addSome(coef, every)
	share := all.weight / some.weight
	pairs := float64(max(0, kernels.SquaredNorm(l.w)/float64(alone.a*alone.a)-some.own) * float64(share*share))
	common := dualRow{q: (all.own + pairs) / all.weight}
	common.solve(0, closely)
	if every > 1 && !(common.q >= float64(alikeMost*mean)) || !(l.apartFrom(common, alone.a, share, every) <= alikeGap) {
		clear(l.w)
		return
	}
	for i := range l.dual {
		if d := &l.dual[i]; d.q <= long {
			coef[i] = float64(common.a*d.c) - coef[i]
			d.a, d.u = common.a, common.u
		}
	}
	if every > 1 {
		l.x.AddTrans(l.w, coef)
	} else {
		direct.Scale(l.w, common.a/alone.a, l.w)
	}
}

// addSome adds one in so many rows to w.
func (l *proxLoop) addSome(coef []float64, every int) {
	if every == 1 {
		l.x.AddTrans(l.w, coef)
		return
	}
	var rows [alikeRows]uint32
	var c [alikeRows]float64
	for i := 0; i < len(coef); {
		count := 0
		for ; count < len(rows) && i < len(coef); i += every {
			rows[count], c[count] = uint32(i), coef[i]
			count++
		}
		l.steps.AddEach(rows[:count], c[:count])
	}
}

// apartFrom estimates the gap where all rows have the dual variable of a row, by the margins of
// some: w has one in so many rows, a share of all, at another a.
func (l *proxLoop) apartFrom(common dualRow, a, share float64, every int) float64 {
	var rows [alikeRows]uint32
	var z [alikeRows]float64
	for k := range rows {
		rows[k] = uint32(k*(len(l.dual)/every)/alikeRows*every + every/2)
	}
	l.x.MulRows(z[:], rows[:], l.w)
	gap := 0.0
	for k, i := range rows {
		d, m := &l.dual[i], float64(z[k]*share)/a
		if d.c < 0 {
			m = -m
		}
		if every > 1 {
			m += d.q // of the row itself
		}
		gap += common.divergence(float64(common.a * m))
	}
	return gap / alikeRows
}
