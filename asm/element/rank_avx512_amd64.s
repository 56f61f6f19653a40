//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// As in rank_avx2_amd64.s, at twice the width.

#define S SI
#define N CX
#define AT DX
#define LAST R8 // n-8
#define J AX

// Z15 = the least candidate so far, Z13 = k, Z14 = ones; K7 has the lanes that met a NaN.
#define CANDIDATES(x, c) \
	VMOVUPD (S)(AT*8), x  \
	VPXORQ  c, c, c       \
	VCMPPD  $3, x, x, K1  \
	KORB    K1, K7, K7    \
	ADDQ    $8, AT        \
	CMPQ    AT, LAST      \
	CMOVQGT LAST, AT

#define COMPARE(x, c, k) \
	VCMPPD LESS, Z12, x, k \
	VPADDQ Z14, c, k, c

#define LEAST(x, c) \
	VPCMPGTQ c, Z13, K1       \
	VMINPD   x, Z15, K1, Z15

// func thresholdKthAVX512(s *float64, n, k int) float64
TEXT ·thresholdKthAVX512(SB), NOSPLIT, $0-32
	MOVQ         s+0(FP), S
	MOVQ         n+8(FP), N
	VPBROADCASTQ k+16(FP), Z13
	LEAQ         ·elementTable(SB), R8
	VBROADCASTSD INFINITY, Z15
	VPTERNLOGQ   $0xff, Z14, Z14, Z14
	VPSRLQ       $63, Z14, Z14
	KXORB        K7, K7, K7
	LEAQ         -8(N), LAST
	LEAQ         7(N), R9
	SHRQ         $3, R9
	XORL         AT, AT
	SUBQ         $4, R9
	JLT          fewer

thirtyTwo:
	CANDIDATES(Z0, Z4)
	CANDIDATES(Z1, Z5)
	CANDIDATES(Z2, Z6)
	CANDIDATES(Z3, Z7)
	XORL J, J

nextOfThirtyTwo:
	VBROADCASTSD (S)(J*8), Z12
	COMPARE(Z0, Z4, K1)
	COMPARE(Z1, Z5, K2)
	COMPARE(Z2, Z6, K3)
	COMPARE(Z3, Z7, K4)
	INCQ J
	CMPQ J, N
	JCS  nextOfThirtyTwo
	LEAST(Z0, Z4)
	LEAST(Z1, Z5)
	LEAST(Z2, Z6)
	LEAST(Z3, Z7)
	SUBQ $4, R9
	JGE  thirtyTwo

fewer:
	ADDQ $4, R9
	JEQ  done

sixteen:
	CANDIDATES(Z0, Z4)
	CANDIDATES(Z1, Z5)
	XORL J, J

nextOfSixteen:
	VBROADCASTSD (S)(J*8), Z12
	COMPARE(Z0, Z4, K1)
	COMPARE(Z1, Z5, K2)
	INCQ J
	CMPQ J, N
	JCS  nextOfSixteen
	LEAST(Z0, Z4)
	LEAST(Z1, Z5)
	SUBQ $2, R9
	JGT  sixteen

done:
	KTESTB        K7, K7
	JNE           unordered
	VEXTRACTF64X4 $1, Z15, Y0
	VMINPD        Y15, Y0, Y0
	VEXTRACTF128  $1, Y0, X1
	VMINPD        X1, X0, X0
	VUNPCKHPD     X0, X0, X1
	VMINSD        X1, X0, X0
	VZEROUPPER
	VMOVSD        X0, ret+24(FP)
	RET

unordered:
	VZEROUPPER
	MOVQ $0x7ff8000000000001, AX
	MOVQ AX, ret+24(FP)
	RET
