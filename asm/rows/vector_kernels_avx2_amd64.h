// The kernel of one layout on a single vector of more than eight entries. The includer
// defines its name and includes indices_amd64.h and rows_values_amd64.h. Lengths were
// compared before; where an index is not below nw, it says so.

#ifdef WITHOUT_VALUES
#define DOT_ARGUMENTS \
	MOVQ idx+8(FP), IDX   \
	MOVQ w+16(FP), W       \
	MOVQ n+24(FP), LEFT   \
	MOVQ nw+32(FP), LIMIT
#define DOT_SUM sum+40(FP)
#define DOT_OK ok+48(FP)
#define DOT_FRAME 49
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

#undef DOT
#undef DOT_ARGUMENTS
#undef DOT_SUM
#undef DOT_OK
#undef DOT_FRAME
