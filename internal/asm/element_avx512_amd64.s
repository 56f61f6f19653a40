//go:build !purego

#include "textflag.h"
#include "element_table.h"
#include "compare_amd64.h"
#include "element_avx512_amd64.h"

// Eight elements a round, through the mask K1, which selects all of them until
// the last round.

#define MAP_BEGIN \
	MOVQ dst_base+0(FP), DI    \
	MOVQ x_base+24(FP), SI     \
	MOVQ x_len+32(FP), CX      \
	LEAQ ·elementTable(SB), R8 \
	KXNORB K1, K1, K1          \
loop:                          \
	SUBQ $8, CX                \
	JL   partial               \
body:                          \
	VMOVUPD.Z        (SI), K1, Z7

#define MAP_END \
	VMOVUPD Z0, K1, (DI)       \
	ADDQ  $64, SI              \
	ADDQ  $64, DI              \
	JMP   loop                 \
partial:                       \
	ADDQ  $8, CX               \
	JLE   done                 \
	MOVL  $1, AX               \
	SHLL  CX, AX               \
	DECL  AX                   \
	KMOVB AX, K1               \
	XORL  CX, CX               \
	JMP   body                 \
done:                          \
	VZEROUPPER                 \
	RET

// func expAVX512(dst, x []float64)
TEXT ·expAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VBROADCASTSD     EXP_HIGH, Z1
	VMINPD           Z7, Z1, Z0
	VBROADCASTSD     EXP_LOW, Z1
	VMAXPD           Z0, Z1, Z0
	EXP_PARTS
	VSCALEFPD        Z1, Z0, Z0
	MAP_END

// func sigmoidAVX512(dst, x []float64)
TEXT ·sigmoidAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	EXP_NEGATIVE
	SIGMOID_FROM
	VMOVAPD          Z1, Z0
	MAP_END

// func softplusAVX512(dst, x []float64)
TEXT ·softplusAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	EXP_NEGATIVE
	SOFTPLUS_FROM
	MAP_END

// func logAVX512(dst, x []float64)
TEXT ·logAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VMOVAPD          Z7, Z0
	VCMPPD.BCST      LESS, LOG_TINY, Z7, K3
	VMULPD.BCST      TWO_54, Z0, K3, Z0
	LOG_SPLIT_BITS
	VSUBPD.BCST      FIFTY_FOUR, Z8, K3, Z8
	VSUBPD.BCST      ONE, Z1, Z0
	VXORPD           Z2, Z2, Z2
	LOG_FROM
	LOG_ENDS
	MAP_END

// func log1pAVX512(dst, x []float64)
TEXT ·log1pAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VMOVAPD          Z7, Z9
	VADDPD.BCST      ONE, Z9, Z7                  // u
	VSUBPD           Z9, Z7, Z0                   // back
	VSUBPD           Z0, Z7, Z2
	VSUBPD           Z2, Z9, Z2
	VBROADCASTSD     ONE, Z3
	VSUBPD           Z0, Z3, Z3
	VADDPD           Z3, Z2, Z2                   // uTail
	VMOVAPD          Z7, Z0
	LOG_SPLIT_BITS
	VPSUBQ           Z7, Z1, Z3
	VPADDQ.BCST      TWO, Z3, Z3                  // scale
	VSUBPD.BCST      ONE, Z1, Z1                  // f
	VMULPD.BCST      HALF, Z2, Z2
	VMULPD           Z3, Z2, Z2                   // fTail
	VADDPD           Z2, Z1, Z0                   // sum
	VSUBPD           Z1, Z0, Z3
	VSUBPD           Z3, Z2, Z2
	LOG_FROM
	LOG_ENDS
	VANDPD.BCST      ABS_MASK, Z9, Z1
	VCMPPD.BCST      LESS, LOG1P_SMALL, Z1, K2
	VMOVAPD          Z9, K2, Z0
	MAP_END
