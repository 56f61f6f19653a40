//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// Sixteen elements a round, in two vectors, then eight and at last what is left, through
// the mask K3. The other kernels of pairs are those of AVX2.

// func pairLogisticAVX512(l, s *float64, center, scale float64, n int) float64
TEXT ·pairLogisticAVX512(SB), NOSPLIT, $0-48
	MOVQ         l+0(FP), DI
	MOVQ         s+8(FP), SI
	VBROADCASTSD center+16(FP), Z14
	VBROADCASTSD scale+24(FP), Z15
	MOVQ         n+32(FP), CX
	LEAQ         ·elementTable(SB), R8
	VXORPD       Z13, Z13, Z13
	XORL         BX, BX
	SUBQ         $16, CX
	JLT          rest
loop:
	VMOVUPD      (SI)(BX*1), Z8
	VMOVUPD      64(SI)(BX*1), Z24
	VSUBPD       Z14, Z8, Z8
	VSUBPD       Z14, Z24, Z24
	VMULPD       Z15, Z8, Z8
	VMULPD       Z15, Z24, Z24
	EXP_NEGATIVE_PAIR
	SIGMOID_PAIR(K1, K2)
	VMOVUPD      Z1, (DI)(BX*1)
	VMOVUPD      Z17, 64(DI)(BX*1)
	VADDPD       Z1, Z13, Z13
	VADDPD       Z17, Z13, Z13
	ADDQ         $128, BX
	SUBQ         $16, CX
	JGE          loop
rest:
	KXNORB       K3, K3, K3
	XORL         R11, R11
	ADDQ         $8, CX
	JLT          partial
	VMOVUPD      (SI)(BX*1), Z7
body:
	VSUBPD       Z14, Z7, Z7
	VMULPD       Z15, Z7, Z7
	EXP_NEGATIVE
	SIGMOID_FROM(Z7, Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z11, K1)
	VADDPD       Z1, Z13, K3, Z13
	TESTQ        R11, R11
	JNE          storeLast
	VMOVUPD      Z1, (DI)(BX*1)
	ADDQ         $64, BX
	SUBQ         $8, CX
partial:
	LEAQ         8(CX), R11
	MASK_LAST(CX, 8, AX, K3)
	VMOVUPD.Z    (SI)(BX*1), K3, Z7
	JMP          body
storeLast:
	STORE_LAST(Z1, Y1, X1, DI)
done:
	VEXTRACTF64X4 $1, Z13, Y1
	VADDPD       Y1, Y13, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VUNPCKHPD    X0, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+40(FP)
	VZEROUPPER
	RET
