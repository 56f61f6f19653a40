// The kernels of one layout. The includer defines their names and includes
// indices_amd64.h and lazy_values_amd64.h.

// func(outW, outU []float64, m *Matrix, list, ahead []uint32, rec []Record, now float64)
DATA lazyDotOf<>+(LAYOUT*8)(SB)/8, $DOT(SB)
TEXT DOT(SB), NOSPLIT, $8-136
#define MATRIX   m+48(FP)
#define LIST     list_base+56(FP)
#define LIST_LEN list_len+64(FP)
#define RECORDS  rec_base+104(FP)
#define AHEAD     ahead_base+80(FP)
#define AHEAD_LEN ahead_len+88(FP)
#define NOW      Y15
#define ROW_BEGIN \
	VXORPD AW, AW, AW \
	VXORPD AU, AU, AU \
	VXORPD BW, BW, BW \
	VXORPD BU, BU, BU
// W = fma(-U, now-Last, W); Last = now; acc += x*(W, U)
#define STEP(accW, accU) \
	GATHER_W_LAST \
	VMOVUPD      Record_U(REC)(P0*1), X0         \
	VMOVUPD      Record_U(REC)(P1*1), X1         \
	VINSERTF128  $1, Record_U(REC)(P2*1), Y0, Y0 \
	VINSERTF128  $1, Record_U(REC)(P3*1), Y1, Y1 \
	VUNPCKLPD    Y1, Y0, Y0                      \
	VSUBPD       Y3, NOW, Y3                     \
	VFNMADD231PD Y3, Y0, Y2                      \
	MULTIPLY_ADD(Y0, accU)                       \
	MULTIPLY_ADD(Y2, accW)                       \
	SCATTER_PAIR(Record_W, Y2, NOW, Y1, X1, Y0, X0)
#define ROW_END \
	FOLD(AW, X8, BW, Y0, X0)       \
	FOLD(AU, X9, BU, Y1, X1)       \
	VHADDPD X9, X8, X8             \
	MOVQ    LIST, T                \
	MOVL    (T)(K*4), P0           \
	VMOVDDUP X8, X0                \
	VUNPCKHPD X8, X8, X1           \
	SCALE(X0)                      \
	SCALE(X1)                      \
	MOVQ    outW_base+0(FP), T     \
	VMOVSD  X0, (T)(K*8)           \
	MOVQ    outU_base+24(FP), T    \
	VMOVSD  X1, (T)(K*8)

	VBROADCASTSD now+128(FP), NOW
#include "lazy_walk_avx2_amd64.h"
#undef MATRIX
#undef LIST
#undef LIST_LEN
#undef RECORDS
#undef NOW
#undef AHEAD
#undef AHEAD_LEN
#undef ROW_BEGIN
#undef STEP
#undef ROW_END

#define COEFFICIENTS Y15
#define COEFFICIENTS_ X15

// func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64)
#define MATRIX   m+24(FP)
#define LIST     list_base+32(FP)
#define LIST_LEN list_len+40(FP)
#define RECORDS  rec_base+56(FP)
#define ROW_BEGIN \
	COEFFICIENT(c_base+80(FP), COEFFICIENTS, COEFFICIENTS_) \
	VXORPD AW, AW, AW \
	VXORPD BW, BW, BW
#define ROW_END \
	FOLD(AW, X8, BW, Y0, X0) \
	VHADDPD X8, X8, X8       \
	MOVQ   change_base+0(FP), T \
	VMOVSD X8, (T)(K*8)

DATA lazyAddUOf<>+(LAYOUT*8)(SB)/8, $ADD_U(SB)
TEXT ADD_U(SB), NOSPLIT, $0-104
// d = c*x; acc = fma(d, U+(U+d), acc); U, S = U+d, 0
#define STEP(acc, unused) \
	GATHER(Record_U, Y0, X0, Y1, X1) \
	ADD_TERMS(acc) \
	SCATTER_PAIR(Record_U, Y2, ZERO, Y1, X1, Y0, X0)

	VXORPD ZERO, ZERO, ZERO
#include "lazy_walk_avx2_amd64.h"
#undef STEP

// func(change []float64, m *Matrix, list []uint32, rec []Record, c []float64, now float64)
DATA lazyMoveAddUOf<>+(LAYOUT*8)(SB)/8, $MOVE_ADD_U(SB)
TEXT MOVE_ADD_U(SB), NOSPLIT, $0-112
#define NOW Y13
// W = fma(-U, now-Last, W); Last = now; then as ADD_U
#define STEP(acc, unused) \
	GATHER_W_LAST \
	GATHER(Record_U, Y0, X0, Y1, X1)             \
	VSUBPD       Y3, NOW, Y3                     \
	VFNMADD231PD Y3, Y0, Y2                      \
	SCATTER_PAIR(Record_W, Y2, NOW, Y1, X1, Y3, X3) \
	ADD_TERMS(acc) \
	SCATTER_PAIR(Record_U, Y2, ZERO, Y1, X1, Y0, X0)

	VXORPD ZERO, ZERO, ZERO
	VBROADCASTSD now+104(FP), NOW
#include "lazy_walk_avx2_amd64.h"
#undef STEP
#undef NOW

DATA lazyAddSOf<>+(LAYOUT*8)(SB)/8, $ADD_S(SB)
TEXT ADD_S(SB), NOSPLIT, $0-104
// d = c*x; acc = fma(d, S+(S+d), acc); S = S+d
#define STEP(acc, unused) \
	GATHER(Record_S, Y0, X0, Y1, X1) \
	ADD_TERMS(acc) \
	SCATTER(Record_S, Y2, X2, X1)

#define BACKWARD
#include "lazy_walk_avx2_amd64.h"
#undef BACKWARD
#undef STEP
#undef MATRIX
#undef LIST
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef ROW_END

// func(m *Matrix, list []uint32, rec []Record, c []float64)
DATA lazyAddWOf<>+(LAYOUT*8)(SB)/8, $ADD_W(SB)
TEXT ADD_W(SB), NOSPLIT, $0-80
#define MATRIX   m+0(FP)
#define LIST     list_base+8(FP)
#define LIST_LEN list_len+16(FP)
#define RECORDS  rec_base+32(FP)
#define ROW_BEGIN COEFFICIENT(c_base+56(FP), COEFFICIENTS, COEFFICIENTS_)
// W = fma(c, x, W)
#define STEP(unused, alsoUnused) \
	GATHER(Record_W, Y0, X0, Y1, X1) \
	MULTIPLY_ADD(COEFFICIENTS, Y0)   \
	SCATTER(Record_W, Y0, X0, X1)
#define ROW_END

#include "lazy_walk_avx2_amd64.h"
#undef STEP
#undef MATRIX
#undef LIST
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef ROW_END
#undef COEFFICIENTS
#undef COEFFICIENTS_

// func(outW []float64, m *Matrix, list []uint32, rec []Record, step float64, table [][4]float64)
DATA lazyDotMapOf<>+(LAYOUT*8)(SB)/8, $DOT_MAP(SB)
TEXT DOT_MAP(SB), NOSPLIT, $0-112
#define MATRIX m+24(FP)
#define NOW   X4
#define FIRST X5
#define LAST  X6
#define TABLE P1
// {a, b, c, d} = table[step-Last], cut to the table's range;
// W, U = fma(a, W, b*U), fma(c, W, d*U); Last = step; acc += x*W
#define MAP_STEP(acc) \
	INDEX(0, E, P0)                         \
	SHLQ         $5, P0                     \
	VSUBSD       Record_Last(REC)(P0*1), NOW, X0 \
	VMAXSD       FIRST, X0, X0              \
	VMINSD       LAST, X0, X0               \
	VCVTTSD2SIQ  X0, T                      \
	SHLQ         $5, T                      \
	VMOVUPD      (TABLE)(T*1), X1           \
	VMOVUPD      16(TABLE)(T*1), X2         \
	VUNPCKHPD    X2, X1, X0                 \
	VUNPCKLPD    X2, X1, X1                 \
	VMOVDDUP     Record_U(REC)(P0*1), X2    \
	VMULPD       X2, X0, X0                 \
	VMOVDDUP     Record_W(REC)(P0*1), X2    \
	VFMADD231PD  X2, X1, X0                 \
	VUNPCKLPD    NOW, X0, X1                \
	VMOVUPD      X1, Record_W(REC)(P0*1)    \
	VMOVHPD      X0, Record_U(REC)(P0*1)    \
	MULTIPLY_ADD_ONE(X0, acc)               \
	INCQ         E
// The same where there is another entry.
#define MAP_NEXT(acc) \
	CMPQ E, END   \
	JGE  done     \
	MAP_STEP(acc)

	MOVQ   MATRIX, T
	MOVQ   rec_base+56(FP), REC
	MOVQ   INDICES(T), IDX
	MOVQ  VALUES(T), VAL
	MOVQ   table_base+88(FP), TABLE
	MOVQ   table_len+96(FP), P2
	DECQ   P2
	VMOVSD step+80(FP), NOW
	VXORPD FIRST, FIRST, FIRST
	VXORPD LAST, LAST, LAST
	VCVTSI2SDQ P2, LAST, LAST
	XORL   K, K
	JMP    next

row:
	MOVQ   list_base+32(FP), T
	MOVL   (T)(K*4), P0
	MOVQ   MATRIX, T
	MOVQ   Matrix_Begin(T), E
	MOVQ   (E)(P0*8), E
	MOVQ   Matrix_End(T), END
	MOVQ   (END)(P0*8), END
	VXORPD X8, X8, X8
	VXORPD X9, X9, X9
	VXORPD X10, X10, X10
	VXORPD X11, X11, X11
	VXORPD X12, X12, X12
	VXORPD X13, X13, X13
	VXORPD X14, X14, X14
	VXORPD X15, X15, X15
	JMP    more

eight:
	MAP_STEP(X8)
	MAP_STEP(X9)
	MAP_STEP(X10)
	MAP_STEP(X11)
	MAP_STEP(X12)
	MAP_STEP(X13)
	MAP_STEP(X14)
	MAP_STEP(X15)

more:
	LEAQ   8(E), T
	CMPQ   T, END
	JLE    eight
	MAP_NEXT(X8)
	MAP_NEXT(X9)
	MAP_NEXT(X10)
	MAP_NEXT(X11)
	MAP_NEXT(X12)
	MAP_NEXT(X13)
	MAP_NEXT(X14)

done:
	VADDSD X12, X8, X8
	VADDSD X14, X10, X10
	VADDSD X13, X9, X9
	VADDSD X15, X11, X11
	VADDSD X10, X8, X8
	VADDSD X11, X9, X9
	VADDSD X9, X8, X8
	MOVQ   list_base+32(FP), T
	MOVL   (T)(K*4), P0
	SCALE(X8)
	MOVQ   outW_base+0(FP), T
	VMOVSD X8, (T)(K*8)
	INCQ   K

next:
	CMPQ   K, list_len+40(FP)
	JLT    row
	RET
#undef MATRIX
#undef NOW
#undef FIRST
#undef LAST
#undef TABLE
#undef MAP_STEP
#undef MAP_NEXT

// func(m *Matrix, list []uint32)
DATA lazyFetchOf<>+(LAYOUT*8)(SB)/8, $FETCH_ROWS(SB)
TEXT FETCH_ROWS(SB), NOSPLIT, $0-32
	MOVQ  m+0(FP), T
	MOVQ  INDICES(T), IDX
	MOVQ  VALUES(T), VAL
	MOVQ  list_base+8(FP), REC
	XORL  K, K
	JMP   next

row:
	MOVL  (REC)(K*4), P0
	FETCH_ROW
	INCQ  K

next:
	CMPQ  K, list_len+16(FP)
	JLT   row
	RET

#undef DOT
#undef ADD_U
#undef MOVE_ADD_U
#undef ADD_S
#undef ADD_W
#undef DOT_MAP
#undef FETCH_ROWS
