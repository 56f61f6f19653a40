// The kernels of full rows of one kind of values, which the includer names: LOAD(from, y) loads four
// values as float64s, LOAD_MASKED(from, mask, y) those that a mask names, LOAD_ONE(from, x) one, and
// SIZE is the bytes of a value. Full rows lie one after the other, without indices.

// Four values of a row are multiplied by four elements of w.
#define FOUR_OF(x, from, w, sum) \
	LOAD(from, x)         \
	VFMADD231PD x, w, sum

// What is left of a row goes to the lanes that the masks Y10 and Y11 name; the others stay.
#define REST_OF(base, s0, s1) \
	LOAD_MASKED(0(base)(AX*SIZE), Y10, X14, X12, Y12) \
	VMOVAPD     s0, Y13                               \
	VFMADD231PD Y12, Y8, Y13                          \
	VBLENDVPD   Y10, Y13, s0, s0                      \
	LOAD_MASKED((4*SIZE)(base)(AX*SIZE), Y11, X15, X12, Y12) \
	VMOVAPD     s1, Y13                               \
	VFMADD231PD Y12, Y9, Y13                          \
	VBLENDVPD   Y11, Y13, s1, s1

#define SUM_OF(y0, x0, y1, x1, at) \
	VADDPD       y1, y0, y0     \
	VEXTRACTF128 $1, y0, x1     \
	VADDPD       x1, x0, x0     \
	VUNPCKHPD    x0, x0, x1     \
	VADDSD       x1, x0, x0     \
	VMOVSD       x0, at

// func(out []float64, x []value, w []float64)
TEXT FULL_DOT(SB), NOSPLIT, $0-72
	MOVQ out_base+0(FP), DI
	MOVQ out_len+8(FP), BX
	MOVQ x_base+24(FP), SI
	MOVQ w_base+48(FP), DX
	MOVQ w_len+56(FP), CX
	MOVQ CX, R8
	IMULQ $SIZE, R8
	MOVQ CX, R12
	ANDQ $7, R12
	SUBQ R12, CX
	LEAQ ·rowsMask(SB), R13
	MOVQ R12, AX
	NEGQ AX
	VMOVUPD 64(R13)(AX*8), Y10
	VMOVUPD 96(R13)(AX*8), Y11
	VEXTRACTF128 $1, Y10, X14
	VSHUFPS $0x88, X14, X10, X14
	VEXTRACTF128 $1, Y11, X15
	VSHUFPS $0x88, X15, X11, X15
	SUBQ $4, BX
	JLT  ones
fours:
	LEAQ (SI)(R8*1), R9
	LEAQ (SI)(R8*2), R10
	LEAQ (R9)(R8*2), R11
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  rest4
eight4:
	VMOVUPD (DX)(AX*8), Y8
	VMOVUPD 32(DX)(AX*8), Y9
	FOUR_OF(Y12, (SI)(AX*SIZE), Y8, Y0)
	FOUR_OF(Y13, (4*SIZE)(SI)(AX*SIZE), Y9, Y1)
	FOUR_OF(Y12, (R9)(AX*SIZE), Y8, Y2)
	FOUR_OF(Y13, (4*SIZE)(R9)(AX*SIZE), Y9, Y3)
	FOUR_OF(Y12, (R10)(AX*SIZE), Y8, Y4)
	FOUR_OF(Y13, (4*SIZE)(R10)(AX*SIZE), Y9, Y5)
	FOUR_OF(Y12, (R11)(AX*SIZE), Y8, Y6)
	FOUR_OF(Y13, (4*SIZE)(R11)(AX*SIZE), Y9, Y7)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  eight4
rest4:
	TESTQ R12, R12
	JEQ  sum4
	VMASKMOVPD (DX)(AX*8), Y10, Y8
	VMASKMOVPD 32(DX)(AX*8), Y11, Y9
	REST_OF(SI, Y0, Y1)
	REST_OF(R9, Y2, Y3)
	REST_OF(R10, Y4, Y5)
	REST_OF(R11, Y6, Y7)
sum4:
	SUM_OF(Y0, X0, Y1, X1, (DI))
	SUM_OF(Y2, X2, Y3, X3, 8(DI))
	SUM_OF(Y4, X4, Y5, X5, 16(DI))
	SUM_OF(Y6, X6, Y7, X7, 24(DI))
	ADDQ $32, DI
	LEAQ (SI)(R8*4), SI
	SUBQ $4, BX
	JGE  fours
ones:
	ADDQ $4, BX
	JEQ  done
one:
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  rest1
eight1:
	VMOVUPD (DX)(AX*8), Y8
	VMOVUPD 32(DX)(AX*8), Y9
	FOUR_OF(Y12, (SI)(AX*SIZE), Y8, Y0)
	FOUR_OF(Y13, (4*SIZE)(SI)(AX*SIZE), Y9, Y1)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  eight1
rest1:
	TESTQ R12, R12
	JEQ  sum1
	VMASKMOVPD (DX)(AX*8), Y10, Y8
	VMASKMOVPD 32(DX)(AX*8), Y11, Y9
	REST_OF(SI, Y0, Y1)
sum1:
	SUM_OF(Y0, X0, Y1, X1, (DI))
	ADDQ $8, DI
	ADDQ R8, SI
	DECQ BX
	JNE  one
done:
	VZEROUPPER
	RET

// c x
#define TERMS_OF(y, from, c, sum) FOUR_OF(y, from, c, sum)
#define TERM_OF(from, c) \
	LOAD_ONE(from, X12)    \
	VFMADD231SD X12, c, X0
#define FULL_SUMS FULL_ADD
#include "full_sums_avx2_amd64.h"

// (c x) x
#define TERMS_OF(y, from, c, sum) \
	LOAD(from, y)         \
	VMULPD      y, c, Y14 \
	VFMADD231PD y, Y14, sum
#define TERM_OF(from, c) \
	LOAD_ONE(from, X12)      \
	VMULSD      X12, c, X14  \
	VFMADD231SD X12, X14, X0
#define FULL_SUMS FULL_SQUARES
#include "full_sums_avx2_amd64.h"

#undef FOUR_OF
#undef REST_OF
#undef SUM_OF
#undef FULL_DOT
#undef FULL_ADD
#undef FULL_SQUARES
#undef LOAD
#undef LOAD_MASKED
#undef LOAD_ONE
#undef SIZE
