//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "wide_rows_arm64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// wide_rows.go.

// 32-bit column indices.
#define I32
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI32F64NEON
#define ADD_ROWS ·wideAddRowsI32F64NEON
#include "wide_rows_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI32F32NEON
#define ADD_ROWS ·wideAddRowsI32F32NEON
#include "wide_rows_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI32OnesNEON
#define ADD_ROWS ·wideAddRowsI32OnesNEON
#include "wide_rows_kernels_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI32DecimalsNEON
#define ADD_ROWS ·wideAddRowsI32DecimalsNEON
#include "wide_rows_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI32CodesNEON
#define ADD_ROWS ·wideAddRowsI32CodesNEON
#include "wide_rows_kernels_arm64.h"

// 16-bit column indices.
#define I16
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI16F64NEON
#define ADD_ROWS ·wideAddRowsI16F64NEON
#include "wide_rows_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI16F32NEON
#define ADD_ROWS ·wideAddRowsI16F32NEON
#include "wide_rows_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI16OnesNEON
#define ADD_ROWS ·wideAddRowsI16OnesNEON
#include "wide_rows_kernels_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI16DecimalsNEON
#define ADD_ROWS ·wideAddRowsI16DecimalsNEON
#include "wide_rows_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define MUL_ROWS ·wideMulRowsI16CodesNEON
#define ADD_ROWS ·wideAddRowsI16CodesNEON
#include "wide_rows_kernels_arm64.h"
