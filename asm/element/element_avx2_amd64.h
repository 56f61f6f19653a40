// The elementary functions on four lanes, where they differ from those on eight.

#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13
#define V14 Y14
#define V15 Y15

#define TABLE_LOAD(c, to) VMOVUPD c, to
#define TABLE_ADD(c, a, to) VADDPD c, a, to
#define TABLE_SUB(c, a, to) VSUBPD c, a, to
#define TABLE_MUL(c, a, to) VMULPD c, a, to
#define TABLE_XOR(c, a, to) VXORPD c, a, to
#define TABLE_AND(c, a, to) VANDPD c, a, to
#define TABLE_FMA213(c, a, to) VFMADD213PD c, a, to
#define TABLE_FMA231(c, a, to) VFMADD231PD c, a, to
#define TABLE_FNMA213(c, a, to) VFNMADD213PD c, a, to
#define TABLE_FNMA231(c, a, to) VFNMADD231PD c, a, to
#define TABLE_ADD_BITS(c, a, to) VPADDQ c, a, to
#define TABLE_OR_BITS(c, a, to) VPOR c, a, to
#define TABLE_AND_BITS(c, a, to) VPAND c, a, to

#include "element_table.h"
#include "element_amd64.h"

// From a = x in [-746, 710] or NaN: d = r, c = r^2, a = rTail, and b with k in
// its low bits.
#define EXP_REDUCE(a, b, c, d) \
	VMOVUPD          EXP_SHIFT, b    \
	VFMADD231PD      LOG2E, a, b     \
	VSUBPD           EXP_SHIFT, b, c \ // k
	VFNMADD231PD     LN2_HI, c, a    \ // high
	VMOVAPD          a, d            \
	VFNMADD231PD     LN2_LO, c, d    \ // r
	VSUBPD           d, a, a         \
	VFNMADD231PD     LN2_LO, c, a    \ // rTail
	VMULPD           d, d, c // r^2

// The factors d and b, whose product is 2^k.
#define EXP_FACTORS(b, d) \
	VPSRLQ           $1, b, d  \
	VPSUBQ           d, b, b   \
	VPSLLQ           $52, d, d \
	VPSLLQ           $52, b, b

// a = exp(-|x|) and c its tail, from EXP_JOIN.
#define EXP_SCALE(a, b, c, d, f, g) \
	VSUBPD           f, a, c \
	VSUBPD           c, g, c \ // tail
	EXP_FACTORS(b, d)        \
	VMULPD           d, b, b \
	VMULPD           b, a, a \
	VMULPD           b, c, c

// b = sigmoid(x) from a and c of EXP_SCALE, which stay.
#define SIGMOID_FROM(x, a, b, c, d, e, f, g, h) \
	VMOVUPD          x, b       \
	VADDPD           ONE, a, d  \ // d
	VSUBPD           ONE, d, e  \
	VSUBPD           e, a, e    \
	VADDPD           c, e, e    \ // dTail
	VMOVUPD          ONE, f     \
	VDIVPD           d, f, g    \ // inv
	VBLENDVPD        b, a, f, f \ // n
	VXORPD           h, h, h    \
	VBLENDVPD        b, c, h, h \ // nTail
	VMULPD           g, f, b    \ // q
	VFNMADD231PD     d, b, f    \ // residual
	VFNMADD231PD     e, b, h    \
	VADDPD           h, f, f    \
	VFMADD231PD      g, f, b

// a = softplus(x) from a and c of EXP_SCALE.
#define SOFTPLUS_FROM(x, a, b, c, d, e, f, g) \
	SOFTPLUS_SUM(x, a, b, c, d, e, f, g)           \
	VCMPPD           GREATER, SOFTPLUS_LARGE, f, c \
	VBLENDVPD        c, f, a, a

// Two vectors at once: x = Y7 and Y15, and the registers of the second one have numbers 8
// higher. EXP_PAIR begins with Y0 and Y8.
#define EXP_PAIR \
	EXP_REDUCE(Y0, Y1, Y2, Y3)             \
	EXP_REDUCE(Y8, Y9, Y10, Y11)           \
	EXP_POLY(Y2, Y3, Y4, Y5, Y6, Y7)       \
	EXP_POLY(Y10, Y11, Y12, Y13, Y14, Y15) \
	EXP_JOIN(Y0, Y2, Y3, Y5, Y6, Y7)       \
	EXP_JOIN(Y8, Y10, Y11, Y13, Y14, Y15)

// Y0 = exp of Y7.
#define EXP_OF_ONE \
	VMOVUPD          EXP_HIGH, Y1     \
	VMOVUPD          EXP_LOW, Y2      \
	VMINPD           Y7, Y1, Y0       \
	VMAXPD           Y0, Y2, Y0       \
	EXP_REDUCE(Y0, Y1, Y2, Y3)        \
	EXP_POLY(Y2, Y3, Y4, Y5, Y6, Y11) \
	EXP_JOIN(Y0, Y2, Y3, Y5, Y6, Y11) \
	EXP_FACTORS(Y1, Y3)               \
	VMULPD           Y3, Y0, Y0       \
	VMULPD           Y1, Y0, Y0

// Y0 and Y8 = exp of Y7 and Y15.
#define EXP_OF_PAIR \
	VMOVUPD          EXP_HIGH, Y1 \
	VMOVUPD          EXP_LOW, Y2 \
	VMINPD           Y7, Y1, Y0 \
	VMINPD           Y15, Y1, Y8 \
	VMAXPD           Y0, Y2, Y0 \
	VMAXPD           Y8, Y2, Y8 \
	EXP_PAIR \
	EXP_FACTORS(Y1, Y3) \
	EXP_FACTORS(Y9, Y11) \
	VMULPD           Y3, Y0, Y0 \
	VMULPD           Y11, Y8, Y8 \
	VMULPD           Y1, Y0, Y0 \
	VMULPD           Y9, Y8, Y8

// Y0 = exp(-|Y7|), Y2 its tail; Y8 = exp(-|Y15|), Y10 its tail. x is lost.
#define EXP_NEGATIVE_PAIR \
	EXP_CLAMP(Y7, Y0, Y1)                 \
	EXP_CLAMP(Y15, Y8, Y9)                \
	EXP_PAIR                              \
	EXP_SCALE(Y0, Y1, Y2, Y3, Y5, Y6)     \
	EXP_SCALE(Y8, Y9, Y10, Y11, Y13, Y14)

// Y0 = log(u) from the value Y0 and u = Y7.
#define LOG_ENDS \
	VCMPPD           LESS, INFINITY, Y7, Y1 \
	VBLENDVPD        Y1, Y0, Y7, Y0         \
	VXORPD           Y2, Y2, Y2             \
	VCMPPD           LESS, Y2, Y7, Y1       \
	VMOVUPD          NOT_A_NUMBER, Y3       \
	VBLENDVPD        Y1, Y3, Y0, Y0         \
	VCMPPD           EQUAL, Y2, Y7, Y1      \
	VMOVUPD          MINUS_INFINITY, Y3     \
	VBLENDVPD        Y1, Y3, Y0, Y0

// Y0 = log(Y7) for any argument.
#define LOG_ANY \
	VMULPD           TWO_54, Y7, Y0          \
	VCMPPD           LESS, LOG_TINY, Y7, Y9  \
	VBLENDVPD        Y9, Y0, Y7, Y0          \
	VANDPD           FIFTY_FOUR, Y9, Y9      \
	LOG_SPLIT_BITS(Y0, Y8, Y1)               \
	VSUBPD           Y9, Y8, Y8              \
	VSUBPD           ONE, Y1, Y0             \
	VXORPD           Y2, Y2, Y2              \
	LOG_FROM(Y8, Y0, Y1, Y2, Y3, Y4, Y5, Y6) \
	LOG_ENDS

// Y0 = log(1+Y7).
#define LOG1P_ANY \
	LOG1P                                  \
	VANDPD           ABS_MASK, Y9, Y1      \
	VCMPPD           LESS, LOG1P_SMALL, Y1, Y1 \
	VBLENDVPD        Y1, Y9, Y0, Y0

// After EXP_NEGATIVE_PAIR: Y1 and Y9 = the sigmoids, or Y0 and Y8 = the softpluses, of
// x and y, which wait in memory.
#define SIGMOID_PAIR(x, y) \
	SIGMOID_FROM(x, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7)       \
	SIGMOID_FROM(y, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15)

#define SOFTPLUS_PAIR(x, y) \
	SOFTPLUS_FROM(x, Y0, Y1, Y2, Y3, Y4, Y5, Y6)      \
	SOFTPLUS_FROM(y, Y8, Y9, Y10, Y11, Y12, Y13, Y14)

// m0 and m1 select the remaining elements, for n-8 < 0; jumps to done if none remain.
#define MASKS(n, m0, m1) \
	ADDQ    $8, n                     \
	JEQ     done                      \
	NEGQ    n                         \
	LEAQ    ·elementMasks+64(SB), R11 \
	VMOVUPD (R11)(n*8), m0            \
	VMOVUPD 32(R11)(n*8), m1

// The last AX < 4 elements of y, whose half is x, to the vector at p. Masked stores are
// slow, and loads that follow them wait.
#define STORE_LAST(y, x, p) \
	LEAQ   (p)(BX*1), R11            \
	BTL    $1, AX                    \
	JCC    4(PC)                     \
	VMOVUPD x, (R11)                 \
	ADDQ   $16, R11                  \
	VEXTRACTF128 $1, y, x            \
	BTL    $0, AX                    \
	JCC    2(PC)                     \
	VMOVSD x, (R11)
