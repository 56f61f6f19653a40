// A kernel that adds a term of each value of full rows to w: TERMS_OF(y, from, c, sum) adds four
// terms for the factor c of a row, TERM_OF(from, c) one to X0. y is free.

// func(w []float64, x []value, c []float64)
TEXT FULL_SUMS(SB), NOSPLIT, $0-72
	MOVQ w_base+0(FP), DI
	MOVQ w_len+8(FP), CX
	MOVQ x_base+24(FP), SI
	MOVQ c_base+48(FP), DX
	MOVQ c_len+56(FP), BX
	MOVQ CX, R8
	IMULQ $SIZE, R8
	MOVQ CX, R12
	ANDQ $3, R12
	SUBQ R12, CX
	SUBQ $4, BX
	JLT  ones
fours:
	LEAQ (SI)(R8*1), R9
	LEAQ (SI)(R8*2), R10
	LEAQ (R9)(R8*2), R11
	VBROADCASTSD (DX), Y4
	VBROADCASTSD 8(DX), Y5
	VBROADCASTSD 16(DX), Y6
	VBROADCASTSD 24(DX), Y7
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  rest4
four4:
	VMOVUPD (DI)(AX*8), Y0
	TERMS_OF(Y12, (SI)(AX*SIZE), Y4, Y0)
	TERMS_OF(Y13, (R9)(AX*SIZE), Y5, Y0)
	TERMS_OF(Y12, (R10)(AX*SIZE), Y6, Y0)
	TERMS_OF(Y13, (R11)(AX*SIZE), Y7, Y0)
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT  four4
rest4:
	MOVQ R12, R13
	TESTQ R13, R13
	JEQ  next4
one4:
	VMOVSD (DI)(AX*8), X0
	TERM_OF((SI)(AX*SIZE), X4)
	TERM_OF((R9)(AX*SIZE), X5)
	TERM_OF((R10)(AX*SIZE), X6)
	TERM_OF((R11)(AX*SIZE), X7)
	VMOVSD X0, (DI)(AX*8)
	INCQ AX
	DECQ R13
	JNE  one4
next4:
	ADDQ $32, DX
	LEAQ (SI)(R8*4), SI
	SUBQ $4, BX
	JGE  fours
ones:
	ADDQ $4, BX
	JEQ  done
one:
	VBROADCASTSD (DX), Y4
	XORQ AX, AX
	CMPQ AX, CX
	JEQ  rest1
four1:
	VMOVUPD (DI)(AX*8), Y0
	TERMS_OF(Y12, (SI)(AX*SIZE), Y4, Y0)
	VMOVUPD Y0, (DI)(AX*8)
	ADDQ $4, AX
	CMPQ AX, CX
	JLT  four1
rest1:
	MOVQ R12, R13
	TESTQ R13, R13
	JEQ  next1
one1:
	VMOVSD (DI)(AX*8), X0
	TERM_OF((SI)(AX*SIZE), X4)
	VMOVSD X0, (DI)(AX*8)
	INCQ AX
	DECQ R13
	JNE  one1
next1:
	ADDQ $8, DX
	ADDQ R8, SI
	DECQ BX
	JNE  one
done:
	VZEROUPPER
	RET

#undef TERMS_OF
#undef TERM_OF
#undef FULL_SUMS
