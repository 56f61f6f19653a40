// The kernels of one layout on a single vector of more than eight entries. The includer
// defines their names and includes indices_amd64.h and rows_values_amd64.h. Lengths and
// overlaps were compared before; where an index is not below nw, nothing is written.

#ifdef WITHOUT_VALUES
#define DOT_ARGUMENTS \
	MOVQ idx+8(FP), IDX   \
	MOVQ w+16(FP), W       \
	MOVQ n+24(FP), LEFT   \
	MOVQ nw+32(FP), LIMIT
#define DOT_SUM sum+40(FP)
#define DOT_OK ok+48(FP)
#define DOT_FRAME 49
#define ADD_ARGUMENTS \
	MOVQ w+8(FP), W       \
	VMOVDDUP c+16(FP), X0 \
	MOVQ idx+24(FP), IDX  \
	MOVQ n+32(FP), LEFT   \
	MOVQ nw+40(FP), LIMIT \
	LEAQ (W)(LIMIT*8), J2 \
	APART(IDX, INDEX_BYTES)
#define ADD_RESULT \
	VXORPS X1, X1, X1         \
	VMOVUPS X1, err+48(FP)
#define ADD_FRAME 64
#define ADD_IN_GO ·sparseAddOnes
#else
#define DOT_ARGUMENTS \
	MOVQ idx+8(FP), IDX   \
	MOVQ val+16(FP), VAL   \
	MOVQ w+24(FP), W      \
	MOVQ n+32(FP), LEFT   \
	MOVQ nw+40(FP), LIMIT
#define DOT_SUM sum+48(FP)
#define DOT_OK ok+56(FP)
#define DOT_FRAME 57
#define ADD_ARGUMENTS \
	CMPL ·path(SB), $0        \
	JEQ  bad                  \
	MOVQ w+0(FP), W           \
	VMOVDDUP c+8(FP), X0      \
	MOVQ idx+16(FP), IDX      \
	MOVQ val+24(FP), VAL      \
	MOVQ n+32(FP), LEFT       \
	MOVQ nw+40(FP), LIMIT     \
	LEAQ (W)(LIMIT*8), J2     \
	APART(VAL, VALUE_BYTES)   \
	APART(IDX, INDEX_BYTES)
#define ADD_RESULT \
	VXORPS X1, X1, X1         \
	VMOVUPS X1, err+48(FP)
#define ADD_FRAME 64
#endif

// func(layout uintptr, idx, val unsafe.Pointer, w *float64, n, nw int) (sum float64, ok bool)
TEXT DOT(SB), NOSPLIT, $0-DOT_FRAME
	DOT_ARGUMENTS
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	CHECK_AND(ADD_EIGHT)
	ADDQ   $8, LEFT
	JEQ    sum
	TAIL_OF_DOT

sum:
	SUM_LANES(Y0, X0, Y1, X1)
	VMOVSD X0, DOT_SUM
	MOVB   $1, DOT_OK
	VZEROUPPER
	RET

bad:
	MOVQ $0, DOT_SUM
	MOVB $0, DOT_OK
	VZEROUPPER
	RET

// This is the door as well, up to a look at the size of indices without values: it compares
// places, and what it refuses goes to the door in Go, which says why.
//
// func(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) (err error)
TEXT ADD(SB), NOSPLIT, $0-ADD_FRAME
	ADD_ARGUMENTS
	XORL     E, E
	ADD_RESULT
	CMPQ     LEFT, $4
	JHI      overFour
	JNE      underFour
	CHECKED(0, J0)
	CHECKED(1, J1)
	CHECKED(2, J2)
	CHECKED(3, J3)

	// w[j] = fma(c, x, w[j]), one after the other: an index may repeat.
	ADD_TO(0, J0)
	ADD_TO(1, J1)
	ADD_TO(2, J2)
	ADD_TO(3, J3)
	RET

underFour:
	TESTQ LEFT, LEFT
	JEQ   none
	CHECKED(0, J0)
	CMPQ  LEFT, $2
	JCS   one
	CHECKED(1, J1)
	CMPQ  LEFT, $3
	JCS   two
	CHECKED(2, J2)
	ADD_TO(0, J0)
	ADD_TO(1, J1)
	ADD_TO(2, J2)
	RET

two:
	ADD_TO(0, J0)
	ADD_TO(1, J1)
	RET

one:
	ADD_TO(0, J0)

none:
	RET

overFour:
	CMPQ LEFT, $8
	JHI  more
	CHECKED(0, J0)
	CHECKED(1, J1)
	CHECKED(2, J2)
	CHECKED(3, J3)
	CHECKED(4, J4)
	CMPQ LEFT, $8
	JNE  underEight
	CHECKED(5, J5)
	CHECKED(6, J6)
	CHECKED(7, J7)
	ADD_TO(0, J0)
	ADD_TO(1, J1)
	ADD_TO(2, J2)
	ADD_TO(3, J3)
	ADD_TO(4, J4)
	ADD_TO(5, J5)
	ADD_TO(6, J6)
	ADD_TO(7, J7)
	RET

underEight:
	CMPQ LEFT, $6
	JCS  checked
	CHECKED(5, J5)
	CMPQ LEFT, $7
	JCS  checked
	CHECKED(6, J6)

checked:
	ADD_TO(0, J0)
	ADD_TO(1, J1)
	ADD_TO(2, J2)
	ADD_TO(3, J3)
	ADD_TO(4, J4)
	CMPQ LEFT, $6
	JCS  none
	ADD_TO(5, J5)
	JEQ  none
	ADD_TO(6, J6)
	RET

more:
	LIMIT_INDICES
	CHECK
	VZEROUPPER
	XORL E, E
	CMPQ LEFT, $const_many
	JCC  long

near:
	SUBQ $4, LEFT
	PCALIGN $64

four:
	ADD_AT(0)
	ADD_AT(1)
	ADD_AT(2)
	ADD_AT(3)
	ADDQ $4, E
	SUBQ $4, LEFT
	JGE  four
	ADDQ $4, LEFT
	JEQ  done

next:
	ADD_AT(0)
	INCQ E
	DECQ LEFT
	JNE  next

done:
	RET

long:
	CMPQ LIMIT, $const_far
	JCS  near

	// What the processor fetches by itself comes late where w is in no cache.
	LEAQ (const_ahead*INDEX_BYTES)(IDX), J2
	SUBQ $(const_ahead+4), LEFT

fetch:
	LOAD_INDEX (J2)(E*INDEX_BYTES), J0
	PREFETCHT0 (W)(J0*8)
	ADD_AT(0)
	ADD_AT(1)
	ADD_AT(2)
	ADD_AT(3)
	ADDQ $4, E
	SUBQ $4, LEFT
	JGE  fetch
	ADDQ $const_ahead, LEFT
	JMP  four

bad:
	VZEROUPPER
	JMP ADD_IN_GO(SB)

#undef DOT
#undef ADD
#undef DOT_ARGUMENTS
#undef DOT_SUM
#undef DOT_OK
#undef DOT_FRAME
#undef ADD_ARGUMENTS
#undef ADD_RESULT
#undef ADD_IN_GO
#undef ADD_FRAME
