//go:build !purego

#include "textflag.h"
#include "go_asm.h"
#include "lanes_arm64.h"
#include "rows_arm64.h"

#define LIMIT R6
#define SEEN  R3

// GREATEST sets T to the greatest of the N > 0 indices at IDX. The last full
// register of indices overlaps the others.

// CHECK goes to bad unless all indices are below LIMIT, which holds where
// there are none.
#define CHECK \
	CBZ N, none                             \
	GREATEST                                \
	CMP LIMIT, T                            \
	BHS bad                                 \
none:

// 32-bit indices.
#define NEXT_INDEX  MOVWU.P 4(IDX), J
#define GREATEST                                \
	MOVD   IDX, SEEN                        \
	SUBS   $4, N, J                         \
	BLT    short                            \
	ADD    J<<2, IDX, T                     \
	VLD1   (T), [V0.S4]                     \
	CBZ    J, fold                          \
sweep:                                          \
	VLD1.P 16(SEEN), [V1.S4]                \
	VUMAX  V1.S4, V0.S4, V0.S4              \
	SUBS   $4, J, J                         \
	BGT    sweep                            \
fold:                                           \
	VEXT   $8, V0.B16, V0.B16, V1.B16       \
	VUMAX  V1.S4, V0.S4, V0.S4              \
	VEXT   $4, V0.B16, V0.B16, V1.B16       \
	VUMAX  V1.S4, V0.S4, V0.S4              \
	VMOV   V0.S[0], T                       \
	B      greatest                         \
short:                                          \
	MOVD   N, J                             \
	MOVD   ZR, T                            \
single:                                         \
	MOVWU.P 4(SEEN), R16                    \
	CMP    T, R16                           \
	CSEL   HI, R16, T, T                    \
	SUBS   $1, J, J                         \
	BGT    single                           \
greatest:

// func(x []uint32) uint32
TEXT ·maxU32NEON(SB), NOSPLIT, $0-28
	MOVD x_base+0(FP), IDX
	MOVD x_len+8(FP), N
	MOVD ZR, T
	CBZ  N, done
	GREATEST

done:
	MOVW T, ret+24(FP)
	RET

#include "rows_float64_arm64.h"
#define DOT_VECTOR  ·vectorDotI32F64NEON
#define DOT2_VECTOR ·vectorDot2I32F64NEON
#define ADD_VECTOR  ·vectorAddI32F64NEON
#include "vector_kernels_arm64.h"

#include "rows_float32_arm64.h"
#define DOT_VECTOR  ·vectorDotI32F32NEON
#define DOT2_VECTOR ·vectorDot2I32F32NEON
#define ADD_VECTOR  ·vectorAddI32F32NEON
#include "vector_kernels_arm64.h"

#include "rows_ones_arm64.h"
#define DOT_VECTOR  ·vectorDotI32OnesNEON
#define DOT2_VECTOR ·vectorDot2I32OnesNEON
#define ADD_VECTOR  ·vectorAddI32OnesNEON
#include "vector_kernels_arm64.h"

#undef NEXT_INDEX
#undef GREATEST

// 16-bit indices.
#define NEXT_INDEX  MOVHU.P 2(IDX), J
#define GREATEST                                \
	MOVD   IDX, SEEN                        \
	SUBS   $8, N, J                         \
	BLT    short                            \
	ADD    J<<1, IDX, T                     \
	VLD1   (T), [V0.H8]                     \
	CBZ    J, fold                          \
sweep:                                          \
	VLD1.P 16(SEEN), [V1.H8]                \
	VUMAX  V1.H8, V0.H8, V0.H8              \
	SUBS   $8, J, J                         \
	BGT    sweep                            \
fold:                                           \
	VEXT   $8, V0.B16, V0.B16, V1.B16       \
	VUMAX  V1.H8, V0.H8, V0.H8              \
	VEXT   $4, V0.B16, V0.B16, V1.B16       \
	VUMAX  V1.H8, V0.H8, V0.H8              \
	VEXT   $2, V0.B16, V0.B16, V1.B16       \
	VUMAX  V1.H8, V0.H8, V0.H8              \
	VMOV   V0.H[0], T                       \
	B      greatest                         \
short:                                          \
	MOVD   N, J                             \
	MOVD   ZR, T                            \
single:                                         \
	MOVHU.P 2(SEEN), R16                    \
	CMP    T, R16                           \
	CSEL   HI, R16, T, T                    \
	SUBS   $1, J, J                         \
	BGT    single                           \
greatest:

// func(x []uint16) uint16
TEXT ·maxU16NEON(SB), NOSPLIT, $0-26
	MOVD x_base+0(FP), IDX
	MOVD x_len+8(FP), N
	MOVD ZR, T
	CBZ  N, done
	GREATEST

done:
	MOVH T, ret+24(FP)
	RET

#include "rows_float64_arm64.h"
#define DOT_VECTOR  ·vectorDotI16F64NEON
#define DOT2_VECTOR ·vectorDot2I16F64NEON
#define ADD_VECTOR  ·vectorAddI16F64NEON
#include "vector_kernels_arm64.h"

#include "rows_float32_arm64.h"
#define DOT_VECTOR  ·vectorDotI16F32NEON
#define DOT2_VECTOR ·vectorDot2I16F32NEON
#define ADD_VECTOR  ·vectorAddI16F32NEON
#include "vector_kernels_arm64.h"

#include "rows_ones_arm64.h"
#define DOT_VECTOR  ·vectorDotI16OnesNEON
#define DOT2_VECTOR ·vectorDot2I16OnesNEON
#define ADD_VECTOR  ·vectorAddI16OnesNEON
#include "vector_kernels_arm64.h"
