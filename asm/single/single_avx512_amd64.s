//go:build !purego

#include "textflag.h"

// The sums of single_avx2_amd64.s at twice the width. The last few elements go through
// the same code under the mask K1.

#define N CX // elements left
#define X SI
#define Y DX
#define ONES R9
#define BITS R10

#define LAST(MASKED, ADD, offset, acc) \
	BZHIQ N, ONES, BITS \
	KMOVB BITS, K1      \
	MASKED(offset)      \
	ADD(acc)            \
	SUBQ  $8, N         \
	JLE   tree

// What a round fetches of later ones. A single stream of float32 has so few bytes to an
// instruction that those underway reach less far ahead than memory takes to answer.
#define FETCH_ONE \
	PREFETCHT0 8192(X) \
	PREFETCHT0 8256(X)
#define FETCH_NOTHING

// The sum over 32 lanes, in Z0 to Z3, and their tree, to X0.
#define LANES(FETCH, TERM, MASKED, ADD) \
	VPXORQ Z0, Z0, Z0 \
	VPXORQ Z1, Z1, Z1 \
	VPXORQ Z2, Z2, Z2 \
	VPXORQ Z3, Z3, Z3 \
	SUBQ   $32, N     \
	JLT    last       \
loop:                     \
	FETCH             \
	TERM(0, Z0)       \
	TERM(32, Z1)      \
	TERM(64, Z2)      \
	TERM(96, Z3)      \
	ADDQ   $128, X    \
	ADDQ   $128, Y    \
	SUBQ   $32, N     \
	JGE    loop       \
last:                     \
	ADDQ   $32, N     \
	JEQ    tree       \
	MOVQ   $-1, ONES  \
	LAST(MASKED, ADD, 0, Z0)  \
	LAST(MASKED, ADD, 32, Z1) \
	LAST(MASKED, ADD, 64, Z2) \
	LAST(MASKED, ADD, 96, Z3) \
tree:                             \
	VADDPD        Z2, Z0, Z0 \
	VADDPD        Z3, Z1, Z1 \
	VADDPD        Z1, Z0, Z0 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPD        Y1, Y0, Y0 \
	VEXTRACTF128  $1, Y0, X1 \
	VADDPD        X1, X0, X0 \
	VUNPCKHPD     X0, X0, X1 \
	VADDSD        X1, X0, X0 \
	VZEROUPPER

#define DOT_TERM(offset, acc) \
	VCVTPS2PD   offset(X), Z8 \
	VCVTPS2PD   offset(Y), Z9 \
	VFMADD231PD Z8, Z9, acc

#define DOT_MASKED(offset) \
	VCVTPS2PD.Z offset(X), K1, Z8 \
	VCVTPS2PD.Z offset(Y), K1, Z9

#define DOT_ADD(acc) VFMADD231PD Z8, Z9, acc

// func singleDotAVX512(x, y []float32) float64
TEXT ·singleDotAVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y_base+24(FP), Y
	LANES(FETCH_NOTHING, DOT_TERM, DOT_MASKED, DOT_ADD)
	MOVSD X0, ret+48(FP)
	RET

#define ONE_MASKED(offset) VCVTPS2PD.Z offset(X), K1, Z8

#define NORM_TERM(offset, acc) \
	VCVTPS2PD   offset(X), Z8 \
	VFMADD231PD Z8, Z8, acc

#define NORM_ADD(acc) VFMADD231PD Z8, Z8, acc

// func singleSquaredNormAVX512(x []float32) float64
TEXT ·singleSquaredNormAVX512(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	LANES(FETCH_ONE, NORM_TERM, ONE_MASKED, NORM_ADD)
	MOVSD X0, ret+24(FP)
	RET

// Z15 = 1: products with it are exact, and conversions and additions are the work of the
// same units of a core.
#define SUM_TERM(offset, acc) \
	VCVTPS2PD   offset(X), Z8 \
	VFMADD231PD Z8, Z15, acc

#define SUM_ADD(acc) VFMADD231PD Z8, Z15, acc

DATA singleOne<>+0(SB)/8, $1.0
GLOBL singleOne<>(SB), RODATA|NOPTR, $8

// func singleSumAVX512(x []float32) float64
TEXT ·singleSumAVX512(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	VBROADCASTSD singleOne<>(SB), Z15
	LANES(FETCH_ONE, SUM_TERM, ONE_MASKED, SUM_ADD)
	MOVSD X0, ret+24(FP)
	RET
