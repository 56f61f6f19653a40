// The kernels of one layout on a single vector. The includer defines their names and
// includes indices_amd64.h and rows_values_amd64.h. Their arguments are those of the
// doors. Whatever they refuse goes to the doors in Go, which say why.

#ifdef WITHOUT_VALUES
#define DOT_ARGUMENTS \
	MOVQ idx+8(FP), IDX   \
	MOVQ w+16(FP), W      \
	MOVQ n+24(FP), LEFT   \
	MOVQ nw+32(FP), LIMIT
#define DOT_RESULT(sum_) \
	VMOVSD sum_, sum+40(FP)    \
	MOVQ   $0, err_itable+48(FP) \
	MOVQ   $0, err_data+56(FP)
#define DOT_FRAME 64
#define DOT_IN_GO ·sparseDotOnes
#define DOT2_ARGUMENTS \
	MOVQ idx+8(FP), IDX   \
	MOVQ w1+16(FP), W     \
	MOVQ w2+24(FP), W2    \
	MOVQ n+32(FP), LEFT   \
	MOVQ n1+40(FP), LIMIT \
	CMPQ LIMIT, n2+48(FP) \
	JNE  bad
#define DOT2_RESULT(sum1_, sum2_) \
	VMOVSD sum1_, sum1+56(FP)  \
	VMOVSD sum2_, sum2+64(FP)  \
	MOVQ   $0, err_itable+72(FP) \
	MOVQ   $0, err_data+80(FP)
#define DOT2_FRAME 88
#define DOT2_IN_GO ·sparseDot2Ones
#define ADD_ARGUMENTS \
	MOVQ w+8(FP), W       \
	MOVQ idx+24(FP), IDX  \
	MOVQ n+32(FP), LEFT   \
	MOVQ nw+40(FP), LIMIT \
	OVERLAP(IDX, INDEX_BYTES)
#define COEFFICIENT VMOVDDUP c+16(FP), X0
#define ADD_RESULT \
	MOVQ $0, err_itable+48(FP) \
	MOVQ $0, err_data+56(FP)
#define ADD_FRAME 64
#define ADD_IN_GO ·sparseAddOnes
#else
#define DOT_ARGUMENTS \
	MOVQ idx+8(FP), IDX      \
	MOVQ val+16(FP), VAL     \
	MOVQ w_base+24(FP), W    \
	MOVQ w_len+32(FP), LIMIT \
	MOVQ n+48(FP), LEFT      \
	CMPQ LEFT, nv+56(FP)     \
	JNE  bad
#define DOT_RESULT(sum_) \
	VMOVSD sum_, sum+64(FP)    \
	MOVQ   $0, err_itable+72(FP) \
	MOVQ   $0, err_data+80(FP)
#define DOT_FRAME 88
#define DOT_IN_GO ·sparseDot
#define DOT2_ARGUMENTS \
	MOVQ idx+8(FP), IDX    \
	MOVQ val+16(FP), VAL   \
	MOVQ w1+24(FP), W      \
	MOVQ w2+32(FP), W2     \
	MOVQ n+40(FP), LEFT    \
	CMPQ LEFT, nv+48(FP)   \
	JNE  bad               \
	MOVQ n1+56(FP), LIMIT \
	CMPQ LIMIT, n2+64(FP) \
	JNE  bad
#define DOT2_RESULT(sum1_, sum2_) \
	VMOVSD sum1_, sum1+72(FP)  \
	VMOVSD sum2_, sum2+80(FP)  \
	MOVQ   $0, err_itable+88(FP) \
	MOVQ   $0, err_data+96(FP)
#define DOT2_FRAME 104
#define DOT2_IN_GO ·sparseDot2
#define ADD_ARGUMENTS \
	MOVQ w_base+8(FP), W          \
	MOVQ w_len+16(FP), LIMIT      \
	MOVQ idx+40(FP), IDX          \
	MOVQ val+48(FP), VAL          \
	MOVQ n+56(FP), LEFT           \
	CMPQ LEFT, nv+64(FP)          \
	JNE  bad                      \
	OVERLAP(VAL, VALUE_BYTES) \
	OVERLAP(IDX, INDEX_BYTES)
#define COEFFICIENT VMOVDDUP c+32(FP), X0
#define ADD_RESULT \
	MOVQ $0, err_itable+72(FP) \
	MOVQ $0, err_data+80(FP)
#define ADD_FRAME 88
#define ADD_IN_GO ·sparseAdd
#endif

// func(layout uintptr, idx, val unsafe.Pointer, w []float64, n, nv int) (sum float64, err error)
TEXT DOT(SB), NOSPLIT, $0-DOT_FRAME
	DOT_ARGUMENTS
	XORL   E, E
	VXORPD X7, X7, X7
	CMPQ   LEFT, $4
	JHI    overFour
	CMPQ   LEFT, $2
	JCS    underTwo
	TWO(0, X0)
	CMPQ   LEFT, $3
	JCS    ofTwo
	JEQ    three
	TWO(2, X1)

ofFour:
	VADDPD X1, X0, X0

ofTwo:
	// The empty lanes are +0.
	VUNPCKHPD X0, X0, X1
	VADDSD    X1, X0, X0
	VADDSD    X7, X0, X0
	DOT_RESULT(X0)
	RET

three:
	ONE(2, X1)
	JMP ofFour

underTwo:
	VXORPD X0, X0, X0
	TESTQ  LEFT, LEFT
	JEQ    none
	ONE(0, X0)
	VADDSD X7, X0, X0

none:
	DOT_RESULT(X0)
	RET

overFour:
	CMPQ LEFT, $8
	JHI  more
	TWO(0, X0)
	TWO(2, X1)
	CMPQ LEFT, $6
	JCS  five
	TWO(4, X4)
	VADDPD X4, X0, X0
	CMPQ LEFT, $7
	JCS  ofFour
	JEQ  seven
	TWO(6, X5)
	VADDPD X5, X1, X1
	VADDPD X1, X0, X0
	VUNPCKHPD X0, X0, X1
	VADDSD X1, X0, X0
	DOT_RESULT(X0)
	RET

seven:
	ONE(6, X5)
	VADDPD X5, X1, X1
	JMP    ofFour

five:
	ONE(4, X4)
	VADDPD X4, X0, X0
	JMP    ofFour

more:
	CHECK
	XORL   E, E
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	SUBQ   $8, LEFT
	EIGHT
	ADDQ   $8, LEFT
	JEQ    sum
	TAIL_OF_DOT

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	DOT_RESULT(X0)
	VZEROUPPER
	RET

bad:
	VZEROUPPER
	JMP DOT_IN_GO(SB)

// func(layout uintptr, idx, val unsafe.Pointer, w1, w2 *float64, n, nv, n1, n2 int) (sum1, sum2 float64, err error)
TEXT DOT2(SB), NOSPLIT, $0-DOT2_FRAME
	DOT2_ARGUMENTS
	XORL   E, E
	VXORPD X7, X7, X7
	CMPQ   LEFT, $4
	JHI    overFour
	CMPQ   LEFT, $2
	JCS    underTwo
	TWO_OF_BOTH(0, X0, X10)
	CMPQ   LEFT, $3
	JCS    ofTwo
	JEQ    three
	TWO_OF_BOTH(2, X1, X11)

ofFour:
	VADDPD X1, X0, X0
	VADDPD X11, X10, X10

ofTwo:
	VUNPCKHPD X0, X0, X1
	VUNPCKHPD X10, X10, X11
	VADDSD    X1, X0, X0
	VADDSD    X11, X10, X10

plusEmpty:
	VADDSD    X7, X0, X0
	VADDSD    X7, X10, X10
	DOT2_RESULT(X0, X10)
	RET

three:
	ONE_OF_BOTH(2, X1, X11)
	JMP ofFour

underTwo:
	VXORPD X0, X0, X0
	VXORPD X10, X10, X10
	TESTQ  LEFT, LEFT
	JEQ    plusEmpty
	ONE_OF_BOTH(0, X0, X10)
	JMP    plusEmpty

overFour:
	CMPQ LEFT, $8
	JHI  more
	TWO_OF_BOTH(0, X0, X10)
	TWO_OF_BOTH(2, X1, X11)
	CMPQ LEFT, $6
	JCS  five
	TWO_OF_BOTH(4, X4, X5)
	VADDPD X4, X0, X0
	VADDPD X5, X10, X10
	CMPQ LEFT, $7
	JCS  ofFour
	JEQ  seven
	TWO_OF_BOTH(6, X4, X5)
	VADDPD X4, X1, X1
	VADDPD X5, X11, X11
	VADDPD X1, X0, X0
	VADDPD X11, X10, X10
	VUNPCKHPD X0, X0, X1
	VUNPCKHPD X10, X10, X11
	VADDSD X1, X0, X0
	VADDSD X11, X10, X10
	DOT2_RESULT(X0, X10)
	RET

seven:
	ONE_OF_BOTH(6, X4, X5)
	VADDPD X4, X1, X1
	VADDPD X5, X11, X11
	JMP    ofFour

five:
	ONE_OF_BOTH(4, X4, X5)
	VADDPD X4, X0, X0
	VADDPD X5, X10, X10
	JMP    ofFour

more:
	CHECK
	XORL   E, E
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	SUBQ   $8, LEFT
	EIGHT_OF_BOTH
	ADDQ   $8, LEFT
	JEQ    sum
	TAIL_OF_BOTH

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	SUM_LANES(Y10, X10, Y11, X11)
	DOT2_RESULT(X0, X10)
	VZEROUPPER
	RET

bad:
	VZEROUPPER
	JMP DOT2_IN_GO(SB)

// func(layout uintptr, w []float64, c float64, idx, val unsafe.Pointer, n, nv int) (err error)
TEXT ADD(SB), NOSPLIT, $0-ADD_FRAME
	ADD_ARGUMENTS
	CHECK_ANY
	COEFFICIENT
	XORL E, E
	SUBQ $4, LEFT
	JLT  few

four:
	// w[j] = fma(c, x, w[j]), one after the other: an index may repeat.
	ADD_AT(0)
	ADD_AT(1)
	ADD_AT(2)
	ADD_AT(3)
	ADDQ $4, E
	SUBQ $4, LEFT
	JGE  four

few:
	ADDQ $4, LEFT
	JEQ  empty

next:
	ADD_AT(0)
	INCQ E
	DECQ LEFT
	JNE  next

empty:
	ADD_RESULT
	RET

bad:
	VZEROUPPER
	JMP ADD_IN_GO(SB)

#undef DOT
#undef DOT2
#undef ADD
#undef DOT_ARGUMENTS
#undef DOT_RESULT
#undef DOT_FRAME
#undef DOT_IN_GO
#undef DOT2_ARGUMENTS
#undef DOT2_RESULT
#undef DOT2_FRAME
#undef DOT2_IN_GO
#undef ADD_ARGUMENTS
#undef ADD_RESULT
#undef ADD_FRAME
#undef ADD_IN_GO
#undef COEFFICIENT
