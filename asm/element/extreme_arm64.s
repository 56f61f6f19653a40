//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// Assembly because Go's compiler does not vectorise. The definitions are the twins in
// extreme.go. FMAX returns NaN where an operand is NaN.

#define X R0
#define N R1 // elements left

// It has the largest of eight elements a round in V0 to V3.
//
// func extremeMaxNEON(x []float64) float64
TEXT ·extremeMaxNEON(SB), NOSPLIT, $0-32
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	MOVD  $0xfff0000000000000, R2 // -Inf
	VDUP  R2, V0.D2
	SUBS  $8, N
	BLT   few
	VMOV  V0.B16, V1.B16
	VMOV  V0.B16, V2.B16
	VMOV  V0.B16, V3.B16
loop:
	VLD1.P 64(X), [V4.D2, V5.D2, V6.D2, V7.D2]
	FMAX2(4, 0, 0)
	FMAX2(5, 1, 1)
	FMAX2(6, 2, 2)
	FMAX2(7, 3, 3)
	SUBS  $8, N
	BGE   loop
	FMAX2(1, 0, 0)
	FMAX2(3, 2, 2)
	FMAX2(2, 0, 0)
few:
	ADDS  $8, N
	BEQ   end
one:
	FMOVD.P 8(X), F4
	VDUP  V4.D[0], V4.D2
	FMAX2(4, 0, 0)
	SUBS  $1, N
	BNE   one
end:
	VDUP  V0.D[1], V1.D2
	FMAXD F1, F0, F0
	FMOVD ZR, F1
	FADDD F1, F0, F0 // +0 of -0
	FMOVD F0, ret+24(FP)
	RET

// func extremeFirstNEON(x []float64, v float64) int
TEXT ·extremeFirstNEON(SB), NOSPLIT, $0-40
	MOVD  x_base+0(FP), X
	MOVD  x_len+8(FP), N
	FMOVD v+24(FP), F0
	VDUP  V0.D[0], V0.D2
	MOVD  X, R3
	SUBS  $8, N
	BLT   few
loop:
	VLD1.P 64(X), [V4.D2, V5.D2, V6.D2, V7.D2]
	FCMEQ2(0, 4, 4)
	FCMEQ2(0, 5, 5)
	FCMEQ2(0, 6, 6)
	FCMEQ2(0, 7, 7)
	VORR  V4.B16, V5.B16, V4.B16
	VORR  V6.B16, V7.B16, V6.B16
	VORR  V4.B16, V6.B16, V4.B16
	VMOV  V4.D[0], R4
	VMOV  V4.D[1], R5
	ORR   R4, R5, R4
	CBNZ  R4, found
	SUBS  $8, N
	BGE   loop
	B     few
found:
	SUB   $64, X
few:
	ADDS  $8, N
	BEQ   end
one:
	FMOVD (X), F4
	FCMPD F0, F4
	BEQ   end
	ADD   $8, X
	SUBS  $1, N
	BNE   one
end:
	SUB   R3, X, X
	LSR   $3, X, X
	MOVD  X, ret+32(FP)
	RET
