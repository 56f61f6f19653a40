// The elementary functions on eight lanes, operation by operation as in
// element_math.go. Z0 to Z6, Z11 and Z12 are scratch, Z7 is x.

// Z0 = x in [-746, 710] or NaN. Out: p = Z0, k = Z1; the tail is
// Z6 - (Z0 - Z5). The exponent goes in by VSCALEFPD, which rounds once, as the
// two factors of the twin do.
#define EXP_PARTS \
	VBROADCASTSD     EXP_SHIFT, Z1                   \
	VFMADD231PD.BCST LOG2E, Z0, Z1                   \
	VSUBPD.BCST      EXP_SHIFT, Z1, Z1               \ // k
	VFNMADD231PD.BCST LN2_HI, Z1, Z0                 \ // high
	VMOVAPD          Z0, Z3                          \
	VFNMADD231PD.BCST LN2_LO, Z1, Z3                 \ // r
	VSUBPD           Z3, Z0, Z0                      \
	VFNMADD231PD.BCST LN2_LO, Z1, Z0                 \ // rTail
	VMULPD           Z3, Z3, Z2                      \ // r^2
	VBROADCASTSD     E11, Z4                         \
	VBROADCASTSD     E9, Z5                          \
	VBROADCASTSD     E7, Z6                          \
	VBROADCASTSD     E5, Z11                         \
	VBROADCASTSD     E3, Z12                         \
	VFMADD213PD.BCST E10, Z3, Z4                     \
	VFMADD213PD.BCST E8, Z3, Z5                      \
	VFMADD213PD.BCST E6, Z3, Z6                      \
	VFMADD213PD.BCST E4, Z3, Z11                     \
	VFMADD213PD.BCST E2, Z3, Z12                     \
	VFMADD231PD.BCST E12, Z2, Z4                     \
	VFMADD231PD      Z2, Z5, Z6                      \
	VFMADD231PD      Z2, Z11, Z12                    \
	VMULPD           Z2, Z2, Z5                      \ // r^4
	VFMADD231PD      Z5, Z4, Z6                      \
	VFMADD231PD      Z5, Z6, Z12                     \ // poly
	VADDPD.BCST      ONE, Z3, Z5                     \ // one
	VSUBPD.BCST      ONE, Z5, Z6                     \
	VSUBPD           Z6, Z3, Z6                      \ // rest
	VFMADD231PD      Z5, Z0, Z6                      \
	VFMADD231PD      Z2, Z12, Z6                     \
	VADDPD           Z6, Z5, Z0                      // p

// e = Z0, tail = Z2 with e + tail = exp(-|Z7|). The operand order of VMAXPD
// lets NaN through.
#define EXP_NEGATIVE \
	VORPD.BCST       SIGN_BIT, Z7, Z0                \
	VBROADCASTSD     EXP_LOW, Z1                     \
	VMAXPD           Z0, Z1, Z0                      \
	EXP_PARTS                                        \
	VSUBPD           Z5, Z0, Z2                      \
	VSUBPD           Z2, Z6, Z2                      \ // tail
	VBROADCASTSD     ONE, Z3                         \
	VSCALEFPD        Z1, Z3, Z1                      \
	VMULPD           Z1, Z0, Z0                      \
	VMULPD           Z1, Z2, Z2

// Z1 = sigmoid(Z7), given EXP_NEGATIVE, whose results stay.
#define SIGMOID_FROM \
	VADDPD.BCST      ONE, Z0, Z3                     \ // d
	VSUBPD.BCST      ONE, Z3, Z4                     \
	VSUBPD           Z4, Z0, Z4                      \
	VADDPD           Z2, Z4, Z4                      \ // dTail
	VBROADCASTSD     ONE, Z5                         \
	VDIVPD           Z3, Z5, Z6                      \ // inv
	VPMOVQ2M         Z7, K2                          \
	VMOVAPD          Z0, K2, Z5                      \ // n
	VMOVAPD.Z        Z2, K2, Z11                     \ // nTail
	VMULPD           Z6, Z5, Z1                      \ // q
	VFNMADD231PD     Z3, Z1, Z5                      \ // residual
	VFNMADD231PD     Z4, Z1, Z11                     \
	VADDPD           Z11, Z5, Z5                     \
	VFMADD231PD      Z6, Z5, Z1

// w = Z6, wTail = Z0 from f = Z0, fTail = Z2.
#define LOG_RATIO \
	VBROADCASTSD     HALF, Z3                        \
	VFMADD213PD.BCST ONE, Z0, Z3                     \ // d
	VBROADCASTSD     ONE, Z4                         \
	VDIVPD           Z3, Z4, Z5                      \ // inv
	VSUBPD           Z3, Z4, Z4                      \
	VFMADD231PD.BCST HALF, Z0, Z4                    \ // dTail
	VMULPD           Z5, Z0, Z6                      \ // w
	VFNMADD231PD     Z3, Z6, Z0                      \ // residual
	VFNMADD231PD     Z4, Z6, Z2                      \
	VADDPD           Z2, Z0, Z0                      \
	VMULPD           Z5, Z0, Z0

// Z0 = softplus(Z7), given EXP_NEGATIVE.
#define SOFTPLUS_FROM \
	LOG_RATIO                                        \
	VMULPD           Z6, Z6, Z1                      \ // z
	VMULPD           Z1, Z1, Z2                      \ // z^2
	VBROADCASTSD     P9, Z3                          \
	VBROADCASTSD     P7, Z4                          \
	VBROADCASTSD     P5, Z5                          \
	VBROADCASTSD     P3, Z11                         \
	VBROADCASTSD     P1, Z12                         \
	VFMADD213PD.BCST P8, Z1, Z3                      \
	VFMADD213PD.BCST P6, Z1, Z4                      \
	VFMADD213PD.BCST P4, Z1, Z5                      \
	VFMADD213PD.BCST P2, Z1, Z11                     \
	VFMADD213PD.BCST P0, Z1, Z12                     \
	VFMADD231PD      Z2, Z3, Z4                      \
	VFMADD231PD      Z2, Z5, Z11                     \
	VMULPD           Z2, Z2, Z3                      \ // z^4
	VFMADD231PD      Z3, Z4, Z11                     \
	VFMADD231PD      Z2, Z11, Z12                    \ // poly
	VMULPD           Z1, Z6, Z1                      \
	VFMADD231PD      Z12, Z1, Z0                     \ // rest
	VXORPD           Z5, Z5, Z5                      \
	VMAXPD           Z7, Z5, Z5                      \ // m
	VADDPD           Z6, Z5, Z1                      \ // sum
	VSUBPD           Z5, Z1, Z2                      \ // back
	VSUBPD           Z2, Z1, Z3                      \
	VSUBPD           Z3, Z5, Z3                      \
	VSUBPD           Z2, Z6, Z4                      \
	VADDPD           Z4, Z3, Z3                      \ // sumTail
	VADDPD           Z0, Z3, Z3                      \
	VADDPD           Z3, Z1, Z0                      \
	VCMPPD.BCST      GREATER, SOFTPLUS_LARGE, Z5, K2 \
	VMOVAPD          Z5, K2, Z0

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
	LOG_RATIO                                        \
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
