//go:build !purego

#include "textflag.h"
#include "element_avx512_amd64.h"

// Those kernels of threshold_avx2_amd64.s that twice the width makes faster: it has an
// instruction that brings elements together. The last one to seven elements go through
// the mask K1. Z8 is the threshold.

#define DST DI
#define S SI
#define N CX    // elements left
#define FOUND AX

// Eight elements an iteration. The store of eight elements ends within the elements that
// were read. The last store uses the mask of the last load.
#define COMPRESS(predicate) \
	MOVQ         dst+0(FP), DST          \
	MOVQ         s+8(FP), S              \
	MOVQ         n+24(FP), N             \
	VBROADCASTSD t+16(FP), Z8            \
	XORL         FOUND, FOUND            \
	SUBQ         $8, N                   \
	JL           partial                 \
loop:                                        \
	VMOVUPD      (S), Z4                 \
	VCMPPD       predicate, Z8, Z4, K2   \
	VCOMPRESSPD.Z Z4, K2, Z5             \
	KMOVB        K2, BX                  \
	POPCNTL      BX, BX                  \
	VMOVUPD      Z5, (DST)(FOUND*8)      \
	ADDQ         BX, FOUND               \
	ADDQ         $64, S                  \
	SUBQ         $8, N                   \
	JGE          loop                    \
partial:                                     \
	MASK_LAST(N, 8, BX, K1)                            \
	VMOVUPD.Z    (S), K1, Z4             \
	VCMPPD       predicate, Z8, Z4, K1, K2 \
	VCOMPRESSPD.Z Z4, K2, Z5             \
	KMOVB        K2, BX                  \
	POPCNTL      BX, BX                  \
	VMOVUPD      Z5, K1, (DST)(FOUND*8)  \
	ADDQ         BX, FOUND               \
done:                                        \
	MOVQ         FOUND, count+40(FP)       \
	VZEROUPPER                           \
	RET

// func thresholdAboveAVX512(dst, s *float64, t float64, n, capacity int) (count int)
TEXT ·thresholdAboveAVX512(SB), NOSPLIT, $0-48
	COMPRESS(GREATER)

// func thresholdBelowAVX512(dst, s *float64, t float64, n, capacity int) (count int)
TEXT ·thresholdBelowAVX512(SB), NOSPLIT, $0-48
	COMPRESS(LESS)
