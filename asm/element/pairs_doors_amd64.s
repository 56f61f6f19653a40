//go:build !purego

#include "textflag.h"

// To the kernels of pairs of the path in use. Up to four elements go to the kernel of AVX2
// on either path.

#define TO_KERNEL(n, avx2, avx512, go) \
	CMPL ·path(SB), $1  \
	JCS  portable       \
	JEQ  narrow         \
	CMPQ n, $4          \
	JLS  narrow         \
	JMP  avx512(SB)     \
narrow:                     \
	JMP  avx2(SB)       \
portable:                   \
	JMP  go(SB)

// func toPairHinge(l, s *float64, shift float64, n int) float64
TEXT ·toPairHinge(SB), NOSPLIT, $0-40
	TO_KERNEL(n+24(FP), ·pairHingeAVX2, ·pairHingeAVX2, ·pairHingeOfPath)

// func toPairHingeAdd(c, l *float64, a float64, n int) float64
TEXT ·toPairHingeAdd(SB), NOSPLIT, $0-40
	TO_KERNEL(n+24(FP), ·pairHingeAddAVX2, ·pairHingeAddAVX2, ·pairHingeAddOfPath)

// func toPairLogistic(l, s *float64, center, scale float64, n int) float64
TEXT ·toPairLogistic(SB), NOSPLIT, $0-48
	TO_KERNEL(n+32(FP), ·pairLogisticAVX2, ·pairLogisticAVX512, ·pairLogisticOfPath)

// func toPairLogisticAdd(c, l *float64, a float64, n int) float64
TEXT ·toPairLogisticAdd(SB), NOSPLIT, $0-40
	TO_KERNEL(n+24(FP), ·pairLogisticAddAVX2, ·pairLogisticAddAVX2, ·pairLogisticAddOfPath)
