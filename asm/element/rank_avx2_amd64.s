//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// The k-th largest of few elements is the smallest element that fewer than k elements
// exceed. Counting takes n^2 comparisons and no branch that depends on data.

#define S SI
#define N CX
#define AT DX   // the first candidate of the round, at most n-4
#define LAST R8 // n-4
#define J AX    // the element that they are compared with

// Y14 = which lanes met a NaN, Y15 = the least candidate so far, Y13 = k.

// X = four candidates, and C = how many are above each, none so far.
#define CANDIDATES(x, c) \
	VMOVUPD (S)(AT*8), x      \
	VPXOR   c, c, c           \
	VCMPPD  $3, x, x, Y12     \ // unordered
	VORPD   Y12, Y14, Y14     \
	ADDQ    $4, AT            \
	CMPQ    AT, LAST          \
	CMOVQGT LAST, AT

#define COMPARE(x, c, t) \
	VCMPPD LESS, Y12, x, t \
	VPSUBQ t, c, c

// Y15 = the minimum of Y15 and the elements of x that fewer than k elements exceed.
#define LEAST(x, c) \
	VPCMPGTQ  c, Y13, c        \
	VBLENDVPD c, x, Y11, x     \
	VMINPD    x, Y15, Y15

// func thresholdKthAVX2(s *float64, n, k int) float64
TEXT ·thresholdKthAVX2(SB), NOSPLIT, $0-32
	MOVQ         s+0(FP), S
	MOVQ         n+8(FP), N
	VPBROADCASTQ k+16(FP), Y13
	LEAQ         ·elementTable(SB), R8
	VMOVUPD      INFINITY, Y11
	VMOVAPD      Y11, Y15
	VXORPD       Y14, Y14, Y14
	LEAQ         -4(N), LAST
	LEAQ         3(N), R9
	SHRQ         $2, R9      // rounds of four candidates
	XORL         AT, AT
	SUBQ         $4, R9
	JLT          fewer

sixteen:
	CANDIDATES(Y0, Y4)
	CANDIDATES(Y1, Y5)
	CANDIDATES(Y2, Y6)
	CANDIDATES(Y3, Y7)
	XORL J, J

nextOfSixteen:
	VBROADCASTSD (S)(J*8), Y12
	COMPARE(Y0, Y4, Y8)
	COMPARE(Y1, Y5, Y9)
	COMPARE(Y2, Y6, Y10)
	COMPARE(Y3, Y7, Y8)
	INCQ J
	CMPQ J, N
	JCS  nextOfSixteen
	LEAST(Y0, Y4)
	LEAST(Y1, Y5)
	LEAST(Y2, Y6)
	LEAST(Y3, Y7)
	SUBQ $4, R9
	JGE  sixteen

fewer:
	ADDQ $4, R9
	JEQ  done

eight:
	CANDIDATES(Y0, Y4)
	CANDIDATES(Y1, Y5)
	XORL J, J

nextOfEight:
	VBROADCASTSD (S)(J*8), Y12
	COMPARE(Y0, Y4, Y8)
	COMPARE(Y1, Y5, Y9)
	INCQ J
	CMPQ J, N
	JCS  nextOfEight
	LEAST(Y0, Y4)
	LEAST(Y1, Y5)
	SUBQ $2, R9
	JGT  eight

done:
	VMOVMSKPD    Y14, AX
	TESTL        AX, AX
	JNE          unordered
	VEXTRACTF128 $1, Y15, X0
	VMINPD       X15, X0, X0
	VUNPCKHPD    X0, X0, X1
	VMINSD       X1, X0, X0
	VZEROUPPER
	VMOVSD       X0, ret+24(FP)
	RET

unordered:
	VZEROUPPER
	MOVQ $0x7ff8000000000001, AX
	MOVQ AX, ret+24(FP)
	RET
