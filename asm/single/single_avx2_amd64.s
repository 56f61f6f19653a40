//go:build !purego

#include "textflag.h"

// Assembly because Go's compiler does not vectorise and offers no fused multiply-add
// on vectors. The definitions are the twins in single.go.

#define N CX // elements left
#define X SI
#define Y DX

DATA singleIota<>+0(SB)/4, $0
DATA singleIota<>+4(SB)/4, $1
DATA singleIota<>+8(SB)/4, $2
DATA singleIota<>+12(SB)/4, $3
GLOBL singleIota<>(SB), RODATA|NOPTR, $16

DATA singleFour<>+0(SB)/4, $4
GLOBL singleFour<>(SB), RODATA|NOPTR, $4

// One group of four of the last N < 32 elements. MASKED fills Y8 and Y9 with zeros beyond the
// last element. They change no lane: no lane is ever -0, as float32 products and sums do not
// underflow in float64.
#define LAST(MASKED, ADD, offset, acc) \
	VPCMPGTD X13, X14, X11 \
	MASKED(offset)         \
	ADD(acc)               \
	SUBQ     $4, N         \
	JLE      tree          \
	VPADDD   X15, X13, X13

// What a round fetches of later ones. A single stream of float32 has so few bytes to an
// instruction that those underway reach less far ahead than memory takes to answer.
#define FETCH_ONE \
	PREFETCHT0 8192(X) \
	PREFETCHT0 8256(X)
#define FETCH_NOTHING

// The sum over 32 lanes, in Y0 to Y7, and their tree, to X0. TERM(offset, acc) takes
// four whole elements.
#define LANES(FETCH, TERM, MASKED, ADD) \
	VXORPD Y0, Y0, Y0 \
	VXORPD Y1, Y1, Y1 \
	VXORPD Y2, Y2, Y2 \
	VXORPD Y3, Y3, Y3 \
	VXORPD Y4, Y4, Y4 \
	VXORPD Y5, Y5, Y5 \
	VXORPD Y6, Y6, Y6 \
	VXORPD Y7, Y7, Y7 \
	SUBQ   $32, N     \
	JLT    last       \
loop:                     \
	FETCH             \
	TERM(0, Y0)       \
	TERM(16, Y1)      \
	TERM(32, Y2)      \
	TERM(48, Y3)      \
	TERM(64, Y4)      \
	TERM(80, Y5)      \
	TERM(96, Y6)      \
	TERM(112, Y7)     \
	ADDQ   $128, X    \
	ADDQ   $128, Y    \
	SUBQ   $32, N     \
	JGE    loop       \
last:                     \
	ADDQ   $32, N     \
	JEQ    tree       \
	VMOVDQU      singleIota<>(SB), X13 \
	VPBROADCASTD singleFour<>(SB), X15 \
	VMOVD        N, X14                \
	VPBROADCASTD X14, X14              \
	LAST(MASKED, ADD, 0, Y0)   \
	LAST(MASKED, ADD, 16, Y1)  \
	LAST(MASKED, ADD, 32, Y2)  \
	LAST(MASKED, ADD, 48, Y3)  \
	LAST(MASKED, ADD, 64, Y4)  \
	LAST(MASKED, ADD, 80, Y5)  \
	LAST(MASKED, ADD, 96, Y6)  \
	LAST(MASKED, ADD, 112, Y7) \
tree:                              \
	VADDPD       Y4, Y0, Y0 \
	VADDPD       Y5, Y1, Y1 \
	VADDPD       Y6, Y2, Y2 \
	VADDPD       Y7, Y3, Y3 \
	VADDPD       Y2, Y0, Y0 \
	VADDPD       Y3, Y1, Y1 \
	VADDPD       Y1, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD       X1, X0, X0 \
	VUNPCKHPD    X0, X0, X1 \
	VADDSD       X1, X0, X0 \
	VZEROUPPER

#define DOT_TERM(offset, acc) \
	VCVTPS2PD   offset(X), Y8 \
	VCVTPS2PD   offset(Y), Y9 \
	VFMADD231PD Y8, Y9, acc

#define DOT_MASKED(offset) \
	VMASKMOVPS offset(X), X11, X8 \
	VMASKMOVPS offset(Y), X11, X9 \
	VCVTPS2PD  X8, Y8             \
	VCVTPS2PD  X9, Y9

#define DOT_ADD(acc) VFMADD231PD Y8, Y9, acc

// func singleDotAVX2(x, y []float32) float64
TEXT ·singleDotAVX2(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y_base+24(FP), Y
	LANES(FETCH_NOTHING, DOT_TERM, DOT_MASKED, DOT_ADD)
	MOVSD X0, ret+48(FP)
	RET

#define ONE_MASKED(offset) \
	VMASKMOVPS offset(X), X11, X8 \
	VCVTPS2PD  X8, Y8

#define NORM_TERM(offset, acc) \
	VCVTPS2PD   offset(X), Y8 \
	VFMADD231PD Y8, Y8, acc

#define NORM_ADD(acc) VFMADD231PD Y8, Y8, acc

// func singleSquaredNormAVX2(x []float32) float64
TEXT ·singleSquaredNormAVX2(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	LANES(FETCH_ONE, NORM_TERM, ONE_MASKED, NORM_ADD)
	MOVSD X0, ret+24(FP)
	RET

// Y12 = 1: products with it are exact, and conversions and additions are the work of the
// same units of a core.
#define SUM_TERM(offset, acc) \
	VCVTPS2PD   offset(X), Y8 \
	VFMADD231PD Y8, Y12, acc

#define SUM_ADD(acc) VFMADD231PD Y8, Y12, acc

DATA singleOne<>+0(SB)/8, $1.0
GLOBL singleOne<>(SB), RODATA|NOPTR, $8

// func singleSumAVX2(x []float32) float64
TEXT ·singleSumAVX2(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	VBROADCASTSD singleOne<>(SB), Y12
	LANES(FETCH_ONE, SUM_TERM, ONE_MASKED, SUM_ADD)
	MOVSD X0, ret+24(FP)
	RET
