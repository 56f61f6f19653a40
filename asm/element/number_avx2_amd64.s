//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// The functions of one number do the operations of the AVX2 kernels on one vector and use one
// element. Integer instructions find special values from the bits of x, in parallel with the
// vector units. Other values use narrow registers, which need no VZEROUPPER.

#undef V0
#undef V1
#undef V2
#undef V3
#undef V4
#undef V5
#undef V6
#undef V7
#undef V8
#undef V9
#undef V11
#define V0 X0
#define V1 X1
#define V2 X2
#define V3 X3
#define V4 X4
#define V5 X5
#define V6 X6
#define V7 X7
#define V8 X8
#define V9 X9
#define V11 X11

#define NUMBER \
	CMPL   ·path(SB), $0         \
	JEQ    portable              \
	MOVQ   x+0(FP), AX           \
	LEAQ   ·elementTable(SB), R8 \
	VMOVSD x+0(FP), X7

#define RESULT(x_) \
	VMOVSD x_, ret+8(FP) \
	RET

#define RESULT_OF_WIDE(x_) \
	VZEROUPPER \
	RESULT(x_)

// On to any unless |x| < 704: then 2^k is one factor, a normal number.
#define EXP_IS_NORMAL \
	MOVQ $(2*0x4086000000000000), BX \
	SHLQ $1, AX                  \
	CMPQ AX, BX                  \
	JCC  any

// X0 = p of X0, with the tail X6 - (X0 - X5); X1 = 2^k.
#define EXP_NORMAL \
	EXP_BIASED                        \
	EXP_JOIN(X0, X2, X3, X5, X6, X11) \
	VPSLLQ       $52, X1, X1

// func Exp(x float64) float64
TEXT ·Exp(SB), NOSPLIT, $0-16
	NUMBER
	EXP_IS_NORMAL
	VMOVAPD X7, X0
	EXP_NORMAL
	VMULPD  X1, X0, X0
	RESULT(X0)

any:
	EXP_OF_ONE
	RESULT_OF_WIDE(X0)

portable:
	JMP ·exp(SB)

// func Log(x float64) float64
TEXT ·Log(SB), NOSPLIT, $0-16
	NUMBER
	MOVQ $0x0010000000000000, BX
	MOVQ $0x7fe0000000000000, CX
	SUBQ BX, AX
	CMPQ AX, CX
	JCC  any
	LOG_SPLIT_BITS(X7, X8, X0)
	VSUBPD ONE, X0, X0
	VXORPD X2, X2, X2
	LOG_FROM(X8, X0, X1, X2, X3, X4, X5, X6)
	RESULT(X0)

	// Not positive, normal and finite.
any:
	LOG_ANY
	RESULT_OF_WIDE(X0)

portable:
	JMP ·log(SB)

// func Log1p(x float64) float64
TEXT ·Log1p(SB), NOSPLIT, $0-16
	NUMBER
	MOVQ  $0x3c90000000000000, BX
	MOVQ  $(0x7ff0000000000000-0x3c90000000000000), CX
	TESTQ AX, AX
	JLT   negative

compare:
	SUBQ  BX, AX
	CMPQ  AX, CX
	JCC   any
	LOG1P_INSIDE
	RESULT(X0)

negative:
	BTRQ $63, AX
	MOVQ $(0x3ff0000000000000-0x3c90000000000000), CX
	JMP  compare

	// Near 0, not above -1, or not finite.
any:
	LOG1P_ANY
	RESULT_OF_WIDE(X0)

portable:
	JMP ·log1p(SB)

// func Sigmoid(x float64) float64
TEXT ·Sigmoid(SB), NOSPLIT, $0-16
	NUMBER
	EXP_IS_NORMAL
	VORPD  SIGN_BIT, X7, X0
	EXP_NORMAL
	VSUBPD X5, X0, X2
	VSUBPD X2, X6, X2 // tail
	VMULPD X1, X0, X0
	VMULPD X1, X2, X2
	SIGMOID_FROM(X7, X0, X1, X2, X3, X4, X5, X6, X11)
	RESULT(X1)

any:
	EXP_NEGATIVE
	SIGMOID_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y11)
	RESULT_OF_WIDE(X1)

portable:
	JMP ·sigmoid(SB)
