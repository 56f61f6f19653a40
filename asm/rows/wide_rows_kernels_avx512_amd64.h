// The product of one layout with a matrix, for AVX-512. The includer defines its name
// and includes indices_amd64.h and rows_values_amd64.h. There are 8 columns or more.

// func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
DATA wideMulRowsOf<>+(LAYOUT*8)(SB)/8, $MUL_ROWS(SB)
TEXT MUL_ROWS(SB), NOSPLIT, $24-96
	MOVQ dst_base+0(FP), OUT
	MOVQ dst_len+8(FP), LAST
	MOVQ m+24(FP), J
	MOVQ list_base+32(FP), LIST
	MOVQ first+56(FP), ROW
	MOVQ width+64(FP), LEFT
	LOAD_MATRIX
	CMPQ OUT, LAST
	JGE  done

row:
	NEXT_ROW
	MOVQ w_base+72(FP), W
	MOVQ width+64(FP), LEFT
	JMP  next

block:
	VMOVUPD 448(OUT), Z7
	LOAD_8
loop:
	ENTRY
	ADDQ        W, J
	MUL_8
	VFMADD231PD 448(J), Z31, Z7
	NEXT(loop)
	STORE_8
	VMOVUPD Z7, 448(OUT)
	ADDQ $512, OUT
	ADDQ $512, W
	SUBQ $64, LEFT
	MOVQ start-8(SP), E

next:
	CMPQ LEFT, $72
	JGE  block
	CMPQ LEFT, $64
	JLE  choose

	// 65 to 71: the rest needs eight.
	VMOVUPD 192(OUT), Z3
	LOAD_4
half_loop:
	ENTRY
	ADDQ        W, J
	MUL_4
	VFMADD231PD 192(J), Z31, Z3
	NEXT(half_loop)
	STORE_4
	VMOVUPD Z3, 192(OUT)
	ADDQ $256, OUT
	ADDQ $256, W
	SUBQ $32, LEFT
	MOVQ start-8(SP), E

choose:
	CHOOSE_BLOCK

block1:
	MUL_BLOCK(loop1, LOAD_1, MUL_1, STORE_1, Z0)
	JMP finish
block2:
	MUL_BLOCK(loop2, LOAD_2, MUL_2, STORE_2, Z1)
	JMP finish
block3:
	MUL_BLOCK(loop3, LOAD_3, MUL_3, STORE_3, Z2)
	JMP finish
block4:
	MUL_BLOCK(loop4, LOAD_4, MUL_4, STORE_4, Z3)
	JMP finish
block5:
	MUL_BLOCK(loop5, LOAD_5, MUL_5, STORE_5, Z4)
	JMP finish
block6:
	MUL_BLOCK(loop6, LOAD_6, MUL_6, STORE_6, Z5)
	JMP finish
block7:
	MUL_BLOCK(loop7, LOAD_7, MUL_7, STORE_7, Z6)
	JMP finish
block8:
	MUL_BLOCK(loop8, LOAD_8, MUL_8, STORE_8, Z7)

finish:
	FINISH

done:
	VZEROUPPER
	RET
#undef MUL_ROWS
