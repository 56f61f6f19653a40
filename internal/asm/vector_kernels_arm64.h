// The kernels of one layout on a single vector. The includer defines their
// names, NEXT_INDEX, CHECK and the values (as for rows_kernels_arm64.h).

// func(idx []I, val []V, w []float64) (sum float64, ok bool)
TEXT DOT_VECTOR(SB), NOSPLIT, $0-81
// acc += x * w[j]
#define STEP(acc, unused) \
	NEXT_INDEX              \
	NEXT_VALUE              \
	FMOVD (W)(J<<3), F1     \
	MULTIPLY_ADD(F1, acc)

	MOVD idx_base+0(FP), IDX
	MOVD idx_len+8(FP), N
	MOVD val_base+24(FP), VAL
	MOVD w_base+48(FP), W
	MOVD w_len+56(FP), LIMIT
	CHECK
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23)
#include "rows_lanes_arm64.h"

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
// acc1 += x * w1[j]; acc2 += x * w2[j]
#define STEP(acc1, acc2) \
	NEXT_INDEX              \
	NEXT_VALUE              \
	FMOVD (W)(J<<3), F1     \
	FMOVD (W2)(J<<3), F2    \
	MULTIPLY_ADD(F1, acc1)  \
	MULTIPLY_ADD(F2, acc2)

	MOVD idx_base+0(FP), IDX
	MOVD idx_len+8(FP), N
	MOVD val_base+24(FP), VAL
	MOVD w1_base+48(FP), W
	MOVD w1_len+56(FP), LIMIT
	MOVD w2_base+72(FP), W2
	CHECK
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23)
	ZERO_LANES(F24, F25, F26, F27, F28, F29, F30, F31)
#include "rows_lanes_arm64.h"

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
// w[j] += c * x
#define STEP(unused1, unused2) \
	NEXT_INDEX              \
	NEXT_VALUE              \
	FMOVD (W)(J<<3), F1     \
	MULTIPLY_ADD(C, F1)     \
	FMOVD F1, (W)(J<<3)

	MOVD  idx_base+32(FP), IDX
	MOVD  idx_len+40(FP), N
	MOVD  val_base+56(FP), VAL
	MOVD  w_base+0(FP), W
	MOVD  w_len+8(FP), LIMIT
	FMOVD c+24(FP), C
	CHECK
#include "rows_lanes_arm64.h"

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
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
