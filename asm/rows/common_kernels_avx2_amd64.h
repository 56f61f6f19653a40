// The kernel of two sparse vectors of one layout. The includer defines COMMON_DOT and
// includes indices_amd64.h; F64 or F32 says what the values are.

#ifdef F64
#undef F64
#define VALUE_BYTES 8
// acc += the product of the values at entries I and J.
#define FMA_VALUES \
	VMOVSD      (XV)(I*8), X4     \
	VFMADD231SD (YV)(J*8), X4, X0
#else
#undef F32
#define VALUE_BYTES 4
#define FMA_VALUES \
	VMOVSS      (XV)(I*4), X4 \
	VMOVSS      (YV)(J*4), X5 \
	VCVTSS2SD   X4, X4, X4    \
	VCVTSS2SD   X5, X5, X5    \
	VFMADD231SD X5, X4, X0
#endif

// func(idx1 []I, val1 []V, idx2 []I, val2 []V) float64
TEXT COMMON_DOT(SB), NOSPLIT, $0-104
	MOVQ   idx1_base+0(FP), X
	MOVQ   idx1_len+8(FP), NX
	MOVQ   val1_base+24(FP), XV
	MOVQ   idx2_base+48(FP), Y
	MOVQ   idx2_len+56(FP), NY
	MOVQ   val2_base+72(FP), YV
	VXORPD X0, X0, X0
	JMP    check

step:
	EIGHT_BY_EIGHT
	TESTL HITS, HITS
	JNE   hits
advance:
	LOWER_MOVES
	LEAQ  (X)(UP_X*INDEX_BYTES), X
	LEAQ  (Y)(UP_Y*INDEX_BYTES), Y
	LEAQ  (XV)(UP_X*VALUE_BYTES), XV
	LEAQ  (YV)(UP_Y*VALUE_BYTES), YV
	SUBQ  UP_X, NX
	SUBQ  UP_Y, NY
check:
	CMPQ  NX, $8
	JLT   rest
	CMPQ  NY, $8
	JGE   step
	JMP   rest

hits:
	NEXT_HIT
	FMA_VALUES
	TESTL HITS, HITS
	JNE   hits
	JMP   advance

#define SECOND_LENGTH idx2_len+56(FP)
#define EXCHANGE \
	XCHGQ X, Y   \
	XCHGQ XV, YV \
	XCHGQ NX, NY
#define BACK(at, values, n) \
	NEGQ n                          \
	LEAQ (at)(n*INDEX_BYTES), at    \
	LEAQ (values)(n*VALUE_BYTES), values \
	NEGQ n
#define UP(at, values, n) \
	ADDQ $((n)*INDEX_BYTES), at     \
	ADDQ $((n)*VALUE_BYTES), values
rest:
	THE_REST(EXCHANGE, BACK(X, XV, SEEN), UP(Y, YV, 8), BACK(Y, YV, FORMER), UP(X, XV, 1), UP(Y, YV, 1), FMA_VALUES)
#undef SECOND_LENGTH
#undef EXCHANGE
#undef BACK
#undef UP
	VMOVSD     X0, ret+96(FP)
	VZEROUPPER
	RET
#undef COMMON_DOT
#undef VALUE_BYTES
#undef FMA_VALUES
