//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// The entry points of losses. Calls that fail a check, or have no elements, go to the entry
// points in Go; others go to the kernel of the loss and the path. Up to four elements go to
// the AVX2 kernel on either path.

#define COEF DI
#define H DI
#define T R10
#define Z SI
#define Y DX
#define N CX
#define WEIGHT R9
#define LOSS AX
#define GAP R11
#define BYTES R12
#define TWICE R13

// Goes to refused unless N elements from p on share no byte with those from q on. SPAN
// comes first; SAME_OR_APART lets p = q pass.
#define SPAN \
	LEAQ 0(N*8), BYTES           \
	LEAQ -1(BYTES)(BYTES*1), TWICE

#define APART(p, q) \
	MOVQ p, GAP                  \
	SUBQ q, GAP                  \
	LEAQ -1(GAP)(BYTES*1), GAP   \
	CMPQ GAP, TWICE              \
	JCS  refused

#define SAME_OR_APART(p, q) \
	MOVQ p, GAP                  \
	SUBQ q, GAP                  \
	JEQ  4(PC)                   \
	LEAQ -1(GAP)(BYTES*1), GAP   \
	CMPQ GAP, TWICE              \
	JCS  refused

// Goes to refused unless the path in use has assembly and Huber's loss a delta, and to narrow
// for few elements and on AVX2.
#define CHOOSE_PATH(delta) \
	CMPL ·path(SB), $0         \
	JEQ  refused               \
	CMPL LOSS, $const_Huber    \
	JNE  known                 \
	MOVQ delta, BYTES          \
	DECQ BYTES                 \
	MOVQ $0x7fefffffffffffff, TWICE \ // the greatest number; 0, NaN and what is negative are above
	CMPQ BYTES, TWICE          \
	JCC  refused               \
known:                             \
	CMPL ·path(SB), $1         \
	JEQ  narrow                \
	CMPQ N, $4                 \
	JLS  narrow

// TO_LOSS jumps to the kernel of the loss. Execution goes on if no kernel fits.
#define TO_LOSS(squared, hinge, huber, logistic) \
	CMPL LOSS, $const_Squared      \
	JNE  2(PC)                     \
	JMP  squared(SB)               \
	CMPL LOSS, $const_SquaredHinge \
	JNE  2(PC)                     \
	JMP  hinge(SB)                 \
	CMPL LOSS, $const_Logistic     \
	JNE  2(PC)                     \
	JMP  logistic(SB)              \
	CMPL LOSS, $const_Huber        \
	JNE  2(PC)                     \
	JMP  huber(SB)

#define TO_GRADIENT(delta) \
	CHOOSE_PATH(delta)         \
	TO_LOSS(·squaredGradAVX512, ·squaredHingeGradAVX512, ·huberGradAVX512, ·logisticGradAVX512) \
narrow:                            \
	TO_LOSS(·squaredGradAVX2, ·squaredHingeGradAVX2, ·huberGradAVX2, ·logisticGradAVX2)

#define NO_ERROR(err) \
	XORPS  X0, X0 \
	MOVUPS X0, err

// func LossGradient(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error)
TEXT ·LossGradient(SB), NOSPLIT, $0-80
	PCALIGN $64
	MOVQ    n+32(FP), N
	MOVQ    coef+0(FP), COEF
	MOVQ    z+8(FP), Z
	MOVQ    y+16(FP), Y
	MOVQ    weight+24(FP), WEIGHT
	MOVBLZX loss+48(FP), LOSS
	NO_ERROR(err+64(FP))
	CMPQ    N, $1
	JEQ     apart // one element overlaps another or does not
	JCS     refused
	SPAN
	SAME_OR_APART(COEF, Z)
	SAME_OR_APART(COEF, Y)
	TESTQ   WEIGHT, WEIGHT
	JEQ     apart
	SAME_OR_APART(COEF, WEIGHT)

apart:
	TO_GRADIENT(delta+40(FP))

refused:
	JMP ·lossGradient(SB)

// func LossSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error)
TEXT ·LossSum(SB), NOSPLIT, $0-80
	PCALIGN $64
	MOVQ    n+32(FP), N
	TESTQ   N, N
	JEQ     refused
	MOVQ    z+8(FP), Z
	MOVQ    y+16(FP), Y
	MOVQ    weight+24(FP), WEIGHT
	MOVBLZX loss+48(FP), LOSS
	XORL    COEF, COEF
	NO_ERROR(err+64(FP))
	TO_GRADIENT(delta+40(FP))

refused:
	JMP ·lossSum(SB)

// func LossCurvature(h, t, z, y, weight *float64, n int, delta float64, loss Loss) (err error)
TEXT ·LossCurvature(SB), NOSPLIT, $0-80
	PCALIGN $64
	MOVQ    n+40(FP), N
	TESTQ   N, N
	JEQ     refused
	MOVQ    h+0(FP), H
	MOVQ    t+8(FP), T
	MOVQ    z+16(FP), Z
	MOVQ    y+24(FP), Y
	MOVQ    weight+32(FP), WEIGHT
	MOVBLZX loss+56(FP), LOSS
	NO_ERROR(err+64(FP))
	SPAN
	APART(H, T)
	APART(H, Z)
	APART(H, Y)
	APART(T, Z)
	APART(T, Y)
	TESTQ   WEIGHT, WEIGHT
	JEQ     apart
	APART(H, WEIGHT)
	APART(T, WEIGHT)

apart:
	CHOOSE_PATH(delta+48(FP))
	TO_LOSS(·squaredCurvatureAVX2, ·squaredHingeCurvatureAVX512, ·huberCurvatureAVX512, ·logisticCurvatureAVX512)

narrow:
	TO_LOSS(·squaredCurvatureAVX2, ·squaredHingeCurvatureAVX2, ·huberCurvatureAVX2, ·logisticCurvatureAVX2)

refused:
	JMP ·lossCurvature(SB)
