//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "element_table.h"
#include "element_arm64.h"

// The definitions are the twins in pairs_slope.go. The positives go through two at a
// time where there are exponentials, eight where there are none.

#define S R0        // the sample
#define N R1        // elements of it left
#define E R2        // its odds
#define CENTER R3
#define LEAST R4
#define SUM R5
#define COUNT R6
#define C R7
#define POSITIVES R9
#define I R10       // positives left
#define AT_CENTER R11
#define AT_LEAST R12
#define AT_SUM R13
#define AT_COUNT R14
#define T0 R15
#define T1 R16
#define O R17       // the odds of the positives
#define AT_O R19

// V19 is 1, V24 to V27 are the lanes of an element of the sample.
#define ARGUMENTS \
	MOVD count_base+0(FP), COUNT   \
	MOVD sum_base+24(FP), SUM      \
	MOVD c_base+48(FP), C          \
	MOVD s_base+72(FP), S          \
	MOVD s_len+80(FP), N           \
	MOVD center_base+96(FP), CENTER \
	MOVD least_base+120(FP), LEAST \
	MOVD least_len+128(FP), POSITIVES \
	MOVD $·elementTable(SB), R8    \
	FMOVQ ONE, F19

// COUNT and SUM = 0 for all positives.
#define CLEAR_SUMS \
	VEOR V0.B16, V0.B16, V0.B16    \
	MOVD SUM, AT_SUM               \
	MOVD COUNT, AT_COUNT           \
	MOVD POSITIVES, I              \
clearSums:                             \
	VST1.P [V0.D2], 16(AT_SUM)     \
	VST1.P [V0.D2], 16(AT_COUNT)   \
	SUBS $2, I                     \
	BGT  clearSums

// The next element, V9, and the positives from the first one on.
#define NEXT_ELEMENT \
	VLD1R.P 8(S), [V9.D2]          \
	VEOR V24.B16, V24.B16, V24.B16 \
	VEOR V25.B16, V25.B16, V25.B16 \
	VEOR V26.B16, V26.B16, V26.B16 \
	VEOR V27.B16, V27.B16, V27.B16 \
	MOVD CENTER, AT_CENTER         \
	MOVD LEAST, AT_LEAST           \
	MOVD SUM, AT_SUM               \
	MOVD COUNT, AT_COUNT           \
	MOVD POSITIVES, I

// u = the slope of the odds in u; t is scratch.
#define SLOPE(u, t) \
	FADD2(u, 19, t)                \
	FDIV2(t, 19, t)                \
	FMUL2(t, u, u)                 \
	FMUL2(t, u, u)

// c takes the eight lanes.
#define FOLD_INTO_C \
	FADD2(26, 24, 0)               \
	FADD2(27, 25, 1)               \
	FADD2(1, 0, 0)                 \
	FADDP2(0, 0, 0)                \
	FMOVD (C), F1                  \
	FADDD F0, F1, F1               \
	FMOVD.P F1, 8(C)

// func pairSlopeOddsNEON(count []int, sum, c, s, center, least, e, o []float64)
TEXT ·pairSlopeOddsNEON(SB), NOSPLIT, $0-192
	ARGUMENTS
	MOVD e_base+144(FP), E
	MOVD o_base+168(FP), O
	CLEAR_SUMS
	CBZ  N, done
element:
	NEXT_ELEMENT
	VLD1R.P 8(E), [V10.D2]
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
	VLD1 (AT_COUNT), [V0.D2, V1.D2, V2.D2, V3.D2]
	VSUB V4.D2, V0.D2, V0.D2
	VSUB V5.D2, V1.D2, V1.D2
	VSUB V6.D2, V2.D2, V2.D2
	VSUB V7.D2, V3.D2, V3.D2
	VST1 [V0.D2, V1.D2, V2.D2, V3.D2], (AT_COUNT)
	VLD1 (AT_O), [V0.D2, V1.D2, V2.D2, V3.D2]
	FMUL2(0, 10, 0)
	FMUL2(1, 10, 1)
	FMUL2(2, 10, 2)
	FMUL2(3, 10, 3)
	SLOPE(0, 16)
	SLOPE(1, 17)
	SLOPE(2, 18)
	SLOPE(3, 20)
	VAND V4.B16, V0.B16, V0.B16
	VAND V5.B16, V1.B16, V1.B16
	VAND V6.B16, V2.B16, V2.B16
	VAND V7.B16, V3.B16, V3.B16
	VLD1 (AT_SUM), [V4.D2, V5.D2, V6.D2, V7.D2]
	FADD2(0, 4, 4)
	FADD2(1, 5, 5)
	FADD2(2, 6, 6)
	FADD2(3, 7, 7)
	VST1 [V4.D2, V5.D2, V6.D2, V7.D2], (AT_SUM)
	FADD2(0, 24, 24)
	FADD2(1, 25, 25)
	FADD2(2, 26, 26)
	FADD2(3, 27, 27)
none:
	ADD  $64, AT_SUM
	ADD  $64, AT_COUNT
	ADD  $64, AT_O
	SUBS $8, I
	BGT  group
	FOLD_INTO_C
	SUBS $1, N
	BNE  element
done:
	RET

// func pairSlopeAboveNEON(count []int, sum, c, s, center, least []float64, scale float64)
TEXT ·pairSlopeAboveNEON(SB), NOSPLIT, $0-152
	ARGUMENTS
	FMOVD scale+144(FP), F11
	VDUP V11.D[0], V11.D2
	CLEAR_SUMS
	CBZ  N, done
element:
	NEXT_ELEMENT
pair:
	VLD1.P 16(AT_CENTER), [V8.D2]
	VLD1.P 16(AT_LEAST), [V10.D2]
	FSUB2(8, 9, 7)
	FCMGT2(10, 7, 23)
	VMOV V23.D[0], T0
	VMOV V23.D[1], T1
	ORR  T1, T0, T0
	CBZ  T0, none
	VLD1 (AT_COUNT), [V8.D2]
	VSUB V23.D2, V8.D2, V8.D2
	VST1 [V8.D2], (AT_COUNT)
	FMUL2(11, 7, 7)
	EXP_NEGATIVE
	SLOPE(0, 1)
	VAND V23.B16, V0.B16, V0.B16
	VLD1 (AT_SUM), [V8.D2]
	FADD2(0, 8, 8)
	VST1 [V8.D2], (AT_SUM)
	FADD2(0, 24, 24)
none:
	ADD  $16, AT_SUM
	ADD  $16, AT_COUNT
	VMOV V24.B16, V0.B16           // the next two lanes
	VMOV V25.B16, V24.B16
	VMOV V26.B16, V25.B16
	VMOV V27.B16, V26.B16
	VMOV V0.B16, V27.B16
	SUBS $2, I
	BGT  pair
	FOLD_INTO_C
	SUBS $1, N
	BNE  element
done:
	RET
