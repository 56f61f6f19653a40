//go:build !purego

#include "textflag.h"
#include "doors_amd64.h"

// The entry points that doors.go defines. Short vectors are done here. Longer ones that
// pass the checks jump to the kernel of the path, whose arguments begin like these and
// which returns to the caller. Calls that fail a check go to Go. Each entry point begins a
// cache line: the placement of its jumps affects the speed of a call.

// func Dot(x []float64, y *float64) float64
TEXT ·Dot(SB), NOSPLIT, $0-40
	PCALIGN $64
	NOT_PORTABLE
	MOVQ x_len+8(FP), N
	MOVQ x_base+0(FP), X
	MOVQ y+24(FP), Y
	SUM_FEW(PAIR_OF_PRODUCTS, ONE_PRODUCT, ret+32(FP))
	TO_KERNEL(·denseDotAVX2, ·denseDotAVX512, ·dot)

// func SquaredDistance(x []float64, y *float64) float64
TEXT ·SquaredDistance(SB), NOSPLIT, $0-40
	PCALIGN $64
	NOT_PORTABLE
	MOVQ x_len+8(FP), N
	MOVQ x_base+0(FP), X
	MOVQ y+24(FP), Y
	SUM_FEW(PAIR_OF_SQUARED_DIFFERENCES, ONE_SQUARED_DIFFERENCE, ret+32(FP))
	TO_KERNEL(·denseSquaredDistanceAVX2, ·denseSquaredDistanceAVX512, ·squaredDistance)

// func SquaredNorm(x []float64) float64
TEXT ·SquaredNorm(SB), NOSPLIT, $0-32
	PCALIGN $64
	NOT_PORTABLE
	MOVQ x_len+8(FP), N
	MOVQ x_base+0(FP), X
	SUM_FEW(PAIR_OF_SQUARES, ONE_SQUARE, ret+24(FP))
	SUM_SOME(PAIR_OF_SQUARES, ONE_SQUARE, ret+24(FP))
	TO_KERNEL(·denseSquaredNormAVX2, ·denseSquaredNormAVX512, ·squaredNorm)

// func Sum(x []float64) float64
TEXT ·Sum(SB), NOSPLIT, $0-32
	PCALIGN $64
	NOT_PORTABLE
	MOVQ x_len+8(FP), N
	MOVQ x_base+0(FP), X
	SUM_FEW(PAIR_OF_ELEMENTS, ONE_ELEMENT, ret+24(FP))
	SUM_SOME(PAIR_OF_ELEMENTS, ONE_ELEMENT, ret+24(FP))
	CMPQ N, $32
	JHI  longer

	// Up to 32 elements are a lane each as well.
	VMOVUPD (X), Y0
	VMOVUPD 32(X), Y1
	VMOVUPD 64(X), Y2
	VMOVUPD 96(X), Y3
	JNE     some
	VADDPD  128(X), Y0, Y0
	VADDPD  160(X), Y1, Y1
	VADDPD  192(X), Y2, Y2
	VADDPD  224(X), Y3, Y3

sixteen:
	VADDPD       Y2, Y0, Y0
	VADDPD       Y3, Y1, Y1
	VADDPD       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VADDPD       X1, X0, X0
	VZEROUPPER
	SUM_OF_TWO(ret+24(FP))

some:
	// Y4 = the last one to three elements, then zeros.
	MOVL       N, AX
	ANDL       $3, AX
	SHLL       $5, AX
	LEAQ       doorFirst<>(SB), BX
	VMOVDQU    (BX)(AX*1), Y5
	ANDQ       $-4, N
	VMASKMOVPD (X)(N*8), Y5, Y4
	CMPQ       N, $20
	JCS        sixteenAnd
	VADDPD     128(X), Y0, Y0
	JEQ        twentyAnd
	VADDPD     160(X), Y1, Y1
	CMPQ       N, $28
	JCS        twentyFourAnd
	VADDPD     192(X), Y2, Y2
	VADDPD     Y4, Y3, Y3
	JMP        sixteen

sixteenAnd:
	VADDPD Y4, Y0, Y0
	JMP    sixteen

twentyAnd:
	VADDPD Y4, Y1, Y1
	JMP    sixteen

twentyFourAnd:
	VADDPD Y4, Y2, Y2
	JMP    sixteen

longer:
	TO_KERNEL(·denseSumAVX2, ·denseSumAVX512, ·sum)

// At 32 n, the first n of four lanes.
DATA doorFirst<>+32(SB)/8, $-1
DATA doorFirst<>+64(SB)/8, $-1
DATA doorFirst<>+72(SB)/8, $-1
DATA doorFirst<>+96(SB)/8, $-1
DATA doorFirst<>+104(SB)/8, $-1
DATA doorFirst<>+112(SB)/8, $-1
GLOBL doorFirst<>(SB), RODATA|NOPTR, $128

// func MaxAbs(x []float64) float64
TEXT ·MaxAbs(SB), NOSPLIT, $0-32
	PCALIGN $64
	MOVQ x_len+8(FP), N
	CMPQ N, $4
	JHI  more
	MOVQ x_base+0(FP), X
	XORL AX, AX
	TESTQ N, N
	JEQ  done

next:
	// The bits of |x| order as the numbers do, with NaN above all.
	MOVQ    -8(X)(N*8), DX
	BTRQ    $63, DX
	CMPQ    DX, AX
	CMOVQHI DX, AX
	DECQ    N
	JNE     next

done:
	MOVQ AX, ret+24(FP)
	RET

more:
	TO_KERNEL(·denseMaxAbsAVX2, ·denseMaxAbsAVX512, ·maxAbs)

// func Axpy(a float64, x, y *float64, n, ny int) (err error)
TEXT ·Axpy(SB), NOSPLIT, $0-56
	PCALIGN $64
	MOVQ n+24(FP), N
	CMPQ N, ny+32(FP)
	JNE  portable
	NOT_PORTABLE
	MOVQ x+8(FP), X
	MOVQ y+16(FP), DST
	NO_ERROR(err+40(FP))
	MAP_FEW(APART_FROM_X, AXPY_NUMBERS, FROM_DST, AXPY)
	MAP_TO_KERNEL(·denseAxpyAVX2, ·denseAxpyAVX512, ·axpy)

// func ScaleAdd(dst, x, y *float64, a, b float64, n, nx, ny int) (err error)
TEXT ·ScaleAdd(SB), NOSPLIT, $0-80
	PCALIGN $64
	MOVQ n+40(FP), N
	CMPQ N, nx+48(FP)
	JNE  portable
	CMPQ N, ny+56(FP)
	JNE  portable
	NOT_PORTABLE
	MOVQ dst+0(FP), DST
	MOVQ x+8(FP), X
	MOVQ y+16(FP), Y
	NO_ERROR(err+64(FP))
	MAP_FEW(APART_FROM_BOTH, SCALE_ADD_NUMBERS, FROM_Y, SCALE_ADD)
	MAP_TO_KERNEL(·denseScaleAddAVX2, ·denseScaleAddAVX512, ·scaleAdd)

// func Scale(dst, x *float64, a float64, n, nx int) (err error)
TEXT ·Scale(SB), NOSPLIT, $0-56
	PCALIGN $64
	DST_AND_X
	MAP_FEW(APART_FROM_X, ONE_NUMBER, NO_Y, SCALE)
	MAP_TO_KERNEL(·denseScaleAVX2, ·denseScaleAVX512, ·scale)

// func AddScalar(dst, x *float64, a float64, n, nx int) (err error)
TEXT ·AddScalar(SB), NOSPLIT, $0-56
	PCALIGN $64
	DST_AND_X
	MAP_FEW(APART_FROM_X, ONE_NUMBER, NO_Y, ADD_SCALAR)
	MAP_TO_KERNEL(·denseAddScalarAVX2, ·denseAddScalarAVX512, ·addScalar)

// func Mul(dst, x, y *float64, n, nx, ny int) (err error)
TEXT ·Mul(SB), NOSPLIT, $0-64
	PCALIGN $64
	MOVQ n+24(FP), N
	CMPQ N, nx+32(FP)
	JNE  portable
	CMPQ N, ny+40(FP)
	JNE  portable
	MOVQ dst+0(FP), DST
	MOVQ x+8(FP), X
	MOVQ y+16(FP), Y
	NO_ERROR(err+48(FP))
	MAP_FEW(APART_FROM_BOTH, NO_NUMBERS, FROM_Y, MUL)
	MAP_TO_KERNEL(·denseMulAVX2, ·denseMulAVX512, ·mul)

DATA doorAbs<>+0(SB)/8, $0x7fffffffffffffff
DATA doorAbs<>+8(SB)/8, $0x7fffffffffffffff
GLOBL doorAbs<>(SB), RODATA|NOPTR, $16

// func SoftThreshold(dst, x *float64, t float64, n, nx int) (err error)
TEXT ·SoftThreshold(SB), NOSPLIT, $0-56
	PCALIGN $64
	MOVSD   t+16(FP), X2
	XORPS   X0, X0
	UCOMISD X0, X2
	JCS     portable // below 0, or NaN
	DST_AND_X
	MAP_FEW(APART_FROM_X, SOFT_THRESHOLD_NUMBERS, NO_Y, SOFT_THRESHOLD)
	MAP_TO_KERNEL(·denseSoftThresholdAVX2, ·denseSoftThresholdAVX512, ·softThreshold)

// func Box(dst, x *float64, lo, hi float64, n, nx int) (err error)
TEXT ·Box(SB), NOSPLIT, $0-64
	PCALIGN $64
	MOVSD   lo+16(FP), X2
	MOVSD   hi+24(FP), X3
	UCOMISD X2, X3
	JCS     portable // hi is below lo, or one is NaN
	MOVQ    n+32(FP), N
	CMPQ    N, nx+40(FP)
	JNE     portable
	MOVQ    dst+0(FP), DST
	MOVQ    x+8(FP), X
	NO_ERROR(err+48(FP))
	MAP_FEW(APART_FROM_X, BOX_NUMBERS, NO_Y, BOX)
	MAP_TO_KERNEL(·denseBoxAVX2, ·denseBoxAVX512, ·box)

// func AdamStep(w, m, v, grad *float64, n int, beta1, rest1, beta2, rest2, rate, epsilon, lambda float64)
TEXT ·AdamStep(SB), NOSPLIT, $0-96
	PCALIGN $64
	MOVQ n+32(FP), N
	MAP_TO_KERNEL(·denseAdamAVX2, ·denseAdamAVX512, ·adamStep)

// func MomentumStep(w, v, grad *float64, n int, rate, mu, lambda float64)
TEXT ·MomentumStep(SB), NOSPLIT, $0-56
	PCALIGN $64
	MOVQ n+24(FP), N
	MAP_TO_KERNEL(·denseMomentumAVX2, ·denseMomentumAVX512, ·momentumStep)
