//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lazy_arm64.h"

// 32-bit column indices.
#define INDICES     Rows_Idx32
#define INDEX_SHIFT 2
#define NEXT_INDEX  MOVWU.P 4(IDX), RECORD

#define VALUES      Rows_Val64
#define VALUE_SHIFT 3
#define NEXT_VALUE  FMOVD.P 8(VAL), F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define DOT ·lazyDotI32F64NEON
#define DOT_MAP ·lazyDotMapI32F64NEON
#define ADD_U ·lazyAddUI32F64NEON
#define MOVE_ADD_U ·lazyMoveAddUI32F64NEON
#define ADD_S ·lazyAddSI32F64NEON
#define ADD_W ·lazyAddWI32F64NEON
#include "lazy_kernels_arm64.h"
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES      Rows_Val32
#define VALUE_SHIFT 2
#define NEXT_VALUE \
	FMOVS.P 4(VAL), F0 \
	FCVTSD  F0, F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define DOT ·lazyDotI32F32NEON
#define DOT_MAP ·lazyDotMapI32F32NEON
#define ADD_U ·lazyAddUI32F32NEON
#define MOVE_ADD_U ·lazyMoveAddUI32F32NEON
#define ADD_S ·lazyAddSI32F32NEON
#define ADD_W ·lazyAddWI32F32NEON
#include "lazy_kernels_arm64.h"
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES      Rows_Scale
#define VALUE_SHIFT 3
#define NEXT_VALUE
#define MULTIPLY_ADD(y, acc) FADDD y, acc, acc
#define TIMES_X(c, out) FMOVD c, out
// Without a scale, every value is 1.
#define SCALE(y) \
	CBZ   VALUE_BASE, 3(PC)         \
	FMOVD (VALUE_BASE)(ROW<<3), F0  \
	FMULD F0, y, y
#define DOT ·lazyDotI32OnesNEON
#define DOT_MAP ·lazyDotMapI32OnesNEON
#define ADD_U ·lazyAddUI32OnesNEON
#define MOVE_ADD_U ·lazyMoveAddUI32OnesNEON
#define ADD_S ·lazyAddSI32OnesNEON
#define ADD_W ·lazyAddWI32OnesNEON
#include "lazy_kernels_arm64.h"
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W

#undef INDICES
#undef INDEX_SHIFT
#undef NEXT_INDEX

// 16-bit column indices.
#define INDICES     Rows_Idx16
#define INDEX_SHIFT 1
#define NEXT_INDEX  MOVHU.P 2(IDX), RECORD

#define VALUES      Rows_Val64
#define VALUE_SHIFT 3
#define NEXT_VALUE  FMOVD.P 8(VAL), F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define DOT ·lazyDotI16F64NEON
#define DOT_MAP ·lazyDotMapI16F64NEON
#define ADD_U ·lazyAddUI16F64NEON
#define MOVE_ADD_U ·lazyMoveAddUI16F64NEON
#define ADD_S ·lazyAddSI16F64NEON
#define ADD_W ·lazyAddWI16F64NEON
#include "lazy_kernels_arm64.h"
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES      Rows_Val32
#define VALUE_SHIFT 2
#define NEXT_VALUE \
	FMOVS.P 4(VAL), F0 \
	FCVTSD  F0, F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define DOT ·lazyDotI16F32NEON
#define DOT_MAP ·lazyDotMapI16F32NEON
#define ADD_U ·lazyAddUI16F32NEON
#define MOVE_ADD_U ·lazyMoveAddUI16F32NEON
#define ADD_S ·lazyAddSI16F32NEON
#define ADD_W ·lazyAddWI16F32NEON
#include "lazy_kernels_arm64.h"
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES      Rows_Scale
#define VALUE_SHIFT 3
#define NEXT_VALUE
#define MULTIPLY_ADD(y, acc) FADDD y, acc, acc
#define TIMES_X(c, out) FMOVD c, out
// Without a scale, every value is 1.
#define SCALE(y) \
	CBZ   VALUE_BASE, 3(PC)         \
	FMOVD (VALUE_BASE)(ROW<<3), F0  \
	FMULD F0, y, y
#define DOT ·lazyDotI16OnesNEON
#define DOT_MAP ·lazyDotMapI16OnesNEON
#define ADD_U ·lazyAddUI16OnesNEON
#define MOVE_ADD_U ·lazyMoveAddUI16OnesNEON
#define ADD_S ·lazyAddSI16OnesNEON
#define ADD_W ·lazyAddWI16OnesNEON
#include "lazy_kernels_arm64.h"
#undef VALUES
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W

#undef INDICES
#undef INDEX_SHIFT
#undef NEXT_INDEX
