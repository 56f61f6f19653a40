// The kernels of one layout. The includer defines their names and includes
// indices_arm64.h and values_arm64.h.

// func(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)
DATA lazyDotOf<>+(LAYOUT*8)(SB)/8, $DOT(SB)
TEXT DOT(SB), NOSPLIT, $0-136
#define MATRIX    m+48(FP)
#define LIST_BASE list_base+56(FP)
#define LIST_LEN  list_len+64(FP)
#define RECORDS   rec_base+104(FP)
#define ROW_BEGIN \
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23) \
	ZERO_LANES(F24, F25, F26, F27, F28, F29, F30, F31)
// W = fma(-U, now-Last, W); Last = now; acc += x*(W, U)
#define STEP(accW, accU) \
	NEXT_RECORD                 \
	FLDPD  Record_W(RECORD), (F1, F2) \
	FMOVD  Record_U(RECORD), F3      \
	FSUBD  F2, NOW, F2          \
	FMSUBD F2, F1, F3, F1       \
	FSTPD  (F1, NOW), Record_W(RECORD) \
	NEXT_VALUE                  \
	MULTIPLY_ADD(F1, accW)      \
	MULTIPLY_ADD(F3, accU)
#define ROW_END \
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23) \
	FOLD(F24, F25, F26, F27, F28, F29, F30, F31) \
	SCALE(F16)                  \
	SCALE(F24)                  \
	MOVD  outW_base+0(FP), T    \
	FMOVD F16, (T)(K<<3)        \
	MOVD  outU_base+24(FP), T   \
	FMOVD F24, (T)(K<<3)

	FMOVD now+128(FP), NOW
#include "lazy_walk_arm64.h"
#undef MATRIX
#undef LIST_BASE
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef STEP
#undef ROW_END

// func(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)
DATA lazyDotMapOf<>+(LAYOUT*8)(SB)/8, $DOT_MAP(SB)
TEXT DOT_MAP(SB), NOSPLIT, $0-112
#define MATRIX    m+24(FP)
#define LIST_BASE list_base+32(FP)
#define LIST_LEN  list_len+40(FP)
#define RECORDS   rec_base+56(FP)
#define ROW_BEGIN ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23)
// {a, b, c, d} = table[step-Last], cut to the table's range;
// W, U = fma(a, W, b*U), fma(c, W, d*U); Last = step; acc += x*W
#define STEP(acc, unused) \
	NEXT_RECORD                   \
	FLDPD  Record_W(RECORD), (F1, F2)  \
	FMOVD  Record_U(RECORD), F3        \
	FSUBD  F2, NOW, F2            \
	FCVTZSD F2, T                 \
	CMP    $0, T                  \
	CSEL   LT, ZR, T, T           \
	CMP    TOP, T                 \
	CSEL   GT, TOP, T, T          \
	ADD    T<<5, TABLE, T         \
	FLDPD  (T), (F4, F5)          \
	FMULD  F3, F5, F5             \
	FMADDD F1, F5, F4, F5         \
	FLDPD  16(T), (F4, F2)        \
	FMULD  F3, F2, F2             \
	FMADDD F1, F2, F4, F2         \
	FSTPD  (F5, NOW), Record_W(RECORD) \
	FMOVD  F2, Record_U(RECORD)        \
	NEXT_VALUE                    \
	MULTIPLY_ADD(F5, acc)
#define ROW_END \
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23) \
	SCALE(F16)               \
	MOVD  outW_base+0(FP), T \
	FMOVD F16, (T)(K<<3)

	FMOVD step+80(FP), NOW
	MOVD  table_base+88(FP), TABLE
	MOVD  table_len+96(FP), TOP
	SUB   $1, TOP, TOP
#include "lazy_walk_arm64.h"
#undef MATRIX
#undef LIST_BASE
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef STEP
#undef ROW_END

// func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
#define MATRIX    m+24(FP)
#define LIST_BASE list_base+32(FP)
#define LIST_LEN  list_len+40(FP)
#define RECORDS   rec_base+56(FP)
#define ROW_BEGIN \
	ZERO_LANES(F16, F17, F18, F19, F20, F21, F22, F23) \
	COEFFICIENT(c_base+80(FP))
#define ROW_END \
	FOLD(F16, F17, F18, F19, F20, F21, F22, F23) \
	MOVD  change_base+0(FP), T \
	FMOVD F16, (T)(K<<3)

DATA lazyAddUOf<>+(LAYOUT*8)(SB)/8, $ADD_U(SB)
TEXT ADD_U(SB), NOSPLIT, $0-104
// d = c*x; acc = fma(d, U+(U+d), acc); U, S = U+d, 0
#define STEP(acc, unused) \
	NEXT_RECORD           \
	NEXT_VALUE            \
	FMOVD  Record_U(RECORD), F1 \
	TIMES_X(C, F3)        \
	FADDD  F3, F1, F2     \
	FADDD  F2, F1, F1     \
	FSTPD  (F2, F4), Record_U(RECORD) \
	FMADDD F1, acc, F3, acc

	FMOVD ZR, F4
#include "lazy_walk_arm64.h"
#undef STEP

// func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
DATA lazyMoveAddUOf<>+(LAYOUT*8)(SB)/8, $MOVE_ADD_U(SB)
TEXT MOVE_ADD_U(SB), NOSPLIT, $0-112
// W = fma(-U, now-Last, W); Last = now; then as ADD_U
#define STEP(acc, unused) \
	NEXT_RECORD           \
	NEXT_VALUE            \
	FLDPD  Record_W(RECORD), (F2, F5) \
	FMOVD  Record_U(RECORD), F1 \
	FSUBD  F5, NOW, F5    \
	FMSUBD F5, F2, F1, F2 \
	FSTPD  (F2, NOW), Record_W(RECORD) \
	TIMES_X(C, F3)        \
	FADDD  F3, F1, F2     \
	FADDD  F2, F1, F1     \
	FSTPD  (F2, F4), Record_U(RECORD) \
	FMADDD F1, acc, F3, acc

	FMOVD ZR, F4
	FMOVD now+104(FP), NOW
#include "lazy_walk_arm64.h"
#undef STEP

// func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
DATA lazyAddSOf<>+(LAYOUT*8)(SB)/8, $ADD_S(SB)
TEXT ADD_S(SB), NOSPLIT, $0-104
// d = c*x; acc = fma(d, S+(S+d), acc); S = S+d
#define STEP(acc, unused) \
	NEXT_RECORD            \
	NEXT_VALUE             \
	FMOVD  Record_S(RECORD), F1 \
	TIMES_X(C, F3)         \
	FADDD  F3, F1, F2      \
	FADDD  F2, F1, F1      \
	FMOVD  F2, Record_S(RECORD) \
	FMADDD F1, acc, F3, acc

#define BACKWARD
#include "lazy_walk_arm64.h"
#undef BACKWARD
#undef STEP
#undef MATRIX
#undef LIST_BASE
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef ROW_END

// func(m *Matrix, list []uint32, rec []Record, c []float64)
DATA lazyAddWOf<>+(LAYOUT*8)(SB)/8, $ADD_W(SB)
TEXT ADD_W(SB), NOSPLIT, $0-80
#define MATRIX    m+0(FP)
#define LIST_BASE list_base+8(FP)
#define LIST_LEN  list_len+16(FP)
#define RECORDS   rec_base+32(FP)
#define ROW_BEGIN COEFFICIENT(c_base+56(FP))
#define ROW_END
// W = fma(c, x, W)
#define STEP(unused, alsoUnused) \
	NEXT_RECORD            \
	NEXT_VALUE             \
	FMOVD Record_W(RECORD), F1  \
	MULTIPLY_ADD(C, F1)    \
	FMOVD F1, Record_W(RECORD)

#include "lazy_walk_arm64.h"
#undef STEP
#undef MATRIX
#undef LIST_BASE
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef ROW_END

#undef DOT
#undef DOT_MAP
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W
