//go:build !purego

#include "textflag.h"
#include "element_avx2_amd64.h"

// The definitions are the twins in threshold.go. Y8 is the threshold. The last one to
// seven elements that are counted go through masked loads; the last one to three of
// the others one by one.

#define DST DI
#define S SI
#define N CX    // elements left
#define FOUND AX

// Four elements a round. compare leaves in Y5 which elements of Y4 to keep. The store of four
// does not reach beyond the elements that were read. The last elements are stored one by one, and
// kept if the flags say HI after test.
#define COMPRESS(compare, test) \
	MOVQ         dst+0(FP), DST          \
	MOVQ         s+8(FP), S              \
	MOVQ         n+24(FP), N             \
	VBROADCASTSD t+16(FP), Y8            \
	LEAQ         ·compressDoubles(SB), R8 \
	XORL         FOUND, FOUND            \
	SUBQ         $4, N                   \
	JL           last                    \
loop:                                        \
	VMOVUPD      (S), Y4                 \
	compare                              \
	VMOVMSKPD    Y5, BX                  \
	POPCNTL      BX, DX                  \
	SHLL         $5, BX                  \
	VMOVDQU      (R8)(BX*1), Y6          \
	VPERMPS      Y4, Y6, Y4              \
	VMOVUPD      Y4, (DST)(FOUND*8)      \
	ADDQ         DX, FOUND               \
	ADDQ         $32, S                  \
	SUBQ         $4, N                   \
	JGE          loop                    \
last:                                        \
	ADDQ         $4, N                   \
	JEQ          done                    \
single:                                      \
	VMOVSD       (S), X4                 \
	VMOVSD       X4, (DST)(FOUND*8)      \
	XORL         BX, BX                  \
	test                                 \
	SETHI        BX                      \
	ADDQ         BX, FOUND               \
	ADDQ         $8, S                   \
	DECQ         N                       \
	JNE          single                  \
done:                                        \
	MOVQ         FOUND, count+40(FP)       \
	VZEROUPPER                           \
	RET

#define KEEP_ABOVE VCMPPD GREATER, Y8, Y4, Y5
#define KEEP_BELOW VCMPPD LESS, Y8, Y4, Y5
#define TEST_ABOVE VUCOMISD X8, X4
#define TEST_BELOW VUCOMISD X4, X8

// func thresholdCountAVX2(s []float64, t float64) int
TEXT ·thresholdCountAVX2(SB), NOSPLIT, $0-40
	MOVQ         s_base+0(FP), S
	MOVQ         s_len+8(FP), N
	VBROADCASTSD t+24(FP), Y8
	VPXOR        Y9, Y9, Y9
	VPXOR        Y10, Y10, Y10
	SUBQ         $8, N
	JL           partial
	PCALIGN      $64
loop:
	VCMPPD       LESS, (S), Y8, Y4       // t < s[i]
	VCMPPD       LESS, 32(S), Y8, Y5
	VPSUBQ       Y4, Y9, Y9
	VPSUBQ       Y5, Y10, Y10
	ADDQ         $64, S
	SUBQ         $8, N
	JGE          loop
partial:
	MASKS(N, Y2, Y3)
	VMASKMOVPD   (S), Y2, Y6
	VMASKMOVPD   32(S), Y3, Y7
	VCMPPD       LESS, Y6, Y8, Y4
	VCMPPD       LESS, Y7, Y8, Y5
	VPAND        Y2, Y4, Y4
	VPAND        Y3, Y5, Y5
	VPSUBQ       Y4, Y9, Y9
	VPSUBQ       Y5, Y10, Y10
done:
	VPADDQ       Y10, Y9, Y9
	VEXTRACTI128 $1, Y9, X10
	VPADDQ       X10, X9, X9
	VPSHUFD      $0x4e, X9, X10
	VPADDQ       X10, X9, X9
	VMOVQ        X9, FOUND
	MOVQ         FOUND, ret+32(FP)
	VZEROUPPER
	RET

// func thresholdAboveAVX2(dst, s *float64, t float64, n, capacity int) (count int)
TEXT ·thresholdAboveAVX2(SB), NOSPLIT, $0-48
	COMPRESS(KEEP_ABOVE, TEST_ABOVE)

// func thresholdBelowAVX2(dst, s *float64, t float64, n, capacity int) (count int)
TEXT ·thresholdBelowAVX2(SB), NOSPLIT, $0-48
	COMPRESS(KEEP_BELOW, TEST_BELOW)
