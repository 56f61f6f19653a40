//go:build !purego

package machine

// Paths lists the kernels compiled into this binary, in the order of asm.Tables.
var Paths = []*Kernels{&Generic, &AVX2, &AVX512}

// AVX2 holds the kernels that need AVX2 and FMA.
var AVX2 = Kernels{
	Path:         "avx2",
	Lanes:        4,
	Read:         readAVX2,
	ReadTwo:      readTwoAVX2,
	Write:        writeAVX2,
	WriteAround:  writeAroundAVX2,
	Copy:         copyAVX2,
	CopyAround:   copyAroundAVX2,
	Update:       updateAVX2,
	Accumulate:   accumulateAVX2,
	Gather:       gatherAVX2,
	GatherAtOnce: gatherAtOnceAVX2,
	Scatter:      scatterAVX2,
	MultiplyAdd:  multiplyAddAVX2,
	Divide:       divideAVX2,
	SquareRoot:   squareRootAVX2,
	Nothing:      nothingAVX2,
}

// AVX512 holds the kernels that need AVX-512 F, DQ, VL and BW.
var AVX512 = Kernels{
	Path:         "avx512",
	Lanes:        8,
	Read:         readAVX512,
	ReadTwo:      readTwoAVX512,
	Write:        writeAVX512,
	WriteAround:  writeAroundAVX512,
	Copy:         copyAVX512,
	CopyAround:   copyAroundAVX512,
	Update:       updateAVX512,
	Accumulate:   accumulateAVX512,
	Gather:       gatherAVX2,
	GatherAtOnce: gatherAtOnceAVX512,
	Scatter:      scatterAVX2,
	MultiplyAdd:  multiplyAddAVX512,
	Divide:       divideAVX512,
	SquareRoot:   squareRootAVX512,
	Nothing:      nothingAVX2,
}

//go:noescape
func readAVX2(x []float64) uint64

//go:noescape
func readTwoAVX2(x, y []float64) uint64

//go:noescape
func writeAVX2(x []float64, v float64)

//go:noescape
func writeAroundAVX2(x []float64, v float64)

//go:noescape
func copyAVX2(dst, x []float64)

//go:noescape
func copyAroundAVX2(dst, x []float64)

//go:noescape
func updateAVX2(x []float64, a float64)

//go:noescape
func accumulateAVX2(y, x []float64)

//go:noescape
func gatherAVX2(idx []uint32, w []float64) float64

//go:noescape
func gatherAtOnceAVX2(idx []uint32, w []float64) float64

//go:noescape
func scatterAVX2(w []float64, idx []uint32, c float64)

//go:noescape
func multiplyAddAVX2(n int) float64

//go:noescape
func divideAVX2(n int) float64

//go:noescape
func squareRootAVX2(n int) float64

//go:noescape
func nothingAVX2(x, y []float64) float64

//go:noescape
func readAVX512(x []float64) uint64

//go:noescape
func readTwoAVX512(x, y []float64) uint64

//go:noescape
func writeAVX512(x []float64, v float64)

//go:noescape
func writeAroundAVX512(x []float64, v float64)

//go:noescape
func copyAVX512(dst, x []float64)

//go:noescape
func copyAroundAVX512(dst, x []float64)

//go:noescape
func updateAVX512(x []float64, a float64)

//go:noescape
func accumulateAVX512(y, x []float64)

//go:noescape
func gatherAtOnceAVX512(idx []uint32, w []float64) float64

//go:noescape
func multiplyAddAVX512(n int) float64

//go:noescape
func divideAVX512(n int) float64

//go:noescape
func squareRootAVX512(n int) float64
