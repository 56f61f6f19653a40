// The kernels of the indices of sparse vectors, of one width. The includer defines
// COMMON_COUNT and RISING and includes indices_amd64.h.

// func(idx1, idx2 []I) int
TEXT COMMON_COUNT(SB), NOSPLIT, $0-56
	MOVQ idx1_base+0(FP), X
	MOVQ idx1_len+8(FP), NX
	MOVQ idx2_base+24(FP), Y
	MOVQ idx2_len+32(FP), NY
	XORL YV, YV // the number
	ALL_BY_ALL(check)
	POPCNTL HITS, YV
	JMP  done

step:
	EIGHT_BY_EIGHT
	POPCNTL HITS, HITS
	ADDQ    HITS, YV
	LOWER_MOVES
	LEAQ  (X)(UP_X*INDEX_BYTES), X
	LEAQ  (Y)(UP_Y*INDEX_BYTES), Y
	SUBQ  UP_X, NX
	SUBQ  UP_Y, NY
check:
	CMPQ  NX, $8
	JLT   rest
	CMPQ  NY, $8
	JGE   step

#define SECOND_LENGTH idx2_len+32(FP)
#define EXCHANGE \
	XCHGQ X, Y   \
	XCHGQ NX, NY
#define BACK(at, n) \
	NEGQ n                       \
	LEAQ (at)(n*INDEX_BYTES), at \
	NEGQ n
#define UP(at, n) ADDQ $((n)*INDEX_BYTES), at
rest:
	THE_REST(EXCHANGE, BACK(X, SEEN), UP(Y, 8), BACK(Y, FORMER), UP(X, 1), UP(Y, 1), INCQ YV)
#undef SECOND_LENGTH
#undef EXCHANGE
#undef BACK
#undef UP
	MOVQ       YV, ret+48(FP)
	VZEROUPPER
	RET

// func(idx []I) bool
TEXT RISING(SB), NOSPLIT, $0-25
	MOVQ  idx_base+0(FP), X
	MOVQ  idx_len+8(FP), NX
	DECQ  NX // pairs of neighbours
	JLE   good
	MOVQ  NX, NY
	SUBQ  $INDEX_LANES, NY
	JLT   single
	VPXOR Y3, Y3, Y3
	XORL  I, I
	JMP   check
loop:
	VMOVDQU       (X)(I*INDEX_BYTES), Y0
	MAX_INDICES   INDEX_BYTES(X)(I*INDEX_BYTES), Y0, Y1
	EQUAL_INDICES Y0, Y1, Y1
	VPOR          Y1, Y3, Y3
	ADDQ          $INDEX_LANES, I
check:
	CMPQ          I, NY
	JLT           loop

	// The last full register overlaps the one before.
	VMOVDQU       (X)(NY*INDEX_BYTES), Y0
	MAX_INDICES   INDEX_BYTES(X)(NY*INDEX_BYTES), Y0, Y1
	EQUAL_INDICES Y0, Y1, Y1
	VPOR          Y1, Y3, Y3
	VPTEST        Y3, Y3
	JNE           bad
good:
	MOVB          $1, ret+24(FP)
	VZEROUPPER
	RET
single:
	LOAD_INDEX (X), I
	LOAD_INDEX INDEX_BYTES(X), J
	CMPL       I, J
	JCC        bad
	ADDQ       $INDEX_BYTES, X
	DECQ       NX
	JNE        single
	JMP        good
bad:
	MOVB       $0, ret+24(FP)
	VZEROUPPER
	RET
#undef COMMON_COUNT
#undef RISING
