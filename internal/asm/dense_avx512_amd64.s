//go:build !purego

#include "textflag.h"

// The AVX2 kernels of dense_avx2_amd64.s at twice the width. The last few
// elements go through the same code under the mask K1.

#define N CX   // elements left
#define DST DI
#define X SI
#define Y DX
#define ONES R9
#define BITS R10

DATA denseAbs512<>+0(SB)/8, $0x7fffffffffffffff
GLOBL denseAbs512<>(SB), RODATA|NOPTR, $8

// K1 = the first min(N, 8) lanes, with ONES = -1 and N < 64.
#define MASK_FIRST \
	BZHIQ N, ONES, BITS \
	KMOVB BITS, K1

#define LAST(MASKED, ADD_MASKED, offset, acc) \
	MASK_FIRST      \
	MASKED(offset)  \
	ADD_MASKED(acc) \
	SUBQ $8, N      \
	JLE  tree

// The sum over 32 lanes, in Z0 to Z3, and their tree, to X0.
#define LANES(LOAD, ADD, MASKED, ADD_MASKED) \
	VPXORQ Z0, Z0, Z0 \
	VPXORQ Z1, Z1, Z1 \
	VPXORQ Z2, Z2, Z2 \
	VPXORQ Z3, Z3, Z3 \
	SUBQ $32, N       \
	JLT  last         \
loop:                     \
	LOAD(0)           \
	ADD(Z0)           \
	LOAD(64)          \
	ADD(Z1)           \
	LOAD(128)         \
	ADD(Z2)           \
	LOAD(192)         \
	ADD(Z3)           \
	ADDQ $256, X      \
	ADDQ $256, Y      \
	SUBQ $32, N       \
	JGE  loop         \
last:                     \
	ADDQ $32, N       \
	JEQ  tree         \
	MOVQ $-1, ONES    \
	LAST(MASKED, ADD_MASKED, 0, Z0)   \
	LAST(MASKED, ADD_MASKED, 64, Z1)  \
	LAST(MASKED, ADD_MASKED, 128, Z2) \
	LAST(MASKED, ADD_MASKED, 192, Z3) \
tree:                                     \
	VADDPD        Z2, Z0, Z0 \
	VADDPD        Z3, Z1, Z1 \
	VADDPD        Z1, Z0, Z0 \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPD        Y1, Y0, Y0 \
	VEXTRACTF128  $1, Y0, X1 \
	VADDPD        X1, X0, X0 \
	VUNPCKHPD     X0, X0, X1 \
	VADDSD        X1, X0, X0 \
	VZEROUPPER

#define LOAD_TWO(offset) \
	VMOVUPD offset(X), Z8 \
	VMOVUPD offset(Y), Z9

#define MASKED_TWO(offset) \
	VMOVUPD.Z offset(X), K1, Z8 \
	VMOVUPD.Z offset(Y), K1, Z9

#define LOAD_DIFFERENCE(offset) \
	VMOVUPD offset(X), Z8     \
	VSUBPD  offset(Y), Z8, Z8

#define MASKED_DIFFERENCE(offset) \
	MASKED_TWO(offset) \
	VSUBPD Z9, Z8, Z8

#define LOAD_ONE(offset) VMOVUPD offset(X), Z8
#define MASKED_ONE(offset) VMOVUPD.Z offset(X), K1, Z8

#define ADD_PRODUCT(acc) VFMADD231PD Z8, Z9, acc
#define ADD_PRODUCT_MASKED(acc) VFMADD231PD Z8, Z9, K1, acc
#define ADD_SQUARE(acc) VFMADD231PD Z8, Z8, acc
#define ADD_SQUARE_MASKED(acc) VFMADD231PD Z8, Z8, K1, acc
#define ADD_ONE(acc) VADDPD Z8, acc, acc
#define ADD_ONE_MASKED(acc) VADDPD Z8, acc, K1, acc

// func denseDotAVX512(x, y []float64) float64
TEXT ·denseDotAVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y_base+24(FP), Y
	LANES(LOAD_TWO, ADD_PRODUCT, MASKED_TWO, ADD_PRODUCT_MASKED)
	MOVSD X0, ret+48(FP)
	RET

// func denseSquaredNormAVX512(x []float64) float64
TEXT ·denseSquaredNormAVX512(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	LANES(LOAD_ONE, ADD_SQUARE, MASKED_ONE, ADD_SQUARE_MASKED)
	MOVSD X0, ret+24(FP)
	RET

// func denseSquaredDistanceAVX512(x, y []float64) float64
TEXT ·denseSquaredDistanceAVX512(SB), NOSPLIT, $0-56
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	MOVQ y_base+24(FP), Y
	LANES(LOAD_DIFFERENCE, ADD_SQUARE, MASKED_DIFFERENCE, ADD_SQUARE_MASKED)
	MOVSD X0, ret+48(FP)
	RET

// func denseSumAVX512(x []float64) float64
TEXT ·denseSumAVX512(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), X
	MOVQ x_len+8(FP), N
	LANES(LOAD_ONE, ADD_ONE, MASKED_ONE, ADD_ONE_MASKED)
	MOVSD X0, ret+24(FP)
	RET

// The bits of |x| order as the numbers do, with NaN above all, so an integer
// maximum finds a NaN by itself.
#define MAX_ABS(offset, acc) \
	VPANDQ  offset(X), Z15, Z8 \
	VPMAXUQ Z8, acc, acc

// func denseMaxAbsAVX512(x []float64) float64
TEXT ·denseMaxAbsAVX512(SB), NOSPLIT, $0-32
	MOVQ         x_base+0(FP), X
	MOVQ         x_len+8(FP), N
	VBROADCASTSD denseAbs512<>(SB), Z15
	VPXORQ       Z0, Z0, Z0
	VPXORQ       Z1, Z1, Z1
	VPXORQ       Z2, Z2, Z2
	VPXORQ       Z3, Z3, Z3
	SUBQ         $32, N
	JLT          last

loop:
	MAX_ABS(0, Z0)
	MAX_ABS(64, Z1)
	MAX_ABS(128, Z2)
	MAX_ABS(192, Z3)
	ADDQ $256, X
	SUBQ $32, N
	JGE  loop

last:
	ADDQ $32, N
	JEQ  combine
	MOVQ $-1, ONES

next:
	MASK_FIRST
	VMOVUPD.Z (X), K1, Z8
	VPANDQ    Z8, Z15, Z8
	VPMAXUQ   Z8, Z0, Z0
	ADDQ      $64, X
	SUBQ      $8, N
	JGT       next

combine:
	VPMAXUQ       Z1, Z0, Z0
	VPMAXUQ       Z3, Z2, Z2
	VPMAXUQ       Z2, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXUQ       Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPMAXUQ       X1, X0, X0
	VPUNPCKHQDQ   X0, X0, X1
	VPMAXUQ       X1, X0, X0
	VZEROUPPER
	MOVSD         X0, ret+24(FP)
	RET

// Z12 = OP of Z12 = x and, where READ_Y loads it, Z13 = y, 32 elements at a
// time, then eight or fewer.
#define STEP(READ_Y, OP, offset) \
	VMOVUPD offset(X), Z12 \
	READ_Y(offset)         \
	OP                     \
	VMOVUPD Z12, offset(DST)

#define MAP(READ_Y, READ_Y_MASKED, OP) \
	SUBQ $32, N           \
	JLT  last             \
loop:                         \
	STEP(READ_Y, OP, 0)   \
	STEP(READ_Y, OP, 64)  \
	STEP(READ_Y, OP, 128) \
	STEP(READ_Y, OP, 192) \
	ADDQ $256, X          \
	ADDQ $256, Y          \
	ADDQ $256, DST        \
	SUBQ $32, N           \
	JGE  loop             \
last:                         \
	ADDQ $32, N           \
	JEQ  done             \
	MOVQ $-1, ONES        \
next:                         \
	MASK_FIRST            \
	VMOVUPD.Z (X), K1, Z12 \
	READ_Y_MASKED         \
	OP                    \
	VMOVUPD Z12, K1, (DST) \
	ADDQ $64, X           \
	ADDQ $64, Y           \
	ADDQ $64, DST         \
	SUBQ $8, N            \
	JGT  next             \
done:                         \
	VZEROUPPER

#define NO_Y(offset)
#define NO_Y_MASKED
#define READ_Y(offset) VMOVUPD offset(Y), Z13
#define READ_Y_MASKED VMOVUPD.Z (Y), K1, Z13

#define AXPY VFMADD213PD Z13, Z0, Z12

#define SCALE_ADD \
	VMULPD      Z13, Z1, Z13 \
	VFMADD213PD Z13, Z0, Z12

#define SCALE VMULPD Z12, Z0, Z12
#define ADD_SCALAR VADDPD Z0, Z12, Z12
#define MUL VMULPD Z13, Z12, Z12

// Z0 = t, Z1 = the bits of |x|.
#define SOFT_THRESHOLD \
	VPANDQ    Z1, Z12, Z13       \
	VCMPPD    $0x16, Z0, Z13, K2 \ // not (|x| <= t)
	VPANDNQ   Z12, Z1, Z12       \
	VSUBPD    Z0, Z13, Z13       \
	VPORQ.Z   Z12, Z13, K2, Z12

// Z0 = lo, Z1 = hi. The operand order lets NaN and zeros of either sign through.
#define BOX \
	VMAXPD Z12, Z0, Z12 \
	VMINPD Z12, Z1, Z12

// func denseAxpyAVX512(a float64, x, y []float64)
TEXT ·denseAxpyAVX512(SB), NOSPLIT, $0-56
	VBROADCASTSD a+0(FP), Z0
	MOVQ         x_base+8(FP), X
	MOVQ         x_len+16(FP), N
	MOVQ         y_base+32(FP), Y
	MOVQ         Y, DST
	MAP(READ_Y, READ_Y_MASKED, AXPY)
	RET

// func denseScaleAddAVX512(dst []float64, a float64, x []float64, b float64, y []float64)
TEXT ·denseScaleAddAVX512(SB), NOSPLIT, $0-88
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	VBROADCASTSD a+24(FP), Z0
	MOVQ         x_base+32(FP), X
	VBROADCASTSD b+56(FP), Z1
	MOVQ         y_base+64(FP), Y
	MAP(READ_Y, READ_Y_MASKED, SCALE_ADD)
	RET

// func denseScaleAVX512(dst []float64, a float64, x []float64)
TEXT ·denseScaleAVX512(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	VBROADCASTSD a+24(FP), Z0
	MOVQ         x_base+32(FP), X
	MAP(NO_Y, NO_Y_MASKED, SCALE)
	RET

// func denseAddScalarAVX512(dst []float64, a float64, x []float64)
TEXT ·denseAddScalarAVX512(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	VBROADCASTSD a+24(FP), Z0
	MOVQ         x_base+32(FP), X
	MAP(NO_Y, NO_Y_MASKED, ADD_SCALAR)
	RET

// func denseMulAVX512(dst, x, y []float64)
TEXT ·denseMulAVX512(SB), NOSPLIT, $0-72
	MOVQ dst_base+0(FP), DST
	MOVQ dst_len+8(FP), N
	MOVQ x_base+24(FP), X
	MOVQ y_base+48(FP), Y
	MAP(READ_Y, READ_Y_MASKED, MUL)
	RET

// func denseSoftThresholdAVX512(dst, x []float64, t float64)
TEXT ·denseSoftThresholdAVX512(SB), NOSPLIT, $0-56
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	MOVQ         x_base+24(FP), X
	VBROADCASTSD t+48(FP), Z0
	VBROADCASTSD denseAbs512<>(SB), Z1
	MAP(NO_Y, NO_Y_MASKED, SOFT_THRESHOLD)
	RET

// func denseBoxAVX512(dst, x []float64, lo, hi float64)
TEXT ·denseBoxAVX512(SB), NOSPLIT, $0-64
	MOVQ         dst_base+0(FP), DST
	MOVQ         dst_len+8(FP), N
	MOVQ         x_base+24(FP), X
	VBROADCASTSD lo+48(FP), Z0
	VBROADCASTSD hi+56(FP), Z1
	MAP(NO_Y, NO_Y_MASKED, BOX)
	RET

#define W DI
#define M SI
#define V DX
#define G BX

// Z8 = w, Z9 = m, Z10 = v, Z11 = g.
#define ADAM \
	VFMADD231PD Z8, Z6, Z11   \ // s
	VMULPD      Z11, Z1, Z12  \
	VFMADD213PD Z12, Z0, Z9   \ // m
	VMULPD      Z11, Z3, Z12  \
	VMULPD      Z11, Z12, Z12 \
	VFMADD213PD Z12, Z2, Z10  \ // v
	VSQRTPD     Z10, Z12      \
	VADDPD      Z5, Z12, Z12  \
	VMULPD      Z9, Z4, Z13   \
	VDIVPD      Z12, Z13, Z13 \
	VSUBPD      Z13, Z8, Z8

// func denseAdamAVX512(w, m, v, g []float64, p Adam)
TEXT ·denseAdamAVX512(SB), NOSPLIT, $0-152
	MOVQ         w_base+0(FP), W
	MOVQ         w_len+8(FP), N
	MOVQ         m_base+24(FP), M
	MOVQ         v_base+48(FP), V
	MOVQ         g_base+72(FP), G
	VBROADCASTSD p_Beta1+96(FP), Z0
	VBROADCASTSD p_Rest1+104(FP), Z1
	VBROADCASTSD p_Beta2+112(FP), Z2
	VBROADCASTSD p_Rest2+120(FP), Z3
	VBROADCASTSD p_Rate+128(FP), Z4
	VBROADCASTSD p_Epsilon+136(FP), Z5
	VBROADCASTSD p_Lambda+144(FP), Z6
	SUBQ         $8, N
	JLT          last

loop:
	VMOVUPD (W), Z8
	VMOVUPD (M), Z9
	VMOVUPD (V), Z10
	VMOVUPD (G), Z11
	ADAM
	VMOVUPD Z8, (W)
	VMOVUPD Z9, (M)
	VMOVUPD Z10, (V)
	ADDQ    $64, W
	ADDQ    $64, M
	ADDQ    $64, V
	ADDQ    $64, G
	SUBQ    $8, N
	JGE     loop

last:
	ADDQ      $8, N
	JEQ       done
	MOVQ      $-1, ONES
	MASK_FIRST
	VMOVUPD.Z (W), K1, Z8
	VMOVUPD.Z (M), K1, Z9
	VMOVUPD.Z (V), K1, Z10
	VMOVUPD.Z (G), K1, Z11
	ADAM
	VMOVUPD   Z8, K1, (W)
	VMOVUPD   Z9, K1, (M)
	VMOVUPD   Z10, K1, (V)

done:
	VZEROUPPER
	RET

// Z8 = w, Z9 = v, Z10 = g.
#define MOMENTUM \
	VFMADD231PD  Z8, Z2, Z10 \
	VFMADD213PD  Z10, Z1, Z9 \ // v
	VFNMADD231PD Z9, Z0, Z8

// func denseMomentumAVX512(w, v, g []float64, rate, mu, lambda float64)
TEXT ·denseMomentumAVX512(SB), NOSPLIT, $0-96
	MOVQ         w_base+0(FP), W
	MOVQ         w_len+8(FP), N
	MOVQ         v_base+24(FP), V
	MOVQ         g_base+48(FP), G
	VBROADCASTSD rate+72(FP), Z0
	VBROADCASTSD mu+80(FP), Z1
	VBROADCASTSD lambda+88(FP), Z2
	SUBQ         $8, N
	JLT          last

loop:
	VMOVUPD (W), Z8
	VMOVUPD (V), Z9
	VMOVUPD (G), Z10
	MOMENTUM
	VMOVUPD Z8, (W)
	VMOVUPD Z9, (V)
	ADDQ    $64, W
	ADDQ    $64, V
	ADDQ    $64, G
	SUBQ    $8, N
	JGE     loop

last:
	ADDQ      $8, N
	JEQ       done
	MOVQ      $-1, ONES
	MASK_FIRST
	VMOVUPD.Z (W), K1, Z8
	VMOVUPD.Z (V), K1, Z9
	VMOVUPD.Z (G), K1, Z10
	MOMENTUM
	VMOVUPD   Z8, K1, (W)
	VMOVUPD   Z9, K1, (V)

done:
	VZEROUPPER
	RET
