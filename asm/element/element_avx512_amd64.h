// The elementary functions on eight lanes, where they differ from those on four.

#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define V13 Z13
#define V14 Z14
#define V15 Z15

#define TABLE_LOAD(c, to) VBROADCASTSD c, to
#define TABLE_ADD(c, a, to) VADDPD.BCST c, a, to
#define TABLE_SUB(c, a, to) VSUBPD.BCST c, a, to
#define TABLE_MUL(c, a, to) VMULPD.BCST c, a, to
#define TABLE_XOR(c, a, to) VXORPD.BCST c, a, to
#define TABLE_AND(c, a, to) VANDPD.BCST c, a, to
#define TABLE_FMA213(c, a, to) VFMADD213PD.BCST c, a, to
#define TABLE_FMA231(c, a, to) VFMADD231PD.BCST c, a, to
#define TABLE_FNMA213(c, a, to) VFNMADD213PD.BCST c, a, to
#define TABLE_FNMA231(c, a, to) VFNMADD231PD.BCST c, a, to
#define TABLE_ADD_BITS(c, a, to) VPADDQ.BCST c, a, to
#define TABLE_OR_BITS(c, a, to) VPORQ.BCST c, a, to
#define TABLE_AND_BITS(c, a, to) VPANDQ.BCST c, a, to

#include "element_table.h"
#include "element_amd64.h"

// From a = x in [-746, 710] or NaN: d = r, c = r^2, a = rTail, b = k.
#define EXP_REDUCE(a, b, c, d) \
	VBROADCASTSD     EXP_SHIFT, b    \
	VFMADD231PD.BCST LOG2E, a, b     \
	VSUBPD.BCST      EXP_SHIFT, b, b \ // k
	VFNMADD231PD.BCST LN2_HI, b, a   \ // high
	VMOVAPD          a, d            \
	VFNMADD231PD.BCST LN2_LO, b, d   \ // r
	VSUBPD           d, a, a         \
	VFNMADD231PD.BCST LN2_LO, b, a   \ // rTail
	VMULPD           d, d, c // r^2

// a = exp(-|x|) and c its tail, from EXP_JOIN.
#define EXP_SCALE(a, b, c, d, f, g) \
	VSUBPD           f, a, c \
	VSUBPD           c, g, c \ // tail
	VBROADCASTSD     ONE, d  \
	VSCALEFPD        b, d, b \
	VMULPD           b, a, a \
	VMULPD           b, c, c

// b = sigmoid(x) from a and c of EXP_SCALE, which stay. k is a scratch mask.
#define SIGMOID_FROM(x, a, b, c, d, e, f, g, h, k) \
	VPMOVQ2M         x, k      \
	VADDPD.BCST      ONE, a, d \ // d
	VSUBPD.BCST      ONE, d, e \
	VSUBPD           e, a, e   \
	VADDPD           c, e, e   \ // dTail
	VBROADCASTSD     ONE, f    \
	VDIVPD           d, f, g   \ // inv
	VMOVAPD          a, k, f   \ // n
	VMOVAPD.Z        c, k, h   \ // nTail
	VMULPD           g, f, b   \ // q
	VFNMADD231PD     d, b, f   \ // residual
	VFNMADD231PD     e, b, h   \
	VADDPD           h, f, f   \
	VFMADD231PD      g, f, b

// a = softplus(x) from a and c of EXP_SCALE.
#define SOFTPLUS_FROM(x, a, b, c, d, e, f, g, k) \
	SOFTPLUS_SUM(x, a, b, c, d, e, f, g)           \
	VCMPPD.BCST      GREATER, SOFTPLUS_LARGE, f, k \
	VMOVAPD          f, k, a

// Two vectors at once: x = Z8 and Z24, and the registers of the second one have numbers 16
// higher. EXP_PAIR begins with Z0 and Z16.
#define EXP_PAIR \
	EXP_REDUCE(Z0, Z1, Z2, Z3)             \
	EXP_REDUCE(Z16, Z17, Z18, Z19)         \
	EXP_POLY(Z2, Z3, Z4, Z5, Z6, Z7)       \
	EXP_POLY(Z18, Z19, Z20, Z21, Z22, Z23) \
	EXP_JOIN(Z0, Z2, Z3, Z5, Z6, Z7)       \
	EXP_JOIN(Z16, Z18, Z19, Z21, Z22, Z23)

// Z0 = exp(-|Z8|), Z2 its tail; Z16 = exp(-|Z24|), Z18 its tail.
#define EXP_NEGATIVE_PAIR \
	EXP_CLAMP(Z8, Z0, Z1)                   \
	EXP_CLAMP(Z24, Z16, Z17)                \
	EXP_PAIR                                \
	EXP_SCALE(Z0, Z1, Z2, Z3, Z5, Z6)       \
	EXP_SCALE(Z16, Z17, Z18, Z19, Z21, Z22)

// Z0 = log(u) from the value Z0 and u = Z7. K4 is scratch.
#define LOG_ENDS \
	VCMPPD.BCST      LESS, INFINITY, Z7, K4 \
	VMOVAPD          Z7, Z1                 \
	VMOVAPD          Z0, K4, Z1             \
	VXORPD           Z2, Z2, Z2             \
	VCMPPD           LESS, Z2, Z7, K4       \
	VBROADCASTSD     NOT_A_NUMBER, K4, Z1   \
	VCMPPD           EQUAL, Z2, Z7, K4      \
	VBROADCASTSD     MINUS_INFINITY, K4, Z1 \
	VMOVAPD          Z1, Z0

// After EXP_NEGATIVE_PAIR: Z1 and Z17 = the sigmoids, or Z0 and Z16 = the softpluses, of
// Z8 and Z24. k and l are scratch masks.
#define SIGMOID_PAIR(k, l) \
	SIGMOID_FROM(Z8, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, k)          \
	SIGMOID_FROM(Z24, Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, l)

#define SOFTPLUS_PAIR(k, l) \
	SOFTPLUS_FROM(Z8, Z0, Z1, Z2, Z3, Z4, Z5, Z6, k)         \
	SOFTPLUS_FROM(Z24, Z16, Z17, Z18, Z19, Z20, Z21, Z22, l)

// Only the last round of a kernel loads through a mask: behind masked loads the hardware of Zen 5
// fetches nothing ahead, and from the third cache on a kernel takes four times as long.

// k = the first n+lanes of 8 lanes, or done where n+lanes is not above 0; n = 0 then.
#define MASK_LAST(n, lanes, bits, k) \
	ADDQ  $lanes, n \
	JLE   done      \
	MOVL  $1, bits  \
	SHLL  n, bits   \
	DECL  bits      \
	KMOVB bits, k   \
	XORL  n, n

// The same of 16 lanes, in k and l.
#define MASK_LAST_PAIR(n, bits, k, l) \
	ADDQ  $16, n   \
	JLE   done     \
	MOVL  $1, bits \
	SHLL  n, bits  \
	DECL  bits     \
	KMOVB bits, k  \
	SHRL  $8, bits \
	KMOVB bits, l  \
	XORL  n, n

// The last R11 < 8 elements of z, whose halves are y and x, to the vector at p. Masked
// stores are slow, and loads that follow them wait.
#define STORE_LAST(z, y, x, p) \
	LEAQ   (p)(BX*1), AX             \
	BTL    $2, R11                   \
	JCC    4(PC)                     \
	VMOVUPD y, (AX)                  \
	ADDQ   $32, AX                   \
	VEXTRACTF64X4 $1, z, y           \
	BTL    $1, R11                   \
	JCC    4(PC)                     \
	VMOVUPD x, (AX)                  \
	ADDQ   $16, AX                   \
	VEXTRACTF128 $1, y, x            \
	BTL    $0, R11                   \
	JCC    2(PC)                     \
	VMOVSD x, (AX)
