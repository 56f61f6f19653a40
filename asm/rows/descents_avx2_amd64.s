//go:build !purego

#include "textflag.h"

// func descents32AVX2(idx []uint32) int
TEXT ·descents32AVX2(SB), NOSPLIT, $0-32
	MOVQ idx_base+0(FP), SI
	MOVQ idx_len+8(FP), CX
	XORQ AX, AX
	DECQ CX                  // pairs of neighbours
	JLE  done32

loop32:
	CMPQ      CX, $8
	JLT       tail32
	VMOVDQU   (SI), Y0
	VPMAXUD   4(SI), Y0, Y1
	VPCMPEQD  Y0, Y1, Y1     // the first is the larger or equal
	VMOVMSKPS Y1, DX
	POPCNTL   DX, DX
	ADDQ      DX, AX
	ADDQ      $32, SI
	SUBQ      $8, CX
	JMP       loop32

tail32:
	TESTQ CX, CX
	JE    done32
	XORL  DX, DX
	MOVL  4(SI), BX
	CMPL  BX, (SI)
	SETLS DL
	ADDQ  DX, AX
	ADDQ  $4, SI
	DECQ  CX
	JMP   tail32

done32:
	MOVQ       AX, ret+24(FP)
	VZEROUPPER
	RET

// func descents16AVX2(idx []uint16) int
TEXT ·descents16AVX2(SB), NOSPLIT, $0-32
	MOVQ idx_base+0(FP), SI
	MOVQ idx_len+8(FP), CX
	XORQ AX, AX
	DECQ CX                  // pairs of neighbours
	JLE  done16

loop16:
	CMPQ      CX, $16
	JLT       half16
	VMOVDQU   (SI), Y0
	VPMAXUW   2(SI), Y0, Y1
	VPCMPEQW  Y0, Y1, Y1     // the first is the larger or equal
	VPMOVMSKB Y1, DX         // two bits a pair
	POPCNTL   DX, DX
	ADDQ      DX, AX
	ADDQ      $32, SI
	SUBQ      $16, CX
	JMP       loop16

half16:
	SHRQ $1, AX

tail16:
	TESTQ   CX, CX
	JE      done16
	XORL    DX, DX
	MOVWLZX 2(SI), BX
	CMPW    BX, (SI)
	SETLS   DL
	ADDQ    DX, AX
	ADDQ    $2, SI
	DECQ    CX
	JMP     tail16

done16:
	MOVQ       AX, ret+24(FP)
	VZEROUPPER
	RET
