package certificatetest

import (
	"slices"
	"sync"
	"testing"
)

// On returns a term of a formula, or 0 where the term is left out.
type On func(name string, term Real) Real

// Pins compares computed bounds with formulas, and remembers which terms of the formulas
// counted: a term that never counts is one that no comparison would miss.
type Pins struct {
	// Slack is the share that a bound may be above its formula; 0 means 3 in 100. Grain is what
	// it may be above it beside that, where numbers are near the least of float64.
	Slack float64
	Grain Real
	// Floor is the share that a bound may be below its formula, if the bound contains actual
	// errors instead of bounds of them.
	Floor float64

	mu      sync.Mutex
	counted map[string]float64 // the largest share of every term
}

// least is the share that a term must have once of its formula: half of it is more than the
// slack then.
const least = 0.05

// Check compares a bound with its formula, from below and from above.
func (p *Pins) Check(t testing.TB, what string, bound float64, formula func(on On) Real) {
	t.Helper()
	var names []string
	full := formula(func(name string, term Real) Real {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		return term
	})
	slack := p.Slack
	if slack == 0 {
		slack = 0.03
	}
	grain := Tiny.Scale(4).Float()
	if p.Grain.v != nil {
		grain = p.Grain.Float()
	}
	if want := full.Float(); !(bound >= want*(1-1e-12-p.Floor)) || !(bound <= float64(want*(1+slack))+grain) {
		t.Errorf("%s: the bound is %v, by its formula %v", what, bound, want)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counted == nil {
		p.counted = map[string]float64{}
	}
	for _, name := range names {
		without := formula(func(term string, value Real) Real {
			if term == name {
				return R(0)
			}
			return value
		})
		share := 0.0
		if full.Cmp(R(0)) > 0 {
			share = R(1).Minus(without.Over(full)).Float()
		}
		p.counted[name] = max(p.counted[name], share)
	}
}

// Done says which terms never counted.
func (p *Pins) Done(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, share := range p.counted {
		if share < least {
			t.Errorf("the term %q is %.2g of its bound at most: nothing shows that it is right", name, share)
		}
	}
}

// Counted tells whether a term did.
func (p *Pins) Counted(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.counted[name] >= least
}
