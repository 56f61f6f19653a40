//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Four elements a round, as in element_avx2_amd64.s. Lanes 0 to 3 and 4 to 7 of the sum change
// places after each round. So the next four elements always go to Y14. Masked elements have
// weight -0 and a finite loss: adding -0 changes no sum, not even a sum of -0.
//
// z = Y7, y = Y8, weight = Y9, mask = Y10, delta = Y13, the sum Y14 and Y15.

#define LOAD_BEGIN \
	LEAQ   ·elementTable(SB), R8     \
	LEAQ   ·elementMasks+64(SB), R11 \
	XORL   BX, BX                    \
	VMOVUPD ONE, Y9                  \
	SUBQ   $4, CX                    \
	JL     partial                   \
	PCALIGN $32                      \
loop:                                \
	VMOVUPD (SI)(BX*1), Y7           \
	VMOVUPD (DX)(BX*1), Y8           \
	TESTQ  R9, R9                    \
	JEQ    body                      \
	VMOVUPD (R9)(BX*1), Y9           \
body:

#define LOAD_PARTIAL \
partial:                             \
	ADDQ   $4, CX                    \
	JLE    done                      \
	MOVQ   CX, AX                    \
	NEGQ   CX                        \
	VMOVUPD (R11)(CX*8), Y10         \
	VMASKMOVPD (SI)(BX*1), Y10, Y7   \
	VMASKMOVPD (DX)(BX*1), Y10, Y8   \
	VANDPD ONE, Y10, Y9              \
	MOVQ   $-8, CX                   \
	TESTQ  R9, R9                    \
	JEQ    unweighted                \
	VMASKMOVPD (R9)(BX*1), Y10, Y9   \
unweighted:                          \
	VMOVUPD SIGN_BIT, Y0             \
	VANDNPD Y0, Y10, Y0              \
	VORPD  Y0, Y9, Y9                \
	JMP    body

#define GRAD_BEGIN \
	GRAD_ARGUMENTS \
	VBROADCASTSD delta+40(FP), Y13   \
	VXORPD Y14, Y14, Y14             \
	VXORPD Y15, Y15, Y15             \
	LOAD_BEGIN

// Y0 = phi, Y8 = dphi/dz.
#define GRAD_END \
	VFMADD231PD Y0, Y9, Y14          \
	VMOVAPD Y14, Y0                  \
	VMOVAPD Y15, Y14                 \
	VMOVAPD Y0, Y15                  \
	TESTQ  DI, DI                    \
	JEQ    next                      \
	VMULPD Y9, Y8, Y8                \
	TESTQ  CX, CX                    \
	JL     partialStore              \
	VMOVUPD Y8, (DI)(BX*1)           \
next:                                \
	ADDQ   $32, BX                   \
	SUBQ   $4, CX                    \
	JGE    loop                      \
	LOAD_PARTIAL                     \
partialStore:                        \
	STORE_LAST(Y8, X8, DI)           \
done:                                \
	VADDPD Y15, Y14, Y15             \ // the order of the halves does not matter
	VEXTRACTF128 $1, Y15, X0         \
	VADDPD X0, X15, X0               \
	VPERMILPD $1, X0, X1             \
	VADDSD X1, X0, X0                \
	VMOVSD X0, ret+56(FP)           \
	VZEROUPPER                       \
	RET

#define CURVATURE_BEGIN \
	CURVATURE_ARGUMENTS \
	VBROADCASTSD delta+48(FP), Y13  \
	LOAD_BEGIN

// Y0 = second, Y1 = third derivative.
#define CURVATURE_END \
	VMULPD Y9, Y0, Y0                \
	VMULPD Y9, Y1, Y1                \
	TESTQ  CX, CX                    \
	JL     partialStore              \
	VMOVUPD Y0, (DI)(BX*1)           \
	VMOVUPD Y1, (R10)(BX*1)          \
	ADDQ   $32, BX                   \
	SUBQ   $4, CX                    \
	JGE    loop                      \
	LOAD_PARTIAL                     \
partialStore:                        \
	STORE_LAST(Y0, X0, DI)           \
	STORE_LAST(Y1, X1, R10)          \
done:                                \
	VZEROUPPER                       \
	RET

// func logisticGradAVX2(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·logisticGradAVX2(SB), NOSPLIT, $0-64
	GRAD_BEGIN
	VXORPD           SIGN_BIT, Y8, Y8             // -y
	VMULPD           Y7, Y8, Y7
	EXP_NEGATIVE
	TESTQ            DI, DI
	JEQ              lossOnly
	SIGMOID_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y11)
	VMULPD           Y1, Y8, Y8
lossOnly:
	SOFTPLUS_FROM(Y7, Y0, Y1, Y2, Y3, Y4, Y5, Y6)
	GRAD_END

// func squaredCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·squaredCurvatureAVX2(SB), NOSPLIT, $0-56
	CURVATURE_ARGUMENTS
	LEAQ    ·elementTable(SB), R8
	VMOVUPD ONE, Y0
	VXORPD  Y1, Y1, Y1
	VXORPD  Y3, Y3, Y3
	XORL    BX, BX
	SUBQ    $4, CX
	JL      partial
loop:
	TESTQ   R9, R9
	JEQ     store
	VMOVUPD (R9)(BX*8), Y0
	VMULPD  Y3, Y0, Y1                            // NaN where the weight is not finite
store:
	VMOVUPD Y0, (DI)(BX*8)
	VMOVUPD Y1, (R10)(BX*8)
	ADDQ    $4, BX
	CMPQ    BX, CX
	JLE     loop
partial:
	ADDQ    $4, CX
	CMPQ    BX, CX
	JGE     done
single:
	TESTQ   R9, R9
	JEQ     storeOne
	VMOVSD  (R9)(BX*8), X0
	VMULSD  X3, X0, X1
storeOne:
	VMOVSD  X0, (DI)(BX*8)
	VMOVSD  X1, (R10)(BX*8)
	INCQ    BX
	CMPQ    BX, CX
	JLT     single
done:
	VZEROUPPER
	RET

// func squaredHingeCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·squaredHingeCurvatureAVX2(SB), NOSPLIT, $0-56
	CURVATURE_BEGIN
	VFNMADD213PD     ONE, Y8, Y7
	VXORPD           Y1, Y1, Y1
	VCMPPD           GREATER, Y1, Y7, Y0
	VMULPD           Y8, Y8, Y8
	VANDPD           Y8, Y0, Y0
	CURVATURE_END

// func huberCurvatureAVX2(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·huberCurvatureAVX2(SB), NOSPLIT, $0-56
	CURVATURE_BEGIN
	VSUBPD           Y8, Y7, Y0
	VANDPD           ABS_MASK, Y0, Y0
	VCMPPD           LESS_EQUAL, Y13, Y0, Y0
	VANDPD           ONE, Y0, Y0
	VXORPD           Y1, Y1, Y1
	CURVATURE_END

#define SQUARED_GRAD_NAME ·squaredGradAVX2
#define SQUARED_HINGE_GRAD_NAME ·squaredHingeGradAVX2
#define HUBER_GRAD_NAME ·huberGradAVX2
#define LOGISTIC_CURVATURE_NAME ·logisticCurvatureAVX2

#include "loss_kernels_amd64.h"
