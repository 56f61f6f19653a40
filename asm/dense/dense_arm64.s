//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the
// twins in dense.go.

#define DST R0
#define X R1
#define Y R2
#define N R3    // elements left
#define SECOND R4
#define THIRD R5
#define PAD R6

DATA densePad<>+0(SB)/8, $0
DATA densePad<>+8(SB)/8, $0x8000000000000000 // -0
GLOBL densePad<>(SB), RODATA|NOPTR, $16

// One group of two lanes: LOAD fills V16 and V17 and moves on, TERM adds to acc.
#define GROUP(LOAD, TERM, acc) \
	LOAD     \
	TERM(acc)

// The same for the last N < 32 elements. Where N is 1, LAST takes the second
// lane from PAD: 0, and -0 for y, so that a product leaves a lane of -0 as it is.
#define LAST_GROUP(LAST, TERM, acc) \
	CMP  $2, N   \
	LAST         \
	TERM(acc)     \
	SUBS $2, N   \
	BLE  tree    \
	ADD  $16, X  \
	ADD  $16, Y

// The sum over 32 lanes, in V0 to V15, and their tree, to F0.
#define LANES(LOAD, LAST, TERM) \
	VEOR V0.B16, V0.B16, V0.B16    \
	VEOR V1.B16, V1.B16, V1.B16    \
	VEOR V2.B16, V2.B16, V2.B16    \
	VEOR V3.B16, V3.B16, V3.B16    \
	VEOR V4.B16, V4.B16, V4.B16    \
	VEOR V5.B16, V5.B16, V5.B16    \
	VEOR V6.B16, V6.B16, V6.B16    \
	VEOR V7.B16, V7.B16, V7.B16    \
	VEOR V8.B16, V8.B16, V8.B16    \
	VEOR V9.B16, V9.B16, V9.B16    \
	VEOR V10.B16, V10.B16, V10.B16 \
	VEOR V11.B16, V11.B16, V11.B16 \
	VEOR V12.B16, V12.B16, V12.B16 \
	VEOR V13.B16, V13.B16, V13.B16 \
	VEOR V14.B16, V14.B16, V14.B16 \
	VEOR V15.B16, V15.B16, V15.B16 \
	SUBS $32, N           \
	BLT  last             \
loop:                         \
	GROUP(LOAD, TERM, V0)  \
	GROUP(LOAD, TERM, V1)  \
	GROUP(LOAD, TERM, V2)  \
	GROUP(LOAD, TERM, V3)  \
	GROUP(LOAD, TERM, V4)  \
	GROUP(LOAD, TERM, V5)  \
	GROUP(LOAD, TERM, V6)  \
	GROUP(LOAD, TERM, V7)  \
	GROUP(LOAD, TERM, V8)  \
	GROUP(LOAD, TERM, V9)  \
	GROUP(LOAD, TERM, V10) \
	GROUP(LOAD, TERM, V11) \
	GROUP(LOAD, TERM, V12) \
	GROUP(LOAD, TERM, V13) \
	GROUP(LOAD, TERM, V14) \
	GROUP(LOAD, TERM, V15) \
	SUBS $32, N           \
	BGE  loop             \
last:                         \
	ADDS $32, N           \
	BEQ  tree             \
	MOVD $densePad<>(SB), PAD    \
	LAST_GROUP(LAST, TERM, V0)  \
	LAST_GROUP(LAST, TERM, V1)  \
	LAST_GROUP(LAST, TERM, V2)  \
	LAST_GROUP(LAST, TERM, V3)  \
	LAST_GROUP(LAST, TERM, V4)  \
	LAST_GROUP(LAST, TERM, V5)  \
	LAST_GROUP(LAST, TERM, V6)  \
	LAST_GROUP(LAST, TERM, V7)  \
	LAST_GROUP(LAST, TERM, V8)  \
	LAST_GROUP(LAST, TERM, V9)  \
	LAST_GROUP(LAST, TERM, V10) \
	LAST_GROUP(LAST, TERM, V11) \
	LAST_GROUP(LAST, TERM, V12) \
	LAST_GROUP(LAST, TERM, V13) \
	LAST_GROUP(LAST, TERM, V14) \
	LAST_GROUP(LAST, TERM, V15) \
tree:                 \
	FADD2(8, 0, 0)   \
	FADD2(9, 1, 1)   \
	FADD2(10, 2, 2)  \
	FADD2(11, 3, 3)  \
	FADD2(12, 4, 4)  \
	FADD2(13, 5, 5)  \
	FADD2(14, 6, 6)  \
	FADD2(15, 7, 7)  \
	FADD2(4, 0, 0)   \
	FADD2(5, 1, 1)   \
	FADD2(6, 2, 2)   \
	FADD2(7, 3, 3)   \
	FADD2(2, 0, 0)   \
	FADD2(3, 1, 1)   \
	FADD2(1, 0, 0)   \
	FADDP2(0, 0, 0)

#define LOAD_ONE FMOVQ.P 16(X), F16

#define LOAD_TWO \
	FMOVQ.P 16(X), F16 \
	FMOVQ.P 16(Y), F17

#define LAST_ONE \
	ADD   $8, X, SECOND          \
	CSEL  GE, SECOND, PAD, SECOND \
	FMOVD (X), F16               \
	VLD1  (SECOND), V16.D[1]

#define LAST_TWO \
	LAST_ONE                    \
	ADD   $8, Y, SECOND         \
	ADD   $8, PAD, THIRD        \
	CSEL  GE, SECOND, THIRD, SECOND \
	FMOVD (Y), F17              \
	VLD1  (SECOND), V17.D[1]

#define LOAD_DIFFERENCE \
	LOAD_TWO          \
	FSUB2(17, 16, 16)

#define LAST_DIFFERENCE \
	LAST_TWO          \
	FSUB2(17, 16, 16)

#define ADD_PRODUCT(acc) VFMLA V16.D2, V17.D2, acc.D2
#define ADD_SQUARE(acc) VFMLA V16.D2, V16.D2, acc.D2

// func denseDotNEON(x, y []float64) float64
TEXT ·denseDotNEON(SB), NOSPLIT, $0-56
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	MOVD  y_base+24(FP), Y
	LANES(LOAD_TWO, LAST_TWO, ADD_PRODUCT)
	FMOVD F0, ret+48(FP)
	RET

// func denseSquaredNormNEON(x []float64) float64
TEXT ·denseSquaredNormNEON(SB), NOSPLIT, $0-32
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	LANES(LOAD_ONE, LAST_ONE, ADD_SQUARE)
	FMOVD F0, ret+24(FP)
	RET

// func denseSquaredDistanceNEON(x, y []float64) float64
TEXT ·denseSquaredDistanceNEON(SB), NOSPLIT, $0-56
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	MOVD  y_base+24(FP), Y
	LANES(LOAD_DIFFERENCE, LAST_DIFFERENCE, ADD_SQUARE)
	FMOVD F0, ret+48(FP)
	RET

// The sum of x is the sum of x times 1, with the same rounding.
// func denseSumNEON(x []float64) float64
TEXT ·denseSumNEON(SB), NOSPLIT, $0-32
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	FMOVD $1.0, F17
	VDUP  V17.D[0], V17.D2
	LANES(LOAD_ONE, LAST_ONE, ADD_PRODUCT)
	FMOVD F0, ret+24(FP)
	RET

// func denseMaxAbsNEON(x []float64) float64
TEXT ·denseMaxAbsNEON(SB), NOSPLIT, $0-32
	MOVD x_base+0(FP), X
	MOVD x_len+8(FP), N
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	SUBS $8, N
	BLT  single

loop:
	VLD1.P 64(X), [V16.D2, V17.D2, V18.D2, V19.D2]
	FABS2(16, 16)
	FABS2(17, 17)
	FABS2(18, 18)
	FABS2(19, 19)
	FMAX2(16, 0, 0)
	FMAX2(17, 1, 1)
	FMAX2(18, 2, 2)
	FMAX2(19, 3, 3)
	SUBS   $8, N
	BGE    loop

single:
	ADDS $8, N
	BEQ  combine

next:
	FMOVD.P 8(X), F16
	FABS2(16, 16)
	FMAX2(16, 0, 0)
	SUBS    $1, N
	BNE     next

combine:
	FMAX2(1, 0, 0)
	FMAX2(3, 2, 2)
	FMAX2(2, 0, 0)
	VDUP  V0.D[1], V1.D2
	FMAX2(1, 0, 0)
	FMOVD F0, ret+24(FP)
	RET

// V20 = OP of V16 = x and, where READ_Y loads it, V20 = y, eight elements at a
// time, then one.
#define STEP(READ_Y, OP, offset) \
	FMOVQ offset(X), F16 \
	READ_Y(offset)       \
	OP                   \
	FMOVQ F20, offset(DST)

#define MAP(READ_Y, READ_Y1, OP) \
	SUBS $8, N            \
	BLT  single           \
loop:                         \
	STEP(READ_Y, OP, 0)   \
	STEP(READ_Y, OP, 16)  \
	STEP(READ_Y, OP, 32)  \
	STEP(READ_Y, OP, 48)  \
	ADD  $64, X           \
	ADD  $64, Y           \
	ADD  $64, DST         \
	SUBS $8, N            \
	BGE  loop             \
single:                       \
	ADDS $8, N            \
	BEQ  done             \
next:                         \
	FMOVD.P 8(X), F16     \
	READ_Y1               \
	OP                    \
	FMOVD.P F20, 8(DST)   \
	SUBS $1, N            \
	BNE  next             \
done:

#define NO_Y(offset)
#define NO_Y1
#define READ_Y(offset) FMOVQ offset(Y), F20
#define READ_Y1 FMOVD.P 8(Y), F20

#define AXPY VFMLA V0.D2, V16.D2, V20.D2

#define SCALE_ADD \
	FMUL2(20, 1, 20) \
	VFMLA V0.D2, V16.D2, V20.D2

#define SCALE FMUL2(16, 0, 20)
#define ADD_SCALAR FADD2(0, 16, 20)
#define MUL FMUL2(20, 16, 20)

// V0 = t, V1 = the sign bit, V2 = 0.
#define SOFT_THRESHOLD \
	FABS2(16, 17)                  \
	FCMGE2(17, 0, 18)              \ // t >= |x|
	FSUB2(0, 17, 20)               \
	VBIT V1.B16, V16.B16, V20.B16  \
	VBIT V18.B16, V2.B16, V20.B16

// V0 = lo, V1 = hi. FMAX and FMIN would order the zeros.
#define BOX \
	FCMGT2(16, 0, 17)              \ // lo > x
	VBIT V17.B16, V0.B16, V16.B16  \
	FCMGT2(1, 16, 20)              \ // x > hi
	VBSL V16.B16, V1.B16, V20.B16

#define BROADCAST(argument, scalar, vector) \
	FMOVD argument, scalar \
	VDUP  vector.D[0], vector.D2

// func denseAxpyNEON(a float64, x, y []float64)
TEXT ·denseAxpyNEON(SB), NOSPLIT, $0-56
	BROADCAST(a+0(FP), F0, V0)
	MOVD x_base+8(FP), X
	MOVD x_len+16(FP), N
	MOVD y_base+32(FP), Y
	MOVD Y, DST
	MAP(READ_Y, READ_Y1, AXPY)
	RET

// func denseScaleAddNEON(dst []float64, a float64, x []float64, b float64, y []float64)
TEXT ·denseScaleAddNEON(SB), NOSPLIT, $0-88
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	BROADCAST(a+24(FP), F0, V0)
	MOVD x_base+32(FP), X
	BROADCAST(b+56(FP), F1, V1)
	MOVD y_base+64(FP), Y
	MAP(READ_Y, READ_Y1, SCALE_ADD)
	RET

// func denseScaleNEON(dst []float64, a float64, x []float64)
TEXT ·denseScaleNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	BROADCAST(a+24(FP), F0, V0)
	MOVD x_base+32(FP), X
	MAP(NO_Y, NO_Y1, SCALE)
	RET

// func denseAddScalarNEON(dst []float64, a float64, x []float64)
TEXT ·denseAddScalarNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	BROADCAST(a+24(FP), F0, V0)
	MOVD x_base+32(FP), X
	MAP(NO_Y, NO_Y1, ADD_SCALAR)
	RET

// func denseMulNEON(dst, x, y []float64)
TEXT ·denseMulNEON(SB), NOSPLIT, $0-72
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	MOVD x_base+24(FP), X
	MOVD y_base+48(FP), Y
	MAP(READ_Y, READ_Y1, MUL)
	RET

// func denseSoftThresholdNEON(dst, x []float64, t float64)
TEXT ·denseSoftThresholdNEON(SB), NOSPLIT, $0-56
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	MOVD x_base+24(FP), X
	BROADCAST(t+48(FP), F0, V0)
	MOVD $(1<<63), R7
	VDUP R7, V1.D2
	VEOR V2.B16, V2.B16, V2.B16
	MAP(NO_Y, NO_Y1, SOFT_THRESHOLD)
	RET

// func denseBoxNEON(dst, x []float64, lo, hi float64)
TEXT ·denseBoxNEON(SB), NOSPLIT, $0-64
	MOVD dst_base+0(FP), DST
	MOVD dst_len+8(FP), N
	MOVD x_base+24(FP), X
	BROADCAST(lo+48(FP), F0, V0)
	BROADCAST(hi+56(FP), F1, V1)
	MAP(NO_Y, NO_Y1, BOX)
	RET

#define W R0
#define M R1
#define V R2
#define G R4

// Two elements at a time, then one; what is written moves on, as G does.
#define NEXT2(from, to) FMOVQ.P 16(from), to
#define NEXT1(from, to) FMOVD (from), to
#define STORE2(from, to) FMOVQ.P from, 16(to)
#define STORE1(from, to) FMOVD from, (to)

#define UPDATE(READ, OP, WRITE) \
	SUBS $2, N         \
	BLT  single        \
loop:                      \
	READ(FMOVQ, NEXT2) \
	OP                 \
	WRITE(STORE2)      \
	SUBS $2, N         \
	BGE  loop          \
single:                    \
	ADDS $2, N         \
	BEQ  done          \
	READ(FMOVD, NEXT1) \
	OP                 \
	WRITE(STORE1)      \
done:                      \
	RET

// w = V16, m = V17, v = V18, g = V19; the new m is V20, the new v V21.
#define ADAM \
	VFMLA V6.D2, V16.D2, V19.D2 \ // s
	FMUL2(19, 1, 20)            \
	VFMLA V0.D2, V17.D2, V20.D2 \ // m
	FMUL2(19, 3, 21)            \
	FMUL2(19, 21, 21)           \
	VFMLA V2.D2, V18.D2, V21.D2 \ // v
	FSQRT2(21, 22)              \
	FADD2(5, 22, 22)            \
	FMUL2(20, 4, 23)            \
	FDIV2(22, 23, 23)           \
	FSUB2(23, 16, 16)

#define ADAM_READ(load, next) \
	load (W), F16  \
	load (M), F17  \
	load (V), F18  \
	next(G, F19)

#define ADAM_WRITE(store) \
	store(F16, W)  \
	store(F20, M)  \
	store(F21, V)

// func denseAdamNEON(w, m, v, g []float64, p Adam)
TEXT ·denseAdamNEON(SB), NOSPLIT, $0-152
	MOVD w_base+0(FP), W
	MOVD w_len+8(FP), N
	MOVD m_base+24(FP), M
	MOVD v_base+48(FP), V
	MOVD g_base+72(FP), G
	BROADCAST(p_Beta1+96(FP), F0, V0)
	BROADCAST(p_Rest1+104(FP), F1, V1)
	BROADCAST(p_Beta2+112(FP), F2, V2)
	BROADCAST(p_Rest2+120(FP), F3, V3)
	BROADCAST(p_Rate+128(FP), F4, V4)
	BROADCAST(p_Epsilon+136(FP), F5, V5)
	BROADCAST(p_Lambda+144(FP), F6, V6)
	UPDATE(ADAM_READ, ADAM, ADAM_WRITE)

// w = V16, v = V17, g = V18, which becomes the new v.
#define MOMENTUM \
	VFMLA V2.D2, V16.D2, V18.D2 \
	VFMLA V1.D2, V17.D2, V18.D2 \ // v
	VFMLS V0.D2, V18.D2, V16.D2

#define MOMENTUM_READ(load, next) \
	load (W), F16  \
	load (V), F17  \
	next(G, F18)

#define MOMENTUM_WRITE(store) \
	store(F16, W)  \
	store(F18, V)

// func denseMomentumNEON(w, v, g []float64, rate, mu, lambda float64)
TEXT ·denseMomentumNEON(SB), NOSPLIT, $0-96
	MOVD w_base+0(FP), W
	MOVD w_len+8(FP), N
	MOVD v_base+24(FP), V
	MOVD g_base+48(FP), G
	BROADCAST(rate+72(FP), F0, V0)
	BROADCAST(mu+80(FP), F1, V1)
	BROADCAST(lambda+88(FP), F2, V2)
	UPDATE(MOMENTUM_READ, MOMENTUM, MOMENTUM_WRITE)
