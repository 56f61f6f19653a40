//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "rows_avx2_amd64.h"

// Eight ones, eight zeros: a window that begins at element 8-n masks the first
// n of eight lanes.
DATA rowsMask<>+0(SB)/8, $-1
DATA rowsMask<>+8(SB)/8, $-1
DATA rowsMask<>+16(SB)/8, $-1
DATA rowsMask<>+24(SB)/8, $-1
DATA rowsMask<>+32(SB)/8, $-1
DATA rowsMask<>+40(SB)/8, $-1
DATA rowsMask<>+48(SB)/8, $-1
DATA rowsMask<>+56(SB)/8, $-1
DATA rowsMask<>+64(SB)/8, $0
DATA rowsMask<>+72(SB)/8, $0
DATA rowsMask<>+80(SB)/8, $0
DATA rowsMask<>+88(SB)/8, $0
DATA rowsMask<>+96(SB)/8, $0
DATA rowsMask<>+104(SB)/8, $0
DATA rowsMask<>+112(SB)/8, $0
DATA rowsMask<>+120(SB)/8, $0
GLOBL rowsMask<>(SB), RODATA|NOPTR, $128

// A window that begins at element 7-n masks lane n of eight.
DATA rowsLane<>+56(SB)/8, $-1
GLOBL rowsLane<>(SB), RODATA|NOPTR, $120

// 32-bit column indices. INDEX_PAIR takes two in one load.
#define INDICES      Rows_Idx32
#define INDEX(k, to) MOVL ((k)*4)(IDX)(E*4), to
#define INDEX_PAIR \
	MOVQ (IDX)(E*4), J1 \
	MOVL J1, J0         \
	SHRQ $32, J1
// Prefetch 32 entries from E+k on.
#define PREFETCH_INDICES(k) \
	PREFETCHT0 ((k)*4)(IDX)(E*4)    \
	PREFETCHT0 ((k)*4+64)(IDX)(E*4)

#include "rows_float64_avx2_amd64.h"
#define DOT  ·rowsDotI32F64AVX2
#define DOT2 ·rowsDot2I32F64AVX2
#define ADD  ·rowsAddI32F64AVX2
#include "rows_kernels_avx2_amd64.h"

#include "rows_float32_avx2_amd64.h"
#define DOT  ·rowsDotI32F32AVX2
#define DOT2 ·rowsDot2I32F32AVX2
#define ADD  ·rowsAddI32F32AVX2
#include "rows_kernels_avx2_amd64.h"

#include "rows_ones_avx2_amd64.h"
#define DOT  ·rowsDotI32OnesAVX2
#define DOT2 ·rowsDot2I32OnesAVX2
#define ADD  ·rowsAddI32OnesAVX2
#include "rows_kernels_avx2_amd64.h"

#undef INDICES
#undef INDEX
#undef INDEX_PAIR
#undef PREFETCH_INDICES

// 16-bit column indices.
#define INDICES      Rows_Idx16
#define INDEX(k, to) MOVWLZX ((k)*2)(IDX)(E*2), to
#define INDEX_PAIR \
	MOVL    (IDX)(E*2), J1 \
	MOVWLZX J1, J0         \
	SHRL    $16, J1
#define PREFETCH_INDICES(k) PREFETCHT0 ((k)*2)(IDX)(E*2)

#include "rows_float64_avx2_amd64.h"
#define DOT  ·rowsDotI16F64AVX2
#define DOT2 ·rowsDot2I16F64AVX2
#define ADD  ·rowsAddI16F64AVX2
#include "rows_kernels_avx2_amd64.h"

#include "rows_float32_avx2_amd64.h"
#define DOT  ·rowsDotI16F32AVX2
#define DOT2 ·rowsDot2I16F32AVX2
#define ADD  ·rowsAddI16F32AVX2
#include "rows_kernels_avx2_amd64.h"

#include "rows_ones_avx2_amd64.h"
#define DOT  ·rowsDotI16OnesAVX2
#define DOT2 ·rowsDot2I16OnesAVX2
#define ADD  ·rowsAddI16OnesAVX2
#include "rows_kernels_avx2_amd64.h"
