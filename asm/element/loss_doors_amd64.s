//go:build !purego

#include "textflag.h"
#include "element_table.h"

// To the kernels of losses of the path in use. Up to four elements are done here, two at
// a time, unless the loss is logistic; those go to the kernel of AVX2 on either path.
// Each element is a lane of its own, and what adding it rounds is its product with the
// weight. The lanes that are empty make a sum of zeros +0, as beginning with +0 does here.

#define TO_KERNEL(avx2, avx512, go) \
	CMPL ·path(SB), $1   \
	JCS  portable        \
	JEQ  narrow          \
	JMP  avx512(SB)      \
narrow:                      \
	JMP  avx2(SB)        \
portable:                    \
	JMP  go(SB)

// The same, but to more with CX, the number of elements, above 4.
#define FEW(n) \
	MOVQ n, CX           \
	CMPQ CX, $4          \
	JHI  more            \
	CMPL ·path(SB), $0   \
	JEQ  more            \
	LEAQ ·elementTable(SB), R8 \
	VMOVUPD ONE, X9

// z = X7, y = X8 and the weight X9, for LOSS; one of each beside zeros for the last
// element of an odd number, to which it returns.
#define LOAD_PAIR \
pair:                        \
	SUBQ $2, CX          \
	JLT  single          \
	VMOVUPD (SI), X7     \
	VMOVUPD (DX), X8     \
	TESTQ R9, R9         \
	JEQ  body            \
	VMOVUPD (R9), X9     \
	ADDQ $16, R9         \
body:

#define LOAD_SINGLE \
single:                      \
	CMPQ CX, $-2         \
	JEQ  done            \
	VMOVSD (SI), X7      \
	VMOVSD (DX), X8      \
	TESTQ R9, R9         \
	JEQ  alone           \
	VMOVSD (R9), X9      \
	JMP  body            \
alone:                       \
	VMOVSD ONE, X9       \
	JMP  body

// X0 = phi, X8 = dphi/dz of LOSS.
#define GRAD(LOSS) \
	FEW(n+32(FP))        \
	MOVQ coef+0(FP), DI  \
	MOVQ z+8(FP), SI     \
	MOVQ y+16(FP), DX    \
	MOVQ weight+24(FP), R9 \
	VMOVDDUP delta+40(FP), X13 \
	VXORPD X14, X14, X14 \
	LOAD_PAIR            \
	LOSS                 \
	VMULPD X9, X0, X0    \
	VADDPD X0, X14, X14  \
	TESTQ DI, DI         \
	JEQ  next            \
	VMULPD X9, X8, X8    \
	TESTQ CX, CX         \
	JLT  storeOne        \
	VMOVUPD X8, (DI)     \
	ADDQ $16, DI         \
next:                        \
	ADDQ $16, SI         \
	ADDQ $16, DX         \
	TESTQ CX, CX         \
	JGT  pair            \
	JMP  done            \
	LOAD_SINGLE          \
storeOne:                    \
	VMOVSD X8, (DI)      \
done:                        \
	VUNPCKHPD X14, X14, X0 \
	VADDSD X14, X0, X0   \
	VMOVSD X0, ret+48(FP) \
	RET                  \
more:

// X0 = the second and X1 = the third derivative of LOSS.
#define CURVATURE(LOSS) \
	FEW(n+40(FP))        \
	MOVQ h+0(FP), DI     \
	MOVQ t+8(FP), R10    \
	MOVQ z+16(FP), SI    \
	MOVQ y+24(FP), DX    \
	MOVQ weight+32(FP), R9 \
	VMOVDDUP delta+48(FP), X13 \
	VXORPD X1, X1, X1    \
	LOAD_PAIR            \
	LOSS                 \
	VMULPD X9, X0, X0    \
	VMULPD X9, X1, X2    \
	TESTQ CX, CX         \
	JLT  storeOne        \
	VMOVUPD X0, (DI)     \
	VMOVUPD X2, (R10)    \
	JEQ  done            \
	ADDQ $16, SI         \
	ADDQ $16, DX         \
	ADDQ $16, DI         \
	ADDQ $16, R10        \
	JMP  pair            \
	LOAD_SINGLE          \
storeOne:                    \
	VMOVSD X0, (DI)      \
	VMOVSD X2, (R10)     \
done:                        \
	RET                  \
more:

#define SQUARED \
	VSUBPD X8, X7, X8    \
	VMULPD HALF, X8, X0  \
	VMULPD X8, X0, X0

#define SQUARED_HINGE \
	VFNMADD213PD ONE, X8, X7 \
	VXORPD X1, X1, X1    \
	VMAXPD X7, X1, X7    \ // NaN goes through
	VMULPD X7, X8, X8    \
	VXORPD SIGN_BIT, X8, X8 \
	VMULPD HALF, X7, X0  \
	VMULPD X7, X0, X0

#define HUBER \
	VSUBPD X8, X7, X0    \ // r
	VMINPD X0, X13, X8   \ // NaN goes through
	VXORPD SIGN_BIT, X13, X1 \
	VMAXPD X8, X1, X8    \ // c
	VFNMADD231PD HALF, X8, X0 \
	VMULPD X8, X0, X0

#define LESS_EQUAL $0x12
#define GREATER $0x1e

#define ONES VMOVUPD ONE, X0

#define WITHIN_MARGIN \
	VFNMADD213PD ONE, X8, X7 \
	VCMPPD GREATER, X1, X7, X0 \
	VMULPD X8, X8, X8    \
	VANDPD X8, X0, X0

#define WITHIN_DELTA \
	VSUBPD X8, X7, X0    \
	VANDPD ABS_MASK, X0, X0 \
	VCMPPD LESS_EQUAL, X13, X0, X0 \
	VANDPD ONE, X0, X0

// func toSquaredGrad(coef, z, y, weight *float64, n int, delta float64) float64
TEXT ·toSquaredGrad(SB), NOSPLIT, $0-56
	GRAD(SQUARED)
	TO_KERNEL(·squaredGradAVX2, ·squaredGradAVX512, ·squaredGradOfPath)

// func toSquaredHingeGrad(coef, z, y, weight *float64, n int, delta float64) float64
TEXT ·toSquaredHingeGrad(SB), NOSPLIT, $0-56
	GRAD(SQUARED_HINGE)
	TO_KERNEL(·squaredHingeGradAVX2, ·squaredHingeGradAVX512, ·squaredHingeGradOfPath)

// func toHuberGrad(coef, z, y, weight *float64, n int, delta float64) float64
TEXT ·toHuberGrad(SB), NOSPLIT, $0-56
	GRAD(HUBER)
	TO_KERNEL(·huberGradAVX2, ·huberGradAVX512, ·huberGradOfPath)

// func toLogisticGrad(coef, z, y, weight *float64, n int, delta float64) float64
TEXT ·toLogisticGrad(SB), NOSPLIT, $0-56
	CMPQ n+32(FP), $4
	JHI  more
	CMPL ·path(SB), $0
	JEQ  more
	JMP  ·logisticGradAVX2(SB)
more:
	TO_KERNEL(·logisticGradAVX2, ·logisticGradAVX512, ·logisticGradOfPath)

// func toSquaredCurvature(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·toSquaredCurvature(SB), NOSPLIT, $0-56
	CURVATURE(ONES)
	TO_KERNEL(·squaredCurvatureAVX2, ·squaredCurvatureAVX2, ·squaredCurvatureOfPath)

// func toSquaredHingeCurvature(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·toSquaredHingeCurvature(SB), NOSPLIT, $0-56
	CURVATURE(WITHIN_MARGIN)
	TO_KERNEL(·squaredHingeCurvatureAVX2, ·squaredHingeCurvatureAVX512, ·squaredHingeCurvatureOfPath)

// func toHuberCurvature(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·toHuberCurvature(SB), NOSPLIT, $0-56
	CURVATURE(WITHIN_DELTA)
	TO_KERNEL(·huberCurvatureAVX2, ·huberCurvatureAVX512, ·huberCurvatureOfPath)

// func toLogisticCurvature(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·toLogisticCurvature(SB), NOSPLIT, $0-56
	CMPQ n+40(FP), $4
	JHI  more
	CMPL ·path(SB), $0
	JEQ  more
	JMP  ·logisticCurvatureAVX2(SB)
more:
	TO_KERNEL(·logisticCurvatureAVX2, ·logisticCurvatureAVX512, ·logisticCurvatureOfPath)
