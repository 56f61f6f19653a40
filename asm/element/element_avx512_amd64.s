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

// Z0 and Z16 = exp of Z8 and Z24.
#define EXP_OF_PAIR \
	VBROADCASTSD     EXP_HIGH, Z1  \
	VBROADCASTSD     EXP_LOW, Z2   \
	VMINPD           Z8, Z1, Z0    \
	VMINPD           Z24, Z1, Z16  \
	VMAXPD           Z0, Z2, Z0    \
	VMAXPD           Z16, Z2, Z16  \
	EXP_PAIR                       \
	VSCALEFPD        Z1, Z0, Z0    \
	VSCALEFPD        Z17, Z16, Z16

// func expAVX512(dst, x []float64)
TEXT ·expAVX512(SB), NOSPLIT, $0-48
	PAIR_BEGIN
	EXP_OF_PAIR
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

// k = which of the lanes of x are not positive, normal and finite.
#define UNUSUAL(x, t, lanes, k) \
	VPSUBQ.BCST  LOG_TINY, x, t           \
	VPCMPUQ.BCST $5, NORMALS, t, lanes, k

// Z0 = log(Z7) for any argument.
#define LOG_ANY \
	VMOVAPD          Z7, Z0                      \
	VCMPPD.BCST      LESS, LOG_TINY, Z7, K3      \
	VMULPD.BCST      TWO_54, Z0, K3, Z0          \
	LOG_SPLIT_BITS(V0, V8, V1)                   \
	VSUBPD.BCST      FIFTY_FOUR, Z8, K3, Z8      \
	VSUBPD.BCST      ONE, Z1, Z0                 \
	VXORPD           Z2, Z2, Z2                  \
	LOG_FROM(V8, V0, V1, V2, V3, V4, V5, V6)     \
	LOG_ENDS

// func logAVX512(dst, x []float64)
TEXT ·logAVX512(SB), NOSPLIT, $0-48
	PAIR_BEGIN
	UNUSUAL(Z8, Z0, K1, K3)
	UNUSUAL(Z24, Z16, K2, K4)
	LOG_SPLIT_BITS(Z8, Z7, Z0)
	LOG_SPLIT_BITS(Z24, Z23, Z16)
	KORTESTB         K3, K4
	JNE              any
	VSUBPD.BCST      ONE, Z0, Z0
	VSUBPD.BCST      ONE, Z16, Z16
	VXORPD           Z2, Z2, Z2
	VXORPD           Z18, Z18, Z18
	LOG_RATIO(Z0, Z2, Z3, Z4, Z5, Z6)
	LOG_RATIO(Z16, Z18, Z19, Z20, Z21, Z22)
	LOG_POLY(Z1, Z2, Z3, Z4, Z5, Z6)
	LOG_POLY(Z17, Z18, Z19, Z20, Z21, Z22)
	LOG_JOIN(Z7, Z0, Z1, Z2, Z5, Z6)
	LOG_JOIN(Z23, Z16, Z17, Z18, Z21, Z22)
store:
	PAIR_END(Z0, Z16)

any:
	VMOVAPD          Z8, Z7
	LOG_ANY
	VMOVAPD          Z0, Z16
	VMOVAPD          Z24, Z7
	LOG_ANY
	VMOVAPD          Z0, Z17
	VMOVAPD          Z16, Z0
	VMOVAPD          Z17, Z16
	JMP              store

// The other logarithm takes one vector of eight elements a round.

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

// func log1pAVX512(dst, x []float64)
TEXT ·log1pAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	LOG1P
	VANDPD.BCST      ABS_MASK, Z9, Z1
	VCMPPD.BCST      LESS, LOG1P_SMALL, Z1, K2
	VMOVAPD          Z9, K2, Z0
	MAP_END

// func tanhAVX512(dst, x []float64)
TEXT ·tanhAVX512(SB), NOSPLIT, $0-48
	MAP_BEGIN
	TANH
	MAP_END

// func expSumAVX512(dst, x []float64, shift float64) float64
TEXT ·expSumAVX512(SB), NOSPLIT, $0-64
	VBROADCASTSD shift+48(FP), Z30
	VXORPD       Z31, Z31, Z31
	PAIR_BEGIN
	VSUBPD       Z30, Z8, Z8
	VSUBPD       Z30, Z24, Z24
	EXP_OF_PAIR
	VADDPD       Z0, Z31, K1, Z31
	VADDPD       Z16, Z31, K2, Z31
	ADDQ         $128, SI
	TESTQ        DI, DI
	JEQ          loop
	VMOVUPD      Z0, K1, (DI)
	VMOVUPD      Z16, K2, 64(DI)
	ADDQ         $128, DI
	JMP          loop
partial:
	MASK_LAST_PAIR(CX, AX, K1, K2)
	JMP          body
done:
	VEXTRACTF64X4 $1, Z31, Y0
	VADDPD       Y0, Y31, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VPERMILPD    $1, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+56(FP)
	VZEROUPPER
	RET
