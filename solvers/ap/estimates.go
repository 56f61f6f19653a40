package ap

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
)

// estimates holds U, the running estimates of g_i for the positive rows.
type estimates struct {
	u1, u2 []float64
	// seen is the iteration of a row's last update, 0 before the first.
	seen []uint32
	// now is the decay after iteration at, before the decay one iteration earlier, and last
	// holds the decay of each row's last update: nil where rows not sampled stay as they are.
	now, before decay
	at          int
	last        []decay
	beta        func(t int) float64
	gain        float64 // of a new estimate: m/B where all rows decay
	project     bool
	floor       bool // u2 is no less than C
	zero        bool // rows begin at 0, not at their first estimate
	// most1 and most2 are the upper bounds of Omega.
	most1, most2 float64
}

// decay is the product of 1-beta over all iterations up to one, as a fraction and an
// exponent of 2.
type decay struct {
	fraction float64
	power    int
}

func (d *decay) state(c *checkpoint.Coder) {
	c.Float64(&d.fraction)
	c.Int(&d.power)
}

func newEstimates(rows int, beta func(t int) float64, all bool) *estimates {
	e := &estimates{u1: make([]float64, rows), u2: make([]float64, rows), seen: make([]uint32, rows), beta: beta, gain: 1, now: decay{fraction: 1}}
	if all {
		e.last = slices.Repeat([]decay{e.now}, rows)
	}
	return e
}

// advance brings the decay up to iteration t.
func (e *estimates) advance(t int) {
	for ; e.at < t; e.at++ {
		e.before = e.now
		fraction, exponent := math.Frexp(float64(e.now.fraction * (1 - e.beta(e.at+1))))
		e.now = decay{fraction, e.now.power + exponent}
	}
}

// update mixes the estimate (g1, g2) of iteration t into row i. least is the lower
// bound of u2.
//
// The iterations in which the row was not sampled only shrank it, so that the lower
// bound, once reached, held to the end: clipping their product once is exact, and
// the upper bounds cannot bind.
func (e *estimates) update(i uint32, t int, g1, g2, least float64) (u1, u2 float64) {
	u1, u2 = e.u1[i], e.u2[i]
	last := int(e.seen[i])
	if e.last != nil {
		e.advance(t)
	}
	beta := e.beta(t)
	switch {
	case last == 0 && !e.zero:
		u1, u2 = g1, g2
	default:
		if e.last != nil && last < t-1 {
			product := math.Ldexp(e.before.fraction/e.last[i].fraction, e.before.power-e.last[i].power)
			u1 = float64(u1 * product)
			u2 = max(float64(u2*product), least)
		}
		share := float64(beta * e.gain)
		u1 = math.FMA(1-beta, u1, float64(share*g1))
		u2 = math.FMA(1-beta, u2, float64(share*g2))
	}
	if e.project {
		u1 = min(u1, e.most1)
		u2 = min(u2, e.most2)
	}
	if e.floor {
		u2 = max(u2, least)
	}
	e.u1[i], e.u2[i], e.seen[i] = u1, u2, uint32(t)
	if e.last != nil {
		e.last[i] = e.now
	}
	return u1, u2
}

func (e *estimates) state(c *checkpoint.Coder, t int) {
	c.Floats(e.u1)
	c.Floats(e.u2)
	c.Uint32s(e.seen)
	if e.last != nil {
		e.now.state(c)
		for i := range e.last {
			e.last[i].state(c)
		}
		e.at = t
	}
	if c.Restoring() {
		for i, s := range e.seen {
			if int64(s) > int64(t) {
				c.Fail(fmt.Errorf("the estimate of positive %d is ahead of the run", i))
				return
			}
		}
	}
}
