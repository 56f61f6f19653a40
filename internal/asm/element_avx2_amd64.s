//go:build !purego

#include "textflag.h"
#include "element_table.h"
#include "compare_amd64.h"
#include "element_avx2_amd64.h"

// Four elements at a time; the last one to three go through the same code with
// masked loads and stores, which touch nothing outside the slices. CX counts
// what is left and is far below zero while the masked round runs.

#define MAP_BEGIN \
	MOVQ dst_base+0(FP), DI          \
	MOVQ x_base+24(FP), SI           \
	MOVQ x_len+32(FP), CX            \
	LEAQ ·elementTable(SB), R8       \
	LEAQ ·elementMasks+32(SB), R11   \
loop:                                \
	SUBQ $4, CX                      \
	JL   partial                     \
	VMOVUPD (SI), Y7                 \
body:

#define MAP_END \
	TESTQ CX, CX                     \
	JL    partialStore               \
	VMOVUPD Y0, (DI)                 \
	ADDQ  $32, SI                    \
	ADDQ  $32, DI                    \
	JMP   loop                       \
partial:                             \
	ADDQ  $4, CX                     \
	JEQ   done                       \
	NEGQ  CX                         \
	VMOVUPD (R11)(CX*8), Y15         \
	VMASKMOVPD (SI), Y15, Y7         \
	MOVQ  $-8, CX                    \
	JMP   body                       \
partialStore:                        \
	VMASKMOVPD Y0, Y15, (DI)         \
done:                                \
	VZEROUPPER                       \
	RET

// func expAVX2(dst, x []float64)
TEXT ·expAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VMOVUPD          EXP_HIGH, Y1
	VMINPD           Y7, Y1, Y0
	VMOVUPD          EXP_LOW, Y1
	VMAXPD           Y0, Y1, Y0
	EXP_PARTS
	VMULPD           Y3, Y0, Y0
	VMULPD           Y1, Y0, Y0
	MAP_END

// func sigmoidAVX2(dst, x []float64)
TEXT ·sigmoidAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	EXP_NEGATIVE
	SIGMOID_FROM
	VMOVAPD          Y1, Y0
	MAP_END

// func softplusAVX2(dst, x []float64)
TEXT ·softplusAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	EXP_NEGATIVE
	SOFTPLUS_FROM
	MAP_END

// func logAVX2(dst, x []float64)
TEXT ·logAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VMULPD           TWO_54, Y7, Y0
	VCMPPD           LESS, LOG_TINY, Y7, Y9
	VBLENDVPD        Y9, Y0, Y7, Y0
	VANDPD           FIFTY_FOUR, Y9, Y9
	LOG_SPLIT_BITS
	VSUBPD           Y9, Y8, Y8
	VSUBPD           ONE, Y1, Y0
	VXORPD           Y2, Y2, Y2
	LOG_FROM
	LOG_ENDS
	MAP_END

// func log1pAVX2(dst, x []float64)
TEXT ·log1pAVX2(SB), NOSPLIT, $0-48
	MAP_BEGIN
	VMOVAPD          Y7, Y9
	VADDPD           ONE, Y9, Y7                  // u
	VSUBPD           Y9, Y7, Y0                   // back
	VSUBPD           Y0, Y7, Y2
	VSUBPD           Y2, Y9, Y2
	VMOVUPD          ONE, Y3
	VSUBPD           Y0, Y3, Y3
	VADDPD           Y3, Y2, Y2                   // uTail
	VMOVAPD          Y7, Y0
	LOG_SPLIT_BITS
	VPSUBQ           Y7, Y1, Y3
	VPADDQ           TWO, Y3, Y3                  // scale
	VSUBPD           ONE, Y1, Y1                  // f
	VMULPD           HALF, Y2, Y2
	VMULPD           Y3, Y2, Y2                   // fTail
	VADDPD           Y2, Y1, Y0                   // sum
	VSUBPD           Y1, Y0, Y3
	VSUBPD           Y3, Y2, Y2
	LOG_FROM
	LOG_ENDS
	VANDPD           ABS_MASK, Y9, Y1
	VCMPPD           LESS, LOG1P_SMALL, Y1, Y1
	VBLENDVPD        Y1, Y9, Y0, Y0
	MAP_END
