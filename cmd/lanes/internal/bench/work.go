package bench

import "math"

// work is what a kernel has to do for an element: of a vector, a non-zero, a pair, as
// its family counts. Operations are counted in the portable twin, which is the definition
// of the result: sums, products, comparisons and roundings 1, a fused multiply-add 2.
type work struct {
	// Streams of float64 that are gone through in order: read only, written only, and
	// read and written at their place. A stream of smaller elements is a part of one.
	reads, writes, updates float64
	operations             float64
	divisions, roots       float64
	// sums is the number of independent partial sums of a result, 0 for kernels without a
	// sum: element k waits for element k-sums. fused: it waits for a multiply-add.
	sums  int
	fused bool
	// Elements of 8 bytes that an index names, loaded or added to; kernels on rows.
	loads, stores float64
	// positive asks for operands above 0.
	positive bool
	// longest is the length up to which the kernel is there for, 0 for any.
	longest int
}

// demand is what one call asks of the machine.
type demand struct {
	elements float64 // that it works on

	read, write, update float64 // bytes of streams
	streamed            float64 // bytes that the streams lie in
	loads, stores       float64 // scattered elements
	scattered           float64 // bytes that these lie in

	operations, divisions, roots float64
	// additions and multiplyAdds, each of which needs the one before
	additions, multiplyAdds float64
}

// bytes is what the streams and the scattered elements move.
func (d *demand) bytes() float64 {
	return d.read + d.write + 2*d.update + 8*d.loads + 16*d.stores
}

// vectorDemand returns the work of a kernel on vectors of n elements.
func vectorDemand(w work, n float64) demand {
	d := demand{
		elements: n,
		read:     8 * n * w.reads, write: 8 * n * w.writes, update: 8 * n * w.updates,
		operations: n * w.operations, divisions: n * w.divisions, roots: n * w.roots,
	}
	d.streamed = d.read + d.write + d.update
	if w.sums > 0 {
		d.additions = math.Log2(math.Min(n, float64(w.sums)))
		if steps := math.Ceil(n / float64(w.sums)); w.fused {
			d.multiplyAdds = steps
		} else {
			d.additions += steps
		}
	}
	return d
}

// nothing tells whether a call has no result: there is no limit to compare it with.
func (d *demand) nothing() bool { return d.bytes() == 0 && d.operations == 0 }

// A bound is the least time that the machine needs for what a call asks, and what
// of the machine takes that time.
type bound struct {
	limit string
	ns    float64
}

// The limits by name. The limit of streams has the name of the place of the operands: L1, memory.
const (
	limitCall       = "call"
	limitLatency    = "latency"
	limitArithmetic = "arithmetic"
	limitDivision   = "division"
	limitGather     = "loads"
	limitScatter    = "updates"
	limitNone       = "none"
)

// overlapped are the cycles of a call in which a core is at work on the next one already,
// at most: it has some 500 instructions underway and finishes about four in a cycle.
const overlapped = 128

// bound of a call on the path of l. best are the limits of the best path in everything.
func (r *Report) bound(d *demand, l, best *Limits) bound {
	least := bound{limitCall, l.Call}
	if d.nothing() {
		return bound{limitNone, 0}
	}
	consider := func(limit string, ns float64) {
		if ns > least.ns {
			least = bound{limit, ns}
		}
	}
	part := func(amount, rate float64) float64 {
		if amount == 0 {
			return 0
		}
		return amount / rate * 1e9
	}
	of := func(amount float64, rates []float64) float64 { return part(amount, rateAt(r.Sizes, rates, d.streamed)) }
	if chain := d.additions*r.Latencies.Add + d.multiplyAdds*r.Latencies.MultiplyAdd; r.Noise.Fastest > 0 {
		consider(limitLatency, chain-overlapped/r.Noise.Fastest)
	}
	consider(limitArithmetic, part(d.operations, 2*l.MultiplyAdds))
	consider(limitDivision, part(d.divisions, l.Divisions)+part(d.roots, l.Roots))

	// The path's loads and stores go on side by side.
	level := r.Machine.level(d.streamed)
	copied := min(d.read, d.write)
	added := min(d.read-copied, d.update)
	consider(level, max(of(d.read, l.Read), of(d.write, l.Write), of(2*d.update, l.Update), of(2*copied, l.Copy), of(3*added, l.Accumulate)))
	if level != "L1" {
		// What comes from farther away comes one after the other, whatever the path.
		consider(level, of(2*copied, best.Copy)+of(3*added, best.Accumulate)+of(d.read-copied-added, best.Read)+
			of(d.write-copied, best.Write)+of(2*(d.update-added), best.Update))
	}
	k := at(r.Sizes, d.scattered)
	consider(limitGather, part(d.loads, l.Gather[k]))
	consider(limitScatter, part(d.stores, l.Scatter[k]))
	return least
}

// best are the limits of whatever path is best in each.
func best(paths []Limits) *Limits {
	b := Limits{Path: "best", Call: math.Inf(1)}
	for k := range paths {
		b.Call = min(b.Call, paths[k].Call)
		of := paths[k].rates()
		for i, rates := range b.rates() {
			if *rates == nil {
				*rates = make([]float64, len(*of[i]))
			}
			for s, v := range *of[i] {
				(*rates)[s] = max((*rates)[s], v)
			}
		}
	}
	return &b
}
