// The kernel of one layout on a single vector. The includer defines its name and
// includes indices_arm64.h and values_arm64.h.

// func(idx []I, val []V, w []float64) (sum float64, ok bool)
TEXT DOT_VECTOR(SB), NOSPLIT, $0-81
#define STEP STEP_DOT

	MOVD idx_base+0(FP), IDX
	MOVD idx_len+8(FP), N
	MOVD val_base+24(FP), VAL
	MOVD w_base+48(FP), W
	MOVD w_len+56(FP), LIMIT
	CHECK
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23)
	EACH_ENTRY

done:
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23)
	MOVD  $1, T
	FMOVD F16, sum+72(FP)
	MOVB  T, ok+80(FP)
	RET

bad:
	MOVD ZR, sum+72(FP)
	MOVB ZR, ok+80(FP)
	RET
#undef STEP

#undef DOT_VECTOR
