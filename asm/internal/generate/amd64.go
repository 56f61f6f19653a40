package main

import (
	"fmt"
	"maps"
)

// The registers of a sum: X and Y walk through the operands, N counts elements.
const (
	regX = "SI"
	regY = "DX"
	regN = "CX"
)

var avx2 = with(sumAVX2.sums(), map[string]body{
	"SparseAxpyU32F64":    sparseAVX2,
	"SparseAxpyU32F32":    sparseAVX2,
	"SparseAxpyOnesU32":   sparseAVX2,
	"SparseAxpy32U32":     sparseAVX2,
	"SparseAxpyOnes32U32": sparseAVX2,
	"SparseAxpyU16F64":    sparseAVX2,
	"SparseAxpyU16F32":    sparseAVX2,
	"SparseAxpyOnesU16":   sparseAVX2,
	"SparseAxpy32U16":     sparseAVX2,
	"SparseAxpyOnes32U16": sparseAVX2,

	"Hamming":     pairOf("MOVL AX", func(w *writer) { bitsAVX2(w, false) }),
	"HammingRows": batch(3, "MOVL AX", func(w *writer) { bitsAVX2(w, false) }),
	"Jaccard":     pairOf("MOVSS X0", func(w *writer) { bitsAVX2(w, true) }),
	"JaccardRows": batch(3, "MOVSS X0", func(w *writer) { bitsAVX2(w, true) }),
})

var avx512 = sumAVX512.sums()

// sums are the kernels of both widths.
func (v width) sums() map[string]body {
	return map[string]body{
		"Dot":                 pairOf("MOVSS X0", func(w *writer) { v.write(w, product) }),
		"SquaredDistance":     pairOf("MOVSS X0", func(w *writer) { v.write(w, distance) }),
		"DotRows":             batch(2, "MOVSS X0", func(w *writer) { v.write(w, product) }),
		"SquaredDistanceRows": batch(2, "MOVSS X0", func(w *writer) { v.write(w, distance) }),
		"Sum":                 vectorOf("MOVSS X0", func(w *writer) { v.write(w, alone) }),
		"SquaredNorm":         vectorOf("MOVSS X0", func(w *writer) { v.write(w, square) }),
		"Min":                 vectorOf("MOVSS X0", func(w *writer) { v.extremeOf(w, false) }),
		"Max":                 vectorOf("MOVSS X0", func(w *writer) { v.extremeOf(w, true) }),
		"ArgMin":              vectorOf("MOVQ AX", func(w *writer) { v.argOf(w, false) }),
		"ArgMax":              vectorOf("MOVQ AX", func(w *writer) { v.argOf(w, true) }),
		"Cosine":              pairOf("MOVSS X0", v.cosine),
		"CosineRows":          batch(2, "MOVSS X0", v.cosine),

		"DotInt8":                 pairOf("MOVL AX", func(w *writer) { v.int8(w, product) }),
		"SquaredDistanceInt8":     pairOf("MOVL AX", func(w *writer) { v.int8(w, distance) }),
		"DotInt8Rows":             batch(0, "MOVL AX", func(w *writer) { v.int8(w, product) }),
		"SquaredDistanceInt8Rows": batch(0, "MOVL AX", func(w *writer) { v.int8(w, distance) }),
	}
}

// with adds kernels to others.
func with(bodies, more map[string]body) map[string]body {
	maps.Copy(bodies, more)
	return bodies
}

// pairOf is a kernel of two vectors; result names the instruction that stores the sum, and its
// register.
func pairOf(result string, sum func(w *writer)) body {
	return func(w *writer) {
		w.op("MOVQ x_base+0(FP), %s", regX)
		w.op("MOVQ x_len+8(FP), %s", regN)
		w.op("MOVQ y_base+24(FP), %s", regY)
		sum(w)
		w.op("VZEROUPPER")
		w.op("%s, ret+48(FP)", result)
		w.op("RET")
	}
}

// batch is a kernel of a query and rows: the sum of each, which leaves DI, BX and R10 to R13 as they
// are. store names the instruction and the register of a result of four bytes.
func batch(log int, store string, sum func(w *writer)) body {
	return func(w *writer) {
		w.op("MOVQ dst_base+0(FP), DI")
		w.op("MOVQ dst_len+8(FP), BX")
		w.op("MOVQ rows_base+48(FP), R10")
		w.op("MOVQ stride+72(FP), R11")
		w.op("MOVQ list_base+80(FP), R12")
		if log > 0 {
			w.op("SHLQ $%d, R11", log)
		}
		w.op("MOVQ R10, R13")
		w.op("TESTQ BX, BX")
		w.op("JEQ end")
		w.op("row:")
		w.op("TESTQ R12, R12")
		w.op("JEQ next")
		w.op("MOVL (R12), %s", regY)
		w.op("ADDQ $4, R12")
		w.op("IMULQ R11, %s", regY)
		w.op("ADDQ R10, %s", regY)
		w.op("JMP found")
		w.op("next:")
		w.op("MOVQ R13, %s", regY)
		w.op("ADDQ R11, R13")
		w.op("found:")
		w.op("MOVQ query_base+24(FP), %s", regX)
		w.op("MOVQ query_len+32(FP), %s", regN)
		sum(w)
		w.op("%s, (DI)", store)
		w.op("ADDQ $4, DI")
		w.op("DECQ BX")
		w.op("JNE row")
		w.op("end:")
		w.op("VZEROUPPER")
		w.op("RET")
	}
}

// A term is what an element adds to a sum of float32.
type term int

const (
	product term = iota
	distance
	alone  // the element of x
	square // its square
)

// pair tells whether a term has elements of y.
func (t term) pair() bool { return t == product || t == distance }

// A width is the width of vector registers.
type width struct {
	register byte
	lanes    int // float32 in a register
}

var (
	sumAVX2   = width{'Y', 8}
	sumAVX512 = width{'Z', 16}
)

func (v width) reg(n int) string { return fmt.Sprintf("%c%d", v.register, n) }

// write sums up all lanes to X0. The first element of a lane is multiplied only: that differs from
// adding it to 0 in the sign of a zero at most, which the last addition removes. Registers without
// elements are left out of the tree for the same reason.
func (v width) write(w *writer, t term) {
	accumulators := 64 / v.lanes
	bytes := 4 * v.lanes
	w.op("CMPQ %s, $64", regN)
	w.op("JGE long")
	w.op("VXORPS X0, X0, X0")
	w.op("TESTQ %s, %[1]s", regN)
	w.op("JEQ sum")
	v.partial(w, t, "few")
	for j := range accumulators {
		w.op("SUBQ $%d, %s", v.lanes, regN)
		if j == accumulators-1 {
			break
		}
		w.op("JLT few%d", j)
		v.first(w, t, j, j*bytes)
		w.op("JEQ tree%d", j+1)
	}
	for j := accumulators - 1; j >= 0; j-- {
		if j < accumulators-1 {
			w.op("few%d:", j)
		}
		if t == alone {
			w.op("VMOVAPS %s, %s", v.reg(12), v.reg(j))
		} else {
			w.op("VMULPS %s, %s, %s", v.reg(13), v.reg(12), v.reg(j))
		}
		w.op("JMP tree%d", j+1)
	}
	w.op("long:")
	for j := range accumulators {
		v.first(w, t, j, j*bytes)
	}
	v.advance(w, t)
	w.op("SUBQ $128, %s", regN)
	w.op("JLT rest")
	w.op("loop:")
	for j := range accumulators {
		v.next(w, t, j, j*bytes)
	}
	v.advance(w, t)
	w.op("SUBQ $64, %s", regN)
	w.op("JGE loop")
	w.op("rest:")
	w.op("ADDQ $64, %s", regN)
	w.op("JEQ tree%d", accumulators)
	v.partial(w, t, "last")
	for j := range accumulators {
		w.op("SUBQ $%d, %s", v.lanes, regN)
		if j == accumulators-1 {
			break
		}
		w.op("JLT last%d", j)
		v.next(w, t, j, j*bytes)
		w.op("JEQ tree%d", accumulators)
	}
	for j := accumulators - 1; j >= 0; j-- {
		if j < accumulators-1 {
			w.op("last%d:", j)
		}
		if t == alone {
			w.op("VADDPS %s, %s, %[2]s", v.reg(12), v.reg(j))
		} else {
			w.op("VFMADD231PS %s, %s, %s", v.reg(13), v.reg(12), v.reg(j))
		}
		if j > 0 {
			w.op("JMP tree%d", accumulators)
		}
	}
	for used := accumulators; used > 0; used-- {
		w.op("tree%d:", used)
		left := used
		for half := accumulators / 2; half > 0; half /= 2 {
			for i := half; i < left; i++ {
				w.op("VADDPS %s, %s, %[2]s", v.reg(i), v.reg(i-half))
			}
			left = min(left, half)
		}
		if used > 1 {
			w.op("JMP lanes")
		}
	}
	w.op("lanes:")
	if v.register == 'Z' {
		w.op("VEXTRACTF64X4 $1, Z0, Y1")
		w.op("VADDPS Y1, Y0, Y0")
	}
	w.op("VEXTRACTF128 $1, Y0, X1")
	w.op("VADDPS X1, X0, X0")
	w.op("VMOVHLPS X0, X0, X1")
	w.op("VADDPS X1, X0, X0")
	w.op("VMOVSHDUP X0, X1")
	w.op("VADDSS X1, X0, X0")
	w.op("VXORPS X1, X1, X1")
	w.op("VADDSS X1, X0, X0")
	w.op("sum:")
}

// advance goes to the next 64 elements.
func (v width) advance(w *writer, t term) {
	w.op("ADDQ $256, %s", regX)
	if t != alone {
		w.op("ADDQ $256, %s", regY)
	}
}

// first writes the term of a whole register to an accumulator.
func (v width) first(w *writer, t term, j, offset int) {
	acc := v.reg(j)
	w.op("VMOVUPS %d(%s), %s", offset, regX, acc)
	switch t {
	case distance:
		w.op("VSUBPS %d(%s), %s, %[3]s", offset, regY, acc)
		w.op("VMULPS %s, %[1]s, %[1]s", acc)
	case product:
		w.op("VMULPS %d(%s), %s, %[3]s", offset, regY, acc)
	case square:
		w.op("VMULPS %s, %[1]s, %[1]s", acc)
	}
}

// next adds it to an accumulator.
func (v width) next(w *writer, t term, j, offset int) {
	value := v.reg(8 + j%4)
	if t == alone {
		w.op("VADDPS %d(%s), %s, %[3]s", offset, regX, v.reg(j))
		return
	}
	w.op("VMOVUPS %d(%s), %s", offset, regX, value)
	if t == distance {
		w.op("VSUBPS %d(%s), %s, %[3]s", offset, regY, value)
	}
	if t != product {
		w.op("VFMADD231PS %s, %[1]s, %s", value, v.reg(j))
	} else {
		w.op("VFMADD231PS %d(%s), %s, %s", offset, regY, value, v.reg(j))
	}
}

// partial prepares the factors of the last elements that fill no register, in registers 12 and 13.
func (v width) partial(w *writer, t term, label string) {
	v.mask(w, label)
	v.load(w, regX, 12)
	if t.pair() {
		v.load(w, regY, 13)
	}
	switch t {
	case distance:
		w.op("VSUBPS %s, %s, %s", v.reg(13), v.reg(12), v.reg(13))
		w.op("VMOVAPS %s, %s", v.reg(13), v.reg(12))
	case square:
		w.op("VMOVAPS %s, %s", v.reg(12), v.reg(13))
	}
	w.op("%sWhole:", label)
}

// mask prepares loads of the last of N elements that fill no register, and skips to the end of
// partial if N fills registers alone. AX is the number of the elements before them.
func (v width) mask(w *writer, label string) {
	w.op("MOVQ %s, R8", regN)
	w.op("ANDQ $%d, R8", v.lanes-1)
	w.op("JEQ %sWhole", label)
	w.op("MOVQ %s, AX", regN)
	w.op("SUBQ R8, AX")
	if v.register == 'Z' {
		w.op("MOVL $-1, R9")
		w.op("BZHIL R8, R9, R9")
		w.op("KMOVW R9, K1")
		return
	}
	w.op("LEAQ vectorMasks<>+32(SB), R9")
	w.op("NEGQ R8")
	w.op("VMOVDQU (R9)(R8*4), Y14")
}

// load reads the elements of the mask, and zeros.
func (v width) load(w *writer, from string, n int) {
	if v.register == 'Z' {
		w.op("VMOVUPS.Z (%s)(AX*4), K1, %s", from, v.reg(n))
	} else {
		w.op("VMASKMOVPS (%s)(AX*4), Y14, %s", from, v.reg(n))
	}
}

// constants are data of the kernels that name them, in words of 64 bits.
var constants = map[string][]uint64{
	// Eight elements of all ones, and eight zeros.
	"vectorMasks": {1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 0, 0, 0, 0},
	// The bits of the numbers from 0 to 15, and 15 sixteen times.
	"vectorNibbles": {0x0302020102010100, 0x0403030203020201, 0x0f0f0f0f0f0f0f0f, 0x0f0f0f0f0f0f0f0f},
	// Eight bytes of 1, and eight of 128.
	"vectorBytes": {0x0101010101010101, 0x8080808080808080},
	// 1 and -1 in float64.
	"vectorOnes": {0x3ff0000000000000, 0xbff0000000000000},
}
