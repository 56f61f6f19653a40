//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "element_table.h"

// The doors of losses. What does not pass a check, or has no elements, goes to the doors in
// Go; what passes to the loss, with its arguments still in their registers, which does up to
// four or eight elements here, and jumps to the kernel of the path with more. Each of few
// elements is a lane of its own, and what adding it rounds is its product with the weight. A
// sum of zeros is +0, as lanes begin so, which adding +0 does here.

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

// To the loss, where the path in use is not the portable one. LOSS is compared as element.go
// numbers them.
#define TO_LOSS(squared, hinge, huber, logistic, delta) \
	CMPL ·path(SB), $0             \
	JEQ  refused                   \
	CMPL LOSS, $const_Squared      \
	JNE  notSquared                \
	JMP  squared(SB)               \
notSquared:                            \
	CMPL LOSS, $const_SquaredHinge \
	JNE  notHinge                  \
	JMP  hinge(SB)                 \
notHinge:                              \
	CMPL LOSS, $const_Logistic     \
	JNE  notLogistic               \
	JMP  logistic(SB)              \
notLogistic:                           \
	CMPL LOSS, $const_Huber        \
	JNE  refused                   \
	MOVQ delta, BYTES              \
	DECQ BYTES                     \
	MOVQ $0x7fefffffffffffff, TWICE \ // the greatest number; 0, NaN and what is negative are above
	CMPQ BYTES, TWICE              \
	JCC  refused                   \
	JMP  huber(SB)

#define NO_ERROR(err) \
	XORPS  X0, X0 \
	MOVUPS X0, err

// To the kernel of the path in use, which is not the portable one.
#define TO_KERNEL(avx2, avx512) \
more:                        \
	CMPL ·path(SB), $1   \
	JEQ  narrow          \
	JMP  avx512(SB)      \
narrow:                      \
	JMP  avx2(SB)

#define CONSTANTS LEAQ ·elementTable(SB), R8

// The margins and labels at the offset.
#define READ(move, offset) \
	move offset(Z), X7 \
	move offset(Y), X8

#define WRITE_COEF(move, offset) move X8, offset(COEF)
#define WRITE_NOTHING(move, offset)

// X0 = phi and X8 = dphi/dz by TERMS of one or two elements.
#define STEP(move, offset, TERMS, WRITE) \
	READ(move, offset) \
	TERMS              \
	WRITE(move, offset)

// Up to four elements, with more of them on to over. Weighted ones in rounds of two.
#define FEW(TERMS, WRITE, over) \
	CONSTANTS                        \
	CMPQ    N, $4                    \
	JHI     over                     \
	TESTQ   WEIGHT, WEIGHT           \
	JNE     pairs                    \
	CMPQ    N, $2                    \
	JCS     alone                    \
	STEP(VMOVUPD, 0, TERMS, WRITE)   \
	JEQ     two                      \
	VMOVAPD X0, X14                  \
	CMPQ    N, $4                    \
	JNE     three                    \
	STEP(VMOVUPD, 16, TERMS, WRITE)  \
sum:                                     \
	VADDPD  X14, X0, X0              \
two:                                     \
	VUNPCKHPD X0, X0, X1             \
	VADDSD  X1, X0, X0               \
	VXORPD  X1, X1, X1               \
	VADDSD  X1, X0, X0               \
	VMOVSD  X0, ret+56(FP)           \
	RET                              \
three:                                   \
	STEP(VMOVSD, 16, TERMS, WRITE)   \
	VMOVQ   X0, X0                   \ // lane 3 is empty
	JMP     sum                      \
alone:                                   \
	STEP(VMOVSD, 0, TERMS, WRITE)    \
	VXORPD  X1, X1, X1               \
	VADDSD  X1, X0, X0               \
	VMOVSD  X0, ret+56(FP)           \
	RET                              \
pairs:                                   \
	VXORPD  X14, X14, X14            \
pair:                                    \
	SUBQ    $2, N                    \
	JLT     single                   \
	READ(VMOVUPD, 0)                 \
	VMOVUPD (WEIGHT), X9             \
	TERMS                            \
	VMULPD  X9, X8, X8               \
	WRITE(VMOVUPD, 0)                \
	VMULPD  X9, X0, X0               \
	VADDPD  X0, X14, X14             \
	ADDQ    $16, WEIGHT              \
	ADDQ    $16, COEF                \
	ADDQ    $16, Z                   \
	ADDQ    $16, Y                   \
	JMP     pair                     \
single:                                  \
	CMPQ    N, $-2                   \
	JEQ     weightedSum              \
	READ(VMOVSD, 0)                  \
	VMOVSD  (WEIGHT), X9             \
	TERMS                            \
	VMULPD  X9, X8, X8               \
	WRITE(VMOVSD, 0)                 \
	VMULPD  X9, X0, X0               \
	VADDPD  X0, X14, X14             \
weightedSum:                             \
	VMOVAPD X14, X0                  \
	JMP     two

// Five to eight unweighted elements, behind FEW, for terms that two vectors of two find as
// quickly as one of four.
#define UP_TO_EIGHT(TERMS, WRITE) \
overFour:                                \
	CMPQ    N, $8                    \
	JHI     more                     \
	TESTQ   WEIGHT, WEIGHT           \
	JNE     more                     \
	STEP(VMOVUPD, 0, TERMS, WRITE)   \
	VMOVAPD X0, X14                  \
	STEP(VMOVUPD, 16, TERMS, WRITE)  \
	VMOVAPD X0, X11                  \
	CMPQ    N, $6                    \
	JCS     five                     \
	STEP(VMOVUPD, 32, TERMS, WRITE)  \
	VADDPD  X0, X14, X14             \
	JEQ     six                      \
	CMPQ    N, $8                    \
	JNE     seven                    \
	STEP(VMOVUPD, 48, TERMS, WRITE)  \
eight:                                   \
	VADDPD  X0, X11, X11             \
six:                                     \
	VADDPD  X11, X14, X0             \
	JMP     two                      \
seven:                                   \
	STEP(VMOVSD, 48, TERMS, WRITE)   \
	VMOVQ   X0, X0                   \
	JMP     eight                    \
five:                                    \
	STEP(VMOVSD, 32, TERMS, WRITE)   \
	VMOVQ   X0, X0                   \
	VADDPD  X0, X14, X14             \
	JMP     six

#define WRITE_BOTH(move, offset) \
	move X0, offset(H) \
	move X1, offset(T)

// X0 = the second and X1 = the third derivative by TERMS, which finds the latter 0.
#define FEW_CURVATURES(TERMS) \
	CONSTANTS                        \
	VXORPD  X1, X1, X1               \
	CMPQ    N, $4                    \
	JHI     more                     \
	TESTQ   WEIGHT, WEIGHT           \
	JNE     more                     \
	CMPQ    N, $2                    \
	JCS     alone                    \
	STEP(VMOVUPD, 0, TERMS, WRITE_BOTH)  \
	JEQ     done                     \
	CMPQ    N, $4                    \
	JNE     three                    \
	STEP(VMOVUPD, 16, TERMS, WRITE_BOTH) \
done:                                    \
	RET                              \
three:                                   \
	STEP(VMOVSD, 16, TERMS, WRITE_BOTH) \
	RET                              \
alone:                                   \
	STEP(VMOVSD, 0, TERMS, WRITE_BOTH) \
	RET

#define SQUARED \
	VSUBPD X8, X7, X8    \
	VMULPD HALF, X8, X0  \
	VMULPD X8, X0, X0

#define SQUARED_HINGE \
	VFNMADD213PD ONE, X8, X7 \
	VXORPD X1, X1, X1    \
	VMAXPD X7, X1, X7    \ // NaN goes through
	VMULPD X7, X8, X8    \
	VXORPD SIGN_BIT, X8, X8 \
	VMULPD HALF, X7, X0  \
	VMULPD X7, X0, X0

#define HUBER \
	VSUBPD X8, X7, X0    \ // r
	VMINPD X0, X13, X8   \ // NaN goes through
	VXORPD SIGN_BIT, X13, X1 \
	VMAXPD X8, X1, X8    \ // c
	VFNMADD231PD HALF, X8, X0 \
	VMULPD X8, X0, X0

#define LESS_EQUAL $0x12
#define GREATER $0x1e

#define ONES VMOVUPD ONE, X0

#define WITHIN_MARGIN \
	VFNMADD213PD ONE, X8, X7 \
	VCMPPD GREATER, X1, X7, X0 \
	VMULPD X8, X8, X8    \
	VANDPD X8, X0, X0

#define WITHIN_DELTA \
	VSUBPD X8, X7, X0    \
	VANDPD ABS_MASK, X0, X0 \
	VCMPPD LESS_EQUAL, X13, X0, X0 \
	VANDPD ONE, X0, X0

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
	TESTQ   WEIGHT, WEIGHT
	JNE     weighted
	CMPQ    N, $1
	JEQ     apart // one element overlaps another or does not
	JCS     refused
	SPAN
	SAME_OR_APART(COEF, Z)
	SAME_OR_APART(COEF, Y)

apart:
	TO_LOSS(·squaredGrad, ·squaredHingeGrad, ·huberGrad, ·logisticGrad, delta+40(FP))

refused:
	JMP ·lossGradient(SB)

weighted:
	CMPQ N, $1
	JEQ  apart
	JCS  refused
	SPAN
	SAME_OR_APART(COEF, Z)
	SAME_OR_APART(COEF, Y)
	SAME_OR_APART(COEF, WEIGHT)
	JMP  apart

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
	TO_LOSS(·squaredSum, ·squaredHingeSum, ·huberSum, ·logisticGrad, delta+40(FP))

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
	JNE     weighted

apart:
	TO_LOSS(·squaredCurvatures, ·squaredHingeCurvatures, ·huberCurvatures, ·logisticCurvatures, delta+48(FP))

weighted:
	APART(H, WEIGHT)
	APART(T, WEIGHT)
	JMP  apart

refused:
	JMP ·lossCurvature(SB)

// func squaredGrad(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·squaredGrad(SB), NOSPLIT, $0-64
	FEW(SQUARED, WRITE_COEF, overFour)
	UP_TO_EIGHT(SQUARED, WRITE_COEF)
	TO_KERNEL(·squaredGradAVX2, ·squaredGradAVX512)

// func squaredSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·squaredSum(SB), NOSPLIT, $0-64
	FEW(SQUARED, WRITE_NOTHING, overFour)
	UP_TO_EIGHT(SQUARED, WRITE_NOTHING)
	TO_KERNEL(·squaredGradAVX2, ·squaredGradAVX512)

// func squaredHingeGrad(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·squaredHingeGrad(SB), NOSPLIT, $0-64
	FEW(SQUARED_HINGE, WRITE_COEF, more)
	TO_KERNEL(·squaredHingeGradAVX2, ·squaredHingeGradAVX512)

// func squaredHingeSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·squaredHingeSum(SB), NOSPLIT, $0-64
	FEW(SQUARED_HINGE, WRITE_NOTHING, more)
	TO_KERNEL(·squaredHingeGradAVX2, ·squaredHingeGradAVX512)

// func huberGrad(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·huberGrad(SB), NOSPLIT, $0-64
	VMOVDDUP delta+40(FP), X13
	FEW(HUBER, WRITE_COEF, overFour)
	UP_TO_EIGHT(HUBER, WRITE_COEF)
	TO_KERNEL(·huberGradAVX2, ·huberGradAVX512)

// func huberSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·huberSum(SB), NOSPLIT, $0-64
	VMOVDDUP delta+40(FP), X13
	FEW(HUBER, WRITE_NOTHING, overFour)
	UP_TO_EIGHT(HUBER, WRITE_NOTHING)
	TO_KERNEL(·huberGradAVX2, ·huberGradAVX512)

// func logisticGrad(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·logisticGrad(SB), NOSPLIT, $0-64
	CMPQ N, $4
	JHI  more
	JMP  ·logisticGradAVX2(SB)
	TO_KERNEL(·logisticGradAVX2, ·logisticGradAVX512)

// func squaredCurvatures(h, t, z, y, weight *float64, n int, delta float64, loss Loss)
TEXT ·squaredCurvatures(SB), NOSPLIT, $0-57
	FEW_CURVATURES(ONES)
more:
	JMP ·squaredCurvatureAVX2(SB)

// func squaredHingeCurvatures(h, t, z, y, weight *float64, n int, delta float64, loss Loss)
TEXT ·squaredHingeCurvatures(SB), NOSPLIT, $0-57
	FEW_CURVATURES(WITHIN_MARGIN)
	TO_KERNEL(·squaredHingeCurvatureAVX2, ·squaredHingeCurvatureAVX512)

// func huberCurvatures(h, t, z, y, weight *float64, n int, delta float64, loss Loss)
TEXT ·huberCurvatures(SB), NOSPLIT, $0-57
	VMOVDDUP delta+48(FP), X13
	FEW_CURVATURES(WITHIN_DELTA)
	TO_KERNEL(·huberCurvatureAVX2, ·huberCurvatureAVX512)

// func logisticCurvatures(h, t, z, y, weight *float64, n int, delta float64, loss Loss)
TEXT ·logisticCurvatures(SB), NOSPLIT, $0-57
	CMPQ N, $4
	JHI  more
	JMP  ·logisticCurvatureAVX2(SB)
	TO_KERNEL(·logisticCurvatureAVX2, ·logisticCurvatureAVX512)
