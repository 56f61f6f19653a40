//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "rows_avx2_amd64.h"

// Eight ones, eight zeros: a window that begins at element 8-n masks the first
// n of eight lanes.
DATA ·rowsMask+0(SB)/8, $-1
DATA ·rowsMask+8(SB)/8, $-1
DATA ·rowsMask+16(SB)/8, $-1
DATA ·rowsMask+24(SB)/8, $-1
DATA ·rowsMask+32(SB)/8, $-1
DATA ·rowsMask+40(SB)/8, $-1
DATA ·rowsMask+48(SB)/8, $-1
DATA ·rowsMask+56(SB)/8, $-1
DATA ·rowsMask+64(SB)/8, $0
DATA ·rowsMask+72(SB)/8, $0
DATA ·rowsMask+80(SB)/8, $0
DATA ·rowsMask+88(SB)/8, $0
DATA ·rowsMask+96(SB)/8, $0
DATA ·rowsMask+104(SB)/8, $0
DATA ·rowsMask+112(SB)/8, $0
DATA ·rowsMask+120(SB)/8, $0
GLOBL ·rowsMask(SB), RODATA|NOPTR, $128

// A window that begins at element 7-n masks lane n of eight.
DATA rowsLane<>+56(SB)/8, $-1
GLOBL rowsLane<>(SB), RODATA|NOPTR, $120

// In the order of the layouts.
#define I32
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define DOT  rowsDotI32F64AVX2<>
#define DOT2 rowsDot2I32F64AVX2<>
#define ADD  rowsAddI32F64AVX2<>
#include "rows_kernels_avx2_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define DOT  rowsDotI32F32AVX2<>
#define DOT2 rowsDot2I32F32AVX2<>
#define ADD  rowsAddI32F32AVX2<>
#include "rows_kernels_avx2_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define DOT  rowsDotI32OnesAVX2<>
#define DOT2 rowsDot2I32OnesAVX2<>
#define ADD  rowsAddI32OnesAVX2<>
#include "rows_kernels_avx2_amd64.h"

#define I16
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define DOT  rowsDotI16F64AVX2<>
#define DOT2 rowsDot2I16F64AVX2<>
#define ADD  rowsAddI16F64AVX2<>
#include "rows_kernels_avx2_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define DOT  rowsDotI16F32AVX2<>
#define DOT2 rowsDot2I16F32AVX2<>
#define ADD  rowsAddI16F32AVX2<>
#include "rows_kernels_avx2_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define DOT  rowsDotI16OnesAVX2<>
#define DOT2 rowsDot2I16OnesAVX2<>
#define ADD  rowsAddI16OnesAVX2<>
#include "rows_kernels_avx2_amd64.h"

#define I32
#include "indices_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define DOT  rowsDotI32DecimalsAVX2<>
#define DOT2 rowsDot2I32DecimalsAVX2<>
#define ADD  rowsAddI32DecimalsAVX2<>
#include "rows_kernels_avx2_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define DOT  rowsDotI32CodesAVX2<>
#define DOT2 rowsDot2I32CodesAVX2<>
#define ADD  rowsAddI32CodesAVX2<>
#include "rows_kernels_avx2_amd64.h"

#define I16
#include "indices_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define DOT  rowsDotI16DecimalsAVX2<>
#define DOT2 rowsDot2I16DecimalsAVX2<>
#define ADD  rowsAddI16DecimalsAVX2<>
#include "rows_kernels_avx2_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define DOT  rowsDotI16CodesAVX2<>
#define DOT2 rowsDot2I16CodesAVX2<>
#define ADD  rowsAddI16CodesAVX2<>
#include "rows_kernels_avx2_amd64.h"

// The entries, which jump to the kernel of the layout of m.

// func rowsDotAVX2(out []float64, m *Matrix, list []uint32, first int, w []float64)
TEXT ·rowsDotAVX2(SB), NOSPLIT, $0-88
	TO_LAYOUT(m+24(FP), rowsDotOf<>)
GLOBL rowsDotOf<>(SB), RODATA|NOPTR, $80

// func rowsDot2AVX2(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)
TEXT ·rowsDot2AVX2(SB), NOSPLIT, $0-136
	TO_LAYOUT(m+48(FP), rowsDot2Of<>)
GLOBL rowsDot2Of<>(SB), RODATA|NOPTR, $80

// func rowsAddAVX2(w []float64, m *Matrix, list []uint32, first int, c []float64)
TEXT ·rowsAddAVX2(SB), NOSPLIT, $0-88
	TO_LAYOUT(m+24(FP), rowsAddOf<>)
GLOBL rowsAddOf<>(SB), RODATA|NOPTR, $80
