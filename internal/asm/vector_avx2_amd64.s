//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "rows_avx2_amd64.h"

// A window that begins at element 7-n masks lane n of eight.
DATA vectorLane<>+56(SB)/8, $-1
GLOBL vectorLane<>(SB), RODATA|NOPTR, $120

// CHECK goes to bad unless all LEFT indices are below LIMIT, and to empty where
// there are none. The last two full registers of indices overlap the others.

// 32-bit column indices. INDEX_PAIR takes two in one load.
#define INDEX(k, to) MOVL ((k)*4)(IDX)(E*4), to
#define INDEX_PAIR \
	MOVQ (IDX)(E*4), J1 \
	MOVL J1, J0         \
	SHRQ $32, J1
#define CHECK                                    \
	TESTQ        LEFT, LEFT                  \
	JEQ          empty                       \
	DECQ         LIMIT                       \
	JLT          bad                         \
	MOVL         $0xffffffff, J1             \
	CMPQ         LIMIT, J1                   \
	CMOVQGT      J1, LIMIT                   \
	MOVQ         LEFT, E                     \
	SUBQ         $8, E                       \
	JLT          short                       \
	VMOVQ        LIMIT, X2                   \
	VPBROADCASTD X2, Y2                      \
	VMOVDQU      (IDX)(E*4), Y3              \
	XORL         J0, J0                      \
	SUBQ         $8, E                       \
	JGT          sweep                       \
	CMOVQLT      J0, E                       \
	VPMAXUD      (IDX)(E*4), Y3, Y3          \
	JMP          compare                     \
sweep:                                           \
	VPMAXUD      (IDX)(J0*4), Y3, Y3         \
	VPMAXUD      32(IDX)(J0*4), Y3, Y3       \
	ADDQ         $16, J0                     \
	CMPQ         J0, E                       \
	JLT          sweep                       \
	VPMAXUD      (IDX)(E*4), Y3, Y3          \
compare:                                         \
	VPMAXUD      Y2, Y3, Y3                  \
	VPCMPEQD     Y2, Y3, Y3                  \
	VPMOVMSKB    Y3, J0                      \
	CMPL         J0, $-1                     \
	JNE          bad                         \
	JMP          checked                     \
short:                                           \
	MOVQ         LEFT, E                     \
single:                                          \
	MOVL         -4(IDX)(E*4), J0            \
	CMPQ         J0, LIMIT                   \
	JGT          bad                         \
	DECQ         E                           \
	JNE          single                      \
checked:

#include "rows_float64_avx2_amd64.h"
#define DOT  ·vectorDotI32F64AVX2
#define DOT2 ·vectorDot2I32F64AVX2
#define ADD  ·vectorAddI32F64AVX2
#include "vector_kernels_avx2_amd64.h"

#include "rows_float32_avx2_amd64.h"
#define DOT  ·vectorDotI32F32AVX2
#define DOT2 ·vectorDot2I32F32AVX2
#define ADD  ·vectorAddI32F32AVX2
#include "vector_kernels_avx2_amd64.h"

#include "rows_ones_avx2_amd64.h"
#define DOT  ·vectorDotI32OnesAVX2
#define DOT2 ·vectorDot2I32OnesAVX2
#define ADD  ·vectorAddI32OnesAVX2
#include "vector_kernels_avx2_amd64.h"

#undef INDEX
#undef INDEX_PAIR
#undef CHECK

// 16-bit column indices.
#define INDEX(k, to) MOVWLZX ((k)*2)(IDX)(E*2), to
#define INDEX_PAIR \
	MOVL    (IDX)(E*2), J1 \
	MOVWLZX J1, J0         \
	SHRL    $16, J1
#define CHECK                                    \
	TESTQ        LEFT, LEFT                  \
	JEQ          empty                       \
	DECQ         LIMIT                       \
	JLT          bad                         \
	MOVL         $0xffff, J1                 \
	CMPQ         LIMIT, J1                   \
	CMOVQGT      J1, LIMIT                   \
	MOVQ         LEFT, E                     \
	SUBQ         $16, E                      \
	JLT          short                       \
	VMOVQ        LIMIT, X2                   \
	VPBROADCASTW X2, Y2                      \
	VMOVDQU      (IDX)(E*2), Y3              \
	XORL         J0, J0                      \
	SUBQ         $16, E                      \
	JGT          sweep                       \
	CMOVQLT      J0, E                       \
	VPMAXUW      (IDX)(E*2), Y3, Y3          \
	JMP          compare                     \
sweep:                                           \
	VPMAXUW      (IDX)(J0*2), Y3, Y3         \
	VPMAXUW      32(IDX)(J0*2), Y3, Y3       \
	ADDQ         $32, J0                     \
	CMPQ         J0, E                       \
	JLT          sweep                       \
	VPMAXUW      (IDX)(E*2), Y3, Y3          \
compare:                                         \
	VPMAXUW      Y2, Y3, Y3                  \
	VPCMPEQW     Y2, Y3, Y3                  \
	VPMOVMSKB    Y3, J0                      \
	CMPL         J0, $-1                     \
	JNE          bad                         \
	JMP          checked                     \
short:                                           \
	MOVQ         LEFT, E                     \
single:                                          \
	MOVWLZX      -2(IDX)(E*2), J0            \
	CMPQ         J0, LIMIT                   \
	JGT          bad                         \
	DECQ         E                           \
	JNE          single                      \
checked:

#include "rows_float64_avx2_amd64.h"
#define DOT  ·vectorDotI16F64AVX2
#define DOT2 ·vectorDot2I16F64AVX2
#define ADD  ·vectorAddI16F64AVX2
#include "vector_kernels_avx2_amd64.h"

#include "rows_float32_avx2_amd64.h"
#define DOT  ·vectorDotI16F32AVX2
#define DOT2 ·vectorDot2I16F32AVX2
#define ADD  ·vectorAddI16F32AVX2
#include "vector_kernels_avx2_amd64.h"

#include "rows_ones_avx2_amd64.h"
#define DOT  ·vectorDotI16OnesAVX2
#define DOT2 ·vectorDot2I16OnesAVX2
#define ADD  ·vectorAddI16OnesAVX2
#include "vector_kernels_avx2_amd64.h"
