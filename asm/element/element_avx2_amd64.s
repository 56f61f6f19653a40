//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Eight elements a round, in two vectors, x = Y7 and Y15. The stack keeps a copy of them. The
// last elements go four a round, and the last one to three by loads and stores of just them: a
// masked load waits for any late store that its whole width meets.

#define X0_ 0(SP)
#define X1_ 32(SP)

#define MAP_ARGUMENTS \
	MOVQ dst+0(FP), DI               \
	MOVQ x+8(FP), SI                 \
	MOVQ n+16(FP), CX                \
	LEAQ ·elementTable(SB), R8

#define PAIR_BEGIN \
	MAP_ARGUMENTS                    \
	SUBQ $8, CX                      \
	JL   rest                        \
pair:                                \
	VMOVUPD (SI), Y7                 \
	VMOVUPD 32(SI), Y15              \
	VMOVUPD Y7, X0_                  \
	VMOVUPD Y15, X1_

#define PAIR_END(a, b) \
	VMOVUPD a, (DI)                  \
	VMOVUPD b, 32(DI)                \
	ADDQ  $64, SI                    \
	ADDQ  $64, DI                    \
	SUBQ  $8, CX                     \
	JGE   pair                       \
rest:                                \
	ADDQ  $8, CX                     \
	JEQ   done                       \
	SINGLE_BEGIN

// Four elements a round, in Y7, of CX > 0.
#define SINGLE_BEGIN \
next:                                \
	CMPQ   CX, $4                    \
	JCS    loadFew                   \
	VMOVUPD (SI), Y7                 \
	JMP    loaded                    \
loadFew:                             \
	CMPQ   CX, $2                    \
	JCS    loadOne                   \
	VMOVUPD (SI), X7                 \
	JEQ    loaded                    \
	VMOVSD 16(SI), X6                \
	VINSERTF128 $1, X6, Y7, Y7       \
	JMP    loaded                    \
loadOne:                             \
	VMOVSD (SI), X7                  \
loaded:

// Stores a, goes on, and returns at last.
#define SINGLE_END(a, a_) \
	SUBQ   $4, CX                    \
	JLT    storeFew                  \
	VMOVUPD a, (DI)                  \
	ADDQ   $32, SI                   \
	ADDQ   $32, DI                   \
	TESTQ  CX, CX                    \
	JNE    next                      \
done:                                \
	VZEROUPPER                       \
	RET                              \
storeFew:                            \
	CMPQ   CX, $-2                   \
	JLT    storeOne                  \
	VMOVUPD a_, (DI)                 \
	JEQ    done                      \
	VEXTRACTF128 $1, a, X6           \
	VMOVSD X6, 16(DI)                \
	JMP    done                      \
storeOne:                            \
	VMOVSD a_, (DI)                  \
	JMP    done

// func expAVX2(dst, x *float64, n int)
TEXT ·expAVX2(SB), NOSPLIT, $64-24
	PAIR_BEGIN
	EXP_OF_PAIR
	PAIR_END(Y0, Y8)
	EXP_OF_ONE
	SINGLE_END(Y0, X0)

// func pairExponentsAVX2(dst, x *float64, n int, middle, scale float64)
TEXT ·pairExponentsAVX2(SB), NOSPLIT, $64-40
	PAIR_BEGIN
	VBROADCASTSD middle+24(FP), Y0
	VBROADCASTSD scale+32(FP), Y1
	VSUBPD           Y0, Y7, Y7
	VSUBPD           Y0, Y15, Y15
	VMULPD           Y1, Y7, Y7
	VMULPD           Y1, Y15, Y15
	EXP_OF_PAIR
	PAIR_END(Y0, Y8)
	VBROADCASTSD middle+24(FP), Y0
	VBROADCASTSD scale+32(FP), Y1
	VSUBPD           Y0, Y7, Y7
	VMULPD           Y1, Y7, Y7
	EXP_OF_ONE
	SINGLE_END(Y0, X0)

// func sigmoidAVX2(dst, x *float64, n int)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $64-24
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(X0_, X1_)
	PAIR_END(Y1, Y9)
	EXP_NEGATIVE
	SIGMOID_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y11)
	SINGLE_END(Y1, X1)

// func softplusAVX2(dst, x *float64, n int)
TEXT ·softplusAVX2(SB), NOSPLIT, $64-24
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SOFTPLUS_PAIR(X0_, X1_)
	PAIR_END(Y0, Y8)
	EXP_NEGATIVE
	SOFTPLUS_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6)
	SINGLE_END(Y0, X0)

// The logarithms take one vector of four elements a round.

#define MAP_BEGIN \
	MAP_ARGUMENTS \
	TESTQ CX, CX  \
	JEQ   done    \
	SINGLE_BEGIN

#define MAP_END SINGLE_END(Y0, X0)

// func logAVX2(dst, x *float64, n int)
TEXT ·logAVX2(SB), NOSPLIT, $0-24
	MAP_BEGIN
	VCMPPD           GREATER_EQUAL, LOG_TINY, Y7, Y1
	VCMPPD           LESS, INFINITY, Y7, Y2
	VANDPD           Y1, Y2, Y1
	VMOVMSKPD        Y1, AX
	CMPL             AX, $15
	JNE              any
	LOG_SPLIT_BITS(Y7, Y8, Y0)
	VSUBPD           ONE, Y0, Y0
	VXORPD           Y2, Y2, Y2
	LOG_FROM(Y8, Y0, Y1, Y2, Y3, Y4, Y5, Y6)
store:
	MAP_END

	// Some are not positive, normal and finite.
any:
	LOG_ANY
	JMP              store

// func log1pAVX2(dst, x *float64, n int)
TEXT ·log1pAVX2(SB), NOSPLIT, $0-24
	MAP_BEGIN
	LOG1P_ANY
	MAP_END

// func tanhAVX2(dst, x *float64, n int)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-24
	MAP_BEGIN
	TANH
	MAP_END

// The lanes of the sum wait on the stack.
//
// func expSumAVX2(dst, x []float64, shift float64) float64
TEXT ·expSumAVX2(SB), NOSPLIT, $64-64
	MOVQ    dst_base+0(FP), DI
	MOVQ    x_base+24(FP), SI
	MOVQ    x_len+32(FP), CX
	LEAQ    ·elementTable(SB), R8
	LEAQ    ·elementMasks+64(SB), R11
	VXORPD  Y0, Y0, Y0
	VMOVUPD Y0, X0_
	VMOVUPD Y0, X1_
	SUBQ    $8, CX
	JL      rest
pair:
	VMOVUPD      (SI), Y7
	VMOVUPD      32(SI), Y15
	VBROADCASTSD shift+48(FP), Y0
	VSUBPD       Y0, Y7, Y7
	VSUBPD       Y0, Y15, Y15
	EXP_OF_PAIR
	VADDPD       X0_, Y0, Y1
	VADDPD       X1_, Y8, Y2
	VMOVUPD      Y1, X0_
	VMOVUPD      Y2, X1_
	ADDQ         $64, SI
	TESTQ        DI, DI
	JEQ          after
	VMOVUPD      Y0, (DI)
	VMOVUPD      Y8, 32(DI)
	ADDQ         $64, DI
after:
	SUBQ         $8, CX
	JGE          pair
rest:
	ADDQ         $8, CX
	JEQ          done
	LEAQ         X0_, R10
	SINGLE_BEGIN
	VBROADCASTSD shift+48(FP), Y0
	VSUBPD       Y0, Y7, Y7
	EXP_OF_ONE
	CMPQ         CX, $4
	JCS          last
	VADDPD       (R10), Y0, Y1
	VMOVUPD      Y1, (R10)
	ADDQ         $32, R10
	ADDQ         $32, SI
	TESTQ        DI, DI
	JEQ          further
	VMOVUPD      Y0, (DI)
	ADDQ         $32, DI
further:
	SUBQ         $4, CX
	JGT          next
	JMP          done

	// A lane without an element takes +0: it holds no -0, as exp is never below +0.
last:
	MOVQ         CX, AX
	NEGQ         CX
	VANDPD       (R11)(CX*8), Y0, Y1
	VADDPD       (R10), Y1, Y1
	VMOVUPD      Y1, (R10)
	TESTQ        DI, DI
	JEQ          done
	XORL         BX, BX
	STORE_LAST(Y0, X0, DI)

done:
	VMOVUPD      X0_, Y0
	VADDPD       X1_, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VPERMILPD    $1, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+56(FP)
	VZEROUPPER
	RET
