//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// Sixteen elements a round, in two vectors, x = Z8 and Z24. The last ones go eight a
// round, in Z7, and the last one to seven by loads and stores of just them: a masked
// load waits for any store of late that its whole width meets.

#define MAP_ARGUMENTS \
	MOVQ dst+0(FP), DI         \
	MOVQ x+8(FP), SI           \
	MOVQ n+16(FP), CX          \
	LEAQ ·elementTable(SB), R8

#define PAIR_BEGIN \
	MAP_ARGUMENTS         \
	SUBQ $16, CX          \
	JL   rest             \
pair:                         \
	VMOVUPD (SI), Z8      \
	VMOVUPD 64(SI), Z24

#define PAIR_END(a, b) \
	VMOVUPD a, (DI)       \
	VMOVUPD b, 64(DI)     \
	ADDQ  $128, SI        \
	ADDQ  $128, DI        \
	SUBQ  $16, CX         \
	JGE   pair            \
rest:                         \
	ADDQ  $16, CX         \
	JEQ   done            \
	SINGLE_BEGIN

// Eight elements a round, in Z7, of CX > 0.
#define SINGLE_BEGIN \
next:                         \
	CMPQ    CX, $8        \
	JCS     loadFew       \
	VMOVUPD (SI), Z7      \
	JMP     loaded        \
loadFew:                      \
	CMPQ    CX, $4        \
	JHI     loadOverFour  \
	JEQ     loadFour      \
	CMPQ    CX, $2        \
	JCS     loadOne       \
	VMOVUPD (SI), X7      \
	JEQ     loaded        \
	VMOVSD  16(SI), X6    \
	VINSERTF128 $1, X6, Y7, Y7 \
	JMP     loaded        \
loadOne:                      \
	VMOVSD  (SI), X7      \
	JMP     loaded        \
loadFour:                     \
	VMOVUPD (SI), Y7      \
	JMP     loaded        \
loadOverFour:                 \
	VMOVUPD (SI), Y7      \
	CMPQ    CX, $6        \
	JCS     loadFive      \
	VMOVUPD 32(SI), X6    \
	JEQ     loadUpper     \
	VMOVSD  48(SI), X5    \
	VINSERTF128 $1, X5, Y6, Y6 \
	JMP     loadUpper     \
loadFive:                     \
	VMOVSD  32(SI), X6    \
loadUpper:                    \
	VINSERTF64X4 $1, Y6, Z7, Z7 \
loaded:

// Stores a, goes on, and returns at last.
#define SINGLE_END(a, a__, a_) \
	SUBQ    $8, CX       \
	JLT     storeFew     \
	VMOVUPD a, (DI)      \
	ADDQ    $64, SI      \
	ADDQ    $64, DI      \
	TESTQ   CX, CX       \
	JNE     next         \
done:                        \
	VZEROUPPER           \
	RET                  \
storeFew:                    \
	ADDQ    $8, CX       \
	CMPQ    CX, $4       \
	JCS     storeLow     \
	VMOVUPD a__, (DI)    \
	JEQ     done         \
	VEXTRACTF64X4 $1, a, a__ \
	ADDQ    $32, DI      \
	SUBQ    $4, CX       \
storeLow:                    \
	CMPQ    CX, $2       \
	JCS     storeOne     \
	VMOVUPD a_, (DI)     \
	JEQ     done         \
	VEXTRACTF128 $1, a__, X6 \
	VMOVSD  X6, 16(DI)   \
	JMP     done         \
storeOne:                    \
	VMOVSD  a_, (DI)     \
	JMP     done

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

// Z0 = exp of Z7.
#define EXP_OF_ONE \
	VBROADCASTSD     EXP_HIGH, Z1     \
	VBROADCASTSD     EXP_LOW, Z2      \
	VMINPD           Z7, Z1, Z0       \
	VMAXPD           Z0, Z2, Z0       \
	EXP_REDUCE(Z0, Z1, Z2, Z3)        \
	EXP_POLY(Z2, Z3, Z4, Z5, Z6, Z11) \
	EXP_JOIN(Z0, Z2, Z3, Z5, Z6, Z11) \
	VSCALEFPD        Z1, Z0, Z0

// func expAVX512(dst, x *float64, n int)
TEXT ·expAVX512(SB), NOSPLIT, $0-24
	PAIR_BEGIN
	EXP_OF_PAIR
	PAIR_END(Z0, Z16)
	EXP_OF_ONE
	SINGLE_END(Z0, Y0, X0)

// func pairExponentsAVX512(dst, x *float64, n int, middle, scale float64)
TEXT ·pairExponentsAVX512(SB), NOSPLIT, $0-40
	VBROADCASTSD middle+24(FP), Z30
	VBROADCASTSD scale+32(FP), Z31
	PAIR_BEGIN
	VSUBPD           Z30, Z8, Z8
	VSUBPD           Z30, Z24, Z24
	VMULPD           Z31, Z8, Z8
	VMULPD           Z31, Z24, Z24
	EXP_OF_PAIR
	PAIR_END(Z0, Z16)
	VSUBPD           Z30, Z7, Z7
	VMULPD           Z31, Z7, Z7
	EXP_OF_ONE
	SINGLE_END(Z0, Y0, X0)

// func sigmoidAVX512(dst, x *float64, n int)
TEXT ·sigmoidAVX512(SB), NOSPLIT, $0-24
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(K3, K4)
	PAIR_END(Z1, Z17)
	EXP_NEGATIVE
	SIGMOID_FROM(Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z11, K3)
	SINGLE_END(Z1, Y1, X1)

// func softplusAVX512(dst, x *float64, n int)
TEXT ·softplusAVX512(SB), NOSPLIT, $0-24
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SOFTPLUS_PAIR(K3, K4)
	PAIR_END(Z0, Z16)
	EXP_NEGATIVE
	SOFTPLUS_FROM(Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6, K3)
	SINGLE_END(Z0, Y0, X0)

// k = which of the lanes of x are not positive, normal and finite.
#define UNUSUAL(x, t, k) \
	VPSUBQ.BCST  LOG_TINY, x, t    \
	VPCMPUQ.BCST $5, NORMALS, t, k

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

// func logAVX512(dst, x *float64, n int)
TEXT ·logAVX512(SB), NOSPLIT, $0-24
	PAIR_BEGIN
	UNUSUAL(Z8, Z0, K3)
	UNUSUAL(Z24, Z16, K4)
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
	LOG_ANY
	SINGLE_END(Z0, Y0, X0)

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
	MAP_ARGUMENTS \
	TESTQ CX, CX  \
	JEQ   done    \
	SINGLE_BEGIN

#define MAP_END SINGLE_END(Z0, Y0, X0)

// func log1pAVX512(dst, x *float64, n int)
TEXT ·log1pAVX512(SB), NOSPLIT, $0-24
	MAP_BEGIN
	LOG1P
	VANDPD.BCST      ABS_MASK, Z9, Z1
	VCMPPD.BCST      LESS, LOG1P_SMALL, Z1, K2
	VMOVAPD          Z9, K2, Z0
	MAP_END

// func tanhAVX512(dst, x *float64, n int)
TEXT ·tanhAVX512(SB), NOSPLIT, $0-24
	MAP_BEGIN
	TANH
	MAP_END

// func expSumAVX512(dst, x []float64, shift float64) float64
TEXT ·expSumAVX512(SB), NOSPLIT, $0-64
	VBROADCASTSD shift+48(FP), Z30
	VXORPD       Z31, Z31, Z31
	MOVQ         dst_base+0(FP), DI
	MOVQ         x_base+24(FP), SI
	MOVQ         x_len+32(FP), CX
	LEAQ         ·elementTable(SB), R8
	XORL         BX, BX
	SUBQ         $16, CX
	JL           rest
pair:
	VMOVUPD      (SI), Z8
	VMOVUPD      64(SI), Z24
	VSUBPD       Z30, Z8, Z8
	VSUBPD       Z30, Z24, Z24
	EXP_OF_PAIR
	VADDPD       Z0, Z31, Z31
	VADDPD       Z16, Z31, Z31
	ADDQ         $128, SI
	TESTQ        DI, DI
	JEQ          after
	VMOVUPD      Z0, (DI)
	VMOVUPD      Z16, 64(DI)
	ADDQ         $128, DI
after:
	SUBQ         $16, CX
	JGE          pair
rest:
	ADDQ         $16, CX
	JEQ          done
	SINGLE_BEGIN
	VSUBPD       Z30, Z7, Z7
	EXP_OF_ONE
	MOVQ         $-1, AX
	BZHIQ        CX, AX, AX
	KMOVB        AX, K1
	VADDPD       Z0, Z31, K1, Z31
	ADDQ         $64, SI
	TESTQ        DI, DI
	JEQ          further
	CMPQ         CX, $8
	JCS          last
	VMOVUPD      Z0, (DI)
	ADDQ         $64, DI
further:
	SUBQ         $8, CX
	JGT          next
	JMP          done
last:
	MOVQ         CX, R11
	STORE_LAST(Z0, Y0, X0, DI)
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
