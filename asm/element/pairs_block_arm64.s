//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "neon_lanes_arm64.h"
#include "element_table.h"
#include "element_arm64.h"

// The definitions are the twins in pairs_block.go. The positives go through two at a
// time, but for the cheap kernels, which take eight. The elementary functions leave
// V8 to V15, V18 to V20 and V23 to V31 alone.

#define S R0        // the sample
#define N R1        // elements of it left
#define PART R2
#define CENTER R3   // or the shift
#define LEAST R4
#define VALUE R5    // or the sum
#define SLOPE R6    // or the count
#define C R7
#define POSITIVES R9
#define I R10       // positives left
#define AT_CENTER R11
#define AT_LEAST R12
#define AT_VALUE R13
#define AT_SLOPE R14
#define T0 R15
#define T1 R16
#define O R17       // the odds of the positives; ODDS has the odds of the sample
#define ODDS PART
#define AT_O R19

// Of SigmoidAbove and the slopes.
#define ABOVE_ARGUMENTS \
	MOVD count_base+0(FP), SLOPE   \
	MOVD sum_base+24(FP), VALUE    \
	MOVD c_base+48(FP), C          \
	MOVD s_base+72(FP), S          \
	MOVD s_len+80(FP), N           \
	MOVD center_base+96(FP), CENTER \
	MOVD least_base+120(FP), LEAST \
	MOVD least_len+128(FP), POSITIVES

// VALUE and SLOPE = 0 for all positives.
#define CLEAR_SUMS \
	VEOR V0.B16, V0.B16, V0.B16    \
	MOVD VALUE, AT_VALUE           \
	MOVD SLOPE, AT_SLOPE           \
	MOVD POSITIVES, I              \
clearSums:                             \
	VST1.P [V0.D2], 16(AT_VALUE)   \
	VST1.P [V0.D2], 16(AT_SLOPE)   \
	SUBS $2, I                     \
	BGT  clearSums

#define BEGIN \
	MOVD $·elementTable(SB), R8    \
	CLEAR_SUMS                     \
	CBZ  N, done

// The next element, and the positives from the first one on.
#define ELEMENT \
element:                               \
	VLD1R.P 8(S), [V9.D2]          \
	MOVD CENTER, AT_CENTER         \
	MOVD LEAST, AT_LEAST           \
	MOVD VALUE, AT_VALUE           \
	MOVD SLOPE, AT_SLOPE           \
	MOVD POSITIVES, I

#define NEXT_PAIR \
	SUBS $2, I                     \
	BGT  pair

#define NEXT_ELEMENT \
	SUBS $1, N                     \
	BNE  element                   \
done:                                  \
	RET

// C takes the sum, F0.
#define ADD_SUM \
	FMOVD   (C), F1                \
	FADDD   F0, F1, F1             \
	FMOVD.P F1, 8(C)

#define HINGE(shift, t, vt, bt, vvalue, slope) \
	FADD2(shift, 20, t)            \
	FCMGT2(t, 21, 22)              \
	VBIT V22.B16, V21.B16, bt      \ // keeps NaN and -0
	VFMLA vt, vt, vvalue           \
	FADD2(t, slope, slope)

// func pairBlockHingeNEON(part, value, slope, s, shift []float64)
TEXT ·pairBlockHingeNEON(SB), NOSPLIT, $0-120
	MOVD part_base+0(FP), R17
	MOVD value_base+24(FP), VALUE
	MOVD slope_base+48(FP), SLOPE
	MOVD shift_base+96(FP), CENTER
	MOVD shift_len+104(FP), POSITIVES
	VEOR V21.B16, V21.B16, V21.B16
	LSL  $3, POSITIVES, T0
	MOVD POSITIVES, I
group:
	MOVD s_base+72(FP), S
	MOVD s_len+80(FP), N
	MOVD R17, PART
	VLD1.P 64(CENTER), [V16.D2, V17.D2, V18.D2, V19.D2]
	ZERO_SUM
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	CBZ  N, store
element:
	VLD1R.P 8(S), [V20.D2]
	HINGE(16, 24, V24.D2, V24.B16, V0.D2, 4)
	HINGE(17, 25, V25.D2, V25.B16, V1.D2, 5)
	HINGE(18, 26, V26.D2, V26.B16, V2.D2, 6)
	HINGE(19, 27, V27.D2, V27.B16, V3.D2, 7)
	VST1 [V24.D2, V25.D2, V26.D2, V27.D2], (PART)
	ADD  T0, PART, PART
	SUBS $1, N
	BNE  element
store:
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(VALUE)
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(SLOPE)
	ADD  $64, R17, R17
	SUBS $8, I
	BGT  group
	RET

// The value takes q = V1, and part and the slope q*(1-q). V19 is 1.
#define STORE_LOGISTIC \
	FSUB2(1, 19, 2)                \
	VLD1 (AT_VALUE), [V3.D2]       \
	VLD1 (AT_SLOPE), [V4.D2]       \
	FMUL2(2, 1, 2)                 \
	FADD2(1, 3, 3)                 \
	FADD2(2, 4, 4)                 \
	VST1.P [V2.D2], 16(PART)       \
	VST1.P [V3.D2], 16(AT_VALUE)   \
	VST1.P [V4.D2], 16(AT_SLOPE)

// func pairBlockLogisticNEON(part, value, slope, s, center []float64, scale float64)
TEXT ·pairBlockLogisticNEON(SB), NOSPLIT, $0-128
	MOVD part_base+0(FP), PART
	MOVD value_base+24(FP), VALUE
	MOVD slope_base+48(FP), SLOPE
	MOVD s_base+72(FP), S
	MOVD s_len+80(FP), N
	MOVD center_base+96(FP), CENTER
	MOVD center_len+104(FP), POSITIVES
	FMOVD scale+120(FP), F10
	VDUP V10.D[0], V10.D2
	BEGIN
	FMOVQ ONE, F19
	ELEMENT
pair:
	VLD1.P 16(AT_CENTER), [V8.D2]
	FSUB2(8, 9, 7)
	FMUL2(10, 7, 7)
	EXP_NEGATIVE
	SIGMOID_FROM
	STORE_LOGISTIC
	NEXT_PAIR
	NEXT_ELEMENT

// func pairOddsNEON(part, value, slope, e, o []float64)
TEXT ·pairOddsNEON(SB), NOSPLIT, $0-120
	MOVD part_base+0(FP), PART
	MOVD value_base+24(FP), VALUE
	MOVD slope_base+48(FP), SLOPE
	MOVD e_base+72(FP), S
	MOVD e_len+80(FP), N
	MOVD o_base+96(FP), CENTER
	MOVD o_len+104(FP), POSITIVES
	FMOVD $1.0, F19
	VDUP V19.D[0], V19.D2
	CBZ  POSITIVES, done
	CLEAR_SUMS
	CBZ  N, done
	ELEMENT
pair:
	VLD1.P 16(AT_CENTER), [V8.D2]
	VMOV V19.B16, V7.B16
	VFMLA V8.D2, V9.D2, V7.D2
	FDIV2(7, 19, 1)
	STORE_LOGISTIC
	NEXT_PAIR
	NEXT_ELEMENT

// func pairBlockAddNEON(c, part, a []float64)
TEXT ·pairBlockAddNEON(SB), NOSPLIT, $0-72
	MOVD c_base+0(FP), C
	MOVD c_len+8(FP), N
	MOVD part_base+24(FP), PART
	MOVD a_base+48(FP), CENTER
	MOVD a_len+56(FP), POSITIVES
	CBZ  N, done
element:
	ZERO_SUM
	MOVD CENTER, AT_CENTER
	MOVD POSITIVES, I
group:
	VLD1.P 64(PART), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(AT_CENTER), [V16.D2, V17.D2, V18.D2, V19.D2]
	VFMLA V4.D2, V16.D2, V0.D2
	VFMLA V5.D2, V17.D2, V1.D2
	VFMLA V6.D2, V18.D2, V2.D2
	VFMLA V7.D2, V19.D2, V3.D2
	SUBS $8, I
	BGT  group
	FOLD_SUM
	ADD_SUM
	NEXT_ELEMENT

// The next two positives against the element V9: V7 is the difference and V23 says whether
// it is above. If neither is above, branch to none. The count increases by the number of
// positives above.
#define PAIR_ABOVE \
	VLD1.P 16(AT_CENTER), [V8.D2]  \
	VLD1.P 16(AT_LEAST), [V10.D2]  \
	FSUB2(8, 9, 7)                 \
	FCMGT2(10, 7, 23)              \
	VMOV V23.D[0], T0              \
	VMOV V23.D[1], T1              \
	ORR  T1, T0, T0                \
	CBZ  T0, none                  \
	VLD1 (AT_SLOPE), [V8.D2]       \
	VSUB V23.D2, V8.D2, V8.D2      \
	VST1 [V8.D2], (AT_SLOPE)

// The sum takes vector v.
#define SUM(v) \
	VLD1 (AT_VALUE), [V8.D2]       \
	FADD2(v, 8, 8)                 \
	VST1 [V8.D2], (AT_VALUE)

// The lanes of an element of the sample, V24 to V27, begin at 0; they change places, so
// that the next two positives always go to V24; and c takes their sum.
#define ZERO_LANES \
	VEOR V24.B16, V24.B16, V24.B16 \
	VEOR V25.B16, V25.B16, V25.B16 \
	VEOR V26.B16, V26.B16, V26.B16 \
	VEOR V27.B16, V27.B16, V27.B16

#define ROTATE_LANES \
	VMOV V24.B16, V0.B16           \
	VMOV V25.B16, V24.B16          \
	VMOV V26.B16, V25.B16          \
	VMOV V27.B16, V26.B16          \
	VMOV V0.B16, V27.B16

#define ADD_LANES \
	FADD2(26, 24, 0)               \
	FADD2(27, 25, 1)               \
	FADD2(1, 0, 0)                 \
	FADDP2(0, 0, 0)                \
	ADD_SUM

// All elements against all positives: value computes vector v, of the difference V7.
#define ABOVE(value, v, vb) \
	BEGIN                          \
	ELEMENT                        \
	ZERO_LANES                     \
pair:                                  \
	PAIR_ABOVE                     \
	value                          \
	VAND V23.B16, vb, vb           \
	SUM(v)                         \
	FADD2(v, 24, 24)               \
none:                                  \
	ADD  $16, AT_VALUE             \
	ADD  $16, AT_SLOPE             \
	ROTATE_LANES                   \
	NEXT_PAIR                      \
	ADD_LANES                      \
	NEXT_ELEMENT

#define SIGMOIDS \
	EXP_NEGATIVE                   \
	SIGMOID_FROM

// func pairSigmoidAboveNEON(count []int, sum, c, s, center, least []float64)
TEXT ·pairSigmoidAboveNEON(SB), NOSPLIT, $0-144
	ABOVE_ARGUMENTS
	ABOVE(SIGMOIDS, 1, V1.B16)

// u = the slope of the odds in u; t is scratch, V19 is 1.
#define SLOPE_OF(u, t) \
	FADD2(u, 19, t)                \
	FDIV2(t, 19, t)                \
	FMUL2(t, u, u)                 \
	FMUL2(t, u, u)

#define SLOPES \
	FMUL2(11, 7, 7)                \
	EXP_NEGATIVE                   \
	SLOPE_OF(0, 1)

// func pairSlopeAboveNEON(count []int, sum, c, s, center, least []float64, scale float64)
TEXT ·pairSlopeAboveNEON(SB), NOSPLIT, $0-152
	ABOVE_ARGUMENTS
	FMOVD scale+144(FP), F11
	VDUP V11.D[0], V11.D2
	FMOVD $1.0, F19
	VDUP V19.D[0], V19.D2
	ABOVE(SLOPES, 0, V0.B16)

// func pairSoftplusAboveNEON(count []int, sum, s, center, least []float64)
TEXT ·pairSoftplusAboveNEON(SB), NOSPLIT, $0-120
	MOVD count_base+0(FP), SLOPE
	MOVD sum_base+24(FP), VALUE
	MOVD s_base+48(FP), S
	MOVD s_len+56(FP), N
	MOVD center_base+72(FP), CENTER
	MOVD least_base+96(FP), LEAST
	MOVD least_len+104(FP), POSITIVES
	BEGIN
	ELEMENT
pair:
	PAIR_ABOVE
	EXP_NEGATIVE
	SOFTPLUS_FROM
	VAND V23.B16, V0.B16, V0.B16
	SUM(0)
none:
	ADD  $16, AT_VALUE
	ADD  $16, AT_SLOPE
	NEXT_PAIR
	NEXT_ELEMENT

// func pairSlopeOddsNEON(count []int, sum, c, s, center, least, e, o []float64)
TEXT ·pairSlopeOddsNEON(SB), NOSPLIT, $0-192
	ABOVE_ARGUMENTS
	FMOVD $1.0, F19
	VDUP V19.D[0], V19.D2
	MOVD e_base+144(FP), ODDS
	MOVD o_base+168(FP), O
	BEGIN
	ELEMENT
	ZERO_LANES
	VLD1R.P 8(ODDS), [V10.D2]
	MOVD O, AT_O
group:
	VLD1.P 64(AT_CENTER), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(AT_LEAST), [V4.D2, V5.D2, V6.D2, V7.D2]
	FSUB2(0, 9, 0)
	FSUB2(1, 9, 1)
	FSUB2(2, 9, 2)
	FSUB2(3, 9, 3)
	FCMGT2(4, 0, 4)
	FCMGT2(5, 1, 5)
	FCMGT2(6, 2, 6)
	FCMGT2(7, 3, 7)
	VORR V5.B16, V4.B16, V0.B16
	VORR V7.B16, V6.B16, V1.B16
	VORR V1.B16, V0.B16, V0.B16
	VMOV V0.D[0], T0
	VMOV V0.D[1], T1
	ORR  T1, T0, T0
	CBZ  T0, none
	VLD1 (AT_SLOPE), [V0.D2, V1.D2, V2.D2, V3.D2]
	VSUB V4.D2, V0.D2, V0.D2
	VSUB V5.D2, V1.D2, V1.D2
	VSUB V6.D2, V2.D2, V2.D2
	VSUB V7.D2, V3.D2, V3.D2
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (AT_SLOPE)
	VLD1 (AT_O), [V0.D2, V1.D2, V2.D2, V3.D2]
	FMUL2(0, 10, 0)
	FMUL2(1, 10, 1)
	FMUL2(2, 10, 2)
	FMUL2(3, 10, 3)
	SLOPE_OF(0, 16)
	SLOPE_OF(1, 17)
	SLOPE_OF(2, 18)
	SLOPE_OF(3, 20)
	VAND V4.B16, V0.B16, V0.B16
	VAND V5.B16, V1.B16, V1.B16
	VAND V6.B16, V2.B16, V2.B16
	VAND V7.B16, V3.B16, V3.B16
	VLD1 (AT_VALUE), [V4.D2, V5.D2, V6.D2, V7.D2]
	FADD2(0, 4, 4)
	FADD2(1, 5, 5)
	FADD2(2, 6, 6)
	FADD2(3, 7, 7)
	VST1 [V4.D2, V5.D2, V6.D2, V7.D2], (AT_VALUE)
	FADD2(0, 24, 24)
	FADD2(1, 25, 25)
	FADD2(2, 26, 26)
	FADD2(3, 27, 27)
none:
	ADD  $64, AT_VALUE
	ADD  $64, AT_SLOPE
	ADD  $64, AT_O
	SUBS $8, I
	BGT  group
	ADD_LANES
	NEXT_ELEMENT
