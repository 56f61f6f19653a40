//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lanes_arm64.h"
#include "lazy_arm64.h"

// 32-bit column indices.
#define INDICES     Rows_Idx32
#define INDEX_SHIFT 2
#define NEXT_INDEX  MOVWU.P 4(IDX), RECORD

#include "rows_float64_arm64.h"
#define DOT        ·lazyDotI32F64NEON
#define DOT_MAP    ·lazyDotMapI32F64NEON
#define ADD_U      ·lazyAddUI32F64NEON
#define MOVE_ADD_U ·lazyMoveAddUI32F64NEON
#define ADD_S      ·lazyAddSI32F64NEON
#define ADD_W      ·lazyAddWI32F64NEON
#include "lazy_kernels_arm64.h"

#include "rows_float32_arm64.h"
#define DOT        ·lazyDotI32F32NEON
#define DOT_MAP    ·lazyDotMapI32F32NEON
#define ADD_U      ·lazyAddUI32F32NEON
#define MOVE_ADD_U ·lazyMoveAddUI32F32NEON
#define ADD_S      ·lazyAddSI32F32NEON
#define ADD_W      ·lazyAddWI32F32NEON
#include "lazy_kernels_arm64.h"

#include "rows_ones_arm64.h"
#define DOT        ·lazyDotI32OnesNEON
#define DOT_MAP    ·lazyDotMapI32OnesNEON
#define ADD_U      ·lazyAddUI32OnesNEON
#define MOVE_ADD_U ·lazyMoveAddUI32OnesNEON
#define ADD_S      ·lazyAddSI32OnesNEON
#define ADD_W      ·lazyAddWI32OnesNEON
#include "lazy_kernels_arm64.h"

#undef INDICES
#undef INDEX_SHIFT
#undef NEXT_INDEX

// 16-bit column indices.
#define INDICES     Rows_Idx16
#define INDEX_SHIFT 1
#define NEXT_INDEX  MOVHU.P 2(IDX), RECORD

#include "rows_float64_arm64.h"
#define DOT        ·lazyDotI16F64NEON
#define DOT_MAP    ·lazyDotMapI16F64NEON
#define ADD_U      ·lazyAddUI16F64NEON
#define MOVE_ADD_U ·lazyMoveAddUI16F64NEON
#define ADD_S      ·lazyAddSI16F64NEON
#define ADD_W      ·lazyAddWI16F64NEON
#include "lazy_kernels_arm64.h"

#include "rows_float32_arm64.h"
#define DOT        ·lazyDotI16F32NEON
#define DOT_MAP    ·lazyDotMapI16F32NEON
#define ADD_U      ·lazyAddUI16F32NEON
#define MOVE_ADD_U ·lazyMoveAddUI16F32NEON
#define ADD_S      ·lazyAddSI16F32NEON
#define ADD_W      ·lazyAddWI16F32NEON
#include "lazy_kernels_arm64.h"

#include "rows_ones_arm64.h"
#define DOT        ·lazyDotI16OnesNEON
#define DOT_MAP    ·lazyDotMapI16OnesNEON
#define ADD_U      ·lazyAddUI16OnesNEON
#define MOVE_ADD_U ·lazyMoveAddUI16OnesNEON
#define ADD_S      ·lazyAddSI16OnesNEON
#define ADD_W      ·lazyAddWI16OnesNEON
#include "lazy_kernels_arm64.h"
