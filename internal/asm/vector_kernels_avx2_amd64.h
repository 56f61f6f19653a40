// The kernels of one layout on a single vector. The includer defines their
// names, the indices (INDEX, INDEX_PAIR, CHECK and what it needs) and the values
// (as for rows_kernels_avx2_amd64.h).

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

eight:
	FETCH(W, 0, Y2, X2, X3)
	FETCH(W, 4, Y4, X4, X5)
	MULTIPLY_ADD(0, Y2, Y0)
	MULTIPLY_ADD(4, Y4, Y1)
	ADDQ $8, E
	SUBQ $8, LEFT
	JGE  eight

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

eight:
	FETCH_BOTH(0, Y2, X2, Y3, X3, X6, X7)
	FETCH_BOTH(4, Y4, X4, Y5, X5, X6, X7)
	MULTIPLY_ADD_BOTH(0, Y2, Y0, Y3, Y10)
	MULTIPLY_ADD_BOTH(4, Y4, Y1, Y5, Y11)
	ADDQ $8, E
	SUBQ $8, LEFT
	JGE  eight

tail:
	ADDQ $8, LEFT
	JEQ  sum
	LEAQ vectorLane<>+56(SB), J0

entry:
	INDEX(0, J1)
	VBROADCASTSD (W)(J1*8), Y2
	VBROADCASTSD (W2)(J1*8), Y3
	BROADCAST_X(Y4)
	VMOVUPD      (J0), Y8
	VMOVUPD      32(J0), Y9
	VMOVAPD      Y0, Y6
	VMOVAPD      Y1, Y7
	TIMES_X(Y4, Y2, Y6)
	TIMES_X(Y4, Y2, Y7)
	VBLENDVPD    Y8, Y6, Y0, Y0
	VBLENDVPD    Y9, Y7, Y1, Y1
	VMOVAPD      Y10, Y6
	VMOVAPD      Y11, Y7
	TIMES_X(Y4, Y3, Y6)
	TIMES_X(Y4, Y3, Y7)
	VBLENDVPD    Y8, Y6, Y10, Y10
	VBLENDVPD    Y9, Y7, Y11, Y11
	SUBQ         $8, J0
	INCQ         E
	DECQ         LEFT
	JNE          entry

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
	INDEX(0, J0)
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
#undef VALUES
#undef PREFETCH_VALUES
#undef MULTIPLY_ADD
#undef MULTIPLY_ADD_BOTH
#undef ADD_TO_TWO
#undef ADD_TO_ONE
#undef ADD_TWO
#undef ADD_ONE
#undef BROADCAST_X
#undef TIMES_X
#undef SCALE
