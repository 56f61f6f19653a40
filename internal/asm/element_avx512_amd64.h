// The elementary functions on eight lanes, operation by operation as in
// element_math.go, in pieces that name their registers: two vectors go through
// side by side, piece by piece, because one chain of dependent operations does
// not fill the arithmetic units.

// a = -|x|, at least -746. The operand order of VMAXPD lets NaN through.
#define EXP_CLAMP(x, a, b) \
	VBROADCASTSD     SIGN_BIT, a                     \
	VORPD            x, a, a                         \
	VBROADCASTSD     EXP_LOW, b                      \
	VMAXPD           a, b, a

// From a = x in [-746, 710] or NaN: d = r, c = r^2, a = rTail, b = k.
#define EXP_REDUCE(a, b, c, d) \
	VBROADCASTSD     EXP_SHIFT, b                    \
	VFMADD231PD.BCST LOG2E, a, b                     \
	VSUBPD.BCST      EXP_SHIFT, b, b                 \ // k
	VFNMADD231PD.BCST LN2_HI, b, a                   \ // high
	VMOVAPD          a, d                            \
	VFNMADD231PD.BCST LN2_LO, b, d                   \ // r
	VSUBPD           d, a, a                         \
	VFNMADD231PD.BCST LN2_LO, b, a                   \ // rTail
	VMULPD           d, d, c                         // r^2

// h = poly from c and d; e, f and g are scratch.
#define EXP_POLY(c, d, e, f, g, h) \
	VBROADCASTSD     E11, e                          \
	VBROADCASTSD     E9, f                           \
	VBROADCASTSD     E7, g                           \
	VFMADD213PD.BCST E10, d, e                       \
	VFMADD213PD.BCST E8, d, f                        \
	VFMADD213PD.BCST E6, d, g                        \
	VFMADD231PD.BCST E12, c, e                       \
	VFMADD231PD      c, f, g                         \
	VMULPD           c, c, f                         \ // r^4
	VFMADD231PD      f, e, g                         \
	VBROADCASTSD     E5, e                           \
	VBROADCASTSD     E3, h                           \
	VFMADD213PD.BCST E4, d, e                        \
	VFMADD213PD.BCST E2, d, h                        \
	VFMADD231PD      c, e, h                         \
	VFMADD231PD      f, g, h

// a = p; the tail is g - (a - f).
#define EXP_JOIN(a, c, d, f, g, h) \
	VADDPD.BCST      ONE, d, f                       \ // one
	VSUBPD.BCST      ONE, f, g                       \
	VSUBPD           g, d, g                         \ // rest
	VFMADD231PD      f, a, g                         \
	VFMADD231PD      c, h, g                         \
	VADDPD           g, f, a

// a = exp(-|x|) and c its tail, from EXP_JOIN.
#define EXP_SCALE(a, b, c, d, f, g) \
	VSUBPD           f, a, c                         \
	VSUBPD           c, g, c                         \ // tail
	VBROADCASTSD     ONE, d                          \
	VSCALEFPD        b, d, b                         \
	VMULPD           b, a, a                         \
	VMULPD           b, c, c

// b = sigmoid(x) from a and c of EXP_SCALE, which stay. k is a scratch mask.
#define SIGMOID_FROM(x, a, b, c, d, e, f, g, h, k) \
	VPMOVQ2M         x, k                            \
	VADDPD.BCST      ONE, a, d                       \ // d
	VSUBPD.BCST      ONE, d, e                       \
	VSUBPD           e, a, e                         \
	VADDPD           c, e, e                         \ // dTail
	VBROADCASTSD     ONE, f                          \
	VDIVPD           d, f, g                         \ // inv
	VMOVAPD          a, k, f                         \ // n
	VMOVAPD.Z        c, k, h                         \ // nTail
	VMULPD           g, f, b                         \ // q
	VFNMADD231PD     d, b, f                         \ // residual
	VFNMADD231PD     e, b, h                         \
	VADDPD           h, f, f                         \
	VFMADD231PD      g, f, b

// w = g, wTail = a from f = a, fTail = c.
#define LOG_RATIO(a, c, d, e, f, g) \
	VBROADCASTSD     HALF, d                         \
	VBROADCASTSD     ONE, e                          \
	VFMADD213PD.BCST ONE, a, d                       \ // d
	VDIVPD           d, e, f                         \ // inv
	VSUBPD           d, e, e                         \
	VFMADD231PD.BCST HALF, a, e                      \ // dTail
	VMULPD           f, a, g                         \ // w
	VFNMADD231PD     d, g, a                         \ // residual
	VFNMADD231PD     e, g, c                         \
	VADDPD           c, a, a                         \
	VMULPD           f, a, a

// a = softplus(x) from a and c of EXP_SCALE.
#define SOFTPLUS_FROM(x, a, b, c, d, e, f, g, k) \
	LOG_RATIO(a, c, d, e, f, g)                      \
	VMULPD           g, g, b                         \ // z
	VMULPD           b, b, c                         \ // z^2
	VBROADCASTSD     P9, d                           \
	VBROADCASTSD     P7, e                           \
	VBROADCASTSD     P3, f                           \
	VFMADD213PD.BCST P8, b, d                        \
	VFMADD213PD.BCST P6, b, e                        \
	VFMADD213PD.BCST P2, b, f                        \
	VFMADD231PD      c, d, e                         \
	VBROADCASTSD     P5, d                           \
	VFMADD213PD.BCST P4, b, d                        \
	VFMADD231PD      c, d, f                         \
	VMULPD           c, c, d                         \ // z^4
	VFMADD231PD      d, e, f                         \
	VBROADCASTSD     P1, e                           \
	VFMADD213PD.BCST P0, b, e                        \
	VFMADD231PD      c, f, e                         \ // poly
	VMULPD           b, g, b                         \
	VFMADD231PD      e, b, a                         \ // rest
	VXORPD           f, f, f                         \
	VMAXPD           x, f, f                         \ // m
	VADDPD           g, f, b                         \ // sum
	VSUBPD           f, b, c                         \ // back
	VSUBPD           c, b, d                         \
	VSUBPD           d, f, d                         \
	VSUBPD           c, g, e                         \
	VADDPD           e, d, d                         \ // sumTail
	VADDPD           a, d, d                         \
	VADDPD           d, b, a                         \
	VCMPPD.BCST      GREATER, SOFTPLUS_LARGE, f, k   \
	VMOVAPD          f, k, a

// Two vectors at once: x = Z8 and Z24, and the second one uses registers 16
// above those of the first. EXP_PAIR begins with Z0 and Z16.
#define EXP_PAIR \
	EXP_REDUCE(Z0, Z1, Z2, Z3)               \
	EXP_REDUCE(Z16, Z17, Z18, Z19)           \
	EXP_POLY(Z2, Z3, Z4, Z5, Z6, Z7)         \
	EXP_POLY(Z18, Z19, Z20, Z21, Z22, Z23)   \
	EXP_JOIN(Z0, Z2, Z3, Z5, Z6, Z7)         \
	EXP_JOIN(Z16, Z18, Z19, Z21, Z22, Z23)

// Z0 = exp(-|Z8|), Z2 its tail; Z16 = exp(-|Z24|), Z18 its tail.
#define EXP_NEGATIVE_PAIR \
	EXP_CLAMP(Z8, Z0, Z1)                    \
	EXP_CLAMP(Z24, Z16, Z17)                 \
	EXP_PAIR                                 \
	EXP_SCALE(Z0, Z1, Z2, Z3, Z5, Z6)        \
	EXP_SCALE(Z16, Z17, Z18, Z19, Z21, Z22)

// One vector: Z0 = exp(-|Z7|) and Z2 its tail; Z0 to Z6 and Z11 are scratch here
// and below.
#define EXP_NEGATIVE \
	EXP_CLAMP(Z7, Z0, Z1)                            \
	EXP_REDUCE(Z0, Z1, Z2, Z3)                       \
	EXP_POLY(Z2, Z3, Z4, Z5, Z6, Z11)                \
	EXP_JOIN(Z0, Z2, Z3, Z5, Z6, Z11)                \
	EXP_SCALE(Z0, Z1, Z2, Z3, Z5, Z6)

// k = Z8, m = Z1 from u = Z0.
#define LOG_SPLIT_BITS \
	VPADDQ.BCST      ONE_LESS_SPLIT, Z0, Z1          \
	VPSRLQ           $52, Z1, Z8                     \
	VPORQ.BCST       TWO_52, Z8, Z8                  \
	VSUBPD.BCST      TWO_52_BIAS, Z8, Z8             \
	VPANDQ.BCST      MANTISSA, Z1, Z1                \
	VPADDQ.BCST      LOG_SPLIT, Z1, Z1

// Z0 = k ln 2 + log(1+f+fTail) from k = Z8, f = Z0, fTail = Z2.
#define LOG_FROM \
	LOG_RATIO(Z0, Z2, Z3, Z4, Z5, Z6)                \
	VMULPD           Z6, Z6, Z1                      \ // z
	VMULPD           Z1, Z1, Z2                      \ // z^2
	VBROADCASTSD     G5, Z3                          \
	VBROADCASTSD     G3, Z4                          \
	VBROADCASTSD     G1, Z5                          \
	VFMADD213PD.BCST G4, Z1, Z3                      \
	VFMADD213PD.BCST G2, Z1, Z4                      \
	VFMADD213PD.BCST G0, Z1, Z5                      \
	VFMADD231PD.BCST G6, Z2, Z3                      \
	VFMADD231PD      Z2, Z4, Z5                      \
	VMULPD           Z2, Z2, Z2                      \ // z^4
	VFMADD231PD      Z2, Z3, Z5                      \ // poly
	VMULPD           Z1, Z6, Z1                      \
	VFMADD231PD      Z5, Z1, Z0                      \ // rest
	VMULPD.BCST      LN2_HI, Z8, Z5                  \ // high
	VADDPD           Z6, Z5, Z1                      \ // sum
	VSUBPD           Z5, Z1, Z2                      \
	VSUBPD           Z2, Z6, Z2                      \ // sumTail
	VFMADD231PD.BCST LN2_LO, Z8, Z0                  \
	VADDPD           Z0, Z2, Z2                      \
	VADDPD           Z2, Z1, Z0

// Z0 = log(u) from the value Z0 and u = Z7.
#define LOG_ENDS \
	VCMPPD.BCST      LESS, INFINITY, Z7, K2          \
	VMOVAPD          Z7, Z1                          \
	VMOVAPD          Z0, K2, Z1                      \
	VXORPD           Z2, Z2, Z2                      \
	VCMPPD           LESS, Z2, Z7, K2                \
	VBROADCASTSD     NOT_A_NUMBER, K2, Z1            \
	VCMPPD           EQUAL, Z2, Z7, K2               \
	VBROADCASTSD     MINUS_INFINITY, K2, Z1          \
	VMOVAPD          Z1, Z0
