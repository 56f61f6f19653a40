//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lanes_arm64.h"
#include "lazy_arm64.h"

// 32-bit column indices.
#define I32
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define DOT        ·lazyDotI32F64NEON
#define DOT_MAP    ·lazyDotMapI32F64NEON
#define ADD_U      ·lazyAddUI32F64NEON
#define MOVE_ADD_U ·lazyMoveAddUI32F64NEON
#define ADD_S      ·lazyAddSI32F64NEON
#define ADD_W      ·lazyAddWI32F64NEON
#include "lazy_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define DOT        ·lazyDotI32F32NEON
#define DOT_MAP    ·lazyDotMapI32F32NEON
#define ADD_U      ·lazyAddUI32F32NEON
#define MOVE_ADD_U ·lazyMoveAddUI32F32NEON
#define ADD_S      ·lazyAddSI32F32NEON
#define ADD_W      ·lazyAddWI32F32NEON
#include "lazy_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define DOT        ·lazyDotI32OnesNEON
#define DOT_MAP    ·lazyDotMapI32OnesNEON
#define ADD_U      ·lazyAddUI32OnesNEON
#define MOVE_ADD_U ·lazyMoveAddUI32OnesNEON
#define ADD_S      ·lazyAddSI32OnesNEON
#define ADD_W      ·lazyAddWI32OnesNEON
#include "lazy_kernels_arm64.h"

// 16-bit column indices.
#define I16
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define DOT        ·lazyDotI16F64NEON
#define DOT_MAP    ·lazyDotMapI16F64NEON
#define ADD_U      ·lazyAddUI16F64NEON
#define MOVE_ADD_U ·lazyMoveAddUI16F64NEON
#define ADD_S      ·lazyAddSI16F64NEON
#define ADD_W      ·lazyAddWI16F64NEON
#include "lazy_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define DOT        ·lazyDotI16F32NEON
#define DOT_MAP    ·lazyDotMapI16F32NEON
#define ADD_U      ·lazyAddUI16F32NEON
#define MOVE_ADD_U ·lazyMoveAddUI16F32NEON
#define ADD_S      ·lazyAddSI16F32NEON
#define ADD_W      ·lazyAddWI16F32NEON
#include "lazy_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define DOT        ·lazyDotI16OnesNEON
#define DOT_MAP    ·lazyDotMapI16OnesNEON
#define ADD_U      ·lazyAddUI16OnesNEON
#define MOVE_ADD_U ·lazyMoveAddUI16OnesNEON
#define ADD_S      ·lazyAddSI16OnesNEON
#define ADD_W      ·lazyAddWI16OnesNEON
#include "lazy_kernels_arm64.h"
