package ap

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
)

// estimates holds U, the running estimates of g_i for the positive rows.
type estimates struct {
	u1, u2 []float64
	// seen is the iteration of a row's last update, 0 for none.
	seen []uint32
	// decay[t] and power[t] are the product of 1-beta over the iterations up to t,
	// as a fraction and an exponent of 2: nil where rows not sampled stay as they are.
	decay   []float64
	power   []int32
	beta    func(t int) float64
	gain    float64 // of a new estimate: m/B where all rows decay
	project bool
	floor   bool // u2 is no less than C
	zero    bool // rows begin at 0, not at their first estimate
	// most1 and most2 are the upper bounds of Omega.
	most1, most2 float64
}

func newEstimates(rows, iterations int, beta func(t int) float64, all bool) *estimates {
	e := &estimates{u1: make([]float64, rows), u2: make([]float64, rows), seen: make([]uint32, rows), beta: beta, gain: 1}
	if all {
		e.decay, e.power = make([]float64, iterations+1), make([]int32, iterations+1)
		e.decay[0] = 1
		for t := 1; t <= iterations; t++ {
			fraction, exponent := math.Frexp(float64(e.decay[t-1] * (1 - beta(t))))
			e.decay[t], e.power[t] = fraction, e.power[t-1]+int32(exponent)
		}
	}
	return e
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
	beta := e.beta(t)
	switch {
	case last == 0 && !e.zero:
		u1, u2 = g1, g2
	default:
		if e.decay != nil && last < t-1 {
			product := math.Ldexp(e.decay[t-1]/e.decay[last], int(e.power[t-1]-e.power[last]))
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
	return u1, u2
}

func (e *estimates) state(c *engine.Coder, t int) {
	c.Floats(e.u1)
	c.Floats(e.u2)
	c.Uint32s(e.seen)
	if c.Restoring() {
		for i, s := range e.seen {
			if int64(s) > int64(t) {
				c.Fail(fmt.Errorf("the estimate of positive %d is ahead of the run", i))
				return
			}
		}
	}
}
