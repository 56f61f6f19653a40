//go:build !purego

#include "textflag.h"

// The doors of doors.go to the kernels of thresholds. Up to eight elements they count and
// add themselves, and up to four they keep, in SSE2.

#define DST DI
#define S SI
#define N CX
#define FOUND AX
#define GAP R10
#define SPAN R9

#define TO_KERNEL(avx2, go) \
	CMPL ·path(SB), $0 \
	JEQ  portable      \
	JMP  avx2(SB)      \
portable:                  \
	JMP  go(SB)

// Goes to more with N > 4, or stores N elements or their positions, one after the other,
// and goes on behind those that are above X2 = the threshold.
#define KEEP_FEW(STORE) \
	CMPQ  N, $4        \
	JHI   more         \
	XORL  FOUND, FOUND \
	XORL  BX, BX       \
	CMPQ  N, $1        \
	JCS   kept         \
	KEEP(0, STORE)     \
	CMPQ  N, $2        \
	JCS   kept         \
	KEEP(1, STORE)     \
	CMPQ  N, $3        \
	JCS   kept         \
	KEEP(2, STORE)     \
	CMPQ  N, $4        \
	JCS   kept         \
	KEEP(3, STORE)     \
kept:                      \
	MOVQ  FOUND, count+40(FP) \
	RET                \
more:

#define KEEP(i, STORE) \
	MOVSD   (i*8)(S), X0 \
	STORE(i)             \
	UCOMISD X2, X0       \
	SETHI   BX           \
	ADDQ    BX, FOUND

#define STORE_ELEMENT(i) MOVSD X0, (DST)(FOUND*8)
#define STORE_POSITION(i) MOVL $i, (DST)(FOUND*4)

// The last elements cost twice the width most.
#define COMPRESS_TO_KERNEL(avx2, avx512, go) \
	CMPL ·path(SB), $1 \
	JCS  portable      \
	JEQ  narrow        \
	CMPQ N, $8         \
	JCS  narrow        \
	JMP  avx512(SB)    \
narrow:                    \
	JMP  avx2(SB)      \
portable:                  \
	JMP  go(SB)

// X0 -= which of two elements, or of one, are above X2 = the threshold.
#define COUNT_PAIR(offset) \
	MOVUPD offset(S), X5 \
	MOVAPD X2, X4        \
	CMPPD  X5, X4, $1    \
	PSUBQ  X4, X0

#define COUNT_ONE(from) \
	MOVSD from, X5      \
	MOVQ  X2, X4        \
	CMPSD X5, X4, $1    \
	PSUBQ X4, X0

// func CountAbove(s []float64, t float64) int
TEXT ·CountAbove(SB), NOSPLIT, $0-40
	MOVQ     s_len+8(FP), N
	MOVQ     s_base+0(FP), S
	MOVSD    t+24(FP), X2
	CMPQ     N, $1
	JEQ      one
	CMPQ     N, $8
	JHI      more
	UNPCKLPD X2, X2
	PXOR     X0, X0
	CMPQ     N, $2
	JCS      fold
	COUNT_PAIR(0)
	CMPQ     N, $4
	JCS      last
	COUNT_PAIR(16)
	CMPQ     N, $6
	JCS      last
	COUNT_PAIR(32)
	CMPQ     N, $8
	JCS      last
	COUNT_PAIR(48)

fold:
	PSHUFD $0x4e, X0, X1
	PADDQ  X1, X0
	MOVQ   X0, FOUND
	MOVQ   FOUND, ret+32(FP)
	RET

one:
	XORL    FOUND, FOUND
	MOVSD   (S), X5
	UCOMISD X2, X5
	SETHI   FOUND
	MOVQ    FOUND, ret+32(FP)
	RET

last:
	TESTB $1, N
	JEQ   fold
	COUNT_ONE(-8(S)(N*8))
	JMP   fold

more:
	TO_KERNEL(·thresholdCountAVX2, ·countAbove)

// to = two elements, or one, where they are above X2 = the threshold, and +0 elsewhere;
// X3 -= which are.
#define KEEP_PAIR(offset, to) \
	MOVUPD offset(S), to \
	MOVAPD X2, X4        \
	CMPPD  to, X4, $1    \
	PSUBQ  X4, X3        \
	ANDPD  X4, to

#define KEEP_ONE(offset, to) \
	MOVSD offset(S), to \
	MOVQ  X2, X4        \
	CMPSD to, X4, $1    \
	PSUBQ X4, X3        \
	ANDPD X4, to

// func SumAbove(s []float64, t float64) (sum float64, count int)
TEXT ·SumAbove(SB), NOSPLIT, $0-48
	MOVQ     s_len+8(FP), N
	MOVQ     s_base+0(FP), S
	MOVSD    t+24(FP), X2
	CMPQ     N, $1
	JEQ      one
	CMPQ     N, $8
	JHI      more
	UNPCKLPD X2, X2
	PXOR     X3, X3
	CMPQ     N, $2
	JEQ      two
	JCS      none
	KEEP_PAIR(0, X0)
	CMPQ     N, $3
	JEQ      three
	KEEP_PAIR(16, X1)
	CMPQ     N, $5
	JCS      four
	JEQ      five
	KEEP_PAIR(32, X5)
	ADDPD    X5, X0
	CMPQ     N, $7
	JCS      four
	JEQ      seven
	KEEP_PAIR(48, X5)
	ADDPD    X5, X1

four:
	ADDPD X1, X0

sum:
	// No lane is -0, as each began as +0.
	MOVAPD   X0, X1
	UNPCKHPD X1, X1
	ADDSD    X1, X0
	XORPS    X1, X1
	ADDSD    X1, X0
	PSHUFD   $0x4e, X3, X1
	PADDQ    X1, X3

	MOVQ     X3, FOUND
	MOVSD    X0, sum+32(FP)
	MOVQ     FOUND, count+40(FP)
	RET

two:
	MOVUPD   (S), X0
	CMPPD    X0, X2, $1
	ANDPD    X2, X0
	MOVAPD   X0, X1
	UNPCKHPD X1, X1
	ADDSD    X1, X0
	ADDSD    X3, X0
	MOVMSKPD X2, FOUND
	MOVL     FOUND, DX
	SHRL     $1, DX
	SUBL     DX, FOUND
	MOVSD    X0, sum+32(FP)
	MOVQ     FOUND, count+40(FP)
	RET

none:
	MOVSD X3, sum+32(FP)
	MOVQ  $0, count+40(FP)
	RET

one:
	MOVSD   (S), X0
	XORL    FOUND, FOUND
	XORPS   X1, X1
	UCOMISD X2, X0
	SETHI   FOUND
	CMPSD   X0, X2, $1
	ANDPD   X2, X0
	ADDSD   X1, X0
	MOVSD   X0, sum+32(FP)
	MOVQ    FOUND, count+40(FP)
	RET

three:
	KEEP_ONE(16, X1)
	JMP four

five:
	KEEP_ONE(32, X5)
	ADDPD X5, X0
	JMP   four

seven:
	KEEP_ONE(48, X5)
	ADDPD X5, X1
	JMP   four

more:
	TO_KERNEL(·thresholdSumAVX2, ·sumAbove)

// func CompressAbove(dst, s *float64, t float64, n, room int) (count int, err error)
TEXT ·CompressAbove(SB), NOSPLIT, $0-64
	MOVQ  n+24(FP), N
	CMPQ  N, room+32(FP)
	JHI   portable
	MOVQ  dst+0(FP), DST
	MOVQ  s+8(FP), S
	MOVSD t+16(FP), X2
	XORPS X0, X0
	MOVUPS X0, err+48(FP)
	CMPQ  N, $1
	JEQ   alone
	MOVQ  DST, GAP
	SUBQ  S, GAP
	JEQ   same
	LEAQ  0(N*8), SPAN
	LEAQ  -1(GAP)(SPAN*1), GAP
	LEAQ  -1(SPAN)(SPAN*1), SPAN
	CMPQ  GAP, SPAN
	JCS   portable

same:
	KEEP_FEW(STORE_ELEMENT)
	COMPRESS_TO_KERNEL(·thresholdAboveAVX2, ·thresholdAboveAVX512, ·compressAbove)

alone:
	MOVSD   (S), X0
	XORL    FOUND, FOUND
	MOVSD   X0, (DST)
	UCOMISD X2, X0
	SETHI   FOUND
	MOVQ    FOUND, count+40(FP)
	RET

// func PositionsAbove(dst *uint32, s *float64, t float64, n, room int) (count int, err error)
TEXT ·PositionsAbove(SB), NOSPLIT, $0-64
	MOVQ  n+24(FP), N
	CMPQ  N, room+32(FP)
	JHI   portable
	MOVQ  N, AX
	SHRQ  $32, AX
	JNE   portable // also for 2^32, which Go lets pass
	MOVQ  dst+0(FP), DST
	MOVQ  s+8(FP), S
	MOVSD t+16(FP), X2
	XORPS X0, X0
	MOVUPS X0, err+48(FP)
	KEEP_FEW(STORE_POSITION)
	COMPRESS_TO_KERNEL(·thresholdPositionsAVX2, ·thresholdPositionsAVX512, ·positionsAbove)
