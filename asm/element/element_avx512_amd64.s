//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// Sixteen elements a round, in two vectors, through the masks K1 and K2, which
// select all of them until the last round. x = Z8 and Z24.

#define PAIR_BEGIN \
	MOVQ dst_base+0(FP), DI    \
	MOVQ x_base+24(FP), SI     \
	MOVQ x_len+32(FP), CX      \
	LEAQ ·elementTable(SB), R8 \
	KXNORB K1, K1, K1          \
	KXNORB K2, K2, K2          \
loop:                          \
	SUBQ $16, CX               \
	JL   partial               \
body:                          \
	VMOVUPD.Z (SI), K1, Z8     \
	VMOVUPD.Z 64(SI), K2, Z24

#define PAIR_END(a, b) \
	VMOVUPD a, K1, (DI)        \
	VMOVUPD b, K2, 64(DI)      \
	ADDQ  $128, SI             \
	ADDQ  $128, DI             \
	JMP   loop                 \
partial:                       \
	MASK_LAST_PAIR(CX, AX, K1, K2) \
	JMP   body                 \
done:                          \
	VZEROUPPER                 \
	RET

// func expAVX512(dst, x []float64)
TEXT ·expAVX512(SB), NOSPLIT, $0-48
	PAIR_BEGIN
	VBROADCASTSD     EXP_HIGH, Z1
	VBROADCASTSD     EXP_LOW, Z2
	VMINPD           Z8, Z1, Z0
	VMINPD           Z24, Z1, Z16
	VMAXPD           Z0, Z2, Z0
	VMAXPD           Z16, Z2, Z16
	EXP_PAIR
	VSCALEFPD        Z1, Z0, Z0
	VSCALEFPD        Z17, Z16, Z16
	PAIR_END(Z0, Z16)

// func sigmoidAVX512(dst, x []float64)
TEXT ·sigmoidAVX512(SB), NOSPLIT, $0-48
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(K3, K4)
	PAIR_END(Z1, Z17)

// func softplusAVX512(dst, x []float64)
TEXT ·softplusAVX512(SB), NOSPLIT, $0-48
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SOFTPLUS_PAIR(K3, K4)
	PAIR_END(Z0, Z16)

// The logarithms take one vector of eight elements a round.

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
	VMOVUPD.Z (SI), K1, Z7

#define MAP_END \
	VMOVUPD Z0, K1, (DI)       \
	ADDQ  $64, SI              \
	ADDQ  $64, DI              \
	JMP   loop                 \
partial:                       \
	MASK_LAST(CX, 8, AX, K1) \
	JMP   body                 \
done:                          \
	VZEROUPPER                 \
	RET

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
	LOG1P
	VANDPD.BCST      ABS_MASK, Z9, Z1
	VCMPPD.BCST      LESS, LOG1P_SMALL, Z1, K2
	VMOVAPD          Z9, K2, Z0
	MAP_END
