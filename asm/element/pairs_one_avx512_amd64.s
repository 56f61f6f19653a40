//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// Sixteen elements a round, in two vectors. The masks K5 and K6 select all of them until the last
// round, which alone loads through the masks: see element_avx512_amd64.h. Z13 is the sum. The
// definitions are the twins in pairs_block.go.

#define S SI
#define N CX        // elements left
#define C DI
#define FOUND R12

// The pairs of the next sixteen elements: where none is above, on to the next ones.
// touch loads, plainly, what is loaded through masks later.
#define ONE_BEGIN(center, least, touch) \
	LEAQ         ·elementTable(SB), R8 \
	XORL         FOUND, FOUND        \
	VBROADCASTSD center, Z14         \
	VBROADCASTSD least, Z15          \
	VPXORQ       Z13, Z13, Z13       \
	KXNORB       K5, K5, K5          \
	KXNORB       K6, K6, K6          \
loop:                                    \
	SUBQ         $16, N              \
	JL           partial             \
	VMOVUPD      (S), Z8             \
	VMOVUPD      64(S), Z24          \
	touch                            \
body:                                    \
	VSUBPD       Z14, Z8, Z8         \
	VSUBPD       Z14, Z24, Z24       \
	VCMPPD       GREATER, Z15, Z8, K5, K2 \
	VCMPPD       GREATER, Z15, Z24, K6, K3 \
	KUNPCKBW     K2, K3, K4          \
	KMOVW        K4, BX              \
	TESTL        BX, BX              \
	JEQ          next                \
	POPCNTL      BX, BX              \
	ADDQ         BX, FOUND           \
	EXP_NEGATIVE_PAIR

// The sum takes v and w where K2 and K3 say so; add does what there is to do besides.
#define ONE_END(v, w, add, sum, count) \
	VADDPD       v, Z13, K2, Z13     \
	VADDPD       w, Z13, K3, Z13     \
	add                              \
next:                                    \
	ADDQ         $128, S             \
	ADDQ         $128, C             \
	JMP          loop                \
partial:                                 \
	MASK_LAST_PAIR(N, AX, K5, K6)    \
	VMOVUPD.Z    (S), K5, Z8         \
	VMOVUPD.Z    64(S), K6, Z24      \
	JMP          body                \
done:                                    \
	VEXTRACTF64X4 $1, Z13, Y1        \
	VADDPD       Y1, Y13, Y0         \
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
	VMOVUPD.Z    (C), K5, Z2         \
	VMOVUPD.Z    64(C), K6, Z3       \
	VADDPD       Z1, Z2, K2, Z2      \
	VADDPD       Z17, Z3, K3, Z3     \
	VMOVUPD      Z2, K5, (C)         \
	VMOVUPD      Z3, K6, 64(C)

#define TOUCH_C \
	MOVQ         (C), AX   \
	MOVQ         64(C), AX

#define NOTHING

// func pairSigmoidOneAVX512(c, s []float64, center, least float64) (sum float64, count int)
TEXT ·pairSigmoidOneAVX512(SB), NOSPLIT, $0-80
	MOVQ         c_base+0(FP), C
	MOVQ         s_base+24(FP), S
	MOVQ         s_len+32(FP), N
	ONE_BEGIN(center+48(FP), least+56(FP), TOUCH_C)
	SIGMOID_PAIR(K1, K4)
	ONE_END(Z1, Z17, ADD_C, sum+64(FP), count+72(FP))

// func pairSoftplusOneAVX512(s []float64, center, least float64) (sum float64, count int)
TEXT ·pairSoftplusOneAVX512(SB), NOSPLIT, $0-56
	MOVQ         s_base+0(FP), S
	MOVQ         s_len+8(FP), N
	ONE_BEGIN(center+24(FP), least+32(FP), NOTHING)
	SOFTPLUS_PAIR(K1, K4)
	ONE_END(Z0, Z16, NOTHING, sum+40(FP), count+48(FP))
