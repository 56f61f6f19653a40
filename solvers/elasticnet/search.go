package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/truncated"
	"github.com/lanes-go/lanes/kernels"
)

// search goes from the weights towards the model's weights, until the objective falls by a share
// of what the slopes promise. It returns the share of the way, and whether the objective fell by
// more than rounding hides. slope is the smooth part's gradient. If the promise is below
// rounding, the step is taken in full, and the next slopes tell what it was worth. Exact margins
// are computed from the weights; other margins are a sum of steps.
func (l *loop) search(slope []float64, exact bool) (t float64, fruitful bool) {
	s, mean := l.part, l.mean
	size := len(s.slope)
	from, by := make([]float64, size), make([]float64, size)
	weight := func(a int) *float64 {
		if a < s.k {
			return &l.w[s.list[a]]
		}
		return &l.w[l.d]
	}
	promise := 0.0
	for a := range size {
		from[a] = *weight(a)
		by[a] = s.to[a] - from[a]
		promise += float64(by[a] * slope[a])
		if a < s.k && l.single != nil {
			promise += l.single.Rise(int(s.list[a]), from[a], s.to[a])
		}
	}
	promise += l.riseGroups(s, from, s.to)
	if !(promise < 0) {
		l.hopeless()
		return 0, false
	}
	hides := l.hides(promise)
	if !exact {
		s.product(l.step, by)
	}
	t = 1
	sloped := false // l.g is X'coef
	for range truncated.Halvings {
		var rise, square float64 // of the penalty, by less than in proportion to t; of the squared norm
		for a := range size {
			v := s.to[a]
			if t != 1 {
				v = math.FMA(t, by[a], from[a])
			}
			if *weight(a) = v; a < s.k {
				if l.single != nil {
					rise += l.single.Rise(int(s.list[a]), from[a], v)
				}
				square += l.share(s, a, float64((v-from[a])*(v+from[a])))
			}
		}
		if l.grouped != nil {
			rise = l.riseGroups(s, from, l.gathered(s))
		}
		if l.z, l.more = l.more, l.z; exact {
			l.base, l.step = l.step, l.base
			if sloped = t == 1 && l.exact && l.passes(); sloped {
				l.pass(l.w)
			} else {
				l.margins(l.base, l.w)
				l.shift(l.w)
			}
		} else {
			direct.ScaleAdd(l.z, t, l.step, 1, l.more)
		}
		change := l.slopes(l.z) - mean + l.ridge(square) + rise
		if change <= float64(truncated.Decrease*t*promise)+hides {
			l.stepped(t)
			if l.known = cached; exact {
				l.known, l.passed = computed, sloped
			}
			return t, -change > hides
		}
		if l.z, l.more = l.more, l.z; exact {
			l.base, l.step = l.step, l.base
		}
		t *= 0.5
	}
	for a := range size {
		*weight(a) = from[a]
	}
	l.slopes(l.z)
	l.restrict()
	return 0, false
}

// hides returns the least difference of the objective that is above rounding: of the mean loss,
// of its margins, and of the norms. The parts of a steep loss may be larger than the loss.
func (l *loop) hides(promise float64) float64 {
	least := float64(hidden * (math.Abs(l.mean) + l.penalty(l.w)))
	if l.steep {
		least += float64(hidden * l.bounds.Noise(kernels.MaxAbs(l.z)))
	}
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
