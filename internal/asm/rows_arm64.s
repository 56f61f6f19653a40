//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lanes_arm64.h"
#include "rows_arm64.h"

// 32-bit column indices.
#define INDICES     Rows_Idx32
#define INDEX_SHIFT 2
#define NEXT_INDEX  MOVWU.P 4(IDX), J

#include "rows_float64_arm64.h"
#define DOT_ROWS  ·rowsDotI32F64NEON
#define DOT2_ROWS ·rowsDot2I32F64NEON
#define ADD_ROWS  ·rowsAddI32F64NEON
#include "rows_kernels_arm64.h"

#include "rows_float32_arm64.h"
#define DOT_ROWS  ·rowsDotI32F32NEON
#define DOT2_ROWS ·rowsDot2I32F32NEON
#define ADD_ROWS  ·rowsAddI32F32NEON
#include "rows_kernels_arm64.h"

#include "rows_ones_arm64.h"
#define DOT_ROWS  ·rowsDotI32OnesNEON
#define DOT2_ROWS ·rowsDot2I32OnesNEON
#define ADD_ROWS  ·rowsAddI32OnesNEON
#include "rows_kernels_arm64.h"

#undef INDICES
#undef INDEX_SHIFT
#undef NEXT_INDEX

// 16-bit column indices.
#define INDICES     Rows_Idx16
#define INDEX_SHIFT 1
#define NEXT_INDEX  MOVHU.P 2(IDX), J

#include "rows_float64_arm64.h"
#define DOT_ROWS  ·rowsDotI16F64NEON
#define DOT2_ROWS ·rowsDot2I16F64NEON
#define ADD_ROWS  ·rowsAddI16F64NEON
#include "rows_kernels_arm64.h"

#include "rows_float32_arm64.h"
#define DOT_ROWS  ·rowsDotI16F32NEON
#define DOT2_ROWS ·rowsDot2I16F32NEON
#define ADD_ROWS  ·rowsAddI16F32NEON
#include "rows_kernels_arm64.h"

#include "rows_ones_arm64.h"
#define DOT_ROWS  ·rowsDotI16OnesNEON
#define DOT2_ROWS ·rowsDot2I16OnesNEON
#define ADD_ROWS  ·rowsAddI16OnesNEON
#include "rows_kernels_arm64.h"
