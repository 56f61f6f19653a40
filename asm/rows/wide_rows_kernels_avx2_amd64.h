// The products of one layout with matrices, for AVX2. The includer defines their names
// and includes indices_amd64.h and rows_values_amd64.h.

// func(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
DATA wideMulRowsOf<>+(LAYOUT*8)(SB)/8, $MUL_ROWS(SB)
TEXT MUL_ROWS(SB), NOSPLIT, $24-96
	MOVQ dst_base+0(FP), OUT
	MOVQ dst_len+8(FP), LAST
	MOVQ m+24(FP), J
	MOVQ list_base+32(FP), LIST
	MOVQ first+56(FP), ROW
	MOVQ width+64(FP), LEFT
	REMEMBER_LAST(w_len+80(FP))
	LOAD_MATRIX
	CMPQ OUT, LAST
	JGE  done

row:
	NEXT_ROW
	MOVQ w_base+72(FP), W
	MOVQ width+64(FP), LEFT
	JMP  next

block:
	VMOVUPD 224(OUT), Y7
	LOAD_8
	CMPQ last-16(SP), $0
	JGE  far_loop
loop:
	ENTRY
	ADDQ W, J
	MUL_8
	VFMADD231PD 224(J), Y15, Y7
	NEXT(loop)
blocked:
	STORE_8
	VMOVUPD Y7, 224(OUT)
	ADDQ $256, OUT
	ADDQ $256, W
	SUBQ $32, LEFT
	MOVQ start-8(SP), E

next:
	CMPQ LEFT, $32
	JG   block
	CMPQ LEFT, $4
	JLT  few
	CHOOSE_BLOCK

far_loop:
	FETCH_AHEAD
	ENTRY
	ADDQ W, J
	MUL_8
	VFMADD231PD 224(J), Y15, Y7
	NEXT(far_loop)
	JMP  blocked

block1:
	MUL_BLOCK(loop1, LOAD_1, MUL_1, STORE_1, Y0)
	JMP finish
block2:
	MUL_BLOCK(loop2, LOAD_2, MUL_2, STORE_2, Y1)
	JMP finish
block3:
	MUL_BLOCK(loop3, LOAD_3, MUL_3, STORE_3, Y2)
	JMP finish
block4:
	MUL_BLOCK(loop4, LOAD_4, MUL_4, STORE_4, Y3)
	JMP finish
block5:
	MUL_BLOCK(loop5, LOAD_5, MUL_5, STORE_5, Y4)
	JMP finish
block6:
	MUL_BLOCK(loop6, LOAD_6, MUL_6, STORE_6, Y5)
	JMP finish
block7:
	MUL_BLOCK(loop7, LOAD_7, MUL_7, STORE_7, Y6)
	JMP finish
block8:
	MUL_BLOCK(loop8, LOAD_8, MUL_8, STORE_8, Y7)
	JMP finish

few:
	CMPQ LEFT, $2
	JLT  one
	VMOVUPD (OUT), X0
loop_two:
	ENTRY
	VFMADD231PD (W)(J*1), X15, X0
	NEXT(loop_two)
	VMOVUPD X0, (OUT)
	ADDQ $16, OUT
	ADDQ $16, W
	SUBQ $2, LEFT
	JEQ  finish
	MOVQ start-8(SP), E
one:
	VMOVSD (OUT), X0
loop_one:
	ENTRY
	VFMADD231SD (W)(J*1), X15, X0
	NEXT(loop_one)
	VMOVSD X0, (OUT)

finish:
	FINISH

done:
	VZEROUPPER
	RET

// func(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
DATA wideAddRowsOf<>+(LAYOUT*8)(SB)/8, $ADD_ROWS(SB)
TEXT ADD_ROWS(SB), NOSPLIT, $24-96
	MOVQ c_base+72(FP), OUT
	MOVQ c_len+80(FP), LAST
	MOVQ m+24(FP), J
	MOVQ list_base+32(FP), LIST
	MOVQ first+56(FP), ROW
	MOVQ width+64(FP), LEFT
	REMEMBER_LAST(w_len+8(FP))
	LOAD_MATRIX
	CMPQ OUT, LAST
	JGE  done

row:
	NEXT_ROW
	MOVQ w_base+0(FP), W
	MOVQ width+64(FP), LEFT
	JMP  next

block:
	VMOVUPD 224(OUT), Y7
	LOAD_8
	CMPQ last-16(SP), $0
	JGE  far_loop
loop:
	ENTRY
	ADDQ W, J
	ADD_8
	UPDATE(224, Y7, Y11)
	NEXT(loop)
blocked:
	ADDQ $256, OUT
	ADDQ $256, W
	SUBQ $32, LEFT
	MOVQ start-8(SP), E

next:
	CMPQ LEFT, $32
	JG   block
	CMPQ LEFT, $4
	JLT  few
	CHOOSE_BLOCK

far_loop:
	FETCH_AHEAD
	ENTRY
	ADDQ W, J
	ADD_8
	UPDATE(224, Y7, Y11)
	NEXT(far_loop)
	JMP  blocked

block1:
	ADD_BLOCK(loop1, LOAD_1, ADD_1, Y0)
	JMP finish
block2:
	ADD_BLOCK(loop2, LOAD_2, ADD_2, Y1)
	JMP finish
block3:
	ADD_BLOCK(loop3, LOAD_3, ADD_3, Y2)
	JMP finish
block4:
	ADD_BLOCK(loop4, LOAD_4, ADD_4, Y3)
	JMP finish
block5:
	ADD_BLOCK(loop5, LOAD_5, ADD_5, Y4)
	JMP finish
block6:
	ADD_BLOCK(loop6, LOAD_6, ADD_6, Y5)
	JMP finish
block7:
	ADD_BLOCK(loop7, LOAD_7, ADD_7, Y6)
	JMP finish
block8:
	ADD_BLOCK(loop8, LOAD_8, ADD_8, Y7)
	JMP finish

few:
	CMPQ LEFT, $2
	JLT  one
	VMOVUPD (OUT), X0
loop_two:
	ENTRY
	VMOVUPD (W)(J*1), X8
	VFMADD231PD X0, X15, X8
	VMOVUPD X8, (W)(J*1)
	NEXT(loop_two)
	ADDQ $16, OUT
	ADDQ $16, W
	SUBQ $2, LEFT
	JEQ  finish
	MOVQ start-8(SP), E
one:
	VMOVSD (OUT), X0
loop_one:
	ENTRY
	VMOVSD (W)(J*1), X8
	VFMADD231SD X0, X15, X8
	VMOVSD X8, (W)(J*1)
	NEXT(loop_one)

finish:
	FINISH

done:
	VZEROUPPER
	RET
#undef MUL_ROWS
#undef ADD_ROWS
