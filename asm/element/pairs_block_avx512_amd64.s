//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"
#include "pairs_block_amd64.h"

// Eight positives at a time, in one vector. The definitions are the twins in
// pairs_block.go.

// X0 = the eight lanes of Z0.
#define FOLD \
	VEXTRACTF64X4 $1, Z0, Y1         \
	VADDPD       Y1, Y0, Y0          \
	VEXTRACTF128 $1, Y0, X1          \
	VADDPD       X1, X0, X0          \
	VUNPCKHPD    X0, X0, X1          \
	VADDSD       X1, X0, X0

// VALUE and SLOPE = 0 for all positives.
#define CLEAR_SUMS \
	VPXORQ  Z0, Z0, Z0               \
	XORL    G, G                     \
clearSums:                               \
	VMOVUPD Z0, (VALUE)(G*1)         \
	VMOVUPD Z0, (SLOPE)(G*1)         \
	ADDQ    $64, G                   \
	CMPQ    G, P                     \
	JLT     clearSums

// The value takes q, and part and the slope q*(1-q).
#define STORE(offset, q, a, b) \
	VADDPD       offset(VALUE)(G*1), q, a \
	VBROADCASTSD ONE, b              \
	VSUBPD       q, b, b             \
	VMULPD       b, q, q             \
	VMOVUPD      a, offset(VALUE)(G*1) \
	VMOVUPD      q, offset(PART)     \
	VADDPD       offset(SLOPE)(G*1), q, q \
	VMOVUPD      q, offset(SLOPE)(G*1)

// func pairBlockLogisticAVX512(part, value, slope, s, center []float64, scale float64)
TEXT ·pairBlockLogisticAVX512(SB), NOSPLIT, $0-128
	LOGISTIC_ARGUMENTS
	VBROADCASTSD scale+120(FP), Z15
	BEGIN
element:
	VBROADCASTSD (S), Z14
	XORL         G, G
	LEAQ         -64(P), R14
pair:
	CMPQ         G, R14
	JGE          single
	VSUBPD       (CENTER)(G*1), Z14, Z8
	VSUBPD       64(CENTER)(G*1), Z14, Z24
	VMULPD       Z15, Z8, Z8
	VMULPD       Z15, Z24, Z24
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(K1, K2)
	STORE(0, Z1, Z2, Z3)
	STORE(64, Z17, Z18, Z19)
	ADDQ         $128, G
	ADDQ         $128, PART
	JMP          pair
single:
	CMPQ         G, P
	JGE          next
	VSUBPD       (CENTER)(G*1), Z14, Z7
	VMULPD       Z15, Z7, Z7
	EXP_NEGATIVE
	SIGMOID_FROM(Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z11, K1)
	STORE(0, Z1, Z2, Z3)
	ADDQ         $64, PART
next:
	NEXT_ELEMENT

// func pairOddsAVX512(part, value, slope, e, o []float64)
TEXT ·pairOddsAVX512(SB), NOSPLIT, $0-120
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
	VBROADCASTSD ONE, Z13
element:
	VBROADCASTSD (S), Z14
	XORL         G, G
group:
	VMOVUPD      (CENTER)(G*1), Z1
	VFMADD213PD  Z13, Z14, Z1             // 1 + e o
	VDIVPD       Z1, Z13, Z1
	STORE(0, Z1, Z2, Z3)
	ADDQ         $64, PART
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	NEXT_ELEMENT

// func pairBlockAddAVX512(c, part, a []float64)
TEXT ·pairBlockAddAVX512(SB), NOSPLIT, $0-72
	MOVQ         c_base+0(FP), C
	MOVQ         c_len+8(FP), N
	MOVQ         part_base+24(FP), PART
	MOVQ         a_base+48(FP), CENTER
	MOVQ         a_len+56(FP), P
	SHLQ         $3, P
	TESTQ        N, N
	JEQ          done
element:
	VPXORQ       Z0, Z0, Z0
	XORL         G, G
group:
	VMOVUPD      (PART)(G*1), Z2
	VFMADD231PD  (CENTER)(G*1), Z2, Z0
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

DATA countOne<>+0(SB)/8, $1
GLOBL countOne<>(SB), RODATA|NOPTR, $8

// The count takes the pairs of a group that k selects.
#define COUNT(offset, k, a) \
	VMOVDQU64    offset(SLOPE)(G*1), a \
	VPADDQ.BCST  countOne<>(SB), a, k, a \
	VMOVDQU64    a, offset(SLOPE)(G*1)

// The sum takes the values v of the pairs that k selects.
#define SUM(offset, k, v, a) \
	VMOVUPD      offset(VALUE)(G*1), a \
	VADDPD       v, a, k, a          \
	VMOVUPD      a, offset(VALUE)(G*1)

// One pass over the positives against the element at S, two groups at a time and then one.
// K2 and K3 mark the pairs that are above; a group without such a pair is skipped. scaleTwo
// and scaleOne change the differences, two and one evaluate the pairs, and add does what is
// needed besides the sum: Z1 has the values of the first group, Z17 the values of the
// second.
#define GROUPS(two, one, scaleTwo, scaleOne, add) \
	VBROADCASTSD (S), Z14            \
	XORL         G, G                \
	LEAQ         -64(P), R14         \
pair:                                    \
	CMPQ         G, R14              \
	JGE          single              \
	VSUBPD       (CENTER)(G*1), Z14, Z8 \
	VSUBPD       64(CENTER)(G*1), Z14, Z24 \
	VCMPPD       GREATER, (LEAST)(G*1), Z8, K2 \
	VCMPPD       GREATER, 64(LEAST)(G*1), Z24, K3 \
	KORTESTB     K2, K3              \
	JEQ          nextPair            \
	COUNT(0, K2, Z4)                 \
	COUNT(64, K3, Z5)                \
	scaleTwo                         \
	EXP_NEGATIVE_PAIR                \
	two                              \
	add(Z1, K2)                      \
	add(Z17, K3)                     \
	SUM(0, K2, Z1, Z2)               \
	SUM(64, K3, Z17, Z18)            \
nextPair:                                \
	ADDQ         $128, G             \
	JMP          pair                \
single:                                  \
	CMPQ         G, P                \
	JGE          next                \
	VSUBPD       (CENTER)(G*1), Z14, Z7 \
	VCMPPD       GREATER, (LEAST)(G*1), Z7, K2 \
	KORTESTB     K2, K2              \
	JEQ          next                \
	COUNT(0, K2, Z4)                 \
	scaleOne                         \
	EXP_NEGATIVE                     \
	one                              \
	add(Z1, K2)                      \
	SUM(0, K2, Z1, Z2)               \
next:

#define TWO_SIGMOIDS \
	SIGMOID_PAIR(K1, K4)

#define ONE_SIGMOID SIGMOID_FROM(Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z11, K1)

#define TWO_SOFTPLUSES \
	SOFTPLUS_PAIR(K1, K4) \
	VMOVAPD      Z0, Z1              \
	VMOVAPD      Z16, Z17

#define ONE_SOFTPLUS \
	SOFTPLUS_FROM(Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6, K1) \
	VMOVAPD      Z0, Z1

#define ADD_LANES(v, k) VADDPD v, Z13, k, Z13
#define ADD_NOTHING(v, k)

#define AS_IS

// to = the slope of u, by Z15 = 1.
#define SPREAD_OF(u, to, t) \
	VADDPD       Z15, u, t           \
	VDIVPD       t, Z15, t           \
	VMULPD       t, u, to            \
	VMULPD       t, to, to

#define TWO_SLOPES \
	SPREAD_OF(Z0, Z1, Z2)                \
	SPREAD_OF(Z16, Z17, Z18)

#define ONE_SLOPE SPREAD_OF(Z0, Z1, Z2)

// By Z12 = the scale.
#define SCALE_TWO \
	VMULPD       Z12, Z8, Z8         \
	VMULPD       Z12, Z24, Z24

#define SCALE_ONE VMULPD Z12, Z7, Z7

#define ODDS AX     // of the sample

// func pairSigmoidAboveAVX512(count []int, sum, c, s, center, least []float64)
TEXT ·pairSigmoidAboveAVX512(SB), NOSPLIT, $0-144
	ABOVE_ARGUMENTS
	BEGIN
element:
	VPXORQ       Z13, Z13, Z13
	GROUPS(TWO_SIGMOIDS, ONE_SIGMOID, AS_IS, AS_IS, ADD_LANES)
	VMOVAPD      Z13, Z0
	ADD_FOLDED
	NEXT_ELEMENT

// func pairSoftplusAboveAVX512(count []int, sum, s, center, least []float64)
TEXT ·pairSoftplusAboveAVX512(SB), NOSPLIT, $0-120
	SOFTPLUS_ARGUMENTS
	BEGIN
element:
	GROUPS(TWO_SOFTPLUSES, ONE_SOFTPLUS, AS_IS, AS_IS, ADD_NOTHING)
	NEXT_ELEMENT

// func pairSlopeAboveAVX512(count []int, sum, c, s, center, least []float64, scale float64)
TEXT ·pairSlopeAboveAVX512(SB), NOSPLIT, $0-152
	ABOVE_ARGUMENTS
	VBROADCASTSD scale+144(FP), Z12
	BEGIN
	VBROADCASTSD ONE, Z15
element:
	VPXORQ       Z13, Z13, Z13
	GROUPS(TWO_SLOPES, ONE_SLOPE, SCALE_TWO, SCALE_ONE, ADD_LANES)
	VMOVAPD      Z13, Z0
	ADD_FOLDED
	NEXT_ELEMENT

// func pairSlopeOddsAVX512(count []int, sum, c, s, center, least, e, o []float64)
TEXT ·pairSlopeOddsAVX512(SB), NOSPLIT, $0-192
	ABOVE_ARGUMENTS
	MOVQ         e_base+144(FP), ODDS
	MOVQ         o_base+168(FP), PART
	BEGIN
	VBROADCASTSD ONE, Z15
element:
	VBROADCASTSD (S), Z14
	VBROADCASTSD (ODDS), Z12
	ADDQ         $8, ODDS
	VPXORQ       Z13, Z13, Z13
	XORL         G, G
group:
	VSUBPD       (CENTER)(G*1), Z14, Z0
	VCMPPD       GREATER, (LEAST)(G*1), Z0, K2
	KORTESTB     K2, K2
	JEQ          next
	COUNT(0, K2, Z4)
	VMULPD       (PART)(G*1), Z12, Z0
	SPREAD_OF(Z0, Z1, Z2)
	ADD_LANES(Z1, K2)
	SUM(0, K2, Z1, Z2)
next:
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	VMOVAPD      Z13, Z0
	ADD_FOLDED
	NEXT_ELEMENT

// One element against the shifts. t goes to the row of part; value and slope take it.
#define HINGE(offset, shift, value, slope, t) \
	VADDPD       shift, Z12, t       \
	VMAXPD       t, Z13, t           \ // keeps NaN and -0
	VMOVUPD      t, offset(PART)     \
	VFMADD231PD  t, t, value         \
	VADDPD       t, slope, slope

// Sixteen positives at a time, then eight.

// func pairBlockHingeAVX512(part, value, slope, s, shift []float64)
TEXT ·pairBlockHingeAVX512(SB), NOSPLIT, $0-120
	MOVQ         value_base+24(FP), VALUE
	MOVQ         slope_base+48(FP), SLOPE
	MOVQ         shift_base+96(FP), CENTER
	MOVQ         shift_len+104(FP), P
	SHLQ         $3, P
	VPXORQ       Z13, Z13, Z13
	XORL         G, G
	LEAQ         -64(P), R14
pair:
	CMPQ         G, R14
	JGE          single
	MOVQ         part_base+0(FP), PART
	ADDQ         G, PART
	MOVQ         s_base+72(FP), S
	MOVQ         s_len+80(FP), N
	VMOVUPD      (CENTER)(G*1), Z10
	VMOVUPD      64(CENTER)(G*1), Z11
	VPXORQ       Z0, Z0, Z0
	VPXORQ       Z1, Z1, Z1
	VPXORQ       Z2, Z2, Z2
	VPXORQ       Z3, Z3, Z3
	TESTQ        N, N
	JEQ          storePair
elementOfPair:
	VBROADCASTSD (S), Z12
	HINGE(0, Z10, Z0, Z2, Z4)
	HINGE(64, Z11, Z1, Z3, Z5)
	ADDQ         $8, S
	ADDQ         P, PART
	DECQ         N
	JNE          elementOfPair
storePair:
	VMOVUPD      Z0, (VALUE)(G*1)
	VMOVUPD      Z1, 64(VALUE)(G*1)
	VMOVUPD      Z2, (SLOPE)(G*1)
	VMOVUPD      Z3, 64(SLOPE)(G*1)
	ADDQ         $128, G
	JMP          pair
single:
	CMPQ         G, P
	JGE          done
	MOVQ         part_base+0(FP), PART
	ADDQ         G, PART
	MOVQ         s_base+72(FP), S
	MOVQ         s_len+80(FP), N
	VMOVUPD      (CENTER)(G*1), Z10
	VPXORQ       Z0, Z0, Z0
	VPXORQ       Z2, Z2, Z2
	TESTQ        N, N
	JEQ          store
element:
	VBROADCASTSD (S), Z12
	HINGE(0, Z10, Z0, Z2, Z4)
	ADDQ         $8, S
	ADDQ         P, PART
	DECQ         N
	JNE          element
store:
	VMOVUPD      Z0, (VALUE)(G*1)
	VMOVUPD      Z2, (SLOPE)(G*1)
done:
	VZEROUPPER
	RET
