// The row-batch kernels of one layout. The includer defines their names and includes
// indices_amd64.h and rows_values_amd64.h. Their entry leaves the matrix in J0.
//
// If row lengths vary, a row's last one to seven entries are computed like eight. They include
// entries behind the row and are blended into the lanes. This is cheaper than jumps that the CPU
// cannot predict. Only rows at the matrix's end, without eight entries left, go entry by entry.

// func(out []float64, m *Matrix, list []uint32, first int, w []float64)
DATA rowsDotOf<>+(LAYOUT*8)(SB)/8, $DOT(SB)
TEXT DOT(SB), NOSPLIT, $8-88
	MOVQ  out_base+0(FP), OUT
	MOVQ  out_len+8(FP), COUNT
	LOAD_MATRIX(Y13, Y14)
	MOVQ  (INDICES+8)(J0), LIMIT
	SUBQ  $8, LIMIT
	MOVQ  $0, USUAL
	MOVQ  list_base+32(FP), LIST
	MOVQ  first+56(FP), ROW
	MOVQ  w_base+64(FP), W
	TESTQ COUNT, COUNT
	JEQ   done
	NEXT_ROW
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	SUBQ   E, LEFT
	SUBQ   $8, LEFT
	JLT    tail
	EIGHT

tail:
	ADDQ $8, LEFT
	JEQ  sum
	CMPQ LEFT, USUAL
	JNE  blend

	// The row before ended like this one: the jumps that take exactly the last
	// entries are foreseen.
	TAIL_OF_DOT

blend:
	MOVQ    LEFT, USUAL
	CMPQ    E, LIMIT
	JGT     last
	NEGQ    LEFT
	LEAQ    ·rowsMask(SB), J0
	VMOVUPD 64(J0)(LEFT*8), Y8
	VMOVUPD 96(J0)(LEFT*8), Y9
	FETCH(W, 0, Y2, X2, X3)
	FETCH(W, 4, Y4, X4, X5)
	VMOVAPD Y0, Y6
	VMOVAPD Y1, Y7
	MULTIPLY_ADD(0, Y2, Y6)
	MULTIPLY_ADD(4, Y4, Y7)
	VBLENDVPD Y8, Y6, Y0, Y0
	VBLENDVPD Y9, Y7, Y1, Y1

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	SCALE(X0)
	VMOVSD X0, (OUT)
	ADDQ   $8, OUT
	INCQ   ROW
	DECQ   COUNT
	JNE    row

done:
	VZEROUPPER
	RET

last:
	LEAQ rowsLane<>+56(SB), J0

entry:
	INDEX(0, E, J1)
	VBROADCASTSD (W)(J1*8), Y2
	BROADCAST_X(Y4)
	VMOVAPD      Y0, Y6
	VMOVAPD      Y1, Y7
	TIMES_X(Y4, Y2, Y6)
	TIMES_X(Y4, Y2, Y7)
	VMOVUPD      (J0), Y8
	VMOVUPD      32(J0), Y9
	VBLENDVPD    Y8, Y6, Y0, Y0
	VBLENDVPD    Y9, Y7, Y1, Y1
	SUBQ         $8, J0
	INCQ         E
	DECQ         LEFT
	JNE          entry
	JMP          sum

	LISTED_ROW

// func(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)
DATA rowsDot2Of<>+(LAYOUT*8)(SB)/8, $DOT2(SB)
TEXT DOT2(SB), NOSPLIT, $8-136
	MOVQ  out1_base+0(FP), OUT
	MOVQ  out1_len+8(FP), COUNT
	LOAD_MATRIX(Y13, Y14)
	MOVQ  list_base+56(FP), LIST
	MOVQ  first+80(FP), ROW
	MOVQ  w1_base+88(FP), W
	MOVQ  w2_base+112(FP), W2
	TESTQ COUNT, COUNT
	JEQ   done
	NEXT_ROW
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	SUBQ   E, LEFT
	SUBQ   $8, LEFT
	JLT    tail
	EIGHT_OF_BOTH

tail:
	ADDQ    $8, LEFT
	JEQ     sum
	MOVQ    m+48(FP), J0
	LEAQ    8(E), J1
	CMPQ    J1, (INDICES+8)(J0)
	JGT     last
	NEGQ    LEFT
	LEAQ    ·rowsMask(SB), J0
	VMOVUPD 64(J0)(LEFT*8), Y8
	VMOVUPD 96(J0)(LEFT*8), Y9
	FETCH_BOTH(0, Y2, X2, Y3, X3, X6, X7)
	VMOVAPD Y0, Y6
	VMOVAPD Y10, Y7
	MULTIPLY_ADD_BOTH(0, Y2, Y6, Y3, Y7)
	VBLENDVPD Y8, Y6, Y0, Y0
	VBLENDVPD Y8, Y7, Y10, Y10
	FETCH_BOTH(4, Y4, X4, Y5, X5, X6, X7)
	VMOVAPD Y1, Y6
	VMOVAPD Y11, Y7
	MULTIPLY_ADD_BOTH(4, Y4, Y6, Y5, Y7)
	VBLENDVPD Y9, Y6, Y1, Y1
	VBLENDVPD Y9, Y7, Y11, Y11

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	SUM_LANES(Y10, X10, Y11, X11)
	SCALE(X0)
	SCALE(X10)
	VMOVSD X0, (OUT)
	MOVQ   out2_base+24(FP), J0
	SUBQ   out1_base+0(FP), J0
	VMOVSD X10, (OUT)(J0*1)
	ADDQ   $8, OUT
	INCQ   ROW
	DECQ   COUNT
	JNE    row

done:
	VZEROUPPER
	RET

last:
	LEAQ rowsLane<>+56(SB), J0
	EACH_ENTRY_OF_BOTH
	JMP          sum

	LISTED_ROW

// func(w []float64, m *Matrix, list []uint32, first int, c []float64)
DATA rowsAddOf<>+(LAYOUT*8)(SB)/8, $ADD(SB)
TEXT ADD(SB), NOSPLIT, $8-88
	MOVQ  w_base+0(FP), W
	LOAD_MATRIX(X13, X14)
	MOVQ  list_base+32(FP), LIST
	MOVQ  first+56(FP), ROW
	MOVQ  c_base+64(FP), OUT
	MOVQ  c_len+72(FP), COUNT
	TESTQ COUNT, COUNT
	JEQ   done
	NEXT_ROW
	VMOVDDUP (OUT), X0
	SCALE(X0)
	SUBQ     E, LEFT
	SUBQ     $2, LEFT
	JLT      tail

two:
	// w[j] = fma(c, x, w[j]); the two columns differ
	INDEX_PAIR
	VMOVSD  (W)(J0*8), X1
	VMOVHPD (W)(J1*8), X1, X1
	ADD_TWO(X0, X1)
	VMOVLPD X1, (W)(J0*8)
	VMOVHPD X1, (W)(J1*8)
	ADDQ    $2, E
	SUBQ    $2, LEFT
	JGE     two

tail:
	ADDQ   $2, LEFT
	JEQ    next
	INDEX(0, E, J0)
	VMOVSD (W)(J0*8), X1
	ADD_ONE(X0, X1)
	VMOVSD X1, (W)(J0*8)

next:
	ADDQ $8, OUT
	INCQ ROW
	DECQ COUNT
	JNE  row

done:
	RET

	LISTED_ROW

#undef DOT
#undef DOT2
#undef ADD
