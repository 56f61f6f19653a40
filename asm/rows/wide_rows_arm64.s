//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "wide_rows_arm64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// wide_rows.go.

// In the order of the layouts.
#define I32
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI32F64NEON<>
#define ADD_ROWS wideAddRowsI32F64NEON<>
#include "wide_rows_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI32F32NEON<>
#define ADD_ROWS wideAddRowsI32F32NEON<>
#include "wide_rows_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI32OnesNEON<>
#define ADD_ROWS wideAddRowsI32OnesNEON<>
#include "wide_rows_kernels_arm64.h"

#define I16
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI16F64NEON<>
#define ADD_ROWS wideAddRowsI16F64NEON<>
#include "wide_rows_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI16F32NEON<>
#define ADD_ROWS wideAddRowsI16F32NEON<>
#include "wide_rows_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI16OnesNEON<>
#define ADD_ROWS wideAddRowsI16OnesNEON<>
#include "wide_rows_kernels_arm64.h"

#define I32
#include "indices_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI32DecimalsNEON<>
#define ADD_ROWS wideAddRowsI32DecimalsNEON<>
#include "wide_rows_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI32CodesNEON<>
#define ADD_ROWS wideAddRowsI32CodesNEON<>
#include "wide_rows_kernels_arm64.h"

#define I16
#include "indices_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI16DecimalsNEON<>
#define ADD_ROWS wideAddRowsI16DecimalsNEON<>
#include "wide_rows_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define MUL_ROWS wideMulRowsI16CodesNEON<>
#define ADD_ROWS wideAddRowsI16CodesNEON<>
#include "wide_rows_kernels_arm64.h"

// The entries, which jump to the kernel of the layout of m.

// func wideMulRowsNEON(dst []float64, m *Matrix, list []uint32, first, width int, w []float64)
TEXT ·wideMulRowsNEON(SB), NOSPLIT, $0-96
	TO_LAYOUT(m+24(FP), wideMulRowsOf<>)
GLOBL wideMulRowsOf<>(SB), RODATA|NOPTR, $80

// func wideAddRowsNEON(w []float64, m *Matrix, list []uint32, first, width int, c []float64)
TEXT ·wideAddRowsNEON(SB), NOSPLIT, $0-96
	TO_LAYOUT(m+24(FP), wideAddRowsOf<>)
GLOBL wideAddRowsOf<>(SB), RODATA|NOPTR, $80
