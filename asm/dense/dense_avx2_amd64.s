//go:build !purego

#include "textflag.h"

// Assembly because Go's compiler does not vectorise and offers no fused
// multiply-add on vectors. The definitions are the twins in dense.go.

#define N CX   // elements left
#define DST DI
#define X SI
#define Y DX

DATA denseIota<>+0(SB)/8, $0
DATA denseIota<>+8(SB)/8, $1
DATA denseIota<>+16(SB)/8, $2
DATA denseIota<>+24(SB)/8, $3
GLOBL denseIota<>(SB), RODATA|NOPTR, $32

DATA denseFour<>+0(SB)/8, $4
GLOBL denseFour<>(SB), RODATA|NOPTR, $8

DATA denseSign<>+0(SB)/8, $0x8000000000000000
GLOBL denseSign<>(SB), RODATA|NOPTR, $8

DATA denseAbs<>+0(SB)/8, $0x7fffffffffffffff
GLOBL denseAbs<>(SB), RODATA|NOPTR, $8

// One group of four lanes: LOAD fills Y8 and Y9 from offset, ADD adds to acc.
#define GROUP(LOAD, ADD, offset, acc) \
	LOAD(offset) \
	ADD(acc)

// The same for the last N < 32 elements: MASKED fills Y8 and Y9 with zeros
// where there is no element. Y9 becomes -0 there, so that the lane keeps its
// bits, even a -0.
#define LAST(MASKED, ADD, offset, acc) \
	VPCMPGTQ Y13, Y14, Y11 \
	MASKED(offset)         \
	VANDNPD  Y12, Y11, Y10 \
	VORPD    Y10, Y9, Y9   \
	ADD(acc)               \
	SUBQ     $4, N         \
	JLE      tree          \
	VPADDQ   Y15, Y13, Y13

// The sum over 32 lanes, in Y0 to Y7, and their tree, to X0.
#define LANES(LOAD, MASKED, ADD) \
	VXORPD Y0, Y0, Y0         \
	VXORPD Y1, Y1, Y1         \
	VXORPD Y2, Y2, Y2         \
	VXORPD Y3, Y3, Y3         \
	VXORPD Y4, Y4, Y4         \
	VXORPD Y5, Y5, Y5         \
	VXORPD Y6, Y6, Y6         \
	VXORPD Y7, Y7, Y7         \
	SUBQ $32, N               \
	JLT  last                 \
loop:                             \
	GROUP(LOAD, ADD, 0, Y0)   \
	GROUP(LOAD, ADD, 32, Y1)  \
	GROUP(LOAD, ADD, 64, Y2)  \
	GROUP(LOAD, ADD, 96, Y3)  \
	GROUP(LOAD, ADD, 128, Y4) \
	GROUP(LOAD, ADD, 160, Y5) \
	GROUP(LOAD, ADD, 192, Y6) \
	GROUP(LOAD, ADD, 224, Y7) \
	ADDQ $256, X              \
	ADDQ $256, Y              \
	SUBQ $32, N               \
	JGE  loop                 \
last:                             \
	ADDQ $32, N               \
	JEQ  tree                 \
	VMOVDQU      denseIota<>(SB), Y13 \
	VPBROADCASTQ denseFour<>(SB), Y15 \
	VBROADCASTSD denseSign<>(SB), Y12 \
	MOVQ         N, X14               \
	VPBROADCASTQ X14, Y14             \
	LAST(MASKED, ADD, 0, Y0)   \
	LAST(MASKED, ADD, 32, Y1)  \
	LAST(MASKED, ADD, 64, Y2)  \
	LAST(MASKED, ADD, 96, Y3)  \
	LAST(MASKED, ADD, 128, Y4) \
	LAST(MASKED, ADD, 160, Y5) \
	LAST(MASKED, ADD, 192, Y6) \
	LAST(MASKED, ADD, 224, Y7) \
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

#define LOAD_TWO(offset) \
	VMOVUPD offset(X), Y8 \
	VMOVUPD offset(Y), Y9

#define MASKED_TWO(offset) \
	VMASKMOVPD offset(X), Y11, Y8 \
	VMASKMOVPD offset(Y), Y11, Y9

#define LOAD_SAME(offset) \
	VMOVUPD offset(X), Y8 \
	VMOVAPD Y8, Y9

#define MASKED_SAME(offset) \
	VMASKMOVPD offset(X), Y11, Y8 \
	VMOVAPD    Y8, Y9

#define LOAD_DIFFERENCE(offset) \
	VMOVUPD offset(X), Y8     \
	VSUBPD  offset(Y), Y8, Y8 \
	VMOVAPD Y8, Y9

#define MASKED_DIFFERENCE(offset) \
	MASKED_TWO(offset)        \
	VSUBPD  Y9, Y8, Y8        \
	VMOVAPD Y8, Y9

#define LOAD_ONE(offset) VMOVUPD offset(X), Y9
#define MASKED_ONE(offset) VMASKMOVPD offset(X), Y11, Y9

#define ADD_PRODUCT(acc) VFMADD231PD Y8, Y9, acc
#define ADD_ONE(acc) VADDPD Y9, acc, acc

// The largest |x| of eight so far goes to acc1 and acc2, and to Y7 whether any
// is NaN, of which VMAXPD loses track.
#define MAX_ABS(offset, acc1, acc2) \
	VANDPD offset(X), Y15, Y8    \
	VANDPD offset+32(X), Y15, Y9 \
	VMAXPD Y8, acc1, acc1        \
	VMAXPD Y9, acc2, acc2        \
	VCMPPD $3, Y8, Y9, Y10       \ // unordered
	VORPD  Y10, Y7, Y7

// func denseMaxAbsAVX2(x []float64) float64
TEXT ·denseMaxAbsAVX2(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), X
	MOVQ         x_len+8(FP), N
	VBROADCASTSD denseAbs<>(SB), Y15
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	VXORPD       Y2, Y2, Y2
	VXORPD       Y3, Y3, Y3
	VXORPD       Y7, Y7, Y7
	SUBQ         $16, N
	JLT          single

loop:
	MAX_ABS(0, Y0, Y1)
	MAX_ABS(64, Y2, Y3)
	ADDQ $128, X
	SUBQ $16, N
	JGE  loop

single:
	ADDQ $16, N
	JEQ  combine

next:
	VMOVSD (X), X8
	VANDPD Y15, Y8, Y8
	VMAXPD Y8, Y0, Y0
	VCMPPD $3, Y8, Y8, Y10
	VORPD  Y10, Y7, Y7
	ADDQ   $8, X
	DECQ   N
	JNE    next

combine:
	VMAXPD       Y1, Y0, Y0
	VMAXPD       Y3, Y2, Y2
	VMAXPD       Y2, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPD       X1, X0, X0
	VUNPCKHPD    X0, X0, X1
	VMAXSD       X1, X0, X0
	VMOVMSKPD    Y7, AX
	VZEROUPPER
	TESTL        AX, AX
	JEQ          return
	MOVQ         $0x7ff8000000000001, AX
	MOVQ         AX, X0

return:
	MOVSD X0, ret+24(FP)
	RET

// Y12 = OP of Y12 = x and, where READ_Y loads it, Y13 = y, sixteen elements at
// a time, then four, then one.
#define STEP(READ_Y, OP, offset) \
	VMOVUPD offset(X), Y12 \
	READ_Y(offset)         \
	OP                     \
	VMOVUPD Y12, offset(DST)

#define MAP(READ_Y, READ_Y1, OP) \
	SUBQ $16, N            \
	JLT  four              \
loop:                          \
	STEP(READ_Y, OP, 0)    \
	STEP(READ_Y, OP, 32)   \
	STEP(READ_Y, OP, 64)   \
	STEP(READ_Y, OP, 96)   \
	ADDQ $128, X           \
	ADDQ $128, Y           \
	ADDQ $128, DST         \
	SUBQ $16, N            \
	JGE  loop              \
four:                          \
	ADDQ $12, N            \
	JLT  single            \
nextFour:                      \
	STEP(READ_Y, OP, 0)    \
	ADDQ $32, X            \
	ADDQ $32, Y            \
	ADDQ $32, DST          \
	SUBQ $4, N             \
	JGE  nextFour          \
single:                        \
	ADDQ $4, N             \
	JEQ  done              \
next:                          \
	VMOVSD (X), X12        \
	READ_Y1                \
	OP                     \
	VMOVSD X12, (DST)      \
	ADDQ $8, X             \
	ADDQ $8, Y             \
	ADDQ $8, DST           \
	DECQ N                 \
	JNE  next              \
done:                          \
	VZEROUPPER

#define NO_Y(offset)
#define NO_Y1
#define READ_Y(offset) VMOVUPD offset(Y), Y13
#define READ_Y1 VMOVSD (Y), X13

// Y0 = t, Y1 = the bits of |x|.
#define SOFT_THRESHOLD \
	VANDPD  Y1, Y12, Y13       \
	VCMPPD  $0x12, Y0, Y13, Y14 \ // |x| <= t, ordered
	VSUBPD  Y0, Y13, Y13       \
	VANDNPD Y12, Y1, Y12       \
	VORPD   Y12, Y13, Y13      \
	VANDNPD Y13, Y14, Y12

#define SUM_PRODUCTS LANES(LOAD_TWO, MASKED_TWO, ADD_PRODUCT)
#define SUM_SQUARES LANES(LOAD_SAME, MASKED_SAME, ADD_PRODUCT)
#define SUM_SQUARED_DIFFERENCES LANES(LOAD_DIFFERENCE, MASKED_DIFFERENCE, ADD_PRODUCT)
#define SUM_ELEMENTS LANES(LOAD_ONE, MASKED_ONE, ADD_ONE)

#define MAP_ONE(OP) MAP(NO_Y, NO_Y1, OP)
#define MAP_TWO(OP) MAP(READ_Y, READ_Y1, OP)

#define MOVE4(from, to) VMOVUPD from, to
#define MOVE1(from, to) VMOVSD from, to

// Four elements at a time, then one.
#define UPDATE(READ, OP, WRITE, ADVANCE) \
	SUBQ $4, N                     \
	JLT  single                    \
loop:                                  \
	READ(MOVE4, Y8, Y9, Y10, Y11)  \
	OP                             \
	WRITE(MOVE4, Y8, Y9, Y10)      \
	ADVANCE(32)                    \
	SUBQ $4, N                     \
	JGE  loop                      \
single:                                \
	ADDQ $4, N                     \
	JEQ  done                      \
next:                                  \
	READ(MOVE1, X8, X9, X10, X11)  \
	OP                             \
	WRITE(MOVE1, X8, X9, X10)      \
	ADVANCE(8)                     \
	DECQ N                         \
	JNE  next                      \
done:                                  \
	VZEROUPPER                     \
	RET

#define DOT_NAME ·denseDotAVX2
#define SQUARED_NORM_NAME ·denseSquaredNormAVX2
#define SQUARED_DISTANCE_NAME ·denseSquaredDistanceAVX2
#define SUM_NAME ·denseSumAVX2
#define AXPY_NAME ·denseAxpyAVX2
#define SCALE_ADD_NAME ·denseScaleAddAVX2
#define SCALE_NAME ·denseScaleAVX2
#define ADD_SCALAR_NAME ·denseAddScalarAVX2
#define MUL_NAME ·denseMulAVX2
#define SOFT_THRESHOLD_NAME ·denseSoftThresholdAVX2
#define BOX_NAME ·denseBoxAVX2
#define ADAM_NAME ·denseAdamAVX2
#define MOMENTUM_NAME ·denseMomentumAVX2

#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13

#include "dense_kernels_amd64.h"
