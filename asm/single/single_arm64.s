//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// single.go.

#define X R1
#define Y R2
#define N R3 // elements left

// One group of two lanes of the last N < 32 elements: LAST fills V16 and V17 with two
// elements, or with one and a zero where the flags say that N is 1. Zeros change no
// lane: none is ever -0, as float32 products and sums do not underflow in float64.
#define LAST_GROUP(LAST, TERM, acc, v) \
	CMP  $2, N   \
	LAST         \
	TERM(acc, v) \
	SUBS $2, N   \
	BLE  tree

// The sum over 32 lanes, in V0 to V15, and their tree, to F0. LOAD fills V16 and V17
// with four elements, TERMS adds them to two groups of lanes, TERM the first two to one.
#define LANES(LOAD, TERMS, LAST, TERM) \
	VEOR V0.B16, V0.B16, V0.B16 \
	VEOR V1.B16, V1.B16, V1.B16 \
	VEOR V2.B16, V2.B16, V2.B16 \
	VEOR V3.B16, V3.B16, V3.B16 \
	VEOR V4.B16, V4.B16, V4.B16 \
	VEOR V5.B16, V5.B16, V5.B16 \
	VEOR V6.B16, V6.B16, V6.B16 \
	VEOR V7.B16, V7.B16, V7.B16 \
	VEOR V8.B16, V8.B16, V8.B16 \
	VEOR V9.B16, V9.B16, V9.B16 \
	VEOR V10.B16, V10.B16, V10.B16 \
	VEOR V11.B16, V11.B16, V11.B16 \
	VEOR V12.B16, V12.B16, V12.B16 \
	VEOR V13.B16, V13.B16, V13.B16 \
	VEOR V14.B16, V14.B16, V14.B16 \
	VEOR V15.B16, V15.B16, V15.B16 \
	SUBS $32, N \
	BLT  last    \
loop:                \
	LOAD \
	TERMS(0, V0, 1, V1) \
	LOAD \
	TERMS(2, V2, 3, V3) \
	LOAD \
	TERMS(4, V4, 5, V5) \
	LOAD \
	TERMS(6, V6, 7, V7) \
	LOAD \
	TERMS(8, V8, 9, V9) \
	LOAD \
	TERMS(10, V10, 11, V11) \
	LOAD \
	TERMS(12, V12, 13, V13) \
	LOAD \
	TERMS(14, V14, 15, V15) \
	SUBS $32, N \
	BGE  loop    \
last:                \
	ADDS $32, N  \
	BEQ  tree    \
	LAST_GROUP(LAST, TERM, 0, V0) \
	LAST_GROUP(LAST, TERM, 1, V1) \
	LAST_GROUP(LAST, TERM, 2, V2) \
	LAST_GROUP(LAST, TERM, 3, V3) \
	LAST_GROUP(LAST, TERM, 4, V4) \
	LAST_GROUP(LAST, TERM, 5, V5) \
	LAST_GROUP(LAST, TERM, 6, V6) \
	LAST_GROUP(LAST, TERM, 7, V7) \
	LAST_GROUP(LAST, TERM, 8, V8) \
	LAST_GROUP(LAST, TERM, 9, V9) \
	LAST_GROUP(LAST, TERM, 10, V10) \
	LAST_GROUP(LAST, TERM, 11, V11) \
	LAST_GROUP(LAST, TERM, 12, V12) \
	LAST_GROUP(LAST, TERM, 13, V13) \
	LAST_GROUP(LAST, TERM, 14, V14) \
	LAST_GROUP(LAST, TERM, 15, V15) \
tree:                \
	FADD2(8, 0, 0) \
	FADD2(9, 1, 1) \
	FADD2(10, 2, 2) \
	FADD2(11, 3, 3) \
	FADD2(12, 4, 4) \
	FADD2(13, 5, 5) \
	FADD2(14, 6, 6) \
	FADD2(15, 7, 7) \
	FADD2(4, 0, 0) \
	FADD2(5, 1, 1) \
	FADD2(6, 2, 2) \
	FADD2(7, 3, 3) \
	FADD2(2, 0, 0) \
	FADD2(3, 1, 1) \
	FADD2(1, 0, 0) \
	FADDP2(0, 0, 0)

#define LOAD_TWO \
	FMOVQ.P 16(X), F16 \
	FMOVQ.P 16(Y), F17

#define LAST_TWO \
	BLT     4(PC)      \
	FMOVD.P 8(X), F16  \
	FMOVD.P 8(Y), F17  \
	B       3(PC)      \
	FMOVS   (X), F16   \
	FMOVS   (Y), F17

#define LOAD_ONE FMOVQ.P 16(X), F16

#define LAST_ONE \
	BLT     3(PC)     \
	FMOVD.P 8(X), F16 \
	B       2(PC)     \
	FMOVS   (X), F16

#define DOT_TERM(acc, v) \
	FCVTL(16, 18) \
	FCVTL(17, 20) \
	VFMLA V18.D2, V20.D2, v.D2

#define DOT_TERMS(acc, v, next, w) \
	DOT_TERM(acc, v) \
	FCVTL2(16, 19)   \
	FCVTL2(17, 21)   \
	VFMLA V19.D2, V21.D2, w.D2

// func singleDotNEON(x, y []float32) float64
TEXT ·singleDotNEON(SB), NOSPLIT, $0-56
	MOVD x_base+0(FP), X
	MOVD x_len+8(FP), N
	MOVD y_base+24(FP), Y
	LANES(LOAD_TWO, DOT_TERMS, LAST_TWO, DOT_TERM)
	FMOVD F0, ret+48(FP)
	RET

#define NORM_TERM(acc, v) \
	FCVTL(16, 18) \
	VFMLA V18.D2, V18.D2, v.D2

#define NORM_TERMS(acc, v, next, w) \
	NORM_TERM(acc, v) \
	FCVTL2(16, 19)    \
	VFMLA V19.D2, V19.D2, w.D2

// func singleSquaredNormNEON(x []float32) float64
TEXT ·singleSquaredNormNEON(SB), NOSPLIT, $0-32
	MOVD x_base+0(FP), X
	MOVD x_len+8(FP), N
	LANES(LOAD_ONE, NORM_TERMS, LAST_ONE, NORM_TERM)
	FMOVD F0, ret+24(FP)
	RET

#define SUM_TERM(acc, v) \
	FCVTL(16, 18) \
	FADD2(18, acc, acc)

#define SUM_TERMS(acc, v, next, w) \
	SUM_TERM(acc, v) \
	FCVTL2(16, 19)   \
	FADD2(19, next, next)

// func singleSumNEON(x []float32) float64
TEXT ·singleSumNEON(SB), NOSPLIT, $0-32
	MOVD x_base+0(FP), X
	MOVD x_len+8(FP), N
	LANES(LOAD_ONE, SUM_TERMS, LAST_ONE, SUM_TERM)
	FMOVD F0, ret+24(FP)
	RET
