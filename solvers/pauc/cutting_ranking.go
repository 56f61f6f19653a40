package pauc

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/order"
	"github.com/lanes-go/lanes/kernels"
)

// hardest finds the most violated ranking of the structural SVM for partial AUC
// (Narasimhan and Agarwal 2013, "SVMpAUC-tight", KDD).
//
// The range of false-positive rates is an interval [from, to], on which the negative of rank r (1
// is the first) is [r-1, r]. Its loss is c_r = |[r-1, r] in [from, to]| and its share is
// u_r = |[r-1, r] in [0, to]|. So a bound inside an interval counts the rank in part, as
// metrics.PartialAUC does. A ranking puts k_i negatives above positive i, in one order of
// negatives for every i, and is violated by
//
//	sum_i sum_(r <= k_i) c_r + u_r (g_r - h_i)
//
// with h the scores of positives and g_r the score of the negative at rank r. u does not
// increase, so the best order of the negatives is by score, whatever the k_i are. Let m be the
// last rank without a loss. The terms of positive i then change sign at most once up to rank m,
// and once behind m+1: the best k_i is the better of two.
//
// To let each pair decide by itself (g_r >= h_i up to m, g_r >= h_i - 1 behind) is the
// same where from is 0. Otherwise it may put a negative of rank m+1 above a positive
// and one of rank m below it: no ranking does so, and the surrogate is not convex.
type hardest struct {
	*task
	from, to float64
	scale    float64 // 1/(P (to-from)): the surrogate is at least 1 - normalised pAUC

	// The scores of the positives and of the first n negatives, with their rows and
	// their order.
	above, below         []float64
	belowRows            []uint32
	aboveOrder, topOrder order.Sorter
	all, scratch         []float64 // the scores of all negatives
	sorted, sums         []float64 // g and the sums of u_r g_r
	counts               []uint32  // of positives, by k
}

func newHardest(t *task) *hardest {
	from, to := float64(t.low*float64(len(t.negatives))), float64(t.high*float64(len(t.negatives)))
	h := &hardest{task: t, from: from, to: to, scale: 1 / float64(float64(len(t.positives))*(to-from))}
	h.above, h.below, h.belowRows = make([]float64, len(t.positives)), make([]float64, t.n), make([]uint32, t.n)
	h.all, h.scratch = make([]float64, len(t.negatives)), make([]float64, len(t.negatives))
	h.sorted, h.sums, h.counts = make([]float64, t.n), make([]float64, t.n+1), make([]uint32, t.n+1)
	return h
}

// pick writes the n negatives with the highest scores to below; of equal scores, the first rows.
func (h *hardest) pick(z []float64) error {
	for k, row := range h.negatives {
		h.all[k] = z[row]
	}
	least, above, _, err := kernels.RankThreshold(h.all, h.n, h.scratch)
	if err != nil {
		return err
	}
	n, equal := 0, h.n-above
	for k, s := range h.all {
		if s == least {
			if equal == 0 {
				continue
			}
			equal--
		} else if !(s > least) {
			continue
		}
		h.below[n], h.belowRows[n] = s, h.negatives[k]
		n++
	}
	return nil
}

// loss returns the sum of c_r up to rank k, and part the sum of u_r.
func (h *hardest) loss(k int) float64 { return max(0, min(float64(k), h.to)-h.from) }
func (h *hardest) part(k int) float64 { return min(float64(k), h.to) }

// plane writes to c, one a row, the coefficients of the scores in the surrogate at the
// scores z, and returns the constant: the surrogate is constant + c'z there, and at
// least that at any other scores. It costs O(n log n) and allocates nothing.
func (h *hardest) plane(c, z []float64) (constant float64, err error) {
	for i, row := range h.positives {
		h.above[i] = z[row]
	}
	if err := h.pick(z); err != nil {
		return 0, err
	}
	top := h.topOrder.Descending(h.below)
	for r, v := range top {
		u := h.part(r+1) - h.part(r)
		h.sorted[r] = h.below[v.Index]
		h.sums[r+1] = math.FMA(u, h.sorted[r], h.sums[r])
	}
	clear(c)
	clear(h.counts)
	lossless, lossy := 0, h.m+1
	for _, p := range h.aboveOrder.Descending(h.above) {
		score := h.above[p.Index]
		for lossless < h.m && h.sorted[lossless] >= score {
			lossless++
		}
		for lossy < h.n && h.sorted[lossy] >= score-1 {
			lossy++
		}
		k := lossless
		more := h.loss(lossy) + (h.sums[lossy] - h.sums[lossless]) - float64((h.part(lossy)-h.part(lossless))*score)
		if more > 0 {
			k = lossy
		}
		constant += h.loss(k)
		c[h.positives[p.Index]] = -float64(h.scale * h.part(k))
		h.counts[k]++
	}
	over := uint32(0)
	for r := h.n; r > 0; r-- {
		over += h.counts[r]
		c[h.belowRows[top[r-1].Index]] = float64(h.scale * float64((h.part(r)-h.part(r-1))*float64(over)))
	}
	return float64(h.scale * constant), nil
}
