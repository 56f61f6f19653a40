//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Eight elements a round, in two vectors, lanes 0 to 3 of the sum in SUM0 and 4 to 7
// in SUM1. The last one to seven elements go through masked loads and stores. The
// definitions are the twins in pairs_block.go.

#define S SI
#define N CX        // elements left, far below zero in the last round
#define C DI
#define FOUND R12

#define ARGUMENT0 0(SP)
#define ARGUMENT1 32(SP)
#define MASK0 64(SP)
#define MASK1 96(SP)
#define SUM0 128(SP)
#define SUM1 160(SP)

// The pairs of the next eight elements: where none is above, on to the next ones.
#define ONE_BEGIN(center, least) \
	LEAQ         ·elementTable(SB), R8 \
	LEAQ         ·elementMasks+64(SB), R11 \
	XORL         FOUND, FOUND        \
	VXORPD       Y0, Y0, Y0          \
	VMOVUPD      Y0, SUM0            \
	VMOVUPD      Y0, SUM1            \
loop:                                    \
	SUBQ         $8, N               \
	JL           partial             \
	VMOVUPD      (S), Y7             \
	VMOVUPD      32(S), Y15          \
	VPCMPEQD     Y4, Y4, Y4          \
	VPCMPEQD     Y5, Y5, Y5          \
body:                                    \
	VBROADCASTSD center, Y0          \
	VBROADCASTSD least, Y3           \
	VSUBPD       Y0, Y7, Y7          \
	VSUBPD       Y0, Y15, Y15        \
	VCMPPD       GREATER, Y3, Y7, Y1 \
	VCMPPD       GREATER, Y3, Y15, Y2 \
	VANDPD       Y4, Y1, Y1          \
	VANDPD       Y5, Y2, Y2          \
	VMOVMSKPD    Y1, AX              \
	VMOVMSKPD    Y2, BX              \
	SHLL         $4, BX              \
	ORL          AX, BX              \
	JEQ          next                \
	POPCNTL      BX, BX              \
	ADDQ         BX, FOUND           \
	VMOVUPD      Y1, MASK0           \
	VMOVUPD      Y2, MASK1           \
	VMOVUPD      Y7, ARGUMENT0       \
	VMOVUPD      Y15, ARGUMENT1      \
	EXP_NEGATIVE_PAIR

// The sum takes Y1 and Y9 where MASK0 and MASK1 say so; add does what there is to do
// besides, and last the same in the last round.
#define ONE_END(add, last, sum, count) \
	VANDPD       MASK0, Y1, Y1       \
	VANDPD       MASK1, Y9, Y9       \
	VADDPD       SUM0, Y1, Y2        \
	VADDPD       SUM1, Y9, Y3        \
	VMOVUPD      Y2, SUM0            \
	VMOVUPD      Y3, SUM1            \
	TESTQ        N, N                \
	JL           partialStore        \
	add                              \
next:                                    \
	ADDQ         $64, S              \
	ADDQ         $64, C              \
	TESTQ        N, N                \
	JGE          loop                \
	JMP          done                \
partial:                                 \
	ADDQ         $8, N               \
	JEQ          done                \
	NEGQ         N                   \
	VMOVUPD      (R11)(N*8), Y4      \
	VMOVUPD      32(R11)(N*8), Y5    \
	VMASKMOVPD   (S), Y4, Y7         \
	VMASKMOVPD   32(S), Y5, Y15      \
	MOVQ         $-16, N             \
	JMP          body                \
partialStore:                            \
	last                             \
done:                                    \
	VMOVUPD      SUM0, Y0            \
	VADDPD       SUM1, Y0, Y0        \
	VEXTRACTF128 $1, Y0, X1          \
	VADDPD       X1, X0, X0          \
	VUNPCKHPD    X0, X0, X1          \
	VADDSD       X1, X0, X0          \
	VMOVSD       X0, sum             \
	MOVQ         FOUND, count        \
	VZEROUPPER                       \
	RET

// Where a pair is not above, c stays as it is.
#define ADD_C \
	VMOVUPD      MASK0, Y2           \
	VMOVUPD      MASK1, Y3           \
	VMOVUPD      (C), Y4             \
	VMOVUPD      32(C), Y5           \
	VADDPD       Y1, Y4, Y1          \
	VADDPD       Y9, Y5, Y9          \
	VBLENDVPD    Y2, Y1, Y4, Y4      \
	VBLENDVPD    Y3, Y9, Y5, Y5      \
	VMOVUPD      Y4, (C)             \
	VMOVUPD      Y5, 32(C)

#define ADD_C_LAST \
	VMOVUPD      MASK0, Y2           \
	VMOVUPD      MASK1, Y3           \
	VMASKMOVPD   (C), Y2, Y4         \
	VMASKMOVPD   32(C), Y3, Y5       \
	VADDPD       Y1, Y4, Y1          \
	VADDPD       Y9, Y5, Y9          \
	VMASKMOVPD   Y1, Y2, (C)         \
	VMASKMOVPD   Y9, Y3, 32(C)

#define NOTHING

// func pairSigmoidOneAVX2(c, s []float64, center, least float64) (sum float64, count int)
TEXT ·pairSigmoidOneAVX2(SB), NOSPLIT, $192-80
	MOVQ         c_base+0(FP), C
	MOVQ         s_base+24(FP), S
	MOVQ         s_len+32(FP), N
	ONE_BEGIN(center+48(FP), least+56(FP))
	SIGMOID_PAIR(ARGUMENT0, ARGUMENT1)
	ONE_END(ADD_C, ADD_C_LAST, sum+64(FP), count+72(FP))

// func pairSoftplusOneAVX2(s []float64, center, least float64) (sum float64, count int)
TEXT ·pairSoftplusOneAVX2(SB), NOSPLIT, $192-56
	MOVQ         s_base+0(FP), S
	MOVQ         s_len+8(FP), N
	ONE_BEGIN(center+24(FP), least+32(FP))
	SOFTPLUS_PAIR(ARGUMENT0, ARGUMENT1)
	VMOVAPD      Y0, Y1
	VMOVAPD      Y8, Y9
	ONE_END(NOTHING, NOTHING, sum+40(FP), count+48(FP))
