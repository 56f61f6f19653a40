// What the kernels of both widths share: predicates, and the elementary functions,
// operation by operation as in math.go, in pieces that name their registers. Two vectors
// go through side by side, piece by piece, because one chain of dependent operations
// does not fill the arithmetic units.
//
// The includer defines the registers V0 to V15 of its width, and operations with a
// constant c of elementTable: TABLE_LOAD(c, to), and TABLE_ADD(c, a, to) and its like,
// instructions with c as first operand.

// Predicates of VCMPPD: ordered, quiet.
#define EQUAL $0x00
#define LESS $0x11
#define LESS_EQUAL $0x12
#define GREATER $0x1e
#define GREATER_EQUAL $0x1d

// a = -|x|, at least -746. The operand order of VMAXPD lets NaN through.
#define EXP_CLAMP(x, a, b) \
	TABLE_LOAD(SIGN_BIT, a)  \
	VORPD            x, a, a \
	TABLE_LOAD(EXP_LOW, b)   \
	VMAXPD           a, b, a

// h = poly from c and d; e, f and g are scratch.
#define EXP_POLY(c, d, e, f, g, h) \
	TABLE_LOAD(E11, e)       \
	TABLE_LOAD(E9, f)        \
	TABLE_LOAD(E7, g)        \
	TABLE_FMA213(E10, d, e)  \
	TABLE_FMA213(E8, d, f)   \
	TABLE_FMA213(E6, d, g)   \
	TABLE_FMA231(E12, c, e)  \
	VFMADD231PD      c, f, g \
	VMULPD           c, c, f \ // r^4
	VFMADD231PD      f, e, g \
	TABLE_LOAD(E5, e)        \
	TABLE_LOAD(E3, h)        \
	TABLE_FMA213(E4, d, e)   \
	TABLE_FMA213(E2, d, h)   \
	VFMADD231PD      c, e, h \
	VFMADD231PD      f, g, h

// a = p; the tail is g - (a - f).
#define EXP_JOIN(a, c, d, f, g, h) \
	TABLE_ADD(ONE, d, f)     \ // one
	TABLE_SUB(ONE, f, g)     \
	VSUBPD           g, d, g \ // rest
	VFMADD231PD      f, a, g \
	VFMADD231PD      c, h, g \
	VADDPD           g, f, a

// w = g, wTail = a from f = a, fTail = c.
#define LOG_RATIO(a, c, d, e, f, g) \
	TABLE_LOAD(HALF, d)      \
	TABLE_LOAD(ONE, e)       \
	TABLE_FMA213(ONE, a, d)  \ // d
	VDIVPD           d, e, f \ // inv
	VSUBPD           d, e, e \
	TABLE_FMA231(HALF, a, e) \ // dTail
	VMULPD           f, a, g \ // w
	VFNMADD231PD     d, g, a \ // residual
	VFNMADD231PD     e, g, c \
	VADDPD           c, a, a \
	VMULPD           f, a, a

// a = softplus(x) from a and c of EXP_SCALE, and f = max(x, 0), which it is for large x.
#define SOFTPLUS_SUM(x, a, b, c, d, e, f, g) \
	LOG_RATIO(a, c, d, e, f, g) \
	VMULPD           g, g, b    \ // z
	VMULPD           b, b, c    \ // z^2
	TABLE_LOAD(P9, d)           \
	TABLE_LOAD(P7, e)           \
	TABLE_LOAD(P3, f)           \
	TABLE_FMA213(P8, b, d)      \
	TABLE_FMA213(P6, b, e)      \
	TABLE_FMA213(P2, b, f)      \
	VFMADD231PD      c, d, e    \
	TABLE_LOAD(P5, d)           \
	TABLE_FMA213(P4, b, d)      \
	VFMADD231PD      c, d, f    \
	VMULPD           c, c, d    \ // z^4
	VFMADD231PD      d, e, f    \
	TABLE_LOAD(P1, e)           \
	TABLE_FMA213(P0, b, e)      \
	VFMADD231PD      c, f, e    \ // poly
	VMULPD           b, g, b    \
	VFMADD231PD      e, b, a    \ // rest
	VXORPD           f, f, f    \
	VMAXPD           x, f, f    \ // m
	VADDPD           g, f, b    \ // sum
	VSUBPD           f, b, c    \ // back
	VSUBPD           c, b, d    \
	VSUBPD           d, f, d    \
	VSUBPD           c, g, e    \
	VADDPD           e, d, d    \ // sumTail
	VADDPD           a, d, d    \
	VADDPD           d, b, a

// One vector: V0 = exp(-|V7|) and V2 its tail; V0 to V6 and V11 are scratch here
// and below.
#define EXP_NEGATIVE \
	EXP_CLAMP(V7, V0, V1)             \
	EXP_REDUCE(V0, V1, V2, V3)        \
	EXP_POLY(V2, V3, V4, V5, V6, V11) \
	EXP_JOIN(V0, V2, V3, V5, V6, V11) \
	EXP_SCALE(V0, V1, V2, V3, V5, V6)

// k, and m with u = m 2^k.
#define LOG_SPLIT_BITS(u, k, m) \
	TABLE_ADD_BITS(ONE_LESS_SPLIT, u, m) \
	VPSRLQ           $52, m, k           \
	TABLE_OR_BITS(TWO_52, k, k)          \
	TABLE_SUB(TWO_52_BIAS, k, k)         \
	TABLE_AND_BITS(MANTISSA, m, m)       \
	TABLE_ADD_BITS(LOG_SPLIT, m, m)

// a = k ln 2 + log(1+f+fTail) from f = a, fTail = c.
#define LOG_FROM(k, a, b, c, d, e, f, g) \
	LOG_RATIO(a, c, d, e, f, g) \
	LOG_POLY(b, c, d, e, f, g)  \
	LOG_JOIN(k, a, b, c, f, g)

// f = poly and b = z from w = g; c, d and e are scratch.
#define LOG_POLY(b, c, d, e, f, g) \
	VMULPD           g, g, b      \ // z
	VMULPD           b, b, c      \ // z^2
	TABLE_LOAD(G5, d)             \
	TABLE_LOAD(G3, e)             \
	TABLE_LOAD(G1, f)             \
	TABLE_FMA213(G4, b, d)        \
	TABLE_FMA213(G2, b, e)        \
	TABLE_FMA213(G0, b, f)        \
	TABLE_FMA231(G6, c, d)        \
	VFMADD231PD      c, e, f      \
	VMULPD           c, c, c      \ // z^4
	VFMADD231PD      c, d, f

// a = the logarithm from k, wTail = a, z = b, poly = f and w = g; c is scratch.
#define LOG_JOIN(k, a, b, c, f, g) \
	VMULPD           b, g, b      \
	VFMADD231PD      f, b, a      \ // rest
	TABLE_MUL(LN2_HI, k, f)       \ // high
	VADDPD           g, f, b      \ // sum
	VSUBPD           f, b, c      \
	VSUBPD           c, g, c      \ // sumTail
	TABLE_FMA231(LN2_LO, k, a)    \
	VADDPD           a, c, c      \
	VADDPD           c, b, a

// V0 = log(1+V7), but for |V7| < LOG1P_SMALL, by V9 = V7.
#define LOG1P \
	LOG1P_INSIDE \
	LOG_ENDS

// The same where 1+V7 = V7 afterwards is positive, normal and finite.
#define LOG1P_INSIDE \
	VMOVAPD          V7, V9     \
	TABLE_ADD(ONE, V9, V7)      \ // u
	VSUBPD           V9, V7, V0 \ // back
	VSUBPD           V0, V7, V2 \
	VSUBPD           V2, V9, V2 \
	TABLE_LOAD(ONE, V3)         \
	VSUBPD           V0, V3, V3 \
	VADDPD           V3, V2, V2 \ // uTail
	VMOVAPD          V7, V0     \
	LOG_SPLIT_BITS(V0, V8, V1)  \
	VPSUBQ           V7, V1, V3 \
	TABLE_ADD_BITS(TWO, V3, V3) \ // scale
	TABLE_SUB(ONE, V1, V1)      \ // f
	TABLE_MUL(HALF, V2, V2)     \
	VMULPD           V3, V2, V2 \ // fTail
	VADDPD           V2, V1, V0 \ // sum
	VSUBPD           V1, V0, V3 \
	VSUBPD           V3, V2, V2 \
	LOG_FROM(V8, V0, V1, V2, V3, V4, V5, V6)

// What EXP_REDUCE and EXP_POLY compute, of V0, for a 2^k that is normal: V3 = r, V2 = r^2,
// V0 = rTail, V11 = poly, and V1, whose low bits are the exponent bits of 2^k.
#define EXP_BIASED \
	TABLE_LOAD(TANH_SHIFT, V1)        \
	TABLE_FMA231(LOG2E, V0, V1)       \
	TABLE_SUB(TANH_SHIFT, V1, V2)     \ // k
	TABLE_FNMA231(LN2_HI, V2, V0)     \ // high
	VMOVAPD          V0, V3           \
	TABLE_FNMA231(LN2_LO, V2, V3)     \ // r
	VSUBPD           V3, V0, V0       \
	TABLE_FNMA231(LN2_LO, V2, V0)     \ // rTail
	VMULPD           V3, V3, V2       \ // r^2
	EXP_POLY(V2, V3, V4, V5, V6, V11)

// V0 = tanh(V7). V7 stays.
#define TANH \
	TABLE_LOAD(SIGN_BIT, V0)          \
	VORPD            V7, V0, V0       \
	VADDPD           V0, V0, V0       \
	TABLE_LOAD(TANH_LOW, V1)          \
	VMAXPD           V0, V1, V0       \ // y; NaN goes through
	EXP_BIASED                        \
	VFMADD231PD      V11, V2, V0      \ // rest
	VPSLLQ           $52, V1, V1      \ // scale
	TABLE_SUB(ONE, V1, V2)            \ // less
	TABLE_ADD(ONE, V2, V4)            \
	VSUBPD           V4, V1, V4       \ // lessTail
	VMULPD           V1, V3, V3       \ // part
	VADDPD           V3, V2, V5       \ // sum
	VSUBPD           V2, V5, V6       \
	VSUBPD           V6, V3, V6       \
	VADDPD           V4, V6, V6       \
	VFMADD231PD      V0, V1, V6       \ // tail
	VADDPD           V6, V5, V0       \ // e
	VSUBPD           V5, V0, V2       \
	VSUBPD           V2, V6, V2       \ // eTail
	TABLE_ADD(TWO, V0, V3)            \ // d
	TABLE_SUB(TWO, V3, V4)            \
	VSUBPD           V4, V0, V4       \
	VADDPD           V2, V4, V4       \ // dTail
	TABLE_LOAD(ONE, V5)               \
	VDIVPD           V3, V5, V5       \ // inv
	VMULPD           V5, V0, V6       \ // q
	VFNMADD231PD     V3, V6, V0       \
	VFNMADD231PD     V4, V6, V2       \
	VADDPD           V2, V0, V0       \ // residual
	VFMADD213PD      V6, V5, V0       \
	TABLE_AND(ABS_MASK, V0, V0)       \
	TABLE_LOAD(SIGN_BIT, V1)          \
	VANDPD           V7, V1, V1       \
	VORPD            V1, V0, V0

// The arguments of the kernels of losses.
#define GRAD_ARGUMENTS \
	MOVQ   coef+0(FP), DI            \
	MOVQ   z+8(FP), SI               \
	MOVQ   y+16(FP), DX              \
	MOVQ   weight+24(FP), R9         \
	MOVQ   n+32(FP), CX

#define CURVATURE_ARGUMENTS \
	MOVQ   h+0(FP), DI               \
	MOVQ   t+8(FP), R10              \
	MOVQ   z+16(FP), SI              \
	MOVQ   y+24(FP), DX              \
	MOVQ   weight+32(FP), R9         \
	MOVQ   n+40(FP), CX
