// The kernels of one width. The includer defines their names, the registers V0 to V13,
// the sums (SUM_PRODUCTS and what follows it, of X and Y to X0), MAP_ONE and MAP_TWO,
// which do V12 = OP of V12 = x and V13 = y for N elements, SOFT_THRESHOLD, and UPDATE,
// which reads N elements of several vectors to V8 to V11, does OP and writes V8 to V10.

// func(x, y []float64) float64
TEXT DOT_NAME(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y_base+24(FP), Y
	SUM_PRODUCTS
	MOVSD X0, ret+48(FP)
	RET

// func(x []float64) float64
TEXT SQUARED_NORM_NAME(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	SUM_SQUARES
	MOVSD X0, ret+24(FP)
	RET

// func(x, y []float64) float64
TEXT SQUARED_DISTANCE_NAME(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y_base+24(FP), Y
	SUM_SQUARED_DIFFERENCES
	MOVSD X0, ret+48(FP)
	RET

// func(x []float64) float64
TEXT SUM_NAME(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	SUM_ELEMENTS
	MOVSD X0, ret+24(FP)
	RET

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

// func(a float64, x, y []float64)
TEXT AXPY_NAME(SB), NOSPLIT, $0-56
	VBROADCASTSD a+0(FP), V0
	MOVQ         x_base+8(FP), X
	MOVQ         x_len+16(FP), N
	MOVQ         y_base+32(FP), Y
	MOVQ         Y, DST
	MAP_TWO(AXPY)
	RET

// func(dst []float64, a float64, x []float64, b float64, y []float64)
TEXT SCALE_ADD_NAME(SB), NOSPLIT, $0-88
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	VBROADCASTSD a+24(FP), V0
	MOVQ         x_base+32(FP), X
	VBROADCASTSD b+56(FP), V1
	MOVQ         y_base+64(FP), Y
	MAP_TWO(SCALE_ADD)
	RET

// func(dst []float64, a float64, x []float64)
TEXT SCALE_NAME(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	VBROADCASTSD a+24(FP), V0
	MOVQ         x_base+32(FP), X
	MAP_ONE(SCALE)
	RET

// func(dst []float64, a float64, x []float64)
TEXT ADD_SCALAR_NAME(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	VBROADCASTSD a+24(FP), V0
	MOVQ         x_base+32(FP), X
	MAP_ONE(ADD_SCALAR)
	RET

// func(dst, x, y []float64)
TEXT MUL_NAME(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DST
	MOVQ dst_len+8(FP), N
	MOVQ x_base+24(FP), X
	MOVQ y_base+48(FP), Y
	MAP_TWO(MUL)
	RET

// func(dst, x []float64, t float64)
TEXT SOFT_THRESHOLD_NAME(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	MOVQ         x_base+24(FP), X
	VBROADCASTSD t+48(FP), V0
	VBROADCASTSD denseAbs<>(SB), V1
	MAP_ONE(SOFT_THRESHOLD)
	RET

// func(dst, x []float64, lo, hi float64)
TEXT BOX_NAME(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	MOVQ         x_base+24(FP), X
	VBROADCASTSD lo+48(FP), V0
	VBROADCASTSD hi+56(FP), V1
	MAP_ONE(BOX)
	RET

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
	MOVQ         w_base+0(FP), W       \
	MOVQ         w_len+8(FP), N        \
	MOVQ         m_base+24(FP), M      \
	MOVQ         v_base+48(FP), V      \
	MOVQ         g_base+72(FP), G      \
	VBROADCASTSD p_Beta1+96(FP), V0    \
	VBROADCASTSD p_Rest1+104(FP), V1   \
	VBROADCASTSD p_Beta2+112(FP), V2   \
	VBROADCASTSD p_Rest2+120(FP), V3   \
	VBROADCASTSD p_Rate+128(FP), V4    \
	VBROADCASTSD p_Epsilon+136(FP), V5 \
	VBROADCASTSD p_Lambda+144(FP), V6

// What UPDATE reads, writes and moves on.
#define ADAM_READ(load, w, m, v, g) \
	load((W), w) \
	load((M), m) \
	load((V), v) \
	load((G), g)

#define ADAM_WRITE(store, w, m, v) \
	store(w, (W)) \
	store(m, (M)) \
	store(v, (V))

#define ADAM_ADVANCE(bytes) \
	ADDQ $bytes, W \
	ADDQ $bytes, M \
	ADDQ $bytes, V \
	ADDQ $bytes, G

// func(w, m, v, g []float64, p Adam)
TEXT ADAM_NAME(SB), NOSPLIT, $0-152
	ADAM_ARGUMENTS
	UPDATE(ADAM_READ, ADAM, ADAM_WRITE, ADAM_ADVANCE)

// V8 = w, V9 = v, V10 = g.
#define MOMENTUM \
	VFMADD231PD  V8, V2, V10 \
	VFMADD213PD  V10, V1, V9 \ // v
	VFNMADD231PD V9, V0, V8

#define MOMENTUM_ARGUMENTS \
	MOVQ         w_base+0(FP), W   \
	MOVQ         w_len+8(FP), N    \
	MOVQ         v_base+24(FP), V  \
	MOVQ         g_base+48(FP), G  \
	VBROADCASTSD rate+72(FP), V0   \
	VBROADCASTSD mu+80(FP), V1     \
	VBROADCASTSD lambda+88(FP), V2

#define MOMENTUM_READ(load, w, v, g, unused) \
	load((W), w) \
	load((V), v) \
	load((G), g)

#define MOMENTUM_WRITE(store, w, v, unused) \
	store(w, (W)) \
	store(v, (V))

#define MOMENTUM_ADVANCE(bytes) \
	ADDQ $bytes, W \
	ADDQ $bytes, V \
	ADDQ $bytes, G

// func(w, v, g []float64, rate, mu, lambda float64)
TEXT MOMENTUM_NAME(SB), NOSPLIT, $0-96
	MOMENTUM_ARGUMENTS
	UPDATE(MOMENTUM_READ, MOMENTUM, MOMENTUM_WRITE, MOMENTUM_ADVANCE)
