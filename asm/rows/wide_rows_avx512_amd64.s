//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "wide_rows_amd64.h"
#include "wide_rows_avx512_amd64.h"

// Assembly because Go's compiler does not vectorise and offers no fused multiply-add
// on vectors. The definitions are the twins in wide_rows.go.

DATA rowsOne<>+0(SB)/8, $1.0
GLOBL rowsOne<>(SB), RODATA|NOPTR, $8

// In the order of the layouts.
#define I32
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32F64AVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32F32AVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32OnesAVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define I16
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16F64AVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16F32AVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16OnesAVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define I32
#include "indices_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32DecimalsAVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI32CodesAVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define I16
#include "indices_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16DecimalsAVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define MUL_ROWS wideMulRowsI16CodesAVX512<>
#include "wide_rows_kernels_avx512_amd64.h"

// The entries, which jump to the kernel of the layout of m.

// func wideMulRowsAVX512(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
TEXT ·wideMulRowsAVX512(SB), NOSPLIT, $0-96
	TO_LAYOUT(m+24(FP), wideMulRowsOf<>)
GLOBL wideMulRowsOf<>(SB), RODATA|NOPTR, $80
