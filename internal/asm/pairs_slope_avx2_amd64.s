//go:build !purego

#include "textflag.h"
#include "element_table.h"
#include "compare_amd64.h"
#include "element_avx2_amd64.h"

// Eight positives at a time, in two vectors; eight lanes in one are no faster, as the
// division takes the time. The definitions are the twins in pairs_slope.go.

#define S SI        // the sample
#define E AX        // its odds
#define N CX        // elements of it left
#define CENTER R9
#define LEAST R10
#define SUM R11
#define COUNT R12
#define C R13
#define O DI        // the odds of the positives
#define G BX        // offset of a group of positives
#define P DX        // bytes of all positives
#define ANY R14

#define MASK0 0(SP)
#define MASK1 32(SP)
#define LANES0 64(SP)
#define LANES1 96(SP)

// COUNT and SUM = 0 for all positives.
#define CLEAR_SUMS \
	VXORPD  Y0, Y0, Y0               \
	XORL    G, G                     \
clearSums:                               \
	VMOVUPD Y0, (SUM)(G*1)           \
	VMOVUPD Y0, 32(SUM)(G*1)         \
	VMOVUPD Y0, (COUNT)(G*1)         \
	VMOVUPD Y0, 32(COUNT)(G*1)       \
	ADDQ    $64, G                   \
	CMPQ    G, P                     \
	JLT     clearSums

// Y0 and Y1 = the differences to s of a group of positives; Y2 and Y3 say which of
// them are above, and the count takes these. Where none is, on to the next group.
#define ABOVE(s) \
	VSUBPD    (CENTER)(G*1), s, Y0   \
	VSUBPD    32(CENTER)(G*1), s, Y1 \
	VCMPPD    GREATER, (LEAST)(G*1), Y0, Y2 \
	VCMPPD    GREATER, 32(LEAST)(G*1), Y1, Y3 \
	VORPD     Y2, Y3, Y4             \
	VMOVMSKPD Y4, ANY                \
	TESTL     ANY, ANY               \
	JEQ       next                   \
	VMOVDQU   (COUNT)(G*1), Y4       \
	VMOVDQU   32(COUNT)(G*1), Y5     \
	VPSUBQ    Y2, Y4, Y4             \
	VPSUBQ    Y3, Y5, Y5             \
	VMOVDQU   Y4, (COUNT)(G*1)       \
	VMOVDQU   Y5, 32(COUNT)(G*1)

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
	VADDPD    (SUM)(G*1), a, c       \
	VADDPD    32(SUM)(G*1), b, d     \
	VMOVUPD   c, (SUM)(G*1)          \
	VMOVUPD   d, 32(SUM)(G*1)

// c takes the eight lanes of Y0 and Y1.
#define FOLD_INTO_C \
	VADDPD       Y1, Y0, Y0          \
	VEXTRACTF128 $1, Y0, X1          \
	VADDPD       X1, X0, X0          \
	VUNPCKHPD    X0, X0, X1          \
	VADDSD       X1, X0, X0          \
	VADDSD       (C), X0, X0         \
	VMOVSD       X0, (C)             \
	ADDQ         $8, C               \
	ADDQ         $8, S

#define ARGUMENTS \
	MOVQ count_base+0(FP), COUNT     \
	MOVQ sum_base+24(FP), SUM        \
	MOVQ c_base+48(FP), C            \
	MOVQ s_base+72(FP), S            \
	MOVQ s_len+80(FP), N             \
	MOVQ center_base+96(FP), CENTER  \
	MOVQ least_base+120(FP), LEAST   \
	MOVQ least_len+128(FP), P        \
	SHLQ $3, P                       \
	LEAQ ·elementTable(SB), R8

// func pairSlopeOddsAVX2(count []int, sum, c, s, center, least, e, o []float64)
TEXT ·pairSlopeOddsAVX2(SB), NOSPLIT, $0-192
	ARGUMENTS
	MOVQ         e_base+144(FP), E
	MOVQ         o_base+168(FP), O
	CLEAR_SUMS
	TESTQ        N, N
	JEQ          done
element:
	VBROADCASTSD (S), Y14
	VBROADCASTSD (E), Y13
	ADDQ         $8, E
	VXORPD       Y10, Y10, Y10
	VXORPD       Y11, Y11, Y11
	XORL         G, G
group:
	ABOVE(Y14)
	VMULPD       (O)(G*1), Y13, Y0
	VMULPD       32(O)(G*1), Y13, Y1
	SLOPES(Y0, Y1, Y4, Y5, Y2, Y3)
	VADDPD       Y0, Y10, Y10
	VADDPD       Y1, Y11, Y11
next:
	ADDQ         $64, G
	CMPQ         G, P
	JLT          group
	VMOVAPD      Y10, Y0
	VMOVAPD      Y11, Y1
	FOLD_INTO_C
	DECQ         N
	JNE          element
done:
	VZEROUPPER
	RET

// func pairSlopeAboveAVX2(count []int, sum, c, s, center, least []float64, scale float64)
TEXT ·pairSlopeAboveAVX2(SB), NOSPLIT, $128-152
	ARGUMENTS
	CLEAR_SUMS
	TESTQ        N, N
	JEQ          done
element:
	VXORPD       Y0, Y0, Y0
	VMOVUPD      Y0, LANES0
	VMOVUPD      Y0, LANES1
	XORL         G, G
group:
	VBROADCASTSD (S), Y6
	ABOVE(Y6)
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
	FOLD_INTO_C
	DECQ         N
	JNE          element
done:
	VZEROUPPER
	RET
