//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lanes_arm64.h"
#include "rows_arm64.h"

// In the order of the layouts.
#define I32
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI32F64NEON<>
#define DOT2_ROWS   rowsDot2I32F64NEON<>
#define ADD_ROWS    rowsAddI32F64NEON<>
#include "rows_kernels_arm64.h"
#define DOT_VECTOR  ·vectorDotI32F64NEON
#include "vector_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI32F32NEON<>
#define DOT2_ROWS   rowsDot2I32F32NEON<>
#define ADD_ROWS    rowsAddI32F32NEON<>
#include "rows_kernels_arm64.h"
#define DOT_VECTOR  ·vectorDotI32F32NEON
#include "vector_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI32OnesNEON<>
#define DOT2_ROWS   rowsDot2I32OnesNEON<>
#define ADD_ROWS    rowsAddI32OnesNEON<>
#include "rows_kernels_arm64.h"
#define DOT_VECTOR  ·vectorDotI32OnesNEON
#include "vector_kernels_arm64.h"

#define I16
#include "indices_arm64.h"

#define F64
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI16F64NEON<>
#define DOT2_ROWS   rowsDot2I16F64NEON<>
#define ADD_ROWS    rowsAddI16F64NEON<>
#include "rows_kernels_arm64.h"
#define DOT_VECTOR  ·vectorDotI16F64NEON
#include "vector_kernels_arm64.h"

#define F32
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI16F32NEON<>
#define DOT2_ROWS   rowsDot2I16F32NEON<>
#define ADD_ROWS    rowsAddI16F32NEON<>
#include "rows_kernels_arm64.h"
#define DOT_VECTOR  ·vectorDotI16F32NEON
#include "vector_kernels_arm64.h"

#define ONES
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI16OnesNEON<>
#define DOT2_ROWS   rowsDot2I16OnesNEON<>
#define ADD_ROWS    rowsAddI16OnesNEON<>
#include "rows_kernels_arm64.h"
#define DOT_VECTOR  ·vectorDotI16OnesNEON
#include "vector_kernels_arm64.h"

#define I32
#include "indices_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI32DecimalsNEON<>
#define DOT2_ROWS   rowsDot2I32DecimalsNEON<>
#define ADD_ROWS    rowsAddI32DecimalsNEON<>
#include "rows_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI32CodesNEON<>
#define DOT2_ROWS   rowsDot2I32CodesNEON<>
#define ADD_ROWS    rowsAddI32CodesNEON<>
#include "rows_kernels_arm64.h"

#define I16
#include "indices_arm64.h"

#define DECIMALS
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI16DecimalsNEON<>
#define DOT2_ROWS   rowsDot2I16DecimalsNEON<>
#define ADD_ROWS    rowsAddI16DecimalsNEON<>
#include "rows_kernels_arm64.h"

#define CODES
#include "values_arm64.h"
#define DOT_ROWS    rowsDotI16CodesNEON<>
#define DOT2_ROWS   rowsDot2I16CodesNEON<>
#define ADD_ROWS    rowsAddI16CodesNEON<>
#include "rows_kernels_arm64.h"

// The entries, which jump to the kernel of the layout of m.

// func rowsDotNEON(out []float64, m *Matrix, list []uint32, first int, w []float64)
TEXT ·rowsDotNEON(SB), NOSPLIT, $0-88
	TO_LAYOUT(m+24(FP), rowsDotOf<>)
GLOBL rowsDotOf<>(SB), RODATA|NOPTR, $80

// func rowsDot2NEON(out1, out2 []float64, m *Matrix, list []uint32, first int, w1, w2 []float64)
TEXT ·rowsDot2NEON(SB), NOSPLIT, $0-136
	TO_LAYOUT(m+48(FP), rowsDot2Of<>)
GLOBL rowsDot2Of<>(SB), RODATA|NOPTR, $80

// func rowsAddNEON(w []float64, m *Matrix, list []uint32, first int, c []float64)
TEXT ·rowsAddNEON(SB), NOSPLIT, $0-88
	TO_LAYOUT(m+24(FP), rowsAddOf<>)
GLOBL rowsAddOf<>(SB), RODATA|NOPTR, $80
