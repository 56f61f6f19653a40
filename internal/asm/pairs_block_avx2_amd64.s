//go:build !purego

#include "textflag.h"
#include "element_table.h"
#include "compare_amd64.h"
#include "element_avx2_amd64.h"
#include "pairs_block_amd64.h"

// Eight positives at a time, in two vectors. The definitions are the twins in
// pairs_block.go.

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

// func pairBlockLogisticAVX2(part, value, slope, s, center []float64, scale float64)
TEXT ·pairBlockLogisticAVX2(SB), NOSPLIT, $64-128
	MOVQ         part_base+0(FP), PART
	MOVQ         value_base+24(FP), VALUE
	MOVQ         slope_base+48(FP), SLOPE
	MOVQ         s_base+72(FP), S
	MOVQ         s_len+80(FP), N
	MOVQ         center_base+96(FP), CENTER
	MOVQ         center_len+104(FP), P
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
	SIGMOID_FROM(ARGUMENT0, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)
	SIGMOID_FROM(ARGUMENT1, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15)
	VADDPD       (VALUE)(G*1), Y1, Y2
	VADDPD       32(VALUE)(G*1), Y9, Y3
	VMOVUPD      ONE, Y4
	VSUBPD       Y1, Y4, Y5
	VSUBPD       Y9, Y4, Y6
	VMULPD       Y5, Y1, Y1
	VMULPD       Y6, Y9, Y9
	VMOVUPD      Y2, (VALUE)(G*1)
	VMOVUPD      Y3, 32(VALUE)(G*1)
	VMOVUPD      Y1, (PART)
	VMOVUPD      Y9, 32(PART)
	VADDPD       (SLOPE)(G*1), Y1, Y1
	VADDPD       32(SLOPE)(G*1), Y9, Y9
	VMOVUPD      Y1, (SLOPE)(G*1)
	VMOVUPD      Y9, 32(SLOPE)(G*1)
	ADDQ         $64, PART
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
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

// One pass over the groups of positives against the element at S: where none of the
// eight pairs is above, nothing is done; the count takes the others, and f writes
// their values to Y1 and Y9, +0 where a pair is not above. add does what there is to
// do besides the sum, which is never -0.
#define GROUPS(f, add) \
	XORL         G, G                \
group:                                   \
	VBROADCASTSD (S), Y0             \
	VSUBPD       (CENTER)(G*1), Y0, Y7   \
	VSUBPD       32(CENTER)(G*1), Y0, Y15 \
	VCMPPD       GREATER, (LEAST)(G*1), Y7, Y1 \
	VCMPPD       GREATER, 32(LEAST)(G*1), Y15, Y2 \
	VORPD        Y1, Y2, Y3          \
	VMOVMSKPD    Y3, AX              \
	TESTL        AX, AX              \
	JEQ          next                \
	VMOVDQU      (SLOPE)(G*1), Y4    \
	VMOVDQU      32(SLOPE)(G*1), Y5  \
	VPSUBQ       Y1, Y4, Y4          \
	VPSUBQ       Y2, Y5, Y5          \
	VMOVDQU      Y4, (SLOPE)(G*1)    \
	VMOVDQU      Y5, 32(SLOPE)(G*1)  \
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
	SIGMOID_FROM(ARGUMENT0, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7) \
	SIGMOID_FROM(ARGUMENT1, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15) \
	VANDPD       MASK0, Y1, Y1       \
	VANDPD       MASK1, Y9, Y9

#define SOFTPLUSES \
	SOFTPLUS_FROM(ARGUMENT0, Y0, Y1, Y2, Y3, Y4, Y5, Y6) \
	SOFTPLUS_FROM(ARGUMENT1, Y8, Y9, Y10, Y11, Y12, Y13, Y14) \
	VANDPD       MASK0, Y0, Y1       \
	VANDPD       MASK1, Y8, Y9

#define ADD_LANES \
	VADDPD       LANES0, Y1, Y2      \
	VADDPD       LANES1, Y9, Y3      \
	VMOVUPD      Y2, LANES0          \
	VMOVUPD      Y3, LANES1

// func pairSigmoidAboveAVX2(count []int, sum, c, s, center, least []float64)
TEXT ·pairSigmoidAboveAVX2(SB), NOSPLIT, $192-144
	MOVQ         count_base+0(FP), SLOPE
	MOVQ         sum_base+24(FP), VALUE
	MOVQ         c_base+48(FP), C
	MOVQ         s_base+72(FP), S
	MOVQ         s_len+80(FP), N
	MOVQ         center_base+96(FP), CENTER
	MOVQ         least_base+120(FP), LEAST
	MOVQ         least_len+128(FP), P
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
	MOVQ         count_base+0(FP), SLOPE
	MOVQ         sum_base+24(FP), VALUE
	MOVQ         s_base+48(FP), S
	MOVQ         s_len+56(FP), N
	MOVQ         center_base+72(FP), CENTER
	MOVQ         least_base+96(FP), LEAST
	MOVQ         least_len+104(FP), P
	BEGIN
element:
	GROUPS(SOFTPLUSES, NOTHING)
	NEXT_ELEMENT
