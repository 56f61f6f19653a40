//go:build !purego

#include "textflag.h"

// Assembly because Go's compiler does not vectorise and offers no fused
// multiply-add on vectors. The definitions are the twins in wide.go. Columns go in
// blocks of 32, 16 and 4; every block takes all entries.

#define DST DI    // dst or c at the block
#define IDX SI
#define VAL DX
#define W BX      // w at the block
#define N CX      // entries
#define STRIDE R8 // bytes of a row of w
#define LEFT R9   // columns
#define E R10
#define ROW R11

DATA wideIota<>+0(SB)/8, $0
DATA wideIota<>+8(SB)/8, $1
DATA wideIota<>+16(SB)/8, $2
DATA wideIota<>+24(SB)/8, $3
GLOBL wideIota<>(SB), RODATA|NOPTR, $32

// ROW = the row of entry E, Y8 = its value.
#define ENTRY \
	MOVL         (IDX)(E*4), ROW \
	VBROADCASTSD (VAL)(E*8), Y8  \
	IMULQ        STRIDE, ROW

#define NEXT(loop) \
	INCQ E    \
	CMPQ E, N \
	JLT  loop

// Y15 = which of the next 4 columns there are.
#define MASK \
	VMOVQ        LEFT, X14                   \
	VPBROADCASTQ X14, Y14                    \
	VPCMPGTQ     wideIota<>(SB), Y14, Y15

// Y9 = row; Y9 += x c; row = Y9
#define UPDATE(offset, c) \
	VMOVUPD     offset(W)(ROW*1), Y9 \
	VFMADD231PD c, Y8, Y9            \
	VMOVUPD     Y9, offset(W)(ROW*1)

#define LOAD_16 \
	VMOVUPD (DST), Y0 \
	VMOVUPD 32(DST), Y1 \
	VMOVUPD 64(DST), Y2 \
	VMOVUPD 96(DST), Y3

#define LOAD_32 \
	LOAD_16 \
	VMOVUPD 128(DST), Y4 \
	VMOVUPD 160(DST), Y5 \
	VMOVUPD 192(DST), Y6 \
	VMOVUPD 224(DST), Y7

// All columns, block after block, with what is to be done of an entry and at the end
// of a block. The block is in Y0 on; the last columns of w are in Y9.
#define COLUMNS(entry32, end32, entry16, end16, entry4, end4) \
	LEAQ (LEFT*8), STRIDE \
	TESTQ N, N \
	JEQ  done \
block32: \
	CMPQ LEFT, $32 \
	JLT  block16 \
	LOAD_32 \
	XORL E, E \
loop32: \
	ENTRY \
	entry32 \
	NEXT(loop32) \
	end32 \
	ADDQ $256, DST \
	ADDQ $256, W \
	SUBQ $32, LEFT \
	JMP  block32 \
block16: \
	CMPQ LEFT, $16 \
	JLT  block4 \
	LOAD_16 \
	XORL E, E \
loop16: \
	ENTRY \
	entry16 \
	NEXT(loop16) \
	end16 \
	ADDQ $128, DST \
	ADDQ $128, W \
	SUBQ $16, LEFT \
block4: \
	TESTQ LEFT, LEFT \
	JLE  done \
	MASK \
	VMASKMOVPD (DST), Y15, Y0 \
	XORL E, E \
loop4: \
	ENTRY \
	VMASKMOVPD (W)(ROW*1), Y15, Y9 \
	entry4 \
	NEXT(loop4) \
	end4 \
	ADDQ $32, DST \
	ADDQ $32, W \
	SUBQ $4, LEFT \
	JMP  block4 \
done: \
	VZEROUPPER \
	RET

#define NOTHING

// dst += x w[row]
#define MUL_16 \
	VFMADD231PD (W)(ROW*1), Y8, Y0 \
	VFMADD231PD 32(W)(ROW*1), Y8, Y1 \
	VFMADD231PD 64(W)(ROW*1), Y8, Y2 \
	VFMADD231PD 96(W)(ROW*1), Y8, Y3

#define MUL_32 \
	MUL_16 \
	VFMADD231PD 128(W)(ROW*1), Y8, Y4 \
	VFMADD231PD 160(W)(ROW*1), Y8, Y5 \
	VFMADD231PD 192(W)(ROW*1), Y8, Y6 \
	VFMADD231PD 224(W)(ROW*1), Y8, Y7

#define STORE_16 \
	VMOVUPD Y0, (DST) \
	VMOVUPD Y1, 32(DST) \
	VMOVUPD Y2, 64(DST) \
	VMOVUPD Y3, 96(DST)

#define STORE_32 \
	STORE_16 \
	VMOVUPD Y4, 128(DST) \
	VMOVUPD Y5, 160(DST) \
	VMOVUPD Y6, 192(DST) \
	VMOVUPD Y7, 224(DST)

#define MUL_4 VFMADD231PD Y9, Y8, Y0
#define STORE_4 VMASKMOVPD Y0, Y15, (DST)

// func wideMulAVX2(dst []float64, idx []uint32, val, w []float64)
TEXT ·wideMulAVX2(SB), NOSPLIT, $0-96
	MOVQ dst_base+0(FP), DST
	MOVQ dst_len+8(FP), LEFT
	MOVQ idx_base+24(FP), IDX
	MOVQ val_base+48(FP), VAL
	MOVQ val_len+56(FP), N
	MOVQ w_base+72(FP), W
	COLUMNS(MUL_32, STORE_32, MUL_16, STORE_16, MUL_4, STORE_4)

// w[row] += x c
#define ADD_16 \
	UPDATE(0, Y0) \
	UPDATE(32, Y1) \
	UPDATE(64, Y2) \
	UPDATE(96, Y3)

#define ADD_32 \
	ADD_16 \
	UPDATE(128, Y4) \
	UPDATE(160, Y5) \
	UPDATE(192, Y6) \
	UPDATE(224, Y7)

#define ADD_4 \
	VFMADD231PD Y0, Y8, Y9 \
	VMASKMOVPD  Y9, Y15, (W)(ROW*1)

// func wideAddAVX2(w []float64, idx []uint32, val, c []float64)
TEXT ·wideAddAVX2(SB), NOSPLIT, $0-96
	MOVQ w_base+0(FP), W
	MOVQ idx_base+24(FP), IDX
	MOVQ val_base+48(FP), VAL
	MOVQ val_len+56(FP), N
	MOVQ c_base+72(FP), DST
	MOVQ c_len+80(FP), LEFT
	COLUMNS(ADD_32, NOTHING, ADD_16, NOTHING, ADD_4, NOTHING)
