//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "neon_lanes_arm64.h"

// The definitions are the twins in pairs.go. V8 is the scalar, V9 what else is
// constant. The sums begin at +0 and are never -0, so that an upper lane without an
// element may add +0.

#define DST R0
#define SRC R1
#define N R2    // elements left

#define RUN(TWO, ONE) \
	VDUP V8.D[0], V8.D2          \
	ZERO_SUM                     \
	SUBS $8, N                   \
	BLT  last                    \
loop:                                \
	TWO(0, V0.D2)                \
	TWO(1, V1.D2)                \
	TWO(2, V2.D2)                \
	TWO(3, V3.D2)                \
	SUBS $8, N                   \
	BGE  loop                    \
last:                                \
	ADD  $8, N                   \
	LAST(N, TWO, ONE)            \
	FOLD_SUM

// V4 = max(0, V4+shift), where NaN and -0 stay.
#define HINGE \
	FADD2(8, 4, 4)               \
	FCMGT2(4, 9, 5)              \
	VBIT V5.B16, V9.B16, V4.B16

#define HINGE_TWO(d, vd) \
	VLD1.P 16(SRC), [V4.D2]      \
	HINGE                        \
	VST1.P [V4.D2], 16(DST)      \
	VFMLA V4.D2, V4.D2, vd

#define HINGE_ONE(d, vd) \
	FMOVD (SRC), F4              \
	HINGE                        \
	FMOVD F4, (DST)              \
	VMOV ZR, V4.D[1]             \
	VFMLA V4.D2, V4.D2, vd

// The sum takes V4, which is added a times to c.
#define ADD_TWO(d, vd) \
	FADD2(4, d, d)               \
	VLD1 (DST), [V5.D2]          \
	VFMLA V4.D2, V8.D2, V5.D2    \
	VST1.P [V5.D2], 16(DST)

#define ADD_ONE(d, vd) \
	FADD2(4, d, d)               \
	FMOVD (DST), F5              \
	VFMLA V4.D2, V8.D2, V5.D2    \
	FMOVD F5, (DST)

// V4 = V4*(1-V4)
#define SPREAD \
	FSUB2(4, 9, 5)               \
	FMUL2(5, 4, 4)

#define HINGE_ADD_TWO(d, vd) \
	VLD1.P 16(SRC), [V4.D2]      \
	ADD_TWO(d, vd)

#define HINGE_ADD_ONE(d, vd) \
	FMOVD (SRC), F4              \
	ADD_ONE(d, vd)

#define LOGISTIC_ADD_TWO(d, vd) \
	VLD1.P 16(SRC), [V4.D2]      \
	SPREAD                       \
	ADD_TWO(d, vd)

#define LOGISTIC_ADD_ONE(d, vd) \
	FMOVD (SRC), F4              \
	SPREAD                       \
	ADD_ONE(d, vd)

// func pairHingeNEON(l, s []float64, shift float64) float64
TEXT ·pairHingeNEON(SB), NOSPLIT, $0-64
	MOVD l_base+0(FP), DST
	MOVD s_base+24(FP), SRC
	MOVD s_len+32(FP), N
	FMOVD shift+48(FP), F8
	VEOR V9.B16, V9.B16, V9.B16
	RUN(HINGE_TWO, HINGE_ONE)
	FMOVD F0, ret+56(FP)
	RET

// func pairHingeAddNEON(c, l []float64, a float64) float64
TEXT ·pairHingeAddNEON(SB), NOSPLIT, $0-64
	MOVD c_base+0(FP), DST
	MOVD l_base+24(FP), SRC
	MOVD l_len+32(FP), N
	FMOVD a+48(FP), F8
	RUN(HINGE_ADD_TWO, HINGE_ADD_ONE)
	FMOVD F0, ret+56(FP)
	RET

// func pairLogisticAddNEON(c, l []float64, a float64) float64
TEXT ·pairLogisticAddNEON(SB), NOSPLIT, $0-64
	MOVD c_base+0(FP), DST
	MOVD l_base+24(FP), SRC
	MOVD l_len+32(FP), N
	FMOVD a+48(FP), F8
	FMOVD $1.0, F9
	VDUP V9.D[0], V9.D2
	RUN(LOGISTIC_ADD_TWO, LOGISTIC_ADD_ONE)
	FMOVD F0, ret+56(FP)
	RET
