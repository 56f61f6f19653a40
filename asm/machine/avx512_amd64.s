//go:build !purego

#include "textflag.h"

// See avx2_amd64.s.

#define READ         ·readAVX512
#define READ_TWO     ·readTwoAVX512
#define WRITE        ·writeAVX512
#define WRITE_AROUND ·writeAroundAVX512
#define COPY         ·copyAVX512
#define COPY_AROUND  ·copyAroundAVX512
#define UPDATE       ·updateAVX512
#define ACCUMULATE   ·accumulateAVX512
#define MULTIPLY_ADD ·multiplyAddAVX512
#define DIVIDE       ·divideAVX512
#define SQUARE_ROOT  ·squareRootAVX512

#define WIDTH 64
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
#define V14 Z14
#define V15 Z15

#define HALVE(OP) \
	VEXTRACTF64X4 $1, Z0, Y1 \
	OP            Y1, Y0, Y0

#include "constants_amd64.h"
#include "wide_amd64.h"

#define ADD_EIGHT(offset, y, z, sum) \
	VMOVDQU    offset(SI), y          \
	KXNORW     K1, K1, K1             \ // which of the eight to load
	VXORPD     z, z, z                \
	VGATHERDPD (DX)(y*8), K1, z       \
	VADDPD     z, sum, sum

// func gatherAtOnceAVX512(idx []uint32, w []float64) float64
TEXT ·gatherAtOnceAVX512(SB), NOSPLIT, $0-56
	MOVQ idx_base+0(FP), SI
	MOVQ idx_len+8(FP), CX
	MOVQ w_base+24(FP), DX
	EIGHT(CLEAR)
	PCALIGN $32

loop:
	ADD_EIGHT(0, Y8, Z12, Z0)
	ADD_EIGHT(32, Y9, Z13, Z1)
	ADD_EIGHT(64, Y10, Z14, Z2)
	ADD_EIGHT(96, Y11, Z15, Z3)
	SUBQ $-128, SI
	SUBQ $32, CX
	JGT  loop
	SUM_EIGHT
	VZEROUPPER
	MOVSD X0, ret+48(FP)
	RET
