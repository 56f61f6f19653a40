//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Assembly because only single instructions show what a machine gives. The definitions
// are the twins in machine.go.

#define DST R0
#define X R1
#define N R2    // elements or rounds left
#define W R3

#define EIGHT(OP) \
	OP(V0) \
	OP(V1) \
	OP(V2) \
	OP(V3) \
	OP(V4) \
	OP(V5) \
	OP(V6) \
	OP(V7)

#define EIGHT_NUMBERED(OP) \
	OP(0) \
	OP(1) \
	OP(2) \
	OP(3) \
	OP(4) \
	OP(5) \
	OP(6) \
	OP(7)

#define TWENTY(OP) \
	EIGHT(OP) \
	OP(V8)    \
	OP(V9)    \
	OP(V10)   \
	OP(V11)   \
	OP(V12)   \
	OP(V13)   \
	OP(V14)   \
	OP(V15)   \
	OP(V16)   \
	OP(V17)   \
	OP(V18)   \
	OP(V19)

#define CLEAR(v) VEOR v.B16, v.B16, v.B16

// The sum of both lanes of V0 to V7, to F0.
#define SUM_EIGHT \
	FADD2(4, 0, 0)  \
	FADD2(5, 1, 1)  \
	FADD2(6, 2, 2)  \
	FADD2(7, 3, 3)  \
	FADD2(2, 0, 0)  \
	FADD2(3, 1, 1)  \
	FADD2(1, 0, 0)  \
	FADDP2(0, 0, 0)

// 128 bytes of X, to V16 to V23.
#define LOAD_EIGHT \
	FLDPQ 0(X), (F16, F17)  \
	FLDPQ 32(X), (F18, F19) \
	FLDPQ 64(X), (F20, F21) \
	FLDPQ 96(X), (F22, F23)

// V16 to V23, to V0 to V7.
#define XOR_LOADED \
	VEOR V16.B16, V0.B16, V0.B16 \
	VEOR V17.B16, V1.B16, V1.B16 \
	VEOR V18.B16, V2.B16, V2.B16 \
	VEOR V19.B16, V3.B16, V3.B16 \
	VEOR V20.B16, V4.B16, V4.B16 \
	VEOR V21.B16, V5.B16, V5.B16 \
	VEOR V22.B16, V6.B16, V6.B16 \
	VEOR V23.B16, V7.B16, V7.B16

// The exclusive or of both lanes of V0 to V7, to R4.
#define XOR_EIGHT \
	VEOR V4.B16, V0.B16, V0.B16 \
	VEOR V5.B16, V1.B16, V1.B16 \
	VEOR V6.B16, V2.B16, V2.B16 \
	VEOR V7.B16, V3.B16, V3.B16 \
	VEOR V2.B16, V0.B16, V0.B16 \
	VEOR V3.B16, V1.B16, V1.B16 \
	VEOR V1.B16, V0.B16, V0.B16 \
	VMOV V0.D[0], R4 \
	VMOV V0.D[1], R5 \
	EOR  R5, R4, R4

#define STORE_EIGHT \
	FSTPQ (F16, F17), 0(DST)  \
	FSTPQ (F18, F19), 32(DST) \
	FSTPQ (F20, F21), 64(DST) \
	FSTPQ (F22, F23), 96(DST)

// func readNEON(x []float64) uint64
TEXT ·readNEON(SB), NOSPLIT, $0-32
	MOVD x_base+0(FP), X
	MOVD x_len+8(FP), N
	EIGHT(CLEAR)

loop:
	LOAD_EIGHT
	XOR_LOADED
	ADD  $128, X
	SUBS $16, N
	BGT  loop
	XOR_EIGHT
	MOVD R4, ret+24(FP)
	RET

// func readTwoNEON(x, y []float64) uint64
TEXT ·readTwoNEON(SB), NOSPLIT, $0-56
	MOVD x_base+0(FP), X
	MOVD x_len+8(FP), N
	MOVD y_base+24(FP), W
	EIGHT(CLEAR)

loop:
	FLDPQ 0(X), (F16, F17)
	FLDPQ 0(W), (F18, F19)
	FLDPQ 32(X), (F20, F21)
	FLDPQ 32(W), (F22, F23)
	XOR_LOADED
	ADD   $64, X
	ADD   $64, W
	SUBS  $8, N
	BGT   loop
	XOR_EIGHT
	MOVD  R4, ret+48(FP)
	RET

// func writeNEON(x []float64, v float64)
TEXT ·writeNEON(SB), NOSPLIT, $0-32
	MOVD  x_base+0(FP), DST
	MOVD  x_len+8(FP), N
	FMOVD v+24(FP), F16
	VDUP  V16.D[0], V16.D2
	VORR  V16.B16, V16.B16, V17.B16

loop:
	FSTPQ (F16, F17), 0(DST)
	FSTPQ (F16, F17), 32(DST)
	FSTPQ (F16, F17), 64(DST)
	FSTPQ (F16, F17), 96(DST)
	ADD   $128, DST
	SUBS  $16, N
	BGT   loop
	RET

// func copyNEON(dst, x []float64)
TEXT ·copyNEON(SB), NOSPLIT, $0-48
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	MOVD x_base+24(FP), X

loop:
	LOAD_EIGHT
	STORE_EIGHT
	ADD  $128, X
	ADD  $128, DST
	SUBS $16, N
	BGT  loop
	RET

// func updateNEON(x []float64, a float64)
TEXT ·updateNEON(SB), NOSPLIT, $0-32
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	FMOVD a+24(FP), F24
	VDUP  V24.D[0], V24.D2
	MOVD  X, DST

loop:
	LOAD_EIGHT
	FMUL2(24, 16, 16)
	FMUL2(24, 17, 17)
	FMUL2(24, 18, 18)
	FMUL2(24, 19, 19)
	FMUL2(24, 20, 20)
	FMUL2(24, 21, 21)
	FMUL2(24, 22, 22)
	FMUL2(24, 23, 23)
	STORE_EIGHT
	ADD  $128, X
	ADD  $128, DST
	SUBS $16, N
	BGT  loop
	RET

// func accumulateNEON(y, x []float64)
TEXT ·accumulateNEON(SB), NOSPLIT, $0-48
	MOVD y_base+0(FP), DST
	MOVD y_len+8(FP), N
	MOVD x_base+24(FP), X

loop:
	FLDPQ 0(X), (F0, F1)
	FLDPQ 32(X), (F2, F3)
	FLDPQ 64(X), (F4, F5)
	FLDPQ 96(X), (F6, F7)
	FLDPQ 0(DST), (F16, F17)
	FLDPQ 32(DST), (F18, F19)
	FLDPQ 64(DST), (F20, F21)
	FLDPQ 96(DST), (F22, F23)
	FADD2(0, 16, 16)
	FADD2(1, 17, 17)
	FADD2(2, 18, 18)
	FADD2(3, 19, 19)
	FADD2(4, 20, 20)
	FADD2(5, 21, 21)
	FADD2(6, 22, 22)
	FADD2(7, 23, 23)
	STORE_EIGHT
	ADD  $128, X
	ADD  $128, DST
	SUBS $16, N
	BGT  loop
	RET

#define ADD_ONE(index, v, sum) \
	FMOVD (W)(index<<3), v \
	FADDD v, sum, sum

// func gatherNEON(idx []uint32, w []float64) float64
TEXT ·gatherNEON(SB), NOSPLIT, $0-56
	MOVD idx_base+0(FP), X
	MOVD idx_len+8(FP), N
	MOVD w_base+24(FP), W
	EIGHT(CLEAR)

loop:
	LDPW 0(X), (R4, R5)
	LDPW 8(X), (R6, R7)
	LDPW 16(X), (R8, R9)
	LDPW 24(X), (R10, R11)
	ADD_ONE(R4, F16, F0)
	ADD_ONE(R5, F17, F1)
	ADD_ONE(R6, F18, F2)
	ADD_ONE(R7, F19, F3)
	ADD_ONE(R8, F20, F4)
	ADD_ONE(R9, F21, F5)
	ADD_ONE(R10, F22, F6)
	ADD_ONE(R11, F23, F7)
	ADD   $32, X
	SUBS  $8, N
	BGT   loop
	SUM_EIGHT
	FMOVD F0, ret+48(FP)
	RET

#define ADD_TO(index, v) \
	FMOVD (W)(index<<3), v \
	FADDD v, F0, v         \
	FMOVD v, (W)(index<<3)

// func scatterNEON(w []float64, idx []uint32, c float64)
TEXT ·scatterNEON(SB), NOSPLIT, $0-56
	MOVD  w_base+0(FP), W
	MOVD  idx_base+24(FP), X
	MOVD  idx_len+32(FP), N
	FMOVD c+48(FP), F0

loop:
	LDPW 0(X), (R4, R5)
	LDPW 8(X), (R6, R7)
	ADD_TO(R4, F16)
	ADD_TO(R5, F17)
	ADD_TO(R6, F18)
	ADD_TO(R7, F19)
	ADD  $16, X
	SUBS $4, N
	BGT  loop
	RET

#define ADD_PRODUCT(v) VFMLA V31.D2, V31.D2, v.D2

// Twenty sums of one a multiply-add: as many as the widest cores have underway.
// func multiplyAddNEON(n int) float64
TEXT ·multiplyAddNEON(SB), NOSPLIT, $0-16
	MOVD  n+0(FP), N
	TWENTY(CLEAR)
	FMOVD $1.0, F31
	VDUP  V31.D[0], V31.D2

loop:
	TWENTY(ADD_PRODUCT)
	SUBS $1, N
	BGT  loop
	FADD2(16, 0, 0)
	FADD2(17, 1, 1)
	FADD2(18, 2, 2)
	FADD2(19, 3, 3)
	FADD2(8, 0, 0)
	FADD2(9, 1, 1)
	FADD2(10, 2, 2)
	FADD2(11, 3, 3)
	FADD2(12, 4, 4)
	FADD2(13, 5, 5)
	FADD2(14, 6, 6)
	FADD2(15, 7, 7)
	SUM_EIGHT
	FMOVD F0, ret+8(FP)
	RET

#define BEGIN(v) VDUP V30.D[0], v.D2
#define QUOTIENT(k) FDIV2(k, 31, k)

// func divideNEON(n int) float64
TEXT ·divideNEON(SB), NOSPLIT, $0-16
	MOVD  n+0(FP), N
	FMOVD $1.5, F30
	FMOVD $2.0, F31
	VDUP  V31.D[0], V31.D2
	EIGHT(BEGIN)

loop:
	EIGHT_NUMBERED(QUOTIENT)
	SUBS  $1, N
	BGT   loop
	SUM_EIGHT
	FMOVD F0, ret+8(FP)
	RET

DATA machineFactor<>+0(SB)/8, $1.7
GLOBL machineFactor<>(SB), RODATA|NOPTR, $8

#define ROOT(k) \
	FMUL2(k, 31, k) \
	FSQRT2(k, k)

// func squareRootNEON(n int) float64
TEXT ·squareRootNEON(SB), NOSPLIT, $0-16
	MOVD  n+0(FP), N
	FMOVD $1.0, F30
	FMOVD machineFactor<>(SB), F31
	VDUP  V31.D[0], V31.D2
	EIGHT(BEGIN)

loop:
	EIGHT_NUMBERED(ROOT)
	SUBS  $1, N
	BGT   loop
	SUM_EIGHT
	FMOVD F0, ret+8(FP)
	RET

// func nothingNEON(x, y []float64) float64
TEXT ·nothingNEON(SB), NOSPLIT, $0-56
	MOVD ZR, ret+48(FP)
	RET
