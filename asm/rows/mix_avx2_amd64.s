//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "rows_avx2_amd64.h"

#define PLAN     BP // of the next eight entries
#define PLAN_END R15

// The last entries of a row, where all are 1.
#define MULTIPLY_ADD(k, y, acc) VADDPD y, acc, acc
#define ADD_TO_TWO(k, y_, acc_) VADDPD acc_, y_, y_
#define ADD_TO_ONE(k, y_, acc_) VADDSD acc_, y_, y_

DATA mixOne<>+0(SB)/8, $1.0
GLOBL mixOne<>(SB), RODATA|NOPTR, $8

#define F64_FOUR(half, out, out_, t, t_) \
	VMOVDQU ((half)*MixHalf__size+MixHalf_Places)(PLAN), t \
	VPERMD  (VAL)(J0*8), t, out
#define F32_FOUR(half, out, out_, t, t_) \
	VMOVUPS   (VAL)(J0*4), out_                              \
	VPERMILPS ((half)*MixHalf__size+MixHalf_Places)(PLAN), out_, out_ \
	VCVTPS2PD out_, out

#define I16
#include "indices_amd64.h"

#define LOAD_FOUR F64_FOUR
#define SHIFT 3
#define PANEL Mix_Val64
#define DOT ·mixDot1664AVX2
#include "mix_kernels_avx2_amd64.h"
#undef LOAD_FOUR
#undef SHIFT
#undef PANEL

#define LOAD_FOUR F32_FOUR
#define SHIFT 2
#define PANEL Mix_Val32
#define DOT ·mixDot1632AVX2
#include "mix_kernels_avx2_amd64.h"
#undef LOAD_FOUR
#undef SHIFT
#undef PANEL

#define I32
#include "indices_amd64.h"

#define LOAD_FOUR F64_FOUR
#define SHIFT 3
#define PANEL Mix_Val64
#define DOT ·mixDot3264AVX2
#include "mix_kernels_avx2_amd64.h"
#undef LOAD_FOUR
#undef SHIFT
#undef PANEL

#define LOAD_FOUR F32_FOUR
#define SHIFT 2
#define PANEL Mix_Val32
#define DOT ·mixDot3232AVX2
#include "mix_kernels_avx2_amd64.h"
