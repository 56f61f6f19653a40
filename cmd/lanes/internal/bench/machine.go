package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unsafe"

	"github.com/lanes-go/lanes/asm/machine"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/base/memory"
)

// Machine is what was measured on. Times of two machines tell nothing about a change.
type Machine struct {
	Name   string `json:"name"`
	Vendor string `json:"vendor,omitempty"`
	Family int    `json:"family,omitempty"`
	Model  int    `json:"model,omitempty"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	L1     int    `json:"l1"` // bytes, for data
	L2     int    `json:"l2"`
	L3     int    `json:"l3"` // all of what cores share
}

// ThisMachine is the one that this program runs on.
func ThisMachine() Machine {
	r := dispatch.Report()
	m := Machine{Name: r.Name, Vendor: r.Vendor, Family: r.Family, Model: r.Model, OS: r.OS, Arch: r.Arch,
		L1: r.Cache.L1Data, L2: r.Cache.L2, L3: r.Cache.L3}
	told := toldCaches()
	for level, size := range []*int{&m.L1, &m.L2, &m.L3} {
		if *size == 0 {
			*size = told[level+1]
		}
	}
	// Where nobody tells: the usual sizes, and no third level.
	if m.L1 == 0 {
		m.L1 = 32 << 10
	}
	if m.L2 == 0 {
		m.L2 = 512 << 10
	}
	if m.Name == "" {
		m.Name = "a CPU that does not tell its name"
	}
	return m
}

// title is the name of the CPU. Virtual machines often name a whole family only: then title
// adds the numbers of family and model.
func (m Machine) title() string {
	if m.Family == 0 || strings.ContainsAny(m.Name, "0123456789") {
		return m.Name
	}
	return fmt.Sprintf("%s (family %d, model %d)", m.Name, m.Family, m.Model)
}

// last is the size of the last cache.
func (m Machine) last() int { return max(m.L1, m.L2, m.L3) }

// placeNames are the places of operands, from near to far.
var placeNames = []string{"L1", "L2", "L3", "memory"}

// level names where bytes fit that are gone through again and again.
func (m Machine) level(bytes float64) string {
	switch {
	case bytes <= float64(m.L1):
		return "L1"
	case bytes <= float64(m.L2):
		return "L2"
	case bytes <= float64(m.L3):
		return "L3"
	}
	return "memory"
}

// beyond returns a size in bytes, a power of two, much larger than the last cache. It is smaller
// if the memory cannot hold the given number of copies.
func (m Machine) beyond(copies int) int {
	size := 64 << 20
	for size < 4*m.last() {
		size *= 2
	}
	if available, known := memory.Available(); known {
		for size > 1<<20 && int64(copies)*int64(size) > available/2 {
			size /= 2
		}
	}
	return size
}

// Limits are what the machine gives the instructions of one CPU path: nothing that is
// written in them can be faster. Rates over a size belong to the Sizes of the report.
type Limits struct {
	Path string `json:"path"`

	// Bytes a second of streams that fill a size together. Copy counts bytes read and bytes
	// written. Update counts bytes read and written at their place. Accumulate, which adds a
	// stream to another, counts the bytes read of both and the bytes written.
	Read       []float64 `json:"read"`
	Write      []float64 `json:"write"`
	Copy       []float64 `json:"copy"`
	Update     []float64 `json:"update"`
	Accumulate []float64 `json:"accumulate"`
	// Scattered elements of 8 bytes a second, loaded or added to, in a vector of a size.
	Gather  []float64 `json:"gather"`
	Scatter []float64 `json:"scatter"`

	MultiplyAdds float64 `json:"multiply_adds"` // of float64, a second
	Divisions    float64 `json:"divisions"`
	Roots        float64 `json:"roots"`
	// Loads is how many loads of a whole vector the first cache serves, a second.
	Loads float64 `json:"vector_loads"`
	// Call is the time of a call that does nothing, in nanoseconds.
	Call float64 `json:"call_ns"`
}

// rates returns the rates that depend on the size of the operands.
func (l *Limits) rates() []*[]float64 {
	return []*[]float64{&l.Read, &l.Write, &l.Copy, &l.Update, &l.Accumulate, &l.Gather, &l.Scatter}
}

// Latencies holds the times of dependent operations, in nanoseconds. Operations on vectors
// and on single numbers have the same latency.
type Latencies struct {
	Add         float64 `json:"add_ns"`
	MultiplyAdd float64 `json:"multiply_add_ns"`
	// Load is the latency of dependent loads, by the size that they read from.
	Load []float64 `json:"load_ns"`
}

// measuredSizes are the sizes of streams in bytes: powers of two, up to beyond the last cache.
func measuredSizes(most int) (sizes []int) {
	for size := 4 << 10; size <= most; size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// aligned returns n elements that begin where a line of the cache does.
func aligned(n int) []float64 {
	x := make([]float64, n+8)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(x))) % 64 / 8)
	return x[skip:][:n:n]
}

// rowOfIndices is how many indices increase before they begin anew.
const rowOfIndices = 64

// A prober measures the limits.
type prober struct {
	sampler *sampler
	samples int
	sizes   []int
	a, b    []float64
	idx     []uint32
	pass    int
	step    func() error // called between two measurements
}

// scatteredSizes are every other of the sizes, as random indices for each take long.
func (p *prober) scattered(k int) bool { return k%2 == 0 || k == len(p.sizes)-1 }

func newProber(s *sampler, sizes []int, samples int) *prober {
	most := sizes[len(sizes)-1]
	p := &prober{sampler: s, samples: samples, sizes: sizes}
	p.a, p.b = aligned(most/8), aligned(most/16)
	for i := range p.a {
		p.a[i] = 1
	}
	clear(p.b)
	p.idx = make([]uint32, max(1<<14, min(most/32, 1<<21)))
	return p
}

// path measures the limits of a path, into what is known of them: the best counts.
func (p *prober) path(k *machine.Kernels, l *Limits) error {
	for _, rates := range l.rates() {
		if *rates == nil {
			*rates = make([]float64, len(p.sizes))
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for s, size := range p.sizes {
		n := size / 8
		// Which pages of the memory x has is worth something in the caches between: every
		// pass takes others.
		x := p.a[p.pass%4*len(p.a)/4:]
		if len(x) < n {
			x = p.a
		}
		x = x[:n]
		half, other := x[:n/2], p.b[:n/2]
		best := func(rate *float64, amount float64, repeat func(n int)) {
			*rate = max(*rate, amount/p.sampler.fastest(repeat, p.samples)*1e9)
		}
		best(&l.Read[s], float64(size), func(n int) {
			for range n {
				sinkBits ^= k.Read(x)
			}
		})
		best(&l.Read[s], float64(size), func(n int) {
			for range n {
				sinkBits ^= k.ReadTwo(half, other)
			}
		})
		for _, write := range []func([]float64, float64){k.Write, k.WriteAround} {
			best(&l.Write[s], float64(size), func(n int) {
				for range n {
					write(x, 1)
				}
			})
		}
		for _, c := range []func(dst, x []float64){k.Copy, k.CopyAround} {
			best(&l.Copy[s], float64(size), func(n int) {
				for range n {
					c(other, half)
				}
			})
		}
		best(&l.Update[s], 2*float64(size), func(n int) {
			for range n {
				k.Update(x, 1)
			}
		})
		best(&l.Accumulate[s], 1.5*float64(size), func(n int) {
			for range n {
				k.Accumulate(half, other)
			}
		})
		if p.scattered(s) {
			// Enough indices to touch most of what there is.
			idx := p.idx[:min(len(p.idx), max(1<<14, size/32))]
			for e := range idx { // as in rows, where they increase
				part := uint32(n / rowOfIndices)
				idx[e] = uint32(e%rowOfIndices)*part + random.Uint32N(part)
			}
			for _, gather := range []func([]uint32, []float64) float64{k.Gather, k.GatherAtOnce} {
				best(&l.Gather[s], float64(len(idx)), func(n int) {
					for range n {
						sink = gather(idx, x)
					}
				})
			}
			best(&l.Scatter[s], float64(len(idx)), func(n int) {
				for range n {
					k.Scatter(x, idx, 0)
				}
			})
		}
		if err := p.step(); err != nil {
			return err
		}
	}
	for _, rates := range l.rates() {
		envelope(*rates)
	}
	l.Loads = l.Read[0] / float64(8*k.Lanes)
	p.arithmetic(k, l)
	return nil
}

// envelope makes rates what the machine gives at most. A size that was left out has the
// rate of the one before, which is smaller; and what fits in a size fits in all greater
// ones, so that no rate falls towards small sizes.
func envelope(rates []float64) {
	for s := 1; s < len(rates); s++ {
		if rates[s] == 0 {
			rates[s] = rates[s-1]
		}
	}
	for s := len(rates) - 2; s >= 0; s-- {
		rates[s] = max(rates[s], rates[s+1])
	}
}

func (p *prober) arithmetic(k *machine.Kernels, l *Limits) {
	count := k.MultiplyAdd(1)
	each := float64(machine.Operands * k.Lanes)
	for _, m := range []struct {
		rate   *float64
		amount float64
		run    func(n int) float64
	}{{&l.MultiplyAdds, count, k.MultiplyAdd}, {&l.Divisions, each, k.Divide}, {&l.Roots, each, k.SquareRoot}} {
		t := p.sampler.fastest(func(n int) { sink = m.run(n) }, p.samples)
		*m.rate = max(*m.rate, m.amount/t*1e9)
	}
	x := p.a[:8]
	call := p.sampler.fastest(func(n int) {
		for range n {
			sink = k.Nothing(x, x)
		}
	}, p.samples)
	if l.Call == 0 || call < l.Call {
		l.Call = call
	}
}

// latencies measures what depends on no path.
func (p *prober) latencies() (l Latencies) {
	least := func(t *float64, repeat func(n int)) { *t = p.sampler.fastest(repeat, p.samples) }
	least(&l.Add, func(n int) { sink = additions(n, 1) })
	least(&l.MultiplyAdd, func(n int) { sink = multiplyAdds(n, 1) })
	l.Load = make([]float64, len(p.sizes))
	links := make([]uint64, p.sizes[len(p.sizes)-1]/8)
	for s, size := range p.sizes {
		chain := circle(links[:size/8])
		next := uint64(0)
		least(&l.Load[s], func(n int) {
			for range n {
				next = chain[next]
			}
		})
		sinkBits ^= next
	}
	return l
}

// additions and multiplyAdds do n of them, each of which needs the one before.
func additions(n int, v float64) float64 {
	sum := 0.0
	for range n {
		sum += v
	}
	return sum
}

func multiplyAdds(n int, v float64) float64 {
	sum := 0.0
	for range n {
		sum = math.FMA(v, v, sum)
	}
	return sum
}

// circle links the lines of the cache in x in one circle of random order: the first
// element of each holds the place of the next one.
func circle(x []uint64) []uint64 {
	const line = 8
	random := rand.New(rand.NewPCG(3, 4))
	lines := len(x) / line
	for k := range lines {
		x[k*line] = uint64(k * line)
	}
	// Sattolo's shuffle makes one circle of all.
	for k := lines - 1; k > 0; k-- {
		j := random.IntN(k)
		x[k*line], x[j*line] = x[j*line], x[k*line]
	}
	return x
}

// at is the index of the greatest size that is not above bytes: what the machine gives
// there, it gives bytes at most.
func at(sizes []int, bytes float64) int {
	k, found := slices.BinarySearchFunc(sizes, bytes, func(size int, bytes float64) int {
		switch {
		case float64(size) < bytes:
			return -1
		case float64(size) > bytes:
			return 1
		}
		return 0
	})
	if !found {
		k--
	}
	return max(0, k)
}

// rateAt returns the rate of streams of the given bytes. Between two measured sizes it
// interpolates log(rate) linearly in log(bytes).
func rateAt(sizes []int, rates []float64, bytes float64) float64 {
	k := at(sizes, bytes)
	if k == len(sizes)-1 || bytes <= float64(sizes[k]) {
		return rates[k]
	}
	low, high := float64(sizes[k]), float64(sizes[k+1])
	return rates[k] * math.Pow(rates[k+1]/rates[k], math.Log(bytes/low)/math.Log(high/low))
}
