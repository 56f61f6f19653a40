//go:build !purego

#include "textflag.h"

// The AVX2 kernels of dense_avx2_amd64.s at twice the width. Sums load their last elements
// through the mask K1. Maps use narrower registers for the last elements: a load that
// overlaps an earlier masked store waits for it, and short vectors are written repeatedly.

#define N CX   // elements left
#define DST DI
#define X SI
#define Y DX
#define AT AX  // bytes done
#define ONES R9
#define BITS R10

DATA denseAbs<>+0(SB)/8, $0x7fffffffffffffff
GLOBL denseAbs<>(SB), RODATA|NOPTR, $8

// K1 = the first min(N, 8) lanes, with ONES = -1 and N < 64.
#define MASK_FIRST \
	BZHIQ N, ONES, BITS \
	KMOVB BITS, K1

#define LAST(MASKED, ADD_MASKED, offset, acc) \
	MASK_FIRST      \
	MASKED(offset)  \
	ADD_MASKED(acc) \
	SUBQ $8, N      \
	JLE  tree

// The sum over 32 lanes, in Z0 to Z3. Up to 16 elements touch the first 16 lanes alone;
// the others are +0, which is added to those.
#define LANES(LOAD, ADD, MASKED, ADD_MASKED, result) \
	MOVQ   $-1, ONES  \
	VPXORQ Z0, Z0, Z0 \
	VPXORQ Z1, Z1, Z1 \
	VPXORQ Z2, Z2, Z2 \
	CMPQ N, $16       \
	JHI  many         \
	SUBQ $8, N        \
	JLT  few          \
	LOAD(0)           \
	ADD(Z0)           \
	MASK_FIRST        \
	MASKED(64)        \
	ADD(Z1)           \
	VADDPD Z2, Z1, Z1 \
	JMP  half         \
few:                      \
	ADDQ $8, N        \
	MASK_FIRST        \
	MASKED(0)         \
	ADD(Z0)           \
	JMP  half         \
many:                     \
	VPXORQ Z3, Z3, Z3 \
	SUBQ $32, N       \
	JLT  last         \
loop:                     \
	LOAD(0)           \
	ADD(Z0)           \
	LOAD(64)          \
	ADD(Z1)           \
	LOAD(128)         \
	ADD(Z2)           \
	LOAD(192)         \
	ADD(Z3)           \
	ADDQ $256, X      \
	ADDQ $256, Y      \
	SUBQ $32, N       \
	JGE  loop         \
last:                     \
	ADDQ $32, N       \
	JEQ  tree         \
	LAST(MASKED, ADD_MASKED, 0, Z0)   \
	LAST(MASKED, ADD_MASKED, 64, Z1)  \
	LAST(MASKED, ADD_MASKED, 128, Z2) \
	LAST(MASKED, ADD_MASKED, 192, Z3) \
tree:                                     \
	VADDPD        Z2, Z0, Z0 \
	VADDPD        Z3, Z1, Z1 \
half:                            \
	VADDPD        Z1, Z0, Z0 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPD        Y1, Y0, Y0 \
	VEXTRACTF128  $1, Y0, X1 \
	VADDPD        X1, X0, X0 \
	VUNPCKHPD     X0, X0, X1 \
	VADDSD        X1, X0, X0 \
	VZEROUPPER               \
	VMOVSD        X0, result \
	RET

#define LOAD_TWO(offset) \
	VMOVUPD offset(X), Z8 \
	VMOVUPD offset(Y), Z9

#define MASKED_TWO(offset) \
	VMOVUPD.Z offset(X), K1, Z8 \
	VMOVUPD.Z offset(Y), K1, Z9

#define LOAD_DIFFERENCE(offset) \
	VMOVUPD offset(X), Z8     \
	VSUBPD  offset(Y), Z8, Z8

#define MASKED_DIFFERENCE(offset) \
	MASKED_TWO(offset) \
	VSUBPD Z9, Z8, Z8

#define LOAD_ONE(offset) VMOVUPD offset(X), Z8
#define MASKED_ONE(offset) VMOVUPD.Z offset(X), K1, Z8

#define ADD_PRODUCT(acc) VFMADD231PD Z8, Z9, acc
#define ADD_PRODUCT_MASKED(acc) VFMADD231PD Z8, Z9, K1, acc
#define ADD_SQUARE(acc) VFMADD231PD Z8, Z8, acc
#define ADD_SQUARE_MASKED(acc) VFMADD231PD Z8, Z8, K1, acc
#define ADD_ONE(acc) VADDPD Z8, acc, acc
#define ADD_ONE_MASKED(acc) VADDPD Z8, acc, K1, acc

// The bits of |x| order as the numbers do, with NaN above all, so an integer
// maximum finds a NaN by itself.
#define MAX_ABS(offset, acc) \
	VPANDQ  offset(X), Z15, Z8 \
	VPMAXUQ Z8, acc, acc

// func denseMaxAbsAVX512(x []float64) float64
TEXT ·denseMaxAbsAVX512(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), X
	MOVQ         x_len+8(FP), N
	VBROADCASTSD denseAbs<>(SB), Z15
	SUBQ         $8, N
	JLT          few
	VPANDQ       (X), Z15, Z0
	VMOVAPD      Z0, Z1
	VMOVAPD      Z0, Z2
	VMOVAPD      Z0, Z3
	SUBQ         $24, N
	JLT          last

loop:
	MAX_ABS(0, Z0)
	MAX_ABS(64, Z1)
	MAX_ABS(128, Z2)
	MAX_ABS(192, Z3)
	ADDQ $256, X
	SUBQ $32, N
	JGE  loop

last:
	ADDQ $24, N // eight less than are left
	JLT  overlapping

eight:
	MAX_ABS(0, Z0)
	ADDQ $64, X
	SUBQ $8, N
	JGE  eight

overlapping:
	// The last eight; some were seen before.
	VPANDQ        (X)(N*8), Z15, Z8
	VPMAXUQ       Z8, Z0, Z0
	VPMAXUQ       Z1, Z0, Z0
	VPMAXUQ       Z3, Z2, Z2
	VPMAXUQ       Z2, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	JMP           combine

few:
	ADDQ    $8, N
	CMPQ    N, $2
	JCS     single
	VMOVUPD (X), X0
	VMOVUPD -16(X)(N*8), X1
	CMPQ    N, $4
	JCS     positive
	VMOVUPD (X), Y0
	VMOVUPD -32(X)(N*8), Y1
	JMP     positive

single:
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	TESTQ  N, N
	JEQ    positive
	VMOVSD (X), X0

positive:
	VPANDQ Y15, Y0, Y0
	VPANDQ Y15, Y1, Y1

combine:
	VPMAXUQ       Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPMAXUQ       X1, X0, X0
	VPUNPCKHQDQ   X0, X0, X1
	VPMAXUQ       X1, X0, X0
	VZEROUPPER
	VMOVSD        X0, ret+24(FP)
	RET

// Z12 = OP of Z12 = x and, where READ_Y loads it, Z13 = y, 32 elements at a time, then
// eight, four, two, one.
#define STEP(READ_Y, OP, store, offset) \
	VMOVUPD offset(X), Z12 \
	READ_Y(offset)         \
	OP                     \
	store Z12, offset(DST)

#define STEPS(READ_Y, OP, store) \
	STEP(READ_Y, OP, store, 0)   \
	STEP(READ_Y, OP, store, 64)  \
	STEP(READ_Y, OP, store, 128) \
	STEP(READ_Y, OP, store, 192) \
	ADDQ $256, X                 \
	ADDQ $256, Y                 \
	ADDQ $256, DST               \
	SUBQ $32, N

#define STEP_AT(move, READ_Y, OP, x, y) \
	move (X)(AT*1), x \
	READ_Y(move, y)   \
	OP                \
	move x, (DST)(AT*1)

#define MAP(READ_Y, READ_Y_AT, OP) \
	XORL AT, AT           \
	SUBQ $32, N           \
	JLT  last             \
	CMPQ N, ·beyond(SB)   \
	JGE  far              \
loop:                         \
	STEPS(READ_Y, OP, VMOVUPD) \
	JGE  loop             \
last:                         \
	ADDQ $24, N           \
	JLT  four             \
eight:                        \
	STEP_AT(VMOVUPD, READ_Y_AT, OP, Z12, Z13) \
	ADDQ $64, AT          \
	SUBQ $8, N            \
	JGE  eight            \
four:                         \
	TESTB $4, N           \
	JEQ   two             \
	STEP_AT(VMOVUPD, READ_Y_AT, OP, Y12, Y13) \
	ADDQ  $32, AT         \
two:                          \
	TESTB $2, N           \
	JEQ   one             \
	STEP_AT(VMOVUPD, READ_Y_AT, OP, X12, X13) \
	ADDQ  $16, AT         \
one:                          \
	TESTB $1, N           \
	JEQ   done            \
	STEP_AT(VMOVSD, READ_Y_AT, OP, X12, X13) \
done:                         \
	VZEROUPPER            \
	RET                   \
far:                          \
	FAR(READ_Y, READ_Y_AT, OP)

#define NO_Y(offset)
#define NO_Y_AT(move, y)
#define READ_Y(offset) VMOVUPD offset(Y), Z13
#define READ_Y_AT(move, y) move (Y)(AT*1), y

// Z0 = t, Z1 = the bits of |x|.
#define SOFT_THRESHOLD \
	VPANDQ    Z1, Z12, Z13       \
	VCMPPD    $0x16, Z0, Z13, K2 \ // not (|x| <= t)
	VPANDNQ   Z12, Z1, Z12       \
	VSUBPD    Z0, Z13, Z13       \
	VPORQ.Z   Z12, Z13, K2, Z12

#define SUM_PRODUCTS(result) LANES(LOAD_TWO, ADD_PRODUCT, MASKED_TWO, ADD_PRODUCT_MASKED, result)
#define SUM_SQUARES(result) LANES(LOAD_ONE, ADD_SQUARE, MASKED_ONE, ADD_SQUARE_MASKED, result)
#define SUM_SQUARED_DIFFERENCES(result) LANES(LOAD_DIFFERENCE, ADD_SQUARE, MASKED_DIFFERENCE, ADD_SQUARE_MASKED, result)
#define SUM_ELEMENTS(result) LANES(LOAD_ONE, ADD_ONE, MASKED_ONE, ADD_ONE_MASKED, result)

// The bits of an address that are zero where a whole vector may be stored past the caches.
#define UNALIGNED $63

#define MAP_ONE(OP) MAP(NO_Y, NO_Y_AT, OP)
#define MAP_TWO(OP) MAP(READ_Y, READ_Y_AT, OP)

// Eight elements at a time, then four, two, one.
#define UPDATE(READ, OP, WRITE) \
	XORL AT, AT                     \
	SUBQ $8, N                      \
	JLT  four                       \
loop:                                   \
	READ(VMOVUPD, Z8, Z9, Z10, Z11) \
	OP                              \
	WRITE(VMOVUPD, Z8, Z9, Z10)     \
	ADDQ $64, AT                    \
	SUBQ $8, N                      \
	JGE  loop                       \
four:                                   \
	TESTB $4, N                     \
	JEQ  two                        \
	READ(VMOVUPD, Y8, Y9, Y10, Y11) \
	OP                              \
	WRITE(VMOVUPD, Y8, Y9, Y10)     \
	ADDQ $32, AT                    \
two:                                    \
	TESTB $2, N                     \
	JEQ  one                        \
	READ(VMOVUPD, X8, X9, X10, X11) \
	OP                              \
	WRITE(VMOVUPD, X8, X9, X10)     \
	ADDQ $16, AT                    \
one:                                    \
	TESTB $1, N                     \
	JEQ  done                       \
	READ(VMOVSD, X8, X9, X10, X11)  \
	OP                              \
	WRITE(VMOVSD, X8, X9, X10)      \
done:                                   \
	VZEROUPPER                      \
	RET

#define DOT_NAME ·denseDotAVX512
#define SQUARED_NORM_NAME ·denseSquaredNormAVX512
#define SQUARED_DISTANCE_NAME ·denseSquaredDistanceAVX512
#define SUM_NAME ·denseSumAVX512
#define AXPY_NAME ·denseAxpyAVX512
#define SCALE_ADD_NAME ·denseScaleAddAVX512
#define SCALE_NAME ·denseScaleAVX512
#define ADD_SCALAR_NAME ·denseAddScalarAVX512
#define MUL_NAME ·denseMulAVX512
#define SOFT_THRESHOLD_NAME ·denseSoftThresholdAVX512
#define BOX_NAME ·denseBoxAVX512
#define ADAM_NAME ·denseAdamAVX512
#define MOMENTUM_NAME ·denseMomentumAVX512

#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define V13 Z13

#include "dense_kernels_amd64.h"
