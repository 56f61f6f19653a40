// The kernels of one layout on a single vector. The includer defines their names and
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

// func(idx []I, val []V, w1, w2 []float64) (sum1, sum2 float64, ok bool)
TEXT DOT2_VECTOR(SB), NOSPLIT, $0-113
#define STEP STEP_DOT2

	MOVD idx_base+0(FP), IDX
	MOVD idx_len+8(FP), N
	MOVD val_base+24(FP), VAL
	MOVD w1_base+48(FP), W
	MOVD w1_len+56(FP), LIMIT
	MOVD w2_base+72(FP), W2
	CHECK
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23)
	ZERO_LANES(F24, F25, F26, F27, F28, F29, F30, F31)
	EACH_ENTRY

done:
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23)
	FOLD(F24, F25, F26, F27, F28, F29, F30, F31)
	MOVD  $1, T
	FMOVD F16, sum1+96(FP)
	FMOVD F24, sum2+104(FP)
	MOVB  T, ok+112(FP)
	RET

bad:
	MOVD ZR, sum1+96(FP)
	MOVD ZR, sum2+104(FP)
	MOVB ZR, ok+112(FP)
	RET
#undef STEP

// func(w []float64, c float64, idx []I, val []V) (ok bool)
TEXT ADD_VECTOR(SB), NOSPLIT, $0-81
#define STEP STEP_ADD

	MOVD  idx_base+32(FP), IDX
	MOVD  idx_len+40(FP), N
	MOVD  val_base+56(FP), VAL
	MOVD  w_base+0(FP), W
	MOVD  w_len+8(FP), LIMIT
	FMOVD c+24(FP), C
	CHECK
	EACH_ENTRY

done:
	MOVD $1, T
	MOVB T, ok+80(FP)
	RET

bad:
	MOVB ZR, ok+80(FP)
	RET
#undef STEP

#undef DOT_VECTOR
#undef DOT2_VECTOR
#undef ADD_VECTOR
