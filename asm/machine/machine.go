// Package machine holds kernels that each do one thing as fast as a CPU path can: read,
// write, copy, multiply and add, divide, take a root, load what an index names. Their
// results are worth nothing; what their times say is what the machine gives, and no
// kernel that does the same thing can be faster. The command lanes bench compares all
// other kernels with them.
//
// As everywhere below asm nothing is checked. Slices are as long as the comments say,
// have a multiple of Block elements, and at least Block.
package machine

import "math"

// Block is what the lengths of all slices are multiples of, in elements of 8 bytes.
const Block = 64

// Operands is how many independent quotients or roots a round of Divide and SquareRoot
// computes with each lane of a vector.
const Operands = 8

// Kernels are the kernels of one CPU path. No entry is nil.
type Kernels struct {
	// Path names the CPU path: generic, avx2, avx512 or neon.
	Path string
	// Lanes is how many float64 an instruction works on.
	Lanes int

	// Read returns the exclusive or of the bits of all elements. ReadTwo goes through two
	// slices of one length side by side, which some machines fetch faster.
	Read    func(x []float64) uint64
	ReadTwo func(x, y []float64) uint64
	// Write: x[i] = v. WriteAround does it past the caches where the path can.
	Write, WriteAround func(x []float64, v float64)
	// Copy: dst[i] = x[i]. CopyAround writes past the caches where the path can.
	// The slices have one length and do not overlap.
	Copy, CopyAround func(dst, x []float64)
	// Update: x[i] = a*x[i].
	Update func(x []float64, a float64)
	// Accumulate: y[i] = y[i] + x[i]. The slices have one length and do not overlap.
	Accumulate func(y, x []float64)

	// Gather returns the sum of w[idx[e]], in whatever order. GatherAtOnce does it by the
	// instruction that loads several scattered elements, where the path has one. The
	// number of indices is a multiple of Block, and each is below 2^31 and len(w).
	Gather, GatherAtOnce func(idx []uint32, w []float64) float64
	// Scatter: w[idx[e]] += c, in order. The indices are as for Gather.
	Scatter func(w []float64, idx []uint32, c float64)

	// MultiplyAdd does n rounds of independent multiply-adds and returns how many it
	// did, which is how it counts them.
	MultiplyAdd func(n int) float64
	// Divide takes Operands vectors of v and does v = 2/v n times to each. It returns
	// the sum of all lanes. v begins as 1.5.
	Divide func(n int) float64
	// SquareRoot does the same with v = sqrt(1.7*v), and v begins as 1.
	SquareRoot func(n int) float64

	// Nothing returns 0, to measure the cost of a call.
	Nothing func(x, y []float64) float64
}

// Generic holds the portable kernels: what Go's compiler makes of plain loops.
var Generic = Kernels{
	Path:         "generic",
	Lanes:        1,
	Read:         read,
	ReadTwo:      readTwo,
	Write:        write,
	WriteAround:  write,
	Copy:         copyElements,
	CopyAround:   copyElements,
	Update:       update,
	Accumulate:   accumulate,
	Gather:       gather,
	GatherAtOnce: gather,
	Scatter:      scatter,
	MultiplyAdd:  multiplyAdd,
	Divide:       divide,
	SquareRoot:   squareRoot,
	Nothing:      nothing,
}

func read(x []float64) uint64 {
	var a, b, c, d uint64
	for len(x) >= 8 {
		y := (*[8]float64)(x)
		a ^= math.Float64bits(y[0]) ^ math.Float64bits(y[4])
		b ^= math.Float64bits(y[1]) ^ math.Float64bits(y[5])
		c ^= math.Float64bits(y[2]) ^ math.Float64bits(y[6])
		d ^= math.Float64bits(y[3]) ^ math.Float64bits(y[7])
		x = x[8:]
	}
	return a ^ b ^ c ^ d
}

func readTwo(x, y []float64) uint64 {
	var a, b, c, d uint64
	for len(x) >= 4 && len(y) >= 4 {
		v, w := (*[4]float64)(x), (*[4]float64)(y)
		a ^= math.Float64bits(v[0]) ^ math.Float64bits(w[0])
		b ^= math.Float64bits(v[1]) ^ math.Float64bits(w[1])
		c ^= math.Float64bits(v[2]) ^ math.Float64bits(w[2])
		d ^= math.Float64bits(v[3]) ^ math.Float64bits(w[3])
		x, y = x[4:], y[4:]
	}
	return a ^ b ^ c ^ d
}

func write(x []float64, v float64) {
	for len(x) >= 8 {
		y := (*[8]float64)(x)
		y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7] = v, v, v, v, v, v, v, v
		x = x[8:]
	}
}

func copyElements(dst, x []float64) {
	for len(x) >= 4 && len(dst) >= 4 {
		a, b := (*[4]float64)(dst), (*[4]float64)(x)
		a[0], a[1], a[2], a[3] = b[0], b[1], b[2], b[3]
		dst, x = dst[4:], x[4:]
	}
}

func update(x []float64, a float64) {
	for len(x) >= 4 {
		y := (*[4]float64)(x)
		y[0], y[1], y[2], y[3] = a*y[0], a*y[1], a*y[2], a*y[3]
		x = x[4:]
	}
}

func accumulate(y, x []float64) {
	for len(x) >= 4 && len(y) >= 4 {
		a, b := (*[4]float64)(y), (*[4]float64)(x)
		a[0], a[1], a[2], a[3] = a[0]+b[0], a[1]+b[1], a[2]+b[2], a[3]+b[3]
		y, x = y[4:], x[4:]
	}
}

func gather(idx []uint32, w []float64) float64 {
	var a, b, c, d float64
	for len(idx) >= 4 {
		j := (*[4]uint32)(idx)
		a += w[j[0]]
		b += w[j[1]]
		c += w[j[2]]
		d += w[j[3]]
		idx = idx[4:]
	}
	return (a + b) + (c + d)
}

func scatter(w []float64, idx []uint32, c float64) {
	for len(idx) >= 4 {
		j := (*[4]uint32)(idx)
		w[j[0]] += c
		w[j[1]] += c
		w[j[2]] += c
		w[j[3]] += c
		idx = idx[4:]
	}
}

// multiplyAdd leaves it to the compiler whether to fuse: math.FMA asks on every call
// whether the CPU can.
func multiplyAdd(n int) float64 {
	one := unknown(1)
	a, b, c, d := unknown(0), unknown(0), unknown(0), unknown(0)
	e, f, g, h := unknown(0), unknown(0), unknown(0), unknown(0)
	for range n {
		a, b, c, d = a*one+one, b*one+one, c*one+one, d*one+one
		e, f, g, h = e*one+one, f*one+one, g*one+one, h*one+one
	}
	return ((a + b) + (c + d)) + ((e + f) + (g + h))
}

func divide(n int) float64 {
	a, b, c, d := unknown(1.5), unknown(1.5), unknown(1.5), unknown(1.5)
	e, f, g, h := unknown(1.5), unknown(1.5), unknown(1.5), unknown(1.5)
	for range n {
		a, b, c, d = 2/a, 2/b, 2/c, 2/d
		e, f, g, h = 2/e, 2/f, 2/g, 2/h
	}
	return ((a + b) + (c + d)) + ((e + f) + (g + h))
}

func squareRoot(n int) float64 {
	s := unknown(1.7)
	a, b, c, d := unknown(1), unknown(1), unknown(1), unknown(1)
	e, f, g, h := unknown(1), unknown(1), unknown(1), unknown(1)
	for range n {
		a, b, c, d = math.Sqrt(s*a), math.Sqrt(s*b), math.Sqrt(s*c), math.Sqrt(s*d)
		e, f, g, h = math.Sqrt(s*e), math.Sqrt(s*f), math.Sqrt(s*g), math.Sqrt(s*h)
	}
	return ((a + b) + (c + d)) + ((e + f) + (g + h))
}

// unknown returns v, but the compiler does not know that. So it treats equal numbers as
// different, and computes with each.
//
//go:noinline
func unknown(v float64) float64 { return v }

//go:noinline
func nothing(_, _ []float64) float64 { return 0 }
