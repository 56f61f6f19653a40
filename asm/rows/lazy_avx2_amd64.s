//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lazy_avx2_amd64.h"

// A window on these gives the mask of the first n of four lanes.
DATA lazyTail<>+0(SB)/8, $-1
DATA lazyTail<>+8(SB)/8, $-1
DATA lazyTail<>+16(SB)/8, $0
DATA lazyTail<>+24(SB)/8, $0
GLOBL lazyTail<>(SB), RODATA|NOPTR, $32

// In the order of the layouts.
#define I32
#include "indices_amd64.h"

#define F64
#include "lazy_values_amd64.h"
#define DOT        lazyDotI32F64AVX2<>
#define ADD_U      lazyAddUI32F64AVX2<>
#define MOVE_ADD_U lazyMoveAddUI32F64AVX2<>
#define ADD_S      lazyAddSI32F64AVX2<>
#define ADD_W      lazyAddWI32F64AVX2<>
#define DOT_MAP    lazyDotMapI32F64AVX2<>
#define FETCH_ROWS lazyFetchI32F64AVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define F32
#include "lazy_values_amd64.h"
#define DOT        lazyDotI32F32AVX2<>
#define ADD_U      lazyAddUI32F32AVX2<>
#define MOVE_ADD_U lazyMoveAddUI32F32AVX2<>
#define ADD_S      lazyAddSI32F32AVX2<>
#define ADD_W      lazyAddWI32F32AVX2<>
#define DOT_MAP    lazyDotMapI32F32AVX2<>
#define FETCH_ROWS lazyFetchI32F32AVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define ONES
#include "lazy_values_amd64.h"
#define DOT        lazyDotI32OnesAVX2<>
#define ADD_U      lazyAddUI32OnesAVX2<>
#define MOVE_ADD_U lazyMoveAddUI32OnesAVX2<>
#define ADD_S      lazyAddSI32OnesAVX2<>
#define ADD_W      lazyAddWI32OnesAVX2<>
#define DOT_MAP    lazyDotMapI32OnesAVX2<>
#define FETCH_ROWS lazyFetchI32OnesAVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define I16
#include "indices_amd64.h"

#define F64
#include "lazy_values_amd64.h"
#define DOT        lazyDotI16F64AVX2<>
#define ADD_U      lazyAddUI16F64AVX2<>
#define MOVE_ADD_U lazyMoveAddUI16F64AVX2<>
#define ADD_S      lazyAddSI16F64AVX2<>
#define ADD_W      lazyAddWI16F64AVX2<>
#define DOT_MAP    lazyDotMapI16F64AVX2<>
#define FETCH_ROWS lazyFetchI16F64AVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define F32
#include "lazy_values_amd64.h"
#define DOT        lazyDotI16F32AVX2<>
#define ADD_U      lazyAddUI16F32AVX2<>
#define MOVE_ADD_U lazyMoveAddUI16F32AVX2<>
#define ADD_S      lazyAddSI16F32AVX2<>
#define ADD_W      lazyAddWI16F32AVX2<>
#define DOT_MAP    lazyDotMapI16F32AVX2<>
#define FETCH_ROWS lazyFetchI16F32AVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define ONES
#include "lazy_values_amd64.h"
#define DOT        lazyDotI16OnesAVX2<>
#define ADD_U      lazyAddUI16OnesAVX2<>
#define MOVE_ADD_U lazyMoveAddUI16OnesAVX2<>
#define ADD_S      lazyAddSI16OnesAVX2<>
#define ADD_W      lazyAddWI16OnesAVX2<>
#define DOT_MAP    lazyDotMapI16OnesAVX2<>
#define FETCH_ROWS lazyFetchI16OnesAVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define I32
#include "indices_amd64.h"

#define DECIMALS
#include "lazy_values_amd64.h"
#define DOT        lazyDotI32DecimalsAVX2<>
#define ADD_U      lazyAddUI32DecimalsAVX2<>
#define MOVE_ADD_U lazyMoveAddUI32DecimalsAVX2<>
#define ADD_S      lazyAddSI32DecimalsAVX2<>
#define ADD_W      lazyAddWI32DecimalsAVX2<>
#define DOT_MAP    lazyDotMapI32DecimalsAVX2<>
#define FETCH_ROWS lazyFetchI32DecimalsAVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define CODES
#include "lazy_values_amd64.h"
#define DOT        lazyDotI32CodesAVX2<>
#define ADD_U      lazyAddUI32CodesAVX2<>
#define MOVE_ADD_U lazyMoveAddUI32CodesAVX2<>
#define ADD_S      lazyAddSI32CodesAVX2<>
#define ADD_W      lazyAddWI32CodesAVX2<>
#define DOT_MAP    lazyDotMapI32CodesAVX2<>
#define FETCH_ROWS lazyFetchI32CodesAVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define I16
#include "indices_amd64.h"

#define DECIMALS
#include "lazy_values_amd64.h"
#define DOT        lazyDotI16DecimalsAVX2<>
#define ADD_U      lazyAddUI16DecimalsAVX2<>
#define MOVE_ADD_U lazyMoveAddUI16DecimalsAVX2<>
#define ADD_S      lazyAddSI16DecimalsAVX2<>
#define ADD_W      lazyAddWI16DecimalsAVX2<>
#define DOT_MAP    lazyDotMapI16DecimalsAVX2<>
#define FETCH_ROWS lazyFetchI16DecimalsAVX2<>
#include "lazy_kernels_avx2_amd64.h"

#define CODES
#include "lazy_values_amd64.h"
#define DOT        lazyDotI16CodesAVX2<>
#define ADD_U      lazyAddUI16CodesAVX2<>
#define MOVE_ADD_U lazyMoveAddUI16CodesAVX2<>
#define ADD_S      lazyAddSI16CodesAVX2<>
#define ADD_W      lazyAddWI16CodesAVX2<>
#define DOT_MAP    lazyDotMapI16CodesAVX2<>
#define FETCH_ROWS lazyFetchI16CodesAVX2<>
#include "lazy_kernels_avx2_amd64.h"

// The entries, which jump to the kernel of the layout of m.

// func lazyDotAVX2(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)
TEXT ·lazyDotAVX2(SB), NOSPLIT, $0-136
	TO_LAYOUT(m+48(FP), lazyDotOf<>)
GLOBL lazyDotOf<>(SB), RODATA|NOPTR, $80

// func lazyDotMapAVX2(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)
TEXT ·lazyDotMapAVX2(SB), NOSPLIT, $0-112
	TO_LAYOUT(m+24(FP), lazyDotMapOf<>)
GLOBL lazyDotMapOf<>(SB), RODATA|NOPTR, $80

// func lazyAddWAVX2(m *Matrix, list []uint32, rec []Record, c []float64)
TEXT ·lazyAddWAVX2(SB), NOSPLIT, $0-80
	TO_LAYOUT(m+0(FP), lazyAddWOf<>)
GLOBL lazyAddWOf<>(SB), RODATA|NOPTR, $80

// func lazyAddUAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
TEXT ·lazyAddUAVX2(SB), NOSPLIT, $0-104
	TO_LAYOUT(m+24(FP), lazyAddUOf<>)
GLOBL lazyAddUOf<>(SB), RODATA|NOPTR, $80

// func lazyMoveAddUAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
TEXT ·lazyMoveAddUAVX2(SB), NOSPLIT, $0-112
	TO_LAYOUT(m+24(FP), lazyMoveAddUOf<>)
GLOBL lazyMoveAddUOf<>(SB), RODATA|NOPTR, $80

// func lazyAddSAVX2(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
TEXT ·lazyAddSAVX2(SB), NOSPLIT, $0-104
	TO_LAYOUT(m+24(FP), lazyAddSOf<>)
GLOBL lazyAddSOf<>(SB), RODATA|NOPTR, $80

// func lazyFetchAVX2(m *Matrix, list []uint32)
TEXT ·lazyFetchAVX2(SB), NOSPLIT, $0-32
	TO_LAYOUT(m+0(FP), lazyFetchOf<>)
GLOBL lazyFetchOf<>(SB), RODATA|NOPTR, $80
