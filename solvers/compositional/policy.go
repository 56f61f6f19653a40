package compositional

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/checkpoint"
)

// Chain describes a generated Markov chain under a fixed policy, and the simulator
// that samples it. It is safe for concurrent use.
type Chain struct {
	// States is S, Samples m, Successors the number of states that can follow one; 0
	// means 100, 1000 and 4.
	States, Samples, Successors int
	// Discount is gamma, in [0, 1); 0 means 0.9.
	Discount float64
	Seed     uint64
}

// Policy is the evaluation of a policy by its Bellman residual: with the sampled
// transitions P_j and rewards r_j of the simulator, and their means P and r,
//
//	F(x) = (1/S) sum_s (1/2) ((I - Discount P) x - r)_s^2
//
// as a composition of f_s(y) = y_s^2/2 and g_j(x) = (I - Discount P_j) x - r_j. So n, k and d are
// the number S of states, and m is the number of samples. Each sample gives every state one
// successor and one reward: P_j has one entry a row. F is 0 at the values of the sampled chain.
//
// Where lengths or numbers of a sample do not fit, the methods of Composition and of
// Anchor make dst NaN, and SumOuter returns it. It is safe for concurrent use.
type Policy struct {
	states, samples int
	discount        float64
	next            []uint32  // m by S
	reward          []float64 // m by S
	ptr             []int     // the mean transitions, by rows
	follow          []uint32
	chance          []float64
	meanReward      []float64
}

// Generate draws a chain and its samples.
func (c Chain) Generate() (*Policy, error) {
	if c.States == 0 {
		c.States = 100
	}
	if c.Samples == 0 {
		c.Samples = 1000
	}
	if c.Successors == 0 {
		c.Successors = 4
	}
	if c.Discount == 0 {
		c.Discount = 0.9
	}
	switch {
	case c.States < 1 || c.Samples < 1 || c.Successors < 1 || c.Successors > c.States:
		return nil, fmt.Errorf("compositional: a chain of %d states with %d successors each, sampled %d times; there must be one of each at least, and no more successors than states",
			c.States, c.Successors, c.Samples)
	case float64(c.States)*float64(c.Samples) > 1<<26:
		return nil, fmt.Errorf("compositional: %d samples of %d states are too many", c.Samples, c.States)
	case !(c.Discount >= 0 && c.Discount < 1):
		return nil, fmt.Errorf("compositional: the discount is %v; it must be in [0, 1)", c.Discount)
	}
	random := random.New(c.Seed)
	p := &Policy{
		states: c.States, samples: c.Samples, discount: c.Discount,
		next: make([]uint32, c.States*c.Samples), reward: make([]float64, c.States*c.Samples),
		ptr: make([]int, 1, c.States+1), meanReward: make([]float64, c.States),
	}
	candidates := make([]uint32, c.States)
	for i := range candidates {
		candidates[i] = uint32(i)
	}
	count := make([]int, c.Successors)
	for s := range c.States {
		for k := range c.Successors { // the first places of a shuffle
			other := k + int(random.Below(uint64(c.States-k)))
			candidates[k], candidates[other] = candidates[other], candidates[k]
		}
		base := random.Float64()
		clear(count)
		for j := range c.Samples {
			// the smaller of two draws: successors that come first are likelier
			k := min(random.Below(uint64(c.Successors)), random.Below(uint64(c.Successors)))
			count[k]++
			p.next[j*c.States+s] = candidates[k]
			p.reward[j*c.States+s] = base + random.Float64() - 0.5
			p.meanReward[s] += p.reward[j*c.States+s] / float64(c.Samples)
		}
		for k, n := range count {
			if n > 0 {
				p.follow = append(p.follow, candidates[k])
				p.chance = append(p.chance, float64(n)/float64(c.Samples))
			}
		}
		p.ptr = append(p.ptr, len(p.follow))
	}
	return p, nil
}

// Shape returns S, m, S and S.
func (p *Policy) Shape() Shape {
	return Shape{Outer: p.states, Inner: p.samples, Between: p.states, Columns: p.states}
}

// AddInner adds scale ((I - Discount P_j) x - r_j) for every j of the sample.
func (p *Policy) AddInner(dst []float64, scale float64, sample []uint32, x []float64) {
	if !fits(dst, p.states, x, p.states, sample, p.samples) {
		return
	}
	if sample == nil {
		scale *= float64(p.samples)
		for s := range dst {
			v := x[s] - p.meanReward[s]
			for k := p.ptr[s]; k < p.ptr[s+1]; k++ {
				v = math.FMA(-float64(p.discount*p.chance[k]), x[p.follow[k]], v)
			}
			dst[s] = math.FMA(scale, v, dst[s])
		}
		return
	}
	for _, j := range sample {
		next, reward := p.next[int(j)*p.states:][:p.states], p.reward[int(j)*p.states:][:p.states]
		for s := range dst {
			dst[s] = math.FMA(scale, math.FMA(-p.discount, x[next[s]], x[s]-reward[s]), dst[s])
		}
	}
}

// AddJacobian adds scale (I - Discount P_j)'u for every j of the sample.
func (p *Policy) AddJacobian(dst []float64, scale float64, sample []uint32, _, u []float64) {
	if !fits(dst, p.states, u, p.states, sample, p.samples) {
		return
	}
	if sample == nil {
		p.AddAnchor(dst, float64(scale*float64(p.samples)), u)
		return
	}
	for _, j := range sample {
		next := p.next[int(j)*p.states:][:p.states]
		for s, v := range u {
			v = float64(scale * v)
			dst[s] += v
			dst[next[s]] = math.FMA(-p.discount, v, dst[next[s]])
		}
	}
}

// AddOuter adds scale y_s to element s for every s of the sample.
func (p *Policy) AddOuter(dst []float64, scale float64, sample []uint32, y []float64) {
	if !fits(dst, p.states, y, p.states, sample, p.states) {
		return
	}
	if sample == nil {
		for s, v := range y {
			dst[s] = math.FMA(scale, v, dst[s])
		}
		return
	}
	for _, s := range sample {
		dst[s] = math.FMA(scale, y[s], dst[s])
	}
}

// SumOuter returns the sum of y_s^2/2 over the sample.
func (p *Policy) SumOuter(sample []uint32, y []float64) float64 {
	if len(y) != p.states || !within(sample, p.states) {
		return math.NaN()
	}
	total := 0.0
	if sample == nil {
		for _, v := range y {
			total = math.FMA(v, v, total)
		}
	} else {
		for _, s := range sample {
			total = math.FMA(y[s], y[s], total)
		}
	}
	return total / 2
}

// SetAnchor has nothing to do: the average Jacobian is the same everywhere.
func (p *Policy) SetAnchor([]float64) {}

// AddAnchor adds scale (I - Discount P)'u.
func (p *Policy) AddAnchor(dst []float64, scale float64, u []float64) {
	if !fits(dst, p.states, u, p.states, nil, 0) {
		return
	}
	for s, v := range u {
		v = float64(scale * v)
		dst[s] += v
		for k := p.ptr[s]; k < p.ptr[s+1]; k++ {
			dst[p.follow[k]] = math.FMA(-float64(p.discount*p.chance[k]), v, dst[p.follow[k]])
		}
	}
}

// IsAffine returns true.
func (p *Policy) IsAffine() bool { return true }

// Values returns the values of the states, which make F zero. It iterates the Bellman equation of
// the sampled chain until every state meets it within tolerance. It may take
// log(1/tolerance)/(1-Discount) passes over the states.
func (p *Policy) Values(tolerance float64) []float64 {
	x, next := make([]float64, p.states), make([]float64, p.states)
	for range 1 << 20 {
		worst := 0.0
		for s := range next {
			v := p.meanReward[s]
			for k := p.ptr[s]; k < p.ptr[s+1]; k++ {
				v = math.FMA(float64(p.discount*p.chance[k]), x[p.follow[k]], v)
			}
			worst = max(worst, math.Abs(v-x[s]))
			next[s] = v
		}
		x, next = next, x
		if worst <= tolerance {
			break
		}
	}
	return x
}

// Identity covers every sampled transition and reward.
func (p *Policy) Identity() string {
	return fmt.Sprintf("policy in %d states, %d samples, discount %v, %s, %s", p.states, p.samples, p.discount, checkpoint.Checksum(p.next), checkpoint.Checksum(p.reward))
}
