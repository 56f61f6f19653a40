// The kernel of two sparse vectors of one layout. The includer defines COMMON_DOT and
// includes indices_arm64.h; F64 or F32 says what the values are.

#ifdef F64
#undef F64
#define VALUE_SHIFT 3
#define LOAD_VALUE(from, to) FMOVD (from), to
#else
#undef F32
#define VALUE_SHIFT 2
#define LOAD_VALUE(from, to) \
	FMOVS  (from), to \
	FCVTSD to, to
#endif

// func(idx1 []I, val1 []V, idx2 []I, val2 []V) float64
TEXT COMMON_DOT(SB), NOSPLIT, $0-104
	MOVD  idx1_base+0(FP), X
	MOVD  idx1_len+8(FP), NX
	MOVD  val1_base+24(FP), XV
	MOVD  idx2_base+48(FP), Y
	MOVD  idx2_len+56(FP), NY
	MOVD  val2_base+72(FP), YV
	FMOVD ZR, F0
	B     check

step:
	FOUR_BY_FOUR
	VMOV  V3.D[0], I
	VMOV  V3.D[1], J
	ORR   J, I, I
	CBNZ  I, hits
	LAST_OF_FOUR
	MOVE_ENTRIES
check:
	CMP   $4, NX
	BLT   tail
	CMP   $4, NY
	BGE   step
tail:
	MOVD  $0, END_X // to the end of one of the vectors
	MOVD  $0, END_Y
	B     more

	// One after the other, to the end of one of the fours.
hits:
	SUB   $4, NX, END_X
	SUB   $4, NY, END_Y
one:
	LOAD_INDEX (X), I
	LOAD_INDEX (Y), J
	CMP   J, I
	BNE   different
	LOAD_VALUE(XV, F1)
	LOAD_VALUE(YV, F2)
	FMADDD F2, F0, F1, F0
different:
	LOWER_MOVES
	MOVE_ENTRIES
more:
	CMP   END_X, NX
	BLE   ended
	CMP   END_Y, NY
	BGT   one
ended:
	CBZ   NX, done
	CBNZ  NY, check
done:
	FMOVD F0, ret+96(FP)
	RET
#undef COMMON_DOT
#undef VALUE_SHIFT
#undef LOAD_VALUE
