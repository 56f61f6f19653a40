//go:build !purego

#include "textflag.h"

// Assembly because only single instructions show what a machine gives. The definitions
// are the twins in machine.go.

#define READ         ·readAVX2
#define READ_TWO     ·readTwoAVX2
#define WRITE        ·writeAVX2
#define WRITE_AROUND ·writeAroundAVX2
#define COPY         ·copyAVX2
#define COPY_AROUND  ·copyAroundAVX2
#define UPDATE       ·updateAVX2
#define ACCUMULATE   ·accumulateAVX2
#define MULTIPLY_ADD ·multiplyAddAVX2
#define DIVIDE       ·divideAVX2
#define SQUARE_ROOT  ·squareRootAVX2

#define WIDTH 32
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
#define V14 Y14
#define V15 Y15

#define HALVE(OP)

#include "constants_amd64.h"
#include "wide_amd64.h"

// func gatherAVX2(idx []uint32, w []float64) float64
// Two indices are loaded at once: the loads of w are what counts.
TEXT ·gatherAVX2(SB), NOSPLIT, $0-56
	MOVQ idx_base+0(FP), SI
	MOVQ idx_len+8(FP), CX
	MOVQ w_base+24(FP), DX
	EIGHT(CLEAR)
	PCALIGN $32

#define ADD_TWO(offset, r, s, x, y) \
	MOVQ   offset(SI), r      \
	MOVL   r, s               \
	SHRQ   $32, r             \
	VADDSD (DX)(s*8), x, x    \
	VADDSD (DX)(r*8), y, y

loop:
	ADD_TWO(0, R8, R9, X0, X1)
	ADD_TWO(8, R10, R11, X2, X3)
	ADD_TWO(16, R8, R9, X4, X5)
	ADD_TWO(24, R10, R11, X6, X7)
	ADDQ $32, SI
	SUBQ $8, CX
	JGT  loop
	SUM_EIGHT
	VZEROUPPER
	MOVSD X0, ret+48(FP)
	RET

#define ADD_FOUR(offset, x, y, sum) \
	VMOVDQU    offset(SI), x      \
	VPCMPEQD   Y14, Y14, Y14      \ // which of the four to load
	VXORPD     y, y, y            \
	VGATHERDPD Y14, (DX)(x*8), y  \
	VADDPD     y, sum, sum

// func gatherAtOnceAVX2(idx []uint32, w []float64) float64
TEXT ·gatherAtOnceAVX2(SB), NOSPLIT, $0-56
	MOVQ idx_base+0(FP), SI
	MOVQ idx_len+8(FP), CX
	MOVQ w_base+24(FP), DX
	EIGHT(CLEAR)
	PCALIGN $32

loop:
	ADD_FOUR(0, X8, Y10, Y0)
	ADD_FOUR(16, X9, Y11, Y1)
	ADD_FOUR(32, X12, Y13, Y2)
	ADD_FOUR(48, X15, Y10, Y3)
	ADDQ $64, SI
	SUBQ $16, CX
	JGT  loop
	SUM_EIGHT
	VZEROUPPER
	MOVSD X0, ret+48(FP)
	RET

#define ADD_TO_TWO(offset, r, s) \
	MOVQ   offset(SI), r      \
	MOVL   r, s               \
	SHRQ   $32, r             \
	VADDSD (DI)(s*8), X0, X1  \
	VMOVSD X1, (DI)(s*8)      \
	VADDSD (DI)(r*8), X0, X2  \
	VMOVSD X2, (DI)(r*8)

// func scatterAVX2(w []float64, idx []uint32, c float64)
TEXT ·scatterAVX2(SB), NOSPLIT, $0-56
	MOVQ   w_base+0(FP), DI
	MOVQ   idx_base+24(FP), SI
	MOVQ   idx_len+32(FP), CX
	VMOVSD c+48(FP), X0
	PCALIGN $32

loop:
	ADD_TO_TWO(0, R8, R9)
	ADD_TO_TWO(8, R10, R11)
	ADD_TO_TWO(16, R8, R9)
	ADD_TO_TWO(24, R10, R11)
	ADDQ $32, SI
	SUBQ $8, CX
	JGT  loop
	RET

// func nothingAVX2(x, y []float64) float64
TEXT ·nothingAVX2(SB), NOSPLIT, $0-56
	MOVQ $0, ret+48(FP)
	RET
