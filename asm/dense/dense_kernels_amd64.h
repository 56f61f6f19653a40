// The kernels of one width. The includer defines their names and the registers V0 to V13. It
// defines the sums: SUM_PRODUCTS and what follows it, of N elements of X and Y, which store the
// result and return. It defines MAP_ONE and MAP_TWO, which do V12 = OP of V12 = x and V13 = y for
// N elements and return. It defines SOFT_THRESHOLD, and UPDATE, which reads N elements of several
// vectors to V8 to V11, does OP and writes V8 to V10.

// The part of MAP_ONE and MAP_TWO for long vectors. A result that is not written in place
// is stored past the caches, which would otherwise fetch each line before overwriting it.
// The label loop stores through the caches; the label last handles the rest of both. The
// fence keeps later stores from becoming visible before these, also to other goroutines.
#define FAR(READ_Y, READ_Y_AT, OP) \
	CMPQ  DST, X            \
	JEQ   loop              \
	CMPQ  DST, Y            \
	JEQ   loop              \
	TESTQ $7, DST           \
	JNE   loop              \
align:                          \
	TESTQ UNALIGNED, DST    \
	JEQ   around            \
	STEP_AT(VMOVSD, READ_Y_AT, OP, X12, X13) \
	ADDQ  $8, X             \
	ADDQ  $8, Y             \
	ADDQ  $8, DST           \
	DECQ  N                 \
	JMP   align             \
around:                         \
	STEPS(READ_Y, OP, VMOVNTPD) \
	JGE   around            \
	SFENCE                  \
	JMP   last

// func(x []float64, y *float64) float64
TEXT DOT_NAME(SB), NOSPLIT, $0-40
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y+24(FP), Y
	SUM_PRODUCTS(ret+32(FP))

// func(x []float64) float64
TEXT SQUARED_NORM_NAME(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	SUM_SQUARES(ret+24(FP))

// func(x []float64, y *float64) float64
TEXT SQUARED_DISTANCE_NAME(SB), NOSPLIT, $0-40
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y+24(FP), Y
	SUM_SQUARED_DIFFERENCES(ret+32(FP))

// func(x []float64) float64
TEXT SUM_NAME(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	SUM_ELEMENTS(ret+24(FP))

// What a map does with V12 and V13.

#define AXPY VFMADD213PD V13, V0, V12

#define SCALE_ADD \
	VMULPD      V13, V1, V13 \
	VFMADD213PD V13, V0, V12

#define SCALE VMULPD V12, V0, V12
#define ADD_SCALAR VADDPD V0, V12, V12
#define MUL VMULPD V13, V12, V12

// V0 = lo, V1 = hi. The operand order lets NaN and zeros of either sign through.
#define BOX \
	VMAXPD V12, V0, V12 \
	VMINPD V12, V1, V12

// func(a float64, x, y *float64, n int)
TEXT AXPY_NAME(SB), NOSPLIT, $0-32
	VBROADCASTSD a+0(FP), V0
	MOVQ         x+8(FP), X
	MOVQ         y+16(FP), Y
	MOVQ         n+24(FP), N
	MOVQ         Y, DST
	MAP_TWO(AXPY)

// func(dst, x, y *float64, a, b float64, n int)
TEXT SCALE_ADD_NAME(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DST
	MOVQ         x+8(FP), X
	MOVQ         y+16(FP), Y
	VBROADCASTSD a+24(FP), V0
	VBROADCASTSD b+32(FP), V1
	MOVQ         n+40(FP), N
	MAP_TWO(SCALE_ADD)

// func(dst, x *float64, a float64, n int)
TEXT SCALE_NAME(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DST
	MOVQ         x+8(FP), X
	VBROADCASTSD a+16(FP), V0
	MOVQ         n+24(FP), N
	MAP_ONE(SCALE)

// func(dst, x *float64, a float64, n int)
TEXT ADD_SCALAR_NAME(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DST
	MOVQ         x+8(FP), X
	VBROADCASTSD a+16(FP), V0
	MOVQ         n+24(FP), N
	MAP_ONE(ADD_SCALAR)

// func(dst, x, y *float64, n int)
TEXT MUL_NAME(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DST
	MOVQ x+8(FP), X
	MOVQ y+16(FP), Y
	MOVQ n+24(FP), N
	MAP_TWO(MUL)

// func(dst, x *float64, t float64, n int)
TEXT SOFT_THRESHOLD_NAME(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DST
	MOVQ         x+8(FP), X
	VBROADCASTSD t+16(FP), V0
	MOVQ         n+24(FP), N
	VBROADCASTSD denseAbs<>(SB), V1
	MAP_ONE(SOFT_THRESHOLD)

// func(dst, x *float64, lo, hi float64, n int)
TEXT BOX_NAME(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DST
	MOVQ         x+8(FP), X
	VBROADCASTSD lo+16(FP), V0
	VBROADCASTSD hi+24(FP), V1
	MOVQ         n+32(FP), N
	MAP_ONE(BOX)

#define W DI
#define M SI
#define V DX
#define G BX

// V8 = w, V9 = m, V10 = v, V11 = g.
#define ADAM \
	VFMADD231PD V8, V6, V11   \ // s
	VMULPD      V11, V1, V12  \
	VFMADD213PD V12, V0, V9   \ // m
	VMULPD      V11, V3, V12  \
	VMULPD      V11, V12, V12 \
	VFMADD213PD V12, V2, V10  \ // v
	VSQRTPD     V10, V12      \
	VADDPD      V5, V12, V12  \
	VMULPD      V9, V4, V13   \
	VDIVPD      V12, V13, V13 \
	VSUBPD      V13, V8, V8

#define ADAM_ARGUMENTS \
	MOVQ         w+0(FP), W         \
	MOVQ         m+8(FP), M         \
	MOVQ         v+16(FP), V        \
	MOVQ         grad+24(FP), G     \
	MOVQ         n+32(FP), N        \
	VBROADCASTSD beta1+40(FP), V0   \
	VBROADCASTSD rest1+48(FP), V1   \
	VBROADCASTSD beta2+56(FP), V2   \
	VBROADCASTSD rest2+64(FP), V3   \
	VBROADCASTSD rate+72(FP), V4    \
	VBROADCASTSD epsilon+80(FP), V5 \
	VBROADCASTSD lambda+88(FP), V6  

// What UPDATE reads and writes.
#define ADAM_READ(load, w, m, v, g) \
	load (W)(AT*1), w \
	load (M)(AT*1), m \
	load (V)(AT*1), v \
	load (G)(AT*1), g

#define ADAM_WRITE(store, w, m, v) \
	store w, (W)(AT*1) \
	store m, (M)(AT*1) \
	store v, (V)(AT*1)

// func(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64)
TEXT ADAM_NAME(SB), NOSPLIT, $0-96
	ADAM_ARGUMENTS
	UPDATE(ADAM_READ, ADAM, ADAM_WRITE)

// V8 = w, V9 = v, V10 = g.
#define MOMENTUM \
	VFMADD231PD  V8, V2, V10 \
	VFMADD213PD  V10, V1, V9 \ // v
	VFNMADD231PD V9, V0, V8

#define MOMENTUM_ARGUMENTS \
	MOVQ         w+0(FP), W        \
	MOVQ         v+8(FP), V        \
	MOVQ         grad+16(FP), G      \
	MOVQ         n+24(FP), N       \
	VBROADCASTSD rate+32(FP), V0   \
	VBROADCASTSD mu+40(FP), V1     \
	VBROADCASTSD lambda+48(FP), V2

#define MOMENTUM_READ(load, w, v, g, unused) \
	load (W)(AT*1), w \
	load (V)(AT*1), v \
	load (G)(AT*1), g

#define MOMENTUM_WRITE(store, w, v, unused) \
	store w, (W)(AT*1) \
	store v, (V)(AT*1)

// func(w, v, grad *float64, n int, rate, mu, lambda float64)
TEXT MOMENTUM_NAME(SB), NOSPLIT, $0-56
	MOMENTUM_ARGUMENTS
	UPDATE(MOMENTUM_READ, MOMENTUM, MOMENTUM_WRITE)
