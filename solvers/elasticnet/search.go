package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/truncated"
)

// search goes from the weights towards those of the model, as far as the objective falls by
// a share of what the slopes promise. It tells whether it fell by more than rounding hides. slope is the smooth part's gradient. What promises less
// than that is taken in full: whether it was worth it, the slopes tell.
func (l *loop) search(slope []float64) (fruitful bool) {
	s, mean := l.part, l.mean
	by := make([]float64, len(s.slope))
	size := len(by)
	var promise, norm, across, there float64 // of the steps and of the norms
	for a := range size {
		if a == s.k {
			by[a] = s.to[a] - l.w[l.d]
			promise += float64(by[a] * slope[a])
			continue
		}
		w := l.w[s.list[a]]
		by[a] = s.to[a] - w
		promise += float64(by[a] * slope[a])
		norm += math.Abs(s.to[a]) - math.Abs(w)
		across = math.FMA(w, by[a], across)
		there = math.FMA(by[a], by[a], there)
	}
	promise += float64(l.p.L1 * norm)
	if !(promise < 0) {
		l.hopeless()
		return false
	}
	hides := l.hides(promise)
	whole := s.dense && l.all() // margins of a full step are as a look at all columns takes them
	if whole {
		s.rows.MulVec(l.more, s.to)
	} else {
		s.product(l.step, by)
	}
	for t, attempt := 1.0, 0; attempt < truncated.Halvings; t, attempt = 0.5*t, attempt+1 {
		if whole && attempt == 1 {
			direct.ScaleAdd(l.step, 1, l.more, -1, l.z)
		}
		if !whole || attempt > 0 {
			direct.ScaleAdd(l.more, t, l.step, 1, l.z)
		}
		change := l.slopes(l.more) - mean
		change += l.ridge(float64(t * math.FMA(t, there, 2*across)))
		bends := 0.0 // of the L1 norm, which is less than in proportion to t
		for a := range s.k {
			w := l.w[s.list[a]]
			bends += math.Abs(math.FMA(t, by[a], w)) - math.Abs(w)
		}
		change += float64(l.p.L1 * bends)
		if !(change <= float64(truncated.Decrease*t*promise)+hides) {
			continue
		}
		l.stepped(t)
		for a := range size {
			j := l.d
			if a < s.k {
				j = int(s.list[a])
			}
			to := s.to[a]
			if t != 1 {
				to = math.FMA(t, by[a], l.w[j])
			}
			l.w[j] = to
		}
		l.z, l.more = l.more, l.z
		l.known = carried
		if whole && t == 1 {
			l.known = computed
		}
		return -change > hides
	}
	l.slopes(l.z)
	l.restrict()
	return false
}

// hides is the least difference of the objective that the rounding of the mean loss, of the
// margins that it is computed from and of the norms lets see.
func (l *loop) hides(promise float64) float64 {
	least := float64(hidden * (math.Abs(l.mean) + l.penalty(l.w)))
	n := float64(l.n)
	if most := float64(hidden * direct.Norm(l.coef) * direct.Norm(l.z) / n); most < float64(1e-3*truncated.Decrease)*-promise {
		return least
	}
	sum := 0.0
	for i, c := range l.coef {
		sum += math.Abs(c * l.z[i])
	}
	return least + float64(hidden*sum/n)
}
