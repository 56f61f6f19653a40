// The elementary functions on four lanes, operation by operation as in
// element_math.go, in pieces that name their registers: two vectors go through
// side by side, piece by piece, because one chain of dependent operations does
// not fill the arithmetic units.

// a = -|x|, at least -746. The operand order of VMAXPD lets NaN through.
#define EXP_CLAMP(x, a, b) \
	VMOVUPD          SIGN_BIT, a                     \
	VORPD            x, a, a                         \
	VMOVUPD          EXP_LOW, b                      \
	VMAXPD           a, b, a

// From a = x in [-746, 710] or NaN: d = r, c = r^2, a = rTail, and b with k in
// its low bits.
#define EXP_REDUCE(a, b, c, d) \
	VMOVUPD          EXP_SHIFT, b                    \
	VFMADD231PD      LOG2E, a, b                     \
	VSUBPD           EXP_SHIFT, b, c                 \ // k
	VFNMADD231PD     LN2_HI, c, a                    \ // high
	VMOVAPD          a, d                            \
	VFNMADD231PD     LN2_LO, c, d                    \ // r
	VSUBPD           d, a, a                         \
	VFNMADD231PD     LN2_LO, c, a                    \ // rTail
	VMULPD           d, d, c                         // r^2

// h = poly from c and d; e, f and g are scratch.
#define EXP_POLY(c, d, e, f, g, h) \
	VMOVUPD          E11, e                          \
	VMOVUPD          E9, f                           \
	VMOVUPD          E7, g                           \
	VFMADD213PD      E10, d, e                       \
	VFMADD213PD      E8, d, f                        \
	VFMADD213PD      E6, d, g                        \
	VFMADD231PD      E12, c, e                       \
	VFMADD231PD      c, f, g                         \
	VMULPD           c, c, f                         \ // r^4
	VFMADD231PD      f, e, g                         \
	VMOVUPD          E5, e                           \
	VMOVUPD          E3, h                           \
	VFMADD213PD      E4, d, e                        \
	VFMADD213PD      E2, d, h                        \
	VFMADD231PD      c, e, h                         \
	VFMADD231PD      f, g, h

// a = p; the tail is g - (a - f).
#define EXP_JOIN(a, c, d, f, g, h) \
	VADDPD           ONE, d, f                       \ // one
	VSUBPD           ONE, f, g                       \
	VSUBPD           g, d, g                         \ // rest
	VFMADD231PD      f, a, g                         \
	VFMADD231PD      c, h, g                         \
	VADDPD           g, f, a

// The factors d and b, whose product is 2^k.
#define EXP_FACTORS(b, d) \
	VPSRLQ           $1, b, d                        \
	VPSUBQ           d, b, b                         \
	VPSLLQ           $52, d, d                       \
	VPSLLQ           $52, b, b

// a = exp(-|x|) and c its tail, from EXP_JOIN.
#define EXP_SCALE(a, b, c, d, f, g) \
	VSUBPD           f, a, c                         \
	VSUBPD           c, g, c                         \ // tail
	EXP_FACTORS(b, d)                                \
	VMULPD           d, b, b                         \
	VMULPD           b, a, a                         \
	VMULPD           b, c, c

// b = sigmoid(x) from a and c of EXP_SCALE, which stay.
#define SIGMOID_FROM(x, a, b, c, d, e, f, g, h) \
	VMOVUPD          x, b                            \
	VADDPD           ONE, a, d                       \ // d
	VSUBPD           ONE, d, e                       \
	VSUBPD           e, a, e                         \
	VADDPD           c, e, e                         \ // dTail
	VMOVUPD          ONE, f                          \
	VDIVPD           d, f, g                         \ // inv
	VBLENDVPD        b, a, f, f                      \ // n
	VXORPD           h, h, h                         \
	VBLENDVPD        b, c, h, h                      \ // nTail
	VMULPD           g, f, b                         \ // q
	VFNMADD231PD     d, b, f                         \ // residual
	VFNMADD231PD     e, b, h                         \
	VADDPD           h, f, f                         \
	VFMADD231PD      g, f, b

// w = g, wTail = a from f = a, fTail = c.
#define LOG_RATIO(a, c, d, e, f, g) \
	VMOVUPD          HALF, d                         \
	VMOVUPD          ONE, e                          \
	VFMADD213PD      ONE, a, d                       \ // d
	VDIVPD           d, e, f                         \ // inv
	VSUBPD           d, e, e                         \
	VFMADD231PD      HALF, a, e                      \ // dTail
	VMULPD           f, a, g                         \ // w
	VFNMADD231PD     d, g, a                         \ // residual
	VFNMADD231PD     e, g, c                         \
	VADDPD           c, a, a                         \
	VMULPD           f, a, a

// a = softplus(x) from a and c of EXP_SCALE.
#define SOFTPLUS_FROM(x, a, b, c, d, e, f, g) \
	LOG_RATIO(a, c, d, e, f, g)                      \
	VMULPD           g, g, b                         \ // z
	VMULPD           b, b, c                         \ // z^2
	VMOVUPD          P9, d                           \
	VMOVUPD          P7, e                           \
	VMOVUPD          P3, f                           \
	VFMADD213PD      P8, b, d                        \
	VFMADD213PD      P6, b, e                        \
	VFMADD213PD      P2, b, f                        \
	VFMADD231PD      c, d, e                         \
	VMOVUPD          P5, d                           \
	VFMADD213PD      P4, b, d                        \
	VFMADD231PD      c, d, f                         \
	VMULPD           c, c, d                         \ // z^4
	VFMADD231PD      d, e, f                         \
	VMOVUPD          P1, e                           \
	VFMADD213PD      P0, b, e                        \
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
	VCMPPD           GREATER, SOFTPLUS_LARGE, f, c   \
	VBLENDVPD        c, f, a, a

// Two vectors at once: x = Y7 and Y15, and the second one uses registers 8 above
// those of the first. EXP_PAIR begins with Y0 and Y8.
#define EXP_PAIR \
	EXP_REDUCE(Y0, Y1, Y2, Y3)              \
	EXP_REDUCE(Y8, Y9, Y10, Y11)            \
	EXP_POLY(Y2, Y3, Y4, Y5, Y6, Y7)        \
	EXP_POLY(Y10, Y11, Y12, Y13, Y14, Y15)  \
	EXP_JOIN(Y0, Y2, Y3, Y5, Y6, Y7)        \
	EXP_JOIN(Y8, Y10, Y11, Y13, Y14, Y15)

// Y0 = exp(-|Y7|), Y2 its tail; Y8 = exp(-|Y15|), Y10 its tail. x is lost.
#define EXP_NEGATIVE_PAIR \
	EXP_CLAMP(Y7, Y0, Y1)                   \
	EXP_CLAMP(Y15, Y8, Y9)                  \
	EXP_PAIR                                \
	EXP_SCALE(Y0, Y1, Y2, Y3, Y5, Y6)       \
	EXP_SCALE(Y8, Y9, Y10, Y11, Y13, Y14)

// One vector: Y0 = exp(-|Y7|) and Y2 its tail; Y0 to Y6 and Y11 are scratch here
// and below.
#define EXP_NEGATIVE \
	EXP_CLAMP(Y7, Y0, Y1)                            \
	EXP_REDUCE(Y0, Y1, Y2, Y3)                       \
	EXP_POLY(Y2, Y3, Y4, Y5, Y6, Y11)                \
	EXP_JOIN(Y0, Y2, Y3, Y5, Y6, Y11)                \
	EXP_SCALE(Y0, Y1, Y2, Y3, Y5, Y6)

// k = Y8, m = Y1 from u = Y0.
#define LOG_SPLIT_BITS \
	VPADDQ           ONE_LESS_SPLIT, Y0, Y1          \
	VPSRLQ           $52, Y1, Y8                     \
	VPOR             TWO_52, Y8, Y8                  \
	VSUBPD           TWO_52_BIAS, Y8, Y8             \
	VPAND            MANTISSA, Y1, Y1                \
	VPADDQ           LOG_SPLIT, Y1, Y1

// Y0 = k ln 2 + log(1+f+fTail) from k = Y8, f = Y0, fTail = Y2.
#define LOG_FROM \
	LOG_RATIO(Y0, Y2, Y3, Y4, Y5, Y6)                \
	VMULPD           Y6, Y6, Y1                      \ // z
	VMULPD           Y1, Y1, Y2                      \ // z^2
	VMOVUPD          G5, Y3                          \
	VMOVUPD          G3, Y4                          \
	VMOVUPD          G1, Y5                          \
	VFMADD213PD      G4, Y1, Y3                      \
	VFMADD213PD      G2, Y1, Y4                      \
	VFMADD213PD      G0, Y1, Y5                      \
	VFMADD231PD      G6, Y2, Y3                      \
	VFMADD231PD      Y2, Y4, Y5                      \
	VMULPD           Y2, Y2, Y2                      \ // z^4
	VFMADD231PD      Y2, Y3, Y5                      \ // poly
	VMULPD           Y1, Y6, Y1                      \
	VFMADD231PD      Y5, Y1, Y0                      \ // rest
	VMULPD           LN2_HI, Y8, Y5                  \ // high
	VADDPD           Y6, Y5, Y1                      \ // sum
	VSUBPD           Y5, Y1, Y2                      \
	VSUBPD           Y2, Y6, Y2                      \ // sumTail
	VFMADD231PD      LN2_LO, Y8, Y0                  \
	VADDPD           Y0, Y2, Y2                      \
	VADDPD           Y2, Y1, Y0

// Y0 = log(u) from the value Y0 and u = Y7.
#define LOG_ENDS \
	VCMPPD           LESS, INFINITY, Y7, Y1          \
	VBLENDVPD        Y1, Y0, Y7, Y0                  \
	VXORPD           Y2, Y2, Y2                      \
	VCMPPD           LESS, Y2, Y7, Y1                \
	VMOVUPD          NOT_A_NUMBER, Y3                \
	VBLENDVPD        Y1, Y3, Y0, Y0                  \
	VCMPPD           EQUAL, Y2, Y7, Y1               \
	VMOVUPD          MINUS_INFINITY, Y3              \
	VBLENDVPD        Y1, Y3, Y0, Y0
