//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "wide_rows_amd64.h"
#include "wide_rows_avx512_amd64.h"

// Assembly because Go's compiler does not vectorise and offers no fused multiply-add
// on vectors. The definitions are the twins in wide_rows.go.

DATA rowsOne<>+0(SB)/8, $1.0
GLOBL rowsOne<>(SB), RODATA|NOPTR, $8

// 32-bit column indices.
#define I32
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI32F64AVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI32F32AVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI32OnesAVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI32DecimalsAVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI32CodesAVX512
#include "wide_rows_kernels_avx512_amd64.h"

// 16-bit column indices.
#define I16
#include "indices_amd64.h"

#define F64
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI16F64AVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define F32
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI16F32AVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define ONES
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI16OnesAVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define DECIMALS
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI16DecimalsAVX512
#include "wide_rows_kernels_avx512_amd64.h"

#define CODES
#include "rows_values_amd64.h"
#define MUL_ROWS ·wideMulRowsI16CodesAVX512
#include "wide_rows_kernels_avx512_amd64.h"
