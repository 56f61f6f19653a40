//go:build !purego

package machine

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &NEON}

// NEON holds the kernels that every arm64 CPU runs. It has neither stores past the
// caches nor loads of scattered elements.
var NEON = Kernels{
	Path:         "neon",
	Lanes:        2,
	Read:         readNEON,
	ReadTwo:      readTwoNEON,
	Write:        writeNEON,
	WriteAround:  writeNEON,
	Copy:         copyNEON,
	CopyAround:   copyNEON,
	Update:       updateNEON,
	Accumulate:   accumulateNEON,
	Gather:       gatherNEON,
	GatherAtOnce: gatherNEON,
	Scatter:      scatterNEON,
	MultiplyAdd:  multiplyAddNEON,
	Divide:       divideNEON,
	SquareRoot:   squareRootNEON,
	Nothing:      nothingNEON,
}

//go:noescape
func readNEON(x []float64) uint64

//go:noescape
func readTwoNEON(x, y []float64) uint64

//go:noescape
func writeNEON(x []float64, v float64)

//go:noescape
func copyNEON(dst, x []float64)

//go:noescape
func updateNEON(x []float64, a float64)

//go:noescape
func accumulateNEON(y, x []float64)

//go:noescape
func gatherNEON(idx []uint32, w []float64) float64

//go:noescape
func scatterNEON(w []float64, idx []uint32, c float64)

//go:noescape
func multiplyAddNEON(n int) float64

//go:noescape
func divideNEON(n int) float64

//go:noescape
func squareRootNEON(n int) float64

//go:noescape
func nothingNEON(x, y []float64) float64
