//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"
#include "pairs_block_amd64.h"

// Eight positives at a time, in two vectors: all slices over the positives have a length
// that is a multiple of 8. The definitions are the twins in pairs_block.go.

#define ODDS AX     // of the sample

#define ARGUMENT0 0(SP)
#define ARGUMENT1 32(SP)
#define MASK0 64(SP)
#define MASK1 96(SP)
#define LANES0 128(SP)
#define LANES1 160(SP)

// X0 = the eight lanes of Y0 and Y1.
#define FOLD \
	VADDPD       Y1, Y0, Y0          \
	VEXTRACTF128 $1, Y0, X1          \
	VADDPD       X1, X0, X0          \
	VUNPCKHPD    X0, X0, X1          \
	VADDSD       X1, X0, X0

// VALUE and SLOPE = 0 for all positives.
#define CLEAR_SUMS \
	VXORPD  Y0, Y0, Y0               \
	XORL    G, G                     \
clearSums:                               \
	VMOVUPD Y0, (VALUE)(G*1)         \
	VMOVUPD Y0, 32(VALUE)(G*1)       \
	VMOVUPD Y0, (SLOPE)(G*1)         \
	VMOVUPD Y0, 32(SLOPE)(G*1)       \
	ADDQ    $64, G                   \
	CMPQ    G, P                     \
	JLT     clearSums

// func pairBlockHingeAVX2(part, value, slope, s, shift []float64)
TEXT ·pairBlockHingeAVX2(SB), NOSPLIT, $0-120
	MOVQ         value_base+24(FP), VALUE
	MOVQ         slope_base+48(FP), SLOPE
	MOVQ         shift_base+96(FP), CENTER
	MOVQ         shift_len+104(FP), P
	SHLQ         $3, P
	VXORPD       Y9, Y9, Y9
	XORL         G, G
group:
	MOVQ         part_base+0(FP), PART
	ADDQ         G, PART
	MOVQ         s_base+72(FP), S
	MOVQ         s_len+80(FP), N
	VMOVUPD      (CENTER)(G*1), Y10
	VMOVUPD      32(CENTER)(G*1), Y11
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	VXORPD       Y2, Y2, Y2
	VXORPD       Y3, Y3, Y3
	TESTQ        N, N
	JEQ          store
element:
	VBROADCASTSD (S), Y4
	VADDPD       Y10, Y4, Y5
	VADDPD       Y11, Y4, Y6
	VMAXPD       Y5, Y9, Y5              // keeps NaN and -0
	VMAXPD       Y6, Y9, Y6
	VMOVUPD      Y5, (PART)
	VMOVUPD      Y6, 32(PART)
	VFMADD231PD  Y5, Y5, Y0
	VFMADD231PD  Y6, Y6, Y1
	VADDPD       Y5, Y2, Y2
	VADDPD       Y6, Y3, Y3
	ADDQ         $8, S
	ADDQ         P, PART
	DECQ         N
	JNE          element
store:
	VMOVUPD      Y0, (VALUE)(G*1)
	VMOVUPD      Y1, 32(VALUE)(G*1)
	VMOVUPD      Y2, (SLOPE)(G*1)
	VMOVUPD      Y3, 32(SLOPE)(G*1)
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	VZEROUPPER
	RET

// The value takes q = Y1 and Y9, and part and the slope q*(1-q); then on to the next
// group.
#define STORE_LOGISTIC \
	VADDPD       (VALUE)(G*1), Y1, Y2   \
	VADDPD       32(VALUE)(G*1), Y9, Y3 \
	VMOVUPD      ONE, Y4                \
	VSUBPD       Y1, Y4, Y5             \
	VSUBPD       Y9, Y4, Y6             \
	VMULPD       Y5, Y1, Y1             \
	VMULPD       Y6, Y9, Y9             \
	VMOVUPD      Y2, (VALUE)(G*1)       \
	VMOVUPD      Y3, 32(VALUE)(G*1)     \
	VMOVUPD      Y1, (PART)             \
	VMOVUPD      Y9, 32(PART)           \
	VADDPD       (SLOPE)(G*1), Y1, Y1   \
	VADDPD       32(SLOPE)(G*1), Y9, Y9 \
	VMOVUPD      Y1, (SLOPE)(G*1)       \
	VMOVUPD      Y9, 32(SLOPE)(G*1)     \
	ADDQ         $64, PART              \
	ADDQ         $64, G                 \
	CMPQ         G, P                   \
	JLT          group

// func pairBlockLogisticAVX2(part, value, slope, s, center []float64, scale float64)
TEXT ·pairBlockLogisticAVX2(SB), NOSPLIT, $64-128
	LOGISTIC_ARGUMENTS
	BEGIN
element:
	XORL         G, G
group:
	VBROADCASTSD (S), Y0
	VBROADCASTSD scale+120(FP), Y1
	VSUBPD       (CENTER)(G*1), Y0, Y7
	VSUBPD       32(CENTER)(G*1), Y0, Y15
	VMULPD       Y1, Y7, Y7
	VMULPD       Y1, Y15, Y15
	VMOVUPD      Y7, ARGUMENT0
	VMOVUPD      Y15, ARGUMENT1
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(ARGUMENT0, ARGUMENT1)
	STORE_LOGISTIC
	NEXT_ELEMENT

// func pairOddsAVX2(part, value, slope, e, o []float64)
TEXT ·pairOddsAVX2(SB), NOSPLIT, $0-120
	MOVQ         part_base+0(FP), PART
	MOVQ         value_base+24(FP), VALUE
	MOVQ         slope_base+48(FP), SLOPE
	MOVQ         e_base+72(FP), S
	MOVQ         e_len+80(FP), N
	MOVQ         o_base+96(FP), CENTER
	MOVQ         o_len+104(FP), P
	TESTQ        P, P
	JEQ          done
	BEGIN
element:
	VBROADCASTSD (S), Y14
	VMOVUPD      ONE, Y13
	XORL         G, G
group:
	VMOVUPD      (CENTER)(G*1), Y1
	VMOVUPD      32(CENTER)(G*1), Y9
	VFMADD213PD  Y13, Y14, Y1             // 1 + e o
	VFMADD213PD  Y13, Y14, Y9
	VDIVPD       Y1, Y13, Y1
	VDIVPD       Y9, Y13, Y9
	STORE_LOGISTIC
	NEXT_ELEMENT

// func pairBlockAddAVX2(c, part, a []float64)
TEXT ·pairBlockAddAVX2(SB), NOSPLIT, $0-72
	MOVQ         c_base+0(FP), C
	MOVQ         c_len+8(FP), N
	MOVQ         part_base+24(FP), PART
	MOVQ         a_base+48(FP), CENTER
	MOVQ         a_len+56(FP), P
	SHLQ         $3, P
	TESTQ        N, N
	JEQ          done
element:
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	XORL         G, G
group:
	VMOVUPD      (PART)(G*1), Y2
	VMOVUPD      32(PART)(G*1), Y3
	VFMADD231PD  (CENTER)(G*1), Y2, Y0
	VFMADD231PD  32(CENTER)(G*1), Y3, Y1
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	ADD_FOLDED
	ADDQ         P, PART
	DECQ         N
	JNE          element
done:
	VZEROUPPER
	RET

// d and e = the differences to s of a group of positives; k and l say which of them are
// above, and the count takes these. Where none is, on to the next group.
#define ABOVE(s, d, e, k, l, either) \
	VSUBPD    (CENTER)(G*1), s, d            \
	VSUBPD    32(CENTER)(G*1), s, e          \
	VCMPPD    GREATER, (LEAST)(G*1), d, k    \
	VCMPPD    GREATER, 32(LEAST)(G*1), e, l  \
	VORPD     k, l, either                   \
	VMOVMSKPD either, R14                    \
	TESTL     R14, R14                       \
	JEQ       next                           \
	VMOVDQU   (SLOPE)(G*1), Y4               \
	VMOVDQU   32(SLOPE)(G*1), Y5             \
	VPSUBQ    k, Y4, Y4                      \
	VPSUBQ    l, Y5, Y5                      \
	VMOVDQU   Y4, (SLOPE)(G*1)               \
	VMOVDQU   Y5, 32(SLOPE)(G*1)

// One pass over the groups of positives against the element at S: where none of the
// eight pairs is above, nothing is done; the count takes the others, and f writes
// their values to Y1 and Y9, +0 where a pair is not above. add does what there is to
// do besides the sum, which is never -0.
#define GROUPS(f, add) \
	XORL         G, G                \
group:                                   \
	VBROADCASTSD (S), Y0             \
	ABOVE(Y0, Y7, Y15, Y1, Y2, Y3)   \
	VMOVUPD      Y1, MASK0           \
	VMOVUPD      Y2, MASK1           \
	VMOVUPD      Y7, ARGUMENT0       \
	VMOVUPD      Y15, ARGUMENT1      \
	EXP_NEGATIVE_PAIR                \
	f                                \
	add                              \
	VADDPD       (VALUE)(G*1), Y1, Y2 \
	VADDPD       32(VALUE)(G*1), Y9, Y3 \
	VMOVUPD      Y2, (VALUE)(G*1)    \
	VMOVUPD      Y3, 32(VALUE)(G*1)  \
next:                                    \
	ADDQ         $64, G              \
	CMPQ         G, P                \
	JLT          group

#define NOTHING

#define SIGMOIDS \
	SIGMOID_PAIR(ARGUMENT0, ARGUMENT1) \
	VANDPD       MASK0, Y1, Y1       \
	VANDPD       MASK1, Y9, Y9

#define SOFTPLUSES \
	SOFTPLUS_PAIR(ARGUMENT0, ARGUMENT1) \
	VANDPD       MASK0, Y0, Y1       \
	VANDPD       MASK1, Y8, Y9

#define ADD_LANES \
	VADDPD       LANES0, Y1, Y2      \
	VADDPD       LANES1, Y9, Y3      \
	VMOVUPD      Y2, LANES0          \
	VMOVUPD      Y3, LANES1

// func pairSigmoidAboveAVX2(count []int, sum, c, s, center, least []float64)
TEXT ·pairSigmoidAboveAVX2(SB), NOSPLIT, $192-144
	ABOVE_ARGUMENTS
	BEGIN
element:
	VXORPD       Y0, Y0, Y0
	VMOVUPD      Y0, LANES0
	VMOVUPD      Y0, LANES1
	GROUPS(SIGMOIDS, ADD_LANES)
	VMOVUPD      LANES0, Y0
	VMOVUPD      LANES1, Y1
	ADD_FOLDED
	NEXT_ELEMENT

// func pairSoftplusAboveAVX2(count []int, sum, s, center, least []float64)
TEXT ·pairSoftplusAboveAVX2(SB), NOSPLIT, $192-120
	SOFTPLUS_ARGUMENTS
	BEGIN
element:
	GROUPS(SOFTPLUSES, NOTHING)
	NEXT_ELEMENT

// a and b = the slopes of u in a and b, +0 where a mask says that the pair is not
// above; the sum takes them. It is never -0. c and d are scratch.
#define SLOPES(a, b, c, d, mask0, mask1) \
	VMOVUPD   ONE, d                 \
	VADDPD    d, a, c                \
	VDIVPD    c, d, c                \
	VMULPD    c, a, a                \
	VMULPD    c, a, a                \
	VADDPD    d, b, c                \
	VDIVPD    c, d, c                \
	VMULPD    c, b, b                \
	VMULPD    c, b, b                \
	VANDPD    mask0, a, a            \
	VANDPD    mask1, b, b            \
	VADDPD    (VALUE)(G*1), a, c       \
	VADDPD    32(VALUE)(G*1), b, d     \
	VMOVUPD   c, (VALUE)(G*1)          \
	VMOVUPD   d, 32(VALUE)(G*1)

// func pairSlopeOddsAVX2(count []int, sum, c, s, center, least, e, o []float64)
TEXT ·pairSlopeOddsAVX2(SB), NOSPLIT, $0-192
	ABOVE_ARGUMENTS
	MOVQ         e_base+144(FP), ODDS
	MOVQ         o_base+168(FP), PART
	BEGIN
element:
	VBROADCASTSD (S), Y14
	VBROADCASTSD (ODDS), Y13
	ADDQ         $8, ODDS
	VXORPD       Y10, Y10, Y10
	VXORPD       Y11, Y11, Y11
	XORL         G, G
group:
	ABOVE(Y14, Y0, Y1, Y2, Y3, Y4)
	VMULPD       (PART)(G*1), Y13, Y0
	VMULPD       32(PART)(G*1), Y13, Y1
	SLOPES(Y0, Y1, Y4, Y5, Y2, Y3)
	VADDPD       Y0, Y10, Y10
	VADDPD       Y1, Y11, Y11
next:
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	VMOVAPD      Y10, Y0
	VMOVAPD      Y11, Y1
	ADD_FOLDED
	NEXT_ELEMENT

// func pairSlopeAboveAVX2(count []int, sum, c, s, center, least []float64, scale float64)
TEXT ·pairSlopeAboveAVX2(SB), NOSPLIT, $192-152
	ABOVE_ARGUMENTS
	BEGIN
element:
	VXORPD       Y0, Y0, Y0
	VMOVUPD      Y0, LANES0
	VMOVUPD      Y0, LANES1
	XORL         G, G
group:
	VBROADCASTSD (S), Y6
	ABOVE(Y6, Y0, Y1, Y2, Y3, Y4)
	VMOVUPD      Y2, MASK0
	VMOVUPD      Y3, MASK1
	VBROADCASTSD scale+144(FP), Y4
	VMULPD       Y4, Y0, Y7
	VMULPD       Y4, Y1, Y15
	EXP_NEGATIVE_PAIR
	SLOPES(Y0, Y8, Y4, Y5, MASK0, MASK1)
	VADDPD       LANES0, Y0, Y2
	VADDPD       LANES1, Y8, Y3
	VMOVUPD      Y2, LANES0
	VMOVUPD      Y3, LANES1
next:
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	VMOVUPD      LANES0, Y0
	VMOVUPD      LANES1, Y1
	ADD_FOLDED
	NEXT_ELEMENT
