//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lanes_arm64.h"
#include "lazy_arm64.h"

// In the order of the layouts.
#define I32
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define DOT        lazyDotI32F64NEON<>
#define DOT_MAP    lazyDotMapI32F64NEON<>
#define ADD_U      lazyAddUI32F64NEON<>
#define MOVE_ADD_U lazyMoveAddUI32F64NEON<>
#define ADD_S      lazyAddSI32F64NEON<>
#define ADD_W      lazyAddWI32F64NEON<>
#include "lazy_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define DOT        lazyDotI32F32NEON<>
#define DOT_MAP    lazyDotMapI32F32NEON<>
#define ADD_U      lazyAddUI32F32NEON<>
#define MOVE_ADD_U lazyMoveAddUI32F32NEON<>
#define ADD_S      lazyAddSI32F32NEON<>
#define ADD_W      lazyAddWI32F32NEON<>
#include "lazy_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define DOT        lazyDotI32OnesNEON<>
#define DOT_MAP    lazyDotMapI32OnesNEON<>
#define ADD_U      lazyAddUI32OnesNEON<>
#define MOVE_ADD_U lazyMoveAddUI32OnesNEON<>
#define ADD_S      lazyAddSI32OnesNEON<>
#define ADD_W      lazyAddWI32OnesNEON<>
#include "lazy_kernels_arm64.h"

#define I16
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define DOT        lazyDotI16F64NEON<>
#define DOT_MAP    lazyDotMapI16F64NEON<>
#define ADD_U      lazyAddUI16F64NEON<>
#define MOVE_ADD_U lazyMoveAddUI16F64NEON<>
#define ADD_S      lazyAddSI16F64NEON<>
#define ADD_W      lazyAddWI16F64NEON<>
#include "lazy_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define DOT        lazyDotI16F32NEON<>
#define DOT_MAP    lazyDotMapI16F32NEON<>
#define ADD_U      lazyAddUI16F32NEON<>
#define MOVE_ADD_U lazyMoveAddUI16F32NEON<>
#define ADD_S      lazyAddSI16F32NEON<>
#define ADD_W      lazyAddWI16F32NEON<>
#include "lazy_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define DOT        lazyDotI16OnesNEON<>
#define DOT_MAP    lazyDotMapI16OnesNEON<>
#define ADD_U      lazyAddUI16OnesNEON<>
#define MOVE_ADD_U lazyMoveAddUI16OnesNEON<>
#define ADD_S      lazyAddSI16OnesNEON<>
#define ADD_W      lazyAddWI16OnesNEON<>
#include "lazy_kernels_arm64.h"

#define I32
#include "indices_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define DOT        lazyDotI32DecimalsNEON<>
#define DOT_MAP    lazyDotMapI32DecimalsNEON<>
#define ADD_U      lazyAddUI32DecimalsNEON<>
#define MOVE_ADD_U lazyMoveAddUI32DecimalsNEON<>
#define ADD_S      lazyAddSI32DecimalsNEON<>
#define ADD_W      lazyAddWI32DecimalsNEON<>
#include "lazy_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define DOT        lazyDotI32CodesNEON<>
#define DOT_MAP    lazyDotMapI32CodesNEON<>
#define ADD_U      lazyAddUI32CodesNEON<>
#define MOVE_ADD_U lazyMoveAddUI32CodesNEON<>
#define ADD_S      lazyAddSI32CodesNEON<>
#define ADD_W      lazyAddWI32CodesNEON<>
#include "lazy_kernels_arm64.h"

#define I16
#include "indices_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define DOT        lazyDotI16DecimalsNEON<>
#define DOT_MAP    lazyDotMapI16DecimalsNEON<>
#define ADD_U      lazyAddUI16DecimalsNEON<>
#define MOVE_ADD_U lazyMoveAddUI16DecimalsNEON<>
#define ADD_S      lazyAddSI16DecimalsNEON<>
#define ADD_W      lazyAddWI16DecimalsNEON<>
#include "lazy_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define DOT        lazyDotI16CodesNEON<>
#define DOT_MAP    lazyDotMapI16CodesNEON<>
#define ADD_U      lazyAddUI16CodesNEON<>
#define MOVE_ADD_U lazyMoveAddUI16CodesNEON<>
#define ADD_S      lazyAddSI16CodesNEON<>
#define ADD_W      lazyAddWI16CodesNEON<>
#include "lazy_kernels_arm64.h"

// The entries, which jump to the kernel of the layout of m.

// func lazyDotNEON(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)
TEXT ·lazyDotNEON(SB), NOSPLIT, $0-136
	TO_LAYOUT(m+48(FP), lazyDotOf<>)
GLOBL lazyDotOf<>(SB), RODATA|NOPTR, $80

// func lazyDotMapNEON(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)
TEXT ·lazyDotMapNEON(SB), NOSPLIT, $0-112
	TO_LAYOUT(m+24(FP), lazyDotMapOf<>)
GLOBL lazyDotMapOf<>(SB), RODATA|NOPTR, $80

// func lazyAddWNEON(m *Matrix, list []uint32, rec []Record, c []float64)
TEXT ·lazyAddWNEON(SB), NOSPLIT, $0-80
	TO_LAYOUT(m+0(FP), lazyAddWOf<>)
GLOBL lazyAddWOf<>(SB), RODATA|NOPTR, $80

// func lazyAddUNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
TEXT ·lazyAddUNEON(SB), NOSPLIT, $0-104
	TO_LAYOUT(m+24(FP), lazyAddUOf<>)
GLOBL lazyAddUOf<>(SB), RODATA|NOPTR, $80

// func lazyMoveAddUNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
TEXT ·lazyMoveAddUNEON(SB), NOSPLIT, $0-112
	TO_LAYOUT(m+24(FP), lazyMoveAddUOf<>)
GLOBL lazyMoveAddUOf<>(SB), RODATA|NOPTR, $80

// func lazyAddSNEON(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
TEXT ·lazyAddSNEON(SB), NOSPLIT, $0-104
	TO_LAYOUT(m+24(FP), lazyAddSOf<>)
GLOBL lazyAddSOf<>(SB), RODATA|NOPTR, $80
