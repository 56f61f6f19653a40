//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// The definitions are the twins in threshold.go. V8 is the threshold.

#define DST R0
#define S R1
#define N R2    // elements left
#define FIRST R3

// Without a branch: every element is stored, and the next one over it where cond does
// not hold. The store goes no further than the elements that were read.
#define COMPRESS(cond) \
	MOVD dst_base+0(FP), DST     \
	MOVD s_base+24(FP), S        \
	MOVD s_len+32(FP), N         \
	FMOVD t+48(FP), F8           \
	MOVD DST, FIRST              \
	CBZ  N, done                 \
loop:                                \
	FMOVD.P 8(S), F4             \
	FMOVD F4, (DST)              \
	FCMPD F8, F4                 \
	CSET cond, R4                \
	ADD  R4<<3, DST, DST         \
	SUBS $1, N                   \
	BNE  loop                    \
done:                                \
	SUB  FIRST, DST, DST         \
	LSR  $3, DST, DST            \
	MOVD DST, ret+56(FP)         \
	RET

// func thresholdCountNEON(s []float64, t float64) int
TEXT ·thresholdCountNEON(SB), NOSPLIT, $0-40
	MOVD s_base+0(FP), S
	MOVD s_len+8(FP), N
	FMOVD t+24(FP), F8
	VDUP V8.D[0], V8.D2
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	SUBS $4, N
	BLT  last
loop:
	VLD1.P 32(S), [V4.D2, V5.D2]
	FCMGT2(8, 4, 4)
	FCMGT2(8, 5, 5)
	VSUB V4.D2, V9.D2, V9.D2
	VSUB V5.D2, V10.D2, V10.D2
	SUBS $4, N
	BGE  loop
last:
	VADD V10.D2, V9.D2, V9.D2
	VMOV V9.D[0], R4
	VMOV V9.D[1], R5
	ADD  R5, R4, R4
	ADDS $4, N
	BEQ  done
single:
	FMOVD.P 8(S), F4
	FCMPD F8, F4
	CINC GT, R4, R4
	SUBS $1, N
	BNE  single
done:
	MOVD R4, ret+32(FP)
	RET

// func thresholdAboveNEON(dst, s []float64, t float64) int
TEXT ·thresholdAboveNEON(SB), NOSPLIT, $0-64
	COMPRESS(GT)

// func thresholdBelowNEON(dst, s []float64, t float64) int
TEXT ·thresholdBelowNEON(SB), NOSPLIT, $0-64
	COMPRESS(MI) // less; LT holds for NaN too
