//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lazy_avx2_amd64.h"

// A window on these gives the mask of the first n of four lanes.
DATA lazyTail<>+0(SB)/8, $-1
DATA lazyTail<>+8(SB)/8, $-1
DATA lazyTail<>+16(SB)/8, $0
DATA lazyTail<>+24(SB)/8, $0
GLOBL lazyTail<>(SB), RODATA|NOPTR, $32

// 32-bit column indices.
#define INDICES Rows_Idx32
#define FETCH_INDICES \
	LEAQ (IDX)(P1*4), P3 \
	LEAQ (IDX)(P2*4), P0 \
	FETCH_LINES(P3, P0)
#define INDEX(ahead, at, to) MOVL (ahead*4)(IDX)(at*4), to

#define VALUES(m)   MOVQ Rows_Val64(m), VAL
#define FETCH_VALUES \
	LEAQ (VAL)(P1*8), P1 \
	LEAQ (VAL)(P2*8), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      VMOVUPD (VAL)(E*8), X
#define LOAD_TAIL_X VMASKMOVPD (VAL)(E*8), MASK, X
#define MULTIPLY_ADD_ONE(y, acc) VFMADD231SD (VAL)(E*8), y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#define DOT ·lazyDotI32F64AVX2
#define ADD_U ·lazyAddUI32F64AVX2
#define MOVE_ADD_U ·lazyMoveAddUI32F64AVX2
#define ADD_S ·lazyAddSI32F64AVX2
#define ADD_W ·lazyAddWI32F64AVX2
#define DOT_MAP ·lazyDotMapI32F64AVX2
#define FETCH_ROWS ·lazyFetchI32F64AVX2
#include "lazy_kernels_avx2_amd64.h"
#undef VALUES
#undef MULTIPLY_ADD_ONE
#undef DOT_MAP
#undef FETCH_VALUES
#undef FETCH_ROWS
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef MOVE_ADD_U
#undef ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES(m)   MOVQ Rows_Val32(m), VAL
#define FETCH_VALUES \
	LEAQ (VAL)(P1*4), P1 \
	LEAQ (VAL)(P2*4), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      VCVTPS2PD (VAL)(E*4), X
#define LOAD_TAIL_X \
	VMASKMOVPS (VAL)(E*4), MASK32, X_ \
	VCVTPS2PD  X_, X
#define MULTIPLY_ADD_ONE(y, acc) \
	VCVTSS2SD   (VAL)(E*4), X7, X7 \
	VFMADD231SD X7, y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#define DOT ·lazyDotI32F32AVX2
#define ADD_U ·lazyAddUI32F32AVX2
#define MOVE_ADD_U ·lazyMoveAddUI32F32AVX2
#define ADD_S ·lazyAddSI32F32AVX2
#define ADD_W ·lazyAddWI32F32AVX2
#define DOT_MAP ·lazyDotMapI32F32AVX2
#define FETCH_ROWS ·lazyFetchI32F32AVX2
#include "lazy_kernels_avx2_amd64.h"
#undef VALUES
#undef MULTIPLY_ADD_ONE
#undef DOT_MAP
#undef FETCH_VALUES
#undef FETCH_ROWS
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef MOVE_ADD_U
#undef ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES(m)   MOVQ Rows_Scale(m), VAL
#define FETCH_VALUES
#define LOAD_X
#define LOAD_TAIL_X
#define MULTIPLY_ADD_ONE(y, acc) VADDSD y, acc, acc
#define MULTIPLY_ADD(y, acc) VADDPD y, acc, acc
#define TIMES_X(c, out) VMOVAPD c, out
// Without a scale, every value is 1. P0 is the row's number.
#define SCALE(y) \
	TESTQ  VAL, VAL \
	JZ     2(PC)    \
	VMULSD (VAL)(P0*8), y, y
#define DOT ·lazyDotI32OnesAVX2
#define ADD_U ·lazyAddUI32OnesAVX2
#define MOVE_ADD_U ·lazyMoveAddUI32OnesAVX2
#define ADD_S ·lazyAddSI32OnesAVX2
#define ADD_W ·lazyAddWI32OnesAVX2
#define DOT_MAP ·lazyDotMapI32OnesAVX2
#define FETCH_ROWS ·lazyFetchI32OnesAVX2
#include "lazy_kernels_avx2_amd64.h"
#undef VALUES
#undef MULTIPLY_ADD_ONE
#undef DOT_MAP
#undef FETCH_VALUES
#undef FETCH_ROWS
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef MOVE_ADD_U
#undef ADD_U
#undef ADD_S
#undef ADD_W

#undef INDICES
#undef INDEX
#undef FETCH_INDICES

// 16-bit column indices.
#define INDICES Rows_Idx16
#define FETCH_INDICES \
	LEAQ (IDX)(P1*2), P3 \
	LEAQ (IDX)(P2*2), P0 \
	FETCH_LINES(P3, P0)
#define INDEX(ahead, at, to) MOVWLZX (ahead*2)(IDX)(at*2), to

#define VALUES(m)   MOVQ Rows_Val64(m), VAL
#define FETCH_VALUES \
	LEAQ (VAL)(P1*8), P1 \
	LEAQ (VAL)(P2*8), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      VMOVUPD (VAL)(E*8), X
#define LOAD_TAIL_X VMASKMOVPD (VAL)(E*8), MASK, X
#define MULTIPLY_ADD_ONE(y, acc) VFMADD231SD (VAL)(E*8), y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#define DOT ·lazyDotI16F64AVX2
#define ADD_U ·lazyAddUI16F64AVX2
#define MOVE_ADD_U ·lazyMoveAddUI16F64AVX2
#define ADD_S ·lazyAddSI16F64AVX2
#define ADD_W ·lazyAddWI16F64AVX2
#define DOT_MAP ·lazyDotMapI16F64AVX2
#define FETCH_ROWS ·lazyFetchI16F64AVX2
#include "lazy_kernels_avx2_amd64.h"
#undef VALUES
#undef MULTIPLY_ADD_ONE
#undef DOT_MAP
#undef FETCH_VALUES
#undef FETCH_ROWS
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef MOVE_ADD_U
#undef ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES(m)   MOVQ Rows_Val32(m), VAL
#define FETCH_VALUES \
	LEAQ (VAL)(P1*4), P1 \
	LEAQ (VAL)(P2*4), P2 \
	FETCH_LINES(P1, P2)
#define LOAD_X      VCVTPS2PD (VAL)(E*4), X
#define LOAD_TAIL_X \
	VMASKMOVPS (VAL)(E*4), MASK32, X_ \
	VCVTPS2PD  X_, X
#define MULTIPLY_ADD_ONE(y, acc) \
	VCVTSS2SD   (VAL)(E*4), X7, X7 \
	VFMADD231SD X7, y, acc
#define MULTIPLY_ADD(y, acc) VFMADD231PD X, y, acc
#define TIMES_X(c, out) VMULPD X, c, out
#define SCALE(y)
#define DOT ·lazyDotI16F32AVX2
#define ADD_U ·lazyAddUI16F32AVX2
#define MOVE_ADD_U ·lazyMoveAddUI16F32AVX2
#define ADD_S ·lazyAddSI16F32AVX2
#define ADD_W ·lazyAddWI16F32AVX2
#define DOT_MAP ·lazyDotMapI16F32AVX2
#define FETCH_ROWS ·lazyFetchI16F32AVX2
#include "lazy_kernels_avx2_amd64.h"
#undef VALUES
#undef MULTIPLY_ADD_ONE
#undef DOT_MAP
#undef FETCH_VALUES
#undef FETCH_ROWS
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef MOVE_ADD_U
#undef ADD_U
#undef ADD_S
#undef ADD_W

#define VALUES(m)   MOVQ Rows_Scale(m), VAL
#define FETCH_VALUES
#define LOAD_X
#define LOAD_TAIL_X
#define MULTIPLY_ADD_ONE(y, acc) VADDSD y, acc, acc
#define MULTIPLY_ADD(y, acc) VADDPD y, acc, acc
#define TIMES_X(c, out) VMOVAPD c, out
// Without a scale, every value is 1. P0 is the row's number.
#define SCALE(y) \
	TESTQ  VAL, VAL \
	JZ     2(PC)    \
	VMULSD (VAL)(P0*8), y, y
#define DOT ·lazyDotI16OnesAVX2
#define ADD_U ·lazyAddUI16OnesAVX2
#define MOVE_ADD_U ·lazyMoveAddUI16OnesAVX2
#define ADD_S ·lazyAddSI16OnesAVX2
#define ADD_W ·lazyAddWI16OnesAVX2
#define DOT_MAP ·lazyDotMapI16OnesAVX2
#define FETCH_ROWS ·lazyFetchI16OnesAVX2
#include "lazy_kernels_avx2_amd64.h"
#undef VALUES
#undef MULTIPLY_ADD_ONE
#undef DOT_MAP
#undef FETCH_VALUES
#undef FETCH_ROWS
#undef LOAD_X
#undef LOAD_TAIL_X
#undef MULTIPLY_ADD
#undef TIMES_X
#undef SCALE
#undef DOT
#undef MOVE_ADD_U
#undef ADD_U
#undef ADD_S
#undef ADD_W

#undef INDICES
#undef INDEX
#undef FETCH_INDICES
