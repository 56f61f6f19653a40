// Package sampling draws numbers 0 to n-1 with given probabilities: one at a time
// from a fixed distribution (Alias) or from a changing one (Tree), or several different
// numbers at once with given marginals (Batch).
//
// The draws depend on the weights and the generator only: the same bits on every CPU. Numbers of
// equations and algorithms in comments refer to "Dual Free Adaptive Minibatch SDCA for Empirical
// Risk Minimization" (He, Tappenden and Takac), section 6.
package sampling

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
)

// Random is a generator of random numbers for Draw. A nil *Random has seed 0 in every call. It
// serves one goroutine.
type Random random.Source

// NewRandom returns a generator that gives the same numbers for a seed on every machine.
func NewRandom(seed uint64) *Random { return (*Random)(random.New(seed)) }

// source returns the generator, of seed 0 where r is nil.
func (r *Random) source() *random.Source {
	if r == nil {
		return random.New(0)
	}
	return (*random.Source)(r)
}

// Alias draws from a fixed distribution in constant time (Walker 1974; Kronmal and
// Peterson 1979). It takes 16 bytes a number. It is safe for concurrent use by goroutines with
// a Random each.
type Alias struct {
	slots []slot
}

// slot i is kept with probability share, and is other than i otherwise.
type slot struct {
	share float64
	other uint32
}

// NewAlias returns a sampler that draws i with probability weights[i]/sum, in
// O(n). The weights must be finite and not negative, and not all 0; their sum must
// be finite.
func NewAlias(weights []float64) (*Alias, error) {
	total, err := checkWeights(weights)
	if err != nil {
		return nil, err
	}
	n := len(weights)
	a := &Alias{slots: make([]slot, n)}
	// poor numbers have less than a slot's share, rich ones at least that.
	var poor, rich []uint32
	scale := float64(n) / total
	for i, w := range weights {
		a.slots[i] = slot{w * scale, uint32(i)}
		if a.slots[i].share < 1 {
			poor = append(poor, uint32(i))
		} else {
			rich = append(rich, uint32(i))
		}
	}
	for len(poor) > 0 && len(rich) > 0 {
		p, r := poor[len(poor)-1], rich[len(rich)-1]
		poor = poor[:len(poor)-1]
		a.slots[p].other = r
		if a.slots[r].share -= 1 - a.slots[p].share; a.slots[r].share < 1 {
			rich, poor = rich[:len(rich)-1], append(poor, r)
		}
	}
	a.settle(append(poor, rich...), weights)
	return a, nil
}

// settle gives the slots that are left a share of 1, which they have but for rounding.
// A number of weight 0 must not gain from that: over some 10^8 numbers, rounding can
// leave one over.
func (a *Alias) settle(left []uint32, weights []float64) {
	heaviest := 0
	for i, w := range weights {
		if w > weights[heaviest] {
			heaviest = i
		}
	}
	for _, i := range left {
		if weights[i] > 0 {
			a.slots[i].share = 1
		} else {
			a.slots[i] = slot{0, uint32(heaviest)}
		}
	}
}

// Draw returns a number.
func (a *Alias) Draw(r *Random) uint32 {
	random := r.source()
	i := random.Below(uint64(len(a.slots)))
	if random.Float64() < a.slots[i].share {
		return uint32(i)
	}
	return a.slots[i].other
}

// probabilities returns the exact chance of every number, up to rounding.
func (a *Alias) probabilities() []float64 {
	p := make([]float64, len(a.slots))
	for i, s := range a.slots {
		p[i] += s.share
		p[s.other] += 1 - s.share
	}
	for i := range p {
		p[i] /= float64(len(p))
	}
	return p
}

func checkWeights(weights []float64) (total float64, err error) {
	if len(weights) == 0 || int64(len(weights)) > math.MaxUint32 {
		return 0, fmt.Errorf("sampling: %d weights", len(weights))
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return 0, fmt.Errorf("sampling: weight %d is %v; it must be finite and not negative", i, w)
		}
		total += w
	}
	if total == 0 || math.IsInf(total, 0) || math.IsInf(float64(len(weights))/total, 0) {
		return 0, errors.New("sampling: the sum of the weights is 0 or not finite")
	}
	return total, nil
}
