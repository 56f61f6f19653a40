//go:build !purego && (amd64 || arm64)

package element

import "math"

// elementTable holds the constants of the vector code, each four times over so
// that one load fills a register. The assembly knows the rows by number.
//
//lint:ignore U1000 the assembly reads it
var elementTable = func() (rows [55][4]uint64) {
	for i, bits := range [len(rows)]uint64{
		0: math.Float64bits(log2e), math.Float64bits(expShift), math.Float64bits(ln2Hi), math.Float64bits(ln2Lo),
		4: math.Float64bits(e12), math.Float64bits(e10), math.Float64bits(e8),
		7: math.Float64bits(e6), math.Float64bits(e4), math.Float64bits(e2),
		10: math.Float64bits(e11), math.Float64bits(e9), math.Float64bits(e7),
		13: math.Float64bits(e5), math.Float64bits(e3),
		15: math.Float64bits(1), math.Float64bits(0.5), math.Float64bits(expLow), math.Float64bits(expHigh),
		19: 1 << 63,
		20: math.Float64bits(p8), math.Float64bits(p6), math.Float64bits(p4), math.Float64bits(p2), math.Float64bits(p0),
		25: math.Float64bits(p9), math.Float64bits(p7), math.Float64bits(p5), math.Float64bits(p3), math.Float64bits(p1),
		30: math.Float64bits(softplusLarge),
		31: math.Float64bits(g6), math.Float64bits(g4), math.Float64bits(g2), math.Float64bits(g0),
		35: math.Float64bits(g5), math.Float64bits(g3), math.Float64bits(g1),
		38: logOne - logSplit, math.Float64bits(0x1p52), math.Float64bits(0x1p52 + 1023), 1<<52 - 1, logSplit,
		43: math.Float64bits(logTiny), math.Float64bits(0x1p54), math.Float64bits(54),
		46: math.Float64bits(math.Inf(1)), math.Float64bits(math.Inf(-1)), math.Float64bits(math.NaN()),
		49: math.Float64bits(2), math.Float64bits(log1pSmall), 1<<63 - 1,
		52: math.Float64bits(math.Inf(1)) - math.Float64bits(logTiny),
		53: math.Float64bits(tanhLow), math.Float64bits(tanhShift),
	} {
		rows[i] = [4]uint64{bits, bits, bits, bits}
	}
	return rows
}()
