//go:build !purego

#include "textflag.h"

// func(x []uint32) uint32
TEXT ·maxU32AVX2(SB), NOSPLIT, $0-28
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	XORL AX, AX
	CMPQ CX, $8
	JLT  few

	// The last register of elements, which overlaps the others.
	VMOVDQU -32(SI)(CX*4), Y0
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	SUBQ    $32, CX
	JLT     registers

four:
	VPMAXUD (SI), Y0, Y0
	VPMAXUD 32(SI), Y1, Y1
	VPMAXUD 64(SI), Y2, Y2
	VPMAXUD 96(SI), Y3, Y3
	ADDQ $128, SI
	SUBQ $32, CX
	JGE  four

registers:
	ADDQ $32, CX
	JMP  more

register:
	VPMAXUD (SI), Y0, Y0
	ADDQ $32, SI

more:
	SUBQ $8, CX
	JGE  register
	VPMAXUD Y1, Y0, Y0
	VPMAXUD Y3, Y2, Y2
	VPMAXUD Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSRLDQ $8, X0, X1
	VPMAXUD X1, X0, X0
	VPSRLDQ $4, X0, X1
	VPMAXUD X1, X0, X0
	VMOVD X0, AX
	JMP done

single:
	MOVL (SI), DX
	CMPL DX, AX
	CMOVLHI DX, AX
	ADDQ $4, SI

few:
	DECQ CX
	JGE  single

done:
	MOVL AX, ret+24(FP)
	VZEROUPPER
	RET

// func(x []uint16) uint16
TEXT ·maxU16AVX2(SB), NOSPLIT, $0-26
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	XORL AX, AX
	CMPQ CX, $16
	JLT  few

	// The last register of elements, which overlaps the others.
	VMOVDQU -32(SI)(CX*2), Y0
	VMOVDQA Y0, Y1
	VMOVDQA Y0, Y2
	VMOVDQA Y0, Y3
	SUBQ    $64, CX
	JLT     registers

four:
	VPMAXUW (SI), Y0, Y0
	VPMAXUW 32(SI), Y1, Y1
	VPMAXUW 64(SI), Y2, Y2
	VPMAXUW 96(SI), Y3, Y3
	ADDQ $128, SI
	SUBQ $64, CX
	JGE  four

registers:
	ADDQ $64, CX
	JMP  more

register:
	VPMAXUW (SI), Y0, Y0
	ADDQ $32, SI

more:
	SUBQ $16, CX
	JGE  register
	VPMAXUW Y1, Y0, Y0
	VPMAXUW Y3, Y2, Y2
	VPMAXUW Y2, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUW X1, X0, X0
	VPSRLDQ $8, X0, X1
	VPMAXUW X1, X0, X0
	VPSRLDQ $4, X0, X1
	VPMAXUW X1, X0, X0
	VPSRLDQ $2, X0, X1
	VPMAXUW X1, X0, X0
	VMOVD X0, AX
	JMP done

single:
	MOVWLZX (SI), DX
	CMPL DX, AX
	CMOVLHI DX, AX
	ADDQ $2, SI

few:
	DECQ CX
	JGE  single

done:
	MOVW AX, ret+24(FP)
	VZEROUPPER
	RET
