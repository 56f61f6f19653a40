// The kernels of one layout. The includer defines their names, INDICES, INDEX,
// VALUES, LOAD_X, LOAD_TAIL_X, MULTIPLY_ADD, TIMES_X and SCALE.

// func(outW, outU []float64, m *Rows, list, ahead []uint32, rec []Record, now float64)
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
	VMOVUPD      Record_W(REC)(P0*1), X0         \
	VMOVUPD      Record_W(REC)(P1*1), X1         \
	VINSERTF128  $1, Record_W(REC)(P2*1), Y0, Y0 \
	VINSERTF128  $1, Record_W(REC)(P3*1), Y1, Y1 \
	VUNPCKLPD    Y1, Y0, Y2                      \
	VUNPCKHPD    Y1, Y0, Y3                      \
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

// func(change []float64, m *Rows, list []uint32, rec []Record, c []float64)
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

TEXT ADD_U(SB), NOSPLIT, $0-104
// d = c*x; acc = fma(d, U+(U+d), acc); U, S = U+d, 0
#define STEP(acc, unused) \
	GATHER(Record_U, Y0, X0, Y1, X1) \
	TIMES_X(COEFFICIENTS, Y1)        \
	VADDPD      Y1, Y0, Y2           \
	VADDPD      Y2, Y0, Y0           \
	VFMADD231PD Y0, Y1, acc          \
	SCATTER_PAIR(Record_U, Y2, ZERO, Y1, X1, Y0, X0)

	VXORPD ZERO, ZERO, ZERO
#include "lazy_walk_avx2_amd64.h"
#undef STEP

TEXT ADD_S(SB), NOSPLIT, $0-104
// d = c*x; acc = fma(d, S+(S+d), acc); S = S+d
#define STEP(acc, unused) \
	GATHER(Record_S, Y0, X0, Y1, X1) \
	TIMES_X(COEFFICIENTS, Y1)        \
	VADDPD      Y1, Y0, Y2           \
	VADDPD      Y2, Y0, Y0           \
	VFMADD231PD Y0, Y1, acc          \
	SCATTER(Record_S, Y2, X2, X1)

#include "lazy_walk_avx2_amd64.h"
#undef STEP
#undef MATRIX
#undef LIST
#undef LIST_LEN
#undef RECORDS
#undef ROW_BEGIN
#undef ROW_END

// func(m *Rows, list []uint32, rec []Record, c []float64)
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

// func(m *Rows, list []uint32)
TEXT FETCH_ROWS(SB), NOSPLIT, $0-32
	MOVQ  m+0(FP), T
	MOVQ  INDICES(T), IDX
	VALUES(T)
	MOVQ  list_base+8(FP), REC
	XORL  K, K
	JMP   next

row:
	MOVL  (REC)(K*4), P0
#include "lazy_fetch_avx2_amd64.h"
	INCQ  K

next:
	CMPQ  K, list_len+16(FP)
	JLT   row
	RET
