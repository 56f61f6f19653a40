//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "element_table.h"
#include "element_arm64.h"

// Two elements a round, as in element_arm64.s. The four pairs of lanes of the
// sum change places after each round, so that the next two elements always go
// to V24. A lane without an element has weight -0 and a finite loss: adding -0
// changes no sum, not even one that is -0.
//
// z = V7, y = V8, weight = V9, delta = V20, the sum V24 to V27.

#define LOAD_BEGIN \
	MOVD  $·elementTable(SB), R8     \
	FMOVQ ONE, F9                    \
	MOVD  R2, R7                     \
loop:                                \
	SUBS  $2, R2                     \
	BLT   partial                    \
	VLD1.P 16(R1), [V7.D2]           \
	VLD1.P 16(R3), [V8.D2]           \
	CBZ   R4, body                   \
	VLD1.P 16(R4), [V9.D2]           \
body:

#define LOAD_PARTIAL \
partial:                             \
	ADDS  $2, R2                     \
	BLE   done                       \
	MOVD  $-4, R2                    \
	FMOVD (R1), F7                   \
	FMOVD (R3), F8                   \
	FMOVD ONE, F9                    \
	CBZ   R4, unweighted             \
	FMOVD (R4), F9                   \
unweighted:                          \
	FMOVQ SIGN_BIT, F16              \
	VMOV  ZR, V16.D[0]               \
	VORR  V16.B16, V9.B16, V9.B16    \
	B     body

#define ROTATE \
	VMOV  V24.B16, V0.B16            \
	VMOV  V25.B16, V24.B16           \
	VMOV  V26.B16, V25.B16           \
	VMOV  V27.B16, V26.B16           \
	VMOV  V0.B16, V27.B16

#define GRAD_BEGIN \
	MOVD  coef_base+0(FP), R0        \
	MOVD  z_base+24(FP), R1          \
	MOVD  z_len+32(FP), R2           \
	MOVD  y_base+48(FP), R3          \
	MOVD  weight_base+72(FP), R4     \
	FMOVD delta+96(FP), F20          \
	VDUP  V20.D[0], V20.D2           \
	VEOR  V24.B16, V24.B16, V24.B16  \
	VEOR  V25.B16, V25.B16, V25.B16  \
	VEOR  V26.B16, V26.B16, V26.B16  \
	VEOR  V27.B16, V27.B16, V27.B16  \
	LOAD_BEGIN

// V0 = phi, V8 = dphi/dz.
#define GRAD_END \
	VFMLA V0.D2, V9.D2, V24.D2       \
	ROTATE                           \
	CBZ   R0, loop                   \
	FMUL2(9, 8, 8)                   \
	CMP   $0, R2                     \
	BLT   partialStore               \
	VST1.P [V8.D2], 16(R0)           \
	B     loop                       \
	LOAD_PARTIAL                     \
partialStore:                        \
	FMOVD F8, (R0)                   \
done:                                \
	ADD   $1, R7                     \ // the rounds were (n+1)/2
	LSR   $1, R7                     \
align:                               \
	ANDS  $3, R7, R5                 \
	BEQ   total                      \
	ROTATE                           \
	ADD   $1, R7                     \
	B     align                      \
total:                               \
	FADD2(26, 24, 24)                \
	FADD2(27, 25, 25)                \
	FADD2(25, 24, 24)                \
	FADDP2(24, 24, 24)               \
	FMOVD F24, ret+104(FP)           \
	RET

#define CURVATURE_BEGIN \
	MOVD  h_base+0(FP), R0           \
	MOVD  t_base+24(FP), R6          \
	MOVD  z_base+48(FP), R1          \
	MOVD  z_len+56(FP), R2           \
	MOVD  y_base+72(FP), R3          \
	MOVD  weight_base+96(FP), R4     \
	FMOVD delta+120(FP), F20         \
	VDUP  V20.D[0], V20.D2           \
	LOAD_BEGIN

// V0 = second, V1 = third derivative.
#define CURVATURE_END \
	FMUL2(9, 0, 0)                   \
	FMUL2(9, 1, 1)                   \
	CMP   $0, R2                     \
	BLT   partialStore               \
	VST1.P [V0.D2], 16(R0)           \
	VST1.P [V1.D2], 16(R6)           \
	B     loop                       \
	LOAD_PARTIAL                     \
partialStore:                        \
	FMOVD F0, (R0)                   \
	FMOVD F1, (R6)                   \
done:                                \
	RET

// func logisticGradNEON(coef, z, y, weight []float64, delta float64) float64
TEXT ·logisticGradNEON(SB), NOSPLIT, $0-112
	GRAD_BEGIN
	FNEG2(8, 8)                    // -y
	FMUL2(7, 8, 7)
	EXP_NEGATIVE
	CBZ   R0, lossOnly
	SIGMOID_FROM
	FMUL2(1, 8, 8)
lossOnly:
	SOFTPLUS_FROM
	GRAD_END

// func squaredGradNEON(coef, z, y, weight []float64, delta float64) float64
TEXT ·squaredGradNEON(SB), NOSPLIT, $0-112
	GRAD_BEGIN
	FSUB2(8, 7, 8)
	FMOVQ HALF, F16
	FMUL2(16, 8, 0)
	FMUL2(8, 0, 0)
	GRAD_END

// func squaredHingeGradNEON(coef, z, y, weight []float64, delta float64) float64
TEXT ·squaredHingeGradNEON(SB), NOSPLIT, $0-112
	GRAD_BEGIN
	FMOVQ ONE, F0
	VFMLS V8.D2, V7.D2, V0.D2
	VEOR  V1.B16, V1.B16, V1.B16
	FMAX2(1, 0, 1)
	FMUL2(1, 8, 8)
	FNEG2(8, 8)
	FMOVQ HALF, F16
	FMUL2(16, 1, 0)
	FMUL2(1, 0, 0)
	GRAD_END

// func huberGradNEON(coef, z, y, weight []float64, delta float64) float64
TEXT ·huberGradNEON(SB), NOSPLIT, $0-112
	GRAD_BEGIN
	FSUB2(8, 7, 0)                 // r
	FMIN2(20, 0, 8)
	FNEG2(20, 1)
	FMAX2(1, 8, 8)                 // c
	FMOVQ HALF, F16
	VFMLS V16.D2, V8.D2, V0.D2
	FMUL2(8, 0, 0)
	GRAD_END

// func logisticCurvatureNEON(h, t, z, y, weight []float64, delta float64)
TEXT ·logisticCurvatureNEON(SB), NOSPLIT, $0-128
	CURVATURE_BEGIN
	EXP_NEGATIVE
	FMOVQ ONE, F4
	FADD2(0, 4, 3)
	FDIV2(3, 4, 3)                 // inv
	FSUB2(0, 4, 4)
	FSUB2(2, 4, 4)
	FMUL2(3, 4, 4)                 // |1-2s|
	FMUL2(3, 0, 0)
	FMUL2(3, 0, 0)
	FMUL2(4, 0, 1)
	SIGNS2(7, 5)
	FNEG2(1, 2)
	VBIF  V5.B16, V2.B16, V1.B16   // minus where z has no sign
	CURVATURE_END

// func squaredHingeCurvatureNEON(h, t, z, y, weight []float64, delta float64)
TEXT ·squaredHingeCurvatureNEON(SB), NOSPLIT, $0-128
	CURVATURE_BEGIN
	FMOVQ ONE, F0
	VFMLS V8.D2, V7.D2, V0.D2
	VEOR  V1.B16, V1.B16, V1.B16
	FCMGT2(1, 0, 0)
	FMUL2(8, 8, 8)
	VAND  V8.B16, V0.B16, V0.B16
	CURVATURE_END

// func huberCurvatureNEON(h, t, z, y, weight []float64, delta float64)
TEXT ·huberCurvatureNEON(SB), NOSPLIT, $0-128
	CURVATURE_BEGIN
	FSUB2(8, 7, 0)
	FABS2(0, 0)
	FCMGE2(0, 20, 0)
	FMOVQ ONE, F16
	VAND  V16.B16, V0.B16, V0.B16
	VEOR  V1.B16, V1.B16, V1.B16
	CURVATURE_END
