//go:build !purego

#include "textflag.h"

// Copies of dense rows in the order in which products read them, in assembly because Go's compiler
// does not vectorise. The definitions are the methods of packedSpace in matrix_packed.go.

// func packRowsAVX2(dst, x *float64, rows, stride, cols int)
TEXT ·packRowsAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ rows+16(FP), CX
	MOVQ stride+24(FP), R8
	MOVQ cols+32(FP), DX
	SHLQ $3, R8
row:
	MOVQ SI, AX
	MOVQ DX, BX
	SUBQ $4, BX
	JLT  rest
four:
	VMOVUPD (AX), Y0
	VMOVUPD Y0, (DI)
	ADDQ $32, AX
	ADDQ $32, DI
	SUBQ $4, BX
	JGE  four
rest:
	ADDQ $4, BX
	JEQ  next
one:
	MOVQ (AX), R9
	MOVQ R9, (DI)
	ADDQ $8, AX
	ADDQ $8, DI
	DECQ BX
	JNE  one
next:
	ADDQ R8, SI
	DECQ CX
	JNE  row
	VZEROUPPER
	RET

// Four elements of each of four rows, times the rows' factors, are four elements of each of four columns.

// func packColumnsAVX2(dst, x, c *float64, rows, stride, cols, step int)
TEXT ·packColumnsAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ c+16(FP), DX
	MOVQ rows+24(FP), CX
	MOVQ stride+32(FP), R8
	MOVQ step+48(FP), R9
	SHLQ $3, R8
	SHLQ $3, R9
	LEAQ (R8)(R8*2), R10
	LEAQ (R9)(R9*2), R11
rows4:
	VBROADCASTSD (DX), Y12
	VBROADCASTSD 8(DX), Y13
	VBROADCASTSD 16(DX), Y14
	VBROADCASTSD 24(DX), Y15
	MOVQ SI, AX
	MOVQ DI, R12
	MOVQ cols+40(FP), BX
cols4:
	VMULPD (AX), Y12, Y0
	VMULPD (AX)(R8*1), Y13, Y1
	VMULPD (AX)(R8*2), Y14, Y2
	VMULPD (AX)(R10*1), Y15, Y3
	VUNPCKLPD Y1, Y0, Y4
	VUNPCKHPD Y1, Y0, Y5
	VUNPCKLPD Y3, Y2, Y6
	VUNPCKHPD Y3, Y2, Y7
	VPERM2F128 $0x20, Y6, Y4, Y0
	VPERM2F128 $0x20, Y7, Y5, Y1
	VPERM2F128 $0x31, Y6, Y4, Y2
	VPERM2F128 $0x31, Y7, Y5, Y3
	VMOVUPD Y0, (R12)
	VMOVUPD Y1, (R12)(R9*1)
	VMOVUPD Y2, (R12)(R9*2)
	VMOVUPD Y3, (R12)(R11*1)
	ADDQ $32, AX
	LEAQ (R12)(R9*4), R12
	SUBQ $4, BX
	JNE  cols4
	LEAQ (SI)(R8*4), SI
	ADDQ $32, DI
	ADDQ $32, DX
	SUBQ $4, CX
	JNE  rows4
	VZEROUPPER
	RET
