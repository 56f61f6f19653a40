//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// Eight elements a round, through the mask K1, which selects all of them until the last
// round; that alone loads through it: see element_avx512_amd64.h.
//
// z = Z7, y = Z8, weight = Z9, delta = Z13, the sum Z14.

#define LOAD_BEGIN \
	LEAQ   ·elementTable(SB), R8     \
	XORL   BX, BX                    \
	XORL   R11, R11                  \
	KXNORB K1, K1, K1                \
	VBROADCASTSD ONE, Z9             \
	SUBQ   $8, CX                    \
	JL     partial                   \
	PCALIGN $32                      \
loop:                                \
	VMOVUPD (SI)(BX*1), Z7           \
	VMOVUPD (DX)(BX*1), Z8           \
	TESTQ  R9, R9                    \
	JEQ    body                      \
	VMOVUPD (R9)(BX*1), Z9           \
body:

#define LOAD_PARTIAL \
partial:                             \
	LEAQ   8(CX), R11                \
	MASK_LAST(CX, 8, AX, K1)         \
	VMOVUPD.Z (SI)(BX*1), K1, Z7     \
	VMOVUPD.Z (DX)(BX*1), K1, Z8     \
	TESTQ  R9, R9                    \
	JEQ    body                      \
	VMOVUPD.Z (R9)(BX*1), K1, Z9     \
	JMP    body

#define GRAD_BEGIN \
	GRAD_ARGUMENTS \
	VBROADCASTSD delta+40(FP), Z13   \
	VXORPD Z14, Z14, Z14             \
	LOAD_BEGIN

#define SUM_LANES \
	VEXTRACTF64X4 $1, Z14, Y0        \
	VADDPD Y0, Y14, Y0               \
	VEXTRACTF128 $1, Y0, X1          \
	VADDPD X1, X0, X0                \
	VPERMILPD $1, X0, X1             \
	VADDSD X1, X0, X0                \
	VMOVSD X0, ret+56(FP)           \
	VZEROUPPER                       \
	RET

// Z0 = phi, Z8 = dphi/dz.
#define GRAD_END \
	VFMADD231PD Z0, Z9, K1, Z14      \
	TESTQ  DI, DI                    \
	JEQ    next                      \
	VMULPD Z9, Z8, Z8                \
	TESTQ  R11, R11                  \
	JNE    storeLast                 \
	VMOVUPD Z8, (DI)(BX*1)           \
next:                                \
	ADDQ   $64, BX                   \
	SUBQ   $8, CX                    \
	JGE    loop                      \
	LOAD_PARTIAL                     \
storeLast:                           \
	STORE_LAST(Z8, Y8, X8, DI)       \
done:                                \
	SUM_LANES

#define CURVATURE_BEGIN \
	CURVATURE_ARGUMENTS \
	VBROADCASTSD delta+48(FP), Z13  \
	LOAD_BEGIN

// Z0 = second, Z1 = third derivative.
#define CURVATURE_END \
	VMULPD Z9, Z0, Z0                \
	VMULPD Z9, Z1, Z1                \
	TESTQ  R11, R11                  \
	JNE    storeLast                 \
	VMOVUPD Z0, (DI)(BX*1)           \
	VMOVUPD Z1, (R10)(BX*1)          \
	ADDQ   $64, BX                   \
	SUBQ   $8, CX                    \
	JGE    loop                      \
	LOAD_PARTIAL                     \
storeLast:                           \
	STORE_LAST(Z0, Y0, X0, DI)       \
	STORE_LAST(Z1, Y1, X1, R10)      \
done:                                \
	VZEROUPPER                       \
	RET

// The logistic loss takes sixteen elements a round: x = Z8 and Z24, y = Z9 and Z25, weight = Z10 and Z26,
// under the masks K1 and K3.

// func logisticGradAVX512(coef, z, y, weight *float64, n int, delta float64, loss Loss) float64
TEXT ·logisticGradAVX512(SB), NOSPLIT, $0-64
	GRAD_ARGUMENTS
	LEAQ             ·elementTable(SB), R8
	VXORPD           Z14, Z14, Z14
	VBROADCASTSD     ONE, Z10
	VBROADCASTSD     ONE, Z26
	XORL             BX, BX
	KXNORB           K1, K1, K1
	KXNORB           K3, K3, K3
loop:
	SUBQ             $16, CX
	JL               partial
	VMOVUPD          (SI)(BX*1), Z8
	VMOVUPD          64(SI)(BX*1), Z24
	VMOVUPD          (DX)(BX*1), Z9
	VMOVUPD          64(DX)(BX*1), Z25
	TESTQ            R9, R9
	JEQ              body
	VMOVUPD          (R9)(BX*1), Z10
	VMOVUPD          64(R9)(BX*1), Z26
body:
	VXORPD.BCST      SIGN_BIT, Z9, Z9             // -y
	VXORPD.BCST      SIGN_BIT, Z25, Z25
	VMULPD           Z8, Z9, Z8
	VMULPD           Z24, Z25, Z24
	EXP_NEGATIVE_PAIR
	TESTQ            DI, DI
	JEQ              lossOnly
	SIGMOID_PAIR(K2, K4)
	VMULPD           Z1, Z9, Z9
	VMULPD           Z17, Z25, Z25
	VMULPD           Z10, Z9, Z9
	VMULPD           Z26, Z25, Z25
	VMOVUPD          Z9, K1, (DI)(BX*1)
	VMOVUPD          Z25, K3, 64(DI)(BX*1)
lossOnly:
	SOFTPLUS_PAIR(K2, K4)
	VFMADD231PD      Z0, Z10, K1, Z14
	VFMADD231PD      Z16, Z26, K3, Z14
	ADDQ             $128, BX
	JMP              loop
partial:
	MASK_LAST_PAIR(CX, AX, K1, K3)
	VMOVUPD.Z        (SI)(BX*1), K1, Z8
	VMOVUPD.Z        64(SI)(BX*1), K3, Z24
	VMOVUPD.Z        (DX)(BX*1), K1, Z9
	VMOVUPD.Z        64(DX)(BX*1), K3, Z25
	TESTQ            R9, R9
	JEQ              body
	VMOVUPD.Z        (R9)(BX*1), K1, Z10
	VMOVUPD.Z        64(R9)(BX*1), K3, Z26
	JMP              body
done:
	SUM_LANES

// func squaredHingeCurvatureAVX512(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·squaredHingeCurvatureAVX512(SB), NOSPLIT, $0-56
	CURVATURE_BEGIN
	VFNMADD213PD.BCST ONE, Z8, Z7
	VXORPD           Z1, Z1, Z1
	VCMPPD           GREATER, Z1, Z7, K2
	VMULPD.Z         Z8, Z8, K2, Z0
	CURVATURE_END

// func huberCurvatureAVX512(h, t, z, y, weight *float64, n int, delta float64)
TEXT ·huberCurvatureAVX512(SB), NOSPLIT, $0-56
	CURVATURE_BEGIN
	VSUBPD           Z8, Z7, Z0
	VANDPD.BCST      ABS_MASK, Z0, Z0
	VCMPPD           LESS_EQUAL, Z13, Z0, K2
	VBROADCASTSD.Z   ONE, K2, Z0
	VXORPD           Z1, Z1, Z1
	CURVATURE_END

#define SQUARED_GRAD_NAME ·squaredGradAVX512
#define SQUARED_HINGE_GRAD_NAME ·squaredHingeGradAVX512
#define HUBER_GRAD_NAME ·huberGradAVX512
#define LOGISTIC_CURVATURE_NAME ·logisticCurvatureAVX512

#include "loss_kernels_amd64.h"
