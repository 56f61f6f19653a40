//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "element_table.h"
#include "element_arm64.h"

// Two elements a round; a last single one goes through the same code with the
// upper lane zero. R2 counts what is left and is far below zero in that round.

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
