//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// Eight elements a round, as in element_avx2_amd64.s. The lanes of the sum wait on the
// stack.

#define SUM0 0(SP)
#define SUM1 32(SP)

// func expSumAVX2(dst, x []float64, shift float64) float64
TEXT ·expSumAVX2(SB), NOSPLIT, $64-64
	MOVQ    dst_base+0(FP), DI
	MOVQ    x_base+24(FP), SI
	MOVQ    x_len+32(FP), CX
	LEAQ    ·elementTable(SB), R8
	LEAQ    ·elementMasks+64(SB), R11
	VXORPD  Y0, Y0, Y0
	VMOVUPD Y0, SUM0
	VMOVUPD Y0, SUM1
loop:
	SUBQ    $8, CX
	JL      partial
	VMOVUPD (SI), Y7
	VMOVUPD 32(SI), Y15
body:
	VBROADCASTSD shift+48(FP), Y0
	VSUBPD       Y0, Y7, Y7
	VSUBPD       Y0, Y15, Y15
	EXP_OF_PAIR
	TESTQ        CX, CX
	JL           last
	VADDPD       SUM0, Y0, Y1
	VADDPD       SUM1, Y8, Y2
	VMOVUPD      Y1, SUM0
	VMOVUPD      Y2, SUM1
	ADDQ         $64, SI
	TESTQ        DI, DI
	JEQ          loop
	VMOVUPD      Y0, (DI)
	VMOVUPD      Y8, 32(DI)
	ADDQ         $64, DI
	JMP          loop

partial:
	ADDQ       $8, CX
	JEQ        done
	MOVQ       CX, AX
	NEGQ       CX
	LEAQ       (R11)(CX*8), R11
	VMOVUPD    (R11), Y1
	VMOVUPD    32(R11), Y2
	VMASKMOVPD (SI), Y1, Y7
	VMASKMOVPD 32(SI), Y2, Y15
	MOVQ       $-16, CX
	JMP        body

	// A lane without an element takes +0: it holds no -0, as exp is never below +0.
last:
	VANDPD     (R11), Y0, Y1
	VANDPD     32(R11), Y8, Y2
	VADDPD     SUM0, Y1, Y3
	VADDPD     SUM1, Y2, Y4
	VMOVUPD    Y3, SUM0
	VMOVUPD    Y4, SUM1
	TESTQ      DI, DI
	JEQ        done
	XORL       BX, BX
	SUBQ       $4, AX
	JLT        few
	VMOVUPD    Y0, (DI)
	ADDQ       $32, DI
	VMOVAPD    Y8, Y0
few:
	STORE_LAST(Y0, X0, DI)

done:
	VMOVUPD      SUM0, Y0
	VADDPD       SUM1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VPERMILPD    $1, X0, X1
	VADDSD       X1, X0, X0
	VMOVSD       X0, ret+56(FP)
	VZEROUPPER
	RET
