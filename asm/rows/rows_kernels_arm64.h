// The row-batch kernels of one layout. The includer defines their names and includes
// indices_arm64.h and values_arm64.h.

// func(out []float64, m *Matrix, list []uint32, first int, w []float64)
DATA rowsDotOf<>+(LAYOUT*8)(SB)/8, $DOT_ROWS(SB)
TEXT DOT_ROWS(SB), NOSPLIT, $0-88
#define ROW_BEGIN ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23)
#define STEP STEP_DOT
#define ROW_END \
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23) \
	SCALE(F16)              \
	MOVD  out_base+0(FP), T \
	FMOVD F16, (T)(K<<3)

	MOVD m+24(FP), M
	MOVD list_base+32(FP), LIST
	MOVD first+56(FP), FIRST
	MOVD out_len+8(FP), COUNT
	MOVD w_base+64(FP), W
	WALK_ROWS
#undef ROW_BEGIN
#undef STEP
#undef ROW_END

// func(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)
DATA rowsDot2Of<>+(LAYOUT*8)(SB)/8, $DOT2_ROWS(SB)
TEXT DOT2_ROWS(SB), NOSPLIT, $0-136
#define ROW_BEGIN \
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23) \
	ZERO_LANES(F24, F25, F26, F27, F28, F29, F30, F31)
#define STEP STEP_DOT2
#define ROW_END \
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23) \
	FOLD(F24, F25, F26, F27, F28, F29, F30, F31) \
	SCALE(F16)                \
	SCALE(F24)                \
	MOVD  out1_base+0(FP), T  \
	FMOVD F16, (T)(K<<3)      \
	MOVD  out2_base+24(FP), T \
	FMOVD F24, (T)(K<<3)

	MOVD m+48(FP), M
	MOVD list_base+56(FP), LIST
	MOVD first+80(FP), FIRST
	MOVD out1_len+8(FP), COUNT
	MOVD w1_base+88(FP), W
	MOVD w2_base+112(FP), W2
	WALK_ROWS
#undef ROW_BEGIN
#undef STEP
#undef ROW_END

// func(w []float64, m *Matrix, list []uint32, first int, c []float64)
DATA rowsAddOf<>+(LAYOUT*8)(SB)/8, $ADD_ROWS(SB)
TEXT ADD_ROWS(SB), NOSPLIT, $0-88
#define ROW_BEGIN \
	MOVD  c_base+64(FP), T \
	FMOVD (T)(K<<3), C     \
	SCALE(C)
#define STEP STEP_ADD
#define ROW_END

	MOVD m+24(FP), M
	MOVD list_base+32(FP), LIST
	MOVD first+56(FP), FIRST
	MOVD c_len+72(FP), COUNT
	MOVD w_base+0(FP), W
	WALK_ROWS
#undef ROW_BEGIN
#undef STEP
#undef ROW_END

#undef DOT_ROWS
#undef DOT2_ROWS
#undef ADD_ROWS
