//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"
#include "element_table.h"
#include "element_arm64.h"

// Two elements a round; a last single one goes through the same code with the upper lane not
// above. The four pairs of lanes of the sum, V24 to V27, change places after each round. So the
// next two elements always go to V24. The definitions are the twins in pairs_block.go.

#define S R0
#define N R1        // elements left, far below zero in the last round
#define C R2
#define FOUND R3
#define ROUNDS R4
#define T0 R15
#define T1 R16

#define ROTATE \
	VMOV V24.B16, V0.B16           \
	VMOV V25.B16, V24.B16          \
	VMOV V26.B16, V25.B16          \
	VMOV V27.B16, V26.B16          \
	VMOV V0.B16, V27.B16           \
	ADD  $1, ROUNDS, ROUNDS

// The next two pairs: where neither is above, on to the next ones. V9 is the center,
// V10 the threshold.
#define ONE_BEGIN(center, least) \
	FMOVD center, F9               \
	FMOVD least, F10               \
	VDUP V9.D[0], V9.D2            \
	VDUP V10.D[0], V10.D2          \
	MOVD $·elementTable(SB), R8    \
	VEOR V24.B16, V24.B16, V24.B16 \
	VEOR V25.B16, V25.B16, V25.B16 \
	VEOR V26.B16, V26.B16, V26.B16 \
	VEOR V27.B16, V27.B16, V27.B16 \
	MOVD ZR, FOUND                 \
	MOVD ZR, ROUNDS                \
loop:                                  \
	SUBS $2, N                     \
	BLT  partial                   \
	VLD1.P 16(S), [V7.D2]          \
	FSUB2(9, 7, 7)                 \
	FCMGT2(10, 7, 23)              \
body:                                  \
	VMOV V23.D[0], T0              \
	VMOV V23.D[1], T1              \
	SUB  T0, FOUND, FOUND          \
	SUB  T1, FOUND, FOUND          \
	ORR  T1, T0, T0                \
	CBZ  T0, next                  \
	EXP_NEGATIVE

// The sum takes v, or +0 if a pair is not above. add does the other work of a round, and last
// does it in the last round.
#define ONE_END(v, add, last, sum, count) \
	VAND V23.B16, v, V8.B16        \
	FADD2(8, 24, 24)               \
	CMP  $0, N                     \
	BLT  partialStore              \
	add                            \
next:                                  \
	ADD  $16, C, C                 \
	ROTATE                         \
	CMP  $0, N                     \
	BGE  loop                      \
	B    done                      \
partial:                               \
	ADDS $2, N                     \
	BEQ  done                      \
	MOVD $-4, N                    \
	FMOVD (S), F7                  \
	FSUB2(9, 7, 7)                 \
	FCMGT2(10, 7, 23)              \
	VMOV ZR, V23.D[1]              \
	B    body                      \
partialStore:                          \
	last                           \
	ROTATE                         \
done:                                  \
	TST  $3, ROUNDS                \
	BEQ  fold                      \
	ROTATE                         \
	B    done                      \
fold:                                  \
	FADD2(26, 24, 0)               \
	FADD2(27, 25, 1)               \
	FADD2(1, 0, 0)                 \
	FADDP2(0, 0, 0)                \
	FMOVD F0, sum                  \
	MOVD FOUND, count              \
	RET

// Where a pair is not above, c stays as it is.
#define ADD_C \
	VLD1 (C), [V11.D2]             \
	FADD2(8, 11, 12)               \
	VBIT V23.B16, V12.B16, V11.B16 \
	VST1 [V11.D2], (C)

#define ADD_C_LAST \
	FMOVD (C), F11                 \
	FADD2(8, 11, 12)               \
	VBIT V23.B16, V12.B16, V11.B16 \
	FMOVD F11, (C)

#define NOTHING

// func pairSigmoidOneNEON(c, s []float64, center, least float64) (sum float64, count int)
TEXT ·pairSigmoidOneNEON(SB), NOSPLIT, $0-80
	MOVD c_base+0(FP), C
	MOVD s_base+24(FP), S
	MOVD s_len+32(FP), N
	ONE_BEGIN(center+48(FP), least+56(FP))
	SIGMOID_FROM
	ONE_END(V1.B16, ADD_C, ADD_C_LAST, sum+64(FP), count+72(FP))

// func pairSoftplusOneNEON(s []float64, center, least float64) (sum float64, count int)
TEXT ·pairSoftplusOneNEON(SB), NOSPLIT, $0-56
	MOVD s_base+0(FP), S
	MOVD s_len+8(FP), N
	ONE_BEGIN(center+24(FP), least+32(FP))
	SOFTPLUS_FROM
	ONE_END(V0.B16, NOTHING, NOTHING, sum+40(FP), count+48(FP))
