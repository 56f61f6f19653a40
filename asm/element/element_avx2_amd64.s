//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Eight elements a round, in two vectors, x = Y7 and Y15, of which a copy waits
// on the stack until it is wanted again. The last one to seven go through the
// same code with masked loads and stores, which touch nothing outside the
// slices. CX counts what is left and is far below zero while the masked round
// runs.

#define X0 0(SP)
#define X1 32(SP)

#define PAIR_BEGIN \
	MOVQ dst_base+0(FP), DI          \
	MOVQ x_base+24(FP), SI           \
	MOVQ x_len+32(FP), CX            \
	LEAQ ·elementTable(SB), R8       \
	LEAQ ·elementMasks+64(SB), R11   \
loop:                                \
	SUBQ $8, CX                      \
	JL   partial                     \
	VMOVUPD (SI), Y7                 \
	VMOVUPD 32(SI), Y15              \
body:                                \
	VMOVUPD Y7, X0                   \
	VMOVUPD Y15, X1

#define PAIR_END(a, b) \
	TESTQ CX, CX                     \
	JL    partialStore               \
	VMOVUPD a, (DI)                  \
	VMOVUPD b, 32(DI)                \
	ADDQ  $64, SI                    \
	ADDQ  $64, DI                    \
	JMP   loop                       \
partial:                             \
	ADDQ  $8, CX                     \
	JEQ   done                       \
	NEGQ  CX                         \
	LEAQ  (R11)(CX*8), R11           \
	VMOVUPD (R11), Y1                \
	VMOVUPD 32(R11), Y2              \
	VMASKMOVPD (SI), Y1, Y7          \
	VMASKMOVPD 32(SI), Y2, Y15       \
	MOVQ  $-16, CX                   \
	JMP   body                       \
partialStore:                        \
	VMOVUPD (R11), Y2                \
	VMOVUPD 32(R11), Y3              \
	VMASKMOVPD a, Y2, (DI)           \
	VMASKMOVPD b, Y3, 32(DI)         \
done:                                \
	VZEROUPPER                       \
	RET

// func expAVX2(dst, x []float64)
TEXT ·expAVX2(SB), NOSPLIT, $64-48
	PAIR_BEGIN
	EXP_OF_PAIR
	PAIR_END(Y0, Y8)

// func sigmoidAVX2(dst, x []float64)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $64-48
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(X0, X1)
	PAIR_END(Y1, Y9)

// func softplusAVX2(dst, x []float64)
TEXT ·softplusAVX2(SB), NOSPLIT, $64-48
	PAIR_BEGIN
	EXP_NEGATIVE_PAIR
	SOFTPLUS_PAIR(X0, X1)
	PAIR_END(Y0, Y8)

// The logarithms take one vector of four elements a round.

#define MAP_BEGIN \
	MOVQ dst_base+0(FP), DI          \
	MOVQ x_base+24(FP), SI           \
	MOVQ x_len+32(FP), CX            \
	LEAQ ·elementTable(SB), R8       \
	LEAQ ·elementMasks+64(SB), R11   \
loop:                                \
	SUBQ $4, CX                      \
	JL   partial                     \
	VMOVUPD (SI), Y7                 \
body:

#define MAP_END \
	TESTQ CX, CX                     \
	JL    partialStore               \
	VMOVUPD Y0, (DI)                 \
	ADDQ  $32, SI                    \
	ADDQ  $32, DI                    \
	JMP   loop                       \
partial:                             \
	ADDQ  $4, CX                     \
	JEQ   done                       \
	NEGQ  CX                         \
	VMOVUPD (R11)(CX*8), Y15         \
	VMASKMOVPD (SI), Y15, Y7         \
	MOVQ  $-8, CX                    \
	JMP   body                       \
partialStore:                        \
	VMASKMOVPD Y0, Y15, (DI)         \
done:                                \
	VZEROUPPER                       \
	RET

// func logAVX2(dst, x []float64)
TEXT ·logAVX2(SB), NOSPLIT, $0-48
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
	VMULPD           TWO_54, Y7, Y0
	VCMPPD           LESS, LOG_TINY, Y7, Y9
	VBLENDVPD        Y9, Y0, Y7, Y0
	VANDPD           FIFTY_FOUR, Y9, Y9
	LOG_SPLIT_BITS(Y0, Y8, Y1)
	VSUBPD           Y9, Y8, Y8
	VSUBPD           ONE, Y1, Y0
	VXORPD           Y2, Y2, Y2
	LOG_FROM(Y8, Y0, Y1, Y2, Y3, Y4, Y5, Y6)
	LOG_ENDS
	JMP              store

// func log1pAVX2(dst, x []float64)
TEXT ·log1pAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	LOG1P
	VANDPD           ABS_MASK, Y9, Y1
	VCMPPD           LESS, LOG1P_SMALL, Y1, Y1
	VBLENDVPD        Y1, Y9, Y0, Y0
	MAP_END

// func tanhAVX2(dst, x []float64)
TEXT ·tanhAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	TANH
	MAP_END
