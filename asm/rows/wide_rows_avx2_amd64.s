//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "wide_rows_amd64.h"
#include "wide_rows_avx2_amd64.h"

// Assembly because Go's compiler does not vectorise and offers no fused multiply-add
// on vectors. The definitions are the twins in wide_rows.go.

DATA rowsOne<>+0(SB)/8, $1.0
GLOBL rowsOne<>(SB), RODATA|NOPTR, $8

// In the order of the layouts.
#define I32
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32F64AVX2<>
#define ADD_ROWS wideAddRowsI32F64AVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32F32AVX2<>
#define ADD_ROWS wideAddRowsI32F32AVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32OnesAVX2<>
#define ADD_ROWS wideAddRowsI32OnesAVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define I16
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16F64AVX2<>
#define ADD_ROWS wideAddRowsI16F64AVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16F32AVX2<>
#define ADD_ROWS wideAddRowsI16F32AVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16OnesAVX2<>
#define ADD_ROWS wideAddRowsI16OnesAVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define I32
#include "indices_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32DecimalsAVX2<>
#define ADD_ROWS wideAddRowsI32DecimalsAVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32CodesAVX2<>
#define ADD_ROWS wideAddRowsI32CodesAVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define I16
#include "indices_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16DecimalsAVX2<>
#define ADD_ROWS wideAddRowsI16DecimalsAVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16CodesAVX2<>
#define ADD_ROWS wideAddRowsI16CodesAVX2<>
#include "wide_rows_kernels_avx2_amd64.h"

// The entries, which jump to the kernel of the layout of m.

// func wideMulRowsAVX2(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
TEXT ·wideMulRowsAVX2(SB), NOSPLIT, $0-96
	TO_LAYOUT(m+24(FP), wideMulRowsOf<>)
GLOBL wideMulRowsOf<>(SB), RODATA|NOPTR, $80

// func wideAddRowsAVX2(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
TEXT ·wideAddRowsAVX2(SB), NOSPLIT, $0-96
	TO_LAYOUT(m+24(FP), wideAddRowsOf<>)
GLOBL wideAddRowsOf<>(SB), RODATA|NOPTR, $80
