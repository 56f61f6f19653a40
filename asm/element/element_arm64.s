//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "element_table.h"
#include "element_arm64.h"

// Two elements a round; a last single one goes through the same code with the upper lane zero. R2
// counts the remaining elements and is far below zero in that round.

#define MAP_BEGIN \
	MOVD dst_base+0(FP), R0      \
	MOVD x_base+24(FP), R1       \
	MOVD x_len+32(FP), R2        \
	MOVD $·elementTable(SB), R8  \
loop:                            \
	SUBS $2, R2                  \
	BLT  partial                 \
	VLD1.P 16(R1), [V7.D2]       \
body:

#define MAP_END \
	CMP  $0, R2                  \
	BLT  partialStore            \
	VST1.P [V0.D2], 16(R0)       \
	B    loop                    \
partial:                         \
	ADDS $2, R2                  \
	BEQ  done                    \
	FMOVD (R1), F7               \
	MOVD $-4, R2                 \
	B    body                    \
partialStore:                    \
	FMOVD F0, (R0)               \
done:                            \
	RET

// func expNEON(dst, x []float64)
TEXT ·expNEON(SB), NOSPLIT, $0-48
	MAP_BEGIN
	FMOVQ EXP_HIGH, F16
	FMOVQ EXP_LOW, F17
	FMIN2(16, 7, 0)
	FMAX2(17, 0, 0)
	EXP_PARTS
	FMUL2(3, 0, 0)
	FMUL2(1, 0, 0)
	MAP_END

// func sigmoidNEON(dst, x []float64)
TEXT ·sigmoidNEON(SB), NOSPLIT, $0-48
	MAP_BEGIN
	EXP_NEGATIVE
	SIGMOID_FROM
	VMOV V1.B16, V0.B16
	MAP_END

// func softplusNEON(dst, x []float64)
TEXT ·softplusNEON(SB), NOSPLIT, $0-48
	MAP_BEGIN
	EXP_NEGATIVE
	SOFTPLUS_FROM
	MAP_END

// func logNEON(dst, x []float64)
TEXT ·logNEON(SB), NOSPLIT, $0-48
	MAP_BEGIN
	FMOVQ LOG_TINY, F16
	FCMGT2(7, 16, 19)
	FMOVQ TWO_54, F16
	FMUL2(16, 7, 16)
	VMOV  V7.B16, V0.B16
	VBIT  V19.B16, V16.B16, V0.B16
	FMOVQ FIFTY_FOUR, F16
	VAND  V16.B16, V19.B16, V19.B16
	LOG_SPLIT_BITS
	FSUB2(19, 18, 18)
	FMOVQ ONE, F16
	FSUB2(16, 1, 0)
	VEOR  V2.B16, V2.B16, V2.B16
	LOG_FROM
	LOG_ENDS
	MAP_END

// func log1pNEON(dst, x []float64)
TEXT ·log1pNEON(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VMOV  V7.B16, V19.B16
	FMOVQ ONE, F17
	FADD2(17, 19, 7)               // u
	FSUB2(19, 7, 0)                // back
	FSUB2(0, 7, 2)
	FSUB2(2, 19, 2)
	FSUB2(0, 17, 3)
	FADD2(3, 2, 2)                 // uTail
	VMOV  V7.B16, V0.B16
	LOG_SPLIT_BITS
	VSUB  V7.D2, V1.D2, V3.D2
	FMOVQ TWO, F16
	VADD  V16.D2, V3.D2, V3.D2     // scale
	FSUB2(17, 1, 1)                // f
	FMOVQ HALF, F16
	FMUL2(16, 2, 2)
	FMUL2(3, 2, 2)                 // fTail
	FADD2(2, 1, 0)                 // sum
	FSUB2(1, 0, 3)
	FSUB2(3, 2, 2)
	LOG_FROM
	LOG_ENDS
	FABS2(19, 1)
	FMOVQ LOG1P_SMALL, F16
	FCMGT2(1, 16, 1)
	VBIT  V1.B16, V19.B16, V0.B16
	MAP_END

// func tanhNEON(dst, x []float64)
TEXT ·tanhNEON(SB), NOSPLIT, $0-48
	MAP_BEGIN
	FMOVQ SIGN_BIT, F16
	FMOVQ TANH_LOW, F17
	VORR  V16.B16, V7.B16, V0.B16
	FADD2(0, 0, 0)
	FMAX2(17, 0, 0)                // y
	FMOVQ TANH_SHIFT, F1
	FMOVQ TANH_SHIFT, F2
	FMOVQ LOG2E, F16
	VFMLA V16.D2, V0.D2, V1.D2
	FSUB2(2, 1, 2)                 // k
	FMOVQ LN2_HI, F16
	VFMLS V16.D2, V2.D2, V0.D2     // high
	VMOV  V0.B16, V3.B16
	FMOVQ LN2_LO, F16
	VFMLS V16.D2, V2.D2, V3.D2     // r
	FSUB2(3, 0, 0)
	VFMLS V16.D2, V2.D2, V0.D2     // rTail
	FMUL2(3, 3, 2)                 // r^2
	EXP_POLY
	VFMLA V22.D2, V2.D2, V0.D2     // rest
	VSHL  $52, V1.D2, V1.D2        // scale
	FMOVQ ONE, F4
	FSUB2(4, 1, 2)                 // less
	FADD2(4, 2, 5)
	FSUB2(5, 1, 5)                 // lessTail
	FMUL2(1, 3, 3)                 // part
	FADD2(3, 2, 6)                 // sum
	FSUB2(2, 6, 16)
	FSUB2(16, 3, 16)
	FADD2(5, 16, 16)
	VFMLA V0.D2, V1.D2, V16.D2     // tail
	FADD2(16, 6, 0)                // e
	FSUB2(6, 0, 2)
	FSUB2(2, 16, 2)                // eTail
	FMOVQ TWO, F5
	FADD2(5, 0, 3)                 // d
	FSUB2(5, 3, 5)
	FSUB2(5, 0, 5)
	FADD2(2, 5, 5)                 // dTail
	FDIV2(3, 4, 17)                // inv
	FMUL2(17, 0, 6)                // q
	VFMLS V3.D2, V6.D2, V0.D2
	VFMLS V5.D2, V6.D2, V2.D2
	FADD2(2, 0, 0)                 // residual
	VFMLA V17.D2, V0.D2, V6.D2
	VMOV  V6.B16, V0.B16
	FMOVQ SIGN_BIT, F16
	VBIT  V16.B16, V7.B16, V0.B16
	MAP_END

// The four pairs of lanes of the sum change places after each round, so that the next
// two elements always go to V24.
#define ROTATE \
	VMOV V24.B16, V0.B16   \
	VMOV V25.B16, V24.B16  \
	VMOV V26.B16, V25.B16  \
	VMOV V27.B16, V26.B16  \
	VMOV V0.B16, V27.B16

// func expSumNEON(dst, x []float64, shift float64) float64
TEXT ·expSumNEON(SB), NOSPLIT, $0-64
	MOVD  dst_base+0(FP), R0
	MOVD  x_base+24(FP), R1
	MOVD  x_len+32(FP), R2
	MOVD  $·elementTable(SB), R8
	FMOVD shift+48(FP), F20
	VDUP  V20.D[0], V20.D2
	VEOR  V24.B16, V24.B16, V24.B16
	VEOR  V25.B16, V25.B16, V25.B16
	VEOR  V26.B16, V26.B16, V26.B16
	VEOR  V27.B16, V27.B16, V27.B16
	MOVD  R2, R7
loop:
	SUBS  $2, R2
	BLT   partial
	VLD1.P 16(R1), [V7.D2]
body:
	FSUB2(20, 7, 7)
	FMOVQ EXP_HIGH, F16
	FMOVQ EXP_LOW, F17
	FMIN2(16, 7, 0)
	FMAX2(17, 0, 0)
	EXP_PARTS
	FMUL2(3, 0, 0)
	FMUL2(1, 0, 0)
	CMP   $0, R2
	BLT   last
	CBZ   R0, add
	VST1.P [V0.D2], 16(R0)
add:
	FADD2(0, 24, 24)
	ROTATE
	B     loop
partial:
	ADDS  $2, R2
	BLE   done
	MOVD  $-4, R2
	FMOVD (R1), F7
	B     body

	// The lane without an element takes +0: it holds no -0, as exp is never below +0.
last:
	VMOV  ZR, V0.D[1]
	CBZ   R0, add
	FMOVD F0, (R0)
	B     add
done:
	ADD   $1, R7                   // the rounds were (n+1)/2
	LSR   $1, R7
align:
	ANDS  $3, R7, R5
	BEQ   total
	ROTATE
	ADD   $1, R7
	B     align
total:
	FADD2(26, 24, 24)
	FADD2(27, 25, 25)
	FADD2(25, 24, 24)
	FADDP2(24, 24, 24)
	FMOVD F24, ret+56(FP)
	RET
