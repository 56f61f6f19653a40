// How the kernels take values: float64 (F64), float32 (F32), none (ONES), where the rows
// have scales, whole numbers of a unit (DECIMALS) or places in a table (CODES). The
// includer defines one of these. VAL is the next value.
#ifdef VALUES
#undef VALUES
#undef LAYOUT
#undef VALUE_SHIFT
#undef NEXT_VALUE
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef LOAD_UNIT
#undef BROADCAST_X
#undef BROADCAST_ROW
#else
#define HIGH       F14 // of DECIMALS
#define LOW        F15
#define TABLE_BASE R20 // of CODES
#endif

#ifdef F64
#undef F64
#define LAYOUT LAYOUT_OF(const_I32F64, const_I16F64)
#define VALUES      Matrix_Val64
#define VALUE_SHIFT 3
#define NEXT_VALUE  FMOVD.P 8(VAL), F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
// What NEXT_VALUE needs of the matrix, in registers that nothing else has.
#define LOAD_UNIT(m)
// V30 = the next value in both lanes; the value of all entries of the row, where there is one
#define BROADCAST_X \
	NEXT_VALUE           \
	VDUP V0.D[0], V30.D2
#define BROADCAST_ROW
#endif

#ifdef F32
#undef F32
#define LAYOUT LAYOUT_OF(const_I32F32, const_I16F32)
#define VALUES      Matrix_Val32
#define VALUE_SHIFT 2
#define NEXT_VALUE \
	FMOVS.P 4(VAL), F0 \
	FCVTSD  F0, F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define LOAD_UNIT(m)
#define BROADCAST_X \
	NEXT_VALUE           \
	VDUP V0.D[0], V30.D2
#define BROADCAST_ROW
#endif

#ifdef DECIMALS
#undef DECIMALS
#define LAYOUT LAYOUT_OF(const_I32Decimals, const_I16Decimals)
#define VALUES      Matrix_Decimals
#define VALUE_SHIFT 2
#define LOAD_UNIT(m) \
	MOVD  Matrix_Unit(m), R21  \
	FMOVD Unit_High(R21), HIGH \
	FMOVD Unit_Low(R21), LOW
// n High + n Low
#define NEXT_VALUE \
	MOVW.P  4(VAL), R21         \
	SCVTFD  R21, F0             \
	FMULD   LOW, F0, F13        \
	FMADDD  HIGH, F13, F0, F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define BROADCAST_X \
	NEXT_VALUE           \
	VDUP V0.D[0], V30.D2
#define BROADCAST_ROW
#endif

#ifdef CODES
#undef CODES
#define LAYOUT LAYOUT_OF(const_I32Codes, const_I16Codes)
#define VALUES      Matrix_Codes
#define VALUE_SHIFT 1
#define LOAD_UNIT(m) MOVD Matrix_Table(m), TABLE_BASE
#define NEXT_VALUE \
	MOVHU.P 2(VAL), R21               \
	FMOVD   (TABLE_BASE)(R21<<3), F0
#define MULTIPLY_ADD(y, acc) FMADDD F0, acc, y, acc
#define TIMES_X(c, out) FMULD F0, c, out
#define SCALE(y)
#define BROADCAST_X \
	NEXT_VALUE           \
	VDUP V0.D[0], V30.D2
#define BROADCAST_ROW
#endif

#ifdef ONES
#undef ONES
#define LAYOUT LAYOUT_OF(const_I32Ones, const_I16Ones)
#define VALUES      Matrix_Scale
#define VALUE_SHIFT 3
#define LOAD_UNIT(m)
#define NEXT_VALUE
#define MULTIPLY_ADD(y, acc) FADDD y, acc, acc
#define TIMES_X(c, out) FMOVD c, out
// Without a scale, every value is 1.
#define SCALE(y) \
	CBZ   VALUE_BASE, 3(PC)        \
	FMOVD (VALUE_BASE)(ROW<<3), F0 \
	FMULD F0, y, y
#define BROADCAST_X
#define BROADCAST_ROW \
	FMOVD $1.0, F0                 \
	CBZ   VALUE_BASE, 2(PC)        \
	FMOVD (VALUE_BASE)(ROW<<3), F0 \
	VDUP  V0.D[0], V30.D2
#endif
