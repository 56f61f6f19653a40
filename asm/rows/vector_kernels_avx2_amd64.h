// The kernels of one layout on a single vector. The includer defines their names and
// includes indices_amd64.h and rows_values_amd64.h.

// func(idx []I, val []V, w []float64) (sum float64, ok bool)
TEXT DOT(SB), NOSPLIT, $0-81
	MOVQ   idx_base+0(FP), IDX
	MOVQ   idx_len+8(FP), LEFT
	MOVQ   val_base+24(FP), VAL
	MOVQ   w_base+48(FP), W
	MOVQ   w_len+56(FP), LIMIT
	VXORPD Y0, Y0, Y0
	CHECK
	VXORPD Y1, Y1, Y1
	XORL   E, E
	SUBQ   $8, LEFT
	JLT    tail
	EIGHT

tail:
	ADDQ $8, LEFT
	JEQ  sum
	TAIL_OF_DOT

sum:
	SUM_LANES(Y0, X0, Y1, X1)

empty:
	VMOVSD X0, sum+72(FP)
	MOVB   $1, ok+80(FP)
	VZEROUPPER
	RET

bad:
	MOVQ $0, sum+72(FP)
	MOVB $0, ok+80(FP)
	VZEROUPPER
	RET

// func(idx []I, val []V, w1, w2 []float64) (sum1, sum2 float64, ok bool)
TEXT DOT2(SB), NOSPLIT, $0-113
	MOVQ   idx_base+0(FP), IDX
	MOVQ   idx_len+8(FP), LEFT
	MOVQ   val_base+24(FP), VAL
	MOVQ   w1_base+48(FP), W
	MOVQ   w1_len+56(FP), LIMIT
	VXORPD Y0, Y0, Y0
	VXORPD Y10, Y10, Y10
	CHECK
	MOVQ   w2_base+72(FP), W2
	VXORPD Y1, Y1, Y1
	VXORPD Y11, Y11, Y11
	XORL   E, E
	SUBQ   $8, LEFT
	JLT    tail
	EIGHT_OF_BOTH

tail:
	ADDQ $8, LEFT
	JEQ  sum
	LEAQ rowsLane<>+56(SB), J0
	EACH_ENTRY_OF_BOTH

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	SUM_LANES(Y10, X10, Y11, X11)

empty:
	VMOVSD X0, sum1+96(FP)
	VMOVSD X10, sum2+104(FP)
	MOVB   $1, ok+112(FP)
	VZEROUPPER
	RET

bad:
	MOVQ $0, sum1+96(FP)
	MOVQ $0, sum2+104(FP)
	MOVB $0, ok+112(FP)
	VZEROUPPER
	RET

// func(w []float64, c float64, idx []I, val []V) (ok bool)
TEXT ADD(SB), NOSPLIT, $0-81
	MOVQ     idx_base+32(FP), IDX
	MOVQ     idx_len+40(FP), LEFT
	MOVQ     val_base+56(FP), VAL
	MOVQ     w_base+0(FP), W
	MOVQ     w_len+8(FP), LIMIT
	CHECK
	VMOVDDUP c+24(FP), X0
	XORL     E, E
	SUBQ     $2, LEFT
	JLT      tail

two:
	// w[j] = fma(c, x, w[j])
	INDEX_PAIR
	CMPQ    J0, J1
	JEQ     repeated
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
	JEQ    empty
	INDEX(0, E, J0)
	VMOVSD (W)(J0*8), X1
	ADD_ONE(X0, X1)
	VMOVSD X1, (W)(J0*8)

empty:
	MOVB $1, ok+80(FP)
	VZEROUPPER
	RET

repeated:
	VMOVSD (W)(J0*8), X1
	ADD_ONE(X0, X1)
	INCQ   E
	ADD_ONE(X0, X1)
	INCQ   E
	VMOVSD X1, (W)(J0*8)
	SUBQ   $2, LEFT
	JGE    two
	JMP    tail

bad:
	MOVB $0, ok+80(FP)
	VZEROUPPER
	RET

#undef DOT
#undef DOT2
#undef ADD
