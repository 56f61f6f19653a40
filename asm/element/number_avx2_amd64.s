//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// The functions of one number: the kernels of AVX2 on one vector, of which one element is
// of use.

#define NUMBER(go) \
	CMPL   ·path(SB), $0         \
	JNE    able                  \
	JMP    go(SB)                \
able:                                \
	LEAQ   ·elementTable(SB), R8 \
	VMOVSD x+0(FP), X7

#define RESULT(x_) \
	VZEROUPPER            \
	MOVSD  x_, ret+8(FP)  \
	RET

// func Exp(x float64) float64
TEXT ·Exp(SB), NOSPLIT, $0-16
	NUMBER(·exp)
	EXP_OF_ONE
	RESULT(X0)

// func Log(x float64) float64
TEXT ·Log(SB), NOSPLIT, $0-16
	NUMBER(·log)
	VUCOMISD LOG_TINY, X7
	JCS      any
	VUCOMISD INFINITY, X7
	JCC      any
	LOG_SPLIT_BITS(Y7, Y8, Y0)
	VSUBPD   ONE, Y0, Y0
	VXORPD   Y2, Y2, Y2
	LOG_FROM(Y8, Y0, Y1, Y2, Y3, Y4, Y5, Y6)
	RESULT(X0)

	// Not positive, normal and finite.
any:
	LOG_ANY
	RESULT(X0)

// func Log1p(x float64) float64
TEXT ·Log1p(SB), NOSPLIT, $0-16
	NUMBER(·log1p)
	VADDSD   ONE, X7, X1
	VANDPD   ABS_MASK, Y7, Y2
	VUCOMISD LOG1P_SMALL, X2
	JCS      any
	VUCOMISD LOG_TINY, X1
	JCS      any
	VUCOMISD INFINITY, X1
	JCC      any
	LOG1P_INSIDE
	RESULT(X0)

	// Near 0, not above -1, or not finite.
any:
	LOG1P_ANY
	RESULT(X0)

// func Sigmoid(x float64) float64
TEXT ·Sigmoid(SB), NOSPLIT, $0-16
	NUMBER(·sigmoid)
	EXP_NEGATIVE
	SIGMOID_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y11)
	RESULT(X1)

// func Tanh(x float64) float64
TEXT ·Tanh(SB), NOSPLIT, $0-16
	NUMBER(·tanh)
	TANH
	RESULT(X0)
