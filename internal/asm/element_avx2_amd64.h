// The elementary functions on four lanes, operation by operation as in
// element_math.go. Y0 to Y6, Y11 and Y12 are scratch, Y7 is x.

// Y0 = x in [-746, 710] or NaN. Out: p = Y0, scales Y3 and Y1; the tail is
// Y6 - (Y0 - Y5).
#define EXP_PARTS \
	VMOVUPD          EXP_SHIFT, Y1                   \
	VFMADD231PD      LOG2E, Y0, Y1                   \
	VSUBPD           EXP_SHIFT, Y1, Y2               \ // k
	VFNMADD231PD     LN2_HI, Y2, Y0                  \ // high
	VMOVAPD          Y0, Y3                          \
	VFNMADD231PD     LN2_LO, Y2, Y3                  \ // r
	VSUBPD           Y3, Y0, Y0                      \
	VFNMADD231PD     LN2_LO, Y2, Y0                  \ // rTail
	VMULPD           Y3, Y3, Y2                      \ // r^2
	VMOVUPD          E11, Y4                         \
	VMOVUPD          E9, Y5                          \
	VMOVUPD          E7, Y6                          \
	VMOVUPD          E5, Y11                         \
	VMOVUPD          E3, Y12                         \
	VFMADD213PD      E10, Y3, Y4                     \
	VFMADD213PD      E8, Y3, Y5                      \
	VFMADD213PD      E6, Y3, Y6                      \
	VFMADD213PD      E4, Y3, Y11                     \
	VFMADD213PD      E2, Y3, Y12                     \
	VFMADD231PD      E12, Y2, Y4                     \
	VFMADD231PD      Y2, Y5, Y6                      \
	VFMADD231PD      Y2, Y11, Y12                    \
	VMULPD           Y2, Y2, Y5                      \ // r^4
	VFMADD231PD      Y5, Y4, Y6                      \
	VFMADD231PD      Y5, Y6, Y12                     \ // poly
	VADDPD           ONE, Y3, Y5                     \ // one
	VSUBPD           ONE, Y5, Y6                     \
	VSUBPD           Y6, Y3, Y6                      \ // rest
	VFMADD231PD      Y5, Y0, Y6                      \
	VFMADD231PD      Y2, Y12, Y6                     \
	VADDPD           Y6, Y5, Y0                      \ // p
	VPSRLQ           $1, Y1, Y3                      \
	VPSUBQ           Y3, Y1, Y1                      \
	VPSLLQ           $52, Y3, Y3                     \
	VPSLLQ           $52, Y1, Y1

// e = Y0, tail = Y2 with e + tail = exp(-|Y7|). The operand order of VMAXPD
// lets NaN through.
#define EXP_NEGATIVE \
	VORPD            SIGN_BIT, Y7, Y0                \
	VMOVUPD          EXP_LOW, Y1                     \
	VMAXPD           Y0, Y1, Y0                      \
	EXP_PARTS                                        \
	VSUBPD           Y5, Y0, Y2                      \
	VSUBPD           Y2, Y6, Y2                      \ // tail
	VMULPD           Y3, Y1, Y1                      \
	VMULPD           Y1, Y0, Y0                      \
	VMULPD           Y1, Y2, Y2

// Y1 = sigmoid(Y7), given EXP_NEGATIVE, whose results stay.
#define SIGMOID_FROM \
	VADDPD           ONE, Y0, Y3                     \ // d
	VSUBPD           ONE, Y3, Y4                     \
	VSUBPD           Y4, Y0, Y4                      \
	VADDPD           Y2, Y4, Y4                      \ // dTail
	VMOVUPD          ONE, Y5                         \
	VDIVPD           Y3, Y5, Y6                      \ // inv
	VBLENDVPD        Y7, Y0, Y5, Y5                  \ // n
	VXORPD           Y11, Y11, Y11                   \
	VBLENDVPD        Y7, Y2, Y11, Y11                \ // nTail
	VMULPD           Y6, Y5, Y1                      \ // q
	VFNMADD231PD     Y3, Y1, Y5                      \ // residual
	VFNMADD231PD     Y4, Y1, Y11                     \
	VADDPD           Y11, Y5, Y5                     \
	VFMADD231PD      Y6, Y5, Y1

// w = Y6, wTail = Y0 from f = Y0, fTail = Y2.
#define LOG_RATIO \
	VMOVUPD          HALF, Y3                        \
	VFMADD213PD      ONE, Y0, Y3                     \ // d
	VMOVUPD          ONE, Y4                         \
	VDIVPD           Y3, Y4, Y5                      \ // inv
	VSUBPD           Y3, Y4, Y4                      \
	VFMADD231PD      HALF, Y0, Y4                    \ // dTail
	VMULPD           Y5, Y0, Y6                      \ // w
	VFNMADD231PD     Y3, Y6, Y0                      \ // residual
	VFNMADD231PD     Y4, Y6, Y2                      \
	VADDPD           Y2, Y0, Y0                      \
	VMULPD           Y5, Y0, Y0

// Y0 = softplus(Y7), given EXP_NEGATIVE.
#define SOFTPLUS_FROM \
	LOG_RATIO                                        \
	VMULPD           Y6, Y6, Y1                      \ // z
	VMULPD           Y1, Y1, Y2                      \ // z^2
	VMOVUPD          P9, Y3                          \
	VMOVUPD          P7, Y4                          \
	VMOVUPD          P5, Y5                          \
	VMOVUPD          P3, Y11                         \
	VMOVUPD          P1, Y12                         \
	VFMADD213PD      P8, Y1, Y3                      \
	VFMADD213PD      P6, Y1, Y4                      \
	VFMADD213PD      P4, Y1, Y5                      \
	VFMADD213PD      P2, Y1, Y11                     \
	VFMADD213PD      P0, Y1, Y12                     \
	VFMADD231PD      Y2, Y3, Y4                      \
	VFMADD231PD      Y2, Y5, Y11                     \
	VMULPD           Y2, Y2, Y3                      \ // z^4
	VFMADD231PD      Y3, Y4, Y11                     \
	VFMADD231PD      Y2, Y11, Y12                    \ // poly
	VMULPD           Y1, Y6, Y1                      \
	VFMADD231PD      Y12, Y1, Y0                     \ // rest
	VXORPD           Y5, Y5, Y5                      \
	VMAXPD           Y7, Y5, Y5                      \ // m
	VADDPD           Y6, Y5, Y1                      \ // sum
	VSUBPD           Y5, Y1, Y2                      \ // back
	VSUBPD           Y2, Y1, Y3                      \
	VSUBPD           Y3, Y5, Y3                      \
	VSUBPD           Y2, Y6, Y4                      \
	VADDPD           Y4, Y3, Y3                      \ // sumTail
	VADDPD           Y0, Y3, Y3                      \
	VADDPD           Y3, Y1, Y0                      \
	VCMPPD           GREATER, SOFTPLUS_LARGE, Y5, Y2 \
	VBLENDVPD        Y2, Y5, Y0, Y0

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
	LOG_RATIO                                        \
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
