// The elementary functions on two lanes, operation by operation as in
// math.go. V0 to V6, V16, V17, V21 and V22 are scratch, V7 is x.
//
// Constants come from elementTable, whose address is in R8: a load into the
// register that a fused multiply-add then adds to costs no more than the move
// that would be needed there.

// V22 = (exp(r) - 1 - r) / r^2 from r = V3, r^2 = V2.
#define EXP_POLY \
	FMOVQ E11, F4                  \
	FMOVQ E10, F5                  \
	FMOVQ E9, F6                   \
	FMOVQ E8, F16                  \
	FMOVQ E7, F17                  \
	FMOVQ E6, F21                  \
	VFMLA V4.D2, V3.D2, V5.D2      \
	VFMLA V6.D2, V3.D2, V16.D2     \
	VFMLA V17.D2, V3.D2, V21.D2    \
	FMOVQ E5, F4                   \
	FMOVQ E4, F6                   \
	FMOVQ E3, F17                  \
	FMOVQ E2, F22                  \
	VFMLA V4.D2, V3.D2, V6.D2      \
	VFMLA V17.D2, V3.D2, V22.D2    \
	FMOVQ E12, F4                  \
	FMUL2(2, 2, 17)                \ // r^4
	VFMLA V4.D2, V2.D2, V5.D2      \
	VFMLA V16.D2, V2.D2, V21.D2    \
	VFMLA V6.D2, V2.D2, V22.D2     \
	VFMLA V5.D2, V17.D2, V21.D2    \
	VFMLA V21.D2, V17.D2, V22.D2

// V0 = x in [-746, 710] or NaN. Out: p = V0, scales V3 and V1; the tail is
// V4 - (V0 - V5).
#define EXP_PARTS \
	FMOVQ EXP_SHIFT, F1            \
	FMOVQ EXP_SHIFT, F2            \
	FMOVQ LOG2E, F16               \
	VFMLA V16.D2, V0.D2, V1.D2     \
	FSUB2(2, 1, 2)                 \ // k
	FMOVQ LN2_HI, F16              \
	VFMLS V16.D2, V2.D2, V0.D2     \ // high
	VMOV  V0.B16, V3.B16           \
	FMOVQ LN2_LO, F16              \
	VFMLS V16.D2, V2.D2, V3.D2     \ // r
	FSUB2(3, 0, 0)                 \
	VFMLS V16.D2, V2.D2, V0.D2     \ // rTail
	FMUL2(3, 3, 2)                 \ // r^2
	EXP_POLY                       \
	FMOVQ ONE, F4                  \
	FADD2(4, 3, 5)                 \ // one
	FSUB2(4, 5, 4)                 \
	FSUB2(4, 3, 4)                 \ // rest
	VFMLA V5.D2, V0.D2, V4.D2      \
	VFMLA V2.D2, V22.D2, V4.D2     \
	FADD2(4, 5, 0)                 \ // p
	VUSHR $1, V1.D2, V3.D2         \
	VSUB  V3.D2, V1.D2, V1.D2      \
	VSHL  $52, V3.D2, V3.D2        \
	VSHL  $52, V1.D2, V1.D2

// e = V0, tail = V2 with e + tail = exp(-|V7|).
#define EXP_NEGATIVE \
	FMOVQ SIGN_BIT, F16            \
	FMOVQ EXP_LOW, F17             \
	VORR  V16.B16, V7.B16, V0.B16  \
	FMAX2(17, 0, 0)                \
	EXP_PARTS                      \
	FSUB2(5, 0, 2)                 \
	FSUB2(2, 4, 2)                 \ // tail
	FMUL2(3, 1, 1)                 \
	FMUL2(1, 0, 0)                 \
	FMUL2(1, 2, 2)

// V1 = sigmoid(V7), given EXP_NEGATIVE, whose results stay.
#define SIGMOID_FROM \
	FMOVQ ONE, F6                  \
	FADD2(6, 0, 3)                 \ // d
	FSUB2(6, 3, 4)                 \
	FSUB2(4, 0, 4)                 \
	FADD2(2, 4, 4)                 \ // dTail
	FDIV2(3, 6, 16)                \ // inv
	SIGNS2(7, 5)                   \
	VAND  V5.B16, V2.B16, V17.B16  \ // nTail
	VBSL  V6.B16, V0.B16, V5.B16   \ // n
	FMUL2(16, 5, 1)                \ // q
	VFMLS V3.D2, V1.D2, V5.D2      \ // residual
	VFMLS V4.D2, V1.D2, V17.D2     \
	FADD2(17, 5, 5)                \
	VFMLA V16.D2, V5.D2, V1.D2

// w = V6, wTail = V0 from f = V0, fTail = V2.
#define LOG_RATIO \
	FMOVQ ONE, F3                  \
	FMOVQ ONE, F4                  \
	FMOVQ HALF, F16                \
	VFMLA V16.D2, V0.D2, V3.D2     \ // d
	FDIV2(3, 4, 5)                 \ // inv
	FSUB2(3, 4, 4)                 \
	VFMLA V16.D2, V0.D2, V4.D2     \ // dTail
	FMUL2(5, 0, 6)                 \ // w
	VFMLS V3.D2, V6.D2, V0.D2      \ // residual
	VFMLS V4.D2, V6.D2, V2.D2      \
	FADD2(2, 0, 0)                 \
	FMUL2(5, 0, 0)

// V0 = softplus(V7), given EXP_NEGATIVE.
#define SOFTPLUS_FROM \
	LOG_RATIO                      \
	FMUL2(6, 6, 1)                 \ // z
	FMUL2(1, 1, 2)                 \ // z^2
	FMOVQ P9, F3                   \
	FMOVQ P8, F4                   \
	FMOVQ P7, F5                   \
	FMOVQ P6, F16                  \
	FMOVQ P5, F17                  \
	FMOVQ P4, F21                  \
	VFMLA V3.D2, V1.D2, V4.D2      \
	VFMLA V5.D2, V1.D2, V16.D2     \
	VFMLA V17.D2, V1.D2, V21.D2    \
	FMOVQ P3, F3                   \
	FMOVQ P2, F5                   \
	FMOVQ P1, F17                  \
	FMOVQ P0, F22                  \
	VFMLA V3.D2, V1.D2, V5.D2      \
	VFMLA V17.D2, V1.D2, V22.D2    \
	FMUL2(2, 2, 3)                 \ // z^4
	VFMLA V4.D2, V2.D2, V16.D2     \
	VFMLA V21.D2, V2.D2, V5.D2     \
	VFMLA V16.D2, V3.D2, V5.D2     \
	VFMLA V5.D2, V2.D2, V22.D2     \ // poly
	FMUL2(1, 6, 1)                 \
	VFMLA V22.D2, V1.D2, V0.D2     \ // rest
	VEOR  V5.B16, V5.B16, V5.B16   \
	FMAX2(7, 5, 5)                 \ // m
	FADD2(6, 5, 1)                 \ // sum
	FSUB2(5, 1, 2)                 \ // back
	FSUB2(2, 1, 3)                 \
	FSUB2(3, 5, 3)                 \
	FSUB2(2, 6, 4)                 \
	FADD2(4, 3, 3)                 \ // sumTail
	FADD2(0, 3, 3)                 \
	FADD2(3, 1, 0)                 \
	FMOVQ SOFTPLUS_LARGE, F16      \
	FCMGT2(16, 5, 2)               \
	VBIT  V2.B16, V5.B16, V0.B16

// k = V18, m = V1 from u = V0.
#define LOG_SPLIT_BITS \
	FMOVQ ONE_LESS_SPLIT, F16      \
	VADD  V16.D2, V0.D2, V1.D2     \
	VUSHR $52, V1.D2, V18.D2       \
	FMOVQ TWO_52, F16              \
	VORR  V16.B16, V18.B16, V18.B16 \
	FMOVQ TWO_52_BIAS, F16         \
	FSUB2(16, 18, 18)              \
	FMOVQ MANTISSA, F16            \
	VAND  V16.B16, V1.B16, V1.B16  \
	FMOVQ LOG_SPLIT, F16           \
	VADD  V16.D2, V1.D2, V1.D2

// V0 = k ln 2 + log(1+f+fTail) from k = V18, f = V0, fTail = V2.
#define LOG_FROM \
	LOG_RATIO                      \
	FMUL2(6, 6, 1)                 \ // z
	FMUL2(1, 1, 2)                 \ // z^2
	FMOVQ G5, F3                   \
	FMOVQ G4, F4                   \
	FMOVQ G3, F5                   \
	FMOVQ G2, F16                  \
	FMOVQ G1, F17                  \
	FMOVQ G0, F21                  \
	VFMLA V3.D2, V1.D2, V4.D2      \
	VFMLA V5.D2, V1.D2, V16.D2     \
	VFMLA V17.D2, V1.D2, V21.D2    \
	FMOVQ G6, F3                   \
	FMUL2(2, 2, 5)                 \ // z^4
	VFMLA V3.D2, V2.D2, V4.D2      \
	VFMLA V16.D2, V2.D2, V21.D2    \
	VFMLA V4.D2, V5.D2, V21.D2     \ // poly
	FMUL2(1, 6, 1)                 \
	VFMLA V21.D2, V1.D2, V0.D2     \ // rest
	FMOVQ LN2_HI, F16              \
	FMUL2(16, 18, 5)               \ // high
	FADD2(6, 5, 1)                 \ // sum
	FSUB2(5, 1, 2)                 \
	FSUB2(2, 6, 2)                 \ // sumTail
	FMOVQ LN2_LO, F16              \
	VFMLA V16.D2, V18.D2, V0.D2    \
	FADD2(0, 2, 2)                 \
	FADD2(2, 1, 0)

// V0 = log(u) from the value V0 and u = V7.
#define LOG_ENDS \
	FMOVQ INFINITY, F16            \
	FCMGT2(7, 16, 1)               \
	VBIF  V1.B16, V7.B16, V0.B16   \
	VEOR  V2.B16, V2.B16, V2.B16   \
	FCMGT2(7, 2, 1)                \
	FMOVQ NOT_A_NUMBER, F16        \
	VBIT  V1.B16, V16.B16, V0.B16  \
	FCMEQ2(2, 7, 1)                \
	FMOVQ MINUS_INFINITY, F16      \
	VBIT  V1.B16, V16.B16, V0.B16
